import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.fresh import printed

from scorebars.errors import ScoresError
from scorebars.scores import Scores

COLUMNS = {
    "model": ["a", "a", "b", "b"],
    "item": [10, 9, 9, 10],
    "task": ["1.10", "1.1", "1.1", "1.10"],
    "score": [1.0, 0.25, None, 0.5],
    "note": [[1], [2], [3], [4]],
}
FRAMES = {
    "dict": lambda columns: columns,
    "pandas": pd.DataFrame,
    "pandas-pyarrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.connect().from_arrow(pa.table(columns)),
    "categories": lambda columns: pd.DataFrame(columns).astype({"model": "category", "task": "category"}),
    "polars-categories": lambda columns: pl.DataFrame(columns).cast({"model": pl.Categorical, "task": pl.Categorical}),
}


def facts(scores):
    cuts = scores.cuts()
    keys = [
        list(zip(*(column[cut.sample.item].tolist() for column in cuts.item_keys), strict=True)) for cut in cuts.cuts
    ]
    return [(cut.sample.model, cut.sample.score.tolist(), key) for cut, key in zip(cuts.cuts, keys, strict=True)]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_every_frame_gives_the_same_samples(make):
    found = facts(Scores(make(COLUMNS)))

    assert found == [
        ("a", [0.25, 1.0], [("1.1", "", "9"), ("1.10", "", "10")]),
        ("b", [0.5], [("1.10", "", "10")]),
    ]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_a_hole_among_whole_number_ids_is_named_by_its_row(make):
    if make is FRAMES["duckdb"]:
        pytest.skip("an Arrow table with a hole is tested as pyarrow")
    columns = {"model": ["a", "a"], "task": ["t", "t"], "item": [1, None], "score": [1.0, 0.0]}

    with pytest.raises(ScoresError, match="row 2 has no item"):
        Scores(make(columns)).cuts()


def test_whole_floats_and_integers_are_the_same_item():
    with_hole = pd.DataFrame({"model": ["a", "a", "b"], "item": [1, 2, None], "score": [1, 0, 1]}).dropna()
    scores = Scores.concat(Scores(with_hole), Scores({"item": [1, 2], "score": [0, 0]}, constants={"model": "b"}))

    a, b = (cut.sample for cut in scores.cuts().cuts)

    assert with_hole["item"].dtype == np.float64
    np.testing.assert_array_equal(a.item, b.item)


def test_a_lazy_frame_collects_only_what_is_named():
    lazy = pl.LazyFrame({"model": ["a"], "item": [1], "score": [1]}).with_columns(
        broken=pl.col("model").str.to_integer(strict=True)
    )

    assert Scores(lazy).models == ("a",)


def test_columns_of_the_same_name_are_refused():
    twice = pd.DataFrame([[1, 0, 1]], columns=["item", "score", "score"])

    with pytest.raises(ScoresError, match="'score' 2 times"):
        Scores(twice)


def test_a_column_is_named_by_text():
    with pytest.raises(ValueError, match="item=1 names no column"):
        Scores(pd.DataFrame([[1, 2]]), score="0", item=1)


@pytest.mark.parametrize("frame", [5, "a.csv", object()])
def test_what_is_no_table_is_refused(frame):
    with pytest.raises(ScoresError, match="is not a table"):
        Scores(frame)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"score": 1.0}, "a column is a list or an array"),
        ({"score": [1.0], "item": "q"}, "a column is a list or an array"),
        ({"score": [1.0], "item": [1, 2]}, "not equally long: 'item' 2, 'score' 1"),
        ({"score": np.ones((2, 2))}, "from_arrays"),
    ],
)
def test_columns_of_a_dict_are_equally_long_and_flat(columns, said):
    with pytest.raises(ScoresError, match=said):
        Scores(columns)


def test_a_dict_needs_neither_narwhals_nor_duckdb():
    code = (
        "import sys, scorebars.scores as s\n"
        "s.Scores({'model': ['a'], 'item': [1], 'score': [1]}).cuts()\n"
        "s.Scores.from_arrays({'A': [[1, 0]]}, axes=('run', 'task')).cuts()\n"
        "print([m for m in ('narwhals', 'duckdb', 'pandas', 'polars', 'scipy') if m in sys.modules])"
    )
    assert printed(code) == "[]\n"


def test_frames_know_the_headers_that_files_know():
    frame = {"agent": ["a", "a"], "question": ["p", "q"], "correct": [True, False], "note": ["x", "y"]}
    found = Scores(frame)
    assert dict(found.columns) == {"model": "agent", "item": "question", "score": "correct"}
    assert found.models == ("a",)
    assert dict(Scores(frame, score="correct").columns) == dict(found.columns)
    assert "item" not in dict(Scores(frame, constants={"item": "all"}).columns)


def test_a_columns_own_name_goes_before_other_headers():
    frame = {"model": ["a"], "agent": ["b"], "id": [1], "item": [2], "score": [0.5], "reward": [7.0]}
    found = Scores({**frame, "error": ["none at all"]})
    assert dict(found.columns) == {"model": "model", "item": "item", "score": "score"}


def test_two_columns_for_one_role_are_refused():
    with pytest.raises(
        ScoresError, match="columns 'id', 'doc_id' could each be the item: name the right one, item='id'"
    ):
        Scores({"id": [1], "doc_id": [2], "score": [1]})
