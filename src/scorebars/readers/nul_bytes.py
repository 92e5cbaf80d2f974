"""NUL bytes in a text table: what a full disk, a crash or a sparse copy leaves where lines were.

The database takes them for letters: a hole that begins in one cell and ends in another of that column joins the two
rows, and those between are gone without a word. A file of ordinary size is searched. Of a larger one a byte every so
often is looked at, in less than half the time: a hole is a block of a disk, none of which is shorter.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.files import opened, plain_bytes, shown

if TYPE_CHECKING:
    from scorebars.contracts import FileHead

SEARCHED: Final = 64 << 20
"""Bytes up to which a file is searched for a single one."""
BLOCK: Final = 512
"""Bytes of the smallest block that a disk writes, so that none is left out by looking at one in so many."""
_READ: Final = 1 << 20
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
    with opened(head.path) as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        place = data.find(b"\0") if len(data) <= SEARCHED else _hole(data)
        if place < 0:
            return ""
        line = 1 + sum(data[at : min(at + _READ, place)].count(b"\n") for at in range(0, place, _READ))
        return _sentence(head, line, _length(data[place : place + _HOLE]))


def _hole(data: mmap.mmap) -> int:
    """The first byte of the first hole of a block or more; -1 where there is none."""
    import numpy as np

    ends = np.frombuffer(data, np.uint8)[BLOCK - 1 :: BLOCK]
    try:
        for number in np.flatnonzero(ends == 0).tolist():
            at = number * BLOCK + BLOCK - 1
            begin = at - _length(data[max(0, at - BLOCK) : at][::-1])
            if _length(data[begin : begin + BLOCK]) == BLOCK:
                return begin
        return -1
    finally:
        del ends  # the map is not closed while an array looks at it


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
