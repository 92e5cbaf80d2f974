"""Ratios most of whose units have one ratio, in two parts: against all ways in which the units can be drawn."""

import math

import numpy as np
import pytest

from scorebars.kernels import ratio as ratios
from scorebars.kernels.ratio_split import split


def units_of(n, wrong, sizes, right=1.0):
    """Units of these sizes in turn; the first ``wrong`` of them have the ratio 1 − right, the others ``right``."""
    size = np.resize(sizes, n)
    score = np.where(np.arange(n) < wrong, 1.0 - right, right)
    return ratios.pairs(score * size, size)


@pytest.mark.parametrize("right", [1.0, 0.0])
@pytest.mark.parametrize("wrong", [1, 2])
def test_the_parts_are_all_ways_to_draw(wrong, right):
    units = units_of(12, wrong, [1.0, math.sqrt(2.0)], right)
    known, found = ratios.listed(units), split(units, units.spread)
    parts = [found.hard, *(lumps for lumps, _ in found.soft)]
    values, probs = (np.concatenate(some) for some in zip(*((p.values, p.probs) for p in parts), strict=True))
    order = np.argsort(values)
    places = np.searchsorted(values[order], known.values + 1e-9) - 1
    upto = np.append(0.0, np.cumsum(probs[order]))[places + 1]
    np.testing.assert_allclose(upto, np.cumsum(known.probs), atol=1e-6)
    assert (found.hard.values[0], found.left < 1e-6) == (right, True)
    np.testing.assert_allclose(found.hard.probs[0], (1.0 - wrong / 12) ** 12, rtol=1e-12)


def test_ratios_far_from_a_common_one_are_not_split():
    assert split(units_of(60, 25, np.linspace(0.5, 1.5, 60)), 0.1) is None
