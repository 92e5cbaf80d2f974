"""Step 3 of the computed bootstrap: the CDF as a Fourier series of the transform.

On a period that holds all but 1e-15 of T on each side, the CDF is a linear term plus a series in φ at multiples of one
frequency. It may be cut where φ has died out, which is judged on the whole upper half of the frequencies (for scores of
0 and 1 with one .3333 the last of 64 is 4e-54 where .22 stands a few before it), and where it does not come back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from scorebars.kernels import recurrence
from scorebars.kernels.law import FloatArray, Law, mean, size
from scorebars.kernels.transform import ComplexArray, log_transform, reach

LOUD: Final = 1e-6
"""Largest |φ| that may come back further out, where its part in F is divided by the number of the frequency."""
FIRST_TERMS: Final = 64
MAX_TERMS: Final = 2**14
DEAD: Final = 1e-10
"""Largest |φ| on the upper half of the frequencies at which the series is cut."""
WORK: Final = 1 << 25
"""Values × frequencies that may be spent."""
MARGIN: Final = 1.02
"""The period over the width of the window."""


@dataclass(frozen=True, eq=False)
class Series:
    """F(x) = (x − start)/period + Re Σ c_j (e^{−iω_j(x − centre)} − e^{−iω_j(start − centre)})."""

    centre: float
    """E[T]."""
    start: float
    """Lower end of the period; F is 0 there."""
    period: float
    omega: FloatArray
    """Frequencies 2πj/period, j = 1 …"""
    coefficients: ComplexArray
    """c_j = 2 φ_j / (−iω_j · period), φ the transform of T − E T."""
    unseen: float
    """Half the distance of steps in F that are too fine to have been seen; 0.0 if there can be none."""

    def cdf(self, x: float) -> float:
        """P(T ≤ x), clipped to [0, 1]."""
        if x <= self.start:
            return 0.0
        if x >= self.start + self.period:
            return 1.0
        return min(max(self._raw(x)[0], 0.0), 1.0)

    def cdfs(self, x: FloatArray) -> FloatArray:
        """P(T ≤ x) at many x."""
        turn = np.exp(-1j * self.omega * (x[:, np.newaxis] - self.centre))
        waves = np.sum((self.coefficients * turn - self._at_start).real, axis=1)
        found = np.clip((x - self.start) / self.period + waves, 0.0, 1.0)
        return np.where(x <= self.start, 0.0, np.where(x >= self.start + self.period, 1.0, found))

    def quantile(self, p: float) -> float:
        """The x with P(T ≤ x) = p: bracketed on an FFT of the series, then Newton's method, safe by bisection."""
        low, high = self._bracket(p)
        x = 0.5 * (low + high)
        for _ in range(100):
            value, density = self._raw(x)
            low, high = (x, high) if value < p else (low, x)
            new = x - (value - p) / density if density > 0.0 else low
            if density > 0.0 and abs(new - x) <= 1e-14 * self.period:
                return new
            new = new if low < new < high else 0.5 * (low + high)
            if abs(new - x) <= 1e-14 * self.period or high - low <= 1e-15 * self.period:
                return new
            x = new
        return x

    def _raw(self, x: float) -> tuple[float, float]:
        """F and its derivative at x."""
        turn = np.exp(-1j * self.omega * (x - self.centre))
        waves = self.coefficients * turn
        slope = float(np.sum(self.omega * waves.imag))
        without_waves = (x - self.start) / self.period - float(np.sum(self._at_start.real))
        return without_waves + float(np.sum(waves.real)), 1.0 / self.period + slope

    @cached_property
    def _at_start(self) -> ComplexArray:
        """The waves at the lower end of the period, where F is 0."""
        turn = np.exp(-1j * self.omega * (self.start - self.centre))
        return np.asarray(self.coefficients * turn, dtype=np.complex128)

    def _bracket(self, p: float) -> tuple[float, float]:
        """Two points of a regular grid between which F, made monotone, crosses p."""
        points = 8 * len(self.omega)
        spectrum = np.zeros(points // 2 + 1, dtype=np.complex128)
        spectrum[1 : len(self.omega) + 1] = np.conj(self._at_start)
        waves = np.fft.irfft(spectrum, points) * (points / 2)
        values = np.maximum.accumulate(np.arange(points) / points + waves - waves[0])
        after = int(np.searchsorted(values, p))
        step = self.period / points
        return self.start + max(after - 1, 0) * step, self.start + min(after, points) * step


def solve(law: Law, max_terms: int = MAX_TERMS, step: float = 0.0, *, look: bool = True) -> Series | None:
    """The series of T; None where φ does not die out within ``max_terms`` frequencies, or comes back later.

    ``step`` is that of the lattice T lies on, if it is known: F(x + step/2) is then right at its points. Without
    ``look`` only the frequencies of the series itself are judged.
    """
    down, up = reach(law)
    centre, period = mean(law), MARGIN * (down + up)
    start = centre - down - (period - down - up) / 2
    omega, logs = np.empty(0), np.empty(0, dtype=np.complex128)
    terms, needed, horizon = FIRST_TERMS, 0.0, 0.0
    until = math.pi / step if step else math.inf
    while True:
        if terms > max_terms or size(law) * terms > max(WORK, size(law) * FIRST_TERMS * 4):
            return None
        more = _frequencies(len(omega) + 1, terms, period)
        omega, logs = np.concatenate([omega, more]), np.concatenate([logs, log_transform(law, more)])
        if _died_out(logs) and omega[-1] >= needed:
            if not look or horizon:
                break
            seen = recurrence.look(law, LOUD, float(omega[-1]), until)
            needed, horizon = seen.last, seen.t
            if needed <= omega[-1]:
                break
        terms *= 2
    half = 0.5 * step * omega
    if step and half[-1] > 0.5 * math.pi:
        return None
    transform = np.exp(logs) / np.sinc(half / math.pi)
    coefficients = np.asarray(2j * transform / (omega * period), dtype=np.complex128)
    unseen = 0.0 if horizon >= until else math.pi / max(horizon, float(omega[-1]))
    return Series(centre, start, period, omega, coefficients, unseen)


def _frequencies(first: int, last: int, period: float) -> FloatArray:
    """2πj/period, j = first … last."""
    return np.asarray((2.0 * math.pi / period) * np.arange(first, last + 1), dtype=np.float64)


def _died_out(logs: ComplexArray) -> bool:
    """Whether |φ| stays below 1e-10 on the whole upper half of the frequencies."""
    return bool(np.max(logs[len(logs) // 2 :].real) < math.log(DEAD))
