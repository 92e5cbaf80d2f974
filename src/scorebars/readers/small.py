"""Tables of a few rows, read without the database: what people type costs no start of one, nor do ten thousand files.

Only what is plain is read here: one known score column, an item in every row. Anything odd, an error too, is left to
the reader of large tables, so that there is one place for it.
"""

from __future__ import annotations

import csv
import json
import re
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import Part
from scorebars.engines.headers import less_is_better
from scorebars.errors import ScorebarsError
from scorebars.readers.aggregates import is_error_header
from scorebars.readers.columns import arrange, explicit, split_column
from scorebars.readers.files import opened, text_head
from scorebars.readers.filling import IDENTITY, OPTIONAL
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

    Cells = Sequence[str | None]

LARGEST: Final = 16_384
"""Bytes of a file that is quicker to read here, once the database is open."""
LARGEST_TOGETHER: Final = 2 << 20
"""Bytes of all files that are quicker to read here than to open the database for."""
_LOOSE_QUOTE = re.compile(r'(?:^|[\n,;|\t])[ \t]+"')
"""A quote after blanks opens a cell for the database and is a letter for the standard library."""
_UNIT: Final = "\x1f"
"""Between the texts of a row: no table has it."""


def largest(heads: Sequence[FileHead]) -> int:
    """Up to how many bytes each of these files is read here."""
    return LARGEST_TOGETHER if sum(head.size for head in heads) <= LARGEST_TOGETHER else LARGEST


def small_part(
    head: FileHead, request: Request, model: str, *, most: int = LARGEST, alone: bool = False
) -> Part | None:
    """The rows of a small and plain table; None for any other.

    Args:
        head: The file.
        request: What was asked.
        model: Its model, if no column says it.
        most: Bytes up to which a file is small.
        alone: Whether no other file is read, which could hold copies of its rows.
    """
    changed = request.options.categories or request.options.normalize or request.options.split
    if head.size > most or head.compression is not None or changed or head.member or place(head.path).exists():
        return None
    try:
        kind = kind_of(head)
        table = _delimited if kind == "delimited" else _json if kind == "json" else None
        found = table(head, _text(head)) if table else None
        if found is None:
            return None
        names, cells = found
        layout = arrange(names, explicit(request.columns, request.cluster, names), {})
    except (ScorebarsError, csv.Error, ValueError, RecursionError):
        return None
    columns = _columns(layout, dict(zip(names, cells, strict=True)), model) if _is_plain(layout, names) else None
    doubtful = alone or "model" not in layout.roles or layout.roles.get("item") != ("item",)
    if columns is None or (doubtful and _repeats(columns)):
        return None
    if not alone:
        columns["row_hash"] = _array([_UNIT.join(cell or "" for cell in row) for row in zip(*cells, strict=True)])
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


def _text(head: FileHead) -> str:
    """The whole file; a ValueError where it is not UTF-8 to its end or holds what is not read here."""
    if len(head.head) == head.size:
        data = head.head
    else:
        with opened(head.path) as stream:
            data = stream.read(head.size + 1)
    if len(data) != head.size or b"\0" in data or any(sign in data for sign in SUMMED):
        raise ValueError("not read here")
    return data.decode("utf-8-sig")


def _is_plain(layout: Layout, names: Sequence[str]) -> bool:
    used = {name for columns in (*layout.roles.values(), layout.scores, layout.statuses) for name in columns}
    return (
        len(layout.scores) == 1
        and "item" in layout.roles
        and "weight" not in layout.roles
        and used <= set(names)
        and not any(map(is_error_header, layout.ignored))
        and not split_column(layout)
        and not less_is_better(layout.scores[0])
    )


def _delimited(head: FileHead, text: str) -> tuple[tuple[str, ...], list[Cells]] | None:
    """Headers and columns; None where lines differ in their width or their ends."""
    text = text.lstrip("\n")
    if "\r" in text or not text:
        return None
    delimiter = delimiter_of(text_head(head).lstrip("\n"), head.suffixes)
    headers, columns = _quoted(text, delimiter) if '"' in text else _unquoted(text, delimiter)
    if not columns or all(is_number(cell) for cell in headers if cell.strip()):
        return None
    return named(headers, head.path), [_filled(column) for column in columns]


