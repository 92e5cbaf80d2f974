"""Several results of one model and task: refused with both dates, or the newest, or all of them as runs."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.readers.inspect_by_hand import sample, write_eval
from tests.readers.lm_eval_by_hand import line, write_results, write_samples

from scorebars.cli.main import main
from scorebars.errors import ArgumentError, ReadError, ScoresError
from scorebars.readers.read import read


def log(path, values, created, **options):
    """A log of that date; ``values`` are the marks of its items."""
    samples = [sample(i, s=value) for i, value in enumerate(values)]
    return write_eval(path, samples, created=created, **options)


@pytest.fixture
def folder(tmp_path):
    """Three runs of one model, whose dates are in three zones and not in the order of the names, and another model."""
    log(tmp_path / "a.eval", "CCCC", "2026-01-02T00:30:00+02:00")
    log(tmp_path / "b.eval", "IICC", "2026-01-02T00:00:00Z")
    log(tmp_path / "c.eval", "IIIC", "2026-01-01T23:00:00+00:00")
    log(tmp_path / "d.eval", "CCII", "2026-01-01T00:00:00+00:00", model="other")
    return tmp_path


def rows(scores, *roles):
    table = scores.tidy()
    return sorted(zip(*(table[role].tolist() for role in roles), strict=True))


def test_without_a_choice_both_logs_and_dates_are_named(folder):
    with pytest.raises(ScoresError) as error:
        read(folder).cuts()

    said = str(error.value)
    assert "a.eval (of 2026-01-02T00:30:00+02:00) and " in said
    assert "b.eval (of 2026-01-02T00:00:00Z) both have model 'openai/gpt-4o', task 'sums', item '0', run '1'" in said
    assert all(word in said for word in ("--latest", "--label NAME=PATH", "--repeats-as-runs"))


def test_latest_is_by_moment_not_by_name_or_text(folder):
    scores = read(folder, latest=True)

    assert [score for _, _, score in rows(scores.select(model="openai/gpt-4o"), "item", "run", "score")] == [0, 0, 1, 1]
    assert [score for _, _, score in rows(scores.select(model="other"), "item", "run", "score")] == [1, 1, 0, 0]
    (said,) = [note for note in scores.cuts().notes if note.code == "older-results"]
    assert "b.eval (2026-01-02T00:00:00Z) is the latest of model 'openai/gpt-4o' on task 'sums'" in said.message
    assert "2 older results left out: a.eval (2026-01-02T00:30:00+02:00), c.eval" in said.message


def test_as_runs_are_numbered_by_date(folder):
    scores = read(folder, repeats_as_runs=True)

    found = rows(scores.select(model="openai/gpt-4o"), "item", "run", "score")
    assert [(run, score) for item, run, score in found if item == "0"] == [("1.1", 1.0), ("2.1", 0.0), ("3.1", 0.0)]
    assert len(found) == 12
    assert [run for _, run, _ in rows(scores.select(model="other"), "item", "run", "score")] == ["1"] * 4
    (said,) = [note for note in scores.cuts().notes if note.code == "results-as-runs"]
    assert "3 results of model 'openai/gpt-4o' on task 'sums'" in said.message
    assert "a.eval, c.eval, b.eval" in said.message


def test_logs_of_one_run_that_share_no_attempt_go_together(tmp_path):
    write_eval(tmp_path / "a.eval", [sample(i, s="C") for i in range(3)], created="2026-01-01T00:00:00Z")
    write_eval(tmp_path / "b.eval", [sample(i, s="I") for i in range(3, 5)], created="2026-01-02T00:00:00Z")

    assert [score for (score,) in rows(read(tmp_path), "score")] == [0, 0, 1, 1, 1]


def test_latest_of_tasks_of_their_own(tmp_path):
    log(tmp_path / "a.eval", "C", "2026-01-01T00:00:00Z", task="one")
    log(tmp_path / "b.eval", "I", "2026-01-02T00:00:00Z", task="two")
    scores = read(tmp_path, latest=True)

    assert rows(scores, "task", "score") == [("one", 1.0), ("two", 0.0)]
    assert not [note for note in scores.cuts().notes if note.code == "older-results"]


def test_two_different_logs_of_one_moment_have_no_latest(tmp_path):
    one = log(tmp_path / "a.eval", "C", "2026-01-01T00:00:00Z")
    log(tmp_path / "b.eval", "I", "2026-01-01T00:00:00Z")

    with pytest.raises(
        ReadError, match=r"[ab]\.eval and .*[ab]\.eval hold the same model and task and are both of 2026"
    ):
        read(tmp_path, latest=True)
    shutil.copy(one, tmp_path / "b.eval")
    assert rows(read(tmp_path, latest=True), "score") == [(1.0,)]


def test_date_that_is_none_cannot_be_the_latest(tmp_path):
    log(tmp_path / "a.eval", "C", "yesterday")
    log(tmp_path / "b.eval", "I", "2026-01-01T00:00:00Z")

    with pytest.raises(ScoresError, match="else give one of them"):
        read(tmp_path, latest=True).cuts()


def test_log_without_samples_is_not_the_latest(tmp_path):
    log(tmp_path / "a.eval", "C", "2026-01-01T00:00:00Z")
    log(tmp_path / "b.eval", "", "2026-01-02T00:00:00Z")

    assert rows(read(tmp_path, latest=True), "score") == [(1.0,)]


def test_lm_eval_runs_are_dated_by_their_names(tmp_path):
    for day, value in (("21", 1.0), ("22", 0.0), ("20", 1.0)):
        stamp = f"2026-01-{day}T03-44-18.458309"
        write_results(tmp_path, stamp=stamp)
        write_samples(tmp_path, [line(i, acc=value) for i in range(2)], stamp=stamp)

    with pytest.raises(ScoresError, match=r"of 2026-01-20T03:44:18\.458309\) and .*--latest"):
        read(tmp_path).cuts()
    assert rows(read(tmp_path, latest=True), "score") == [(0.0,), (0.0,)]
    found = rows(read(tmp_path, repeats_as_runs=True), "item", "run", "score")
    assert found == [(item, str(run), float(run < 3)) for item in "01" for run in (1, 2, 3)]


def test_both_answers_at_once_are_refused(folder):
    with pytest.raises(ArgumentError, match="choose one"):
        read(folder, latest=True, repeats_as_runs=True)


def test_tables_have_no_dates(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,score\nA,1,1\n")

    with pytest.raises(ArgumentError, match=r"--latest does nothing for these files.*it is for .*inspect"):
        read(tmp_path / "a.csv", latest=True)


def test_on_the_command_line(folder, capsys):
    assert main(["estimate", str(folder), "--latest", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["model"]: row["value"] for row in found["results"]} == {"openai/gpt-4o": 0.5, "other": 0.5}
    assert main(["estimate", str(folder), "--repeats-as-runs", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["model"]: row["value"] for row in found["results"]} == pytest.approx(
        {"openai/gpt-4o": 7 / 12, "other": 0.5}
    )
    assert main(["estimate", str(folder)]) == 2
    assert "--latest" in capsys.readouterr().err


def notes_of(scores):
    return " ".join(f"{note.code}: {note.message}" for note in scores.cuts().notes)


@pytest.mark.parametrize("status", ["cancelled", "error", "started"])
def test_the_latest_that_finished_counts_before_a_newer_one_that_did_not(tmp_path, status):
    log(tmp_path / "a.eval", "CCCC", "2026-01-01T00:00:00Z")
    log(tmp_path / "b.eval", "CCII", "2026-01-02T00:00:00Z")
    log(tmp_path / "c.eval", "I", "2026-01-03T00:00:00Z", status=status)
    scores = read(tmp_path, latest=True)
    assert sorted(scores.tidy()["score"]) == [0, 0, 1, 1]
    said = notes_of(scores)
    assert "partial-log: b.eval (2026-01-02T00:00:00Z) is the latest finished result of model 'openai/gpt-4o'" in said
    assert f"c.eval (2026-01-03T00:00:00Z) is newer and left out, because the log's status is '{status}'" in said
    assert "1 older result left out: a.eval (2026-01-01T00:00:00Z)" in said


def test_where_none_finished_the_latest_counts_and_says_so(tmp_path):
    log(tmp_path / "a.eval", "CC", "2026-01-01T00:00:00Z", status="error")
    log(tmp_path / "b.eval", "CI", "2026-01-02T00:00:00Z", status="cancelled")
    scores = read(tmp_path, latest=True)
    assert sorted(scores.tidy()["score"]) == [0, 1]
    assert "no result of model 'openai/gpt-4o' on task 'sums' is finished: b.eval (2026-01-02T00:00:00Z)" in notes_of(
        scores
    )


def test_an_older_log_that_did_not_finish_is_no_rival(tmp_path):
    log(tmp_path / "a.eval", "CC", "2026-01-01T00:00:00Z", status="error")
    log(tmp_path / "b.eval", "CI", "2026-01-02T00:00:00Z")
    assert "finished" not in notes_of(read(tmp_path, latest=True))
