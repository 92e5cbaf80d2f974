"""A function of sums over all attempts: corpus BLEU and other metrics of a corpus that are no mean over its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ArgumentError, MethodError
from scorebars.estimators.columns import OfColumns, weighted_sums
from scorebars.kernels import sums
from scorebars.kernels.drawing import Counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.kernels.drawing import Attempts
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class OfSums(OfColumns):
    """A function of the sums of value columns over all attempts in one pot, each times the weight of its item.

    Corpus BLEU is one of n-gram counts and lengths of the sentences (Koehn 2004), chrF and word error rate are others.
    Where a function of sums is meant it is many times quicker than :class:`~scorebars.Custom`, which passes on every
    value of every resample.

    Args:
        fn: a function that is given one array of sums a column, each of shape (resamples,), and returns one such array.
        columns: the value columns that are summed, in the order of the function's parameters.
        name: as printed; the function's own name by default.

    Raises:
        ArgumentError: ``fn`` cannot be called; no columns.
        MethodError: (from ``statistic``) the function raised, or returned another shape; the message shows the sums.

    Example:
        >>> OfSums(np.divide, ("errors", "words"), name="word error rate").name
        'word error rate'
    """

    fn: Callable[..., Any]
    columns: tuple[str, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.fn):
            raise ArgumentError(f"fn is {self.fn!r}, and must be a function of sums, such as numpy.divide")
        if not self.columns or not isinstance(self.columns, tuple):
            raise ArgumentError(
                f"columns is {self.columns!r}, and must be a tuple of names, such as ('errors', 'words')"
            )
        own = getattr(self.fn, "__name__", "of sums")
        object.__setattr__(self, "name", self.name or ("of sums" if own == "<lambda>" else own))

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The function of the sums of each resample, shape (n,)."""
        return self._of(np.stack([weighted_sums(drawn, drawn.values(name)) for name in self.columns], axis=1))

    def counted(self, attempts: Attempts) -> Counted:
        """The function of sums of counts."""
        each = attempts.per_unit(*(attempts.weight * attempts.values(name) for name in self.columns))

        def of(counts: IntArray, fast: bool) -> FloatArray:
            return np.asarray(sums.totals(counts, each, fast=fast))

        return Counted((sums.totals,), of, self._of)

    def _of(self, totals: FloatArray) -> FloatArray:
        """The function of sums of shape (n, len(columns))."""
        columns = [np.ascontiguousarray(column) for column in totals.T]
        try:
            found = np.asarray(self.fn(*columns), dtype=np.float64)
        except Exception as error:
            raise MethodError(self._told(f"raised {type(error).__name__} ({error})", totals)) from error
        if found.shape != (len(totals),):
            what = f"returned shape {found.shape} for sums of shape ({len(totals)},), and must return one number each,"
            raise MethodError(self._told(what, totals))
        return found

    def _told(self, what: str, totals: FloatArray) -> str:
        shown = ", ".join(f"{name} = {x:g}" for name, x in zip(self.columns, totals[0], strict=True))
        return f"{self.name} {what} for sums of which the first are {shown}"
