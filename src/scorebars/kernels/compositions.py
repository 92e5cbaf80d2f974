"""Step 2 of the computed bootstrap: list every way the draws can fall.

n draws from d values fall in C(n+d−1, d−1) ways (compositions of n), each with a multinomial probability. Up to two
million of them the law of the sum is listed outright: any values, all ties kept.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.law import EPS, Atoms, FloatArray, Law, Mixture, Total, simplify

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT: Final = 2_000_000
MANY: Final = 1 << 60
SMALL: Final = 256
"""Outcomes of one part up to which a part of a mixture is written out."""
MELTED: Final = 200_000
"""Values that a written-out mixture may have."""


def solve(law: Law, limit: int = LIMIT) -> Atoms | None:
    """The law of T as a list; None where it has more than ``limit`` outcomes."""
    return _listed(law) if outcomes(law) <= limit else None


def outcomes(law: Law) -> int:
    """How many outcomes a list would have before equal ones are merged; 2^60 stands for all that is more."""
    if isinstance(law, Atoms):
        return len(law.values)
    if isinstance(law, Mixture):
        return sum(outcomes(part) for part in law.parts)
    count = 1
    for term, copies in law.terms:
        d = outcomes(term)
        count = min(count * ways(copies, d), MANY)
    return count


def ways(n: int, d: int) -> int:
    """C(n+d−1, d−1), the number of compositions of n into d parts; 2^60 stands for all that is more."""
    size = math.lgamma(n + d) - math.lgamma(d) - math.lgamma(n + 1)
    return math.comb(n + d - 1, d - 1) if size < 60 * math.log(2.0) else MANY


def melt(law: Law) -> Law:
    """The same law with the small parts of its mixtures written out, so that the mixtures become Atoms.

    The two-stage bootstrap is a mixture over items of the totals of their few runs: ten outcomes an item at K = 3.
    """
    if isinstance(law, Total):
        if not any(isinstance(term, Mixture | Total) for term, _ in law.terms):
            return law
        return simplify(Total(tuple((melt(term), count) for term, count in law.terms)))
    if not isinstance(law, Mixture):
        return law
    sizes = [outcomes(part) for part in law.parts]
    if max(sizes) > SMALL or sum(sizes) > MELTED:
        return law
    groups: dict[tuple[int, int] | None, list[int]] = {}
    for place, part in enumerate(law.parts):
        groups.setdefault(_shape(part), []).append(place)
    values, probs = [], []
    for shape, places in groups.items():
        chosen = [law.parts[place] for place in places]
        some = _one_by_one(chosen) if shape is None else _alike(chosen, *shape)
        for (value, prob), place in zip(some, places, strict=True):
            values.append(value)
            probs.append(prob * law.weights[place])
    return merged(np.concatenate(values), np.concatenate(probs))


def merged(values: FloatArray, probs: FloatArray) -> Atoms:
    """Atoms from outcomes in any order, shapes (n,); those that differ by rounding alone become one."""
    order = np.argsort(values, kind="stable")
    values, probs = values[order], probs[order]
    tie = 64.0 * EPS * max(abs(float(values[0])), abs(float(values[-1])))
    starts = np.flatnonzero(np.concatenate([[True], np.diff(values) > tie]))
    ends = np.append(starts[1:], len(values)) - 1
    middles = values[starts] + 0.5 * (values[ends] - values[starts])
    sums = np.add.reduceat(probs, starts)
    keep = sums > 0.0
    return Atoms(middles[keep], sums[keep] / sums.sum())


def compositions(n: int, weights: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Σ k_j v_j and Π w_j[k_j] for all compositions k of n; ``weights`` has shape (d, n + 1)."""
    left: NDArray[np.int64] = np.array([n])
    sums, products = np.zeros(1), np.ones(1)
    for value, weight in zip(values[:-1], weights[:-1], strict=True):
        ways = left + 1
        parent = np.repeat(np.arange(len(left)), ways)
        k = np.arange(len(parent)) - np.repeat(np.cumsum(ways) - ways, ways)
        left = left[parent] - k
        sums = sums[parent] + k * value
        products = products[parent] * weight[k]
    return sums + left * values[-1], products * weights[-1][left]


