"""The embedded database: the only place where DuckDB is opened and where its values become NumPy arrays.

It is opened, and DuckDB imported, when the first query is run: files that are read without it never pay for either.
No extension is installed or loaded, nothing is fetched over a network, memory and threads are limited, and what spills
to disk goes to a folder of its own that is removed with the engine.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from scorebars.errors import ArgumentError, ReadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    import duckdb
    from numpy.typing import NDArray

THREADS_VARIABLE: Final = "SCOREBARS_NUM_THREADS"
MEMORY_LIMIT: Final = "600MB"
"""For the database alone; arrays that have left it and Python itself come on top."""
SMALLEST_LIMIT: Final = "100MB"
"""What is left to the database while others work."""
SMALL_ROWS: Final = 200_000
"""Up to so many rows the arrays engine is faster than a dictionary table for each role."""
MANY_ROWS: Final = 1_000_000
"""Up to so many rows of ids and scores stay in memory, whatever else stood in their file."""
MOST_THREADS: Final = 8
"""Every thread that reads JSON or CSV holds a buffer of 32 MB, and 16 of them leave no memory to work in."""


def quote(identifier: str) -> str:
    """An identifier as SQL spells it: in double quotes, a double quote inside doubled."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL spells it: in single quotes, a single quote inside doubled."""
    return "'" + text.replace("'", "''") + "'"


def one_select(sql: str) -> str:
    """A query without its semicolon; anything but exactly one SELECT is an ArgumentError."""
    import duckdb

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise ArgumentError(f"the SQL cannot be read: {_sentence(str(error))}") from error
    kinds = [str(statement.type).rpartition(".")[2] for statement in statements]
    if kinds != ["SELECT"]:
        found = ", ".join(kinds) or "empty"
        raise ArgumentError(f"the SQL must be one SELECT, and is {found}; files and tables are only read")
    return str(statements[0].query).strip().rstrip(";").strip()


class Engine:
    """One private in-memory DuckDB; closed, and its temporary files removed, by :meth:`close` or when collected.

    >>> with Engine() as engine:
    ...     engine.query("SELECT 1 AS one")["one"].tolist()
    [1]
    """

    def __init__(self, *, memory_limit: str = MEMORY_LIMIT, threads: int | None = None) -> None:
        self._memory_limit = memory_limit
        self._threads = allowed_threads() if threads is None else threads
        self._opened: duckdb.DuckDBPyConnection | None = None
        self._closed = False
        self._folder = ""
        self._names = 0
        self._has_storage = False

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        """The database, opened when it is first asked for."""
        if self._closed:
            raise RuntimeError("this engine is closed")
        if self._opened is None:
            folder = _spill_folder()
            try:
                self._opened = _connected(folder, self._memory_limit, self._threads)
            except BaseException:  # Ctrl-C too: the folder is this one's to remove until the finalizer is
                shutil.rmtree(folder, ignore_errors=True)
                raise
            self._folder = folder
            self._finalizer = weakref.finalize(self, _dispose, self._opened, folder)
        return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and remove its temporary files; a second call does nothing."""
        self._closed = True
        if self._opened is not None:
            self._finalizer()

    def query(self, sql: str, values: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """Run a query; its columns as NumPy arrays. NULL is NaN in a column of numbers, None in any other.

        Text columns are object arrays of str. Columns of dates, decimals or nested values are best cast in the query.
        ``values`` stand for the question marks in it.

        Raises:
            ReadError: What DuckDB says against it.
        """
        try:
            columns = self._connection.execute(sql, list(values)).fetchnumpy()
        except _failures() as error:
            raise _translated(error) from error
        return {name: _unmasked(column) for name, column in columns.items()}

    def execute(self, sql: str) -> None:
        """Run a statement whose rows are not wanted.

        Raises:
            ReadError: What DuckDB says against it.
        """
        try:
            self._connection.execute(sql)
        except _failures() as error:
            raise _translated(error) from error

    def create(self, sql: str) -> int:
        """Run a CREATE TABLE … AS; the number of its rows.

        Raises:
            ReadError: What DuckDB says against it.
        """
        try:
            made = self._connection.execute(sql).fetchone()
        except _failures() as error:
            raise _translated(error) from error
        return int(made[0]) if made else 0

    def execute_long(self, sql: str) -> None:
        """The same for a statement of the user's own, which may take for ever: Ctrl-C stops it at once."""
        from scorebars.engines.stoppable import stoppable

        stoppable(lambda: self.execute(sql), self._connection.interrupt)

    def register(self, name: str, columns: Mapping[str, NDArray[Any]]) -> None:
        """Make equally long NumPy columns a relation of that name. Object and text columns become VARCHAR."""
        plain = {key: _registrable(column) for key, column in columns.items()}
        try:
            self._connection.register(name, plain)
        except _failures() as error:
            raise _translated(error) from error

    def register_frame(self, name: str, frame: Any) -> None:
        """Make a table of PyArrow a relation of that name, without a copy."""
        try:
            self._connection.register(name, frame)
        except _failures() as error:
            raise _translated(error) from error

    def attach(self, path: Path, name: str) -> None:
        """Open a DuckDB database file under a name, read-only."""
        self.execute(f"ATTACH {literal(str(path))} AS {quote(name)} (READ_ONLY)")

    def restrict(self, paths: Sequence[Path]) -> None:
        """From here on no file is read or written but these and the engine's own temporary ones; cannot be undone."""
        allowed = ", ".join(literal(str(path)) for path in paths)
        self.execute(f"SET allowed_paths = [{allowed}]")
        if self._folder:
            self.execute(f"SET allowed_directories = [{literal(self._folder + os.sep)}]")
        self.execute("SET enable_external_access = false")

    def fresh_name(self, stem: str) -> str:
        """A relation name that this engine has not given out before."""
        self._names += 1
        return f"{stem}_{self._names}"

    def storage(self, large: bool) -> str:
        """What to put before the name of a new table: for large ones a database in a file, compressed; else ''."""
        if large and self._opened is None:
            self.execute("SELECT 1")  # the folder comes with the connection
        if not large or not self._folder:
            return ""
        if not self._has_storage:
            self.execute(f"ATTACH {literal(str(Path(self._folder, 'storage.duckdb')))} AS storage")
            self._has_storage = True
        return "storage."

    def shrink(self) -> None:
        """Give back the memory that holds tables already on disk; the next query reads them again."""
        if self._has_storage:
            self.execute(f"SET memory_limit = {literal(SMALLEST_LIMIT)}")
            self.execute(f"SET memory_limit = {literal(self._memory_limit)}")

    def columns(self, sql: str) -> dict[str, str]:
        """Name and SQL type of each column of a query, without running it.

        Raises:
            ReadError: What DuckDB says against it.
        """
        try:  # as tuples: the NULLs of a DESCRIBE would be masks, and numpy.ma is a tenth of a start
            described = self._connection.execute(f"DESCRIBE ({sql})").fetchall()
        except _failures() as error:
            raise _translated(error) from error
        return {str(name): str(kind) for name, kind, *_ in described}

    def distinct(self, sql: str, column: str) -> list[str]:
        """The different values of a column as text, sorted; NULL is left out."""
        name = quote(column)
        found = self.query(
            f"SELECT DISTINCT CAST({name} AS VARCHAR) AS value FROM ({sql}) WHERE {name} IS NOT NULL ORDER BY value"
        )
        return [str(value) for value in found["value"]]


