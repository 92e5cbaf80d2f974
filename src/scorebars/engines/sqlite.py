"""SQLite databases through the standard library: opened read-only, one SELECT at a time, nothing else allowed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote as url_quote

import numpy as np

from scorebars.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_ALLOWED: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{url_quote(str(path.absolute()))}?mode=ro", uri=True)


def tables(path: Path) -> dict[str, list[str]]:
    """Table (or view) -> its columns, as the database lists them.

    Raises:
        ReadError: What SQLite says against the file.
    """
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


def selected(path: Path, sql: str) -> tuple[list[str], dict[str, NDArray[Any]]]:
    """Headers of a SELECT and its columns c0, c1, … as text; anything but one SELECT is refused."""
    try:
        with closing(_connected(path)) as connection:
            connection.set_authorizer(_authorise)
            cursor = connection.execute(sql)
            if cursor.description is None:
                raise ReadError("only one SELECT is run, nothing that changes or opens a database")
            headers = [str(column[0]) for column in cursor.description]
            rows = cursor.fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ReadError(_sentence(path, error)) from error
    return headers, _columns(rows, len(headers))


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
