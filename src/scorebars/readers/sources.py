"""Where the cells of a table are: each kind of file behind one small interface, a SELECT of named columns as text.

Delimited text and Parquet stand here, JSON in :mod:`scorebars.readers.json_table`. Nothing is typed on the way: ids
stay the text that they are, scores become numbers later in one place.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError, near_miss
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import HEAD, bad_byte, check_whole, plain_bytes, shown, text_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from scorebars.contracts import FileHead
    from scorebars.notes import Note

DELIMITERS: Final = ",\t;|"
LONGEST_LINE: Final = 16 << 20
"""Bytes of the longest line or record that is read; model outputs can be long."""
_BUFFER: Final = 2 * LONGEST_LINE
"""Bytes that are read at once: left alone, DuckDB takes sixteen of the longest lines, whose pages cost half a scan."""
LONGEST_TITLE: Final = 60
"""Letters of a line above the header that are shown."""
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


def delimited_source(head: FileHead, scratch: Scratch) -> Source:
    """CSV, TSV and their kind: the header is read here, so that DuckDB need not guess (a tenth of the time)."""
    text = _with_header(head)
    check_whole(head)
    skip, above = _start(text, head)
    delimiter = delimiter_of(text[skip:], head.suffixes)
    headers = _header(text[skip:], delimiter, head)
    path, packed = head.path, compression(head)
    if _mixed_line_ends(head):
        path, packed = _with_one_line_end(head, scratch), "'none'"
    columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(headers)))

    def below(lines: int) -> str:
        """The rows below so many header lines."""
        return (
            f"read_csv({file_literal(path)}, auto_detect = false, header = true, skip = {above + lines - 1}, "
            f"delim = {literal(delimiter)}, quote = '\"', escape = '\"', compression = {packed}, hive_partitioning = "
            f"false, max_line_size = {LONGEST_LINE}, buffer_size = {_BUFFER}, columns = {{{columns}}})"
        )

    if len(set(headers)) < len(headers) or not all(map(str.strip, headers[1:])):
        from scorebars.readers.two_headers import two_headers

        if (made := two_headers(rows_of(text[skip:], delimiter, 4), head, below)) is not None:
            return made
    relation = below(1)
    names = named(headers, head.path)
    expressions = {name: f"c{place}" for place, name in enumerate(names)}
    title = text[:skip].strip().partition("\n")[0].strip().strip(delimiter)[:LONGEST_TITLE]
    said = (("header", f"line {above + 1}, below '{title}'"),) if title else ()
    return Source(names, scanner(relation, expressions), "line", blank_lines=True, said=said)


def _start(text: str, head: FileHead) -> tuple[int, int]:
    """How many letters, and lines, stand above the header: blank lines, and titles or comments, which are rare."""
    skip = len(text) - len(text.lstrip("\r\n"))
    above = len(text[:skip].splitlines())
    first = text[skip:].partition("\n")[0]
    # A header has several cells, and text in more than one.
    if first.lstrip().startswith("#") or sum(map(bool, re.split(f"[{DELIMITERS}]", first.strip()))) < 2:
        from scorebars.engines.above_header import LINES, n_above

        lines = lines_of(text[skip:])[:LINES]
        delimiter = delimiter_of("".join(lines[len(lines) // 2 :]), head.suffixes)
        more = n_above([next(csv.reader([line], delimiter=delimiter), []) for line in lines])
        return skip + sum(map(len, lines[:more])), above + more
    return skip, above


def _with_header(head: FileHead) -> str:
    """The head as text; the first line as a whole where it is longer than the head."""
    text = text_head(head)
    if len(head.head) < HEAD or len(lines_of(text.lstrip("\r\n"))) > 1:
        return text
    with plain_bytes(head) as stream:
        first = stream.readline(LONGEST_LINE)
        while not first.strip(b"\xef\xbb\xbf\r\n") and first:
            first += stream.readline(LONGEST_LINE)
    return first.decode("utf-8-sig", errors="replace")


def lines_of(text: str) -> list[str]:
    """Lines as CSV knows them: other separators of Unicode belong to their cell."""
    return list(io.StringIO(text, newline=""))


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


def rows_of(text: str, delimiter: str, most: int | None = None) -> list[list[str]]:
    """The complete rows of a head (its last line may be cut off), or the first so many."""
    try:
        return list(islice(filter(None, csv.reader(_complete(text), delimiter=delimiter)), most))
    except csv.Error:
        return []


def _complete(text: str) -> Iterator[str]:
    """The lines, as they are asked for: without the last, if it is cut off and not the only one."""
    last = ""
    for line in io.StringIO(text, newline=""):
        if last:
            yield last
        last = line
    if last.endswith(("\n", "\r")) or len(last) == len(text):
        yield last


@lru_cache(maxsize=8)
def delimiter_of(text: str, suffixes: tuple[str, ...]) -> str:
    """The delimiter that the header has and the next rows have as often; a tie goes to the name's, then the comma.

    The last few answers are kept: what a file is, whether a reader takes it and the reading itself ask of one head.
    """
    first = ["\t"] if set(suffixes) & {".tsv", ".tab"} else []
    sample = "".join(islice(io.StringIO(text.lstrip("\r\n"), newline=""), 20))

    def merit(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in rows_of(sample, delimiter, 12)] or [1]
        alike = sum(width == widths[0] for width in widths)
        return (0, 0) if widths[0] == 1 else (alike, widths[0])

    best: str = max([*first, *DELIMITERS], key=merit)
    return best


def _header(text: str, delimiter: str, head: FileHead) -> list[str]:
    rows = rows_of(text, delimiter)
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise ReadError(f"{shown(head.path)} has no header line; the first line must name the columns")
    headers = rows[0]
    if all(is_number(cell) for cell in headers if cell.strip()):
        listed = delimiter.join(headers)[:60]
        if not headers[0].strip() and [cell.strip() for cell in headers[1:3]] in (["0", "1"], ["1", "2"]):
            raise ReadError(
                f"{shown(head.path)}: its first line ('{listed}') numbers the columns, as that of a pivot table; write "
                "into its first cell what a row is (model, or item where each column is a run)"
            )
        raise ReadError(
            f"{shown(head.path)} has no header: its first line is '{listed}'; "
            "add a line that names the columns (model, item, score)"
        )
    return headers


def is_number(cell: str) -> bool:
    """Whether a cell is a number or empty or a percentage."""
    try:
        float(cell.strip().rstrip("%") or "0")
    except ValueError:
        return False
    return True


def _mixed_line_ends(head: FileHead) -> bool:
    """Whether the head has lines that end in CR LF and lines that end in LF, or in CR CR LF, which DuckDB refuses."""
    windows = head.head.count(b"\r\n")
    return 0 < windows < head.head.count(b"\n") or b"\r\r\n" in head.head


def _with_one_line_end(head: FileHead, scratch: Scratch) -> Path:
    """A copy whose lines all end in LF."""
    copy = scratch.path("lines.csv")
    with plain_bytes(head) as stream, copy.open("wb") as target:
        for line in stream:
            target.write(line.rstrip(b"\r\n") + b"\n" if line.endswith(b"\r\n") else line)
    return copy


_CSV_WIDTH = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")


_PARQUET_FAULT: Final = re.compile(
    "magic bytes|TProtocol|TType|know what type|[Oo]ut of buffer|Footer length|read enough bytes|Failed to read file|"
    "corrupt|Parquet metadata|bit width|string encoding|conversion error|decompress"
)
"""What DuckDB says where the bytes of a Parquet file are not as they were written."""
_DATABASE_FAULT: Final = re.compile("read enough bytes|[Cc]hecksum|[Cc]orrupt|[Ss]erializ|INTERNAL|[Ii]nvalid block")
"""The same of a DuckDB file."""
_KEY_TWICE: Final = re.compile(r'in (?:record/)?(line|value) (\d+): .* has duplicate key "(.*)"', re.DOTALL)
_IN_FILE: Final = re.compile(r" (in|of|from) file ['\"][^'\"]*['\"]")


def located(error: ReadError, head: FileHead) -> ReadError:
    """DuckDB's complaint about a file as a sentence with the file and its line."""
    text = str(error)
    if text.startswith(shown(head.path)):
        return error
    if isinstance(error, NoScores):
        return _with_notes(NoScores(f"{shown(head.path)}: {text}"), error)
    if isinstance(error, NoColumnError):
        return _with_notes(NoColumnError(f"{shown(head.path)}: {text}", error.role), error)
    if "unicode" in text.lower() or "utf-8" in text.lower():
        sentence = bad_byte(head)
        if sentence:
            return ReadError(sentence)
    if _is_fault(text, head):
        fault = _IN_FILE.sub("", text).partition(";")[0].rstrip(". ")
        return ReadError(f"{shown(head.path)} is damaged or truncated: {fault}; copy or write it again")
    return _with_notes(ReadError(f"{shown(head.path)}: {_explained(text)}"), error)


