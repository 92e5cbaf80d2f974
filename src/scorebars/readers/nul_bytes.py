"""NUL bytes in a text table: what a full disk, a crash or a sparse copy leaves where lines were.

The database takes them for letters: a hole that begins in one cell and ends in another of that column joins the two
rows, and those between are gone without a word. A file of ordinary size is searched. Of a larger one a byte every so
often is looked at, in less than half the time: a hole is a block of a disk, none of which is shorter.
"""

from __future__ import annotations

import mmap
from typing import IO, TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.files import opened, plain_bytes, shown

if TYPE_CHECKING:
    from scorebars.contracts import FileHead

SEARCHED: Final = 64 << 20
"""Bytes up to which a file is searched for a single one."""
BLOCK: Final = 512
"""Bytes of the smallest block that a disk writes, so that none is left out by looking at one in so many."""
_READ: Final = 1 << 20
_WINDOW: Final = 64 << 20
"""Bytes that are mapped at a time: a multiple of a page and of a block."""
_UNPACKED: Final = {"gz": "gunzip -c OLD | ", "zst": "zstd -dc OLD | "}
"""What is typed to read a compressed file."""
_HOLE: Final = 16
"""So many in a row are a hole; fewer may stand in a text."""


def refuse_nul_bytes(head: FileHead) -> None:
    """Raise a ReadError with the line of the first NUL byte, or hole of them in a large file, of text that has one."""
    if sentence := nul_bytes(head):
        raise ReadError(sentence)


def nul_bytes(head: FileHead) -> str:
    """The sentence for such a byte; '' where none is found."""
    if head.compression is not None:
        return _in_stream(head)
    if not head.size:
        return ""
    with opened(head.path) as stream:
        place = stream.read().find(b"\0") if head.size <= SEARCHED else _hole(stream, head.size)
        if place < 0:
            return ""
        line = 1
        for at in range(0, place, _READ):
            line += _bytes(stream, at, min(at + _READ, place)).count(b"\n")
        return _sentence(head, line, _length(_bytes(stream, place, place + _HOLE)))


def _hole(stream: IO[bytes], size: int) -> int:
    """The first byte of the first hole of a block or more; -1 where there is none.

    A window of the file is looked at after the other: what is mapped counts as memory of the process.
    """
    for start in range(0, size, _WINDOW):
        for place in _zeros(stream, start, min(_WINDOW, size - start)):
            begin = place - _length(_bytes(stream, max(0, place - BLOCK), place)[::-1])
            if _length(_bytes(stream, begin, begin + BLOCK)) == BLOCK:
                return begin
    return -1


def _zeros(stream: IO[bytes], start: int, length: int) -> list[int]:
    """Where the last byte of a block is zero, of those in a window."""
    import numpy as np

    with mmap.mmap(stream.fileno(), length, access=mmap.ACCESS_READ, offset=start) as data:
        ends = np.frombuffer(data, np.uint8)[BLOCK - 1 :: BLOCK]
        numbers = np.flatnonzero(ends == 0)
        del ends  # the map is not closed while an array looks at it
    found: list[int] = (start + BLOCK * numbers + BLOCK - 1).tolist()
    return found


def _bytes(stream: IO[bytes], start: int, stop: int) -> bytes:
    stream.seek(start)
    return stream.read(stop - start)


def _in_stream(head: FileHead) -> str:
    """The same of a compressed file."""
    line = 1
    with plain_bytes(head) as stream:
        for block in iter(lambda: stream.read(_READ), b""):
            place = block.find(b"\0")
            if place >= 0:
                return _sentence(head, line + block[:place].count(b"\n"), _length(block[place : place + _HOLE]))
            line += block.count(b"\n")
    return ""


def _length(data: bytes) -> int:
    """How many NUL bytes it begins with."""
    return len(data) - len(data.lstrip(b"\0"))


def _sentence(head: FileHead, line: int, length: int) -> str:
    if length >= _HOLE:
        return (
            f"{shown(head.path)}: line {line} holds a hole of NUL bytes, as a full disk or a crash leaves where lines "
            "were; copy or write the file again"
        )
    unpacked = _UNPACKED.get(head.compression or "", "")
    return (
        f"{shown(head.path)}: line {line} holds a NUL byte, which is no text: copy or write the file again, or, if it "
        f"belongs to no score, take it out ({unpacked}tr -d '\\000'{'' if unpacked else ' < OLD'} > NEW)"
    )
