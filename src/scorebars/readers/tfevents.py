"""Event files of TensorBoard (``events.out.tfevents.…``): the scalars that a run logged, each tag a metric.

A run is a folder, whose event files belong together; its name is the run's. ``--map model=folder`` makes the folder
above it the model, ``--map file={model}/{run}/*`` takes both from the path. Scalars are ``simple_value`` (PyTorch,
TensorFlow 1) or tensors of rank 0 (TensorFlow 2, Keras). Images, histograms, texts and graphs are passed over.

A file is a sequence of records, each with its length and checksums (CRC-32C, masked), around a protocol buffer
``Event``; a record that is cut short at the end of a file is left out with a note, as TensorBoard leaves it out.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.file_runs import FILE
from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.file_names import by_name
from scorebars.readers.files import plain_bytes, shown
from scorebars.readers.records import each
from scorebars.readers.run_files import run_names
from scorebars.readers.sources import NoScores
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.readers.run_files import RunNames

MAGIC: Final = b"brain.Event:"
_VERSION: Final = re.compile(re.escape(MAGIC) + rb"(\d+)")
NEWEST: Final = "2"
"""Newest version of event files that is known."""
"""What the first record of each file says, with a version."""
LONGEST: Final = 1 << 30
"""Bytes of a record; more is no length."""
_START: Final = 64
_SHORT: Final = 4096
"""Bytes up to which a record is checked though nothing is taken from it."""
_HEADER: Final = struct.Struct("<QI")
_CRC: Final = struct.Struct("<I")
_HIDDEN: Final = "_hparams_/"
"""Beginning of the tags of settings."""
_SCALARS: Final = "scalars"
_STEP, _SUMMARY, _VALUE = 2, 5, 1
_TAG, _SIMPLE, _TENSOR, _METADATA = 1, 2, 8, 9
_DTYPE, _SHAPE, _CONTENT, _HALF = 1, 2, 4, 13
_TYPES: Final = {1: "<f4", 2: "<f8", 3: "<i4", 9: "<i8", 19: "<f2"}
"""Type of a tensor -> how its content is written."""
_LISTS: Final = {1: 5, 2: 6, 3: 7, 9: 10}
"""Type of a tensor -> the field of its values, where they are no content."""


class TfEventsReader:
    """Reads what ``SummaryWriter`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "tfevents"

    def claims(self, head: FileHead) -> bool:
        """A first record that says its version."""
        return MAGIC in head.head[:_START]

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a run, that is a folder; one score a tag."""
        folders: dict[Path, list[FileHead]] = {}
        for head in heads:
            folders.setdefault(head.path.absolute().parent, []).append(head)
        names = None
        if FILE not in request.columns:
            runs = [replace(own[0], path=folder) for folder, own in folders.items()]
            names = run_names(runs, request, "an event file of TensorBoard")

        def part(head: FileHead) -> Part | None:
            own = folders[head.path.absolute().parent]
            return _part(sorted(own, key=lambda one: one.path.name), request, names) if head is own[0] else None

        return each(heads, part)


@dataclass(slots=True)
class _Points:
    """The points of one tag."""

    steps: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


def _part(heads: Sequence[FileHead], request: Request, names: RunNames | None) -> Part:
    first = heads[0]
    tags: dict[str, _Points] = {}
    notes: list[Note] = []
    for head in heads:
        notes += _read(head, tags)
    if not tags:
        raise NoScores(f"{shown(first.path)} holds no scalar (images, texts, histograms or settings alone)")
    model, run, told = _named(first, request, names)
    last = float(max(max(points.steps) for points in tags.values()))
    curves = [
        Curve(model, run, np.array(own.steps, np.float64), np.array(own.values), metric=tag, until=last)
        for tag, own in tags.items()
    ]
    told |= {"metric": "the tags", "score": "the scalars over their step"}
    part = curve_part(first, "tfevents", curves, request.options, told)
    return replace(part, notes=(*part.notes, *notes))


def _named(head: FileHead, request: Request, names: RunNames | None) -> tuple[str, str, dict[str, str]]:
    """Model and run of a folder, and where they came from."""
    folder = head.path.absolute().parent
    if names is None:
        said = by_name(head.path, request.columns)
        run = said.texts.get("{run}", folder.name)
        return said.texts.get("{model}", said.folder or run), run, dict.fromkeys(("model", "run"), "the path, as asked")
    model, run = names.of(folder)
    above = "the folder above the run's" if names.is_by_folder else "the run's folder"
    return model, run, {"model": f"{above} ('{model}')", "run": f"the run's folder ('{run}')"}


def _read(head: FileHead, tags: dict[str, _Points]) -> Iterator[Note]:
    """Add the scalars of a file; a note where its last record is cut short."""
    kinds: dict[str, str] = {}
    if said := _VERSION.search(head.head[:_START]):
        yield from newer_version(shown(head.path), int(said[1]), NEWEST, "an event file of TensorBoard")
    with plain_bytes(head) as stream:
        for place, data in _records(head, stream):
            if data is None:
                why = f"it is cut short at byte {place:,}, as where the run was ended, or goes on"
                yield note("left-out", path=shown(head.path), rows="the last record", why=why)
                return
            for step, tag, value in _checked(head, place, data, kinds):
                points = tags.setdefault(tag, _Points())
                points.steps.append(step)
                points.values.append(value)


def _checked(head: FileHead, place: int, data: bytes, kinds: dict[str, str]) -> list[tuple[int, str, float]]:
    """The scalars of a record with its checksum behind it."""
    where = f"{shown(head.path)}: the record at byte {place:,}"
    event, (check,) = data[: -_CRC.size], _CRC.unpack(data[-_CRC.size :])
    try:
        found = list(_scalars(event, kinds))
    except (ValueError, IndexError, struct.error):
        raise ReadError(f"{where} is no event: {_DAMAGED}") from None
    # Images and histograms are long, and nothing is taken from them.
    if (found or len(event) <= _SHORT) and _masked(event) != check:
        raise ReadError(f"{where} is not what was written: {_DAMAGED}")
    return found


_DAMAGED: Final = "the file is damaged; copy it again, or leave it out (--without FILE)"


def _records(head: FileHead, stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """(its place, the bytes and their checksum) of each record; None for one that is cut short."""
    place = 0
    while start := stream.read(_HEADER.size):
        if len(start) < _HEADER.size:
            yield place, None
            return
        length, check = _HEADER.unpack(start)
        if _masked(start[:8]) != check or length > LONGEST:
            where = f"{shown(head.path)}: the record at byte {place:,}"
            raise ReadError(f"{where} has a length that is not what was written: {_DAMAGED}")
        data = stream.read(length + _CRC.size)
        if len(data) < length + _CRC.size:
            yield place, None
            return
        yield place, data
        place += _HEADER.size + len(data)


def _table() -> list[int]:
    """The table of CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), by byte."""
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_BYTES: Final = _table()


def _masked(data: bytes) -> int:
    """The checksum of a record's bytes, rotated and shifted as records have it."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _BYTES[(value ^ byte) & 0xFF] ^ value >> 8
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a message: (number, bytes, or the number of a varint)."""
    place, end = 0, len(data)
    while place < end:
        key, place = _varint(data, place)
        wire = key & 7
        if wire == 0:
            value, place = _varint(data, place)
            yield key >> 3, value
            continue
        size = {1: 8, 5: 4}.get(wire)
        if size is None:
            if wire != 2:
                raise ValueError("a wire type that no event has")
            size, place = _varint(data, place)
        if place + size > end:
            raise ValueError("a field that is longer than its message")
        yield key >> 3, data[place : place + size]
        place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number and the place behind it."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than 64 bits")


def _scalars(data: bytes, kinds: dict[str, str]) -> Iterator[tuple[int, str, float]]:
    """(step, tag, value) of an event; ``kinds``: tag -> the plugin that its first value names."""
    step, summaries = 0, []
    for number, value in _fields(data):
        if number == _STEP and isinstance(value, int):
            step = value - (1 << 64) if value >> 63 else value
        elif number == _SUMMARY and isinstance(value, bytes):
            summaries.append(value)
    for summary in summaries:
        for number, value in _fields(summary):
            if number == _VALUE and isinstance(value, bytes):
                tag, scalar = _scalar(value, kinds)
                if scalar is not None and not tag.startswith(_HIDDEN):
                    yield step, tag, scalar


def _scalar(data: bytes, kinds: dict[str, str]) -> tuple[str, float | None]:
    """The tag of a value, and its number if it is a scalar."""
    found: dict[int, bytes] = {number: value for number, value in _fields(data) if isinstance(value, bytes)}
    tag = found.get(_TAG, b"").decode()
    if _METADATA in found:
        kinds[tag] = _plugin(found[_METADATA])
    if _SIMPLE in found:
        return tag, float(struct.unpack("<f", found[_SIMPLE])[0])
    if _TENSOR in found and kinds.get(tag, _SCALARS) in ("", _SCALARS):
        return tag, _tensor(found[_TENSOR])
    return tag, None


def _plugin(metadata: bytes) -> str:
    """The plugin that a value is for: plugin_data.plugin_name."""
    data = next((value for number, value in _fields(metadata) if number == 1), b"")
    name = next((value for number, value in _fields(data) if number == 1), b"") if isinstance(data, bytes) else b""
    return name.decode() if isinstance(name, bytes) else ""


def _tensor(data: bytes) -> float | None:
    """The number of a tensor of rank 0; None for any other."""
    kind, values = 0, {}
    for number, value in _fields(data):
        if number == _DTYPE and isinstance(value, int):
            kind = value
        elif number == _SHAPE and value:
            return None
        else:
            values[number] = value
    if kind not in _TYPES:
        return None
    content = values.get(_CONTENT)
    if content is None and kind in (1, 2):
        content = values.get(_LISTS[kind])
    if isinstance(content, bytes):
        (number,) = np.frombuffer(content, _TYPES[kind])
        return float(number)
    whole = values.get(_LISTS.get(kind, _HALF))
    if isinstance(whole, bytes):
        whole, _ = _varint(whole, 0)
    if not isinstance(whole, int):
        return 0.0  # a default is not written
    if kind == 19:
        return float(np.array([whole], "<u2").view("<f2")[0])
    return float(whole - (1 << 64) if whole >> 63 else whole)
