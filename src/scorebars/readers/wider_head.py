"""A head that shows more of a JSON file: long texts and lists are shortened, and records without keys are left out.

A format is known by the keys of its first records. A prompt or a transcript that is longer than the head hides those
that follow it, and a first record that is damaged (``null``, ``{}``, an error's text) has none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scorebars.readers.files import HEAD, plain_bytes

if TYPE_CHECKING:
    from scorebars.contracts import FileHead

LONG: Final = 4096
"""Bytes of a text, or of numbers in a list, from which on a head is looked at again."""
SHORT: Final = 256
"""Bytes of a text, or of a list of numbers, that are kept as they are; of longer texts as many as :data:`KEPT`."""
KEPT: Final = 64
MOST: Final = 64 << 20
"""Bytes of a file that are read for its head: as many as the longest line has."""
ENOUGH: Final = 4 << 20
"""Bytes of a file that do where some records have ended in them."""
_RECORDS: Final = 3
_BLOCK: Final = 1 << 20
_KEYLESS: Final = rb'(?:null|true|false|-?\d[\d.eE+-]*+|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|\{\s*+\}|\[\s*+\])'
_FIRST_LINES: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:" + _KEYLESS + rb"[ \t]*+\r?\n\s*+)++(?=\{)")
_FIRST_IN_LIST: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*+\[\s*+(?:" + _KEYLESS + rb"\s*+,\s*+)++(?=\{)")
_TO_QUOTE: Final = rb'[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ENDS: Final = re.compile(_TO_QUOTE, re.DOTALL)
_TEXT: Final = re.compile(b'"' + _TO_QUOTE, re.DOTALL)
_WHOLE: Final = re.compile(rb'(?:[^"]*+"' + _TO_QUOTE + rb")*+", re.DOTALL)
_NUMBERS: Final = re.compile(rb"[0-9., \t\r\neE+-]{%d,}+" % SHORT)
_NEXT: Final = re.compile(rb"\}\s*,?\s*\{")
"""Where one object ends and the next begins."""


@lru_cache(maxsize=8)
def wider_head(head: FileHead) -> FileHead:
    """The head of a JSON file without what hides its keys; the same one if nothing does."""
    start = _with_keys(head.head)
    if len(head.head) >= HEAD and _is_json(start) and _has_long(start):
        start = _with_keys(_shortened(head))
    return head if start == head.head else replace(head, head=start)


def _is_json(start: bytes) -> bool:
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def _has_long(start: bytes) -> bool:
    """Whether a text or a list of numbers is long; quickly, as plain tables of JSON are asked too."""
    return max(map(len, start.replace(b'\\"', b"  ").split(b'"'))) >= LONG


def _with_keys(start: bytes) -> bytes:
    """The bytes from the first record on that has keys."""
    if found := _FIRST_LINES.match(start):
        return start[found.end() :]
    if found := _FIRST_IN_LIST.match(start):
        return b"[" + start[found.end() :]
    return start


def _shortened(head: FileHead) -> bytes:
    """As much as a head holds of a file whose long texts and lists of numbers are shortened."""
    found, carried, inside, read = b"", b"", False, 0
    with plain_bytes(head) as stream:
        while len(found) < HEAD and read < MOST and (block := stream.read(_BLOCK)):
            read += len(block)
            text = carried + block
            if inside:
                end = _ENDS.match(text)
                if end is None:
                    carried = _half_escape(text)
                    continue
                found, text = found + b'"', text[end.end() :]
            text, opened = _parted(text)
            inside = len(opened) > LONG
            found += _NUMBERS.sub(b"0", _TEXT.sub(_short, text)) + (_beginning(opened) if inside else b"")
            carried = _half_escape(opened) if inside else opened
            if read >= ENOUGH and len(_NEXT.findall(found)) >= _RECORDS:
                break
    return (found if inside else found + carried)[:HEAD]


def _half_escape(text: bytes) -> bytes:
    """The backslash that a text ends with, if it begins an escape."""
    return b"\\" if (len(text) - len(text.rstrip(b"\\"))) % 2 else b""


def _parted(text: bytes) -> tuple[bytes, bytes]:
    """The bytes before a text that has no end yet, and its own."""
    whole = _WHOLE.match(text)
    opened = text.find(b'"', whole.end() if whole else 0)
    return (text, b"") if opened < 0 else (text[:opened], text[opened:])


def _short(found: re.Match[bytes]) -> bytes:
    return found[0] if len(found[0]) <= SHORT else _beginning(found[0]) + b'"'


def _beginning(text: bytes) -> bytes:
    """The first letters of a text with its opening quote, without an escape."""
    return text[:KEPT].partition(b"\\")[0].decode(errors="ignore").encode()
