"""Rows of a CSV file as text, one at a time, with their lines: for formats whose columns are fixed or many."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from scorebars.errors import ReadError
from scorebars.readers.files import bad_byte, plain_bytes, shown
from scorebars.readers.sources import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.contracts import FileHead


def header_of(head: FileHead) -> list[str]:
    """The first row of a head, for detection; empty if it is no CSV."""
    rows = rows_of(head.head.decode("utf-8-sig", errors="replace"), ",")
    return [cell.strip() for cell in rows[0]] if rows else []


def csv_rows(head: FileHead) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row with a filled cell, the header first.

    Raises:
        ReadError: Not UTF-8, no CSV, or a row of another width than the header's.
    """
    path, width = shown(head.path), 0
    with plain_bytes(head) as stream:
        rows = csv.reader(io.TextIOWrapper(stream, encoding="utf-8-sig", newline=""), strict=True)
        try:
            for row in rows:
                if not any(row):
                    continue
                width = width or len(row)
                if len(row) != width:
                    raise ReadError(f"{path}: line {rows.line_num} has {len(row)} cells, the header has {width}")
                yield rows.line_num, row
        except UnicodeDecodeError as error:
            raise ReadError(bad_byte(head) or f"{path} is not UTF-8") from error
        except csv.Error as error:
            raise ReadError(f"{path}: line {rows.line_num} is no CSV ({error})") from error


def number_of(text: str, where: str) -> float:
    """A cell as a finite number; NaN where it is empty."""
    try:
        number = float(text) if text.strip() else math.nan
    except ValueError as error:
        raise ReadError(f"{where}: '{text}' is not a number") from error
    if math.isinf(number):
        raise ReadError(f"{where}: '{text}' is infinite; a value is a finite number (empty if there is none)")
    return number
