"""DeepEval test runs: metrics that could not be computed, names that repeat, verdicts."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.readers.logs_by_hand import DEEPEVAL, deepeval_case
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "deepeval"


def write(folder, cases=None, name="run.json", **more):
    path = folder / name
    content = DEEPEVAL | ({} if cases is None else {"testCases": cases}) | more
    path.write_text(json.dumps(content))
    return path


def of(metric, part, *roles):
    return [row[1:] for row in cells(part, "metric", *roles) if row[0] == metric]


def metric(name, score, success, **more):
    return {"name": name, "score": score, "success": success, "threshold": 0.5, "strictMode": False} | more


def test_a_metric_that_could_not_be_computed_is_an_error_and_not_zero(tmp_path):
    part = part_of(write(tmp_path))
    assert of("Faithfulness", part, "status") == [("ok",), ("ok",), ("error",), ("ok",)]
    assert [math.isnan(score) for (score,) in of("Faithfulness", part, "score")] == [False, False, True, False]


def test_the_mean_is_over_the_scores_there_are_as_in_metrics_scores(tmp_path):
    [own] = DEEPEVAL["metricsScores"]
    scores = read(write(tmp_path), metric="Faithfulness")
    assert sb.estimate(scores)[0].value == pytest.approx(sum(own["scores"]) / len(own["scores"]))


def test_counted_wrong_the_pass_rate_is_deepevals_own(tmp_path):
    scores = read(write(tmp_path), metric="success").with_options(on_error="wrong")
    own = DEEPEVAL["testPassed"] / (DEEPEVAL["testPassed"] + DEEPEVAL["testFailed"])
    assert sb.estimate(scores)[0].value == pytest.approx(own)


def test_a_test_case_that_fails_by_another_metric_failed(tmp_path):
    metrics = [metric("A", None, False, error="x"), metric("B", 0.1, False)]
    case = deepeval_case(0, 0.1, success=False, metricsData=metrics)
    part = part_of(write(tmp_path, [case]))
    assert of("success", part, "score", "status") == [(0.0, "ok")]
    assert of("A.success", part, "status") == [("error",)]


def test_a_flaky_metric_never_decides_a_test_case(tmp_path):
    broken = metric("A", None, False, error="x", flaky=True)
    failing = metric("A", 0.1, False, flaky=True)
    lost = metric("B", None, False, error="x")
    cases = [
        deepeval_case(0, 1.0, success=True, metricsData=[broken, metric("B", 0.9, True)]),
        deepeval_case(1, 1.0, success=False, metricsData=[failing, lost]),
    ]
    part = part_of(write(tmp_path, cases))
    assert of("success", part, "status") == [("ok",), ("error",)]
    assert of("success", part, "score")[0] == (1.0,)


def test_a_null_score_without_an_error_is_missing(tmp_path):
    case = deepeval_case(0, 0.9, metricsData=[metric("A", None, True), metric("B", 0.9, True)])
    part = part_of(write(tmp_path, [case]))
    assert of("A", part, "status") == of("A.success", part, "status") == [("missing",)]


def test_the_judge_is_not_the_model(tmp_path):
    scores = read(write(tmp_path))
    assert scores.models == ("run",)
    assert "evaluationModel is the judge" in dict(scores.parts[0].mapping)["model"]
    named = read(write(tmp_path, hyperparameters={"model": "gpt-4o", "temperature": 0}))
    assert named.models == ("gpt-4o",)


def test_names_that_repeat_are_told_apart_by_their_number(tmp_path):
    cases = [deepeval_case(place, 1.0, name="test_sums") for place in range(2)]
    part = part_of(write(tmp_path, cases))
    assert of("Faithfulness", part, "item") == [("test_sums#0",), ("test_sums#1",)]
    assert "run" not in part.rows


def test_repeats_of_one_test_case_are_runs(tmp_path):
    cases = [deepeval_case(place, 1.0) | {"input": "What is 1 + 1?"} for place in range(3)]
    part = part_of(write(tmp_path, cases))
    assert of("Faithfulness", part, "item", "run") == [("test_case_0", "1"), ("test_case_0", "2"), ("test_case_0", "3")]


def test_a_run_inside_another_object_and_old_keys_are_read(tmp_path):
    path = tmp_path / "latest.json"
    old = {
        "name": "a",
        "input": "?",
        "success": True,
        "metricsMetadata": [{"metric": "F", "score": 1, "success": True}],
    }
    path.write_text(json.dumps({"testRunData": DEEPEVAL | {"testCases": [old]}, "testRunLink": None}))
    assert of("F", part_of(path), "item", "score") == [("a", 1.0)]


def test_conversations_are_test_cases_too(tmp_path):
    talk = deepeval_case(0, 0.5, name="talk", turns=[{"role": "user", "content": "hi"}])
    part = part_of(write(tmp_path, [], conversationalTestCases=[talk]))
    assert of("Faithfulness", part, "item", "score") == [("talk", 0.5)]


def test_strict_scores_are_named(tmp_path):
    case = deepeval_case(0, 1.0, metricsData=[metric("A", 1.0, True, strictMode=True)])
    said = dict(part_of(write(tmp_path, [case])).mapping)["score"]
    assert said == "score, or success; that of A is 0 or 1 by its threshold (strictMode)"


def test_one_metric_twice_in_a_test_case_is_refused(tmp_path):
    case = deepeval_case(0, 1.0, metricsData=[metric("GEval", 1.0, True), metric("GEval", 0.0, False)])
    with pytest.raises(ReadError, match="record 1 has the metric 'GEval' twice"):
        read(write(tmp_path, [case]))


def test_a_run_without_a_score_is_refused(tmp_path):
    with pytest.raises(ReadError, match="2 test cases without a single score"):
        read(write(tmp_path, [deepeval_case(place, None) for place in range(2)]))


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
@pytest.mark.shared_data
def test_the_real_run_is_read():
    path = SHARED / "test_run_sample.json"
    [case] = json.loads(path.read_text())["testCases"]
    raw = {each["name"]: each["score"] for each in case["metricsData"]}
    scores = read(path)
    assert scores.models == ("test_run_sample",)
    assert set(scores.metrics) == {*raw, *(f"{name}.success" for name in raw), "success"}
    part = part_of(path)
    for name, own in raw.items():
        assert of(name, part, "item", "score") == [("sample_test_case", own)]
    assert of("success", part, "score") == [(float(case["success"]),)]
