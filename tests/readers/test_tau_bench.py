"""τ-bench: what each trap of real files becomes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.readers.formats import tau_attempt

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

SHARED = Path(__file__).parents[3] / "shared" / "data" / "tau_bench"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")


def write(folder, name, attempts):
    path = folder / name
    path.write_text(json.dumps(attempts))
    return path


def mean(scores, **options):
    return float(scores.with_options(**options).cuts().cuts[0].sample.score.mean())


@needs_shared
@pytest.mark.shared_data
def test_the_published_airline_file_gives_its_published_numbers():
    path = SHARED / "gpt-4o-airline.trimmed.json"
    scores = read(path)
    raw = json.loads(path.read_text())
    assert sum(scores._state.rows.counts("item").values()) == len(raw) == 200
    assert (scores.models, scores.tasks) == (("gpt-4o.trimmed",), ("airline",))
    passed = [
        round(sb.estimate(scores, estimator=sb.PassHatK(k), resample=sb.Resample("item"))[0].value, 3)
        for k in (1, 2, 3, 4)
    ]
    assert passed == [0.420, 0.273, 0.220, 0.200]
    by_task = np.array([[row["reward"] for row in raw if row["task_id"] == task] for task in range(50)])
    error = by_task.mean(axis=1).std(ddof=1) / math.sqrt(50)
    found = sb.estimate(scores, resample=sb.Resample("item"))[0]
    assert (found.value, found.standard_error) == pytest.approx((by_task.mean(), error), abs=1e-12)
    assert round(error, 3) == 0.052


@needs_shared
@pytest.mark.shared_data
def test_the_same_rewards_as_a_plain_table_give_the_same_mean():
    table = read(SHARED / "gpt-4o-airline_rewards.csv")
    assert sum(table._state.rows.counts("item").values()) == 200
    assert mean(table) == pytest.approx(mean(read(SHARED / "gpt-4o-airline.trimmed.json")), abs=1e-12)


def test_domains_that_only_folders_name_are_tasks(tmp_path):
    for domain, rewards in (("retail", (1.0, 1.0)), ("airline", (0.0, 1.0))):
        (tmp_path / domain).mkdir()
        write(tmp_path / domain, "gpt-4o.json", [tau_attempt(task, 0, reward) for task, reward in enumerate(rewards)])
    both = read(tmp_path)
    assert (both.models, both.tasks) == (("gpt-4o",), ("airline", "retail"))
    (found,) = sb.estimate(both)
    assert (found.n_items, found.value) == (4, 0.75)  # task 1 of one is not task 1 of the other
    retail, airline = (read(tmp_path / name / "gpt-4o.json") for name in ("retail", "airline"))
    assert (retail.tasks, airline.tasks) == (("retail",), ("airline",))
    with pytest.raises(ScoresError, match="no task in common"):
        sb.compare(retail, airline)


def test_a_folder_a_model_with_a_file_a_domain(tmp_path):
    for model in ("gpt-4o", "claude"):
        (tmp_path / model).mkdir()
        for domain in ("retail", "airline"):
            write(tmp_path / model, f"{domain}.json", [tau_attempt(task, 0, 1.0) for task in range(2)])
    scores = read(tmp_path)
    assert (scores.models, scores.tasks) == (("claude", "gpt-4o"), ("airline", "retail"))


def test_tasks_that_lack_trials_that_others_have_are_named(tmp_path):
    attempts = [tau_attempt(task, trial, 1.0) for trial in (0, 1) for task in range(4)]
    scores = read(write(tmp_path, "m-airline.json", attempts[:-2]))
    said = " ".join(map(str, scores.cuts().notes))
    assert "4 tasks with 2 trials each are 8 attempts, 6 are there; task 2 lacks trial 1; task 3 lacks trial 1" in said
    assert mean(scores) == 1.0
    assert "partial-log" not in " ".join(map(str, read(write(tmp_path, "w-airline.json", attempts)).cuts().notes))


def test_a_crash_is_wrong_as_the_tool_says_and_can_be_dropped(tmp_path):
    crash = tau_attempt(1, 0, 0.0, instead={"error": "rate limit", "traceback": "Traceback …"})
    scores = read(write(tmp_path, "m-airline.json", [tau_attempt(0, 0, 1.0), crash, tau_attempt(1, 1, 1.0)]))
    cut = scores.cuts().cuts[0]
    assert sorted(cut.sample.score.tolist()) == [0.0, 1.0, 1.0]
    assert "1 attempt ended in an error without a score, counted wrong" in " ".join(map(str, cut.notes))
    assert mean(scores, on_error="drop") == 1.0


def test_an_attempt_that_never_ended_has_no_verdict(tmp_path):
    endless = tau_attempt(1, 0, 0.0)
    endless["info"]["reward_info"] = None
    scores = read(write(tmp_path, "m-retail.json", [tau_attempt(0, 0, 1.0), endless]))
    assert mean(scores) == 0.5
    assert mean(scores, on_error="drop") == 1.0


def test_an_old_file_without_reward_info_keeps_its_rewards(tmp_path):
    old = [tau_attempt(task, 0, reward) for task, reward in enumerate((1.0, 0.0, 0.0))]
    for attempt in old:
        del attempt["info"]["reward_info"]
    scores = read(write(tmp_path, "m.json", old))
    assert mean(scores, on_error="drop") == pytest.approx(1 / 3)


def test_the_user_of_a_crashed_task_comes_from_the_other_model(tmp_path):
    crash = tau_attempt(1, 0, 0.0, instead={"error": "rate limit", "traceback": "…"})
    a = write(tmp_path, "a-airline.json", [tau_attempt(0, 0, 1.0), tau_attempt(1, 0, 1.0)])
    b = write(tmp_path, "b-airline.json", [tau_attempt(0, 0, 1.0), crash])
    scores = read([a, b])
    assert scores._state.rows.counts("cluster") == {"user_0": 4}
    assert read(b)._state.rows.counts("cluster") == {"task 1": 1, "user_0": 1}


def test_task_0_of_two_domains_is_two_items(tmp_path):
    airline = write(tmp_path, "gpt-4o-airline.json", [tau_attempt(0, 0, 1.0)])
    retail = write(tmp_path, "gpt-4o-retail.json", [tau_attempt(0, 0, 0.0)])
    scores = read([airline, retail])
    assert (scores.models, scores.tasks) == (("gpt-4o",), ("airline", "retail"))


@pytest.mark.parametrize(
    ("name", "model", "tasks"),
    [
        ("sonnet-35-new-retail.json", "sonnet-35-new", ("retail",)),
        ("airline.json", "airline", ()),
        ("act-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_01.json", "act-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_01", ()),
    ],
)
def test_the_model_is_the_name_without_the_domain(tmp_path, name, model, tasks):
    scores = read(write(tmp_path, name, [tau_attempt(0, 0, 1.0)]))
    assert (scores.models, scores.tasks) == ((model,), tasks)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ({"reward": "1"}, r"m.json: record 2: 'reward' is text, not a number"),
        ({"trial": None}, r"m.json: record 2: 'trial' is null"),
        ({"info": []}, r"m.json: record 2: 'info' is a list, not an object"),
    ],
)
def test_a_field_of_another_type_names_the_record(tmp_path, damage, sentence):
    path = write(tmp_path, "m.json", [tau_attempt(0, 0, 1.0), tau_attempt(1, 0, 1.0) | damage])
    with pytest.raises(ReadError, match=sentence):
        read(path)


def test_roles_are_fixed_by_the_format(tmp_path):
    path = write(tmp_path, "m.json", [tau_attempt(0, 0, 1.0)])
    with pytest.raises(ReadError, match="'item' cannot be mapped in a τ-bench file"):
        read(path, columns={"item": "trial"})


def two(key, names, *, apart=False):
    """Attempts of two models or settings, of which the first succeeds at three tasks in four, the second at one."""
    return [
        tau_attempt(task, trial + 2 * place * apart, float(task % 4 < right)) | {key: name}
        for place, (name, right) in enumerate(zip(names, (3, 1), strict=True))
        for task in range(12)
        for trial in range(2)
    ]


@pytest.mark.parametrize("apart", [False, True])
def test_models_that_the_attempts_name_are_models(tmp_path, apart):
    scores = read(write(tmp_path, "all-airline.json", two("model", ("A", "B"), apart=apart)))
    assert {cut.sample.model: cut.sample.score.mean() for cut in scores.cuts().cuts} == {"A": 0.75, "B": 0.25}
    assert {len(cut.sample.score) for cut in scores.cuts().cuts} == {24}


@pytest.mark.parametrize("apart", [False, True])
def test_a_setting_that_tells_attempts_apart_is_asked_about(tmp_path, apart):
    path = write(tmp_path, "all-airline.json", two("temperature", (0.2, 0.8), apart=apart))
    with pytest.raises(ReadError, match=r"'temperature' \('0.2', '0.8'\) takes the same values in each") as error:
        read(path)
    query = "SELECT temperature AS model, task_id AS item, trial AS run, reward AS score FROM data"
    assert f"--sql '{query}'" in str(error.value)
    found = read(path, sql=query).cuts().cuts
    assert {cut.sample.model: cut.sample.score.mean() for cut in found} == {"0.2": 0.75, "0.8": 0.25}
