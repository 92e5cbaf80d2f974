r"""Inspect's ``.json`` logs: one JSON object with the samples in a list, read one sample at a time.

Inspect indents by two blanks. No JSON string holds a raw line break, so the text between ``\n    {`` and ``\n    }`` in
the list of samples is one sample, if it is JSON: a whole JSON value that begins at a place is the only one that does.
So the file is read in blocks, cut at its indentation, and every piece is parsed by Python; memory holds a block and a
sample. A small file in another layout (one line, other indents), or a damaged one, is read as a whole, which also says
where it is damaged. A large one, or one with a very large sample, is skimmed: only what scores need is built.
"""

from __future__ import annotations

import json
import re
from typing import IO, TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.files import plain_bytes, shown
from scorebars.readers.inspect_fields import FIELDS
from scorebars.readers.inspect_samples import LARGE, RawLog, RawSample, as_object, json_fault
from scorebars.readers.json_skim import BLOCK, SkimError, records

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator

    from scorebars.contracts import FileHead

    Keep = Callable[[RawSample], Any]

WHOLE: Final = LARGE
"""Bytes up to which a log of another layout is read as a whole, and up to which a sample of Inspect's is held."""
_BLOCK: Final = 1 << 20
_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


class _OtherLayout(Exception):  # noqa: N818 - no error: the file is read in another way
    """The text is not indented as Inspect does it, or it is damaged."""


def read_json(head: FileHead, keep: Keep, fields: Collection[str] = FIELDS) -> RawLog:
    """Read a ``.json`` log; samples are decoded, reduced by ``keep`` and dropped one by one.

    ``fields`` are those that ``keep`` needs; of very large samples there are no others.

    Raises:
        ReadError: No JSON, or no Inspect log.
    """
    try:
        with plain_bytes(head) as stream:
            return _collected(_indented(_Window(stream)), head, keep)
    except _OtherLayout:
        text = _text(head)
    if text is None:
        return _skimmed(head, keep, fields)
    try:
        return _collected(_top_level(text), head, keep)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ReadError(f"{shown(head.path)}: {json_fault(error)}") from error


def _skimmed(head: FileHead, keep: Keep, fields: Collection[str]) -> RawLog:
    """The log in the memory of a block."""
    with plain_bytes(head) as stream:
        stream.read(len(_BOM) if head.head.startswith(_BOM) else 0)
        try:
            return _collected(records(iter(lambda: stream.read(BLOCK), b""), fields), head, keep)
        except SkimError as error:
            raise ReadError(f"{shown(head.path)}: {error}") from error


def _collected(pairs: Iterator[tuple[str, Any]], head: FileHead, keep: Keep) -> RawLog:
    """Everything but the samples is the header; each element under ``samples`` comes as a pair of its own."""
    header: dict[str, Any] = {}
    samples: list[Any] = []
    for key, value in pairs:
        if key == "samples":
            where = f"sample {len(samples) + 1}"
            samples.append(keep(RawSample(where, as_object(value, head.path, where))))
        else:
            header[key] = value
    return RawLog(head.path, header, samples)


