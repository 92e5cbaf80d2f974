"""Large tables: ids are numbered once, while the reader looks for repeats, and mean what they mean elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from scorebars.contracts import Request
from scorebars.engines import numbering
from scorebars.engines.duckdb import Engine
from scorebars.engines.numbering import guessed, repeat
from scorebars.engines.relation import RelationRows
from scorebars.errors import ReadError
from scorebars.readers import filling
from scorebars.readers.files import head_of
from scorebars.readers.table_rows import read_table
from scorebars.sample import Column

TABLES = {
    "long": "model,item,score\nb,q10,1\na,q9,0\nb,q9,0.5\na,q10,1\n",
    "blanks": "model,item,score\n b ,q10,1\na,q9,0\nb,é,0.5\na,漢,1\n",
    "tasks": "model,task,item,score\na,t2,1,1\na,t1,1,0\na,t1,2,1\nb,t2,1,0\n",
    "floats": "model,item,score\na,1.0,1\na,10.0,0\na,9.0,1\n",
    "two metrics": "model,item,metric,score\na,1,f1,.5\na,1,acc,1\na,2,acc,0\na,2,f1,.25\nb,2,f1,.75\nb,2,acc,1\n",
    "words": "model,item,score\na,1,pass\na,2,fail\nb,1,50%\nb,2,0.5\n",
    "empty column": "model,item,cluster,score\na,1,,1\na,2,,0\n",
    "clusters": "model,item,cluster,score\na,1,p,1\na,2,q,0\nb,1,p,0\nb,2,q,0\n",
    "quotes": 'model,item,score\nit\'s,q\'1,1\n"a ""b""",q1,0\nit\'s,q1,0\n"a ""b""",q\'1,1\n',
    "many models": "model,item,score\n" + "".join(f"m{k % 10},q{k * 7 % 11},{k % 3 / 2}\n" for k in range(110)),
    "late model": "model,item,score\n" + "".join(f"{'cba'[k // 4]},{k % 4},{k % 2}\n" for k in range(12)),
    "runs": "model,item,run,score\na,1,1.0,1\na,1,2.0,0\nb,1,2.0,1\nb,1,1.0,0\n",
    "some floats": "model,item,run,score\na,1.0,1.0,1\na,2.5,2,0\na,7.0,1.0,1\n",
    "empty run": "model,item,run,score\na,1,,1\na,2,,0\n",
    "repeats": "model,item,score\na,1,1\na,2,0\na,1,0\n",
    "copies": "model,item,score\na,1,1\na,2,0\na,1,1\n",
}


def facts(path, engine, chosen):
    part = read_table(head_of(path), Request({}, None, engine), "m")
    table = RelationRows(engine, [part], small=0).table(chosen)
    columns = {
        role: column.labels[column.codes].tolist()
        for role in ("model", "task", "item", "run", "cluster", "metric")
        if (column := getattr(table, role)) is not None
    }
    rows = None if table.row is None else table.row.tolist()
    return part, (columns, table.score.tolist(), rows, [str(note) for note in table.notes])


@pytest.mark.parametrize("name", TABLES)
def test_codes_that_the_reader_made_are_those_that_are_made_later(tmp_path, monkeypatch, name):
    path = tmp_path / "a.csv"
    path.write_text(TABLES[name], encoding="utf-8")
    monkeypatch.setattr(numbering, "FIRST", 7)
    for chosen in [{"metric": "f1"}, {"metric": "acc"}] if name == "two metrics" else [{}]:
        with Engine() as engine:
            monkeypatch.setattr(filling, "SMALL_ROWS", 1 << 40)
            later, expected = facts(path, engine, chosen)
            monkeypatch.setattr(filling, "SMALL_ROWS", 0)
            at_once, found = facts(path, engine, chosen)
        assert found == expected
        assert not later.numbered[1]
        assert bool(at_once.numbered[1]) == (name not in {"repeats", "copies"})


def test_models_of_the_first_rows_may_not_be_all(monkeypatch):
    with Engine() as engine:
        engine.execute("CREATE TABLE t AS SELECT unnest(['b', 'é', 'a', 'b', NULL, 'z']) AS model")
        for first, labels in ((1, None), (3, ["a", "b", "é"]), (6, ["a", "b", "z", "é"])):
            monkeypatch.setattr(numbering, "FIRST", first)
            found = guessed(engine, "t", "model")
            assert (found and found.texts().tolist()) == labels
        monkeypatch.setattr(numbering, "FEW", 3)
        assert guessed(engine, "t", "model") is None


@pytest.mark.parametrize("row", ["a,,1", ",q5,1", ",,1"])
@pytest.mark.parametrize("place", [0, 2, 4])
def test_rows_without_an_id_are_refused_in_the_same_words(tmp_path, monkeypatch, row, place):
    path = tmp_path / "a.csv"
    monkeypatch.setattr(numbering, "FIRST", 3)
    rows = ["a,q1,1", "b,q2,0", "a,q2,0", "b,q1,1"]
    path.write_text("\n".join(["model,item,score", *rows[:place], row, *rows[place:]]) + "\n", encoding="utf-8")
    said = []
    with Engine() as engine:
        for small in (0, 1 << 40):
            monkeypatch.setattr(filling, "SMALL_ROWS", small)
            with pytest.raises(ReadError) as error:
                read_table(head_of(path), Request({}, None, engine), "m")
            said.append(str(error.value))
    assert said[0] == said[1]
    assert f"row {place + 1}" in said[0]


def test_codes_of_a_query_serve_no_other(tmp_path, monkeypatch):
    from dataclasses import replace

    path = tmp_path / "a.csv"
    path.write_text(TABLES["long"], encoding="utf-8")
    monkeypatch.setattr(filling, "SMALL_ROWS", 0)
    with Engine() as engine:
        part = read_table(head_of(path), Request({}, None, engine), "m")
        other = replace(part, rows=f"SELECT * REPLACE (upper(model) AS model) FROM ({part.rows})")
        assert RelationRows(engine, [other], small=0).table({}).model.labels.tolist() == ["A", "B"]


@pytest.mark.parametrize("seed", range(20))
def test_repeats_are_found_as_by_the_standard_library(seed):
    rng = np.random.default_rng(seed)
    n, sizes = int(rng.integers(1, 60)), rng.integers(1, 9, size=3)
    columns = [Column.of(rng.integers(-1, size, n).astype(np.int32), np.arange(size).astype(str)) for size in sizes]
    rows = list(zip(*(column.codes.tolist() for column in columns), strict=True))
    if np.prod(sizes + 1) > 8 * n:
        assert repeat(columns) is None
    else:
        assert repeat(columns) == (len(set(rows)) < n)


def test_repeats_are_found_across_blocks(monkeypatch):
    monkeypatch.setattr("scorebars.engines.numbering.BLOCK", 4)
    codes = np.arange(10, dtype=np.int32)
    assert not repeat([Column.of(codes, codes.astype(str))])
    codes[9] = 1
    assert repeat([Column.of(codes, codes.astype(str))])
