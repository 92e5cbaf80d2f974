"""From what the user names (files, folders, globs, ``-``) to files, and from a file to its first bytes.

Nothing here knows a format. A file is judged by its content; a broken compressed stream, an address, a missing path and
a file without permission are each a :class:`~scorebars.errors.ReadError` with the remedy.
"""

from __future__ import annotations

import glob
import gzip
import os
import re
import shutil
import sys
import tempfile
import zlib
from codecs import BOM_UTF8, getincrementaldecoder
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from scorebars.contracts import FileHead
from scorebars.errors import ReadError, near_miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

_LIKE: Final = 0.6
"""Likeness of names without their endings from which on one may be meant by the other."""
HEAD: Final = 65_536
"""Bytes (decompressed) that detection looks at."""
_BLOCK: Final = 1 << 20
_ADDRESS = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+://")
_COMPRESSED = {".gz": "gz", ".zst": "zst", ".zstd": "zst"}
_MAGIC = ((b"\x1f\x8b\x08", "gz"), (b"\x28\xb5\x2f\xfd", "zst"))
_REFUSED = (
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
)
_SPOOL = "scorebars-input-"


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read."""

    path: Path
    explicit: bool
    """Named by the user, so that not knowing it is an error; files met in a folder or by a glob may be skipped."""
    member: str = ""
    """The sheet or table in it that the user named after '#'."""
    root: Path | None = None
    """The folder that the user named, or that a glob matched, where the file lies below one."""


class Spool:
    """A temporary folder for input that cannot be read twice (standard input, pipes); made only when needed."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def keep(self, stream: IO[bytes], name: str) -> Path:
        """Copy a stream into the folder under a name, and say where."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix=_SPOOL))
        path = self._folder / name
        with path.open("wb") as target:
            shutil.copyfileobj(stream, target, _BLOCK)
        return path

    def close(self) -> None:
        """Remove the folder and what is in it."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def shown(path: Path) -> str:
    """A path as messages name it: standard input by its usual name, all others as given."""
    if path.parent.name.startswith(_SPOOL):
        return "<standard input>" if path.name == "stdin" else f"<{path.name}>"
    return str(path) if is_text(path) else os.fsencode(path).decode(errors="backslashreplace")


def is_text(path: Path) -> bool:
    """Whether the path is UTF-8, as the names of models and all outputs must be."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def stem(path: Path) -> str:
    """The file's name without the suffixes of formats and compression: 'gpt-4.1' for 'gpt-4.1.jsonl.gz'."""
    name = path.name
    for known in (_COMPRESSED, _FORMAT_SUFFIXES):
        suffix = Path(name).suffix.lower()
        if suffix in known and len(name) > len(suffix):
            name = name[: -len(suffix)]
    return name