def _spill_folder() -> str:
    """A new folder for what does not fit in memory; empty (no spilling) where none can be made."""
    try:
        return tempfile.mkdtemp(prefix="scorebars-")
    except OSError:
        return ""


def _connected(folder: str, memory_limit: str, threads: int) -> duckdb.DuckDBPyConnection:
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",  # a table is never taken from a Python variable of its name
            "pandas_analyze_sample": "0",  # object columns are text, whatever their first rows hold
            "preserve_insertion_order": "true",  # file order is the order of repeated runs
            "memory_limit": memory_limit,
            "threads": str(threads),
            "temp_directory": folder,
        },
    )
    # Without a script file (python -c, a notebook) DuckDB prints one to stdout; it is no option of connect.
    connection.execute("SET enable_progress_bar = false")
    return connection


def _dispose(connection: duckdb.DuckDBPyConnection, folder: str) -> None:
    try:
        connection.close()
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def allowed_threads() -> int:
    """Threads allowed by the environment variable, else one a core, within reason.

    Raises:
        ArgumentError: The variable holds no number of threads.
    """
    text = os.environ.get(THREADS_VARIABLE, "")
    if not text:
        return min(os.cpu_count() or 1, MOST_THREADS)
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ArgumentError(f"{THREADS_VARIABLE}={text!r} is not a number of threads; set it to 1 or more, or unset it")
    return int(text)


def _unmasked(column: NDArray[Any]) -> NDArray[Any]:
    """A plain array: what DuckDB masks (NULL) becomes NaN among numbers and None elsewhere."""
    if type(column) is np.ndarray or not isinstance(column, np.ma.MaskedArray):
        return column  # without a look at numpy.ma, which is imported when it is first named
    data: NDArray[Any] = column.data
    if not np.any(column.mask):
        return data
    if data.dtype.kind in "iuf":
        return np.where(column.mask, np.nan, data)
    filled = data.astype(object)
    filled[column.mask] = None
    return filled


def _registrable(column: NDArray[Any]) -> NDArray[Any]:
    """Fixed-width text becomes an object array: DuckDB would make an enumeration of it."""
    return column.astype(object) if column.dtype.kind == "U" else column


def _failures() -> tuple[type[Exception], ...]:
    """What DuckDB raises."""
    import duckdb

    return (duckdb.Error, RuntimeError)


_FAMILY = re.compile(r"^[A-Z][A-Za-z-]*(?: [A-Za-z-]+)* Error: ")
_ASIDE = re.compile(r"^(LINE \d|Possible |Candidate |Did you mean|Try |Please |\* |file =)")


def _translated(error: Exception) -> BaseException:
    """DuckDB's error as one sentence of ours, without positions in SQL, option dumps and advice on DuckDB settings."""
    import duckdb

    text = str(error)
    if "interrupted" in text.lower() and "quer" in text.lower():
        return KeyboardInterrupt()
    if isinstance(error, duckdb.OutOfMemoryException):
        return ReadError("not enough memory or temporary disk space for this table; read fewer files at a time")
    if "httpfs" in text or "requires the extension" in text:
        return ReadError("only local files are read, never an address; download the file first")
    return ReadError(_sentence(text))


def _sentence(text: str) -> str:
    """The first lines of a DuckDB message, up to its first aside, as one line."""
    kept: list[str] = []
    for line in _FAMILY.sub("", text).splitlines():
        stripped = line.strip()
        if _ASIDE.match(stripped):
            break
        if stripped:
            kept.append(stripped)
    return "; ".join(kept).rstrip(".;, ") or "the data cannot be read"
