from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorebars.contracts import Part
from scorebars.engines.arrays import ArrayRows
from scorebars.engines.cutting import Rules, cut
from scorebars.engines.duckdb import Engine
from scorebars.engines.gathering import gathered
from scorebars.engines.relation import RelationRows
from scorebars.errors import ReadError, ScoresError
from scorebars.scores import Scores

IDS = st.sampled_from(["", "a", "b", "Z", "é", "10", "9", "a b", "漢字", "\U0001f600"])
CELLS = st.sampled_from(["1", "0", "0.5", " 1e-3 ", "pass", "FAIL", "85%", "n/a", "-", "", "True", ".5", "+2"])


@pytest.fixture(scope="module")
def engine():
    with Engine() as opened:
        yield opened


def objects(cells):
    result = np.empty(len(cells), dtype=object)
    result[:] = list(cells)
    return result


def part(name="f.csv", **rows):
    return Part(Path(name), "table", {role: objects(cells) for role, cells in rows.items()})


def as_sql(engine, given):
    """The same part as a query."""
    name = engine.fresh_name("given")
    engine.register(name, given.rows)
    return Part(given.path, given.reader, f"SELECT * FROM {name}", on_error=given.on_error)


def facts(rows, chosen=None):
    table = rows.table(chosen or {})
    columns = [column.labels[column.codes].tolist() for column in (table.model, table.task, table.item)]
    columns += [None if each is None else each.labels[each.codes].tolist() for each in (table.run, table.cluster)]
    notes = [note.message for note in table.notes]
    return columns, table.score.tolist(), table.status.tolist(), notes, table.sources


def assert_same(one, other):
    columns, scores, *rest = one
    others, other_scores, *other_rest = other
    assert columns == others
    np.testing.assert_array_equal(scores, other_scores)
    assert rest == other_rest


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(IDS.filter(bool), IDS.filter(bool), IDS.filter(bool), CELLS), min_size=1, max_size=25),
    split=st.integers(0, 25),
)
def test_database_and_arrays_code_alike(engine, rows, split):
    pieces = [piece for piece in (rows[:split], rows[split:]) if piece]
    parts = [
        part(f"{number}.csv", **dict(zip(("model", "item", "task", "score"), zip(*piece, strict=True), strict=True)))
        for number, piece in enumerate(pieces)
    ]
    queries = [as_sql(engine, each) for each in parts]

    in_memory = facts(ArrayRows(gathered(parts)))

    assert_same(in_memory, facts(RelationRows(engine, queries)))
    assert_same(in_memory, facts(RelationRows(engine, queries, small=0)))
    assert_same(in_memory, facts(RelationRows(engine, [*parts[:1], *queries[1:]], small=0)))


@pytest.mark.parametrize("small", [0, 1000])
def test_a_csv_file_from_text_to_samples(engine, tmp_path, small):
    path = tmp_path / "it's [1].csv"
    path.write_text(
        "model,item,score,status\na,q10,pass,ok\na,q9,,error\nb,q10,fail,ok\nb,q9,50%,ok\n", encoding="utf-8"
    )
    engine.execute(
        f"CREATE OR REPLACE TABLE csv AS SELECT * FROM read_csv('{tmp_path}/it''s ?1?.csv', all_varchar=true)"
    )

    cuts = cut(RelationRows(engine, [Part(path, "table", "SELECT * FROM csv")], small=small).table({}), Rules())

    assert [each.sample.score.tolist() for each in cuts.cuts] == [[1.0], [0.0, 0.5]]
    assert [each.sample.item.tolist() for each in cuts.cuts] == [[0], [0, 1]]
    assert cuts.item_keys[2].tolist() == ["q10", "q9"]
    assert [note.code for note in cuts.notes] == ["converted"]
    assert [note.code for note in cuts.cuts[0].notes] == ["error-rows"]


@pytest.mark.parametrize("small", [0, 1000])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            {"model": ["a", "a"], "item": ["p", "q"], "score": ["1", "many"]},
            r"'many' in row 2 of f\.csv is not a score",
        ),
        ({"model": ["a", "a"], "item": ["p", "q"], "score": ["1", "1,234"]}, "1234 or 1.234"),
        ({"model": ["a", "a"], "item": ["p", "q"], "score": ["1", "inf"]}, r"'inf' in row 2 of f\.csv is infinite"),
        ({"model": ["a", "a"], "item": ["p", None], "score": ["1", "1"]}, r"row 2 of f\.csv has no item"),
        ({"model": ["a", ""], "item": ["p", "q"], "score": ["1", "1"]}, r"row 2 of f\.csv has no model"),
        ({"model": ["a"], "item": ["p"]}, "there is no score column"),
        ({"model": [], "item": [], "score": []}, "there are no rows"),
    ],
)
def test_errors_name_the_file_and_row(engine, rows, said, small):
    with pytest.raises(ScoresError, match=said):
        RelationRows(engine, [as_sql(engine, part(**rows))], small=small).table({})


