"""``--sql``: one SELECT over the named files, or over a database file; its rows are read as a table is.

Each file is a view by its stem ('results' for results.csv.gz), and 'data' where there is one; a DuckDB file is attached
read-only, its tables go by their own names; SQLite runs the query itself. The query cannot read another file, write
anything, or load an extension: it is checked to be one SELECT, and the engine's access is cut to the named files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines import sqlite
from scorebars.engines.duckdb import one_select, quote
from scorebars.errors import ArgumentError, ReadError
from scorebars.readers.columnar import arrow_source, blocks_source, excel_source, relation_source
from scorebars.readers.database import attached, duckdb_tables
from scorebars.readers.delimited import delimiter_of
from scorebars.readers.files import head_of, names_for, plain_bytes, shown
from scorebars.readers.sniff import DATABASES, HAVE_PARTS, kind_of
from scorebars.readers.sources import LONGEST_LINE, NoScores, Scratch, compression, file_literal
from scorebars.readers.table_rows import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.files import Found
    from scorebars.readers.sources import Source

DATA: Final = "data"
"""The view of the only file."""
WHOLE: Final = 256 << 20
"""JSON and CSV up to this size is looked at whole for its columns and types."""


def read_sql(files: Sequence[Found], sql: str, request: Request) -> Part:
    """The rows of a query as the part of the first file.

    Raises:
        ArgumentError: The SQL is not one SELECT.
        ReadError: It names a table or a column that is not there, or its rows hold no scores.
    """
    with Scratch() as scratch:
        heads = [replace(_unpacked(head_of(found.path), scratch), member=found.member) for found in files]
        names = names_for(found.path for found in files)
        kinds = {kind_of(head) for head in heads}
        for head in heads:
            if head.member and kind_of(head) not in HAVE_PARTS:
                raise ArgumentError(f"--sql reads {shown(head.path)} as a whole; leave '#{head.member}' out")
        if kinds & DATABASES and len(heads) > 1:
            raise ArgumentError("--sql reads one database file, or any number of other files")
        query = sql if kinds == {"sqlite"} else one_select(sql)  # SQLite has a dialect of its own, and checks it
        if kinds == {"sqlite"}:
            source = blocks_source(sqlite.selected(heads[0].path, query), heads[0].path, request.engine)
        else:
            views = _opened(heads, names, request.engine, scratch)
            source = _result(query, views, heads, request.engine)
        head = replace(heads[0], path=files[0].path, member="")
        return read_table(head, request, names[files[0].path] if len(files) == 1 else "query", _said(source, query))


def _unpacked(head: FileHead, scratch: Scratch) -> FileHead:
    """The head; of standard input and the like as well, which lie in a file."""
    if head.compression is None or kind_of(head) in {"json", "delimited"}:
        return head
    path = scratch.path(head.path.name)
    with plain_bytes(head) as stream, path.open("wb") as target:
        while block := stream.read(1 << 20):
            target.write(block)
    return replace(head, path=path, compression=None)


def _said(source: Source, query: str) -> Source:
    line = " ".join(query.split())
    return replace(source, said=(("rows", f"the query {line if len(line) <= 80 else line[:79] + '…'}"),))


def _opened(
    heads: Sequence[FileHead], names: Mapping[Path, str], engine: Engine, scratch: Scratch
) -> dict[str, list[str]]:
    """Make the files views, or the tables of a database reachable; name -> columns."""
    if kind_of(heads[0]) == "duckdb":
        database = attached(heads[0].path, engine)
        engine.execute(f"USE {quote(database)}")
        return duckdb_tables(database, engine)
    views: dict[str, list[str]] = {}
    for head, name in zip(heads, names.values(), strict=True):
        relation = _relation(head, engine, scratch)
        engine.execute(f"CREATE VIEW {quote(name)} AS SELECT * FROM {relation}")
        views[name] = list(engine.columns(f"SELECT * FROM {quote(name)}"))
    if len(views) == 1 and DATA not in views:
        engine.execute(f"CREATE VIEW {DATA} AS SELECT * FROM {quote(next(iter(views)))}")
    return views


def _relation(head: FileHead, engine: Engine, scratch: Scratch) -> str:
    """The file as DuckDB reads it, with types, which a query can compute with."""
    kind = kind_of(head)
    path, packed = file_literal(head.path), compression(head)
    sample = -1 if head.size < WHOLE else 20_480
    if kind == "json":
        limits = f"sample_size = {sample}, maximum_object_size = {LONGEST_LINE}"
        return f"read_json({path}, compression = {packed}, {limits})"
    if kind == "delimited":
        from scorebars.readers.files import text_head
        from scorebars.readers.nul_bytes import refuse_nul_bytes

        refuse_nul_bytes(head)

        delimiter = delimiter_of(text_head(head), head.suffixes).replace("'", "''")
        return (
            f"read_csv({path}, header = true, delim = '{delimiter}', quote = '\"', escape = '\"', "
            f"compression = {packed}, sample_size = {sample}, hive_partitioning = false)"
        )
    if kind == "parquet":
        return f"read_parquet({path}, hive_partitioning = false)"
    if kind in {"arrow", "excel"}:
        source = arrow_source(head, engine, scratch) if kind == "arrow" else excel_source(head, engine)
        columns = ", ".join(f"w{place} AS {quote(name)}" for place, name in enumerate(source.names))
        return f"(SELECT {columns} FROM ({source.scan(source.names)}))"
    raise ReadError(f"{shown(head.path)} is no table that SQL can read (CSV, JSON, Parquet, Arrow, Excel, a database)")


def _result(query: str, views: Mapping[str, Sequence[str]], heads: Sequence[FileHead], engine: Engine) -> Source:
    """The rows of the query in a table of their own; from here on only the named files can be read."""
    engine.restrict([head.path for head in heads])
    table = (engine.storage(sum(head.size for head in heads) > WHOLE // 8) or "memory.") + engine.fresh_name("query")
    try:
        engine.execute_long(f"CREATE TABLE {table} AS {query}")
    except ReadError as error:
        raise _explained(error, views) from error
    engine.execute("USE memory")  # no longer the attached database
    if not engine.query(f"SELECT count(*) AS n FROM {table}")["n"][0]:
        raise NoScores("the query gives no rows; no scores are in it")
    return relation_source(table, heads[0].path, engine)


def _explained(error: ReadError, views: Mapping[str, Sequence[str]]) -> ReadError:
    """What the database says of the query, with the tables and columns that there are below it."""
    text = str(error)
    if "disabled by configuration" in text or "only local files" in text:
        text = "it reads a file that was not named among the paths; only those are read"
    made = ReadError(f"the SQL: {text}")
    lines = [f"  {quote(name)}: {', '.join(columns[:12])}" for name, columns in list(views.items())[:12]]
    made.add_note("\n".join(["tables and their columns:", *lines]))
    return made
