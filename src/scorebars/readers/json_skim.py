"""The few fields of large records out of a stream of JSON, in the memory of a block, whatever the records hold.

The text is an object with a list of records under ``samples``, as a log is. A block is cut at the commas and brackets
of the outermost levels, which NumPy finds: a quote that is not escaped turns text on or off, and brackets outside of it
count the depth. What lies between two cuts is a member of the log or of a record. Those that fit into a block are
parsed by Python, so that damage is an error; of larger ones that are not wanted (transcripts) only that they are UTF-8,
and that their quotes and brackets close, is looked at.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ScorebarsError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from scorebars.sample import IntArray

    Step = Callable[[int, int, int], tuple[str, Any] | None]
    """From place, sign and depth of a cut to what it completes."""

BLOCK: Final = 1 << 20
LARGEST_FIELD: Final = 32 << 20
"""Bytes of one wanted field."""
MOST_VALUES: Final = 500_000
"""Commas of one wanted field, which bound the objects that Python makes of it."""
LIST: Final = "samples"
UNUSED: Final = frozenset({"reductions"})
"""Members of the log that nothing reads and that grow with it."""
_KEY: Final = re.compile(rb'\s*("(?:[^"\\]|\\.)*")\s*:', re.DOTALL)
_SPACE: Final = b" \t\r\n"
_OPEN, _CLOSE, _FIRST, _LAST, _COMMA, _QUOTE = (ord(sign) for sign in '{}[],"')


class SkimError(ScorebarsError):
    """What is wrong with the text, as a phrase that follows its place."""


def records(blocks: Iterable[bytes], fields: Collection[str], offset: int = 0) -> Iterator[tuple[str, Any]]:
    """(key, value) of each member of the log, and (``samples``, the wanted fields) of each record, in file order.

    Raises:
        SkimError: It is no such text, or a field is too large; places count from ``offset``.
    """
    machine = _Machine(fields, offset)
    for block in _split_after_pairs(blocks):
        yield from machine.feed(block)
    machine.finish()


def one_record(blocks: Iterable[bytes], fields: Collection[str]) -> dict[str, Any]:
    """The wanted fields of a text that is one record.

    Raises:
        SkimError: It is not one.
    """
    before = f'{{"{LIST}":['.encode()

    def framed() -> Iterator[bytes]:
        yield before
        yield from blocks
        yield b"]}"

    found = list(records(framed(), fields, -len(before)))
    if len(found) != 1:
        raise SkimError(f"{len(found)} JSON values where one is due")
    return dict(found[0][1])


def _split_after_pairs(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes; no block ends with a backslash that begins an escape."""
    carried = b""
    for given in blocks:
        block = carried + given
        odd = (len(block) - len(block.rstrip(b"\\"))) % 2
        carried = block[len(block) - odd :]
        yield block[: len(block) - odd]
    if carried:
        yield carried


