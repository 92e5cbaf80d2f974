"""Database files and --sql: the rows of one SELECT, nothing else read, nothing written."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import shlex
import signal
import sqlite3
import time
from itertools import product

import duckdb
import pytest

from scorebars.cli.main import main
from scorebars.engines import sqlite as sqlite_engine
from scorebars.errors import ArgumentError, ReadError, ScorebarsError
from scorebars.readers.detect import assign
from scorebars.readers.files import Found
from scorebars.readers.read import read

ROWS = [("A", "q1", 1.0), ("A", "q2", 0.0), ("B", "q1", 0.5), ("B", "q2", 1.0)]


def scores_of(scores):
    return {cut.sample.model: cut.sample.score.tolist() for cut in scores.cuts().cuts}


EXPECTED = {"A": [1.0, 0.0], "B": [0.5, 1.0]}


def make_sqlite(path, tables=("results",)):
    with sqlite3.connect(path) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" (model TEXT, item TEXT, score REAL)')
            connection.executemany(f'INSERT INTO "{table}" VALUES (?, ?, ?)', ROWS)
    connection.close()
    return path


def make_duckdb(path, tables=("results",)):
    with duckdb.connect(str(path)) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" (model TEXT, item TEXT, score DOUBLE)')
            connection.executemany(f'INSERT INTO "{table}" VALUES (?, ?, ?)', ROWS)
    return path


MAKERS = {"sqlite": make_sqlite, "duckdb": make_duckdb}
databases = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@databases
def test_the_only_table_of_a_database(tmp_path, make):
    path = make(tmp_path / "it's.bin")  # known by its content
    before = path.read_bytes()
    assert scores_of(read(path)) == EXPECTED
    assert path.read_bytes() == before


def test_rows_without_a_model_can_be_left_out_as_the_refusal_says(tmp_path):
    """As MLflow's exports have them: a run that logged no such parameter."""
    path = tmp_path / "runs.csv"
    path.write_text("run_id,params.model,metrics.acc\nr1,,0.5\nr2,A,0.25\nr3,A,0.75\n")
    roles = {"model": "params.model", "score": "metrics.acc", "run": "run_id"}
    where = 'SELECT * FROM data WHERE length(trim("params.model"::VARCHAR)) > 0'
    with pytest.raises(ReadError, match=f"row 1 has no model .* or leave such rows out .*--sql '{re.escape(where)}'"):
        read(path, columns=roles)
    assert scores_of(read(path, columns=roles, sql=where)) == {"A": [0.25, 0.75]}


@databases
def test_several_tables_are_listed(tmp_path, make):
    path = make(tmp_path / "a b.db", ("results", "the 'one'"))
    with pytest.raises(ReadError, match=r"has several tables \('results', 'the 'one''\): choose one") as caught:
        read(path)
    assert "  results    model, item, score" in caught.value.__notes__[0]
    assert f"scorebars estimate '{path}' --sql 'SELECT model, item, score FROM results'" in caught.value.__notes__[0]
    assert scores_of(read(f"{path}#the 'one'")) == EXPECTED
    with pytest.raises(ReadError, match="has no table 'result'; did you mean 'results'"):
        read(f"{path}#result")


@databases
def test_a_query_on_a_database(tmp_path, make):
    path = make(tmp_path / "a.db", ("results", "other"))
    sql = "SELECT model, item, 1 - score AS score FROM results WHERE model = 'B' ;"
    assert scores_of(read(path, sql=sql)) == {"B": [0.5, 0.0]}


@databases
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM results",
        "SELECT 1; DROP TABLE results",
        "ATTACH 'other.db' AS o",
        "PRAGMA database_list",
        "CREATE TABLE x AS SELECT 1",
        "WITH a AS (SELECT 1) DELETE FROM results",
        "SELECT load_extension('x') AS score",
        "",
        "SELEC 1",
        "INSERT INTO results VALUES ('A', 'q3', 1)",
        "VACUUM INTO 'copy.db'",
    ],
)
def test_anything_but_one_select_is_refused(tmp_path, make, sql, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = make(tmp_path / "a.db")
    before = path.read_bytes()
    with pytest.raises(ScorebarsError) as caught:
        read(path, sql=sql)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"a.db"}


