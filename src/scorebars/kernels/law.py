"""Finite discrete laws: what the bootstrap distribution of a mean is made of.

A mean of redrawn units is a sum of independent draws from finite sets, and three constructors say every such design:

=====================================  ==================================================================
items redrawn, in strata               ``Total`` over strata t of (``Atoms`` of W_t·y/n_t, n_t copies)
runs redrawn inside their item         ``Total`` over items i of (``Atoms`` of x_ik/(n·K_i), K_i copies)
items, then runs (two-stage)           ``Total`` of (``Mixture`` over items of their run totals, n copies)
tasks, then runs                       ``Total`` of (``Mixture`` over tasks of their totals, M copies)
unpaired difference                    ``Total`` of A and of :func:`negated` B
=====================================  ==================================================================

Values are already scaled: the law is that of the statistic itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scorebars.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FloatArray: TypeAlias = NDArray[np.float64]
EPS: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """A law on finitely many values: ``values`` sorted and distinct, ``probs`` positive, summing to 1."""

    values: FloatArray
    probs: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """One of ``parts``, chosen with the probabilities ``weights``."""

    parts: tuple[Law, ...]
    weights: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Total:
    """The sum of independent draws: ``count`` of each law in ``terms``."""

    terms: tuple[tuple[Law, int], ...]


Law: TypeAlias = Atoms | Mixture | Total


def dot(a: FloatArray, b: FloatArray) -> float:
    """Σ a·b. Not by a BLAS: with the number of its threads the last bits change, and on a busy machine they wait."""
    return float(np.einsum("i,i->", a, b))


def atoms(values: object, weights: object = None) -> Atoms:
    """The law that gives each entry of ``values`` the probability 1/n, or one proportional to ``weights``.

    Raises:
        ArgumentError: no value, or one that is not finite.
    """
    array = np.asarray(values, dtype=np.float64).ravel()
    if array.size == 0:
        raise ArgumentError("a law needs at least one value, got none")
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)][0]
        raise ArgumentError(f"a law needs finite values, got {bad}; drop or convert such scores first")
    if weights is None:
        distinct, counts = np.unique(array + 0.0, return_counts=True)
        return Atoms(distinct, counts / array.size)
    return _weighted(array, np.asarray(weights, dtype=np.float64).ravel())


def point(value: float) -> Atoms:
    """The law that is ``value`` for certain."""
    return Atoms(np.array([value], dtype=np.float64), np.ones(1))


def redrawn(values: object, scale: float = 1.0) -> Total:
    """``scale`` times the mean of n draws with replacement from ``values``, n their number (shape: any)."""
    array = np.asarray(values, dtype=np.float64).ravel()
    return Total(((atoms(array * (scale / max(array.size, 1))), array.size),))


def negated(law: Law) -> Law:
    """The law of −T."""
    if isinstance(law, Atoms):
        return Atoms(-law.values[::-1], law.probs[::-1])
    if isinstance(law, Mixture):
        return Mixture(tuple(negated(part) for part in law.parts), law.weights)
    return Total(tuple((negated(term), count) for term, count in law.terms))


def mean(law: Law) -> float:
    """E[T]."""
    if isinstance(law, Atoms):
        low = law.values[0]
        return float(low + dot(law.probs, law.values - low))
    if isinstance(law, Mixture):
        means = np.array([mean(part) for part in law.parts])
        return float(means[0] + dot(law.weights, means - means[0]))
    return math.fsum(count * mean(term) for term, count in law.terms)


def variance(law: Law) -> float:
    """Var(T), from deviations: nothing cancels at values of size 1e9."""
    if isinstance(law, Atoms):
        away = law.values - mean(law)
        return dot(law.probs, away * away) if len(away) > 1 else 0.0
    if isinstance(law, Mixture):
        away = np.array([mean(part) for part in law.parts]) - mean(law)
        inner = np.array([variance(part) for part in law.parts])
        return dot(law.weights, inner + away * away)
    return math.fsum(count * variance(term) for term, count in law.terms)


def support(law: Law) -> tuple[float, float]:
    """The smallest and the largest possible value."""
    if isinstance(law, Atoms):
        return float(law.values[0]), float(law.values[-1])
    if isinstance(law, Mixture):
        ends = [support(part) for part in law.parts]
        return min(low for low, _ in ends), max(high for _, high in ends)
    terms = [(count, *support(term)) for term, count in law.terms]
    return math.fsum(count * low for count, low, _ in terms), math.fsum(count * high for count, _, high in terms)


def size(law: Law) -> int:
    """How many values the law is written with: the work of one evaluation of its transform."""
    if isinstance(law, Atoms):
        return len(law.values)
    if isinstance(law, Mixture):
        return sum(size(part) for part in law.parts)
    return sum(size(term) for term, _ in law.terms)


def leaves(law: Law) -> list[Atoms]:
    """All the Atoms that the law is written with, from left to right."""
    if isinstance(law, Atoms):
        return [law]
    children = law.parts if isinstance(law, Mixture) else [term for term, _ in law.terms]
    return [leaf for child in children for leaf in leaves(child)]


def simplify(law: Law) -> Law:
    """The same law, flat: no Total in a Total, equal terms counted, constants in one term, Atoms where it can be."""
    if isinstance(law, Atoms):
        return law
    if isinstance(law, Mixture):
        return _mixture([simplify(part) for part in law.parts], law.weights)
    return _total(_flat_terms(law, 1))


def key(law: Law) -> object:
    """A hashable that equal laws share (term by term, bit by bit)."""
    if isinstance(law, Atoms):
        return law.values.tobytes(), law.probs.tobytes()
    if isinstance(law, Mixture):
        return tuple(key(part) for part in law.parts), law.weights.tobytes()
    return tuple((key(term), count) for term, count in law.terms)


def _weighted(values: FloatArray, weights: FloatArray) -> Atoms:
    """Atoms of values with unequal weights; values without weight are left out."""
    if weights.shape != values.shape or not np.all(weights >= 0.0) or not weights.sum() > 0.0:
        raise ArgumentError(
            f"the weights of a law must be as many as its values ({values.size}), none negative, some positive; "
            f"got {weights.size} weights that sum to {weights.sum():g}"
        )
    keep = weights > 0.0
    distinct, place = np.unique(values[keep] + 0.0, return_inverse=True)
    probs = np.bincount(place, weights=weights[keep], minlength=len(distinct))
    return Atoms(distinct, probs / probs.sum())


def _flat_terms(law: Total, times: int) -> Iterable[tuple[Law, int]]:
    """The terms of a total, with those of inner totals in place of these."""
    for term, count in law.terms:
        inner = simplify(term)
        if isinstance(inner, Total):
            yield from ((leaf, times * count * copies) for leaf, copies in inner.terms)
        elif count:
            yield inner, times * count


def _total(terms: Iterable[tuple[Law, int]]) -> Law:
    """A total with equal terms counted once and all constants summed into one."""
    constants, counted = list[float](), dict[object, tuple[Law, int]]()
    for term, count in terms:
        if isinstance(term, Atoms) and len(term.values) == 1:
            constants.append(count * float(term.values[0]))
            continue
        name = key(term)
        counted[name] = (term, counted[name][1] + count if name in counted else count)
    kept, shift = list(counted.values()), math.fsum(constants)
    if len(kept) == 1 and kept[0][1] == 1:
        return shifted(kept[0][0], shift)
    if shift or not kept:
        kept.append((point(shift), 1))
    return kept[0][0] if len(kept) == 1 and kept[0][1] == 1 else Total(tuple(kept))


def shifted(law: Law, by: float) -> Law:
    """The law of T + by."""
    if not by:
        return law
    if isinstance(law, Atoms):
        return Atoms(law.values + by, law.probs)
    return Total(((law, 1), (point(by), 1)))


def _mixture(parts: Sequence[Law], weights: FloatArray) -> Law:
    """A mixture with equal parts merged, and all that are Atoms melted into one Atoms."""
    melted: list[tuple[Atoms, float]] = []
    merged: dict[object, tuple[Law, float]] = {}
    for part, weight in zip(parts, weights.tolist(), strict=True):
        if not weight:
            continue
        if isinstance(part, Atoms):
            melted.append((part, weight))
            continue
        name = key(part)
        merged[name] = (part, weight + (merged[name][1] if name in merged else 0.0))
    rest = list(merged.values())
    if melted:
        values = np.concatenate([part.values for part, _ in melted])
        chances = np.concatenate([part.probs * weight for part, weight in melted])
        rest.append((_weighted(values, chances), float(chances.sum())))
    if len(rest) == 1:
        return rest[0][0]
    return Mixture(tuple(part for part, _ in rest), np.array([weight for _, weight in rest]))
