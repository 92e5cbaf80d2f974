"""The Fourier series of many means at once, each of draws from equally likely values, none of them on a lattice.

The steps are those of ``fourier.solve`` and ``recurrence.look``, taken for all rows together: a power series of the
transform, a look for where it comes back, Newton's method for a quantile. A row for which they do not settle is left
out, and solved alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.fourier import DEAD, FIRST_TERMS, LOUD, MARGIN, Series
from scorebars.kernels.recurrence import BLUR, PADDING, POINTS
from scorebars.kernels.rows import reach
from scorebars.kernels.transform import BULK, log1p_complex, terms_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.kernels.law import FloatArray
    from scorebars.kernels.rows import Rows
    from scorebars.kernels.transform import ComplexArray

LOOKS: Final = ((3 << 11, 6), (3 << 12, 4), (1 << 15, 4))
"""FFT points of each look, and how many times wider than the finest its cells are: the first takes a third of the time
of the rough look that a lone law is given, and the others are for those rows of which it cannot tell."""
LOOK_POINTS: Final = LOOKS[0][0]
PLAIN: Final = 0.95
"""Largest |φ| of one draw that is dead for all of them, from which on the first look is sharp enough."""
SILENT: Final = 1e-18
"""Largest coefficient that a sum of doubles does not show."""


@dataclass(frozen=True, eq=False)
class Waves:
    """Series of many rows. Arrays have the length or the first axis ``rows``."""

    centre: FloatArray
    start: FloatArray
    period: FloatArray
    omega: FloatArray
    coefficients: ComplexArray
    unseen: FloatArray
    _known: dict[float, FloatArray] = field(default_factory=dict)
    _asked: set[float] = field(default_factory=set)

    def series(self, row: int) -> Series:
        """That of one row, which has its quantiles worked out together with those of the others."""
        return _OfMany(
            centre=float(self.centre[row]),
            start=float(self.start[row]),
            period=float(self.period[row]),
            omega=self.omega[row],
            coefficients=self.coefficients[row],
            unseen=float(self.unseen[row]),
            waves=self,
            row=row,
        )

    def quantile(self, row: int, p: float) -> float | None:
        """The quantile of one row; None at the first time that one is asked for at p: perhaps no other row will be."""
        if p not in self._known:
            if p not in self._asked:
                self._asked.add(p)
                return None
            self._known[p] = self.quantiles(p)
        return float(self._known[p][row])

    def quantiles(self, p: float) -> FloatArray:
        """The x with P(T ≤ x) = p of each row: as :meth:`Series.quantile` finds it."""
        low, high = self._brackets(p)
        x, left = 0.5 * (low + high), np.arange(len(low))
        for _ in range(100):
            here, tiny = x[left], 1e-14 * self.period[left]
            value, density = self._raw(left, here)
            low[left] = np.where(value < p, here, low[left])
            high[left] = np.where(value < p, high[left], here)
            rising = density > 0.0
            new = here - (value - p) / np.where(rising, density, np.inf)
            settled = rising & (np.abs(new - here) <= tiny)
            inside = rising & (low[left] < new) & (new < high[left])
            new = np.where(settled | inside, new, 0.5 * (low[left] + high[left]))
            settled |= (np.abs(new - here) <= tiny) | (high[left] - low[left] <= 0.1 * tiny)
            x[left] = new
            left = left[~settled]
            if not len(left):
                break
        return x

    def _raw(self, rows: NDArray[np.int64], x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """F and its derivative at one x a row."""
        omega, part, n = self.omega[rows, : self._loud], self.coefficients[rows, : self._loud], self._loud
        angle = omega * (x - self.centre[rows])[:, np.newaxis]
        cosine, sine = np.cos(angle), np.sin(angle)
        waves = np.add.reduce(part.real * cosine + part.imag * sine, axis=1)
        slope = np.add.reduce(omega * (part.imag * cosine - part.real * sine), axis=1)
        flat = (x - self.start[rows]) / self.period[rows] - np.add.reduce(self._at_start[rows, :n].real, axis=1)
        return np.asarray(flat + waves), np.asarray(1.0 / self.period[rows] + slope)

    @cached_property
    def _loud(self) -> int:
        """Frequencies after which no row has a coefficient that shows."""
        heard = np.flatnonzero((np.abs(self.coefficients) > SILENT).any(axis=0))
        return int(heard[-1]) + 1 if len(heard) else 1

    @cached_property
    def _at_start(self) -> ComplexArray:
        angle = self.omega * (self.start - self.centre)[:, np.newaxis]
        return np.asarray(self.coefficients * np.exp(-1j * angle), dtype=np.complex128)

    @cached_property
    def _grid(self) -> FloatArray:
        """F at a regular grid of each period, made monotone."""
        points = 8 * self.omega.shape[1]
        spectrum = np.zeros((len(self.start), points // 2 + 1), dtype=np.complex128)
        spectrum[:, 1 : self.omega.shape[1] + 1] = np.conj(self._at_start)
        waves = np.fft.irfft(spectrum, points, axis=1) * (points / 2)
        return np.maximum.accumulate(np.arange(points) / points + waves - waves[:, :1], axis=1)

    def _brackets(self, p: float) -> tuple[FloatArray, FloatArray]:
        """Two points of the grid of each row between which F crosses p."""
        points = self._grid.shape[1]
        after = np.count_nonzero(self._grid < p, axis=1)
        step = self.period / points
        return self.start + np.maximum(after - 1, 0) * step, self.start + after * step


@dataclass(frozen=True, eq=False, kw_only=True)
class _OfMany(Series):
    """One of many series."""

    waves: Waves
    row: int

    def quantile(self, p: float) -> float:
        """As of a series alone; from the second row that asks for it on worked out for all rows at once."""
        found = self.waves.quantile(self.row, p)
        return super().quantile(p) if found is None else found


def solve(rows: Rows) -> tuple[Waves, NDArray[np.int64]]:
    """The series of those rows that settle within the first frequencies, and their places, shape (settled,)."""
    down, up = reach(rows)
    centre, period = rows.draws * rows.mean, MARGIN * (down + up)
    start = centre - down - (period - down - up) / 2
    omega = (2.0 * math.pi / period)[:, np.newaxis] * np.arange(1, FIRST_TERMS + 1)
    logs = np.full(omega.shape, np.nan, dtype=np.complex128)
    bulk = np.flatnonzero(np.maximum(-rows.away[:, 0], rows.away[:, -1]) * omega[:, -1] <= BULK)
    logs[bulk] = rows.draws * log1p_complex(_power_series(rows.away[bulk], omega[bulk]))
    for row in np.flatnonzero(np.isnan(logs[:, 0].real)).tolist():
        logs[row] = rows.draws * log1p_complex(_sines(rows.away[row], omega[row]))
    dead = logs[:, FIRST_TERMS // 2 :].real.max(axis=1) < math.log(DEAD)
    horizon = _look(rows, omega[:, -1])
    kept = np.flatnonzero(dead & ~np.isnan(horizon))
    transform = np.exp(logs[kept])
    coefficients = np.asarray(2j * transform / (omega[kept] * period[kept, np.newaxis]), dtype=np.complex128)
    unseen = math.pi / np.maximum(horizon[kept], omega[kept, -1])
    return Waves(centre[kept], start[kept], period[kept], omega[kept], coefficients, unseen), kept


def _power_series(away: FloatArray, t: FloatArray) -> ComplexArray:
    """E(e^{iθ} − 1) of each row at its own arguments, for |θ| ≤ 4."""
    unit = np.max(np.abs(away), axis=1, initial=0.0)
    x = t * unit[:, np.newaxis]
    ratio = away / unit[:, np.newaxis]
    power = ratio.copy()
    moments = np.empty((terms_of(float(np.max(x, initial=0.0))), len(away)))
    for k in range(len(moments)):
        moments[k] = np.add.reduce(power, axis=1) / (away.shape[1] * math.factorial(k + 1))
        np.multiply(power, ratio, out=power)
    square = -x * x
    # k = 1, 3, 5, … are imaginary and k = 2, 4, 6, … real; both alternate in sign.
    odd, even = (_horner(square, moments[first::2]) for first in (0, 1))
    return np.asarray(even * square + 1j * (odd * x), dtype=np.complex128)


def _horner(x: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Σ_k coefficients[k] x^k of each row."""
    total = np.repeat(coefficients[-1][:, np.newaxis], x.shape[1], axis=1)
    for coefficient in coefficients[-2::-1]:
        total *= x
        total += coefficient[:, np.newaxis]
    return total


