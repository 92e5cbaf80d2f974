"""Transforms of a law and the reach of its tails.

Everything is written for T − E[T]: log E exp(it(T − E T)) from Σ p (e^{iθ} − 1), θ = t(v − mean), so that the n-th
power of a transform that lies within 1/n of 1 keeps its digits at n = 2,000,000 (exp(it·v) itself loses n · 1e-16).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scorebars.kernels.law import Atoms, FloatArray, Law, Mixture, Total, mean, support, variance

if TYPE_CHECKING:
    from collections.abc import Sequence

ComplexArray: TypeAlias = NDArray[np.complex128]
TAIL: Final = 1e-15
"""Probability that may lie outside a window."""
BULK: Final = 4.0
"""|θ| up to which a power series replaces sines: 40 terms leave 4^40/40! = 1.5e-24."""
CHUNK: Final = 1 << 19
"""Numbers held at once: values × frequencies."""


class Rule(Protocol):
    """How leaves are evaluated and mixed: at imaginary arguments, at real ones, or on a DFT grid."""

    def centre(self, law: Law) -> float:
        """What T is measured from; additive over the terms of a Total."""
        ...

    def centres(self, leaves: Sequence[Atoms], means: FloatArray) -> FloatArray:
        """The centre of each of these leaves, whose means are known."""
        ...

    def leaves(self, values: FloatArray, probs: FloatArray, starts: NDArray[np.intp]) -> NDArray:  # type: ignore[type-arg]
        """Log transform of each leaf (values less their centre, one leaf after the other), shape (leaves, args)."""
        ...

    def mix(self, logs: NDArray, weights: FloatArray, offsets: FloatArray) -> NDArray:  # type: ignore[type-arg]
        """Log transform of a mixture from those of its parts, whose centres lie ``offsets`` from the mixture's."""
        ...


def transform(law: Law, t: FloatArray) -> ComplexArray:
    """The characteristic function E exp(itT) at each t."""
    t = np.asarray(t, dtype=np.float64)
    return np.asarray(np.exp(log_transform(law, t) + 1j * t * mean(law)), dtype=np.complex128)


def log_transform(law: Law, t: FloatArray) -> ComplexArray:
    """Log E exp(it(T − E T)) at each t; its imaginary part is known up to multiples of 2π."""
    return np.asarray(evaluate(law, Imaginary(t)), dtype=np.complex128)


def cumulants(law: Law, s: FloatArray) -> FloatArray:
    """Log E exp(s(T − E T)) at each real s."""
    return np.asarray(evaluate(law, Real(s)), dtype=np.float64)


def evaluate(law: Law, rule: Rule) -> NDArray:  # type: ignore[type-arg]
    """The log transform of a law under ``rule``, shape (args,)."""
    row: NDArray = np.asarray(_rows([law], rule)[0])  # type: ignore[type-arg]
    return row


def reach(law: Law, tail: float = TAIL) -> tuple[float, float]:
    """How far below and above its mean T lies but for a probability of ``tail`` on each side.

    Bernstein's bound where it is within 1.3 of Chernoff's, else Chernoff's on 24 arguments. Never past the support.
    """
    centre, spread, ends = mean(law), variance(law), support(law)
    if spread <= 0.0:
        return 0.0, 0.0
    budget = -math.log(tail)
    normal = math.sqrt(2.0 * spread * budget)
    below, above = _largest_deviation(law)
    down = _one_sided(law, normal, budget, below, -1.0)
    up = _one_sided(law, normal, budget, above, 1.0)
    return min(down, centre - ends[0]), min(up, ends[1] - centre)


def _one_sided(law: Law, normal: float, budget: float, largest: float, sign: float) -> float:
    """Bound on one tail; ``largest`` is the largest deviation of one independent draw on that side."""
    linear = largest * budget / 3.0
    if linear <= 0.3 * normal:
        return linear + math.hypot(linear, normal)
    gauss = 2.0 * budget / normal
    s = np.geomspace(min(gauss, 0.5 / largest), 2.0 * gauss, 24)
    return float(np.min((cumulants(law, sign * s) + budget) / s))


def _largest_deviation(law: Law) -> tuple[float, float]:
    """Largest distance below and above its mean of any one independent draw in the law."""
    if isinstance(law, Total):
        ends = [_largest_deviation(term) for term, _ in law.terms]
        return max(low for low, _ in ends), max(high for _, high in ends)
    (low, high), centre = support(law), mean(law)
    return centre - low, high - centre


