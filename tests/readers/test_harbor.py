"""Harbor: what each trap of real trials becomes."""

from __future__ import annotations

import json

import pytest
from tests.readers.formats import harbor_trial

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

MODEL = "claude-code+anthropic/claude-opus-4-8"
TIMEOUT = {"exception_type": "AgentTimeoutError", "exception_message": "", "exception_traceback": ""}
CRASH = TIMEOUT | {"exception_type": "ApiRateLimitError"}


def job(folder, *trials, total=None):
    """Write trials as Harbor does: a folder each, the job's result above them."""
    for trial in trials:
        path = folder / f"{trial['trial_name']}-{trial['id'].replace('/', '-')}" / "result.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(trial))
    if total is not None:
        content = {"id": "j", "started_at": "2026-01-01T00:00:00Z", "n_total_trials": total, "stats": {}}
        (folder / "result.json").write_text(json.dumps(content))
    return folder


def mean(scores, **options):
    return float(scores.with_options(**options).cuts().cuts[0].sample.score.mean())


def notes(scores):
    cuts = scores.cuts()
    return " ".join(str(note) for note in (*cuts.notes, *cuts.cuts[0].notes))


def test_a_missing_reward_is_0_and_can_be_dropped(tmp_path):
    crashed = harbor_trial("c", None, exception_info=CRASH)
    scores = read(job(tmp_path, harbor_trial("a", {"reward": 1.0}), harbor_trial("b", None), crashed))
    assert (scores.models, scores.tasks, scores.metrics) == ((MODEL,), ("terminal-bench",), ("reward",))
    assert mean(scores) == pytest.approx(1 / 3)
    assert mean(scores, on_error="drop") == 1.0
    assert "1 attempt ended in an error without a score, counted wrong" in notes(scores)


def test_runs_with_other_settings_are_said(tmp_path):
    low = {"agent": {"kwargs": {"reasoning_effort": "low"}}}
    first = harbor_trial("a", {"reward": 0.0}, "1", config=low)
    second = harbor_trial("a", {"reward": 1.0}, "2", config={"agent": {"kwargs": {"reasoning_effort": "high"}}})
    said = notes(read(job(tmp_path, first, second)))
    assert "other-settings" in said
    assert '"reasoning_effort": "low"' in said
    assert "settings" not in notes(read(job(tmp_path / "same", first, harbor_trial("b", {"reward": 1.0}, config=low))))


def test_a_trial_without_a_checksum_is_one_by_its_verdict(tmp_path):
    trials = [harbor_trial(name, {"reward": reward}) for name, reward in (("a", 1.0), ("b", 0.0))]
    bare = [{key: value for key, value in trial.items() if key != "task_checksum"} for trial in trials]
    scores = read(job(tmp_path, *bare))
    assert (scores.models, mean(scores)) == ((MODEL,), 0.5)


def test_a_timeout_with_a_reward_keeps_it(tmp_path):
    scores = read(job(tmp_path, harbor_trial("a", {"reward": 1.0}, exception_info=TIMEOUT)))
    assert mean(scores, on_error="drop") == 1.0
    assert "failed-attempts" not in notes(scores)


def test_a_reward_that_harbor_calls_invalid_is_no_verdict(tmp_path):
    invalid = harbor_trial("b", {"reward": 1.0}, exception_info=CRASH, reward_valid=False)
    scores = read(job(tmp_path, harbor_trial("a", {"reward": 1.0}, reward_valid=True), invalid))
    assert (mean(scores), mean(scores, on_error="drop")) == (0.5, 1.0)
    assert "1 of 2 attempts crashed (ApiRateLimitError 1)" in notes(scores)


