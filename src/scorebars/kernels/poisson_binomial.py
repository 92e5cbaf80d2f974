"""Quantiles of sums of independent binomial counts, for many sets of chances at once, without random draws.

The sum over strata s of Binomial(n_s, p_s) has the characteristic function Π (1 + p_s(e^{iω} − 1))^{n_s}; its values at
the frequencies 2πj/L are the discrete Fourier transform of the probabilities, taken modulo L (Fernández and Williams
2010, eq. 7). L = N + 1 loses nothing. For large N a window of L counts around the mean is enough: by Hoeffding's bound
a count is farther than t from the mean with a probability below 2·exp(−2t²/N), which is below 1e-17 for t = 4.5·√N.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels import binomial

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

REACH: Final = 4.5
"""Half the window, in √N."""


def window(n: int) -> int:
    """How many counts are told apart, of sums of ``n`` trials."""
    return min(n + 1, 2 * math.ceil(REACH * math.sqrt(n)) + 3)


def tail_counts(chances: Floats, trials: Ints, below: float, above: float) -> tuple[Ints, Ints]:
    """The smallest x with P(X ≤ x) ≥ below and the largest x with P(X ≥ x) ≥ above, of each set of chances.

    Args:
        chances: p of each stratum and set, shape (n_strata, n_sets).
        trials: n of each stratum, shape (n_strata,).
        below: probability, above 0.
        above: probability, above 0.

    Returns:
        Two arrays of shape (n_sets,).
    """
    n = int(trials.sum())
    first, probs = _probabilities(chances, trials, window(n))
    from_below, from_above = (np.cumsum(side, axis=1) for side in (probs, probs[:, ::-1]))
    low = np.count_nonzero(from_below < below - binomial.slack(below), axis=1)
    high = probs.shape[1] - 1 - np.count_nonzero(from_above < above - binomial.slack(above), axis=1)
    return np.clip(first + low, 0, n), np.clip(first + high, 0, n)


def _probabilities(chances: Floats, trials: Ints, width: int) -> tuple[Ints, Floats]:
    """First count of the window of each set, and P(X = count) of its counts, shape (n_sets, width)."""
    step = np.exp(2j * np.pi * np.arange(width // 2 + 1) / width) - 1.0
    transform = np.ones((chances.shape[1], len(step)), dtype=np.complex128)
    for n in np.unique(trials):
        inside = np.ones_like(transform)
        for p in chances[trials == n]:
            inside *= 1.0 + p[:, np.newaxis] * step
        transform *= inside ** int(n)
    # The transform is conjugate to NumPy's sign of the exponent.
    probs = np.fft.irfft(transform.conj(), width, axis=1)
    first = np.rint(trials @ chances).astype(np.int64) - width // 2
    if width > trials.sum():
        first = np.zeros(chances.shape[1], dtype=np.int64)
    places = (first[:, np.newaxis] + np.arange(width)) % width
    return first, np.clip(np.take_along_axis(probs, places, axis=1), 0.0, None)
