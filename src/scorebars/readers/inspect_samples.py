"""Header and samples of an ``.eval`` log, a zip file: a few samples in memory at a time.

``samples/`` is the authority: logs that were rewritten by hand hold other scores in ``summaries.json``, in the events
and in the header's results.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.ahead import ahead
from scorebars.readers.files import shown
from scorebars.readers.zip_members import latest_members, open_zip, read_member

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from scorebars.readers.inspect_fields import Picker

_BATCH: Final = 2 * 1024**2
"""Bytes of samples that are decompressed before they are looked at, while those before them are."""
_HEADER: Final = "header.json"
_START: Final = "_journal/start.json"


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


def read_eval(path: Path, keep: Callable[[RawSample], Any], picker: Picker) -> RawLog:
    """Read a ``.eval`` zip; ``keep`` turns each :class:`RawSample` into the little that is wanted of it."""
    with open_zip(path) as archive:
        members = latest_members(archive)
        name = next((name for name in (_HEADER, _START) if name in members), None)
        if name is None:
            raise ReadError(f"{shown(path)}: a zip file without '{_HEADER}' or '{_START}': no Inspect log")
        header = _member_object(read_member(archive, members[name], path), members[name], path)
        wanted = [info for name, info in members.items() if name.startswith("samples/") and name.endswith(".json")]
        samples: list[Any] = []
        batches = _batches(archive, wanted, path)
        if sum(info.file_size for info in wanted) > _BATCH:  # else there is one, and a thread costs more than it saves
            batches = ahead(batches)
        for infos, batch in batches:
            for info, data, fields in zip(infos, batch, picker.pick(batch), strict=True):
                samples.append(_kept(info, data, fields, path, keep))
        return RawLog(path, header, samples, name == _HEADER, len(archive.infolist()) - len(members))


def _batches(
    archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], path: Path
) -> Iterator[tuple[list[zipfile.ZipInfo], list[bytes]]]:
    """Members and their bytes, a few MB at a time."""
    infos: list[zipfile.ZipInfo] = []
    batch: list[bytes] = []
    size = 0
    for info in members:
        if batch and size + info.file_size > _BATCH:
            yield infos, batch
            infos, batch, size = [], [], 0
        infos.append(info)
        batch.append(read_member(archive, info, path))
        size += info.file_size
    if batch:
        yield infos, batch


def _kept(
    info: zipfile.ZipInfo, data: bytes, fields: dict[str, Any] | None, path: Path, keep: Callable[[RawSample], Any]
) -> Any:
    where = f"member '{info.filename}'"
    return keep(RawSample(where, _member_object(data, info, path) if fields is None else fields))


def json_fault(error: Exception) -> str:
    """A JSON error as a phrase: what and where, and that a file may be cut off."""
    if isinstance(error, json.JSONDecodeError):
        return (
            f"not valid JSON at line {error.lineno}, column {error.colno} ({error.msg.lower()}): truncated or damaged"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text at byte {error.start}"
    return "JSON nested too deeply to be a log"


def _member_object(data: bytes, info: zipfile.ZipInfo, path: Path) -> dict[str, Any]:
    where = f"member '{info.filename}'"
    try:
        return as_object(json.loads(data), path, where)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{shown(path)}: {where}: {json_fault(error)}") from error


def as_object(value: Any, path: Path, where: str) -> dict[str, Any]:
    """The value, which must be an object."""
    if not isinstance(value, dict):
        raise ReadError(f"{shown(path)}: {where} is no JSON object, so no part of an Inspect log")
    return value
