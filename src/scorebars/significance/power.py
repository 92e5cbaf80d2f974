"""How many items a paired comparison takes, and what a significant one is worth.

Card et al. 2020 ("With Little Power Comes Great Responsibility") simulate the power of McNemar's test for two
classifiers; here it is summed over all tables. Miller 2024 ("Adding Error Bars to Evals") gives the sample size, eq. 9,
and the smallest detectable difference, eq. 10, for a paired difference of means by a normal approximation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.kernels.binomial import pmf_window, slack

if TYPE_CHECKING:
    from scorebars.sample import FloatArray

_LEFT_OUT: Final = 1e-18
"""Probability of numbers of discordant items, or of splits of one number, that the sum leaves out at each end."""


@dataclass(frozen=True, slots=True)
class McNemarPower:
    """What a study of this size finds: :func:`mcnemar_power`."""

    power: float
    """Probability that the test rejects, in either direction."""
    type_m: float
    """By how much significant differences exaggerate: the mean of |observed| over |true|, given a rejection."""
    type_s: float
    """Probability that a significant difference has the wrong sign."""


def mcnemar_power(n: int, p_a_only: float, p_b_only: float, alpha: float = 0.05) -> McNemarPower:
    """Power of the exact two-sided McNemar test, and how far its significant results mislead (Card et al. 2020).

    The number of items on which the sides disagree is Bin(n, p_a_only + p_b_only); of these A alone gets
    Bin(·, p_a_only / (p_a_only + p_b_only)). All tables are summed, none drawn.

    Args:
        n: number of items, at least 1.
        p_a_only: probability that A alone gets an item right.
        p_b_only: probability that B alone does; the true difference is p_a_only − p_b_only.
        alpha: error rate of the test, in (0, 1).

    Returns:
        Power, type-M and type-S error (Gelman and Carlin 2014). Without a true difference, the latter two are NaN and
        ``power`` is the true error rate of the test; they are NaN too where the test can never reject.

    Example:
        >>> found = mcnemar_power(500, 0.0225, 0.0025)
        >>> round(found.power, 3), round(found.type_m, 3)
        (0.798, 1.116)
    """
    if n < 1:
        raise ArgumentError(f"n = {n}: the number of items must be at least 1")
    _check_rate("alpha", alpha)
    discordant = p_a_only + p_b_only
    if not (p_a_only >= 0.0 and p_b_only >= 0.0 and discordant <= 1.0):
        raise ArgumentError(
            f"p_a_only = {p_a_only:g} and p_b_only = {p_b_only:g}: two probabilities whose sum is at most 1"
        )
    difference = p_a_only - p_b_only
    rejected = size = wrong = 0.0
    share = p_a_only / discordant if discordant else 0.5
    first, probs = pmf_window(n, discordant, _LEFT_OUT)
    for number, weight in enumerate(probs, start=first):
        observed, at = _rejected(number, share, alpha)
        rejected += weight * float(np.sum(at))
        size += weight * float(np.dot(np.abs(observed), at)) / n
        wrong += weight * float(np.sum(at[observed * difference < 0.0]))
    if difference == 0.0 or rejected == 0.0:
        return McNemarPower(float(rejected), math.nan, math.nan)
    return McNemarPower(float(rejected), float(size / rejected / abs(difference)), float(wrong / rejected))


def _rejected(number: int, share: float, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Of ``number`` discordant items: the b − c at which the test rejects, and their probabilities."""
    start, null = pmf_window(number, 0.5)
    # The largest count whose doubled lower tail is at most alpha; the upper tail mirrors it.
    reached = np.cumsum(null) <= (alpha + slack(alpha)) / 2.0
    limit = start + int(np.sum(reached)) - 1
    first, probs = pmf_window(number, share, _LEFT_OUT)
    only_a = np.arange(first, first + len(probs), dtype=np.float64)
    at = (only_a <= limit) | (only_a >= number - limit)
    differences: FloatArray = 2.0 * only_a - number
    return differences[at], probs[at]