def _sines(away: FloatArray, t: FloatArray) -> ComplexArray:
    """E(e^{iθ} − 1) of one row, from sin(θ/2) and cos(θ/2)."""
    half = t[:, np.newaxis] * (0.5 * away)
    sine = np.sin(half)
    real = np.add.reduce(sine * sine, axis=1) * (-2.0 / len(away))
    return np.asarray(real + 1j * (np.add.reduce(sine * np.cos(half), axis=1) * (2.0 / len(away))))


def _look(rows: Rows, beyond: FloatArray) -> FloatArray:
    """How far |φ| is known not to come back; NaN where no look says so of all frequencies up to the horizon."""
    values, n = rows.values, rows.values.shape[1]
    widest = values[:, -1] - values[:, 0]
    around = values - values[:, (n + 1) // 2 - 1 : (n + 1) // 2]
    quiet = _quiet_until(around, widest, rows.draws, beyond)
    horizon = BLUR * POINTS / (PADDING * widest)
    found = np.where(horizon <= quiet, quiet, np.nan)
    dead = math.exp(math.log(LOUD) / rows.draws)
    slopes = np.mean(np.abs(around), axis=1)
    for points, coarser in LOOKS[0 if dead > PLAIN else 1 :]:
        left = np.flatnonzero(np.isnan(found))
        for some in np.array_split(left, max(1, len(left) * points // (len(values) * LOOK_POINTS))):
            grid = _Cells(values[some], widest[some], points, coarser)
            silent = grid.is_silent(quiet[some], dead, slopes[some])
            found[some] = np.where(silent, horizon[some], np.nan)
    return found


@dataclass(frozen=True, eq=False)
class _Cells:
    """Values on a grid of cells, one row a law, and the frequencies of its DFT."""

    values: FloatArray
    widest: FloatArray
    points: int
    coarser: int

    def is_silent(self, quiet: FloatArray, dead: float, slopes: FloatArray) -> NDArray[np.bool_]:
        """Whether |φ| of one draw stays below ``dead`` from ``quiet`` to the horizon."""
        step = self.coarser * PADDING * self.widest / POINTS
        spacing = 2.0 * math.pi / (self.points * step)
        last = min(math.ceil(self.points * self.coarser * BLUR / (2.0 * math.pi)) + 1, self.points // 2 + 1)
        numbers = np.arange(last)
        # What the grid blurs grows with the phase across a cell, from nothing at the first frequencies.
        blurred = (2.0 * math.pi / self.points * (numbers + 0.5)) ** 2 / 8.0
        bound = self._sampled(step)[:, :last] + blurred + (0.5 * spacing * slopes)[:, np.newaxis]
        asked = numbers >= np.floor(quiet / spacing)[:, np.newaxis]
        return np.asarray(~(asked & (bound > dead)).any(axis=1))

    def _sampled(self, step: FloatArray) -> FloatArray:
        """|φ| of one draw at the frequencies of the DFT."""
        index = (self.values - self.values[:, :1]) / step[:, np.newaxis]
        cell = index.astype(np.int64)
        share = (index - cell).ravel()
        place = (cell + self.points * np.arange(len(cell))[:, np.newaxis]).ravel()
        size = len(cell) * self.points
        sums = np.bincount(place, 1.0 - share, size) + np.bincount(place + 1, share, size + 1)[:size]
        return np.asarray(np.abs(np.fft.rfft(sums.reshape(-1, self.points), axis=1)) / self.values.shape[1])


def _quiet_until(around: FloatArray, widest: FloatArray, draws: int, beyond: FloatArray) -> FloatArray:
    """A frequency up to which |φ| is dead from ``beyond`` on (see ``recurrence``); ``around`` the median."""
    n, each = around.shape[1], np.arange(len(around))
    first_sums, second_sums = (
        np.concatenate([np.zeros((len(around), 1)), np.cumsum(part, axis=1)], axis=1)
        for part in (around, around * around)
    )
    quiet, going = beyond.copy(), np.ones(len(around), dtype=bool)
    for halving in range(16):
        width = 2.0 * widest / 2.0**halving
        first = np.count_nonzero(around < -0.5 * width[:, np.newaxis], axis=1)
        last = np.count_nonzero(around < 0.5 * width[:, np.newaxis], axis=1)
        first_moment, second_moment = ((sums[each, last] - sums[each, first]) / n for sums in (first_sums, second_sums))
        inner = (last - first) / n * second_moment - first_moment**2
        going &= 2.0 / math.pi**2 * draws * inner * quiet * quiet >= -math.log(LOUD)
        if not going.any():
            break
        quiet = np.where(going, np.maximum(quiet, math.pi / width), quiet)
    return quiet
