"""HAL results: rewards, lists of successes, errors."""

from __future__ import annotations

import copy
import json

import pytest
from tests.readers.logs_by_hand import HAL
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read


def write(folder, content, name="run_UPLOAD.json"):
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def changed(**parts):
    return copy.deepcopy(HAL) | parts


def test_the_mean_is_the_accuracy_and_errors_count_as_failures(tmp_path):
    path = write(tmp_path, HAL)
    assert cells(part_of(path), "item", "status") == [("0", "ok"), ("1", "ok"), ("2", "ok"), ("3", "error")]
    scores = read(path)
    assert sb.estimate(scores)[0].value == HAL["results"]["accuracy"]
    assert scores.tasks == ("taubench_airline",)


def test_a_failed_task_without_a_result_is_missing(tmp_path):
    results = HAL["results"] | {"failed_tasks": ["1", "3", "9"]}
    part = part_of(write(tmp_path, changed(results=results)))
    assert cells(part, "item", "status")[-1] == ("9", "missing")


def test_other_benchmarks_are_read_from_their_lists(tmp_path):
    part = part_of(write(tmp_path, changed(raw_eval_results={"rdict": {}, "sdict": {}})))
    assert cells(part, "item", "score") == [("0", 1.0), ("2", 1.0), ("1", 0.0), ("3", 0.0)]
    assert dict(part.mapping)["score"] == "results.successful_tasks and failed_tasks"


def test_variations_of_a_prompt_are_runs(tmp_path):
    raw = {"0": [{"score": 1}, {"score": 0.5}]}
    results = {"successful_tasks": ["0"], "failed_tasks": []}
    part = part_of(write(tmp_path, changed(raw_eval_results=raw, results=results)))
    run = HAL["config"]["run_id"]
    assert cells(part, "run", "score") == [(f"{run}.1", 1.0), (f"{run}.2", 0.5)]


def test_two_runs_of_an_agent_are_runs(tmp_path):
    write(tmp_path, HAL)
    write(tmp_path, changed(config=HAL["config"] | {"run_id": "second", "date": "2025-01-03"}), "second_UPLOAD.json")
    estimate = sb.estimate(read(tmp_path))[0]
    assert (estimate.n_items, estimate.n_runs) == (4, (2, 2))
    assert len(read(tmp_path, latest=True).parts) == 1


RAW = {str(place): {"reward": float(place % 2)} for place in range(6)}


@pytest.mark.parametrize("one", [{}, {"cost": 3}])
def test_a_task_without_a_reward_beside_others_is_looked_up_in_lists_that_name_all_tasks_only(tmp_path, one):
    raw = RAW | {"3": one}
    lists = {"successful_tasks": ["1", "3", "5"], "failed_tasks": ["0", "2", "4"]}
    part = part_of(write(tmp_path, changed(raw_eval_results=raw, results=lists)))
    assert cells(part, "item", "score") == [*((key, 1.0) for key in "135"), *((key, 0.0) for key in "024")]
    few = {"successful_tasks": ["1"], "failed_tasks": ["0"]}
    with pytest.raises(ReadError, match="'3' in 'raw_eval_results' has no reward or score as the other tasks have"):
        read(write(tmp_path, changed(raw_eval_results=raw, results=few)))


def test_a_reward_of_null_is_missing(tmp_path):
    raw = RAW | {"3": {"reward": None}}
    part = part_of(write(tmp_path, changed(raw_eval_results=raw, results={"successful_tasks": ["1"]})))
    assert cells(part, "item", "status") == [(key, "missing" if key == "3" else "ok") for key in "012345"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (changed(raw_eval_results=RAW | {"2": {"reward": {"x": 1}}}), "'2': 'reward' is an object, not a number"),
        (changed(raw_eval_results=RAW | {"2": {"score": "1"}}), "'2': 'score' is text, not a number"),
        (changed(results={}, raw_eval_results={}), "has neither a reward or score a task"),
        (
            changed(results={"successful_tasks": ["1"], "failed_tasks": ["1"]}),
            "'1' is among the successful",
        ),
        (changed(results={"successful_tasks": 3}), "'successful_tasks' is no list"),
    ],
)
def test_what_holds_no_score_says_why(tmp_path, content, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, content))