def test_a_step_that_ended_in_an_error_is_the_error_of_its_trial(tmp_path):
    """As harbor 0.26 writes a task of several steps: the trial itself has no exception."""
    policy = {"should_retry": False, "should_grade": True, "has_valid_reward": False}
    empty = TIMEOUT | {"exception_type": "RewardFileEmptyError", "policy": policy}
    steps = [
        {"step_name": "one", "verifier_result": {"rewards": {"reward": 1.0}}, "exception_info": None},
        {"step_name": "two", "verifier_result": None, "exception_info": empty},
    ]
    broken = harbor_trial("b", None, step_results=steps, reward_valid=False)
    whole = harbor_trial("a", {"reward": 0.5}, step_results=steps[:1], reward_valid=True)
    scores = read(job(tmp_path, whole, broken))
    assert (mean(scores), mean(scores, on_error="drop")) == (0.25, 0.5)
    assert "1 attempt ended in an error without a score" in notes(scores)
    assert "1 of 2 attempts crashed (RewardFileEmptyError 1)" in notes(scores)


def test_trials_of_a_task_are_runs_in_the_order_of_their_start(tmp_path):
    trials = [harbor_trial("a", {"reward": float(n == 3)}, name=f"x{n}") for n in (3, 1, 2)]
    table = read(job(tmp_path, *trials, harbor_trial("b", {"reward": 0.0}))).tidy()
    assert sorted(zip(table["item"], table["run"], table["score"], strict=True)) == [
        *(("a", "1", 0.0), ("a", "2", 0.0), ("a", "3", 1.0), ("b", "1", 0.0))
    ]
    found = sb.estimate(read(tmp_path), estimator=sb.Mean(), resample=sb.Resample("item"))
    assert found[0].value == pytest.approx(1 / 6)


def test_several_rewards_must_be_chosen_from_and_a_missing_key_is_0(tmp_path):
    trials = [harbor_trial("a", {"tests": 1.0, "style": 0.5}), harbor_trial("b", {"tests": 1.0})]
    scores = read(job(tmp_path, *trials, harbor_trial("c", None)))
    assert scores.metrics == ("style", "tests")
    with pytest.raises(ScoresError, match=r"2 metrics: 'style' \(3 rows\), 'tests' \(3 rows\)"):
        scores.cuts()
    assert mean(scores.select(metric="tests")) == pytest.approx(2 / 3)
    assert mean(scores.select(metric="style")) == pytest.approx(0.5 / 3)


def test_local_tasks_pair_whatever_their_folder_is_called(tmp_path):
    for name, source, reward in (("x", "bench-modal-_2ay", 1.0), ("y", "bench-modal-_9zz", 0.0)):
        agent = {"name": name, "version": "1", "model_info": {"name": "m", "provider": None}}
        more = {"id": name, "agent_info": agent, "task_id": {"path": f"/scratch/{source}/a"}, "source": source}
        job(tmp_path / name, harbor_trial("a", {"reward": reward}, **more))
    scores = read(tmp_path)
    assert (scores.models, scores.tasks) == (("x+m", "y+m"), ())
    assert sb.compare(scores, "x+m", "y+m").n_shared == 1


def test_the_organisation_of_a_registry_is_no_part_of_the_item(tmp_path):
    agent = {"name": "x", "version": "1", "model_info": None}
    job(tmp_path, harbor_trial("org/a", {"reward": 1.0}, agent_info=agent) | {"trial_name": "a__1"})
    job(tmp_path, harbor_trial("a", {"reward": 0.0}))
    assert read(tmp_path)._state.rows.counts("item") == {"a": 2}


def test_two_organisations_of_one_name_stay_apart(tmp_path):
    for name in ("p/a", "q/a"):
        job(tmp_path, harbor_trial(name, {"reward": 1.0}) | {"trial_name": f"{name[0]}__1", "id": name[0]})
    assert read(tmp_path)._state.rows.counts("item") == {"p/a": 1, "q/a": 1}


