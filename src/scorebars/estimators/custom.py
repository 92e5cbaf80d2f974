"""Any function of an array as an estimator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ArgumentError, MethodError
from scorebars.estimators.columns import OfColumns
from scorebars.estimators.ordered import refuse_weights
from scorebars.textbook.metrics import takes_axis

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray, Sample

SHOWN = 4
"""Values of an input that an error shows."""


@dataclass(frozen=True, slots=True)
class Custom(OfColumns):
    """A function of the values of all attempts in one pot.

    Args:
        fn: a function that is given one array a column and returns one number. If it takes ``axis=``, it is given all
            resamples of one size at once, arrays of shape (resamples, attempts) with ``axis=-1``, and returns one
            number each; else it is called once a resample with arrays of shape (attempts,), which is slow.
        vectorised: whether to call it with ``axis=``; None: if it has a parameter of that name.
        columns: the value columns that it is given, in this order.
        name: as printed; the function's own name by default.

    Raises:
        ArgumentError: ``fn`` cannot be called; no columns.
        MethodError: (from ``statistic``) the function raised, or returned NaN or another shape; the message says for
            which resample and which input. (From ``check``) items of different weight, of which it would know nothing.

    Example:
        >>> Custom(np.ptp).name
        'ptp'
    """

    fn: Callable[..., Any]
    vectorised: bool | None = None
    columns: tuple[str, ...] = ("score",)
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.fn):
            raise ArgumentError(f"fn is {self.fn!r}, and must be a function of an array, such as numpy.median")
        if not self.columns or not isinstance(self.columns, tuple):
            raise ArgumentError(f"columns is {self.columns!r}, and must be a tuple of names, such as ('score',)")
        own = getattr(self.fn, "__name__", "custom")
        object.__setattr__(self, "name", self.name or ("custom" if own == "<lambda>" else own))
        if self.vectorised is None:
            object.__setattr__(self, "vectorised", takes_axis(self.fn))

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Refuse items of different weight."""
        del item_name
        refuse_weights(self.name, sample)

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The function of each resample, shape (n,)."""
        size = drawn.sizes
        start = np.cumsum(size) - size
        values = [drawn.values(name) for name in self.columns]
        if np.all(size == size[0]):  # one resample after the other
            return self._applied([column.reshape(drawn.n, -1) for column in values], np.arange(drawn.n), drawn)
        out = np.empty(drawn.n)
        for each in np.unique(size):
            rows = np.flatnonzero(size == each)
            inputs = [column[start[rows][:, np.newaxis] + np.arange(each)] for column in values]
            out[rows] = self._applied(inputs, rows, drawn)
        return out

    def _applied(self, inputs: list[FloatArray], rows: IntArray, drawn: Drawn) -> FloatArray:
        """The function of inputs of one size, arrays of shape (len(rows), size)."""
        if self.vectorised:
            return self._all_at_once(inputs, rows, drawn)
        return np.array([self._one(inputs, k, _which(drawn, int(row)), {}) for k, row in enumerate(rows)])

    def _all_at_once(self, inputs: list[FloatArray], rows: IntArray, drawn: Drawn) -> FloatArray:
        try:
            found = np.asarray(self.fn(*inputs, axis=-1), dtype=np.float64)
        except Exception:  # noqa: BLE001 - a function of the caller may raise anything; one by one tells for which input
            found = np.array(
                [self._one(inputs, slice(k, k + 1), _which(drawn, int(r)), {"axis": -1}) for k, r in enumerate(rows)]
            )
        if found.shape != (len(rows),):
            raise MethodError(
                f"{self.name} returned shape {found.shape} for {len(rows)} resamples of shape {inputs[0].shape}, and "
                "must return one number a resample; reduce over axis, or give vectorised=False"
            )
        bad = np.flatnonzero(np.isnan(found))
        if len(bad):
            raise MethodError(self._told("returned nan", inputs, int(bad[0]), _which(drawn, int(rows[bad[0]]))))
        return found

    def _one(self, inputs: list[FloatArray], k: int | slice, which: str, options: dict[str, int]) -> float:
        """The function of one input, with errors that name it."""
        row = k.start if isinstance(k, slice) else k
        try:
            found = np.asarray(self.fn(*(column[k] for column in inputs), **options), dtype=np.float64)
        except Exception as error:
            raise MethodError(self._told(f"raised {type(error).__name__} ({error})", inputs, row, which)) from error
        if found.size != 1:
            what = f"returned shape {found.shape}, and must return one number,"
            raise MethodError(self._told(what, inputs, row, which))
        value = float(found.reshape(()))
        if math.isnan(value):
            raise MethodError(self._told("returned nan", inputs, row, which))
        return value

    def _told(self, what: str, inputs: list[FloatArray], row: int, which: str) -> str:
        shown = [
            f"{name} = [{', '.join(f'{x:g}' for x in column[row, :SHOWN])}{', …' if column.shape[1] > SHOWN else ''}]"
            for name, column in zip(self.columns, inputs, strict=True)
        ]
        size = inputs[0].shape[1]
        return f"{self.name} {what} for {which}, of {size} attempts: {'; '.join(shown)}"


def _which(drawn: Drawn, row: int) -> str:
    if drawn.first is None:
        return "the scores as they are" if drawn.n == 1 else f"the scores without unit {row + 1}"
    return f"resample {drawn.first + row + 1}"
