"""Weights of a table that are none: named by their row, with the queries that leave such rows or the column out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.coding import LARGEST
from scorebars.engines.headers import mapped, may_weigh
from scorebars.errors import ReadError, Remedy, counted
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.scoreless import in_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

_COLUMNAR: Final = frozenset({".parquet", ".arrow", ".arrows", ".feather", ".xlsx"})
"""Endings of files, beside those of lines, whose columns a query sees as the reader does."""
_COMMA: Final = re.compile(r"[+-]?\d*,\d+")


def unused_weights(layout: Layout, source: Source, engine: Engine) -> tuple[Note, ...]:
    """``unused-weights`` where a column that is called so holds different numbers, and no other weights the items."""
    names = () if "weight" in layout.roles else tuple(filter(may_weigh, layout.ignored))
    for name in names:
        number = "try_cast(trim(w0) AS DOUBLE)"
        found = engine.query(
            f"SELECT count({number}) AS n, count(*) AS rows, min({number}) AS low, max({number}) AS high "
            f"FROM ({source.scan([name])})"
        )
        if found["n"][0] and 0.0 <= found["low"][0] < found["high"][0] <= LARGEST:
            return (note("unused-weights", column=name, remedy=mapped({"weight": name})),)
    return ()


def refuse_bad_weights(layout: Layout, source: Source, head: FileHead, table: str, engine: Engine) -> None:
    """Refuse a table with a weight that is empty, no number, negative or without end.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        head: The file.
        table: The rows under our names.
        engine: Where the table is.

    Raises:
        ReadError: It has one; with the commands that leave such rows, or the weights, out.
    """
    number = "source_row" if "source_row" in engine.columns(f"SELECT * FROM {table}") else "rowid + 1"
    bad = "weight IS NULL OR NOT isfinite(weight) OR weight < 0"
    found = engine.query(
        f"SELECT coalesce(min({number}) FILTER ({bad}), 0) AS row, count(DISTINCT {number}) FILTER ({bad}) AS n, "
        f"count(DISTINCT {number}) AS rows FROM {table}"
    )
    row, n, n_rows = (int(found[name][0]) for name in ("row", "n", "rows"))
    if not row:
        return
    names = layout.roles["weight"]
    cells = engine.query(f"SELECT trim(w0) AS cell FROM ({source.scan(names)}) LIMIT 1 OFFSET {row - 1}")["cell"]
    cell = str(cells[0] or "") if len(cells) else ""
    held = f"has the weight '{cell}'" if cell else "has no weight"
    more = f", {n:,} of {counted(n_rows, 'row')} have none that counts" if n > 1 else ""
    error = ReadError(
        f"row {row:,} {held} (it is taken from '{names[0]}'{more}); a weight is a finite number, 0 or "
        f"more: mend it, or leave such rows or the weights out{_asked(layout, names)}"
    )
    for said in _remedies(layout, source, head, cell, every=n == n_rows):
        error.add_note(said)
    raise error


def _remedies(layout: Layout, source: Source, head: FileHead, cell: str, *, every: bool) -> list[Remedy]:
    """The commands, where a query sees the column; where every row has such a weight, none is left without them."""
    names = layout.roles["weight"]
    if not _is_queried(source, head) or len(names) != 1:
        return []
    path, name = shown(head.path), in_sql(names[0])
    found = []
    if _COMMA.fullmatch(cell):
        turned = f"SELECT * REPLACE (replace({name}::VARCHAR, ',', '.') AS {name}) FROM data"
        found.append(Remedy("if its comma is a decimal one:", path, {"--sql": turned}))
    if not every:
        kept = f"SELECT * FROM data WHERE try_cast({name} AS DOUBLE) BETWEEN 0 AND {LARGEST:g}"
        found.append(Remedy("without such rows:", path, {"--sql": kept}))
    if "weight" not in layout.asked:
        found.append(Remedy("without weights:", path, {"--sql": f"SELECT * EXCLUDE ({name}) FROM data"}))
    return found


def _asked(layout: Layout, names: Sequence[str]) -> str:
    """How to leave weights out that a mapping asks for."""
    return f" (then without {mapped({'weight': '+'.join(names)})})" if "weight" in layout.asked else ""


def _is_queried(source: Source, head: FileHead) -> bool:
    if head.member or any(role == "rows" for role, _ in source.said):
        return False
    return source.unit == "line" or head.path.suffix.lower() in _COLUMNAR
