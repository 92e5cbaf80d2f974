"""Tables of a few rows, read without the database: what people type costs no start of one, nor do ten thousand files.

Only what is plain is read here: one known score column, an item in every row. Anything odd, an error too, is left to
the reader of large tables, so that there is one place for it.
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import Part
from scorebars.engines.headers import less_is_better
from scorebars.errors import ScorebarsError
from scorebars.kernels.distinct import distinct
from scorebars.readers.aggregates import is_error_header
from scorebars.readers.columns import arrange, explicit, split_column
from scorebars.readers.counts import is_part, may_be_counted
from scorebars.readers.file_names import as_cells, by_name
from scorebars.readers.files import opened, text_head
from scorebars.readers.filling import IDENTITY, OPTIONAL
from scorebars.readers.numbered import runs_among
from scorebars.readers.saved_map import place
from scorebars.readers.score_columns import SUMMED
from scorebars.readers.selection import FINE, JOINER
from scorebars.readers.sniff import kind_of
from scorebars.readers.sources import delimiter_of, is_number, lines_of, named
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Listing, Request
    from scorebars.readers.columns import Layout

    Cells = Sequence[str | None]

LARGEST: Final = 16_384
"""Bytes of a file that is quicker to read here, once the database is open."""
LARGEST_TOGETHER: Final = 2 << 20
"""Bytes of all files that are quicker to read here than to open the database for."""
_LOOSE_QUOTE = re.compile(r'(?:^|[\n,;|\t])[ \t]+"')
"""A quote after blanks opens a cell for the database and is a letter for the standard library."""
_FIRST_ROWS: Final = 50
MANY_KEYS: Final = 1 << 30
"""More combinations of ids than this are numbered anew before another id is joined to them."""
_FIRST_NUMBERS: Final = ("0", "1")
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
        named_by_file = by_name(head.path, request.columns)
        names, cells = (*found[0], *named_by_file.texts), [*found[1], *as_cells(named_by_file, found[1])]
        layout = arrange(names, explicit(named_by_file.columns(request.columns), request.cluster, names), {})
    except (ScorebarsError, csv.Error, ValueError, RecursionError):
        return None
    plain = _is_plain(layout, names) and ("model" in layout.roles or not _has_objects(cells))
    model, where = named_by_file.model(model)
    filled = _columns(layout, dict(zip(names, cells, strict=True)), model) if plain else None
    if filled is None or _is_doubtful(layout, names, cells, filled[1], alone=alone):
        return None
    columns, coded = filled
    pairs = tuple((columns[role], column) for role, column in coded.items())
    if not alone:
        columns["row_hash"] = _array([_UNIT.join(cell or "" for cell in row) for row in zip(*cells, strict=True)])
    listings = _listings(layout, dict(zip(names, cells, strict=True)), columns)
    return Part(head.path, "table", columns, _said(layout, where, columns), coded=pairs, listings=listings)


def _listings(layout: Layout, cells: Mapping[str, Cells], columns: Mapping[str, NDArray[Any]]) -> tuple[Listing, ...]:
    """What may be the ids of rows whose known ids only number them, as they do from the first row on."""
    if not layout.ignored or "item" in layout.asked or columns["item"][0] not in _FIRST_NUMBERS:
        return ()
    from scorebars.readers.row_numbers import listings_of

    return listings_of(layout, cells, columns)


def _said(layout: Layout, where: str, columns: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Where each role came from."""
    said = [pair for pair in layout.said if pair[0] in columns]
    if "model" not in layout.roles:
        said.append(("model", where))
    if layout.metric:
        said.append(("metric", f"the header '{layout.metric}'"))
    if not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    if layout.ignored:
        said.append(("ignored", ", ".join(f"'{name}'" for name in layout.ignored)))
    return tuple(said)


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
        and not runs_among(layout.ignored)
        and not may_be_counted(layout.ignored)
    )


def _has_objects(columns: Sequence[Cells]) -> bool:
    """Whether a JSON object, which may name a model, stands in the first rows."""
    return any(cell is not None and cell.startswith("{") for column in columns for cell in column[:_FIRST_ROWS])


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
    lines = "\n".join(line for line in text.split("\n") if line) if "\n\n" in text else text.removesuffix("\n")
    width = lines[: lines.find("\n") + 1].count(delimiter) + 1
    if "\n" not in lines or not _is_even(lines, delimiter, width):
        return (), ()
    cells = lines.replace("\n", delimiter).split(delimiter)
    return cells[:width], [cells[width + place :: width] for place in range(width)]


