"""Members of a zip file as bytes, Zstandard ones (method 93) too, which the standard library reads only from 3.14 on.

Nothing is ever extracted to disk, so names inside the archive are never paths. Sizes are bounded: a member that claims
or yields more than :data:`LARGEST` bytes is refused, whatever its compressed size.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.readers.files import shown, zstandard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LARGEST: Final = 512 * 1024 * 1024
"""Bytes of one member, decompressed. The transcript of one sample stays far below."""
ZSTANDARD: Final = 93
_BLOCK: Final = 1 << 20
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, struct.error)


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip file for reading; a truncated one (no directory at its end) is a ReadError."""
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        fault = str(error).lower()
        raise ReadError(
            f"{shown(path)}: no complete zip file ({fault}): truncated or still being written; copy it again"
        ) from error


def latest_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Name -> member. A name that occurs twice was written again: the last one counts, as for any unzip tool."""
    return {info.filename: info for info in archive.infolist()}


def refuse_outside(archive: zipfile.ZipFile, path: Path) -> None:
    """Refuse an archive with a member that leads out of it ('../x', '/x'): no log program writes such a name."""
    outside = [name for name in archive.namelist() if name.startswith("/") or ".." in name.split("/")]
    if outside:
        more = f" (and {len(outside) - 1:,} more)" if len(outside) > 1 else ""
        raise ReadError(
            f"{shown(path)}: member '{outside[0]}'{more} leads outside of the archive, as none that a "
            "program writes does: the file was made or changed by something else; copy it again, or write it again "
            "without that member"
        )


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    """The bytes of one member, checked against its size and checksum; a ReadError names the member."""
    _refuse_huge(info, path)
    try:
        return _content(archive, info)
    except _BROKEN as error:
        raise _damaged(info, path, error) from error


def member_blocks(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> Iterator[bytes]:
    """The same bytes, a block at a time; what is wrong at the end is an error after the last."""
    _refuse_huge(info, path)
    try:
        if info.compress_type == ZSTANDARD and not info.flag_bits & 1:
            yield from _checked(_frame_blocks(_raw(archive, info), info.file_size), info)
        else:
            with archive.open(info) as stream:
                yield from iter(lambda: stream.read(_BLOCK), b"")
    except _BROKEN as error:
        raise _damaged(info, path, error) from error


def _refuse_huge(info: zipfile.ZipInfo, path: Path) -> None:
    if info.file_size > LARGEST:
        raise ReadError(
            f"{shown(path)}: member '{info.filename}' claims {info.file_size:,} bytes; at most {LARGEST:,} are read"
        )


def _damaged(info: zipfile.ZipInfo, path: Path, error: Exception) -> ReadError:
    return ReadError(f"{shown(path)}: member '{info.filename}' is damaged ({error}); copy the file again")


def _checked(blocks: Iterable[bytes], info: zipfile.ZipInfo) -> Iterator[bytes]:
    """The same blocks, held against the size and the checksum of the directory."""
    size, checksum = 0, 0
    for block in blocks:
        size, checksum = size + len(block), zlib.crc32(block, checksum)
        yield block
    if size != info.file_size or checksum != info.CRC:
        raise zipfile.BadZipFile("size or checksum differ")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Decompress the member's own bytes: for thousands of small members several times faster than ``ZipFile.read``."""
    if info.flag_bits & 1 or info.compress_type not in _PLAIN:
        return archive.read(info)  # encrypted, or another method: let the library read or refuse it
    data = _PLAIN[info.compress_type](_raw(archive, info), info.file_size)
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise zipfile.BadZipFile("size or checksum differ")
    return data


def _raw(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The compressed bytes: the local header's own name and extra lengths may differ from the directory's."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("the archive is closed")
    file.seek(info.header_offset)
    magic, name_length, extra_length = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if magic != b"PK\x03\x04":
        raise zipfile.BadZipFile("no local header where the directory says")
    file.seek(name_length + extra_length, 1)
    raw = file.read(info.compress_size)
    if len(raw) != info.compress_size:
        raise zipfile.BadZipFile("shorter than the directory says")
    return raw


def _frames(raw: bytes, size: int) -> bytes:
    """All frames of ``raw`` decompressed, never more than ``size`` + 1 bytes."""
    zstd = zstandard()
    pieces: list[bytes] = []
    found = 0
    try:
        while raw and found <= size:
            frame = zstd.ZstdDecompressor()
            pieces.append(frame.decompress(raw, max_length=size - found + 1))
            found += len(pieces[-1])
            if not frame.eof:
                break
            raw = frame.unused_data
    except zstd.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    return b"".join(pieces)


def _frame_blocks(raw: bytes, size: int) -> Iterator[bytes]:
    """The same, a block at a time."""
    zstd = zstandard()
    found = 0
    try:
        while raw and found <= size:
            frame = zstd.ZstdDecompressor()
            given = raw
            while not frame.eof:
                block = frame.decompress(given, max_length=_BLOCK)
                given = b""
                found += len(block)
                if block:
                    yield block
                elif frame.needs_input or found > size:
                    return
            raw = frame.unused_data
    except zstd.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error


def _inflated(raw: bytes, size: int) -> bytes:
    """A deflate stream decompressed, never more than ``size`` + 1 bytes."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw, size + 1)


def _stored(raw: bytes, _: int) -> bytes:
    return raw


_PLAIN: Final = {zipfile.ZIP_STORED: _stored, zipfile.ZIP_DEFLATED: _inflated, ZSTANDARD: _frames}
"""Method -> decompression of (bytes, expected size)."""