def _listed(law: Law) -> Atoms:
    if isinstance(law, Atoms):
        return law
    if isinstance(law, Mixture):
        parts = [_listed(part) for part in law.parts]
        probs = [part.probs * weight for part, weight in zip(parts, law.weights, strict=True)]
        return merged(np.concatenate([part.values for part in parts]), np.concatenate(probs))
    result: Atoms | None = None
    for term, count in law.terms:
        more = _power(_listed(term), count)
        result = more if result is None else _sum(result, more)
    if result is None:
        return Atoms(np.zeros(1), np.ones(1))
    return result


def _power(law: Atoms, n: int) -> Atoms:
    """The sum of n draws. Values are measured from the smallest, so that size 1e9 does not blur their differences."""
    if n == 1:
        return law
    low = float(law.values[0])
    weights = np.stack([poisson(n, n * p) for p in law.probs.tolist()])
    sums, products = compositions(n, weights, law.values - low)
    total = merged(sums, products)
    return Atoms(total.values + n * low, total.probs)


def _sum(a: Atoms, b: Atoms) -> Atoms:
    """The sum of two independent draws."""
    return merged(np.add.outer(a.values, b.values).ravel(), np.multiply.outer(a.probs, b.probs).ravel())


def poisson(n: int, rate: float) -> FloatArray:
    """Poisson probabilities of 0 … n up to a factor, shape (n + 1,), from the ratio of neighbours.

    Their product over the parts, for counts that sum to n, is the multinomial probability up to a constant.
    """
    mode = min(int(rate), n)
    up = np.cumprod(rate / np.arange(mode + 1, n + 1, dtype=np.float64))
    down = np.cumprod(np.arange(mode, 0, -1, dtype=np.float64) / rate)[::-1]
    return np.concatenate([down, np.ones(1), up])


def _shape(part: Law) -> tuple[int, int] | None:
    """(values, draws) of a part that is a number of draws from Atoms, plus a constant perhaps; None for others."""
    if isinstance(part, Total):
        real = [(term, count) for term, count in part.terms if isinstance(term, Atoms) and len(term.values) > 1]
        constants = [term for term, _ in part.terms if isinstance(term, Atoms) and len(term.values) == 1]
        if len(real) == 1 and len(real) + len(constants) == len(part.terms) and real[0][1] <= 150:
            return len(real[0][0].values), real[0][1]
    return None


def _one_by_one(parts: list[Law]) -> list[tuple[FloatArray, FloatArray]]:
    listed = [_listed(part) for part in parts]
    return [(part.values, part.probs) for part in listed]


def _alike(parts: list[Law], d: int, n: int) -> list[tuple[FloatArray, FloatArray]]:
    """Outcomes of parts that all are n draws from d values: one table of compositions serves them all."""
    ones = np.ones((d, n + 1))
    counts = np.stack([compositions(n, ones, row)[0] for row in np.eye(d)])
    factorials = np.cumprod(np.concatenate([np.ones(1), np.arange(1, n + 1, dtype=np.float64)]))
    ways = factorials[n] / np.prod(factorials[counts.astype(np.int64)], axis=0)
    values, logs, shifts = np.empty((len(parts), d)), np.empty((len(parts), d)), np.zeros(len(parts))
    for row, part in enumerate(parts):
        for term, count in part.terms if isinstance(part, Total) else ():
            if isinstance(term, Atoms) and len(term.values) > 1:
                values[row], logs[row] = term.values, np.log(term.probs)
            elif isinstance(term, Atoms):
                shifts[row] += count * term.values[0]
    sums = values @ counts + shifts[:, np.newaxis]
    return list(zip(sums, ways * np.exp(logs @ counts), strict=True))