def _is_fault(text: str, head: FileHead) -> bool:
    """Whether DuckDB says that the bytes of a file, and not a cell in it, are at fault."""
    if head.head.startswith(b"PAR1"):
        return _PARQUET_FAULT.search(text) is not None
    return head.head[8:12] == b"DUCK" and _DATABASE_FAULT.search(text) is not None


def _with_notes(error: ReadError, other: ReadError) -> ReadError:
    """The error with what stands below the other one."""
    for said in getattr(other, "__notes__", ()):
        error.add_note(said)
    return error


def _explained(text: str) -> str:
    if twice := _KEY_TWICE.search(text):
        unit = "record" if twice[1] == "value" else "line"
        return f"{unit} {twice[2]} has the key '{twice[3]}' twice, of which only one can count; rename or remove one"
    line = _CSV_LINE.search(text)
    width = _CSV_WIDTH.search(text)
    if line and width:
        return (
            f"line {line[1]} has {width[2]} cells, the header has {width[1]}; "
            "quote cells that contain the delimiter, or fill the missing ones"
        )
    if line and "unterminated quote" in text:
        return f"line {line[1]} opens a quote that is never closed"
    if line and "ine size" in text:
        return f"line {line[1]} is longer than {LONGEST_LINE >> 20} MiB; leave out the long texts"
    return next((sentence for words, sentence in _EXPLAINED if words in text), text)


_EXPLAINED: Final = (
    (
        "state machine",
        "its lines or quotes cannot be told apart; write it again as plain CSV, with lines that end in LF",
    ),
    (
        "not a GZIP stream",
        "bytes that are no gzip stand after the compressed data; write it again: gunzip -c OLD | gzip > NEW",
    ),
    ("maximum_object_size", f"a record is longer than {LONGEST_LINE >> 20} MiB; leave out the long texts"),
)
"""What DuckDB says of a file -> what is wrong with it."""
