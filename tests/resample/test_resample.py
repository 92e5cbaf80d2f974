"""Naming levels, the default, and the question in words."""

import pytest
from tests.resample.reference import plain, sample_of

from scorebars.errors import ArgumentError
from scorebars.resample import Resample, default_levels, question


def test_levels_are_kept_from_the_top_down():
    assert Resample("run", "task").levels == ("task", "run")
    assert Resample("run", "task") == Resample("task", "run")
    assert Resample("item").top == "item"


@pytest.mark.parametrize(
    ("levels", "options", "message"),
    [
        (("itm",), {}, "there is no level 'itm' to redraw; did you mean 'item'"),
        ((), {}, "name one or more different levels"),
        (("item", "item"), {}, "name one or more different levels"),
        (("item",), {"paired": True}, "'run' must be among"),
    ],
)
def test_bad_levels_get_one_sentence(levels, options, message):
    with pytest.raises(ArgumentError, match=message):
        Resample(*levels, **options)


MANY = {f"t{i}": {"": {f"i{i}": [float(i % 2)]}} for i in range(6)}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (plain(1, 0, 1), ("item",)),
        (plain(1), ("item",)),
        ({"t": {"a": {"1": [1.0]}, "b": {"2": [0.0]}}}, ("cluster",)),
        ({"t": {"": {"1": [1.0, 0.0]}}}, ("run",)),
        ({"a": {"": {"1": [1.0, 0.0]}}, "b": {"": {"2": [1.0, 0.0]}}}, ("run",)),
        (MANY, ("task",)),
        ({k: MANY[k] for k in ("t0", "t1", "t2")}, ()),
    ],
)
def test_default_follows_what_the_table_has(table, expected):
    assert default_levels(sample_of(table)) == expected


def test_questions_are_sentences():
    assert question(("item",)) == "What would the score be on other items of the same kind, each attempted afresh?"
    assert "the difference" in question(("run",), "the difference")
    assert "two-stage" in question(("item", "run"))
    assert (
        question(("run",), crossed_runs=True)
        == "What would the score be with other runs, such as training seeds or judges, on the same items?"
    )
    assert question(()).startswith("None: nothing can be redrawn")
