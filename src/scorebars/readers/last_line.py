"""The last line of a text file: without a line break it may have been cut short, and a number in it be another one.

Loggers end every line, so such a line is left out of their files (:func:`unended_note`). Tables that people or
spreadsheets write often lack the last line break; there only the number itself can show it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.files import plain_bytes, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import FileHead
    from scorebars.notes import Note

_BLOCK: Final = 1 << 20
_TAIL: Final = 1 << 16
"""Bytes at the end of a table whose numbers are compared with the last one."""
_LEAST: Final = 10
"""Numbers of equally many decimals that make one of fewer odd."""
_UNFINISHED: Final = re.compile(r"[+-]?\d+(?:\.|(?:\.\d*)?[eE][+-]?)|[+-]|[+-]?\.")
_NUMBER: Final = re.compile(r"[+-]?\d*(?:\.(\d+))?(?:[eE][+-]?\d+)?")


def is_ended(head: FileHead) -> bool:
    """Whether the last line has its line break."""
    with plain_bytes(head) as stream:
        if head.compression is None:
            stream.seek(max(0, head.size - 1))
        last = b""
        for block in iter(lambda: stream.read(_BLOCK), b""):
            last = block
    return last[-1:] in (b"\n", b"\r", b"")


def unended_note(head: FileHead, line: str) -> Note:
    """``left-out`` for a last line without a line break."""
    why = "it has no line break, as a line that was cut short has none; if it is whole, end it with one"
    return note("left-out", path=shown(head.path), rows=f"the last line, '{line}',", why=why)


def cut_number(head: FileHead, delimiter: str = "") -> tuple[Note, ...]:
    """``cut-number`` where the last line lacks its end, and its last number some decimals that all before it have.

    Args:
        head: The file; a compressed one says itself that it is cut.
        delimiter: What stands before the last cell of a line; "" where a line is one number.

    Raises:
        ReadError: The number itself is not finished ('0.', '1e-').
    """
    lines = _last_lines(head)
    if not lines:
        return ()
    *before, last = [line.rpartition(delimiter)[2] if delimiter else line for line in lines]
    filled = [cell for cell in before if cell]
    others = [match for cell in filled if (match := _NUMBER.fullmatch(cell))]
    if not others or len(others) < len(filled):
        return ()
    if _UNFINISHED.fullmatch(last):
        raise ReadError(
            f"{shown(head.path)}: the last line ends with '{last}' and has no line break: it was cut short; write the "
            "file again, or take that line away"
        )
    number = _NUMBER.fullmatch(last)
    decimals = {len(match[1] or "") for match in others}
    if not last or number is None or len(others) < _LEAST or len(decimals) > 1 or len(number[1] or "") >= max(decimals):
        return ()
    return (note("cut-number", path=shown(head.path), last=last, n=len(others), decimals=max(decimals)),)


def _last_lines(head: FileHead) -> Sequence[str]:
    """The last lines of a file that does not end with a line break, whole ones but for the last, no header; or none."""
    if head.compression is not None or not head.size:
        return []
    if head.size <= len(head.head):
        data = head.head
        return [] if data.endswith((b"\n", b"\r")) else _text(data)[1:]
    with plain_bytes(head) as stream:
        stream.seek(head.size - 1)
        if stream.read(1) in (b"\n", b"\r"):
            return []
        stream.seek(max(0, head.size - _TAIL))
        data = stream.read(_TAIL)
    return _text(data)[1:]


def _text(data: bytes) -> Sequence[str]:
    return [line.strip() for line in data.decode(errors="replace").split("\n")]
