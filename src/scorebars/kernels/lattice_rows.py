"""Many means at once on lattices of one step, each of draws from equally likely values: as ``lattice.solve`` does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.lattice import NEGLIGIBLE, fast_length
from scorebars.kernels.law import Atoms
from scorebars.kernels.rows import reach
from scorebars.kernels.transform import log1p_complex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scorebars.kernels.lattice import Lattice
    from scorebars.kernels.law import FloatArray
    from scorebars.kernels.rows import Rows

MOST_POINTS: Final = 1 << 14
"""Points of a window up to which rows are inverted together."""
MOST_ANGLES: Final = 1 << 20
"""Places × frequencies whose sines are kept at once."""


def solve(rows: Rows, lattices: Sequence[Lattice]) -> list[Atoms] | None:
    """The law of T of each row on its lattice, all of one step; None where it is too much for one go."""
    step = lattices[0].step
    low = rows.values[:, 0]
    lows, centres = rows.draws * low, rows.draws * rows.mean
    down, up = reach(rows)
    most = np.rint((rows.draws * rows.values[:, -1] - lows) / step)
    first = np.maximum(np.floor((centres - down - lows) / step), 0.0).astype(np.int64)
    last = np.minimum(np.ceil((centres + up - lows) / step), most).astype(np.int64)
    length = fast_length(int(np.max(last - first)) + 1)
    if length > MOST_POINTS:
        return None
    centre = np.rint((rows.mean - low) / step).astype(np.int64)
    index = np.rint((rows.values - low[:, np.newaxis]) / step).astype(np.int64) - centre[:, np.newaxis]
    circles = _circles(index, rows.draws, length)
    if circles is None:
        return None
    middle = rows.draws * centre
    found = []
    for row, each in enumerate(lattices):
        k = np.arange(first[row], last[row] + 1)
        probs = np.maximum(np.take(circles[row], k - middle[row], mode="wrap"), 0.0)
        found.append(Atoms(each.points(k), probs / probs.sum()))
    return found


def _circles(index: NDArray[np.int64], draws: int, length: int) -> FloatArray | None:
    """P(Σ index = k) modulo the length, the sum of so many draws from each row of ``index``."""
    least = int(index.min())
    width = int(index.max()) - least + 1
    each = np.arange(len(index))[:, np.newaxis]
    shares = _shares(index - least + width * each, (len(index), width))
    rough = np.abs(np.fft.rfft(_shares(index % length + length * each, (len(index), length)), axis=1))
    active = np.flatnonzero((rough > math.exp(NEGLIGIBLE / draws)).any(axis=0))
    if width * len(active) > MOST_ANGLES:
        return None
    places = (np.arange(least, least + width)[:, np.newaxis] * active + length // 2) % length
    half = (math.pi / length) * (places - length // 2)
    sine = np.sin(half)
    # Not by a BLAS: see ``law.dot``.
    real = np.einsum("rm,mf->rf", shares, -2.0 * sine * sine)
    imaginary = np.einsum("rm,mf->rf", shares, 2.0 * sine * np.cos(half))
    spectrum = np.zeros((len(index), length // 2 + 1), dtype=np.complex128)
    spectrum[:, active] = np.exp(draws * log1p_complex(real + 1j * imaginary))
    return np.asarray(np.fft.irfft(np.conj(spectrum), length, axis=1), dtype=np.float64)


def _shares(places: NDArray[np.int64], shape: tuple[int, int]) -> FloatArray:
    """How large a part of the values of each row stands at each place."""
    counts = np.bincount(places.ravel(), minlength=shape[0] * shape[1]).reshape(shape)
    return np.asarray(counts / places.shape[1], dtype=np.float64)
