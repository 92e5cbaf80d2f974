"""Counting ones, and finding anything else."""

import numpy as np
import pytest

from scorebars.kernels.zeros_and_ones import BLOCK, count_ones


@pytest.mark.parametrize("n", [0, 1, 10, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
@pytest.mark.parametrize("kind", [np.float64, np.bool_, np.uint8, np.int64])
def test_ones_are_counted(n, kind):
    values = (np.random.default_rng(n).random(n) < 0.3).astype(kind)
    assert count_ones(values) == int(values.sum())


@pytest.mark.parametrize("other", [0.5, -1.0, 2.0, np.nan, np.inf, 1e-300, 1.0 + 2.0**-52])
@pytest.mark.parametrize("place", [0, BLOCK - 1, BLOCK, -1])
def test_one_other_number_is_found(other, place):
    values = np.ones(2 * BLOCK + 5)
    values[place] = other
    assert count_ones(values) is None


def test_a_zero_below_zero_is_a_zero():
    assert count_ones(np.array([-0.0, 1.0])) == 1
