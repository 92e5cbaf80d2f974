"""Database files, DuckDB's and SQLite's: the table that was named, or the only one; several are listed.

They are opened read-only. No extension is loaded: SQLite comes from the standard library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines import sqlite
from scorebars.engines.duckdb import literal, quote
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError, Remedy, near_miss
from scorebars.readers.columnar import blocks_source, relation_source
from scorebars.readers.columns import is_score
from scorebars.readers.faults import located
from scorebars.readers.files import head_of, shown
from scorebars.readers.sniff import kind_of
from scorebars.readers.sources import NoScores, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine

MOST_TABLES: Final = 20
"""Tables that an error lists."""
MOST_COLUMNS: Final = 8
"""Columns of a table that it lists."""


def database_source(head: FileHead, engine: Engine) -> Source:
    """The rows of one table.

    Raises:
        ReadError: A compressed database, or one that cannot be read.
    """
    if head.compression is not None:
        raise ReadError(f"{shown(head.path)} is a compressed database; decompress it first")
    if kind_of(head) == "sqlite":
        found = sqlite.tables(head.path)
        table = _table(head, found)
        rows = sqlite.selected(head.path, f"SELECT * FROM {sqlite.identifier(table)}")
        return blocks_source(rows, head.path, engine)
    name = attached(head.path, engine)
    table = _table(head, duckdb_tables(name, engine))
    schema, _, plain = table.rpartition(".")
    return relation_source(f"{quote(name)}.{quote(schema or 'main')}.{quote(plain)}", head.path, engine)


def attached(path: Path, engine: Engine) -> str:
    """Open a DuckDB file read-only; the name it has in the engine.

    Raises:
        ReadError: What DuckDB says against the file.
    """
    name = engine.fresh_name("database")
    try:
        engine.attach(path, name)
    except ReadError as error:
        raise _unread(path, error) from error
    return name


def _unread(path: Path, error: ReadError) -> ReadError:
    """Why a DuckDB file cannot be opened: it is damaged, or is locked or of another version, in DuckDB's own words."""
    found = located(error, head_of(path))
    return found if "is damaged" in str(found) else ReadError(f"{shown(path)} cannot be opened: {error}")


def duckdb_tables(name: str, engine: Engine) -> dict[str, list[str]]:
    """Table (or view) of an attached database -> its columns; those of another schema as 'schema.table'."""
    found = engine.query(
        "SELECT CASE WHEN schema_name = 'main' THEN '' ELSE schema_name || '.' END || table_name AS name, "
        f"column_name FROM duckdb_columns() WHERE database_name = {literal(name)} AND NOT internal "
        "ORDER BY name, column_index"
    )
    tables: dict[str, list[str]] = {}
    for table, column in zip(found["name"].tolist(), found["column_name"].tolist(), strict=True):
        tables.setdefault(table, []).append(column)
    return tables


def _table(head: FileHead, tables: Mapping[str, Sequence[str]]) -> str:
    """The table to read; an error lists those that there are, with their columns and what to type."""
    if not tables:
        raise NoScores(f"{shown(head.path)} is a database without tables; no scores are in it")
    if head.member:
        if head.member not in tables:
            raise ReadError(f"{shown(head.path)} has no table '{head.member}'{near_miss(head.member, tables)}")
        return head.member
    if len(tables) == 1:
        return next(iter(tables))
    names = ", ".join(f"'{name}'" for name in list(tables)[:MOST_TABLES])
    likely = max(tables, key=lambda name: _n_known(tables[name]))  # the first of several
    error = NoScores(
        f"{shown(head.path)} has several tables ({names}): choose one ('{shown(head.path)}#{likely}'), "
        "or ask for rows with --sql"
    )
    lead = f"{_listed(tables)}\nfor rows of your own:"
    error.add_note(Remedy(lead, shown(head.path), {"--sql": _first_rows(likely, tables[likely])}))
    raise error


def _typed(name: str) -> str:
    """A name as people type it in SQL: in quotes only where it needs them."""
    return name if name.isidentifier() else quote(name)


def _n_known(columns: Sequence[str]) -> tuple[bool, int]:
    """Whether a header is one of a score, and how many are known."""
    headers = set(map(normal, columns))
    known = sum(bool(headers & set(aliases)) for aliases in ALIASES.values())
    return any(map(is_score, columns)), known


def _listed(tables: Mapping[str, Sequence[str]]) -> str:
    width = max(map(len, list(tables)[:MOST_TABLES]))
    lines = [
        f"  {name:<{width}}  {', '.join(columns[:MOST_COLUMNS])}{', …' if len(columns) > MOST_COLUMNS else ''}"
        for name, columns in list(tables.items())[:MOST_TABLES]
    ]
    return "\n".join(["tables and their columns:", *lines])


def _first_rows(table: str, columns: Sequence[str]) -> str:
    """A query for the columns of a table; for all of them where they are many."""
    chosen = ", ".join(map(_typed, columns)) if len(columns) <= MOST_COLUMNS else "*"
    return f"SELECT {chosen} FROM {'.'.join(map(_typed, table.split('.')))}"
