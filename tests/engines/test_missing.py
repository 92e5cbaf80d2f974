from pathlib import Path

import numpy as np
import pytest

from scorebars.contracts import Part
from scorebars.engines.missing import macro_mean
from scorebars.errors import ArgumentError, ScoresError
from scorebars.scores import Scores

ROWS = [("a", "p", 1), ("a", "q", None), ("a", "r", 0), ("a", "s", 1)]
STATUS = ("model", "item", "score", "status")


def only(cuts):
    (cut,) = cuts.cuts
    return cut


def test_plain_tables_drop_and_say_both_rates(table):
    cut = only(table(ROWS).cuts())

    np.testing.assert_array_equal(cut.sample.score, [1.0, 0.0, 1.0])
    assert cut.dropped == (("no score", 1),)
    assert [note.code for note in cut.notes] == ["missing-scores"]
    assert "1 of 4 attempts without a score, dropped (50.0 % if counted wrong, 66.7 % if dropped)" in str(cut.notes[0])


def test_wrong_is_zero_for_scores_between_0_and_1(table):
    cut = only(table(ROWS).with_options(on_error="wrong").cuts())

    np.testing.assert_array_equal(cut.sample.score, [1.0, 0.0, 0.0, 1.0])
    assert cut.dropped == ()
    assert "counted wrong" in cut.notes[0].message


def test_wrong_is_the_lowest_score_of_a_known_range(table):
    rows = [("a", "p", 7), ("a", "q", None)]

    cut = only(table(rows, range=(1, 10)).with_options(on_error="wrong").cuts())

    np.testing.assert_array_equal(cut.sample.score, [7.0, 1.0])


def test_wrong_without_a_range_is_refused_for_other_scores(table):
    with pytest.raises(ScoresError, match=r"give it \(range=\(LOW, HIGH\)\)"):
        table([("a", "p", 7), ("a", "q", None)]).with_options(on_error="wrong").cuts()


def test_rates_of_other_scores_are_in_their_own_unit(table):
    cut = only(table([("a", "p", 7), ("a", "q", None)], range=(1, 10)).cuts())

    assert "1 of 2 attempts without a score, dropped (4 if counted wrong, 7 if dropped)" in cut.notes[0].message


def test_fail_names_the_first_and_how_many(table):
    with pytest.raises(ScoresError, match="1 of 4 attempts have no score, first model 'a', item 'q'"):
        table(ROWS).with_options(on_error="fail").cuts()


def test_an_error_that_has_a_score_keeps_it(table):
    rows = [("a", "p", 1, "ok"), ("a", "q", 0.5, "error"), ("a", "r", None, "error")]

    cut = only(table(rows, STATUS).cuts())

    np.testing.assert_array_equal(cut.sample.score, [1.0, 0.5])
    assert [note.code for note in cut.notes] == ["error-rows"]
    assert "0.5 if counted wrong, 0.75 if dropped" in cut.notes[0].message


def test_errors_and_empty_cells_have_a_note_each(table):
    rows = [("a", "p", 1, "ok"), ("a", "q", None, "ok"), ("a", "r", None, "Timeout")]

    cut = only(table(rows, STATUS).cuts())

    assert [note.code for note in cut.notes] == ["error-rows", "missing-scores"]
    assert "; with 1 more without a score: 33.3 % if counted wrong, 100.0 % if dropped" in cut.notes[0].message  # 1 / 3
    assert "(with 1 in error: 33.3 % if counted wrong, 100.0 % if dropped)" in cut.notes[1].message


@pytest.mark.parametrize(("rule", "scores"), [("wrong", [0.0, 1.0]), ("drop", [1.0])])
def test_the_default_is_the_rule_of_each_file(rule, scores):
    rows = {
        "model": np.array(["a"] * 3, dtype=object),
        "item": np.array(["p", "q", "r"], dtype=object),
        "score": np.array([np.nan, 1.0, np.nan]),
        "status": np.array(["error", "ok", "unscored"], dtype=object),
    }

    cut = only(Scores.from_parts([Part(Path("f"), "x", rows, on_error=rule)]).cuts())

    np.testing.assert_array_equal(cut.sample.score, scores)


def test_files_with_different_rules_keep_them():
    def rows(model):
        return {
            "model": np.array([model] * 2, dtype=object),
            "item": np.array(["p", "q"], dtype=object),
            "score": np.array([1.0, np.nan]),
        }

    parts = [Part(Path("a"), "x", rows("a"), on_error="wrong"), Part(Path("b"), "x", rows("b"), on_error="drop")]

    cuts = Scores.from_parts(parts).cuts().cuts

    assert [cut.sample.score.tolist() for cut in cuts] == [[1.0, 0.0], [1.0]]


def test_no_score_at_all_is_refused(table):
    with pytest.raises(ScoresError, match="none of the 2 attempts has a score"):
        table([("a", "p", None), ("a", "q", "")]).cuts()


def test_a_model_without_a_score_is_refused_by_name(table):
    with pytest.raises(ScoresError, match="model 'b' has no score"):
        table([("a", "p", 1), ("b", "q", None)]).cuts()


def test_the_model_counts_as_wrong_where_the_caller_says_so(table):
    cuts = table([("a", "p", 1), ("b", "q", None)]).with_options(on_error="wrong").cuts()

    assert [cut.sample.score.tolist() for cut in cuts.cuts] == [[1.0], [0.0]]


def test_the_rates_are_means_over_tasks_of_means_over_items():
    task, unit = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 2])

    assert macro_mean(task, unit, np.array([1.0, 0.0, 1.0, 0.0])) == (0.75 + 0.0) / 2


def test_an_unknown_policy_is_refused(table):
    with pytest.raises(ArgumentError, match="on_error='ignore' is none of"):
        table(ROWS).with_options(on_error="ignore")


def test_attempts_that_all_failed_count_as_wrong_where_that_is_asked():
    columns = {"item": [1, 2, 3], "score": [np.nan] * 3, "status": ["TimeoutError", "error", "error"]}
    with pytest.raises(
        ScoresError,
        match=r"3 attempts has a score: all ended in an error.*with_options\(on_error='wrong'\), range=\(0, 1\)",
    ):
        Scores(columns).cuts()
    with pytest.raises(ScoresError, match=r"has a score: all ended in an error.*\(with_options\(on_error='wrong'\)\)"):
        Scores(columns, range=(0, 1)).cuts()
    (cut,) = Scores(columns, range=(0, 1)).with_options(on_error="wrong").cuts().cuts
    assert cut.sample.score.tolist() == [0, 0, 0]
    assert "3 attempts ended in an error without a score, counted wrong" in str(cut.notes[0])
