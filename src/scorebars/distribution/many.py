"""The computed bootstrap of many means at once: what :func:`compute` gives one by one, where all go the same way.

Pairs of models, models, tasks of equally many items: each is the mean of draws from equally likely values. Rows on
lattices of one step are inverted together, rows of any values have their Fourier series found together; the rest are
left to :func:`compute`, which is the truth. The bounds agree to 1e-9 of the standard deviation or better.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.distribution.discrete import Discrete
from scorebars.distribution.mirrored import Mirrored
from scorebars.distribution.smooth import Smooth
from scorebars.distribution.steps import DENSITY
from scorebars.kernels import fourier_rows, lattice, lattice_rows
from scorebars.kernels.fourier import DEAD
from scorebars.kernels.rows import Rows, common_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import Distribution
    from scorebars.kernels.law import FloatArray

FEWEST_VALUES: Final = 13
"""Fewer different values, or draws, may be quicker as a list of all outcomes."""
MOST_VALUES: Final = 1 << 14
"""Values of a mean up to which many at once are quicker than one by one."""
BYTES: Final = 32 << 20
"""Memory that the rows of one go may take, with what is made of them."""
ARRAYS: Final = 8
"""Arrays of the size of the rows that are held at once, about."""
LOOK: Final = 3
"""The same of the size of the look."""


def together(n: int) -> int:
    """How many means of n values may be worked out in one go; 0 where they are to be worked out one by one."""
    return BYTES // (8 * (ARRAYS * n + LOOK * fourier_rows.LOOK_POINTS)) if FEWEST_VALUES <= n <= MOST_VALUES else 0


def compute_many(values: Sequence[FloatArray], draws: int) -> list[Distribution | None]:
    """The distribution of the mean of so many draws from each of ``values``, which are of one length.

    None where :func:`compute` is to be asked.
    """
    found: list[Distribution | None] = [None] * len(values)
    if draws < FEWEST_VALUES:
        return found
    ordered = np.sort(np.stack(values) * (1.0 / draws), axis=1) + 0.0
    size = np.maximum(-ordered[:, 0], ordered[:, -1])
    with np.errstate(over="ignore", invalid="ignore"):
        usual = np.isfinite(size) & (size * draws > 1e-150) & (size * draws < 1e150)
    mirrored = _want_mirror(ordered)
    ordered[mirrored] = -ordered[mirrored, ::-1]
    rows = Rows(ordered, draws)
    kept = np.flatnonzero(usual & (rows.distinct > 2))
    for row, law in _solved(rows.of(kept)).items():
        place = int(kept[row])
        found[place] = Mirrored(law) if mirrored[place] else law
    return found


def _want_mirror(ordered: FloatArray) -> NDArray[np.bool_]:
    """Whether the mirror image of a row is the one to compute: the first, by value, of the two."""
    differs = ordered + ordered[:, ::-1]
    first = np.argmax(differs != 0.0, axis=1)
    return np.asarray(differs[np.arange(len(ordered)), first] > 0.0)


def _solved(rows: Rows) -> dict[int, Distribution]:
    """The distributions of those rows that go the way of others."""
    if not len(rows.values):
        return {}
    steps = common_steps(rows)
    on: dict[float, list[tuple[int, lattice.Lattice]]] = defaultdict(list)
    nowhere = np.isnan(steps)
    for row in np.flatnonzero(~nowhere).tolist():
        spans = rows.values[row] - rows.values[row, 0]
        laid = lattice.laid(float(steps[row]), spans, _ends(rows, row), (rows.draws, float(rows.noise[row]), 0.0))
        if laid is None:
            nowhere[row] = True
        else:
            on[laid.step].append((row, laid))
    waves = np.flatnonzero(nowhere & (rows.distinct >= FEWEST_VALUES))
    found: dict[int, Distribution] = _smooth(rows, waves) if len(waves) else {}
    for alike in on.values():
        found |= _discrete(rows, alike)
    return found


def _smooth(rows: Rows, which: NDArray[np.int64]) -> dict[int, Distribution]:
    chosen = rows.of(which)
    waves, kept = fourier_rows.solve(chosen)
    spread = np.sqrt(chosen.draws * chosen.variance)
    found: dict[int, Distribution] = {}
    for number, row in enumerate(kept.tolist()):
        series, std = waves.series(number), float(spread[row])
        error = series.unseen + DEAD * std / DENSITY
        found[int(which[row])] = Smooth(series, _ends(chosen, row), series.centre, std, error)
    return found


def _discrete(rows: Rows, alike: list[tuple[int, lattice.Lattice]]) -> dict[int, Distribution]:
    numbers = np.array([row for row, _ in alike])
    chosen = rows.of(numbers)
    solved = lattice_rows.solve(chosen, [laid for _, laid in alike])
    if solved is None:
        return {}
    means, spread = chosen.draws * chosen.mean, np.sqrt(chosen.draws * chosen.variance)
    return {
        row: Discrete(atoms, "lattice", _ends(rows, row), float(means[number]), float(spread[number]), laid.error)
        for number, ((row, laid), atoms) in enumerate(zip(alike, solved, strict=True))
    }


def _ends(rows: Rows, row: int) -> tuple[float, float]:
    return rows.draws * float(rows.values[row, 0]), rows.draws * float(rows.values[row, -1])
