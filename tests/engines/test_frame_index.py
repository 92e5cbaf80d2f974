"""The index of a pandas frame is read as columns where it has names, and asked about where it may hold ids."""

from __future__ import annotations

import pandas as pd
import pytest

from scorebars.analysis.compare import compare
from scorebars.errors import ScoresError
from scorebars.scores import Scores

ROWS = [("a", f"q{n}", n % 3 > 0) for n in range(30)] + [("b", f"q{n}", n % 2) for n in reversed(range(30))]
FRAME = pd.DataFrame(ROWS, columns=["model", "question_id", "correct"]).astype({"correct": int})


@pytest.mark.parametrize("index", ["question_id", ["question_id"], ["model", "question_id"], "model"])
def test_named_levels_are_columns(index):
    indexed = FRAME.set_index(index)
    found, plain = (compare(Scores(frame), "a", "b") for frame in (indexed, FRAME))

    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)
    assert found.to_json() == plain.to_json()
    assert [*indexed.columns] == [name for name in FRAME.columns if name not in indexed.index.names]


def test_a_column_goes_before_a_level_of_its_name():
    frame = FRAME.set_index("question_id", drop=False)
    frame.index = frame.index[::-1]

    assert compare(Scores(frame), "a", "b").to_json() == compare(Scores(FRAME), "a", "b").to_json()


def test_a_named_level_may_be_named_as_a_role():
    frame = FRAME.rename(columns={"question_id": "which"}).set_index("which")

    assert dict(Scores(frame, item="which").columns)["item"] == "which"


def test_an_index_of_row_numbers_says_nothing():
    cut = FRAME[FRAME["question_id"] != "q3"]

    assert cut.index.tolist() != list(range(len(cut)))
    assert Scores(cut).columns == Scores(cut.reset_index(drop=True)).columns


def test_two_levels_of_one_name_are_refused():
    frame = FRAME.set_index(["model", "question_id"]).rename_axis(["id", "id"])

    with pytest.raises(ScoresError, match="two levels of the index are called 'id'; give each a name of its own"):
        Scores(frame)


UNNAMED = {
    "item": (FRAME.set_index("question_id").rename_axis(None), "the item: .*rename_axis\\('item'\\)"),
    "model": (FRAME.set_index("model").rename_axis(None), "the model: .*rename_axis\\('model'\\)"),
    "both": (
        FRAME.set_index(["model", "question_id"]).rename_axis([None, None]),
        "the model: .*rename_axis\\(\\['model', 'item'\\]\\)",
    ),
    "keys": (
        pd.concat({model: rows.drop(columns="model") for model, rows in FRAME.groupby("model")}),
        "level 0 of the frame's index \\('a' …\\).*the model: .*rename_axis\\(\\['model', None\\]\\)",
    ),
}


@pytest.mark.parametrize(("frame", "told"), UNNAMED.values(), ids=UNNAMED)
def test_texts_of_an_index_without_a_name_are_asked_about(frame, told):
    with pytest.raises(ScoresError, match=told) as refused:
        Scores(frame)

    typed = str(refused.value).split("(frame.rename_axis(")[1].split("))")[0]
    renamed = frame.rename_axis(eval(typed))  # noqa: S307 - the remedy as it is typed

    assert compare(Scores(renamed), "a", "b").to_json() == compare(Scores(FRAME), "a", "b").to_json()
    assert Scores(frame.reset_index(drop=True)).columns[-1] == ("score", "correct")


def test_texts_of_an_index_are_not_asked_about_where_columns_say_it():
    frame = FRAME.set_index(FRAME["question_id"] + FRAME["model"]).rename_axis(None)

    assert Scores(frame).models == ("a", "b")
    assert Scores(FRAME.set_index("model").rename_axis(None), constants={"model": "x"}).models == ("x",)
