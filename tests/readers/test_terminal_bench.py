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
    assert "n_resolved says 2, 1 of its trials are resolved" in notes(read(write(tmp_path / "results.json", content)))


def test_metadata_alone_are_refused(tmp_path):
    path = write(tmp_path / "run_metadata.json", terminal_metadata("m"))
    with pytest.raises(ReadError, match=r"describes a run of Terminal-Bench; read the results.json beside it"):
        read(path)


def test_a_field_of_another_type_names_the_record(tmp_path):
    path = write(tmp_path / "results.json", terminal_run([trial("a", True), trial("b", False) | {"is_resolved": "no"}]))
    with pytest.raises(ReadError, match=r"results.json: 'results': record 2: 'is_resolved' is text, not a number"):
        read(path)
