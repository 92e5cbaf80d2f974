"""Header and samples of an ``.eval`` log, a zip file: a few samples in memory at a time.

``samples/`` is the authority: logs that were rewritten by hand hold other scores in ``summaries.json``, in the events
and in the header's results.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.ahead import ahead
from scorebars.readers.files import shown
from scorebars.readers.inspect_header import plain
from scorebars.readers.inspect_scores import flatten
from scorebars.readers.json_skim import SkimError, one_record
from scorebars.readers.zip_members import latest_members, member_blocks, open_zip, read_member, refuse_outside

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.readers.inspect_fields import Picker

_BATCH: Final = 2 * 1024**2
"""Bytes of samples that are decompressed before they are looked at, while those before them are."""
LARGE: Final = 8 * 1024**2
"""Bytes of a sample from which on only the fields that scores need are built."""
_LARGE: Final = 64 * 1024**2
"""Bytes up to which summaries.json is compared with the samples."""
_HEADER: Final = "header.json"
_START: Final = "_journal/start.json"
_SUMMARIES: Final = "summaries.json"
_SAMPLES: Final = "samples/"
_SHELL: Final = re.compile(r"(samples/.*_epoch_\d+/)sample\.json$", re.DOTALL)


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
    summaries: dict[tuple[str, str], Any] = field(default_factory=dict)
    """(item, run) -> (metric, value) pairs, as summaries.json has them of the samples."""


def read_eval(path: Path, keep: Callable[[RawSample], Any], picker: Picker) -> RawLog:
    """Read a ``.eval`` zip; ``keep`` turns each :class:`RawSample` into the little that is wanted of it.

    Raises:
        ReadError: A zip that is no Inspect log, or damaged.
    """
    with open_zip(path) as archive:
        refuse_outside(archive, path)
        members = latest_members(archive)
        name = next((name for name in (_HEADER, _START) if name in members), None)
        if name is None:
            raise ReadError(f"{shown(path)}: a zip file without '{_HEADER}' or '{_START}': no Inspect log")
        header = _member_object(read_member(archive, members[name], path), members[name], path)
        stored = _stored(members, picker.fields)
        samples: list[Any] = []
        batches = _batches(archive, stored, path)
        if sum(each.size for each in stored) > _BATCH:  # else there is one, and a thread costs more than it saves
            batches = ahead(batches)
        for batch in batches:
            known = [each.fields for each in batch]
            picked = known if any(known) else picker.pick([each.data for each in batch])
            for each, fields in zip(batch, picked, strict=True):
                samples.append(keep(_raw_sample(each, fields, path)))
        copies = [info.filename for info in archive.infolist() if info.filename.startswith(_SAMPLES)]
        summaries = _summaries(archive, members.get(_SUMMARIES), path)
        return RawLog(path, header, samples, name == _HEADER, len(copies) - len(set(copies)), summaries)


def _summaries(archive: zipfile.ZipFile, info: zipfile.ZipInfo | None, path: Path) -> dict[tuple[str, str], Any]:
    """The scores of summaries.json, which count nowhere; none where it is absent, very large or damaged."""
    if info is None or info.file_size > _LARGE:
        return {}
    try:
        found = json.loads(read_member(archive, info, path))
    except (ValueError, RecursionError):
        return {}
    summaries = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return {
        (plain(one["id"]), plain(one.get("epoch", 1))): tuple(flatten(one["scores"]))
        for one in summaries
        if one.get("id") is not None and isinstance(one.get("scores"), dict)
    }


@dataclass(frozen=True, slots=True)
class _Stored:
    """The members of one sample."""

    info: zipfile.ZipInfo
    metadata: zipfile.ZipInfo | None
    """Of a sample in pieces, if it is wanted; elsewhere it stands in the sample itself."""
    wanted: tuple[str, ...]
    """Fields that are read of it."""
    data: bytes = b""
    metadata_data: bytes = b""
    fields: dict[str, Any] | None = None
    """Its fields, of a large one; its bytes are not kept."""

    @property
    def size(self) -> int:
        """Bytes, decompressed."""
        return self.info.file_size

    def loaded(self, archive: zipfile.ZipFile, path: Path) -> _Stored:
        """The same with its bytes."""
        metadata = b"" if self.metadata is None else read_member(archive, self.metadata, path)
        if self.size <= LARGE:
            return replace(self, data=read_member(archive, self.info, path), metadata_data=metadata)
        try:
            fields = one_record(member_blocks(archive, self.info, path), self.wanted)
        except SkimError as error:
            raise ReadError(f"{shown(path)}: member '{self.info.filename}': {error}") from error
        return replace(self, fields=fields, metadata_data=metadata)


def _stored(members: Mapping[str, zipfile.ZipInfo], wanted: tuple[str, ...]) -> list[_Stored]:
    """The samples of a log, whole (``<id>_epoch_<n>.json``) or in pieces (``<id>_epoch_<n>/sample.json`` and others).

    Newer Inspect can put messages, events and attachments of a large sample into members of their own. What a score
    needs stays in ``sample.json``, but for the metadata. Ids may hold slashes, so pieces are told by their prefix.
    """
    prefixes = {shell[1] for name in members if (shell := _SHELL.match(name))}
    found: list[_Stored] = []
    for name, info in members.items():
        if not (name.startswith(_SAMPLES) and name.endswith(".json")):
            continue
        if not prefixes or prefixes.isdisjoint(_folders(name)):
            found.append(_Stored(info, None, wanted))
        elif name.removesuffix("sample.json") in prefixes:
            beside = members.get(name.removesuffix("sample.json") + "metadata.json")
            found.append(_Stored(info, beside if "metadata" in wanted else None, wanted))
    return found


def _folders(name: str) -> list[str]:
    """Every folder that a member is in, with its slash."""
    return [name[: place + 1] for place, character in enumerate(name) if character == "/"]


def _batches(archive: zipfile.ZipFile, stored: Sequence[_Stored], path: Path) -> Iterator[list[_Stored]]:
    """Samples with their bytes, a few MB at a time."""
    batch: list[_Stored] = []
    size = 0
    for each in stored:
        if batch and size + each.size > _BATCH:  # so that one whose fields are known is a batch of its own
            yield batch
            batch, size = [], 0
        batch.append(each.loaded(archive, path))
        size += each.size
    if batch:
        yield batch


def _raw_sample(stored: _Stored, fields: dict[str, Any] | None, path: Path) -> RawSample:
    if fields is None:
        fields = _member_object(stored.data, stored.info, path)
    if stored.metadata is not None:
        fields = {**fields, "metadata": _member_object(stored.metadata_data, stored.metadata, path)}
    return RawSample(f"member '{stored.info.filename}'", fields)


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
    """The value, which must be an object.

    Raises:
        ReadError: It is none.
    """
    if not isinstance(value, dict):
        raise ReadError(f"{shown(path)}: {where} is no JSON object, so no part of an Inspect log")
    return value
