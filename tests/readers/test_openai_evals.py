"""OpenAI evals logs: events in any order, several of a sample, errors."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.readers.logs_by_hand import OPENAI_EVALS
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "openai_evals"
SPEC, REPORT, *MATCHES = OPENAI_EVALS


def event(sample, kind, **data):
    return {"run_id": "r", "event_id": 9, "sample_id": sample, "type": kind, "data": data}


def write(folder, *lines):
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_report_may_stand_anywhere(tmp_path):
    first = part_of(write(tmp_path, SPEC, REPORT, *MATCHES))
    last = part_of(write(tmp_path, SPEC, *MATCHES, REPORT))
    assert first.rows["score"].tolist() == last.rows["score"].tolist() == [0.0, 1.0, 0.0, 1.0]
    assert not first.notes


def test_without_a_report_the_run_did_not_finish(tmp_path):
    [remark] = read(write(tmp_path, SPEC, *MATCHES)).parts[0].notes
    assert remark.code == "partial-log"


def test_a_sample_with_only_an_error_has_no_score(tmp_path):
    lines = [SPEC, REPORT, *MATCHES, event("bad", "error", message="timeout"), event("lost", "sampling", sampled="")]
    path = write(tmp_path, *lines)
    scores = read(path)
    assert cells(part_of(path), "item", "status")[-2:] == [("bad", "error"), ("lost", "missing")]
    assert sb.estimate(scores)[0].value == 0.5  # as oaieval: of the match events
    assert sb.estimate(scores.with_options(on_error="wrong"))[0].value == pytest.approx(2 / 6)


def test_an_error_beside_a_score_leaves_it(tmp_path):
    part = part_of(write(tmp_path, SPEC, REPORT, *MATCHES, event("sums.dev.1", "error", message="judge")))
    assert cells(part, "score", "status")[1] == (1.0, "ok")


def test_of_several_logs_the_newest_or_all_as_runs(tmp_path):
    for day in ("2025-01-01 10:00:00.5", "2025-01-02 10:00:00.5"):
        (tmp_path / day[:10]).mkdir()
        write(tmp_path / day[:10], {"spec": SPEC["spec"] | {"created_at": day}}, REPORT, *MATCHES)
    with pytest.raises(ScorebarsError, match="--latest"):
        sb.estimate(read(tmp_path))
    assert [part.created for part in read(tmp_path, latest=True).parts] == ["2025-01-02 10:00:00.5"]
    assert sb.estimate(read(tmp_path, repeats_as_runs=True))[0].n_runs == (2, 2)


def test_several_scoring_events_are_runs(tmp_path):
    part = part_of(write(tmp_path, SPEC, REPORT, *MATCHES, event("sums.dev.0", "match", correct=True)))
    assert cells(part, "item", "run", "score")[:2] == [("sums.dev.0", "1", 0.0), ("sums.dev.0", "2", 1.0)]
    (said,) = [note for note in part.notes if note.code == "repeats-as-runs"]
    assert said.data["n"] == 1
    assert "steps or graders" in str(said)


def test_numbers_of_metrics_events_are_metrics_and_words_are_not(tmp_path):
    lines = [event(str(n), "metrics", f1=n / 4, choice="ABC"[n], seen=None) for n in range(3)]
    scores = read(write(tmp_path, SPEC, REPORT, *lines))
    assert set(scores.metrics) == {"f1", "seen"}
    with pytest.raises(ScorebarsError, match=r"'choice' is no score: its values are words.*\('A', 'B', 'C'"):
        read(write(tmp_path, SPEC, REPORT, *lines), metric="choice")


def test_a_second_completion_function_grades(tmp_path):
    spec = {"spec": SPEC["spec"] | {"completion_fns": ["small", "judge"]}}
    scores = read(write(tmp_path, spec, REPORT, *MATCHES))
    assert scores.models == ("small",)
    assert "'judge'" in dict(scores.parts[0].mapping)["model"]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([SPEC, REPORT, *MATCHES, SPEC], "line 7 begins a second log"),
        ([SPEC, REPORT], "has no sample and no event of the type match"),
        ([SPEC, REPORT, event("1", "match", correct="yes")], "'correct' is neither true nor false"),
        ([SPEC, REPORT, event("1", "metrics", choice="A")], "'choice' is no score"),
        ([SPEC, {"run_id": "r"}], "line 2 has no 'sample_id'"),
        ([{"spec": {}}, *MATCHES], "has no 'model_name'"),
    ],
)
def test_what_is_no_log_says_why(tmp_path, lines, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, *lines))


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
@pytest.mark.shared_data
def test_the_real_log_has_its_own_accuracy():
    path = SHARED / "autogpt_test-match.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    [report] = [line["final_report"] for line in lines if "final_report" in line]
    correct = [line["data"]["correct"] for line in lines if line.get("type") == "match"]
    scores = read(path)
    [estimate] = sb.estimate(scores)
    assert math.isclose(estimate.value, report["accuracy"])
    assert math.isclose(estimate.value, sum(correct) / len(correct))
    assert (scores.models, scores.tasks) == (("auto_gpt_completion_fn",), ("test-match.s1.simple-v0",))
    assert estimate.n_items == 3