def _unquoted(text: str, delimiter: str) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The first line and the columns below it, of text without a quote: cells are cut at once, not row by row."""
    lines = [line for line in text.split("\n") if line]
    width = lines[0].count(delimiter) + 1
    if len(lines) < 2 or set(map(str.count, lines, repeat(delimiter))) != {width - 1}:
        return (), ()
    cells = delimiter.join(lines).split(delimiter)
    return cells[:width], [cells[width + place :: width] for place in range(width)]


def _quoted(text: str, delimiter: str) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The same for any text."""
    if _LOOSE_QUOTE.search(text):
        return (), ()
    headers, *rows = csv.reader(lines_of(text), delimiter=delimiter, strict=True)
    rows = [row for row in rows if row]
    if set(map(len, rows)) != {len(headers)}:
        return (), ()
    return headers, list(zip(*rows, strict=True))


def _filled(column: Sequence[str]) -> Cells:
    """Empty cells as None."""
    return [cell or None for cell in column] if "" in column else column


def _json(head: FileHead, text: str) -> tuple[tuple[str, ...], list[Cells]] | None:
    """Keys and columns of records; None for JSON of another shape."""
    from scorebars.readers.json_table import json_shape, text_of
    from scorebars.readers.json_values import Number

    shape = json_shape(head)
    if shape == "value":
        return None
    texts = [text] if shape == "array" else [line for line in text.split("\n") if line.strip()]

    def number(text: str) -> Number:
        return Number(repr(float(text)))

    loaded = [json.loads(each, parse_int=Number, parse_float=number, parse_constant=_refused) for each in texts]
    records = loaded[0] if shape == "array" else loaded
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    first = list(records[0])
    keys = first + sorted({key for record in records for key in record} - set(first))
    return named(keys, head.path), [[text_of(record.get(key)) for record in records] for key in keys]


def _refused(text: str) -> Any:
    raise ValueError(text)


def _columns(layout: Layout, cells: dict[str, Cells], model: str) -> dict[str, NDArray[Any]] | None:
    """Role -> cells; None where a row lacks what it must have, or where a column asks for a closer look."""
    score = cells[layout.scores[0]]
    found: dict[str, Cells] = {role: _id(*(cells[name] for name in names)) for role, names in layout.roles.items()}
    found["score"] = score
    found.setdefault("model", [model] * len(score))
    if layout.metric:
        found["metric"] = [layout.metric] * len(score)
    empty = {role for role in OPTIONAL if role in found and not any(found[role])}
    ids = {cell for role in ("item", "run") if role not in empty for cell in found.get(role, ())}
    odd = (
        not score
        or None in found["model"]
        or None in found["item"]
        or empty & layout.asked
        or any(cell is not None and cell.endswith(".0") for cell in ids)
        or any(cell is not None and cell.lstrip().startswith("[") for cell in set(score))
    )
    if odd:
        return None
    if layout.statuses:
        found["status"] = [_status(each) for each in zip(*(cells[name] for name in layout.statuses), strict=True)]
    return {role: _array(each) for role, each in found.items() if role not in empty}


def _repeats(columns: dict[str, NDArray[Any]]) -> bool:
    """Whether an attempt may stand in two rows: then copies have to be told from repeats."""
    named = [columns[role].tolist() for role in (*IDENTITY, "run") if role in columns]
    several = [column for column in named if len(set(column)) > 1] or named[:1]
    if len(several) == 1 or any(None in column for column in several):
        keys: Iterable[object] = several[0] if len(several) == 1 else zip(*several, strict=True)
    else:
        keys = map(_UNIT.join, zip(*several, strict=True))  # texts, which the garbage collector does not walk
    return len(set(keys)) < len(named[0])


def _id(*columns: Cells) -> Cells:
    """The trimmed text of each row; of several columns, their texts joined."""
    if len(columns) > 1:
        return [_joined(row) for row in zip(*columns, strict=True)]
    trimmed = {cell: _joined((cell,)) for cell in set(columns[0])}
    same = all(cell == text for cell, text in trimmed.items())
    return columns[0] if same else [trimmed[cell] for cell in columns[0]]


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
