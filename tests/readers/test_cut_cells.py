"""Cells that are told apart by their bytes are those that the standard library cuts."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.readers import cut_cells
from scorebars.readers.cut_cells import LONGEST, cut_columns

CELLS = st.one_of(
    st.sampled_from(["", " ", "0", "1", "model-00", "model-01", "modèle", "a" * 8, "a" * 9, "a" * LONGEST]),
    st.text(st.characters(codec="utf-8", exclude_characters='\0\r\n,"'), max_size=7),
)
TABLES = st.integers(2, 4).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=2, max_size=40))


@given(TABLES, st.booleans())
def test_cells_are_those_that_the_standard_library_cuts(rows, ended):
    text = "\n".join(",".join(row) for row in rows) + "\n" * ended
    headers, *expected = csv.reader(io.StringIO(text, newline=""))
    found, columns = cut_columns(text.encode(), ",")
    assert found == headers
    assert [list(column) for column in columns] == [
        [cell or None for cell in column] for column in zip(*expected, strict=True)
    ]
    for column in columns:
        assert column.texts == list(dict.fromkeys(column))
        assert [column.texts[number] for number in column.numbers] == list(column)
        assert (len(column), column[0], column[-1], column[1:3]) == (
            len(expected),
            next(iter(column)),
            list(column)[-1],
            list(column)[1:3],
        )


@pytest.mark.parametrize(
    "text", ["a,b\n1\n", "a,b\n1,2,3\n4\n", "a,b\n1,2\n3,4,5,6\n", "a,b\n", "", "a,b\n1," + "x" * (LONGEST + 1)]
)
def test_lines_of_other_widths_and_long_cells_are_left_to_others(text):
    assert cut_columns(text.encode(), ",") is None


@pytest.mark.parametrize("n", [1_000, 40_000])
def test_many_different_cells_are_told_apart(n):
    cells = [f"item {number:020d}" for number in np.random.default_rng(1).permutation(n).tolist()] * 2
    text = "item\tscore\n" + "".join(f"{cell}\t{number % 2}\n" for number, cell in enumerate(cells))
    (item, score) = cut_columns(text.encode(), "\t")[1]
    assert item.texts == cells[:n]
    assert item.numbers.tolist() == [*range(n), *range(n)]
    assert (score.texts, score.numbers[:3].tolist()) == (["0", "1"], [0, 1, 0])


def test_cells_whose_hashes_never_differ_are_left_to_others(monkeypatch):
    monkeypatch.setattr(cut_cells, "_MIXER", 0)
    assert cut_columns(b"a\nx\ny\n", ",")[1][0].texts == ["x", "y"]
    text = "a\n" + "".join(f"{number}\n" for number in range(20))
    assert cut_columns(text.encode(), ",") is None
