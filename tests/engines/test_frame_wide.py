"""A wide frame is refused with the line that makes it long; several columns for one score with a sentence."""

from __future__ import annotations

import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scorebars as sb
from scorebars.errors import ArgumentError, ScoresError

LONG = pd.DataFrame({
    "model": ["gpt-a"] * 20 + ["gpt-b"] * 20,
    "question_id": [f"q{n}" for n in range(20)] * 2,
    "score": [int(n % 3 > 0) for n in range(20)] + [n % 2 for n in range(20)],
})  # fmt: skip
PIVOT = LONG.pivot_table(index="question_id", columns="model", values="score")
FLAT = PIVOT.reset_index().rename_axis(None, axis="columns")
WIDE = {
    "pivot": PIVOT,
    "flat": FLAT,
    "topics": FLAT.assign(tokens=range(7, 27), topic="x"),
    "kept": FLAT.set_index("question_id", drop=False),
    "unnamed": FLAT.drop(columns="question_id"),
    "nullable": FLAT.convert_dtypes(),
    "polars": pl.from_pandas(FLAT),
    "pyarrow": pa.Table.from_pandas(FLAT, preserve_index=False),
    "dict": FLAT.to_dict("list"),
    "booleans": FLAT.astype({"gpt-a": bool, "gpt-b": bool}),
}


@pytest.mark.parametrize("frame", WIDE.values(), ids=WIDE)
def test_a_wide_frame_is_refused_with_what_makes_it_long(frame):
    with pytest.raises(ScoresError, match=r"those of numbers \('gpt-a', 'gpt-b'\) may be models") as refused:
        sb.Scores(frame)

    typed = re.search(r"attempt \((.*)\), or name the only score \(score='gpt-a'\)", str(refused.value))[1]
    made = eval(typed, {"frame": frame, "Scores": sb.Scores})  # noqa: S307 - the remedy as it is typed
    found = sb.compare(made if isinstance(made, sb.Scores) else sb.Scores(made), "gpt-a", "gpt-b")
    long = sb.compare(sb.Scores(LONG), "gpt-a", "gpt-b")

    assert (found.value, found.low, found.high) == (long.value, long.low, long.high)


OTHERS = {
    "one column": {"item": ["a", "b", "c"], "x": [1, 0, 1]},
    "a model": {"model": ["a", "b", "c"], "x": [1, 0, 1], "y": [1, 1, 0]},
    "a counter": {"item": ["a", "b", "c"], "x": [1, 0, 1], "y": [1, 2, 3]},
    "measurements": {"item": ["a", "b", "c"], "x": [1, 0, 1], "prompt_tokens": [90, 70, 60]},
    "texts": {"item": ["a", "b", "c"], "x": [1, 0, 1], "y": ["u", "v", "w"]},
    "lazy": pl.LazyFrame({"item": ["a", "b", "c"], "x": [1, 0, 1], "y": [1, 0, 0]}),
}


@pytest.mark.parametrize("frame", OTHERS.values(), ids=OTHERS)
def test_any_other_frame_without_a_score_is_asked_for_its_column(frame):
    with pytest.raises(ScoresError, match="no column is called 'score'; name the column of the score"):
        sb.Scores(frame)


def test_several_columns_for_one_score_are_refused():
    frame = {"item": ["a", "b"], "help": [1, 2], "style": [2, 3]}

    with pytest.raises(ArgumentError) as refused:
        sb.Scores(frame, score=["help", "style"])
    assert str(refused.value) == (
        "score=['help', 'style'] names 2 columns, and a score is one: name one (score='help'), or give each a row of "
        "its own, with a column 'metric' that says which"
    )
    with pytest.raises(ArgumentError, match=r"a weight is one: name one \(weight='help'\)$"):
        sb.Scores(frame, score="style", weight=("help", "style"))
    with pytest.raises(ArgumentError, match=r"score=\(\) names no column"):
        sb.Scores(frame, score=[])
    assert sb.Scores(frame, score=["help"]).models == ("model",)
