"""Rows of a frame that are equal in every column are copies, as rows of a file are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scorebars as sb

FRAME = pd.DataFrame({
    "model": ["a"] * 40 + ["b"] * 40,
    "item": [f"q{n}" for n in range(40)] * 2,
    "score": [int(n % 3 > 0) for n in range(40)] + [n % 2 for n in range(40)],
    "answer": [f"text {n}" if n % 7 else None for n in range(80)],
    "seconds": [n / 10 if n % 5 else np.nan for n in range(80)],
})  # fmt: skip
AGAIN = pd.concat([FRAME, FRAME.iloc[:9]], ignore_index=True)
MAKERS = {
    "pandas": lambda frame: frame,
    "nullable": lambda frame: frame.convert_dtypes(),
    "arrow-backed": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "dict": lambda frame: frame.to_dict("list"),
    "arrays": lambda frame: {name: frame[name].to_numpy() for name in frame},
}


def codes(estimate):
    return sorted({note.code for note in estimate.notes})


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("columns", [["model", "item", "score"], list(FRAME.columns)], ids=["roles", "more"])
def test_copies_count_once_as_in_a_file(make, columns, tmp_path):
    AGAIN[columns].to_csv(tmp_path / "again.csv", index=False)
    found, of_file, once = (
        sb.estimate(scores)
        for scores in (
            sb.Scores(make(AGAIN[columns])),
            sb.read(tmp_path / "again.csv"),
            sb.Scores(FRAME[columns]),
        )
    )
    intervals = [[(one.value, one.low, one.high) for one in each] for each in (found, of_file, once)]

    assert intervals[0] == intervals[1] == intervals[2]
    assert codes(found) == codes(of_file)
    assert "duplicate-attempts" in codes(found)
    assert "repeats-as-runs" not in codes(found)


def test_the_note_counts_the_copies():
    (said,) = (note for note in sb.estimate(sb.Scores(AGAIN)).notes if note.code == "duplicate-attempts")

    assert str(said).endswith(
        "9 rows too many, with an attempt that another row has, equal in every column; each is kept once"
    )


@pytest.mark.parametrize(("column", "cell"), [("answer", "another"), ("answer", None), ("seconds", 99.0), ("score", 1)])
def test_rows_that_differ_in_one_cell_are_runs(column, cell, tmp_path):
    changed = AGAIN.copy()
    changed.loc[83, column] = cell  # of q3, whose cells are 'text 3', 0.3 and 0
    changed.to_csv(tmp_path / "again.csv", index=False)

    for scores in (sb.Scores(changed), sb.read(tmp_path / "again.csv")):
        assert "duplicate-attempts" not in codes(sb.estimate(scores))
        assert "repeats-as-runs" in codes(sb.estimate(scores))


def test_cells_of_lists_and_arrays_are_compared():
    rows = {"model": ["a"] * 4, "item": [1, 2, 1, 2], "score": [1, 0, 1, 0], "tokens": [[1, 2], [3], [1, 2], [3]]}
    arrays = {**rows, "tokens": pd.Series([np.array(one) for one in rows["tokens"]])}
    other = {**rows, "tokens": [[1, 2], [3], [1, 2], [4]]}

    assert [
        "duplicate-attempts" in codes(sb.estimate(sb.Scores(frame)))
        for frame in (rows, arrays, pl.DataFrame(rows), pa.table(rows), other, pl.DataFrame(other))
    ] == [True, True, True, True, False, False]


def test_a_lazy_frame_is_not_collected_for_columns_without_a_role():
    lazy = pl.from_pandas(AGAIN[["model", "item", "score"]]).lazy()
    broken = lazy.with_columns(broken=pl.col("model").str.to_integer(strict=True))

    assert "duplicate-attempts" in codes(sb.estimate(sb.Scores(lazy)))
    assert "repeats-as-runs" in codes(sb.estimate(sb.Scores(broken)))


def test_copies_on_one_side_count_once_beside_a_side_without():
    a, b = (AGAIN[AGAIN["model"] == model] for model in "ab")
    joined = sb.compare(sb.Scores.concat(sb.Scores(a), sb.Scores(b)), "a", "b")
    once = sb.compare(sb.Scores(FRAME), "a", "b")

    assert (joined.value, joined.low, joined.high) == (once.value, once.low, once.high)
    assert "duplicate-attempts" in {note.code for note in joined.notes}
