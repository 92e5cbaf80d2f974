"""Header and samples of an Inspect log, from a ``.eval`` zip or a ``.json`` file, one sample in memory at a time.

``samples/`` is the authority: logs that were rewritten by hand hold other scores in ``summaries.json``, in the events
and in the header's results.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.files import shown
from scorebars.readers.zip_members import latest_members, open_zip, read_member

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Generator
    from pathlib import Path

LARGEST_JSON: Final = 2 * 1024**3
"""Bytes of a ``.json`` log; larger ones are better kept as ``.eval``, which is read sample by sample."""
_HEADER: Final = "header.json"
_START: Final = "_journal/start.json"
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class RawSample:
    """One sample as the log holds it."""

    where: str
    """Member or position, for messages."""
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RawLog:
    """A log: the header's fields, and what is read of each sample."""

    path: Path
    header: dict[str, Any]
    samples: list[Any]
    """What ``keep`` made of each sample, in file order."""
    complete: bool = True
    """False for a log whose writer never closed it (no header)."""
    rewritten: int = 0
    """Members that a later one of the same name replaces."""


def read_eval(path: Path, keep: Callable[[RawSample], Any]) -> RawLog:
    """Read a ``.eval`` zip; ``keep`` turns each :class:`RawSample` into the little that is wanted of it."""
    with open_zip(path) as archive:
        members = latest_members(archive)
        name = next((name for name in (_HEADER, _START) if name in members), None)
        if name is None:
            raise ReadError(f"{shown(path)}: a zip file without '{_HEADER}' or '{_START}': no Inspect log")
        header = _member_object(archive, members[name], path)
        wanted = [info for name, info in members.items() if name.startswith("samples/") and name.endswith(".json")]
        samples = [keep(RawSample(info.filename, _member_object(archive, info, path))) for info in wanted]
        return RawLog(path, header, samples, name == _HEADER, len(archive.infolist()) - len(members))


def read_json(path: Path, text: str, keep: Callable[[RawSample], Any]) -> RawLog:
    """Read a ``.json`` log from its text; samples are decoded, reduced by ``keep`` and dropped one by one."""
    header: dict[str, Any] = {}
    samples: list[Any] = []
    try:
        for key, value in _top_level(text):
            if key == "samples":
                where = f"sample {len(samples) + 1}"
                samples.append(keep(RawSample(where, _as_object(value, path, where))))
            else:
                header[key] = value
    except (json.JSONDecodeError, RecursionError) as error:
        raise ReadError(f"{shown(path)}: {json_fault(error)}") from error
    return RawLog(path, header, samples)


def json_fault(error: Exception) -> str:
    """A JSON error as a phrase: what and where, and that a file may be cut off."""
    if isinstance(error, json.JSONDecodeError):
        return (
            f"not valid JSON at line {error.lineno}, column {error.colno} ({error.msg.lower()}): truncated or damaged"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text at byte {error.start}"
    return "JSON nested too deeply to be a log"


def _member_object(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> dict[str, Any]:
    data = read_member(archive, info, path)
    where = f"member '{info.filename}'"
    try:
        return _as_object(json.loads(data), path, where)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{shown(path)}: {where}: {json_fault(error)}") from error


def _as_object(value: Any, path: Path, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ReadError(f"{shown(path)}: {where} is no JSON object, so no part of an Inspect log")
    return value


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
