"""τ²-bench: both layouts, and what each trap of real files becomes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.readers.formats import tau2_results, tau2_simulation

from scorebars.errors import ReadError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "tau2_bench"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def mean(scores, **options):
    return float(scores.with_options(**options).cuts().cuts[0].sample.score.mean())


def folder_layout(home, simulations, *, index=True, on_disk=None):
    """Write a results.json with its folder of simulations."""
    entries = [
        {"id": one["id"], "task_id": one["task_id"], "trial": one["trial"]}
        | {"reward": (one["reward_info"] or {}).get("reward"), "termination_reason": one["termination_reason"]}
        for one in simulations
    ]
    for one in simulations if on_disk is None else on_disk:
        write(home / "simulations" / f"{one['id']}.json", one)
    return write(home / "results.json", tau2_results(simulation_index=entries if index else None))


MIXED = (
    *(tau2_simulation("0", 0, 1.0), tau2_simulation("0", 1, 1.0 - 1e-9), tau2_simulation("1", 0, 0.0, "max_steps")),
    *(tau2_simulation("1", 1, 0.0, "infrastructure_error"), tau2_simulation("2", 0, 0.0, "agent_error")),
)


def test_what_never_ran_is_dropped_as_the_tool_does(tmp_path):
    scores = read(write(tmp_path / "run.json", tau2_results(simulations=list(MIXED))))
    cut = scores.cuts().cuts[0]
    assert (scores.models, scores.tasks) == (("gpt-4.1",), ("airline",))
    assert sorted(cut.sample.score.tolist()) == [0.0, 0.0, 1.0, 1.0]
    assert "1 attempt ended in an error without a score, dropped" in " ".join(map(str, cut.notes))
    assert mean(scores, on_error="wrong") == pytest.approx(2 / 6)  # task 2 has one of its two trials


@pytest.mark.parametrize("index", [True, False])
def test_the_folder_layout_gives_the_same_as_one_file(tmp_path, index):
    one = read(write(tmp_path / "run.json", tau2_results(simulations=list(MIXED))))
    path = folder_layout(tmp_path / "run", MIXED, index=index)
    for scores in (read(path), read(path.parent)):
        assert np.array_equal(scores.tidy()["score"], one.tidy()["score"], equal_nan=True)
        assert scores.tidy()["run"].tolist() == one.tidy()["run"].tolist()


def test_an_index_alone_is_enough(tmp_path):
    scores = read(folder_layout(tmp_path / "run", MIXED, on_disk=[]))
    assert sum(cut.sample.n_attempts for cut in scores.cuts().cuts) == 4  # one never ran, one was never made


TASKS = [{"id": task} for task in "0123"]
WHOLE = [tau2_simulation(task, trial, float(task != "1")) for task in "0123" for trial in (0, 1)]


@pytest.mark.parametrize("layout", ["file", "folder", "index"])
def test_a_run_that_was_cut_short_says_what_lacks_and_counts_it_missing(tmp_path, layout):
    made = [one for one in WHOLE if one["id"] not in {"3-0", "3-1", "2-1"}]
    if layout == "file":
        path = write(tmp_path / "run.json", tau2_results(tasks=TASKS, simulations=made))
    else:
        path = folder_layout(tmp_path / "run", made, index=layout == "index")
        write(path, json.loads(path.read_text()) | {"tasks": TASKS})
    scores = read(path)
    said = " ".join(map(str, scores.cuts().notes))
    assert "header-disagrees" in said
    assert "the run was to have 8 attempts (4 × 2), 5 are there; no trial of task 3; task 2 lacks trial 1" in said
    table = scores.tidy()
    absent = {(i, r) for i, r, s in zip(table["item"], table["run"], table["score"], strict=True) if np.isnan(s)}
    assert absent == {("3", "0"), ("3", "1"), ("2", "1")}
    assert set(table["status"]) == {"ok", "missing"}
    assert sorted(scores.cuts().cuts[0].sample.score.tolist()) == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert mean(scores, on_error="wrong") == pytest.approx(3 / 8)


def test_a_whole_run_says_nothing(tmp_path):
    scores = read(write(tmp_path / "run.json", tau2_results(tasks=TASKS, simulations=WHOLE)))
    assert "header-disagrees" not in " ".join(map(str, scores.cuts().notes))


@pytest.mark.parametrize("trials", [0, -1, 10**12])
def test_a_number_of_trials_that_no_run_has_is_refused(tmp_path, trials):
    content = tau2_results(tasks=TASKS, simulations=WHOLE)
    content["info"]["num_trials"] = trials
    with pytest.raises(ReadError, match=rf"'info': 'num_trials' is {trials}, which no run has"):
        read(write(tmp_path / "run.json", content))


@pytest.mark.parametrize(
    ("on_disk", "sentence"),
    [
        (MIXED[1:], r"its index names simulation '0-0', which 'simulations' does not hold"),
        ((*MIXED, tau2_simulation("9", 0, 1.0)), r"its index lacks simulation '9-0' of 'simulations'"),
    ],
)
def test_a_folder_that_is_not_whole_is_refused(tmp_path, on_disk, sentence):
    path = folder_layout(tmp_path / "run", MIXED, on_disk=on_disk)
    for given in (path, path.parent):
        with pytest.raises(ReadError, match=sentence):
            read(given)


@pytest.mark.parametrize(
    ("llm", "implementation", "model"),
    [
        ("gpt-4.1", "llm_agent", "gpt-4.1"),
        ("gpt-4.1", "llm_agent_solo", "llm_agent_solo+gpt-4.1"),
        (None, "my_agent", "my_agent"),
    ],
)
def test_another_agent_is_another_model(tmp_path, llm, implementation, model):
    content = tau2_results(llm, implementation, simulations=[tau2_simulation("0", 0, 1.0)])
    assert read(write(tmp_path / "run.json", content)).models == (model,)


def test_a_whole_number_as_task_id_is_the_same_item_as_its_text(tmp_path):
    old = tau2_simulation("0", 0, 1.0) | {"task_id": 0}
    content = tau2_results(simulations=[old, tau2_simulation("0", 1, 1.0)])
    assert read(write(tmp_path / "run.json", content))._state.rows.counts("item") == {"0": 2}


def test_a_simulation_without_its_results_is_refused(tmp_path):
    path = write(tmp_path / "run" / "simulations" / "a.json", tau2_simulation("0", 0, 1.0))
    with pytest.raises(
        ReadError, match=r"a.json is one simulation of τ²-bench; its model is named in the results.json"
    ):
        read(path)


def test_simulations_that_nobody_evaluated_are_refused(tmp_path):
    content = tau2_results(simulations=[tau2_simulation("0", 0, None)])
    with pytest.raises(ReadError, match=r"its only simulation has no reward: nothing was evaluated"):
        read(write(tmp_path / "run.json", content))


@needs_shared
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("submission.json", "is an entry of the τ²-bench leaderboard: averages of each domain, without the attempts"),
        ("results.json", "is a results file of τ²-bench without a simulation"),
        ("cd9c5ed2-9751-4c86-8dac-8a895a332e41.json", "is one simulation of τ²-bench"),
        ("", "its only simulation has no reward: nothing was evaluated"),
    ],
)
def test_the_real_files_hold_no_attempt_with_a_reward(name, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(SHARED / name)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'{"id": "0-1", "task_id"', "is not valid JSON: it is truncated in line 1, column 24"),
        (b"", "is empty"),
        (bytes(400), "is damaged: line 1 holds a NUL byte"),
        (b"404: not found", "is no JSON"),
    ],
)
def test_the_reward_of_a_damaged_simulation_is_not_taken_from_the_index(tmp_path, data, sentence):
    home = tmp_path / "run"
    folder_layout(home, MIXED)
    assert read(home).models == ("gpt-4.1",)
    path = home / "simulations" / f"{MIXED[1]['id']}.json"
    path.write_bytes(data)
    for given in (home, home / "results.json"):
        with pytest.raises(ReadError, match=rf"{re.escape(path.name)} {sentence}.*copy the folder again"):
            read(given)
