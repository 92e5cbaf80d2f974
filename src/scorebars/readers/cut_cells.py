"""Columns of delimited text as codes: cells are told apart by their bytes, and only the different ones become texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

LONGEST: Final = 32
"""Bytes of the longest cell that is told apart this way; longer ones are prose, and seldom the same twice."""
_WORD: Final = 8
"""Bytes that are compared at once."""
_MIXER: Final = 0x9E3779B97F4A7C15
_TURNS: Final = 8
"""Tries of placing cells that share their place with another."""


@dataclass(frozen=True, eq=False)
class CutColumn(Sequence["str | None"]):
    """The cells of a column, None for empty ones."""

    numbers: NDArray[np.int32]
    """For each cell the number of its text."""
    texts: list[str | None]
    """The different texts, in the order in which they appear."""

    @cached_property
    def _cells(self) -> list[str | None]:
        """Every cell."""
        return [self.texts[number] for number in self.numbers.tolist()]

    @overload
    def __getitem__(self, index: int) -> str | None: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str | None]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str | None] | None:
        if isinstance(index, slice):
            return [self.texts[number] for number in self.numbers[index].tolist()]
        return self.texts[int(self.numbers[index])]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str | None]:
        return iter(self._cells)


def cut_columns(data: bytes, delimiter: str) -> tuple[list[str], list[CutColumn]] | None:
    r"""Headers and columns of text without quotes, in UTF-8, one line a row; None where it is not all of one width.

    Also None where a cell is longer than ``LONGEST`` or where there is no row, which others read as well.

    >>> headers, (model, score) = cut_columns(b"model,score\nA,1\nB,\nA,1\n", ",")
    >>> headers, model.numbers.tolist(), model.texts, list(score)
    (['model', 'score'], [0, 1, 0], ['A', 'B'], ['1', None, '1'])
    """
    ends = _ends(data if data.endswith(b"\n") else data + b"\n", delimiter)
    if ends is None or len(ends) < 2:
        return None
    starts = np.empty_like(ends)
    starts.ravel()[0], starts.ravel()[1:] = 0, ends.ravel()[:-1] + 1
    words = np.ndarray((len(data) + LONGEST,), "<u8", data + bytes(LONGEST + _WORD), strides=(1,))
    columns = []
    for place in range(ends.shape[1]):
        column = _column(data, words, starts[1:, place], ends[1:, place])
        if column is None:
            return None
        columns.append(column)
    return data[: int(ends[0, -1])].decode().split(delimiter), columns


def _ends(data: bytes, delimiter: str) -> NDArray[np.intp] | None:
    """Where each cell ends, shape (lines, cells of a line); None where lines differ in their cells."""
    letters = np.frombuffer(data, np.uint8)
    found = letters == ord("\n")
    found |= letters == ord(delimiter)
    ends = np.flatnonzero(found)
    is_line = letters[ends] == ord("\n")
    width = int(np.argmax(is_line)) + 1
    n_lines = len(ends) // width
    even = n_lines * width == len(ends) and np.count_nonzero(is_line) == n_lines and is_line[width - 1 :: width].all()
    return ends.reshape(n_lines, width) if even else None


def _column(
    data: bytes, words: NDArray[np.uint64], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> CutColumn | None:
    """The column whose cells lie there; None where they are too long, or not told apart so quickly."""
    lengths = ends - starts
    longest = int(lengths.max())
    if longest > LONGEST:
        return None
    keep = np.array([(1 << 8 * kept) - 1 for kept in range(_WORD + 1)], np.uint64)
    parts = [words[starts] & keep[np.minimum(lengths, _WORD)]]
    parts += [
        words[starts + at] & keep[np.minimum(np.maximum(lengths - at, 0), _WORD)] for at in range(_WORD, longest, _WORD)
    ]
    first = _first_alike(parts)
    if first is None:
        return None
    is_first = first == np.arange(len(first))
    rows = np.flatnonzero(is_first)
    spans = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
    numbers = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    return CutColumn(numbers[first], [data[start:end].decode() or None for start, end in spans])


def _first_alike(parts: Sequence[NDArray[np.uint64]], turn: int = 0) -> NDArray[np.intp] | None:
    """For each row the first whose parts are all the same.

    Rows are placed by a hash of their parts; the first that comes to a place has it, with all rows that are like it,
    and the others are placed anew by another hash.
    """
    if turn == _TURNS:
        return None
    mixed = parts[0]
    for part in parts[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIXER) + part
    n = len(mixed)
    bits = max(n - 1, 1).bit_length() + 1
    place = (mixed * np.uint64(_MIXER * (2 * turn + 1) % (1 << 64)) >> np.uint64(64 - bits)).astype(np.intp)
    owner = np.empty(1 << bits, np.intp)
    owner[place[::-1]] = np.arange(n)[::-1]  # what is written last stays, which is the first row
    first = owner[place]
    left = np.flatnonzero(np.logical_or.reduce([part[first] != part for part in parts]))
    if len(left):
        rest = _first_alike([part[left] for part in parts], turn + 1)
        if rest is None:
            return None
        first[left] = left[rest]
    return first