def _is_even(lines: str, delimiter: str, width: int) -> bool:
    """Whether each line has so many cells, of text without a quote: every so-manieth end of a cell is one of a line."""
    letters = np.frombuffer(lines.encode(), np.uint8)
    ends = letters[(letters == ord("\n")) | (letters == ord(delimiter))] == ord("\n")
    n_lines = int(np.count_nonzero(ends)) + 1
    return len(ends) + 1 == n_lines * width and bool(np.all(ends[width - 1 :: width]))


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
    from scorebars.readers.document import once
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
    if text.count('":') != sum(map(len, records)):  # nested, a text with such signs in it, or a key twice
        for each in texts:
            json.loads(each, object_pairs_hook=once)
    first = list(records[0])
    keys = first + sorted({key for record in records for key in record} - set(first))
    return named(keys, head.path), [[text_of(record.get(key)) for record in records] for key in keys]


def _refused(text: str) -> Any:
    raise ValueError(text)


def _columns(
    layout: Layout, cells: dict[str, Cells], model: str
) -> tuple[dict[str, NDArray[Any]], dict[str, Column]] | None:
    """Role -> cells, and -> codes of ids; None where a row lacks what it must have, or asks for a closer look."""
    score = cells[layout.scores[0]]
    found: dict[str, Cells] = {}
    coded: dict[str, Column] = {}
    for role, names in layout.roles.items():
        found[role], coded[role] = _id(*(cells[name] for name in names))
    for role, text in (("model", "" if "model" in found else model), ("metric", layout.metric)):
        if text:
            found[role], coded[role] = [text] * len(score), Column.constant(text, len(score))
    empty = {role for role in OPTIONAL if role in coded and not coded[role].n_labels}
    ids = [text for role in ("item", "run") if role in coded for text in coded[role].labels.tolist()]
    odd = (
        not score
        or any(np.any(coded[role].codes < 0) for role in ("model", "item"))
        or empty & layout.asked
        or _is_spelled_twice(coded["model"], [cells[name] for name in layout.roles.get("model", ())])
        or any(text.endswith(".0") or text.startswith("[") for text in ids)
        or any(cell is not None and (cell.lstrip().startswith("[") or is_part(cell)) for cell in set(score))
    )
    if odd:
        return None
    found["score"] = score
    if layout.statuses:
        found["status"] = [_status(each) for each in zip(*(cells[name] for name in layout.statuses), strict=True)]
    kept = {role: _array(each) for role, each in found.items() if role not in empty}
    return kept, {role: column for role, column in coded.items() if role not in empty}


def _is_spelled_twice(models: Column, columns: Sequence[Cells]) -> bool:
    """Whether two models of one column differ only in blanks around them, of which a note is due."""
    return len(columns) == 1 and sum(bool(cell and cell.strip(" ")) for cell in set(columns[0])) > models.n_labels


def _is_doubtful(
    layout: Layout, names: Sequence[str], cells: Sequence[Cells], coded: dict[str, Column], *, alone: bool
) -> bool:
    """Whether rows of one attempt have to be told from others: there are some, and they may be something else."""
    doubtful = alone or "model" not in layout.roles or layout.roles.get("item") != ("item",)
    if not (doubtful or layout.ignored) or not _repeats(coded):
        return False
    return doubtful or _may_tell(layout, dict(zip(names, cells, strict=True)))


def _may_tell(layout: Layout, cells: Mapping[str, Cells]) -> bool:
    """Whether a column of few values, without a role, may tell rows of one attempt apart."""
    from scorebars.readers.unknown_headers import may_tell

    few = (name for name in layout.ignored if 1 < len(set(cells[name])) <= len(cells[name]) // 2)
    return any(map(may_tell, few))


def _repeats(coded: dict[str, Column]) -> bool:
    """Whether an attempt may stand in two rows: then copies have to be told from repeats."""
    keys, n_keys = np.zeros(len(coded["model"].codes), np.int64), 1
    for column in (coded[role] for role in (*IDENTITY, "run") if role in coded):
        if n_keys > MANY_KEYS:
            keys = np.unique(keys, return_inverse=True)[1]
            n_keys = len(keys)
        keys = keys * (column.n_labels + 1) + column.codes + 1
        n_keys *= column.n_labels + 1
    if n_keys <= 8 * len(keys):
        return bool(np.bincount(keys).max() > 1)
    return len(distinct(keys)) < len(keys)


def _id(*columns: Cells) -> tuple[Cells, Column]:
    """The trimmed text of each row, and its code; of several columns, their texts joined."""
    cells = columns[0] if len(columns) == 1 else [_joined(row) for row in zip(*columns, strict=True)]
    trimmed = {cell: _joined((cell,)) for cell in dict.fromkeys(cells)}
    labels = sorted({text for text in trimmed.values() if text is not None})
    place = {text: code for code, text in enumerate(labels)}
    code_of = {cell: -1 if text is None else place[text] for cell, text in trimmed.items()}
    codes = np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells))
    same = all(cell == text for cell, text in trimmed.items())
    return cells if same else [trimmed[cell] for cell in cells], Column.of(codes, _array(labels))


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