class Imaginary:
    """Evaluation at it: log E exp(it(T − E T))."""

    def __init__(self, t: FloatArray) -> None:
        self.t = np.asarray(t, dtype=np.float64)

    def centre(self, law: Law) -> float:
        """E[T]."""
        return mean(law)

    def centres(self, leaves: Sequence[Atoms], means: FloatArray) -> FloatArray:  # noqa: ARG002 a lattice needs them
        """E[T]."""
        return means

    def leaves(self, values: FloatArray, probs: FloatArray, starts: NDArray[np.intp]) -> ComplexArray:
        """From Σ p (e^{iθ} − 1): a power series for the bulk of each large leaf, sines for the rest."""
        if len(starts) > 1 and len(values) < 3 * BULK_TERMS * len(starts):
            return log1p_complex(sines(values, probs, starts, self.t))
        ends = np.append(starts[1:], len(values))
        each = [self._leaf(values[a:b], probs[a:b]) for a, b in zip(starts, ends, strict=True)]
        return each[0] if len(each) == 1 else np.concatenate(each)

    def _leaf(self, values: FloatArray, probs: FloatArray) -> ComplexArray:
        """Log transform of one leaf, shape (1, args)."""
        starts = np.zeros(1, dtype=np.intp)
        furthest = float(np.max(np.abs(self.t), initial=0.0))
        bulk = np.abs(values) * furthest <= BULK
        if int(bulk.sum()) < 3 * BULK_TERMS:
            return log1p_complex(sines(values, probs, starts, self.t))
        excess = _power_series(values[bulk], probs[bulk], self.t)[np.newaxis]
        if not bulk.all():
            excess = excess + sines(values[~bulk], probs[~bulk], starts, self.t)
        return log1p_complex(excess)

    def mix(self, logs: ComplexArray, weights: FloatArray, offsets: FloatArray) -> ComplexArray:
        """Logarithm of Σ w exp(log + it·offset)."""
        logs = logs + 1j * offsets[:, np.newaxis] * self.t
        return log1p_complex(np.add.reduce(weights[:, np.newaxis] * expm1_complex(logs), axis=0))


class Real:
    """Evaluation at real s: log E exp(s(T − E T))."""

    def __init__(self, s: FloatArray) -> None:
        self.s = np.asarray(s, dtype=np.float64)

    def centre(self, law: Law) -> float:
        """E[T]."""
        return mean(law)

    def centres(self, leaves: Sequence[Atoms], means: FloatArray) -> FloatArray:  # noqa: ARG002 a lattice needs them
        """E[T]."""
        return means

    def leaves(self, values: FloatArray, probs: FloatArray, starts: NDArray[np.intp]) -> FloatArray:
        """Logarithm of Σ p exp(s·v), scaled by its largest term."""
        exponents = values[:, np.newaxis] * self.s
        top = np.maximum.reduceat(exponents, starts, axis=0)
        leaf = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(values))))
        sums = np.add.reduceat(probs[:, np.newaxis] * np.exp(exponents - top[leaf]), starts, axis=0)
        return np.asarray(np.log(sums) + top, dtype=np.float64)

    def mix(self, logs: FloatArray, weights: FloatArray, offsets: FloatArray) -> FloatArray:
        """Logarithm of Σ w exp(log + s·offset), scaled by its largest term."""
        logs = logs + offsets[:, np.newaxis] * self.s
        top = logs.max(axis=0)
        sums = np.add.reduce(weights[:, np.newaxis] * np.exp(logs - top), axis=0)
        return np.asarray(np.log(sums) + top, dtype=np.float64)


def log1p_complex(excess: ComplexArray) -> ComplexArray:
    """log(1 + z) of any shape, exact to relative rounding for small z (NumPy's own only to absolute rounding)."""
    x, y = excess.real, excess.imag
    squared = x * (2.0 + x) + y * y
    near = squared > -0.5
    size = 0.5 * np.log1p(np.where(near, squared, 0.0))
    far = np.log(np.maximum(np.hypot(1.0 + x, y), 1e-300))
    return np.asarray(np.where(near, size, far) + 1j * np.arctan2(y, 1.0 + x), dtype=np.complex128)


def _rows(laws: Sequence[Law], rule: Rule) -> NDArray:  # type: ignore[type-arg]
    """Log transforms of several laws at once, shape (laws, args)."""
    sums = [_sum_of_atoms(law) for law in laws]
    flat = [terms for terms in sums if terms is not None]
    if len(flat) == len(laws):
        return _flat_rows(flat, rule)
    return np.stack([_row(law, rule) for law in laws])