class _Machine:
    """Where in the text it is, and what of the member there is kept."""

    def __init__(self, fields: Collection[str], offset: int) -> None:
        self._fields = fields
        self._utf8 = getincrementaldecoder("utf-8")()
        self._inside, self._depth, self._offset = 0, 0, offset
        self._step: Step = self._start
        self._held = b""
        """The text since the last cut, of earlier blocks."""
        self._dropped = False
        """Whether that text is of no use, because it belongs to a member that nobody wants."""
        self._at = 0
        self._block = b""
        self._n = 0
        """Members of the object so far."""
        self._record: dict[str, Any] = {}

    def feed(self, block: bytes) -> Iterator[tuple[str, Any]]:
        """What the next block completes."""
        try:
            self._utf8.decode(block)
        except UnicodeDecodeError as error:
            raise self._fault("not UTF-8", error.start) from error
        self._block, self._at = block, 0
        if not block:
            return
        places, depths = self._cuts(block)
        for place, depth in zip(places.tolist(), depths.tolist(), strict=True):
            found = self._step(place, block[place], depth)
            if found is not None:
                yield found
        self._keep()
        self._offset += len(block)

    def finish(self) -> None:
        """Complain where the text does not end."""
        self._block, self._at = b"", 0
        if self._step != self._end:
            raise self._fault("it ends early", 0)
        self._blank(0)

    def _cuts(self, block: bytes) -> tuple[IntArray, IntArray]:
        """Places of the commas and brackets of the outer levels, with the depth after each."""
        chars = np.frombuffer(block.replace(b"\\\\", b"  ").replace(b'\\"', b"  "), dtype=np.uint8)
        inside = (np.cumsum(chars == _QUOTE, dtype=np.uint8) + np.uint8(self._inside)) & 1
        folded = chars | 32  # [ becomes {, ] becomes }
        steps = (folded == _OPEN).astype(np.int8) - (folded == _CLOSE).astype(np.int8)
        steps[inside.view(bool)] = 0
        depth = np.cumsum(steps, dtype=np.int32) + np.int32(self._depth)
        opened = (steps > 0) & (depth <= 3)
        closed = (steps < 0) & (depth <= 2)
        commas = (chars == _COMMA) & (inside == 0) & (depth <= 3)
        places = np.flatnonzero(opened | closed | commas)
        self._inside, self._depth = int(inside[-1]), int(depth[-1])
        return places, depth[places]

    def _keep(self) -> None:
        """Keep what follows the last cut, unless it is of a member that is not wanted."""
        if self._dropped:
            return
        self._held += self._block[self._at :]
        if len(self._held) < BLOCK:
            return
        key = _KEY.match(self._held)
        if key is not None and self._is_wanted(self._name(key)):
            if len(self._held) > LARGEST_FIELD:
                raise SkimError(f"'{self._name(key)}' is larger than {LARGEST_FIELD >> 20} MiB, which no score needs")
        elif key is not None:
            self._held, self._dropped = b"", True
        elif len(self._held) > LARGEST_FIELD:
            raise self._fault("no key", 0)

    def _is_wanted(self, name: str) -> bool:
        return name in self._fields if self._step == self._in_record else name not in UNUSED

    def _text(self, place: int) -> bytes:
        text = self._held + self._block[self._at : place]
        self._held, self._at = b"", place + 1
        return text

    def _blank(self, place: int) -> None:
        if self._text(place).strip(_SPACE):
            raise self._fault("text where none is due", place)

    def _fault(self, what: str, place: int) -> SkimError:
        where = self._offset + place + 1
        return SkimError(f"not valid JSON at byte {where:,} ({what}): truncated or damaged")

    def _name(self, key: re.Match[bytes]) -> str:
        return str(self._parsed(key[1], 0))

    def _parsed(self, text: bytes, place: int) -> Any:
        try:
            return json.loads(str(text, "utf-8"))
        except ValueError as error:
            raise self._fault("a value", place) from error
        except RecursionError as error:
            raise SkimError("JSON nested too deeply to be a log") from error

    def _member(self, place: int, *, last: bool) -> tuple[str, Any] | None:
        """The member that ends here; None where it is not wanted."""
        text = self._text(place)
        if self._dropped:
            self._dropped = False
            self._n += 1
            return None
        if last and not self._n and not text.strip(_SPACE):
            return None
        key = _KEY.match(text)
        if key is None:
            raise self._fault("no key", place)
        self._n += 1
        name, value = self._name(key), text[key.end() :]
        if len(value) > BLOCK and value.count(b",") > MOST_VALUES:
            raise SkimError(f"'{name}' has more than {MOST_VALUES:,} values, which no score needs")
        parsed = self._parsed(value, place)
        return (name, parsed) if self._is_wanted(name) else None

    def _start(self, place: int, sign: int, depth: int) -> None:
        self._blank(place)
        if sign != _OPEN or depth != 1:
            raise self._fault("no object", place)
        self._step = self._in_log

    def _in_log(self, place: int, sign: int, depth: int) -> tuple[str, Any] | None:
        if depth == 2 and sign == _FIRST and not self._dropped:
            text = self._held + self._block[self._at : place]
            key = _KEY.match(text)
            if key is not None and not text[key.end() :].strip(_SPACE) and self._name(key) == LIST:
                self._text(place)
                self._n, self._step = 0, self._in_list
            return None
        if depth > 1 or sign in (_OPEN, _FIRST) or (depth == 1 and sign != _COMMA):
            return None
        return self._ended(place, sign, _CLOSE, self._end)

    def _ended(self, place: int, sign: int, closing: int, then: Step) -> tuple[str, Any] | None:
        """The member before a comma, or before the bracket that closes its object."""
        if sign not in (_COMMA, closing):
            raise self._fault("another bracket", place)
        found = self._member(place, last=sign != _COMMA)
        if sign != _COMMA:
            self._step = then
        return found

    def _in_list(self, place: int, sign: int, depth: int) -> None:
        """Between records; ``_n`` counts the commas that are due."""
        self._blank(place)
        if sign == _OPEN and depth == 3 and self._n in (0, 2):
            self._n, self._record, self._step = 0, {}, self._in_record
        elif sign == _COMMA and self._n == 1:
            self._n = 2
        elif sign == _LAST and depth == 1 and self._n != 2:
            self._step = self._after_list
        else:
            raise self._fault("no record", place)

    def _in_record(self, place: int, sign: int, depth: int) -> tuple[str, Any] | None:
        if sign in (_OPEN, _FIRST) or depth > 3 or (depth == 3 and sign != _COMMA):
            return None
        found = self._ended(place, sign, _CLOSE, self._in_list)
        if found is not None:
            self._record[found[0]] = found[1]
        if sign == _COMMA:
            return None
        self._n = 1
        return LIST, self._record

    def _after_list(self, place: int, sign: int, depth: int) -> None:
        self._blank(place)
        self._n = 1
        if sign == _CLOSE and depth == 0:
            self._step = self._end
        elif sign == _COMMA:
            self._step = self._in_log
        else:
            raise self._fault("another bracket", place)

    def _end(self, place: int, _: int, __: int) -> None:
        raise self._fault("text after the end", place)
