"""Last rows without an id that sum up the rows above them, as people put the total below a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed
from scorebars.errors import ReadError, Remedy
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.files import shown
from scorebars.readers.scoreless import in_sql

if TYPE_CHECKING:
    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

FEWEST: Final = 5
"""Rows above it."""
MOST: Final = 20_000
"""Rows of a table that is looked through."""
_COLUMNS: Final = 10
_ROUNDED: Final = 0.0051
"""How far a mean that is written with two digits is from its own."""


def sum_of_others(table: str, row: int, engine: Engine) -> str:
    """Of what the scores of a row are: the 'mean' or 'sum' of the others of its columns; '' of neither.

    Args:
        table: The rows under our names.
        row: The row of the file.
        engine: Where the table is.
    """
    names = engine.columns(f"SELECT * FROM {table}")
    number = "source_row" if "source_row" in names else "rowid + 1"
    # A row of totals may name no model either; its columns are models, or metrics, in a wide table.
    several = engine.query(f"SELECT count(*) AS n FROM {table} WHERE {number} = {row}")["n"][0] > 1
    group = ", ".join(role for role in ("model", "metric") if role in names) if several else "true"
    found = engine.query(
        f"SELECT count(*) AS n, min(others) AS others, bool_and(abs(own - mean) <= {_ROUNDED}) AS mean, "
        "bool_and(abs(own - total) <= 1e-6) AS total, bool_or(own NOT IN (0, 1)) AS odd FROM ("
        f"SELECT any_value(score) FILTER ({number} = {row}) AS own, avg(score) FILTER ({number} <> {row}) AS mean, "
        f"sum(score) FILTER ({number} <> {row}) AS total, count(score) FILTER ({number} <> {row}) AS others "
        f"FROM (SELECT * REPLACE (try_cast(score AS DOUBLE) AS score), rowid FROM {table}) GROUP BY {group})"
    )
    if not found["odd"][0] or int(found["others"][0]) < FEWEST:
        return ""
    return "mean" if found["mean"][0] else "sum" if found["total"][0] else ""


def refuse_unlabelled_total(layout: Layout, source: Source, head: FileHead, table: str, n: int, engine: Engine) -> None:
    """Refuse a table without items whose last row sums up the others, and has no text in a column that they fill.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        head: The file.
        table: The rows under our names.
        n: How many they are.
        engine: Where the table is.

    Raises:
        ReadError: It does.
    """
    names = layout.ignored[:_COLUMNS]
    if layout.has_item or layout.wide or layout.several or not names or not FEWEST < n <= MOST:
        return
    cells = trimmed_cells(len(names))
    empty = ", ".join(f"list(place) FILTER ({cell} = '') AS e{number}" for number, cell in enumerate(cells))
    found = engine.query(f"SELECT {empty} FROM (SELECT *, row_number() OVER () AS place FROM ({source.scan(names)}))")
    lacking = [name for number, name in enumerate(names) if _is_last(found[f"e{number}"][0], n)]
    kind = sum_of_others(table, n, engine) if lacking else ""
    if not kind:
        return
    name = lacking[0]
    query = f"SELECT * FROM data WHERE coalesce(trim({in_sql(name)}::VARCHAR), '') <> ''"
    said = f"row {n:,}, the last, has no '{name}' and sums up the rows above it ({kind}): leave it out"
    error = ReadError(f"{said} of the file" if is_unnamed(name) else said)
    if not is_unnamed(name):
        error.add_note(Remedy("without it:", shown(head.path), {"--sql": query}))
    raise error


def _is_last(places: object, n: int) -> bool:
    """Whether the only empty cell of a column is that of the last row."""
    return places is not None and list(places) == [n]  # type: ignore[call-overload]