def _row(law: Law, rule: Rule) -> NDArray:  # type: ignore[type-arg]
    """Log transform of one law with a mixture in it."""
    if isinstance(law, Atoms):
        return evaluate(law, rule)
    if isinstance(law, Mixture):
        offsets = np.array([rule.centre(part) for part in law.parts]) - rule.centre(law)
        return np.asarray(rule.mix(_rows(law.parts, rule), law.weights, offsets))
    simple = Total(tuple(term for term in law.terms if isinstance(term[0], Atoms)))
    rows = [count * _row(term, rule) for term, count in law.terms if not isinstance(term, Atoms)]
    if simple.terms:
        rows.append(evaluate(simple, rule))
    return np.asarray(np.add.reduce(np.stack(rows), axis=0))


def _sum_of_atoms(law: Law) -> list[tuple[Atoms, int]] | None:
    """The terms of a law that is a sum of draws from Atoms; None for any other."""
    if isinstance(law, Atoms):
        return [(law, 1)]
    if isinstance(law, Mixture):
        return None
    terms = [(term, count) for term, count in law.terms if isinstance(term, Atoms)]
    return terms if len(terms) == len(law.terms) else None


def _flat_rows(sums: Sequence[list[tuple[Atoms, int]]], rule: Rule) -> NDArray:  # type: ignore[type-arg]
    """Log transforms of sums of draws from Atoms, all leaves in one go."""
    terms = [term for row in sums for term in row]
    values = np.concatenate([leaf.values for leaf, _ in terms])
    probs = np.concatenate([leaf.probs for leaf, _ in terms])
    lengths = np.array([len(leaf.values) for leaf, _ in terms])
    starts = np.cumsum(lengths) - lengths
    lows = values[starts]
    means = lows + np.add.reduceat(probs * (values - np.repeat(lows, lengths)), starts)
    logs = rule.leaves(values - np.repeat(rule.centres([leaf for leaf, _ in terms], means), lengths), probs, starts)
    counts = np.array([count for _, count in terms], dtype=np.float64)
    lengths = np.array([len(row) for row in sums])
    return np.asarray(np.add.reduceat(counts[:, np.newaxis] * logs, np.cumsum(lengths) - lengths, axis=0))


def sines(values: FloatArray, probs: FloatArray, starts: NDArray[np.intp], t: FloatArray) -> ComplexArray:
    """Σ p (e^{iθ} − 1) of each leaf, from sin(θ/2) and cos(θ/2)."""
    excess = np.empty((len(starts), len(t)), dtype=np.complex128)
    block = max(1, CHUNK // max(len(values), 1))
    for first in range(0, len(t), block):
        half = (0.5 * values)[:, np.newaxis] * t[first : first + block]
        sine = np.sin(half)
        weighted = 2.0 * probs[:, np.newaxis] * sine
        excess[:, first : first + block].real = -np.add.reduceat(weighted * sine, starts, axis=0)
        excess[:, first : first + block].imag = np.add.reduceat(weighted * np.cos(half), starts, axis=0)
    return excess


BULK_TERMS: Final = 40


def terms_of(furthest: float) -> int:
    """Even number of terms after which x^k/k! is below 1e-24 of x², which no sum of doubles shows; 40 for x = 4."""
    term, k = 1.0, 2
    while k < BULK_TERMS and term > 1e-24:
        term *= furthest * furthest / ((k + 1) * (k + 2))
        k += 2
    return k


def _power_series(values: FloatArray, probs: FloatArray, t: FloatArray) -> ComplexArray:
    """Σ p (e^{iθ} − 1) = Σ_k (it)^k Σ p v^k / k!, for |θ| ≤ 4; one pass over the values for each k, whatever t."""
    unit = float(np.max(np.abs(values), initial=0.0)) or 1.0
    ratio, power = values / unit, probs.copy()
    x = t * unit
    moments = np.empty(terms_of(float(np.max(np.abs(x), initial=0.0))))
    for k in range(len(moments)):
        np.multiply(power, ratio, out=power)
        moments[k] = power.sum() / math.factorial(k + 1)
    square = -x * x
    # k = 1, 3, 5, … are imaginary and k = 2, 4, 6, … real; both alternate in sign.
    odd = np.polynomial.polynomial.polyval(square, moments[0::2]) * x
    even = np.polynomial.polynomial.polyval(square, moments[1::2]) * square
    return np.asarray(even + 1j * odd, dtype=np.complex128)


def expm1_complex(z: ComplexArray) -> ComplexArray:
    """exp(z) − 1 of any shape, exact to relative rounding for small z."""
    sine = np.sin(0.5 * z.imag)
    grown = np.expm1(z.real)
    real = grown * np.cos(z.imag) - 2.0 * sine * sine
    return np.asarray(real + 1j * (grown + 1.0) * np.sin(z.imag), dtype=np.complex128)
