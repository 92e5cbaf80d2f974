"""Cluster-robust (sandwich) variances of a weighted mean, in closed form.

The statistic is the weighted least-squares fit of a constant in every stratum, so everything that Bell and McCaffrey
(2002) and Pustejovsky and Tipton (2018, section 2) do with matrices reduces to sums over clusters. Notation, within a
stratum: a the item weights, A = Σ a, q = Σ a², H = 1aᵀ/A, e = (I − H)y, working covariance I. Then

    V = Σ_g (a_gᵀ A_g e_g)² / A²,    CR0, CR1: A_g = I,    CR3: A_g = (I − H_gg)⁻¹,
    CR2: A_g = B_g^{−1/2},    B_g = [(I − H)(I − H)ᵀ]_gg = I − (1a_gᵀ + a_g1ᵀ)/A + q 11ᵀ/A².

B_g differs from I only in the plane of 1 and a_g, so its root is that of a 2 × 2 matrix. Without weights
a_gᵀ A_g e_g is the cluster's residual sum over √(1 − n_g/N).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from scorebars.intervals.moments import Moments, combine, strata_of, summed

if TYPE_CHECKING:
    from scorebars.contracts import Units
    from scorebars.intervals.moments import Strata
    from scorebars.sample import FloatArray


class Kind(Enum):
    """How the residuals of a cluster are inflated for having been fitted (MacKinnon and White 1985; McCaffrey 2002)."""

    CR0 = "CR0"
    """Not at all."""
    CR1 = "CR1"
    """By √(G/(G − 1)), all alike."""
    CR2 = "CR2"
    """Each by its leverage, so that V is unbiased for unrelated items of equal variance."""
    CR3 = "CR3"
    """The jackknife over clusters."""


@dataclass(frozen=True, slots=True, eq=False)
class _Clusters:
    """Sums a cluster and totals a stratum, the latter spread over clusters. Arrays have length n_clusters."""

    count: FloatArray
    weight: FloatArray
    square: FloatArray
    residual: FloatArray
    weighted: FloatArray
    total: FloatArray
    total_square: FloatArray


def cluster_moments(units: Units, kind: Kind) -> Moments:
    """Moments of Σ_t W_t r_t with a cluster-robust variance.

    Degrees of freedom: for CR2 those of Bell and McCaffrey (Satterthwaite's for the quadratic form V under unrelated
    items), else clusters − strata.
    """
    strata = strata_of(units)
    n_strata = len(units.weights)
    score, trace, square_trace = _quadratic(units, strata, kind)
    size2 = strata.size**2
    variances = summed(units.stratum, score**2, n_strata) / size2
    lonely = strata.count < 2.0
    if kind is Kind.CR1:
        variances = variances * np.where(lonely, 1.0, strata.count / np.maximum(strata.count - 1.0, 1.0))
    moments = combine(units.weights, strata, variances, strata.count - 1.0)
    if kind is not Kind.CR2 or lonely.any():
        return moments
    traces, squares = units.weights**2 * trace, units.weights**4 * square_trace
    return Moments(moments.value, moments.variance, float(traces.sum()) ** 2 / float(squares.sum()), moments.n_units)


def _quadratic(units: Units, strata: Strata, kind: Kind) -> tuple[FloatArray, FloatArray, FloatArray]:
    """a_gᵀ A_g e_g of every cluster, and for CR2 the trace of P and of P² of every stratum (V = yᵀPy)."""
    if kind in {Kind.CR0, Kind.CR1}:
        return strata.residuals, np.empty(0), np.empty(0)
    if kind is Kind.CR3:
        rest = strata.size[units.stratum] - units.sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            inflation = np.where(rest > 0.0, strata.size[units.stratum] / rest, 0.0)
        return strata.residuals * inflation, np.empty(0), np.empty(0)
    clusters = _sums(units, strata)
    score, own, ones, weights = _adjusted(clusters)
    return score, *_traces(units, strata, clusters, own, ones, weights)


def _sums(units: Units, strata: Strata) -> _Clusters:
    n, n_strata = len(units.sums), len(units.weights)
    stratum = units.stratum
    residual = units.item_values - strata.ratio[stratum][units.item_unit]
    square = summed(units.item_unit, units.item_weights**2, n)
    return _Clusters(
        count=np.bincount(units.item_unit, minlength=n).astype(np.float64),
        weight=summed(units.item_unit, units.item_weights, n),
        square=square,
        residual=summed(units.item_unit, residual, n),
        weighted=summed(units.item_unit, units.item_weights * residual, n),
        total=strata.size[stratum],
        total_square=summed(stratum, square, n_strata)[stratum],
    )


def _adjusted(c: _Clusters) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """With v_g = A_g a_g: v_gᵀe_g, v_gᵀv_g, 1ᵀv_g and a_gᵀv_g of every cluster.

    In the orthonormal basis 1/√n, (a − ā)/s of the plane, s² = Σ(a − ā)², the vectors have the coordinates
    1 = (√n, 0), a = (ā√n, s) and e = (Σe/√n, (Σae − āΣe)/s).
    """
    root = np.sqrt(c.count)
    mean = c.weight / c.count
    spread = np.sqrt(np.maximum(c.square - c.count * mean**2, 0.0))
    # Below this the weights of a cluster are all alike and the second direction is rounding noise.
    flat = spread <= 1e-9 * np.sqrt(c.square)
    spread = np.where(flat, 0.0, spread)
    with np.errstate(divide="ignore", invalid="ignore"):
        second = np.where(flat, 0.0, (c.weighted - mean * c.residual) / spread)
    roots = _inverse_root(c, root, mean, spread)
    v = np.einsum("gij,gj->gi", roots, np.stack([mean * root, spread], axis=1))
    own = np.einsum("gi,gi->g", v, v)
    score = v[:, 0] * c.residual / root + v[:, 1] * second
    return score, own, v[:, 0] * root, v[:, 0] * mean * root + v[:, 1] * spread


def _inverse_root(c: _Clusters, root: FloatArray, mean: FloatArray, spread: FloatArray) -> FloatArray:
    """B_g^{−1/2} in the plane, (n_clusters, 2, 2); the pseudo-inverse where a cluster is its whole stratum."""
    b = np.empty((len(root), 2, 2))
    b[:, 0, 0] = 1.0 - 2.0 * mean * c.count / c.total + c.total_square * c.count / c.total**2
    b[:, 0, 1] = b[:, 1, 0] = -root * spread / c.total
    b[:, 1, 1] = 1.0
    values, vectors = np.linalg.eigh(b)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(values > 1e-12, 1.0 / np.sqrt(values), 0.0)
    return np.asarray(np.einsum("gik,gk,gjk->gij", vectors, scale, vectors))


def _traces(
    units: Units, strata: Strata, c: _Clusters, own: FloatArray, ones: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Trace of P and of P² a stratum, P_gh = δ_gh v_gᵀv_g − (d_g c_h + c_g d_h)/A + q c_g c_h/A², over A²."""
    n_strata = len(units.weights)

    def total(x: FloatArray) -> FloatArray:
        return summed(units.stratum, x, n_strata)

    A = strata.size
    q = total(c.square) / A**2
    low_rank = -2.0 * weights * ones / c.total + q[units.stratum] * ones**2
    cc, dd, cd = total(ones**2), total(weights**2), total(ones * weights)
    frobenius = 2.0 * (cc * dd + cd**2) / A**2 - 4.0 * q * cc * cd / A + q**2 * cc**2
    trace = total(own + low_rank) / A**2
    square = (total(own**2) + 2.0 * total(own * low_rank) + frobenius) / A**4
    return trace, square
