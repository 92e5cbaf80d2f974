"""Terminal-Bench 1: what each trap of real files becomes."""

from __future__ import annotations

import json

import pytest
from tests.readers.formats import terminal_metadata, terminal_run, terminal_trial

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def run_of(folder, *trials, model="gpt-5", agent="terminus", metadata=True):
    """A run as ``tb run`` leaves it: its results, and the metadata beside it."""
    if metadata:
        write(folder / "run_metadata.json", terminal_metadata(model, agent))
    return write(folder / "results.json", terminal_run(list(trials)))


def trial(task, resolved, number=1, total=1, run="r", mode="unset"):
    return terminal_trial(task, resolved, mode, f"{number}-of-{total}.{run}")


def mean(scores, **options):
    return float(scores.with_options(**options).cuts().cuts[0].sample.score.mean())


def notes(scores):
    return " ".join(str(note) for note in scores.cuts().notes)


def test_null_counts_as_not_resolved_and_can_be_dropped(tmp_path):
    found = [trial("a", True), trial("b", False), trial("c", None, mode="parse_error"), trial("d", None)]
    scores = read(run_of(tmp_path, *found))
    assert mean(scores) == terminal_run(found)["accuracy"] == 0.25
    assert mean(scores, on_error="drop") == 0.5
    cut = scores.cuts().cuts[0]
    assert "1 attempt ended in an error without a score, counted wrong" in " ".join(map(str, cut.notes))


def test_five_files_of_one_model_are_five_runs(tmp_path):
    for number in range(5):
        run_of(tmp_path / f"run{number}", *(trial(task, number < 3, run=f"r{number}") for task in "abc"))
    scores = read(tmp_path)
    assert scores._state.rows.counts("run") == dict.fromkeys("12345", 3)
    assert sb.estimate(scores, estimator=sb.PassAtK(5))[0].value == 1.0


def test_one_file_of_five_attempts_has_the_same_runs(tmp_path):
    trials = [trial(task, number < 4, number, 5) for task in "abc" for number in range(1, 6)]
    assert read(run_of(tmp_path, *trials))._state.rows.counts("run") == dict.fromkeys("12345", 3)


def test_several_files_of_several_attempts_do_not_collide(tmp_path):
    for run in "pq":
        run_of(tmp_path / run, *(trial("a", True, number, 2, run) for number in (1, 2)))
    assert set(read(tmp_path)._state.rows.counts("run")) == {"1.1", "1.2", "2.1", "2.2"}


def test_a_dot_in_the_task_or_the_run_is_no_attempt(tmp_path):
    names = [trial("eval.hard.2-of-3", True, 1, 1, run="2025.3-of-4"), trial("eval", True, 1, 1)]
    assert read(run_of(tmp_path, *names))._state.rows.counts("run") == {"1": 2}


def test_a_copied_run_counts_once(tmp_path):
    trials = [trial("a", True), trial("b", False)]
    run_of(tmp_path / "run", *trials)
    run_of(tmp_path / "z" / "run", *trials)
    scores = read(tmp_path)
    assert sum(scores._state.rows.counts("item").values()) == 2
    assert "it is a copy: all its trials are in" in notes(scores)


def test_a_trial_with_another_outcome_is_no_copy(tmp_path):
    one, other = trial("a", True), trial("b", False)
    run_of(tmp_path / "run", one, other)
    run_of(tmp_path / "z" / "run", one, other | {"is_resolved": True})
    with pytest.raises(ReadError, match=r"trial '.*' is in .*run.results.json too, with another outcome"):
        read(tmp_path)


def test_trials_of_a_run_that_was_read_add_nothing_and_others_stand_for_it(tmp_path):
    trials = [trial("a", True), trial("b", False)]
    for one in trials:
        write(tmp_path / "run" / one["task_id"] / one["trial_name"] / "results.json", one)
    stopped = read(tmp_path)
    run_of(tmp_path / "run", *trials)
    whole = read(tmp_path)
    assert mean(stopped) == mean(whole) == 0.5
    assert (stopped.models, whole.models) == (("run",), ("terminus+gpt-5",))
    assert sum(whole._state.rows.counts("item").values()) == 2