@databases
def test_empty_and_broken_databases(tmp_path, make):
    empty = make(tmp_path / "empty.db", ())
    if empty.stat().st_size:
        with pytest.raises(ReadError, match=r"empty\.db is a database without tables"):
            read(empty)
    path = make(tmp_path / "a.db")
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * 400 + data[500:1200])
    with pytest.raises(ReadError, match=r"a\.db") as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_a_query_joins_files(tmp_path):
    (tmp_path / "scores.csv").write_text("qid,m,ok\n1,A,yes\n2,A,no\n")
    with gzip.open(tmp_path / "meta.jsonl.gz", "wt") as file:
        file.write('{"qid": 1, "topic": "x"}\n{"qid": 2, "topic": "y"}\n')
    sql = "SELECT m AS model, qid AS item, ok AS score, topic AS cluster FROM scores JOIN meta USING (qid) ORDER BY qid"
    scores = read([tmp_path / "scores.csv", tmp_path / "meta.jsonl.gz"], sql=sql)
    (cut,) = scores.cuts().cuts
    assert (cut.sample.score.tolist(), cut.sample.cluster.tolist()) == ([1.0, 0.0], [0, 1])
    (part,) = scores.parts
    assert part.mapping[0] == ("rows", f"the query {sql[:79]}…")


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl", "parquet", "feather"])
def test_the_only_file_is_data(tmp_path, kind):
    path = tmp_path / f"my results.{kind}"
    names = ("model", "item", "score")
    records = [dict(zip(names, row, strict=True)) for row in ROWS]
    if kind in {"csv", "tsv"}:
        sign = "," if kind == "csv" else "\t"
        path.write_text("\n".join(sign.join(map(str, row)) for row in [names, *ROWS]))
    elif kind == "json":
        path.write_text(json.dumps(records))
    elif kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, records)))
    else:
        import polars as pl

        frame = pl.DataFrame(records)
        frame.write_parquet(path) if kind == "parquet" else frame.write_ipc(path)
    for name in ("data", '"my results"'):
        assert scores_of(read(path, sql=f"FROM {name} ORDER BY model, item")) == EXPECTED


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('secret.csv')",
        "SELECT * FROM 'secret.csv'",
        "SELECT content AS score FROM read_text('secret.csv')",
        "SELECT file AS score FROM glob('*')",
        "SELECT * FROM read_csv('https://example.org/a.csv')",
        "SELECT * FROM query('SELECT * FROM read_csv(''secret.csv'')')",
        "SELECT * FROM data JOIN (FROM 'secret.csv') USING (item)",
    ],
)
def test_other_files_are_not_read(tmp_path, sql, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("item,score\n1,1\n")
    (tmp_path / "secret.csv").write_text("item,score\n1,0\n")
    with pytest.raises(ReadError, match="it reads a file that was not named"):
        read("a.csv", sql=sql)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELECT nope FROM data", 'the SQL: Referenced column "nope" not found'),
        ("SELECT * FROM nope", "the SQL: Table with name nope does not exist"),
        ("SELECT * FROM data WHERE item = 'z'", "the query gives no rows"),
        ("SELECT item FROM data", "no column is known to hold the score"),
        ("COPY data TO 'x.csv'", "must be one SELECT, and is COPY"),
        ("INSTALL httpfs", "must be one SELECT"),
        ("SET memory_limit = '1GB'", "must be one SELECT"),
    ],
)
def test_what_a_query_gets_wrong(tmp_path, sql, sentence):
    (tmp_path / "a.csv").write_text("item,score\nx,1\ny,0\n")
    with pytest.raises(ScorebarsError) as caught:
        read(tmp_path / "a.csv", sql=sql)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    if "not found" in sentence:
        assert '"a": item, score' in caught.value.__notes__[0]


def test_a_query_takes_no_label_and_one_database(tmp_path):
    path = make_sqlite(tmp_path / "a.db")
    (tmp_path / "a.csv").write_text("item,score\nx,1\n")
    with pytest.raises(ArgumentError, match="with SQL the query names the models"):
        read({"x": path}, sql="SELECT 1 AS score")
    with pytest.raises(ArgumentError, match="one database file"):
        read([path, tmp_path / "a.csv"], sql="SELECT 1 AS score")


def test_a_part_of_a_file_that_has_none(tmp_path):
    (tmp_path / "a.csv").write_text("item,score\nx,1\n")
    with pytest.raises(ReadError, match=r"a\.csv has no parts, so '#sheet' names nothing in it"):
        read(f"{tmp_path / 'a.csv'}#sheet")


MANY = [("AB"[i % 2], f"item number {i // 2}", float(i % 3 == 0)) for i in range(6000)]


def large(path, kind):
    if kind == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE t (model TEXT, item TEXT, score DOUBLE)")
            connection.execute(
                "INSERT INTO t SELECT CASE WHEN i % 2 = 0 THEN 'A' ELSE 'B' END, concat('item ', i // 2), i % 3 = 0 "
                "FROM range(200000) AS rows(i)"
            )
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (model TEXT, item TEXT, score REAL)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?)", MANY)
        connection.close()
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("torn", [False, True])
def test_a_damaged_database_is_said_to_be_damaged(tmp_path, kind, share, torn):
    whole = large(tmp_path / f"a.{kind}", kind)
    place = int(len(whole) * share)
    end = min(len(whole), place + 8192)
    broken = whole[:place] if torn else whole[:place] + bytes(255 - byte for byte in whole[place:end]) + whole[end:]
    path = tmp_path / f"broken.{kind}"
    path.write_bytes(broken)
    with pytest.raises(ReadError, match=r"is damaged or truncated: .*; copy or write it again"):
        read(path)