@pytest.mark.parametrize("small", [0, 1000])
def test_errors_name_the_right_file_of_two(engine, small):
    parts = [part("one.csv", model="ab", item="pq", score="11"), part("two.csv", model="ab", item="rs", score="1x")]

    with pytest.raises(ScoresError, match=r"'x' in row 2 of two\.csv"):
        RelationRows(engine, [as_sql(engine, each) for each in parts], small=small).table({})


def test_infinite_numbers_of_a_numeric_column_are_refused(engine):
    query = "SELECT 'a' AS model, 'q' AS item, 'inf'::DOUBLE AS score"

    with pytest.raises(ScoresError, match="infinite"):
        RelationRows(engine, [Part(Path("f"), "table", query)], small=0).table({})


@pytest.mark.parametrize("small", [0, 1000])
def test_columns_of_other_types_become_text_and_numbers(engine, small):
    query = (
        "SELECT * FROM (VALUES (1::BIGINT, 10::SMALLINT, true, 2::TINYINT), (1, 9, NULL, 2), (1, 8, false, 2)) "
        "AS t(model, item, score, weight)"
    )

    table = RelationRows(engine, [Part(Path("f"), "table", query)], small=small).table({})

    assert table.item.labels[table.item.codes].tolist() == ["10", "9", "8"]
    np.testing.assert_array_equal(table.score, [1.0, np.nan, 0.0])
    assert table.weight.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("small", [0, 1000])
def test_one_metric_is_filtered_in_the_database(engine, small):
    given_part = part(model="aaaa", item="ppqq", metric=["acc", "f1", "acc", "f1"], score=["1", "0.5", "0", "0.25"])
    rows = RelationRows(engine, [as_sql(engine, given_part)], small=small)

    table = rows.table({"metric": "f1"})

    assert rows.counts("metric") == {"acc": 2, "f1": 2}
    assert table.score.tolist() == [0.5, 0.25]
    assert table.source_of(1)[1] == 4


def test_a_failing_query_names_its_file(engine):
    with pytest.raises(ReadError, match=r"bad\.csv: .*nope"):
        RelationRows(engine, [Part(Path("bad.csv"), "table", "SELECT nope FROM (SELECT 1 AS a)")])


def test_rows_of_a_large_file_are_gathered_in_storage_and_in_file_order(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.engines.relation.LARGE_BYTES", 0)
    path = tmp_path / "large.parquet"
    with Engine() as engine:
        engine.execute(
            "COPY (SELECT 'm' AS model, 'q' || (range % 7) AS item, range::DOUBLE AS score FROM range(300000)) "
            f"TO '{path}' (ROW_GROUP_SIZE 10000)"
        )
        scores = Scores.from_parts([Part(path, "table", f"SELECT * FROM read_parquet('{path}')")], engine)
        (only,) = scores.cuts().cuts

        assert engine.storage(large=True) == "storage."
    for item in range(7):
        np.testing.assert_array_equal(only.sample.score[only.sample.item == item], np.arange(item, 300000, 7))


def test_a_query_without_its_engine_is_refused():
    with pytest.raises(ScoresError, match="needs the engine"):
        Scores.from_parts([Part(Path("f"), "table", "SELECT 1 AS score")])


def test_runs_of_files_without_run_ids_are_numbered_beside_files_with_them(engine):
    parts = [
        part("ids.csv", model="aa", item="pp", run=["s1", "s2"], score="10"),
        part("none.csv", model="bbb", item="ppq", score="110"),
    ]

    for rows in (ArrayRows(gathered(parts)), RelationRows(engine, [as_sql(engine, each) for each in parts], small=0)):
        table = rows.table({})
        assert table.run.labels[table.run.codes].tolist() == ["s1", "s2", "1", "2", "1"]


def test_a_file_without_a_metric_takes_the_only_one_of_the_others():
    parts = [
        part("one.csv", model="a", item="p", metric=["acc"], score="1"),
        part("two.csv", model="b", item="p", score="0"),
    ]

    assert Scores.from_parts(parts).metrics == ("acc",)


@pytest.mark.parametrize("small", [0, 1_000])
def test_percent_signs_are_known_to_both_engines(engine, small):
    given = part(model=["a", "b", "a", "b"], item=["1", "1", "2", "2"], score=["85%", "0.2", " 3 % ", "pass"])
    rows = RelationRows(engine, [as_sql(engine, given)], small=small)
    assert rows.table({}).percent.tolist() == [True, False, True, False]
    bare = part(model=["a"], item=["1"], score=["pass"])
    assert RelationRows(engine, [as_sql(engine, bare)], small=small).table({}).percent is None