def paired_sample_size(
    difference: float,
    variance_of_means: float,
    variance_a: float = 0.0,
    variance_b: float = 0.0,
    runs_a: int = 1,
    runs_b: int = 1,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Items that a paired comparison takes to detect a difference (Miller 2024, eq. 9); round it up.

    n = (z(1 − α/2) + z(power))² (ω² + σ_A²/K_A + σ_B²/K_B) / δ².

    Args:
        difference: the true difference δ to be detected, in the units of the scores, not 0.
        variance_of_means: ω², variance over items of the difference of the two sides' expected scores.
        variance_a: σ_A², mean over items of the variance of A's attempts at one item.
        variance_b: σ_B², the same of B.
        runs_a: K_A, attempts of A at each item.
        runs_b: K_B, attempts of B at each item.
        alpha: error rate of the two-sided test, in (0, 1).
        power: probability of detecting the difference, in (0, 1).

    Returns:
        Number of items, not rounded.

    Example:
        >>> round(paired_sample_size(0.03, 1 / 9), 4)
        968.9975
    """
    if difference == 0.0 or not math.isfinite(difference):
        raise ArgumentError(f"difference = {difference:g}: no number of items detects it; give one such as 0.03")
    variance = _variance(variance_of_means, (variance_a, variance_b), (runs_a, runs_b))
    return variance * (_deviates(alpha, power) / difference) ** 2


def minimum_detectable_difference(
    n: float,
    variance_of_means: float,
    variance_a: float = 0.0,
    variance_b: float = 0.0,
    runs_a: int = 1,
    runs_b: int = 1,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """The smallest difference that a paired comparison of n items detects (Miller 2024, eq. 10).

    δ = (z(1 − α/2) + z(power)) √((ω² + σ_A²/K_A + σ_B²/K_B) / n), the inverse of :func:`paired_sample_size`, whose
    arguments it shares.

    Args:
        n: number of items, at least 1.
        variance_of_means: ω², variance over items of the difference of the two sides' expected scores.
        variance_a: σ_A², mean over items of the variance of A's attempts at one item.
        variance_b: σ_B², the same of B.
        runs_a: K_A, attempts of A at each item.
        runs_b: K_B, attempts of B at each item.
        alpha: error rate of the two-sided test, in (0, 1).
        power: probability of detecting the difference, in (0, 1).

    Returns:
        The difference, in the units of the scores.

    Example:
        >>> round(minimum_detectable_difference(198, 1 / 9, 1 / 6, 1 / 6), 6)
        0.132733
    """
    if not 1.0 <= n < math.inf:
        raise ArgumentError(f"n = {n:g}: the number of items must be at least 1")
    variance = _variance(variance_of_means, (variance_a, variance_b), (runs_a, runs_b))
    return _deviates(alpha, power) * math.sqrt(variance / n)


def _variance(of_means: float, of_attempts: tuple[float, float], runs: tuple[int, int]) -> float:
    """Variance of one item's observed difference: ω² + σ_A²/K_A + σ_B²/K_B."""
    for name, each in zip(("of_means", "a", "b"), (of_means, *of_attempts), strict=True):
        if not 0.0 <= each < math.inf:
            raise ArgumentError(f"variance_{name} = {each:g}: a variance is a number of at least 0")
    for name, number in zip("ab", runs, strict=True):
        if not number >= 1:
            raise ArgumentError(f"runs_{name} = {number:g}: the number of attempts at each item must be at least 1")
    return of_means + sum(each / number for each, number in zip(of_attempts, runs, strict=True))


def _deviates(alpha: float, power: float) -> float:
    """The sum of both deviates: z(1 − α/2) + z(power)."""
    _check_rate("alpha", alpha)
    _check_rate("power", power, example=0.8)
    if power <= alpha / 2.0:
        raise ArgumentError(f"power = {power:g}: must be above alpha / 2 = {alpha / 2.0:g}, such as 0.8")
    z = NormalDist().inv_cdf
    return z(1.0 - alpha / 2.0) + z(power)


def _check_rate(name: str, rate: float, example: float = 0.05) -> None:
    if not 0.0 < rate < 1.0:
        percent = f"; did you mean {rate / 100:g}?" if 1.0 < rate < 100.0 else ""
        raise ArgumentError(f"{name} = {rate:g}: a probability strictly between 0 and 1, such as {example:g}{percent}")
