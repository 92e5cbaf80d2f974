"""P(R* ≤ x) at many x, against one x at a time."""

import numpy as np
import pytest

from scorebars.kernels import ratio as ratios
from scorebars.kernels import ratio_rows
from scorebars.kernels.fourier import DEAD


def units_of(n, *, grades=None, seed=4):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, n).astype(float) if grades else rng.random(n) + 0.3
    scores = rng.random(n) if grades is None else rng.integers(0, grades + 1, n) / grades
    return ratios.pairs(sizes * scores, sizes)


@pytest.mark.parametrize(("n", "grades"), [(60, None), (60, 10), (300, 1), (300, None)])
def test_many_places_equal_one_at_a_time(n, grades):
    units = units_of(n, grades=grades)
    x = units.value + units.spread * np.linspace(-5.0, 5.0, 23)
    found, left = ratio_rows.cdf(units, x)
    expected = [sum(ratios.cdf(units, place)[:2]) / 2 for place in x.tolist()]
    assert left < DEAD
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_blocks_make_no_difference(monkeypatch):
    units = units_of(80)
    x = units.value + units.spread * np.linspace(-3.0, 3.0, 17)
    whole = ratio_rows.cdf(units, x)[0]
    monkeypatch.setattr(ratio_rows, "CELLS", 300)
    np.testing.assert_array_equal(ratio_rows.cdf(units, x)[0], whole)


def test_what_is_not_smooth_is_told():
    units = ratios.pairs(np.array([1.0, 0.0, 2.0, 0.4]), np.array([1.0, 1.5, 2.0, 0.7]))
    assert ratio_rows.cdf(units, np.array([0.5, 0.6]))[1] > 0.01


def test_how_likely_two_ratios_are_the_same():
    for n in (30, 60):
        units = units_of(n, grades=1)
        listed = ratios.listed(units, limit=0) or ratios.joint(units)
        truth = float(np.sum(listed.probs**2))
        assert truth / 4.0 < ratio_rows.same(units) < 4.0 * truth
    assert ratio_rows.same(units_of(30)) == 0.0
