"""What DuckDB says of a file that it cannot read, as a sentence with the file, its line and what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import bad_byte, plain_bytes, shown
from scorebars.readers.sources import LONGEST_LINE, NoScores

if TYPE_CHECKING:
    from scorebars.contracts import FileHead

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
_LONG_RECORD: Final = "maximum_object_size"
"""What it says of a record that is."""
_LONG_LINE: Final = "does not support a full read on this file"
"""What DuckDB says of a line that is several times as long as its buffer."""
_BLOCK: Final = 1 << 20
_IN_FILE: Final = re.compile(r" (in|of|from) file ['\"][^'\"]*['\"]")
_EXPLAINED: Final = (
    (
        "state machine",
        "its lines or quotes cannot be told apart; write it again as plain CSV, with lines that end in LF",
    ),
    (
        "not a GZIP stream",
        "bytes that are no gzip stand after the compressed data; write it again: gunzip -c OLD | gzip > NEW",
    ),
)
"""What DuckDB says of a file -> what is wrong with it."""


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
    return _with_notes(ReadError(f"{shown(head.path)}: {_too_long(text, head) or _explained(text)}"), error)


def _too_long(text: str, head: FileHead) -> str:
    """Which line or record is longer than any that is read; '' where DuckDB says something else."""
    if _LONG_RECORD in text:
        return _longer(_long_record(head))
    line = _long_line(head) if _LONG_LINE in text else 0
    return _longer(f"line {line}") if line else ""


def _longer(what: str) -> str:
    return f"{what} is longer than {LONGEST_LINE >> 20} MiB; leave out the long texts"


def _long_record(head: FileHead) -> str:
    """The first record of a JSON file that is longer than any that is read, by its number where it can be counted."""
    import json

    from scorebars.readers.document import load
    from scorebars.readers.json_table import json_shape

    if json_shape(head) == "lines":
        line = _long_line(head)
        return f"line {line}" if line else "a line"
    try:
        lengths = [len(json.dumps(record)) for record in load(head)]
    except (ReadError, TypeError):  # too long to be loaded, or no list
        return "a record"
    first = next((n for n, length in enumerate(lengths, 1) if length > LONGEST_LINE), 0)
    return f"record {first or 1 + lengths.index(max(lengths))}"


def _long_line(head: FileHead) -> int:
    """The first line that is longer than any that is read; 0 where there is none."""
    line, length = 1, 0
    with plain_bytes(head) as stream:
        for block in iter(lambda: stream.read(_BLOCK), b""):
            first, *others = block.split(b"\n")
            length += len(first)
            for piece in others:
                if length > LONGEST_LINE:
                    return line
                line, length = line + 1, len(piece)
    return line if length > LONGEST_LINE else 0


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
        return _longer(f"line {line[1]}")
    return next((sentence for words, sentence in _EXPLAINED if words in text), text)
