"""Rows of a CSV file as text, one at a time, with their lines: for formats whose columns are fixed or many."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from scorebars.errors import ReadError
from scorebars.readers.delimited import rows_of
from scorebars.readers.files import bad_byte, plain_bytes, shown
from scorebars.readers.last_line import is_ended
from scorebars.readers.nul_bytes import refuse_nul_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorebars.contracts import FileHead


def header_of(head: FileHead) -> list[str]:
    """The first row of a head, for detection; empty if it is no CSV."""
    rows = rows_of(head.head.decode("utf-8-sig", errors="replace"), ",", 1)
    return [cell.strip() for cell in rows[0]] if rows else []


def csv_rows(head: FileHead, unended: list[str] | None = None) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row with a filled cell, the header first.

    Args:
        head: The file.
        unended: Where each line ends with a line break as it is written, one that does not was cut short, and its last
            cell may be: it is not among the rows, and this list gets it.

    Raises:
        ReadError: Not UTF-8, a NUL byte, no CSV, or a row of another width than the header's.
    """
    path, width = shown(head.path), 0
    is_cut = unended is not None and not is_ended(head)
    with plain_bytes(head) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        rows = csv.reader(_without_nul(text, head), strict=True)
        try:
            found = ((rows.line_num, row) for row in rows if any(row))
            for line, row in _without_last(found, unended) if unended is not None and is_cut else found:
                width = width or len(row)
                if len(row) != width:
                    raise ReadError(f"{path}: line {line} has {len(row)} cells, the header has {width}")
                yield line, row
        except UnicodeDecodeError as error:
            raise ReadError(bad_byte(head) or f"{path} is not UTF-8") from error
        except csv.Error as error:
            raise ReadError(f"{path}: line {rows.line_num} is no CSV ({error})") from error


def _without_nul(lines: Iterable[str], head: FileHead) -> Iterator[str]:
    """The lines, none of which has a NUL byte."""
    for line in lines:
        if "\0" in line:
            refuse_nul_bytes(head)
        yield line


def _without_last(rows: Iterator[tuple[int, list[str]]], last: list[str]) -> Iterator[tuple[int, list[str]]]:
    """All rows but the last, which goes into the list; the first, a header, is always a row."""
    held = next(rows, None)
    if held is None:
        return
    yield held
    held = next(rows, None)
    for row in rows:
        if held is not None:
            yield held
        held = row
    if held is not None:
        last.append(",".join(held[1]))


def number_of(text: str, where: str) -> float:
    """A cell as a finite number; NaN where it is empty.

    Raises:
        ReadError: Text that is no number, or an infinite one.
    """
    try:
        number = float(text) if text.strip() else math.nan
    except ValueError as error:
        raise ReadError(f"{where}: '{text}' is not a number") from error
    if math.isinf(number):
        raise ReadError(f"{where}: '{text}' is infinite; a value is a finite number (empty if there is none)")
    return number