_FORMAT_SUFFIXES = frozenset(
    {".csv", ".tsv", ".tab", ".psv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".xml", ".npz", ".npy"}
    | {".arrow", ".arrows", ".feather", ".ipc", ".xlsx", ".xlsm", ".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb"}
)


def expand(path: str | os.PathLike[str], spool: Spool) -> list[Found]:
    """The files behind one path that the user gave, sorted within a folder or glob.

    Raises:
        ReadError: No file is there, an address, or standard input that is closed.
    """
    text = os.fspath(path)
    if _ADDRESS.match(text):
        raise ReadError(f"'{text}' is an address: only local files are read; download it first and give its path")
    if text == "-":
        if sys.stdin is None:
            raise ReadError("standard input is closed, so '-' has nothing to read; name a file")
        return [Found(spool.keep(sys.stdin.buffer, "stdin"), explicit=True)]
    target = _existing(text)
    if target is None and (whole := _existing(text.rpartition("#")[0])) is not None and whole.is_file():
        return [Found(whole, explicit=True, member=text.rpartition("#")[2])]
    if target is None:
        return _globbed(text)
    if target.is_dir():
        return [Found(file, explicit=False, root=target) for file in walk(target)]
    if not target.is_file():
        with opened(target) as stream:
            return [Found(spool.keep(stream, target.name), explicit=True)]
    return [Found(target, explicit=True)]


def _existing(text: str) -> Path | None:
    """The path as it stands, else with ``~`` expanded; None if neither exists."""
    for candidate in dict.fromkeys((Path(text), _at_home(text))):
        try:
            if text and candidate.exists():
                return candidate
        except OSError as error:
            raise ReadError(f"'{text}' cannot be reached: {_reason(error)}") from error
    return None


def _at_home(text: str) -> Path:
    """The path with ``~`` expanded; as it stands where it names no user ('~.csv')."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _globbed(text: str) -> list[Found]:
    """Files that a pattern matches; a path without a pattern is simply missing."""
    if not glob.has_magic(text):
        raise ReadError(_missing(text))
    # Path.glob takes no absolute pattern, which is what a pattern below ~ or / is.
    matches = sorted(glob.glob(str(_at_home(text)), recursive=True))  # noqa: PTH207
    files: dict[Path, Path | None] = {}
    for match in map(Path, matches):
        for file in walk(match) if match.is_dir() else [match]:
            files.setdefault(file, match if match.is_dir() else None)
    if not files:
        raise ReadError(f"no file matches '{text}'; check the pattern, and quote it so that the shell leaves it alone")
    return [Found(file, explicit=False, root=root) for file, root in files.items()]


def _missing(text: str) -> str:
    """The sentence for a path that does not exist, with the nearest name beside it."""
    if not text:
        return "an empty path was given; name a file, a folder, a glob or - for standard input"
    if Path(text).is_symlink():
        return f"'{text}' is a link that leads to no file (to '{Path(text).readlink()}'); mend the link"
    folder = _at_home(text).parent
    if not folder.is_dir():
        return f"no file or folder '{text}': there is no folder '{folder}'"
    try:
        siblings = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        return f"no file or folder '{text}', and its folder cannot be listed: {_reason(error)}"
    return f"no file or folder '{text}'{_nearest(Path(text).name, siblings)}"


def _nearest(name: str, siblings: Sequence[str]) -> str:
    """The name beside it that is meant, or the names there are: an ending alone is no likeness."""
    from difflib import SequenceMatcher

    own = Path(name).stem.lower()
    close = [other for other in siblings if SequenceMatcher(None, own, Path(other).stem.lower()).ratio() >= _LIKE]
    near = near_miss(name, close)
    return near if near.startswith("; did") else near_miss("", siblings)


def walk(folder: Path) -> list[Path]:
    """All files below a folder, sorted, with links that lead to none; hidden names are left out.

    A link that loops is followed once.

    Raises:
        ReadError: A folder that cannot be listed.
    """
    files: list[Path] = []
    seen: set[str] = set()

    def refuse(error: OSError) -> None:
        raise ReadError(f"'{error.filename}' cannot be listed: {_reason(error)}") from error

    for root, folders, names in os.walk(folder, followlinks=True, onerror=refuse):
        real = os.path.realpath(root)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files.extend(Path(root) / name for name in names if not name.startswith("."))
    return sorted(file for file in files if file.is_file() or leads_nowhere(file))


def leads_nowhere(path: Path) -> bool:
    """Whether it is a link to a file that is not there."""
    return path.is_symlink() and not path.exists()


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes as they are on disk; what the system refuses is a ReadError."""
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise ReadError(f"{shown(path)} cannot be read: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "no permission (change it with chmod, or read as another user)"
    return (error.strerror or str(error)).lower()


def head_of(path: Path) -> FileHead:
    """The first bytes of a file, decompressed, and what its name says."""
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        head = stream.read(HEAD)
    compression = _compression(path, head[:8])
    if compression:
        with opened(path) as stream, _plain(stream, compression, path) as plain:
            head = plain.read(HEAD)
    suffixes = tuple(suffix.lower() for suffix in path.suffixes)
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes = suffixes[:-1]
    return FileHead(path, suffixes[-1:], head, size, compression)


def _compression(path: Path, start: bytes) -> str | None:
    for magic, name in _REFUSED:
        if start.startswith(magic):
            raise ReadError(f"{shown(path)} is compressed with {name}, which is not read; decompress it first")
    found = next((name for magic, name in _MAGIC if start.startswith(magic)), None)
    said = _COMPRESSED.get(path.suffix.lower())
    if start and said and found is None:
        raise ReadError(
            f"{shown(path)} is not the format its name says: '{path.suffix}' promises a compressed file, "
            f"but it begins with {start!r}; rename or compress it"
        )
    return found


@contextmanager
def _plain(stream: IO[bytes], compression: str | None, path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes of an open file; a broken stream is a ReadError."""
    try:
        if compression == "gz":
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
        elif compression == "zst":
            yield zstandard().ZstdFile(stream)
        else:
            yield stream
    except EOFError as error:
        raise ReadError(f"{shown(path)} is truncated: the compressed data end too early; copy or write it again") from (
            error
        )
    except _damage(compression) as error:
        raise ReadError(f"{shown(path)} is damaged: {error}; copy or write it again") from error


def zstandard() -> ModuleType:
    """The Zstandard module of the standard library (3.14) or its backport."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _damage(compression: str | None) -> tuple[type[Exception], ...]:
    """What the decompressor raises on a damaged stream."""
    return (zstandard().ZstdError,) if compression == "zst" else (zlib.error, gzip.BadGzipFile)


def check_whole(head: FileHead) -> None:
    """Decompress a compressed file to its end, so that a truncated or damaged one is never read as a shorter one.

    DuckDB reads a truncated Zstandard stream without a word, and no checksum of a gzip stream.
    """
    if head.compression is None:
        return
    with opened(head.path) as stream, _plain(stream, head.compression, head.path) as plain:
        while plain.read(_BLOCK):
            pass


def last_byte(head: FileHead) -> bytes:
    """The last byte that is not blank, of the decompressed file; empty if there is none."""
    found = b""
    with opened(head.path) as stream, _plain(stream, head.compression, head.path) as plain:
        if head.compression is None:
            end = plain.seek(0, os.SEEK_END)
            while end and not found:
                start = max(0, end - _BLOCK)
                plain.seek(start)
                found, end = plain.read(end - start).rstrip(), start
        else:
            while block := plain.read(_BLOCK):
                found = block.rstrip() or found
    return found[-1:]


@contextmanager
def plain_bytes(head: FileHead) -> Iterator[IO[bytes]]:
    """The whole file, decompressed, to be read once."""
    with opened(head.path) as stream, _plain(stream, head.compression, head.path) as plain:
        yield plain


def text_head(head: FileHead) -> str:
    """The head as text, without a byte order mark; other encodings than UTF-8 are a ReadError with the byte."""
    if head.head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(
            f"{shown(head.path)} is UTF-16 text (it begins with {head.head[:2]!r}); save it as UTF-8 "
            f"(Excel: 'CSV UTF-8'), or convert it: {converted(head.path, 'UTF-16')}"
        )
    decoder = getincrementaldecoder("utf-8")()
    try:
        text = decoder.decode(head.head.removeprefix(BOM_UTF8))
    except UnicodeDecodeError as error:
        line = head.head[: error.start].count(b"\n") + 1
        raise ReadError(_not_utf8(head.path, error.object[error.start], error.start, line)) from error
    # A head that was cut in the middle of a character is fine; the rest stays in the decoder.
    return text


def converted(path: Path, encoding: str) -> str:
    """What turns a file of another encoding into one of UTF-8 beside it, as it is typed."""
    import shlex

    if path.suffix in {".gz", ".zst"}:
        return f"iconv -f {encoding} -t UTF-8, once it is decompressed"
    old, new = (shlex.quote(str(name)) for name in (path, path.with_name(f"utf8_{path.name}")))
    return f"iconv -f {encoding} -t UTF-8 {old} > {new}"


def _not_utf8(path: Path, byte: int, position: int, line: int) -> str:
    return (
        f"{shown(path)} is not UTF-8: byte 0x{byte:02x} at position {position:,} (line {line}); "
        f"convert it: {converted(path, 'LATIN1')} (or from the encoding it has)"
    )


def bad_byte(head: FileHead) -> str | None:
    """The sentence for the first byte of the whole file that is not UTF-8; None if all are."""
    decoder = getincrementaldecoder("utf-8")()
    position, line = 0, 1
    with plain_bytes(head) as stream:
        for block in iter(lambda: stream.read(_BLOCK), b""):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                # error.object is what the decoder had kept of the last block, then this one.
                offset = position - (len(error.object) - len(block)) + error.start
                line += error.object[: error.start].count(b"\n")
                return _not_utf8(head.path, error.object[error.start], offset, line)
            position += len(block)
            line += block.count(b"\n")
    return None


def names_for(paths: Iterable[Path]) -> dict[Path, str]:
    """A name for each file from its stem, with as many folders before it as tell files of one stem apart."""
    files = list(dict.fromkeys(paths))
    folders = {path: path.absolute().parts[1:-1] for path in files}
    stems = {path: stem(path) for path in files}
    beside = Counter((folders[path], stems[path]) for path in files)
    # Two formats of one stem in one folder differ in nothing but their suffix.
    last = {path: path.name if beside[folders[path], stems[path]] > 1 else stems[path] for path in files}
    names = dict(last)
    for depth in range(1, max(map(len, folders.values()), default=0) + 1):
        counts = Counter(names.values())
        if len(counts) == len(files):
            break
        for path in files:
            if counts[names[path]] > 1:
                names[path] = "/".join((*folders[path][-depth:], last[path]))
    return names
