"""Tables of a few rows, read without the database: ten thousand such files take seconds, not minutes.

Only what is plain is read here: a file that lies in its head as a whole, one known score column, an item in every row.
Anything odd, an error too, is left to the reader of large tables, so that there is one place for it.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import Part
from scorebars.errors import ScorebarsError
from scorebars.readers.aggregates import is_error_header
from scorebars.readers.columns import arrange, explicit
from scorebars.readers.files import text_head
from scorebars.readers.json_table import json_shape, text_of
from scorebars.readers.json_values import Number
from scorebars.readers.saved_map import place
from scorebars.readers.score_columns import SUMMED
from scorebars.readers.selection import FINE, JOINER
from scorebars.readers.sniff import kind_of
from scorebars.readers.sources import delimiter_of, is_number, lines_of, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Request
    from scorebars.readers.columns import Layout

LARGEST: Final = 16_384
"""Bytes of a file that is quicker to read here."""
_OPTIONAL: Final = ("task", "run", "metric", "variant", "cluster")

Cells = list[list[str | None]]


def small_part(head: FileHead, request: Request, model: str) -> Part | None:
    """The rows of a small and plain table; None for any other."""
    whole = len(head.head) == head.size <= LARGEST and head.compression is None
    changed = request.options.categories or request.options.normalize
    if not whole or changed or head.member or any(sign in head.head for sign in SUMMED):
        return None
    try:
        kind = kind_of(head)
        found = _delimited(head) if kind == "delimited" else _json(head) if kind == "json" else None
        if found is None or place(head.path).exists():
            return None
        names, rows = found
        layout = arrange(names, explicit(request.columns, request.cluster, names), {})
    except (ScorebarsError, csv.Error, ValueError, RecursionError):
        return None
    columns = _columns(layout, names, rows, model) if _is_plain(layout, names) else None
    if columns is None:
        return None
    said = [pair for pair in layout.said if pair[0] in columns]
    if "model" not in layout.roles:
        said.append(("model", f"the file's name ('{model}')"))
    if layout.metric:
        said.append(("metric", f"the header '{layout.metric}'"))
    if not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    if layout.ignored:
        said.append(("ignored", ", ".join(f"'{name}'" for name in layout.ignored)))
    return Part(head.path, "table", columns, tuple(said))


def _is_plain(layout: Layout, names: Sequence[str]) -> bool:
    used = {name for columns in (*layout.roles.values(), layout.scores, layout.statuses) for name in columns}
    return (
        len(layout.scores) == 1
        and "item" in layout.roles
        and "weight" not in layout.roles
        and used <= set(names)
        and not any(map(is_error_header, layout.ignored))
    )


def _delimited(head: FileHead) -> tuple[tuple[str, ...], Cells] | None:
    """Headers and cells; None where lines differ in their width or their ends."""
    text = text_head(head).lstrip("\r\n")
    if "\r" in text or not text:
        return None
    headers, *rows = csv.reader(lines_of(text), delimiter=delimiter_of(text, head.suffixes), strict=True)
    rows = [row for row in rows if row]
    if any(len(row) != len(headers) for row in rows) or all(is_number(cell) for cell in headers if cell.strip()):
        return None
    cells: Cells = [[cell or None for cell in row] for row in rows]
    return named(headers, head.path), cells


def _json(head: FileHead) -> tuple[tuple[str, ...], Cells] | None:
    """Keys and cells of records; None for JSON of another shape."""
    shape = json_shape(head)
    if shape == "value":
        return None
    text = text_head(head)
    texts = [text] if shape == "array" else [line for line in text.splitlines() if line.strip()]
    loaded = [json.loads(each, parse_int=Number, parse_float=_float, parse_constant=_refused) for each in texts]
    records = loaded[0] if shape == "array" else loaded
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    first = list(records[0])
    keys = first + sorted({key for record in records for key in record} - set(first))
    return named(keys, head.path), [[text_of(record.get(key)) for key in keys] for record in records]


def _float(text: str) -> Number:
    return Number(repr(float(text)))


def _refused(text: str) -> Any:
    raise ValueError(text)


def _columns(layout: Layout, names: Sequence[str], rows: Cells, model: str) -> dict[str, NDArray[Any]] | None:
    """Role -> cells; None where a row lacks what it must have, or where a column asks for a closer look."""
    at = {name: number for number, name in enumerate(names)}
    wanted = [at[name] for columns in (*layout.roles.values(), layout.scores, layout.statuses) for name in columns]
    rows = [row for row in rows if any(row[number] is not None for number in wanted)]
    found: dict[str, list[str | None]] = {
        role: [_joined([row[at[name]] for name in columns]) for row in rows] for role, columns in layout.roles.items()
    }
    found["score"] = [row[at[layout.scores[0]]] for row in rows]
    found.setdefault("model", [model] * len(rows))
    if layout.metric:
        found["metric"] = [layout.metric] * len(rows)
    empty = {role for role in _OPTIONAL if role in found and not any(found[role])}
    ids = [cell for role in ("item", "run") if role not in empty for cell in found.get(role, ())]
    odd = (
        not rows
        or None in found["model"]
        or None in found["item"]
        or empty & layout.asked
        or any(cell is not None and cell.endswith(".0") for cell in ids)
        or any(cell is not None and cell.lstrip().startswith("[") for cell in found["score"])
    )
    if odd:
        return None
    if layout.statuses:
        found["status"] = [_status(row[at[name]] for name in layout.statuses) for row in rows]
    found["row_hash"] = ["\x1f".join(cell or "" for cell in row) for row in rows]
    return {role: _array(cells) for role, cells in found.items() if role not in empty}


def _joined(cells: Sequence[str | None]) -> str | None:
    """One trimmed text; None only if every part is."""
    parts = [trimmed for cell in cells if cell and (trimmed := cell.strip(" "))]
    return JOINER.join(parts) if parts else None


def _status(cells: Iterable[str | None]) -> str:
    return "ok" if all((cell or "").strip(" ").lower() in FINE for cell in cells) else "error"


def _array(cells: Sequence[str | None]) -> NDArray[Any]:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column
