"""The transform of a ratio of sums from a contour, against all resamples."""

import numpy as np
import pytest
from tests.enumeration import resampled_sums

from scorebars.kernels import ratio as ratios
from scorebars.kernels import ratio_contour

TABLES = {
    "any values": ([0.31, 0.92, 0.55, 0.12, 0.77, 0.4], [0.7, 1.3, 0.41, 0.9, 1.1, 0.6]),
    "0 and 1, weighted": ([1.0, 2.0, 0.0, 0.0, 3.0], [1.0, 2.0, 2.0, 3.0, 3.0]),
    "sizes far apart": ([0.1, 20.0, 3.0, 0.0], [1.0, 20.0, 17.0, 2.0]),
    "negative": ([-0.31, 0.92, -0.55, 0.12, 0.0], [0.7, 1.3, 0.41, 0.9, 1.1]),
}


def resampled(name):
    sums, sizes = (np.array(column) for column in TABLES[name])
    return ratios.pairs(sums, sizes), resampled_sums(sums) / resampled_sums(sizes)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("furthest", [0.5, 4.0, 20.0])
def test_transform_and_moments_equal_those_of_all_resamples(name, furthest):
    units, truth = resampled(name)
    t = furthest / truth.std() * np.array([0.01, 0.2, 0.5, 0.83, 1.0])
    found = ratio_contour.around(units, float(t[-1]))
    expected = np.exp(1j * np.multiply.outer(t, truth - 0.2)).mean(axis=1)
    np.testing.assert_allclose(found.transform(t, 0.2), expected, atol=2e-11)
    assert found.moment(0.2, 1) == pytest.approx((truth - 0.2).mean(), abs=1e-12 * np.ptp(truth))
    assert found.moment(0.2, 2) == pytest.approx(((truth - 0.2) ** 2).mean(), abs=1e-12 * np.ptp(truth) ** 2)


def test_a_contour_that_takes_too_long_is_not_walked():
    rng = np.random.default_rng(1)
    units = ratios.pairs(rng.random(400), rng.random(400) + 0.5)
    assert ratio_contour.around(units, 1e4) is None


def test_how_likely_two_resamples_are_the_same():
    sums, sizes = np.array([0.3, 0.9, 0.9, 0.5]), np.array([1.0, 1.4, 1.4, 2.2])
    drawn = np.stack(np.unravel_index(np.arange(4**4), (4,) * 4), axis=1)
    counts = np.stack([(drawn == 0).sum(1), ((drawn == 1) | (drawn == 2)).sum(1)], axis=1)
    share = np.unique(counts, axis=0, return_counts=True)[1] / 4**4
    assert ratio_contour.same(ratios.pairs(sums, sizes)) == pytest.approx(np.sum(share**2), rel=1e-12)