@pytest.mark.parametrize(
    ("folder", "model", "metadata", "name"),
    [
        ("20250924_droid_gpt-5/tb_1", None, True, "droid_gpt-5"),
        ("20250906_orchestrator_opus", None, True, "orchestrator_opus"),
        ("20250811_cursor-cli_sonnet/run1", "", False, "cursor-cli_sonnet"),
        ("20250711_openhands_sonnet/run", "anthropic/sonnet", True, "terminus+anthropic/sonnet"),
        ("2025-08-10__05-27-18", None, True, "2025-08-10__05-27-18"),
    ],
)
def test_where_the_model_is_named(tmp_path, folder, model, metadata, name):
    path = run_of(tmp_path / folder, trial("a", True), model=model, metadata=metadata)
    assert read(path).models == (name,)
    assert read(tmp_path).models == (name,)


def test_the_model_may_be_called_model(tmp_path):
    for name in ("gpt-5", "sonnet"):
        run_of(tmp_path / name, trial("a", name == "gpt-5", run=name), metadata=False)
        write(tmp_path / name / "run_metadata.json", {"agent_name": "droid", "model": name, "n_concurrent_trials": 4})
    scores = read(tmp_path)
    assert scores.models == ("droid+gpt-5", "droid+sonnet")
    assert not any(note.code == "skipped-file" for note in scores.cuts().notes)


def test_an_agent_alone_never_joins_two_models(tmp_path):
    run_of(tmp_path / "x", trial("a", True, run="x"), model=None)
    run_of(tmp_path / "y", trial("a", False, run="y"), model=None)
    assert read(tmp_path).models == ("x", "y")


def test_several_results_in_one_folder_are_several_runs(tmp_path):
    home = tmp_path / "20250829_goose_opus"
    for stamp in ("2025-08-27", "2025-08-29"):
        write(home / f"{stamp}_results.json", terminal_run([trial("a", True, run=stamp)]))
    scores = read(home)
    assert (scores.models, scores._state.rows.counts("run")) == (("goose_opus",), {"1": 1, "2": 1})


def test_a_run_that_mostly_crashed_is_noted(tmp_path):
    crashed = [trial(f"x{n}", False, mode="unknown_agent_error") for n in range(3)]
    scores = read(run_of(tmp_path, *crashed, trial("a", True), trial("b", False, mode="agent_timeout")))
    assert "3 of 5 attempts crashed (unknown_agent_error 3)" in notes(scores)
    assert mean(scores, on_error="drop") == 0.2  # a verdict is a verdict


def test_timeouts_alone_are_not_noted(tmp_path):
    scores = read(run_of(tmp_path, trial("a", True), trial("b", False, mode="agent_timeout")))
    assert "failed-attempts" not in notes(scores)


def test_a_count_that_disagrees_is_noted(tmp_path):
    content = terminal_run([trial("a", True), trial("b", False)]) | {"n_resolved": 2}
    assert "n_resolved is given as 2, and its rows give 1" in notes(read(write(tmp_path / "results.json", content)))


def test_metadata_alone_are_refused(tmp_path):
    path = write(tmp_path / "run_metadata.json", terminal_metadata("m"))
    with pytest.raises(ReadError, match=r"describes a run of Terminal-Bench; read the results.json beside it"):
        read(path)


def test_a_field_of_another_type_names_the_record(tmp_path):
    path = write(tmp_path / "results.json", terminal_run([trial("a", True), trial("b", False) | {"is_resolved": "no"}]))
    with pytest.raises(ReadError, match=r"results.json: 'results': record 2: 'is_resolved' is text; it must be true"):
        read(path)


@pytest.mark.parametrize("value", [0.5, 2, -1, [], "true"])
def test_a_verdict_is_true_or_false(tmp_path, value):
    path = write(tmp_path / "results.json", terminal_run([trial("a", True) | {"is_resolved": value}]))
    with pytest.raises(ReadError, match=r"record 1: 'is_resolved' is .*; it must be true, false or null"):
        read(path)


def test_a_copied_run_without_ids_counts_once_and_a_run_that_is_like_another_counts(tmp_path):
    trials = [{key: value for key, value in trial(task, True).items() if key != "id"} for task in "ab"]
    run_of(tmp_path / "run", *trials)
    run_of(tmp_path / "z" / "run", *trials)
    run_of(tmp_path / "other", trials[0], trials[1] | {"is_resolved": False})
    scores = read(tmp_path)
    assert sum(scores._state.rows.counts("item").values()) == 4
    assert "it is a copy: all its trials are in" in notes(scores)


