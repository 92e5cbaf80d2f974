import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.engines.arrays import encode, factorised, joined, scores
from scorebars.errors import ScoresError
from scorebars.sample import Column, Status


def texts(column: Column) -> list[str | None]:
    return [None if code < 0 else column.labels[code] for code in column.codes]


def objects(*cells):
    result = np.empty(len(cells), dtype=object)
    result[:] = cells
    return result


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([10, 2, 1, 2]), ["10", "2", "1", "2"]),
        (np.array([10.0, 2.5, np.nan]), ["10", "2.5", None]),
        (np.array([True, False]), ["true", "false"]),
        (np.array(["1.10", "1.1", "x "]), ["1.10", "1.1", "x "]),
        (objects("1", 1, 1.0, True, None, np.nan, ""), ["1", "1", "1", "1", None, None, None]),
        (objects(np.int64(3), np.float32(0.5), "é"), ["3", "0.5", "é"]),
        (np.array(["2024-01-02"], dtype="M8[D]"), ["2024-01-02"]),
        (np.array([-1, 1, 0], dtype=np.int8), ["-1", "1", "0"]),
    ],
)
def test_ids_become_text_in_one_way(values, expected):
    column = factorised(values)

    assert texts(column) == expected
    assert column.labels.tolist() == sorted(set(column.labels.tolist()))


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=30))
def test_codes_order_as_text_does(cells):
    column = factorised(objects(*cells))

    assert texts(column) == cells
    assert column.labels.tolist() == sorted(set(cells))


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=30))
def test_whole_numbers_and_their_texts_are_coded_alike(numbers):
    column, other = factorised(np.array(numbers)), factorised(objects(*map(str, numbers)))

    np.testing.assert_array_equal(column.codes, other.codes)
    assert column.labels.tolist() == other.labels.tolist()


def test_joined_ids_are_sorted_again_and_empty_where_one_is():
    agent, model = factorised(objects("a-", "a", "a", None)), factorised(objects("x", "x", "y", "x"))

    column = joined([agent, model])

    assert texts(column) == ["a-+x", "a+x", "a+y", None]
    assert column.labels.tolist() == sorted(column.labels.tolist())


def test_different_ids_that_join_to_one_are_refused():
    with pytest.raises(ScoresError, match=r"'a\+b\+c'"):
        joined([factorised(objects("a+b", "a")), factorised(objects("c", "b+c"))])


CELLS = st.sampled_from(["1", "0", " 1 ", "85%", "yes", "N/A", "", None, "C", "I", "0.250", "maybe", "inf", "1,5"])


@given(st.lists(CELLS, min_size=1, max_size=12))
def test_scores_of_codes_are_those_of_their_cells(cells):
    def answer(values):
        try:
            numbers, said = scores(values)
        except ScoresError as error:
            return str(error)
        return [None if np.isnan(number) else number for number in numbers.tolist()], said

    labels = sorted({cell for cell in cells if cell is not None})
    codes = np.array([-1 if cell is None else labels.index(cell) for cell in cells], np.int32)
    assert answer(Column.of(codes, objects(*labels))) == answer(objects(*cells))


def test_scores_and_status_of_mixed_cells():
    table = encode(
        {
            "model": objects(*"aaaaaaaa"),
            "item": np.arange(8),
            "score": objects(1, 0.5, "0.25", "C", True, None, np.nan, "n/a"),
            "status": objects("ok", "ValueError: x", None, "", "success", "TimeoutError", "unscored", "ok"),
        }
    )

    np.testing.assert_array_equal(table.score, [1.0, 0.5, 0.25, 1.0, 1.0, np.nan, np.nan, np.nan])
    assert [Status(code) for code in table.status[5:]] == [Status.ERROR, Status.UNSCORED, Status.MISSING]
    assert [each.code for each in table.notes] == ["converted"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"model": objects("a", None), "score": np.ones(2), "item": np.arange(2)}, r"row 2 has no model \(1 of 2"),
        ({"model": objects("a", "a"), "score": np.ones(2), "item": objects("", "q")}, r"row 1 has no item"),
        ({"item": np.array([1.0, np.nan]), "score": np.ones(2)}, "row 2 has no item"),
        ({"item": np.arange(2), "run": objects("1", None), "score": np.ones(2)}, "row 2 has no run"),
        ({"item": np.arange(2), "task": objects("t", None), "score": np.ones(2)}, "row 2 has no task"),
        (
            {"item": np.arange(3), "cluster": objects("c", None, None), "score": np.ones(3)},
            r"row 2 has no cluster \(2 of 3 rows have none",
        ),
        ({"item": np.arange(2), "score": objects("1", "many")}, "'many' in row 2"),
        ({"item": np.arange(2), "score": objects("1", "1,234")}, "1234 or 1.234"),
        ({"item": np.arange(2), "score": np.array([1.0, -np.inf])}, "'-inf' in row 2 is infinite"),
        ({"item": np.arange(2), "score": objects([1], [2])}, "the score in row 1 is a list"),
        ({"item": objects([1], [2]), "score": np.ones(2)}, "the item in row 1 is a list"),
        ({"item": np.arange(2), "score": np.ones(2), "weight": objects(1, "heavy")}, "weight 'heavy' in row 2"),
        ({"item": np.arange(0), "score": np.ones(0)}, "there are no rows"),
        ({"item": np.ones((2, 2)), "score": np.ones(2)}, "2 dimensions"),
    ],
)
def test_what_is_no_score_table_is_refused(columns, said):
    with pytest.raises(ScoresError, match=said):
        encode(columns)


def test_columns_that_are_empty_throughout_count_as_absent():
    empty = objects(None, None)

    table = encode({"item": np.arange(2), "score": np.ones(2), "run": empty, "cluster": empty, "task": empty})

    assert (table.run, table.cluster) == (None, None)
    assert table.task.labels.tolist() == [""]


def test_without_item_ids_rows_are_items_unless_runs_have_ids():
    rows = encode({"model": objects("a", "b", "a"), "score": np.ones(3)})
    runs = encode({"model": objects("a", "a", "b"), "run": np.array([0, 1, 0]), "score": np.ones(3)})

    assert texts(rows.item) == ["1", "1", "2"]
    assert [each.code for each in rows.notes] == ["rows-as-items"]
    assert texts(runs.item) == ["", "", ""]
    assert runs.notes == ()


def test_a_long_column_without_item_ids_keeps_its_order():
    table = encode({"score": np.arange(12.0)})

    np.testing.assert_array_equal(table.item.codes, np.arange(12))
    assert table.item.labels.tolist() == sorted(table.item.labels.tolist())
