"""CSV, TSV and their kind: what divides the cells, where the header is, and the source of the cells below it."""

from __future__ import annotations

import csv
import io
import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError
from scorebars.readers.files import HEAD, plain_bytes, shown, text_head
from scorebars.readers.last_line import cut_number
from scorebars.readers.nul_bytes import refuse_nul_bytes
from scorebars.readers.sources import LONGEST_LINE, Source, compression, file_literal, is_number, named, scanner

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scorebars.contracts import FileHead
from scorebars.readers.sources import Scratch

DELIMITERS: Final = ",\t;|"
_BUFFER: Final = 2 * LONGEST_LINE
"""Bytes that are read at once: left alone, DuckDB takes sixteen of the longest lines, whose pages cost half a scan."""
LONGEST_TITLE: Final = 60
"""Letters of a line above the header that are shown."""


def delimited_source(head: FileHead, scratch: Scratch) -> Source:
    """CSV, TSV and their kind: the header is read here, so that DuckDB need not guess (a tenth of the time)."""
    text = _with_header(head)
    if head.compression is not None:  # read to its end: a damaged one is never taken for a shorter one
        refuse_nul_bytes(head)
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
    scan, notes = scanner(relation, expressions), cut_number(head, delimiter)
    return Source(names, scan, "line", blank_lines=True, said=said, notes=notes)


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


def lines_of(text: str) -> list[str]:
    """Lines as CSV knows them: other separators of Unicode belong to their cell."""
    return list(io.StringIO(text, newline=""))
