"""JSON files as they are read by the formats that are JSON: whole values and lines, with errors that say where.

What stands in a file may be of any type: :class:`Node` is an object with its place, and answers the fields that a
format promises with the type that it promises, or with one sentence.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, near_miss
from scorebars.readers.files import bad_byte, plain_bytes, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorebars.contracts import FileHead

LARGEST: Final = 512 << 20
"""Bytes of the largest JSON value that is loaded whole, decompressed."""
LONGEST_LINE: Final = 64 << 20
_DIGITS: Final = 300
"""Whole numbers of fewer digits are floats too."""
_KINDS: Final = {dict: "an object", list: "a list", str: "text", bool: "a truth value", type(None): "null"}


def load(head: FileHead, number: Callable[[str], Any] | None = None, *, unique: bool = False) -> Any:
    """The JSON value of a whole file.

    Args:
        head: The file.
        number: What becomes of the text of a number; None: a Python number.
        unique: Whether the keys are data, such as the names of games: one that an object has twice is an error then.

    Raises:
        ReadError: Too large, not UTF-8, not JSON (with line and column), nested too deeply, a key twice.
    """
    with plain_bytes(head) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ReadError(
            f"{shown(head.path)} is one JSON value of more than {LARGEST >> 20} MiB, which is not loaded at once; "
            "write it as JSON Lines, one record a line"
        )
    return parsed(data, head, number, unique=unique)


def parsed(data: bytes, head: FileHead, number: Callable[[str], Any] | None = None, *, unique: bool = False) -> Any:
    """A whole file's bytes as a JSON value.

    Raises:
        ReadError: No UTF-8, no JSON, a key twice, or nested too deeply.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(bad_byte(head) or f"{shown(head.path)} is not UTF-8") from error
    try:
        return json.loads(
            text,
            parse_float=number,
            parse_int=number or _whole,
            parse_constant=number,
            object_pairs_hook=once if unique else None,
        )
    except KeyTwiceError as error:
        raise ReadError(f"{shown(head.path)} has {error}") from error
    except json.JSONDecodeError as error:
        raise ReadError(
            f"{shown(head.path)} is not valid JSON: {fault(error)} in line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise ReadError(f"{shown(head.path)} is nested too deeply to hold scores") from error


class KeyTwiceError(ValueError):
    """A key that an object has twice."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these members, each of which has a key of its own.

    Raises:
        KeyTwiceError: A key stands there twice.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise KeyTwiceError(f"the key '{key}' twice in one object, of which only one can count; rename or remove one")
    return made


def _whole(text: str) -> int | float:
    """A whole number; one of hundreds of digits, which no float holds, is infinite."""
    return int(text) if len(text) < _DIGITS else float(text)


_DECODER: Final = json.JSONDecoder(parse_int=_whole)
"""Made once: `json.loads` makes one for each line, which takes as long as decoding it."""


def fault(error: json.JSONDecodeError) -> str:
    """What is wrong, as the middle of a sentence; text that stops anywhere inside is truncated."""
    if error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip()):
        return "it is truncated"
    return error.msg.lower()


def lines(head: FileHead) -> Iterator[Node]:
    """The objects of a JSON Lines file, one at a time; blank lines are left out.

    Raises:
        ReadError: A line that is too long, or holds no object.
    """
    path = shown(head.path)
    with plain_bytes(head) as stream:
        for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE), b""), start=1):
            if len(line) >= LONGEST_LINE:
                raise ReadError(f"{path}: line {number} is longer than {LONGEST_LINE >> 20} MiB")
            if line.strip(b"\xef\xbb\xbf \t\r\n"):
                yield node(_line(line, f"{path}: line {number}", head), f"{path}: line {number}")


def _line(line: bytes, where: str, head: FileHead) -> Any:
    try:
        return _DECODER.decode(line.decode().removeprefix("\ufeff"))  # the codec of both is three times slower
    except UnicodeDecodeError as error:
        raise ReadError(bad_byte(head) or f"{where} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise ReadError(f"{where} is not valid JSON ({fault(error)} at column {error.pos + 1})") from error
    except RecursionError as error:
        raise ReadError(f"{where} is nested too deeply to hold a score") from error


def node(value: Any, where: str) -> Node:
    """An object with its place; anything else is an error."""
    if not isinstance(value, dict):
        raise ReadError(f"{where} is {kind(value)}, not an object")
    return Node(value, where)


def records(value: Any, where: str) -> list[Node]:
    """The objects of a list, each with its number (from 1).

    Raises:
        ReadError: No list, or one of anything but objects.
    """
    if not isinstance(value, list):
        raise ReadError(f"{where} is {kind(value)}, not a list of records")
    return [node(each, f"{where}: record {number}") for number, each in enumerate(value, start=1)]


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    return _KINDS.get(type(value), "a number")


def id_text(value: Any, where: str) -> str:
    """An id as text: '7' for 7 and 7.0, text untouched but for what no encoding holds.

    Raises:
        ReadError: Anything but text or a number.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ReadError(f"{where} is {kind(value)}; an id is text or a number")
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    text = str(value)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON object and where it stands ('a.json: record 3'), for errors."""

    value: dict[str, Any]
    where: str

    def has(self, key: str) -> bool:
        """Whether the key is there and not null."""
        return self.value.get(key) is not None

    def get(self, key: str) -> Any:
        """The value of a key that must be there (it may be null).

        Raises:
            ReadError: It is not there, with the nearest.
        """
        if key not in self.value:
            raise ReadError(f"{self.where} has no '{key}'{near_miss(key, self.value)}")
        return self.value[key]

    def text(self, key: str, default: str | None = None) -> str:
        """An id or a name as text. Without a default, a key that is missing or null is an error."""
        if default is not None and not self.has(key):
            return default
        return id_text(self.get(key), f"{self.where}: '{key}'")

    def number(self, key: str) -> float:
        """A score: true is 1, null and a missing key are NaN; text, lists, objects and infinity are errors."""
        value = self.value.get(key)
        if value is None:
            return math.nan
        if isinstance(value, str | list | dict):
            raise ReadError(f"{self.where}: '{key}' is {kind(value)}, not a number")
        if math.isinf(value):
            raise ReadError(f"{self.where}: '{key}' is infinite; a score is a finite number (null if there is none)")
        return float(value)

    def truth(self, key: str) -> float:
        """A verdict: 1 for true, 0 for false, NaN for null and a missing key; 1 and 0 are such too, else an error."""
        value = self.value.get(key)
        if value is None:
            return math.nan
        if isinstance(value, bool | int | float) and value in (0, 1):
            return float(value)
        said = value if isinstance(value, int | float) else kind(value)
        raise ReadError(f"{self.where}: '{key}' is {said}; it must be true, false or null")

    def whole(self, key: str, default: int | None = None) -> int:
        """A count or a place.

        Raises:
            ReadError: Anything but a whole number.
        """
        value = default if default is not None and not self.has(key) else self.get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ReadError(f"{self.where}: '{key}' is {kind(value)}, not a whole number")
        return value

    def node(self, key: str) -> Node:
        """An object under a key; a missing or null one is empty."""
        value = self.value.get(key)
        return Node({}, f"{self.where}: '{key}'") if value is None else node(value, f"{self.where}: '{key}'")

    def nodes(self, key: str) -> list[Node]:
        """The objects of a list under a key; a missing or null one is empty."""
        value = self.value.get(key)
        return [] if value is None else records(value, f"{self.where}: '{key}'")

    def members(self) -> Iterator[tuple[str, Node]]:
        """The objects under all keys, where the keys are names."""
        return ((id_text(key, self.where), node(each, f"{self.where}: '{key}'")) for key, each in self.value.items())