def test_what_an_agent_left_behind_is_no_table(tmp_path):
    job(tmp_path, harbor_trial("a", {"reward": 1.0}))
    for name in ("x", "y"):
        (tmp_path / f"{name}.csv").write_text("model,item,score\nA,1,0\n")
    scores = read(tmp_path)
    assert scores.models == (MODEL,)
    assert (
        "x.csv was skipped: it is a table met among files of harbor; name it to read it (and so for 1 more)"
        in notes(scores)
    )
    assert read([tmp_path / "x.csv", tmp_path]).models == ("A", MODEL)


def test_an_agent_without_a_model_is_its_own_name(tmp_path):
    agent = {"name": "oracle", "version": "1", "model_info": None}
    assert read(job(tmp_path, harbor_trial("a", {"reward": 1.0}, agent_info=agent))).models == ("oracle",)


def test_an_agent_that_did_not_tell_its_model_has_that_of_the_settings(tmp_path):
    agent = {"name": "cc", "version": "1", "model_info": None}
    for model in ("gpt-5", "anthropic/opus"):
        config = {"agent": {"name": "cc", "model_name": model}}
        trials = [
            harbor_trial(
                task, {"reward": float(model != "gpt-5" or task == "a")}, model, agent_info=agent, config=config
            )
            for task in ("a", "b")
        ]
        job(tmp_path / model.replace("/", "-"), *trials)
    scores = read(tmp_path)
    assert scores.models == ("cc+anthropic/opus", "cc+gpt-5")
    assert [cut.sample.score.mean() for cut in scores.cuts().cuts] == [1.0, 0.5]


def test_a_job_that_speaks_of_other_trials_is_noted(tmp_path):
    trials = [harbor_trial("a", {"reward": 1.0}), harbor_trial("b", {"reward": 0.0})]
    assert "speaks of 5 trials, 2 lie below it" in notes(read(job(tmp_path / "x", *trials, total=5)))
    assert "header-disagrees" not in notes(read(job(tmp_path / "y", *trials, total=2)))


def test_a_newer_version_is_said(tmp_path):
    scores = read(job(tmp_path, harbor_trial("a", {"reward": 1.0}, schema_version=2)))
    assert "says that it is a trial of Harbor of version 2, and up to 1 is known" in notes(scores)


def test_a_job_alone_is_refused(tmp_path):
    job(tmp_path, harbor_trial("a", {"reward": 1.0}), total=1)
    with pytest.raises(ReadError, match=r"is the result of a Harbor job, averages of its trials"):
        read(tmp_path / "result.json")


