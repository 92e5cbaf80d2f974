from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorebars.contracts import Part
from scorebars.errors import ScoresError
from scorebars.scores import Scores

RUNS = ("model", "item", "run", "score")


def codes(cuts):
    return [note.code for note in cuts.notes]


def part(path, **rows):
    columns = {}
    for role, cells in rows.items():
        columns[role] = np.empty(len(cells), dtype=object)
        columns[role][:] = list(cells)
    return Part(Path(path), "table", columns)


def test_equal_scores_of_one_attempt_are_kept_once(table):
    cuts = table([("a", "q", "1", 1), ("a", "q", "1", 1), ("a", "q", "2", 0), ("a", "q", "1", 1)], RUNS).cuts()

    np.testing.assert_array_equal(cuts.cuts[0].sample.score, [1.0, 0.0])
    assert cuts.cuts[0].dropped == (("repeat of another row", 2),)
    assert codes(cuts) == ["duplicate-attempts"]
    assert "2 rows too many, with an attempt that another row has" in cuts.notes[0].message


def test_different_scores_of_one_attempt_are_refused_with_both(table):
    rows = [("a", "p", "1", 1), ("a", "q", "1", 1), ("a", "q", "1", 0)]

    with pytest.raises(ScoresError, match=r"model 'a', item 'q', run '1' is there twice .* 1 and 0 \(rows 2 and 3\)"):
        table(rows, RUNS).cuts()


@pytest.mark.parametrize(("which", "score"), [("first", 1.0), ("last", 0.25)])
def test_the_caller_says_which_of_different_scores_counts(table, which, score):
    rows = [("a", "p", "1", 1), ("a", "q", "1", 1), ("b", "q", "1", 0), ("a", "q", "1", 0), ("a", "q", "1", 0.25)]

    cuts = table(rows, RUNS).with_options(duplicates=which).cuts()

    np.testing.assert_array_equal(cuts.cuts[0].sample.score, [1.0, score])
    assert f"the {which} of each is kept" in cuts.notes[0].message


def test_an_attempt_with_and_without_a_score_is_a_conflict(table):
    with pytest.raises(ScoresError, match="none and 1"):
        table([("a", "q", "1", None), ("a", "q", "1", 1)], RUNS).cuts()


def test_repeats_without_run_ids_are_runs_in_file_order(table):
    rows = [("a", "q", 0.1), ("a", "p", 1), ("a", "q", 0.3), ("b", "q", 1), ("a", "q", 0.2)]

    cuts = table(rows).cuts()

    sample = cuts.cuts[0].sample
    np.testing.assert_array_equal(sample.score, [1.0, 0.1, 0.3, 0.2])
    np.testing.assert_array_equal(sample.run, [0, 0, 1, 2])
    assert codes(cuts) == ["repeats-as-runs"]
    assert "1 item in several rows without a run column" in cuts.notes[0].message


def test_equal_repeats_without_run_ids_are_still_runs(table):
    cuts = table([("a", "q", 1), ("a", "q", 1), ("a", "q", 0)]).cuts()

    assert cuts.cuts[0].sample.n_attempts == 3


def test_rows_that_are_equal_byte_for_byte_are_copies_where_all_repeats_are():
    rows = {"model": "aaaa", "item": "pqpq", "score": [1.0, 0.0, 1.0, 0.0], "row_hash": ["x", "y", "x", "y"]}

    cuts = Scores.from_parts([part("f.csv", **rows)]).cuts()

    assert cuts.cuts[0].sample.n_attempts == 2
    assert codes(cuts) == ["duplicate-attempts"]
    assert "byte for byte" in cuts.notes[0].message


def test_equal_rows_among_repeats_that_differ_are_runs():
    rows = {"model": "aaa", "item": "qqq", "score": [1.0, 0.0, 1.0], "row_hash": ["x", "y", "x"]}

    cuts = Scores.from_parts([part("f.csv", **rows)]).cuts()

    assert cuts.cuts[0].sample.n_attempts == 3
    assert codes(cuts) == ["repeats-as-runs"]


@pytest.mark.parametrize("with_runs", [True, False])
def test_two_files_with_the_same_attempts_are_refused(with_runs):
    run = {"run": ["1", "1"]} if with_runs else {}
    parts = [part(name, model="aa", item="pq", score=[1.0, 0.0], **run) for name in ("base.csv", "new.csv")]

    with pytest.raises(ScoresError, match=r"base.csv and new.csv both have model 'a', item 'p'.* \(2 att.*--label"):
        Scores.from_parts(parts).cuts()


def placed(path, **rows):
    return replace(part(path, **rows), items_by_place=True)


def test_one_model_by_place_in_one_file_and_by_ids_in_another_is_not_added_up():
    lists = placed("lists.json", model="ab", item="11", score=[1.0, 0.0])
    shards = [
        part(name, model="aa", item=items, score=[1.0, 0.0]) for name, items in (("t.csv", "pq"), ("u.csv", "rs"))
    ]

    with pytest.raises(ScoresError, match=r"'a' is in lists.json, whose items are places in it, and in t.csv, whose"):
        Scores.from_parts([lists, *shards]).cuts()

    assert len(Scores.from_parts(shards).cuts().cuts[0].sample.item) == 4
    other = placed("lists.json", model="bc", item="11", score=[1.0, 0.0])
    assert len(Scores.from_parts([other, *shards]).cuts().cuts) == 3
    of_tasks = [replace(one, rows={**one.rows, "task": np.array([task] * 2, dtype=object)})
                for one, task in ((lists, "s"), (shards[0], "t"))]  # fmt: skip
    assert len(Scores.from_parts(of_tasks).cuts().cuts) == 2


def test_two_files_with_other_items_runs_or_models_go_together():
    parts = [
        part("one.csv", model="a", item="p", run="1", score=[1.0]),
        part("two.csv", model="a", item="p", run="2", score=[0.0]),
        part("three.csv", model="b", item="p", run="1", score=[0.0]),
        part("four.csv", model="a", item="q", score=[0.0]),
    ]

    cuts = Scores.from_parts(parts).cuts()

    assert [cut.sample.score.tolist() for cut in cuts.cuts] == [[1.0, 0.0, 0.0], [0.0]]
    assert cuts.notes == ()


def test_the_order_of_rows_does_not_matter_where_runs_have_ids(table):
    rng = np.random.default_rng(1)
    rows = [(m, f"i{i}", str(r), rng.random()) for m in "ab" for i in range(12) for r in range(11)]
    shuffled = [rows[index] for index in rng.permutation(len(rows))]

    for one, other in zip(table(rows, RUNS).cuts().cuts, table(shuffled, RUNS).cuts().cuts, strict=True):
        np.testing.assert_array_equal(one.sample.score, other.sample.score)
        np.testing.assert_array_equal(one.sample.item, other.sample.item)
        np.testing.assert_array_equal(one.sample.run, other.sample.run)
