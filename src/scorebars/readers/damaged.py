"""What shows that a file met in a folder, which no reader takes, is damaged and not merely something else.

Such a file is passed over either way; but results that were cut off or overwritten are missing from every number, and
nobody looks for them where it says that they name no score.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.document import LARGEST, fault
from scorebars.readers.files import HEAD, bad_byte, head_of, opened, plain_bytes, shown
from scorebars.readers.last_line import is_ended
from scorebars.readers.sniff import (
    ARROW_SUFFIXES,
    DELIMITED_SUFFIXES,
    EXCEL_SUFFIXES,
    JSON_SUFFIXES,
    PARQUET_SUFFIXES,
    kind_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from scorebars.contracts import FileHead

_TAIL: Final = 4096
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
_TEXTS: Final = JSON_SUFFIXES | DELIMITED_SUFFIXES | {".xml", ".txt"}
_ZIPS: Final = EXCEL_SUFFIXES | {".npz", ".eval", ".zip"}
_BINARIES: Final = PARQUET_SUFFIXES | EXCEL_SUFFIXES | {".npz", ".npy"} | ARROW_SUFFIXES - {".arrows"}
"""Not .arrows, which settings of keyboards are called too."""
_MAGIC: Final = (b"PAR1", b"ARROW1", b"FEA1", b"\xff\xff\xff\xff", b"\x93NUMPY")
"""How such files begin; one of these under the name of another is not damaged."""
_EVENTS: Final = ".tfevents."
_VALUE: Final = re.compile(r"\S")
_SETTINGS: Final = re.compile(r"\s*(//|/\*|#|[}\]])")
"""What strict JSON has not, and settings written by hand have: comments, and a comma before a bracket that closes."""
_CUT: Final = frozenset({"no element found", "unclosed token"})
"""What expat says of XML that stops too early."""


def damage(head: FileHead) -> str:
    """Why a file that no reader takes looks damaged, as the rest of a sentence after 'it'; "" if it does not.

    Judged by what its name promises, at the cost of its first and last bytes; all of it is read only where those show
    that something is wrong.
    """
    if head.head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    try:
        return _nul_fault(head) or _binary_fault(head) or _text_fault(head)
    except ReadError as error:  # a compressed stream that ends too early
        return str(error).removeprefix(f"{shown(head.path)} ")


def _nul_fault(head: FileHead) -> str:
    """NUL bytes in text, or nothing else in anything."""
    data = head.head
    if b"\x00" in data and not _TEXTS.isdisjoint(head.suffixes):
        line = data[: data.index(0)].count(b"\n") + 1
        return f"is damaged: line {line} holds a NUL byte"
    nothing = not _BINARIES.isdisjoint(head.suffixes) and data and not data.strip(b"\x00")
    return "is damaged: it begins with nothing but NUL bytes" if nothing else ""


def _binary_fault(head: FileHead) -> str:
    """What is wrong with an archive or another file that is no text."""
    if head.head.startswith(b"PK\x03\x04"):
        return _zip_fault(head) if not _ZIPS.isdisjoint(head.suffixes) else ""
    if _EVENTS in head.path.name:
        return f"is damaged: it is called an event file of TensorBoard, and it begins with {head.head[:8]!r}"
    if not _BINARIES.isdisjoint(head.suffixes) and not head.head.startswith(_MAGIC):
        return f"is damaged: its name ends in '{head.suffixes[-1]}', and it begins with {head.head[:8]!r}"
    return ""


def is_cut(path: Path) -> bool:
    """Whether a table of text does not end with a line break."""
    head = head_of(path)
    return not DELIMITED_SUFFIXES.isdisjoint(head.suffixes) and not is_ended(head)


def _zip_fault(head: FileHead) -> str:
    """What is wrong with an archive, whose list of members stands at its end."""
    if zipfile.is_zipfile(head.path):
        return ""
    return f"is truncated: it is a zip archive of {head.size:,} bytes without the list of its members at the end"


def _text_fault(head: FileHead) -> str:
    """What is wrong with JSON, XML or a table of text."""
    ending = set(head.suffixes)
    if ending & JSON_SUFFIXES and kind_of(head) == "json":
        return "" if _ends_with(head, b"}", b"]") else _json_fault(head)
    if ".xml" in ending:
        return _xml_fault(head)
    cut = ending & DELIMITED_SUFFIXES and len(head.head) < HEAD and not {*head.head.strip(_BLANK)} & {*b"\r\n"}
    if cut and not head.head.endswith((b"\n", b"\r")):
        return "looks truncated: its only line does not end, and no row stands below it"
    return ""


def _ends_with(head: FileHead, *ends: bytes) -> bool:
    """Whether a file of which the head is only the beginning ends so; of others nothing is known before it is read."""
    if len(head.head) < HEAD or head.compression is not None:
        return False
    with opened(head.path) as stream:
        stream.seek(-min(_TAIL, head.size), os.SEEK_END)
        return stream.read().rstrip().endswith(ends)


def _json_fault(head: FileHead) -> str:
    """Where a file is neither JSON nor one JSON value after the other; "" for settings with comments, and for logs."""
    with plain_bytes(head) as stream:
        data = stream.read(LARGEST)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (bad_byte(head) or "").removeprefix(f"{shown(head.path)} ").partition(";")[0]
    decoder, place = json.JSONDecoder(), 0
    while (place := _next(text, place)) < len(text):
        try:
            place = decoder.raw_decode(text, place)[1]
        except json.JSONDecodeError as error:
            return "" if _is_other(error, place) else _said(error)
        except RecursionError:
            return ""
    return ""


def _next(text: str, place: int) -> int:
    """Where the next value begins."""
    found = _VALUE.search(text, place)
    return len(text) if found is None else found.start()


def _is_other(error: json.JSONDecodeError, place: int) -> bool:
    """Whether it is no JSON at all from the second value on, or settings with comments."""
    text = error.doc
    if text[error.pos : error.pos + 1] == "\x00":
        return False
    return (error.pos == place > 0) or _SETTINGS.match(text, error.pos) is not None


def _said(error: json.JSONDecodeError) -> str:
    if error.doc[error.pos : error.pos + 1] == "\x00":
        return f"is damaged: line {error.lineno} holds a NUL byte"
    return f"is not valid JSON: {fault(error)} in line {error.lineno}, column {error.colno}"


def _xml_fault(head: FileHead) -> str:
    """Whether XML stops before its end; what else may be wrong with it is no sign of damage."""
    if len(head.head) == HEAD:
        return "" if head.compression or _ends_with(head, b">") else "is truncated: it does not end with a tag"
    from xml.parsers import expat

    parser = expat.ParserCreate()
    try:
        parser.Parse(head.head, True)
    except expat.ExpatError as error:
        if expat.ErrorString(error.code) in _CUT:
            return f"is not valid XML: it is truncated in line {error.lineno}, column {error.offset + 1}"
    return ""