def test_a_copied_trial_counts_once(tmp_path):
    trial = harbor_trial("a", {"reward": 1.0})
    job(tmp_path / "x", trial)
    job(tmp_path / "y", trial)
    scores = read(tmp_path)
    assert scores._state.rows.counts("item") == {"a": 1}
    assert "it is a copy of" in notes(scores)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ({"verifier_result": {"rewards": {"reward": "1"}}}, "'verifier_result': 'rewards': 'reward' is text"),
        ({"agent_info": None}, "'agent_info' has no 'name'"),
        ({"exception_info": "boom"}, "'exception_info' is text, not an object"),
    ],
)
def test_a_field_of_another_type_names_it(tmp_path, damage, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(job(tmp_path, harbor_trial("a", {"reward": 1.0}) | damage))


def test_a_trial_folder_without_a_result_is_a_missing_attempt(tmp_path):
    folder = job(tmp_path / "j", harbor_trial("a", {"reward": 1.0}), harbor_trial("b", {"reward": 1.0}), total=5)
    (folder / "b__Ab3dE5g").mkdir()
    (folder / "c__1" / "agent").mkdir(parents=True)
    empty = folder / "a__Zz9yX8w" / "result.json"
    empty.parent.mkdir()
    empty.write_text("\n")
    (folder / "notes").mkdir()
    scores = read(tmp_path)
    assert scores._state.rows.counts("item") == {"a": 2, "b": 2, "c": 1}
    assert (mean(scores), mean(scores, on_error="drop")) == (2 / 5, 1.0)
    said = notes(scores)
    assert "partial-log" in said
    assert "3 trials have no result, or an empty one (a__Zz9yX8w, b__Ab3dE5g, c__1 in" in said
    assert "header-disagrees" not in said
    assert "skipped-file" not in said


def test_trials_beside_those_that_were_chosen_are_not_missed(tmp_path):
    folder = job(tmp_path, harbor_trial("a", {"reward": 1.0}), harbor_trial("b", {"reward": 1.0}))
    (folder / "c__Ab3dE5g").mkdir()
    assert set(read(str(folder / "a__*" / "result.json"))._state.rows.counts("item")) == {"a"}
    assert set(read(folder / "a__1-a-1" / "result.json")._state.rows.counts("item")) == {"a"}
    assert set(read(folder / "a__1-a-1")._state.rows.counts("item")) == {"a"}
    assert set(read(folder)._state.rows.counts("item")) == {"a", "b", "c"}


def test_the_configuration_says_whose_and_what_a_trial_was(tmp_path):
    agents = {name: {"name": name, "version": "1", "model_info": {"name": "m", "provider": "p"}} for name in "xy"}
    long = "a-task-of-a-name-that-is-longer-than-thirty-two"
    trials = [harbor_trial(long, {"reward": 1.0}, agent_info=agents[name], id=name) for name in "xy"]
    folder = job(tmp_path, *trials)
    lost = folder / f"{long[:32]}__Ab3dE5g"
    lost.mkdir()
    with pytest.raises(ReadError, match=r"__Ab3dE5g is a trial of Harbor without a result .* of which of 2 models"):
        read(folder)
    config = {"task": {"path": f"tasks/{long}"}, "trial_name": lost.name, "agent": {"name": "y", "model_name": "p/m"}}
    (lost / "config.json").write_text(json.dumps(config))
    table = read(folder).with_options(on_error="wrong").tidy()
    assert sorted(zip(table["model"], table["item"], table["score"], strict=True)) == [
        *(("x+p/m", long, 1.0), ("y+p/m", long, 0.0), ("y+p/m", long, 1.0))
    ]


def test_a_task_whose_name_is_cut_off_is_the_task_that_others_have(tmp_path):
    long = "a-task-of-a-name-that-is-longer-than-thirty-two"
    folder = job(tmp_path, harbor_trial(f"org/{long}", {"reward": 1.0}) | {"trial_name": "x"})
    (folder / f"{long[:32]}__Ab3dE5g").mkdir()
    assert read(folder)._state.rows.counts("item") == {long: 2}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            json.dumps(harbor_trial("b", {"reward": 1.0}))[:-9],
            r"result.json is not valid JSON: it is truncated in line 1",
        ),
        ('{"id": "b",\n "task_na', r"result.json is not valid JSON: it is truncated in line 2, column 2"),
        ('{"score": 1, "model": "m", "it', r"result.json is not valid JSON: it is truncated in line 1"),
        ("Killed\n", r"result.json is not valid JSON: expecting value in line 1, column 1"),
    ],
)
def test_a_result_that_was_not_written_whole_is_refused(tmp_path, content, sentence):
    folder = job(tmp_path, harbor_trial("a", {"reward": 1.0}))
    (folder / "b__Ab3dE5g").mkdir()
    (folder / "b__Ab3dE5g" / "result.json").write_text(content)
    with pytest.raises(ReadError, match=sentence):
        read(folder)


def test_the_doctor_counts_attempts_that_count_as_wrong_once(tmp_path):
    folder = job(
        tmp_path, harbor_trial("a", {"reward": 1.0}), harbor_trial("b", {"reward": 0.0}), harbor_trial("c", None)
    )
    [holding] = sb.doctor(read(folder)).holdings
    assert (holding.n_attempts, holding.n_missing) == (2, 1)
