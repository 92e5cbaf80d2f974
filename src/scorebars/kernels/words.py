"""The index stream of ``Generator.integers``, from the raw words of its bit generator: the same numbers, sooner.

NumPy makes an integer below n (n < 2³²) from a 32-bit word w as ⌊w·n / 2³²⌋, and throws w away where the lower half of
w·n is below 2³² mod n (Lemire 2019, algorithm 5). Words taken raw cost half of what ``integers`` costs, and the
multiplication is left to whoever uses them. The Generator ends in the state that ``integers`` would leave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.kernels.levels import refused

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

    Words = NDArray[np.uint32]

HALVED: Final = {"PCG64", "PCG64DXSM", "SFC64", "Philox"}
"""Bit generators whose 32-bit words are the lower and then the upper half of each 64-bit word."""
WORD: Final = 1 << 32


@dataclass(eq=False)
class IndexWords:
    """Rows of ``rng.integers(0, bounds, size=(rows, len(bounds)))``, as words: index d is ``words[d]·bounds[d] >> 32``.

    A context manager: at the end the Generator gets back the half of a word that was not used.
    """

    rng: np.random.Generator
    bounds: NDArray[np.int64]
    """What each draw of a row lies below, shape (draws,); from 2 to 2³² − 1 (of 1, ``integers`` takes no word)."""
    _pending: Words = field(default_factory=lambda: np.empty(0, dtype=np.uint32))

    def __post_init__(self) -> None:
        self._lower = np.empty(0, dtype=np.uint32)
        self._same = bool(len(self.bounds)) and bool(np.all(self.bounds == self.bounds[0]))
        self._bounds = self.bounds.astype(np.uint32)
        self._refused = ((WORD - self.bounds) % self.bounds).astype(np.uint32)

    def __enter__(self) -> Self:
        state: dict[str, Any] = dict(self.rng.bit_generator.state)
        self._raw = state["bit_generator"] in HALVED
        if self._raw and state["has_uint32"]:
            self._pending = np.array([state["uinteger"]], dtype=np.uint32)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._raw:
            return
        state: dict[str, Any] = dict(self.rng.bit_generator.state)
        left = len(self._pending)
        state |= {"has_uint32": left, "uinteger": int(self._pending[0]) if left else 0}
        self.rng.bit_generator.state = state

    def rows(self, n: int) -> Words:
        """The words of the next ``n`` rows, shape (n, draws)."""
        shape = (n, len(self.bounds))
        if not self._raw:
            return self._from_integers(shape)
        words = (self._of_one_bound if self._same else self._of_many_bounds)(n)
        return words.reshape(shape)

    def _from_integers(self, shape: tuple[int, int]) -> Words:
        """The smallest word that gives each index."""
        bounds = self.bounds.astype(np.uint64)
        index = self.rng.integers(0, self.bounds, size=shape).astype(np.uint64)
        return (((index << np.uint64(32)) + bounds - np.uint64(1)) // bounds).astype(np.uint32)

    def _more(self, words: Words, need: int) -> Words:
        """``words`` and as many new ones as are missing, or one more."""
        missing = need - len(words)
        if missing <= 0:
            return words
        raw = self.rng.bit_generator.random_raw((missing + 1) // 2)
        new = raw.astype("<u8", copy=False).view("<u4").astype(np.uint32, copy=False)
        return np.concatenate((words, new)) if len(words) else new

    def _of_one_bound(self, n: int) -> Words:
        need, bound, refused = n * len(self.bounds), self._bounds[0], self._refused[0]
        words = self._more(self._pending, need)
        if len(self._lower) < need:
            self._lower = np.empty(need, dtype=np.uint32)
        lower = self._lower[:need]
        while need and np.multiply(words[:need], bound, out=lower).min() < refused:
            words = np.concatenate((words[:need][lower >= refused], words[need:]))
            words = self._more(words, need)
        self._pending = words[need:]
        return words[:need]

    def _of_many_bounds(self, n: int) -> Words:
        need = n * len(self.bounds)
        bounds, refused = np.tile(self._bounds, n), np.tile(self._refused, n)
        words = self._pending
        while True:
            words = self._more(words, need)
            bad = words[:need] * bounds < refused
            if not bad.any():
                break
            words = np.delete(words, int(np.argmax(bad)))  # which bound a later word meets depends on it
        self._pending = words[need:]
        return words[:need]


class MixedWords(IndexWords):
    """The words of calls of ``rng.integers(0, bound, size=count)`` with any bounds and counts, one after the other."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng, np.empty(0, dtype=np.int64))

    @staticmethod
    def serves(rng: np.random.Generator) -> bool:
        """Whether the words of this Generator can be taken raw."""
        return rng.bit_generator.state["bit_generator"] in HALVED

    def take(self, counts: NDArray[np.int64], bounds: NDArray[np.int64], *, fast: bool) -> Words:
        """The words of so many draws below each bound, shape (Σ counts,); bounds from 2 to 2³² − 1."""
        need = int(counts.sum())
        words = self._more(self._pending, need)
        self._pending = words
        if not refused(words[:need], counts, bounds, fast=fast):
            self._pending = words[need:]
            return words[:need]
        parts = [self._below(count, bound) for count, bound in zip(counts.tolist(), bounds.tolist(), strict=True)]
        return np.concatenate(parts)

    def _below(self, count: int, bound: int) -> Words:
        """The words of draws below one bound, without those that are refused."""
        self._bounds = np.array([bound], dtype=np.uint32)
        self._refused = np.array([(WORD - bound) % bound], dtype=np.uint32)
        self.bounds = np.array([bound])
        return self._of_one_bound(count)
