"""Units redrawn or left out: the numbers behind the jackknife and the studentized bootstrap of a mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.resample.draws import block_sizes

if TYPE_CHECKING:
    from scorebars.contracts import Units
    from scorebars.sample import FloatArray, IntArray


def units_left_out(units: Units) -> tuple[FloatArray, IntArray]:
    """Σ_t W_t · (Σ sums / Σ sizes) without each unit, and its stratum; shape (units that are not alone,)."""
    n_strata = len(units.weights)
    sums = np.bincount(units.stratum, units.sums, n_strata)
    sizes = np.bincount(units.stratum, units.sizes, n_strata)
    able = np.bincount(units.stratum, minlength=n_strata)[units.stratum] > 1
    stratum = units.stratum[able]
    without = (sums[stratum] - units.sums[able]) / (sizes[stratum] - units.sizes[able])
    shift = without - (sums / sizes)[stratum]
    return np.sum(units.weights * sums / sizes) + units.weights[stratum] * shift, stratum


def redrawn_moments(units: Units, n_boot: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """(value, standard error) of each resample, shape (n_boot,) each; the units of each stratum are drawn in turn.

    The standard error is the linearised one of a ratio with the divisor n − 1 (Cochran 1977, eq. 6.9).
    """
    value, variance = np.zeros(n_boot), np.zeros(n_boot)
    for stratum, weight in enumerate(units.weights):
        rows = np.flatnonzero(units.stratum == stratum)
        done = 0
        for size in block_sizes(n_boot, len(rows)):
            drawn = rows[rng.integers(0, len(rows), size=(size, len(rows)))]
            ratio, spread = _ratio_moments(units.sums[drawn], units.sizes[drawn])
            value[done : done + size] += weight * ratio
            variance[done : done + size] += weight**2 * spread
            done += size
    return value, np.sqrt(variance)


def _ratio_moments(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ratio of sums, and its variance, of each row."""
    n = sums.shape[1]
    total = sizes.sum(axis=1)
    ratio = sums.sum(axis=1) / total
    residuals = sums - ratio[:, None] * sizes
    return ratio, n / max(n - 1, 1) * (residuals**2).sum(axis=1) / total**2
