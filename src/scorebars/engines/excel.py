"""Sheets of Excel workbooks as text columns, by openpyxl, which the extra 'excel' installs."""

from __future__ import annotations

import datetime as dt
import warnings
import zipfile
import zlib
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.above_header import LINES, n_above
from scorebars.errors import ReadError, near_miss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

LARGEST: Final = 1 << 29
"""Bytes of all members of a workbook, decompressed, as of other zip files: more is no table that people made."""
_BROKEN: Final = (zlib.error, zipfile.BadZipFile, EOFError, SyntaxError, KeyError, ValueError)
"""What reading cells of a broken archive raises; a SyntaxError is one of its XML."""


@contextmanager
def workbook(path: Path, stream: IO[bytes], *, values: bool = True) -> Iterator[Any]:
    """The open workbook: the values that its program stored, or the formulas.

    Raises:
        ReadError: openpyxl is not installed, or cannot read the file.
    """
    if find_spec("openpyxl") is None:
        raise ReadError(
            f"{path} is an Excel workbook, which openpyxl reads, and it is not installed; "
            "install it: pip install openpyxl, or save the sheet as CSV"
        )
    import openpyxl

    try:
        _check_size(path, stream)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and validations that openpyxl does not know
            book = openpyxl.load_workbook(stream, read_only=True, data_only=values, keep_links=False)
    except ReadError:
        raise
    except Exception as error:  # openpyxl raises whatever the broken part of the archive leads to
        raise ReadError(_damaged(path, error)) from error
    try:
        yield book
    except ReadError:
        raise
    except _BROKEN as error:
        raise ReadError(_damaged(path, error)) from error
    finally:
        book.close()


def _damaged(path: Path, error: Exception) -> str:
    return (
        f"{path} is damaged or truncated, or no Excel workbook: {_first_line(error)}; copy it again, or save it again "
        "as .xlsx or CSV"
    )


def _check_size(path: Path, stream: IO[bytes]) -> None:
    with zipfile.ZipFile(stream) as archive:
        largest = max(archive.infolist(), key=lambda member: member.file_size, default=None)
        total = sum(member.file_size for member in archive.infolist())
        if largest is not None and total > LARGEST:
            raise ReadError(
                f"{path} would take {total >> 20:,} MiB, its member '{largest.filename}' alone "
                f"{largest.file_size >> 20:,}; at most {LARGEST >> 20} are read: save the sheet as CSV"
            )
    stream.seek(0)


def sheet_names(book: Any) -> list[str]:
    """The names of the sheets that hold cells and are shown."""
    return [
        sheet.title
        for sheet in book.worksheets
        if sheet.sheet_state == "visible" and any(any(_filled(cell) for cell in row) for row in _some(sheet))
    ]


def _some(sheet: Any) -> Iterator[tuple[Any, ...]]:
    rows: Iterator[tuple[Any, ...]] = sheet.iter_rows(max_row=100, values_only=True)
    return rows


def sheet_columns(book: Any, name: str, path: Path) -> tuple[list[str], dict[str, NDArray[Any]]]:
    """Headers (the first row with cells) and the columns c0, c1, … below them as text.

    Raises:
        ReadError: No such sheet, a chart, or a sheet without cells.
    """
    if name not in book.sheetnames:
        raise ReadError(f"{path} has no sheet '{name}'{near_miss(name, book.sheetnames)}")
    sheet = book[name]
    if not hasattr(sheet, "iter_rows"):
        raise ReadError(f"{path}: '{name}' is a chart, not a sheet of cells")
    rows = [row for row in sheet.iter_rows(values_only=True) if any(_filled(cell) for cell in row)]
    if not rows:
        raise ReadError(f"{path}: the sheet '{name}' is empty")
    rows = rows[n_above([[_text(cell) or "" for cell in row] for row in rows[:LINES]]) :]
    width = max(place + 1 for row in rows for place, cell in enumerate(row) if _filled(cell))
    headers = [_text(cell) or "" for cell in _padded(rows[0], width)]
    columns = {f"c{place}": np.empty(len(rows) - 1, dtype=object) for place in range(width)}
    for number, row in enumerate(rows[1:]):
        for place, cell in enumerate(_padded(row, width)):
            columns[f"c{place}"][number] = _text(cell)
    return headers, columns


def uncomputed(path: Path, stream: IO[bytes], name: str) -> str:
    """The place of a formula whose value no program has stored, '' if there is none.

    A program that writes formulas without computing them leaves cells that look empty.
    """
    with workbook(path, stream, values=True) as book:
        values = {
            (number, place)
            for number, row in enumerate(book[name].iter_rows(values_only=True), start=1)
            for place, cell in enumerate(row)
            if cell is None
        }
    if not values:
        return ""
    stream.seek(0)
    with workbook(path, stream, values=False) as book:
        for number, row in enumerate(book[name].iter_rows(), start=1):
            for place, cell in enumerate(row):
                if isinstance(cell.value, str) and cell.value.startswith("=") and (number, place) in values:
                    return str(cell.coordinate)
    return ""


def _padded(row: Sequence[Any], width: int) -> list[Any]:
    return [*row, *(None,) * (width - len(row))][:width]


def _filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _text(cell: Any) -> str | None:
    """A cell as CSV would have it; numbers that are whole without a point, as they are shown."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
