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
        rows = units.stratum == stratum
        sums, sizes = units.sums[rows], units.sizes[rows]
        alike = float(np.ptp(sizes)) == 0.0
        done = 0
        for size in block_sizes(n_boot, len(sums)):
            # 32 bits give the same stream as 64, and half the memory.
            drawn = rng.integers(0, len(sums), size=(size, len(sums)), dtype=np.int32)
            moments = _mean_moments((sums / sizes[0])[drawn]) if alike else _ratio_moments(sums[drawn], sizes[drawn])
            ratio, spread = moments
            value[done : done + size] += weight * ratio
            variance[done : done + size] += weight**2 * spread
            done += size
    return value, np.sqrt(variance)


def _mean_moments(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean, and its variance, of each row; the rows are used up."""
    n = drawn.shape[1]
    mean = drawn.mean(axis=1)
    drawn -= mean[:, None]
    return mean, np.einsum("bi,bi->b", drawn, drawn) / (max(n - 1, 1) * n)


def _ratio_moments(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ratio of sums, and its variance, of each row."""
    n = sums.shape[1]
    total = sizes.sum(axis=1)
    ratio = sums.sum(axis=1) / total
    residuals = sums - ratio[:, None] * sizes
    return ratio, n / max(n - 1, 1) * (residuals**2).sum(axis=1) / total**2