@pytest.mark.parametrize("lost", [1, 3, 2000, 4000])
@pytest.mark.parametrize("query", [None, "SELECT * FROM results"])
def test_a_database_whose_last_page_is_not_whole_is_said_to_be_truncated(tmp_path, lost, query):
    """SQLite itself reads zero bytes where the file ends: a model of zero bytes with the score 0."""
    whole = make_sqlite(tmp_path / "a.sqlite").read_bytes()
    path = tmp_path / "b.sqlite"
    path.write_bytes(whole[:-lost])
    with pytest.raises(
        ReadError, match=rf"holds {len(whole) - lost:,} bytes of {len(whole):,}; copy or write it again"
    ):
        read(path, sql=query)
    path.write_bytes(whole + b"\n")
    assert scores_of(read(path, sql=query)) == EXPECTED


def test_rows_that_are_still_in_the_log_of_a_database_are_read(tmp_path):
    path = tmp_path / "a.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE results (model TEXT, item TEXT, score REAL)")
    connection.executemany("INSERT INTO results VALUES (?, ?, ?)", ROWS)
    connection.commit()
    assert path.with_name("a.sqlite-wal").stat().st_size
    assert scores_of(read(path)) == EXPECTED
    connection.close()


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return large(tmp_path_factory.mktemp("database") / "a.duckdb", "duckdb")


@pytest.mark.parametrize("start", [*(bytes([byte]) for byte in range(256)), b" \n<", b"\x1f\x8b", b"\xef\xbb\xbf{"])
def test_a_duckdb_database_is_known_whatever_its_checksum_begins_with(tmp_path, database, start):
    path = tmp_path / "b.duckdb"
    path.write_bytes(start + database[len(start) :])
    taken, skipped = assign(str(path), [Found(path, explicit=True)], {})
    assert [one.reader for one in taken] == ["table"]
    assert not skipped


@pytest.mark.parametrize("block", [1, 3, 4, 50])
def test_rows_of_sqlite_in_many_blocks_are_those_of_one(tmp_path, monkeypatch, block):
    monkeypatch.setattr(sqlite_engine, "BLOCK", block)
    path = make_sqlite(tmp_path / "a.db")
    assert scores_of(read(path)) == EXPECTED
    assert scores_of(read(path, sql="SELECT * FROM results")) == EXPECTED
    with pytest.raises(ReadError, match="no rows"):
        read(path, sql="SELECT * FROM results WHERE model = 'C'")


@pytest.mark.parametrize("rows", ["'m' AS model, i AS item, 1 AS score", "'m' AS model, count(*) AS score"])
def test_a_query_of_sqlite_without_end_is_stopped_at_once(tmp_path, rows):
    path = make_sqlite(tmp_path / "a.db")
    query = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {rows} FROM n"

    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in sqlite_engine.selected(path, query):
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 30.0


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_of_several_tables_the_one_with_known_headers_is_proposed_whole(tmp_path, kind, monkeypatch, capsys):
    """Whatever their order by name, and with its score, which is the last column."""
    path = tmp_path / "t.db"
    connect = duckdb.connect if kind == "duckdb" else sqlite3.connect
    with contextlib.closing(connect(str(path))) as database:
        database.execute("CREATE TABLE a_meta (model TEXT, owner TEXT)")
        database.execute("CREATE TABLE results (model TEXT, seed INTEGER, fold INTEGER, item INTEGER, correct INTEGER)")
        for model, seed, item in product("ab", (1, 2), range(12)):
            row = f"'{model}', {seed}, {item % 3}, {item}, {int(item % (2 + (model == 'b')) == 0)}"
            database.execute(f"INSERT INTO results VALUES ({row})")
        database.commit()
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "t.db"]) == 2
    err = capsys.readouterr().err
    assert "choose one ('t.db#results')" in err
    command = err.splitlines()[-1]
    assert command == "  scorebars estimate t.db --sql 'SELECT model, seed, fold, item, correct FROM results'"
    for typed in (shlex.split(command)[1:], ["estimate", "t.db#results"]):
        assert main([*typed, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)["results"]
        assert [(one["model"], one["value"]) for one in found] == [("a", 1 / 2), ("b", pytest.approx(1 / 3))]
