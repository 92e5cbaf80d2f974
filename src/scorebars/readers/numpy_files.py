"""Arrays of NumPy's .npy and .npz files, without ever unpickling: an array of objects is refused.

A .npz is a zip file. Its members are read in memory, none is written to disk, so their names are never paths; what they
claim to hold is checked against what they hold, and bounded, before memory is taken for it.
"""

from __future__ import annotations

import io
import math
import tokenize
import warnings
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.readers.files import plain_bytes, shown
from scorebars.readers.zip_members import LARGEST, latest_members, open_zip, read_member, refuse_outside

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.contracts import FileHead

MAGIC: Final = b"\x93NUMPY"
_VERSIONS: Final = frozenset({(1, 0), (2, 0), (3, 0)})
_BROKEN: Final = (ValueError, TypeError, SyntaxError, tokenize.TokenError, EOFError, RecursionError, OverflowError)


def is_npz(head: FileHead) -> bool:
    """Whether a file is a zip file whose first member is an array."""
    if not head.head.startswith(b"PK\x03\x04"):
        return False
    length = int.from_bytes(head.head[26:28], "little")
    return head.head[30 : 30 + length].endswith(b".npy")


def load_npz(head: FileHead) -> dict[str, NDArray[Any]]:
    """Name -> array of each member.

    Raises:
        ReadError: Truncated, damaged, too large, or an array of objects; the sentence names the member.
    """
    path = shown(head.path)
    if head.compression is not None:
        raise ReadError(f"{path} is compressed twice: a .npz is a zip file already; unpack it once")
    arrays: dict[str, NDArray[Any]] = {}
    with open_zip(head.path) as archive:
        refuse_outside(archive, head.path)
        members = latest_members(archive)
        total = sum(info.file_size for info in members.values())
        if total > LARGEST:
            raise ReadError(f"{path} claims to hold {total:,} bytes; at most {LARGEST:,} are read")
        for name, info in members.items():
            where = f"{path}: member '{name}'"
            if not name.endswith(".npy"):
                raise ReadError(f"{where} is no array; a .npz holds arrays only")
            arrays[name.removesuffix(".npy")] = array_of(read_member(archive, info, head.path), where)
    return arrays


def load_npy(head: FileHead) -> NDArray[Any]:
    """The array of a .npy file.

    Raises:
        ReadError: More than is loaded at once, or what ``array_of`` refuses.
    """
    with plain_bytes(head) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ReadError(f"{shown(head.path)} holds more than {LARGEST:,} bytes, which are not loaded at once")
    return array_of(data, shown(head.path))


def array_of(data: bytes, where: str) -> NDArray[Any]:
    """The array that the bytes of a .npy file hold.

    Raises:
        ReadError: Pickled objects, no numbers, or fewer bytes than they need.
    """
    shape, is_fortran, dtype, start = _header(data, where)
    if dtype.hasobject:
        raise ReadError(
            f"{where} holds pickled Python objects (a dictionary, or rows of unequal length), which could run any "
            "program when loaded, so they are never read; save plain arrays: np.savez('scores.npz', A=a, B=b)"
        )
    if dtype.kind not in "biuf":
        raise ReadError(f"{where} holds {dtype}, not numbers; scores are whole or decimal numbers")
    count = math.prod(shape)
    if count * dtype.itemsize != len(data) - start:
        raise ReadError(
            f"{where} is damaged or truncated: {count:,} numbers need {count * dtype.itemsize:,} bytes, and "
            f"{len(data) - start:,} are there; copy or write it again"
        )
    flat = np.frombuffer(data, dtype=dtype, count=count, offset=start)
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _header(data: bytes, where: str) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, order, type and where the numbers begin."""
    stream = io.BytesIO(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # headers of Python 2 are read with a remark
            version = np.lib.format.read_magic(stream)
            if version not in _VERSIONS:
                raise ValueError(f"its format is of version {version[0]}.{version[1]}, and up to 3.0 is known")
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran, dtype = read(stream)
    except _BROKEN as error:
        raise ReadError(f"{where} is no array of NumPy, or a damaged one ({str(error).splitlines()[0]})") from error
    return shape, is_fortran, dtype, stream.tell()
