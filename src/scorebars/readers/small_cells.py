"""The cells of a small text file, column by column: of delimited lines, and of JSON records."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.readers.delimited import delimiter_of, lines_of
from scorebars.readers.files import text_head
from scorebars.readers.sources import is_number, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import FileHead

    Cells = Sequence[str | None]

_LOOSE_QUOTE = re.compile(r'(?:^|[\n,;|\t])[ \t]+"')
"""A quote after blanks opens a cell for the database and is a letter for the standard library."""
CUT_AT_ONCE: Final = 1 << 16
"""Letters of a text from which its cells are sooner told apart all at once than cut one by one."""


def delimited_cells(head: FileHead, text: str) -> tuple[tuple[str, ...], list[Cells]] | None:
    """Headers and columns; None where lines differ in their width or their ends."""
    text = text.lstrip("\n")
    if "\r" in text or not text:
        return None
    delimiter = delimiter_of(text_head(head).lstrip("\n"), head.suffixes)
    if not text.endswith("\n") and _may_be_cut(head, delimiter):
        return None
    headers, columns = (_quoted if '"' in text else _unquoted)(text, delimiter)
    if not columns or all(is_number(cell) for cell in headers if cell.strip()) or not all(map(str.strip, headers[1:])):
        return None
    return named(headers, head.path), list(columns)


def _may_be_cut(head: FileHead, delimiter: str) -> bool:
    """Whether the last number, which no line break follows, looks cut short; an error where it is not even whole."""
    from scorebars.readers.last_line import cut_number

    return bool(cut_number(head, delimiter))


def _unquoted(text: str, delimiter: str) -> tuple[Sequence[str], Sequence[Cells]]:
    """The first line and the columns below it, of text without a quote: cells are cut at once, not row by row."""
    if len(text) >= CUT_AT_ONCE and "\n\n" not in text:
        from scorebars.readers.cut_cells import cut_columns

        if cut := cut_columns(text.encode(), delimiter):
            return cut
    lines = "\n".join(line for line in text.split("\n") if line) if "\n\n" in text else text.removesuffix("\n")
    width = lines[: lines.find("\n") + 1].count(delimiter) + 1
    if "\n" not in lines or not _is_even(lines, delimiter, width):
        return (), ()
    joined = lines.replace("\n", delimiter)
    cells = joined.split(delimiter)
    columns = [cells[width + place :: width] for place in range(width)]
    if delimiter * 2 in joined or joined.endswith(delimiter):
        return cells[:width], [_filled(column) for column in columns]
    return cells[:width], columns


def _is_even(lines: str, delimiter: str, width: int) -> bool:
    """Whether each line has so many cells, of text without a quote: every so-manieth end of a cell is one of a line."""
    letters = np.frombuffer(lines.encode(), np.uint8)
    line_ends = letters == ord("\n")
    of_lines, of_cells = np.flatnonzero(line_ends), np.flatnonzero(line_ends | (letters == ord(delimiter)))
    return len(of_cells) + 1 == (len(of_lines) + 1) * width and np.array_equal(of_cells[width - 1 :: width], of_lines)


def _quoted(text: str, delimiter: str) -> tuple[Sequence[str], Sequence[Cells]]:
    """The same for any text."""
    if _LOOSE_QUOTE.search(text):
        return (), ()
    headers, *rows = csv.reader(lines_of(text), delimiter=delimiter, strict=True)
    rows = [row for row in rows if row]
    if set(map(len, rows)) != {len(headers)}:
        return (), ()
    return headers, [_filled(column) for column in zip(*rows, strict=True)]


def _filled(column: Sequence[str]) -> Cells:
    """Empty cells as None."""
    return [cell or None for cell in column] if "" in column else column


def json_cells(head: FileHead, text: str) -> tuple[tuple[str, ...], list[Cells]] | None:
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