class _Window:
    """A stream that is cut into pieces: what is held begins at the last cut and grows as far as is looked for."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0

    def cut(self, mark: bytes, keep: int) -> bytes | None:
        """All before ``mark`` and its first ``keep`` bytes; None where the mark does not come."""
        start = self._at
        while (place := self._data.find(mark, start)) < 0:
            start = max(0, len(self._data) - self._at - len(mark))
            if not self._grow():
                return None
        return self._taken(place + keep)

    def skip(self, mark: bytes) -> bool:
        """Whether ``mark`` comes next, which is then left behind."""
        found = self.comes(mark)
        if found:
            self._at += len(mark)
        return found

    def comes(self, mark: bytes) -> bool:
        """Whether ``mark`` comes next."""
        while len(self._data) - self._at < len(mark) and self._grow():
            pass
        return self._data.startswith(mark, self._at)

    def rest(self) -> bytes:
        """What comes last: of a whole log at most a line break."""
        while len(self._data) - self._at < _BLOCK and self._grow():
            pass
        return self._data[self._at :]

    def _taken(self, end: int) -> bytes:
        taken, self._at = self._data[self._at : end], end
        return taken

    def _grow(self) -> bool:
        """Read on, as much as is held or a block; what was cut off is forgotten."""
        held = self._data[self._at :]
        if len(held) > WHOLE:
            raise _OtherLayout
        block = self._stream.read(max(_BLOCK, len(held)))
        self._data, self._at = held + block, 0
        return bool(block)


def _indented(window: _Window) -> Generator[tuple[str, Any], None, None]:
    """(key, value) of the outermost object, and of each sample."""
    window.skip(_BOM)
    _need(window.skip(b"{"))
    while True:
        key = _key(window)
        if key == "samples" and window.comes(b"[\n    {"):
            window.skip(b"[")
            yield from _samples(window)
        else:
            text = window.cut(b',\n  "', 0)
            value = _value(window.cut(b"\n}", 0) if text is None else text)
            yield from ((key, each) for each in (value if key == "samples" and isinstance(value, list) else [value]))
        if not window.skip(b","):
            break
    _need(window.skip(b"\n}"))
    _need(not window.rest().strip(b" \t\r\n"))


def _key(window: _Window) -> str:
    """The next key; its value comes next."""
    _need(window.skip(b"\n  "))
    text = window.cut(b'": ', 3)
    _need(text is not None and b"\n" not in text)
    key = _value(text[:-2] if text else None)
    _need(isinstance(key, str))
    return str(key)


def _samples(window: _Window) -> Generator[tuple[str, Any], None, None]:
    """Samples of the list, whose bracket was just passed, up to the one that closes it."""
    while window.skip(b"\n    "):
        yield "samples", _value(window.cut(b"\n    }", 6))
        if not window.skip(b","):
            break
    _need(window.skip(b"\n  ]"))


def _need(as_expected: bool) -> None:
    if not as_expected:
        raise _OtherLayout


def _value(text: bytes | None) -> Any:
    """A piece of the file parsed; the cut was wrong or the file is damaged where that cannot be."""
    if text is None:
        raise _OtherLayout
    try:
        return json.loads(str(text, "utf-8"))
    except (ValueError, RecursionError) as error:
        raise _OtherLayout from error


def _text(head: FileHead) -> str | None:
    """The whole file as text; None if it is large."""
    with plain_bytes(head) as file:
        data = file.read(WHOLE + 1)
    if len(data) > WHOLE:
        return None
    try:
        return str(data, "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(f"{shown(head.path)}: {json_fault(error)}") from error


def _top_level(text: str) -> Generator[tuple[str, Any], None, None]:
    """(key, value) of a JSON object's text; of the list under ``samples`` each element in its turn."""
    position = _expect(text, _skip(text, 0), "{")
    while text[position : position + 1] != "}":
        key, position = _DECODER.raw_decode(text, position)
        position = _skip(text, _expect(text, _skip(text, position), ":"))
        if key == "samples" and text[position : position + 1] == "[":
            position = yield from _elements(text, position + 1)
        else:
            value, position = _DECODER.raw_decode(text, position)
            yield str(key), value
        position = _after_value(text, _skip(text, position), "}")
    if _skip(text, position + 1) != len(text):
        raise json.JSONDecodeError("Extra data", text, position + 1)


def _elements(text: str, position: int) -> Generator[tuple[str, Any], None, int]:
    """Elements of the list whose first character after the bracket is at ``position``; returns the position after."""
    position = _skip(text, position)
    while text[position : position + 1] != "]":
        value, position = _DECODER.raw_decode(text, position)
        yield "samples", value
        position = _after_value(text, _skip(text, position), "]")
    return position + 1


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _expect(text: str, position: int, character: str) -> int:
    if text[position : position + 1] != character:
        raise json.JSONDecodeError(f"Expecting '{character}'", text, position)
    return _skip(text, position + 1)


def _after_value(text: str, position: int, end: str) -> int:
    """Past a comma to the next value, or at the closing bracket."""
    if text[position : position + 1] == end:
        return position
    return _expect(text, position, ",")
