"""Where the cells of a table are: each kind of file behind one small interface, a SELECT of named columns as text.

The kinds are :mod:`scorebars.readers.delimited`, ``json_table``, ``columnar`` and ``database``. Nothing is typed on the
way: ids stay the text that they are, scores become numbers later in one place.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError, near_miss
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType

    from scorebars.contracts import FileHead
    from scorebars.notes import Note

LONGEST_LINE: Final = 16 << 20
"""Bytes of the longest line or record that is read; model outputs can be long."""
MANY_COLUMNS: Final = 500
"""A row of more cells than this is not handled at once: DuckDB holds 2,048 of each."""


class NoScores(ReadError):  # noqa: N818 - a kind of ReadError, told apart below the readers only
    """The file is readable and no table of scores: one that was only met in a folder is skipped."""


class Scan(Protocol):
    """A SELECT of the wanted columns as text, named w0, w1, …, in file order.

    With ``hashed``, a column ``row_hash`` too, equal where all columns of two rows are, wanted or not; that costs as
    much as reading the columns.
    """

    def __call__(self, wanted: Sequence[str], *, hashed: bool = False) -> str:
        """SQL for these columns, or fields inside columns."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """The columns of one file and how to select them."""

    names: tuple[str, ...]
    """Headers, unique, in order; an unnamed one is 'column 3'."""
    scan: Scan
    unit: str = "row"
    """What messages call a row of the file."""
    blank_lines: bool = False
    """Whether rows without a cell at the end may be blank lines."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Role -> column that the shape of the file gives."""
    said: tuple[tuple[str, str], ...] = ()
    """What else the user should know about how the columns were got."""
    fields: Callable[[], Mapping[str, tuple[str, ...]]] = dict
    """Column -> the names of the members of the objects in it; for columns of objects alone."""
    notes: tuple[Note, ...] = ()
    """What a result says of it too."""
    levels: tuple[str, ...] = ()
    """Columns that were keys of nested objects, outermost first; a row is one score only if each has a role."""
    counted: str = ""
    """The column 'c/n' that stands for the attempts of a row, c of n right; '' without one."""
    placed: bool = False
    """Whether the last column stands for the places in lists, and has no cells."""
    crossed: str = ""
    """Why the keys that would be models may be items, and the others models; '' where nothing speaks for it."""
    queried: str = "data"
    """What stands for these rows in a query over the file; '' where none does."""


class Scratch:
    """A temporary folder for a copy of a file that has to be changed before it can be read; made when first used."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def path(self, name: str) -> Path:
        """Where a copy of that name may be written."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="scorebars-"))
        return self._folder / name


def file_literal(path: Path) -> str:
    """A path as DuckDB's readers take it: as text, never as a pattern ('[a]b.csv') or a home folder ('~.csv')."""
    text = f"./{path}" if str(path).startswith("~") else str(path)
    return literal(re.sub(r"[*?\[]", r"[\g<0>]", text))


def compression(head: FileHead) -> str:
    """DuckDB's name of the compression, so that the file's name does not decide."""
    return {"gz": "'gzip'", "zst": "'zstd'"}.get(head.compression or "", "'none'")


def field_of(name: str, columns: Sequence[str]) -> tuple[str, str]:
    """A dotted field as (column, field inside it): the longest column that it starts with, as names have dots too."""
    column = max((known for known in columns if known and name.startswith(f"{known}.")), key=len, default="")
    return (column, name[len(column) + 1 :]) if column else (name, "")


def named(headers: Sequence[str], path: Path) -> tuple[str, ...]:
    """Headers without blanks around them; unnamed ones get a name, the same one twice is a ReadError."""
    names = tuple(header.strip() or f"column {place}" for place, header in enumerate(headers, start=1))
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        listed = ", ".join(f"'{name}'" for name in twice)
        raise ReadError(f"{shown(path)} has the header {listed} more than once; {_twice_remedy(twice)}")
    return names


def _twice_remedy(twice: Sequence[str]) -> str:
    if all(is_number(name) for name in twice):
        return "its first line looks like data: add a line that names the columns (model, item, score)"
    return "rename one, so that it is clear"


def is_number(cell: str) -> bool:
    """Whether a cell is a number or empty or a percentage."""
    try:
        float(cell.strip().rstrip("%") or "0")
    except ValueError:
        return False
    return True


def scanner(relation: str, expressions: Mapping[str, str], fields: Mapping[str, str] | None = None) -> Scan:
    """Select columns, or fields inside them, by their expressions; the row's identity is a hash over all columns."""
    known = {**(fields or {}), **expressions}

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        chosen = [f"{_expression(name, known)} AS w{place}" for place, name in enumerate(wanted)]
        if hashed:
            every = expressions if len(expressions) <= MANY_COLUMNS else dict.fromkeys(wanted)
            chosen.append(row_hash(_expression(name, known) for name in every))
        return f"SELECT {', '.join(chosen)} FROM {relation}"

    return scan


def row_hash(expressions: Iterable[str]) -> str:
    """The column that tells copies of a row from other rows."""
    return f"CAST(hash({', '.join(expressions)}) AS VARCHAR) AS row_hash"


def _expression(name: str, known: Mapping[str, str]) -> str:
    if name not in known:
        raise ReadError(f"no field '{name}'{near_miss(name, known)}")
    return known[name]
