"""SQLite databases through the standard library: opened read-only, one SELECT at a time, nothing else allowed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote as url_quote

import numpy as np

from scorebars.engines.stoppable import stoppable
from scorebars.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK: Final = 50_000
"""Rows that are fetched at a time."""
_HEADER: Final = 100
"""Bytes of the header of a database."""
_ALLOWED: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


def _connected(path: Path) -> sqlite3.Connection:
    address = f"file:{url_quote(str(path.absolute()))}?mode=ro"
    return sqlite3.connect(address, uri=True, check_same_thread=False)  # one thread at a time


def tables(path: Path) -> dict[str, list[str]]:
    """Table (or view) -> its columns, as the database lists them.

    Raises:
        ReadError: What SQLite says against the file.
    """
    _refuse_cut(path)
    try:
        with closing(_connected(path)) as connection:
            names = [
                str(name)
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
                    "ESCAPE '~' ORDER BY rowid"
                )
            ]
            return {
                name: [str(row[1]) for row in connection.execute(f"PRAGMA table_info({identifier(name)})")]
                for name in names
            }
    except sqlite3.Error as error:
        raise ReadError(_sentence(path, error)) from error


def identifier(name: str) -> str:
    """A name as SQLite spells it."""
    return '"' + name.replace('"', '""') + '"'


def selected(path: Path, sql: str) -> Iterator[tuple[list[str], dict[str, NDArray[Any]]]]:
    """Headers of a SELECT and its columns c0, c1, … as text, in blocks of rows; anything but one SELECT is refused.

    There is one block at least, which is empty where the query gives no row. Ctrl-C stops a query at once, whether it
    ever gives a row or not.

    Raises:
        ReadError: What SQLite says against the query or the file.
    """
    _refuse_cut(path)
    try:
        with closing(_connected(path)) as connection:
            connection.set_authorizer(_authorise)
            cursor = connection.cursor()
            stoppable(lambda: cursor.execute(sql), connection.interrupt)
            if cursor.description is None:
                raise ReadError("only one SELECT is run, nothing that changes or opens a database")
            headers = [str(column[0]) for column in cursor.description]
            rows = stoppable(lambda: cursor.fetchmany(BLOCK), connection.interrupt)
            yield headers, _columns(rows, len(headers))
            while len(rows) == BLOCK and (rows := stoppable(lambda: cursor.fetchmany(BLOCK), connection.interrupt)):
                yield headers, _columns(rows, len(headers))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ReadError(_sentence(path, error)) from error


def _refuse_cut(path: Path) -> None:
    """A file whose last page is not whole is an error: SQLite reads zero bytes, and so made-up cells, where it ends.

    Its header (https://www.sqlite.org/fileformat.html, 1.3) holds the size of a page at byte 16 and the number of pages
    at byte 28, which counts where bytes 24 and 92 agree. What a log beside it holds (-wal) is SQLite's to put together.
    """
    with path.open("rb") as stream:
        header, size = stream.read(_HEADER), path.stat().st_size
    log = path.with_name(f"{path.name}-wal")
    if len(header) < _HEADER or (log.exists() and log.stat().st_size):
        return
    page = int.from_bytes(header[16:18]) or 1
    page = 65_536 if page == 1 else page
    counted = int.from_bytes(header[28:32]) if header[24:28] == header[92:96] else 0
    whole = page * (counted or -(-size // page))
    if size < whole:
        raise ReadError(f"{path} is damaged or truncated: it holds {size:,} bytes of {whole:,}; copy or write it again")


def _authorise(action: int, *_details: Any) -> int:
    allowed = action in _ALLOWED and "load_extension" not in _details
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _sentence(path: Path, error: Exception) -> str:
    text = str(error)
    if "not authorized" in text or "one statement" in text or "prohibited" in text:
        return f"{path}: only one SELECT is run, nothing that changes or opens a database ({text})"
    if "malformed" in text or "not a database" in text or "disk I/O" in text:
        return f"{path} is damaged or truncated: {text}; copy or write it again"
    return f"{path}: {text}"


def _columns(rows: Sequence[Sequence[Any]], width: int) -> dict[str, NDArray[Any]]:
    columns = {f"c{place}": np.empty(len(rows), dtype=object) for place in range(width)}
    for place, column in enumerate(columns.values()):
        column[:] = [_text(row[place]) for row in rows]
    return columns


def _text(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode("utf-8", errors="backslashreplace")
    return repr(cell)