def below_run(folder, *trials):
    for one in trials:
        write(folder / one["task_id"] / one["trial_name"] / "results.json", one)


@pytest.mark.parametrize("aggregated", [True, False])
def test_a_trial_folder_without_a_result_is_a_missing_attempt(tmp_path, aggregated):
    trials = [trial("a", True), trial("b", True)]
    below_run(tmp_path / "run", *trials)
    if aggregated:
        run_of(tmp_path / "run", *trials)
    (tmp_path / "run" / "c" / "c.1-of-1.r" / "sessions").mkdir(parents=True)
    empty = tmp_path / "run" / "d" / "d.1-of-1.r" / "results.json"
    empty.parent.mkdir(parents=True)
    empty.touch()
    scores = read(tmp_path)
    assert scores._state.rows.counts("item") == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert (mean(scores), mean(scores, on_error="drop")) == (0.5, 1.0)
    assert "2 trials have no result, or an empty one (c.1-of-1.r, d.1-of-1.r)" in notes(scores)
    assert "skipped-file" not in notes(scores)
    empty.write_text('{"id": ')
    with pytest.raises(ReadError, match=r"d.1-of-1.r/results.json is not valid JSON: it is truncated in line 1"):
        read(tmp_path)


def test_a_trial_that_the_run_does_not_list_is_said(tmp_path):
    below_run(tmp_path / "run", trial("a", True), trial("b", False))
    run_of(tmp_path / "run", trial("a", True))
    scores = read(tmp_path)
    assert mean(scores) == 1.0
    assert "1 of the trials below have a result that it does not list (b.1-of-1.r)" in notes(scores)


def test_attempts_that_were_never_begun_are_said_and_do_not_count(tmp_path):
    path = run_of(tmp_path, *(trial("a", True, number, 2) for number in (1, 2)), trial("b", True, 1, 2))
    planned = terminal_metadata("gpt-5") | {"n_attempts": 2, "dataset_size": 3, "task_ids": ["a", "b", "c"]}
    write(tmp_path / "run_metadata.json", planned)
    scores = read(path)
    said = "the run was to have 6 attempts (3 × 2), 3 are there"
    assert f"{said}; no trial of task c; task b lacks trial 2; only those count" in notes(scores)
    assert mean(scores) == 1.0
    write(tmp_path / "run_metadata.json", planned | {"task_ids": None})
    assert f"{said}; only those count" in notes(read(path))
    write(tmp_path / "run_metadata.json", planned | {"task_ids": ["a"]})
    assert "header-disagrees" not in notes(read(path))


def test_the_empty_results_of_a_run_are_refused(tmp_path):
    run_of(tmp_path / "x", trial("a", True))
    run_of(tmp_path / "y").write_text("")
    with pytest.raises(ReadError, match=r"y/results.json is empty: nothing of its run was written; run it again"):
        read(tmp_path)


def test_the_empty_results_of_a_run_whose_trials_have_theirs_point_at_those(tmp_path):
    run_of(tmp_path / "x").write_text("")
    for task in ("a", "b"):
        path = tmp_path / "x" / task / f"{task}.1-of-1.x"
        path.mkdir(parents=True)
        write(path / "results.json", trial(task, task == "a"))
    said = r"x/results.json is empty: nothing .* but the results of 2 trials below it; remove the file to read those"
    with pytest.raises(ReadError, match=said):
        read(tmp_path)
    (tmp_path / "x" / "results.json").unlink()
    assert mean(read(tmp_path)) == 0.5


@pytest.mark.parametrize("data", [b'{"res', bytes(300), b"[1, 2"])
def test_damaged_results_of_a_run_below_another_run_are_not_held_by_that(tmp_path, data):
    run_of(tmp_path, trial("a", True), trial("b", False))
    path = run_of(tmp_path / "again", trial("a", True), trial("b", False))
    path.write_bytes(data)
    with pytest.raises(ReadError, match=r"again/results.json is not valid JSON"):
        read(tmp_path)
