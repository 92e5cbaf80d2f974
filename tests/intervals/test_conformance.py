"""Every method on every kind of problem that it serves: levels, sides, mirror images, p-values of its own family."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from tests.docs.interval_table import problems, sides_swapped

from scorebars.contracts import Side
from scorebars.intervals import INTERVALS, interval_named, p_value

KINDS = problems()
SWAPPED = sides_swapped()
SERVED = [
    (spelling, kind)
    for spelling in INTERVALS
    for kind, problem in KINDS.items()
    if interval_named(spelling)().refuses(problem) is None
]
EXACT_TWO_SIDED = {"blaker", "wild-cluster"}
"""Their two-sided tests do not spend half of the error on each side; nor does Auto where it chooses Blaker."""
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)


def ends(method, problem, level, side=Side.TWO):
    bounds = method.bounds(problem, level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize(("spelling", "kind"), SERVED)
def test_served_problems(spelling, kind):
    method, problem = interval_named(spelling)(), KINDS[kind]
    nested = [ends(method, problem, level) for level in LEVELS]
    known = [pair for pair in nested if not math.isnan(pair[0])]
    assert len(known) >= 4, "only an extreme level may be out of reach"
    for (low, high), (wider_low, wider_high) in pairwise(known):
        assert wider_low <= low + 1e-9
        assert high <= wider_high + 1e-9
    if spelling not in EXACT_TWO_SIDED and not (spelling == "auto" and kind == "0/1"):
        low, high = ends(method, problem, 0.9)
        assert ends(method, problem, 0.95, Side.LOWER) == pytest.approx((low, math.inf), abs=1e-9)
        assert ends(method, problem, 0.95, Side.UPPER) == pytest.approx((-math.inf, high), abs=1e-9)


@pytest.mark.parametrize(("spelling", "kind"), [pair for pair in SERVED if pair[1] in SWAPPED])
def test_a_minus_b_mirrors_b_minus_a(spelling, kind):
    method = interval_named(spelling)()
    low, high = ends(method, KINDS[kind], 0.9)
    assert ends(method, SWAPPED[kind], 0.9) == pytest.approx((-high, -low), abs=1e-6)


@pytest.mark.parametrize(("spelling", "kind"), [pair for pair in SERVED if pair[1] in SWAPPED])
def test_p_is_below_alpha_where_the_interval_leaves_out_the_null(spelling, kind):
    method, problem = interval_named(spelling)(), KINDS[kind]
    p = p_value(method, problem)
    assert 0.0 <= p <= 1.0
    for alpha in (0.3, 0.1, 0.05, 0.01):
        low, high = ends(method, problem, 1 - alpha)
        # Drawn and interpolated quantiles agree with their p-value to within a few resamples.
        if abs(p - alpha) > 2e-3 and not math.isnan(low):
            assert (low > problem.null or high < problem.null) == (p < alpha)


@pytest.mark.parametrize(("spelling", "kind"), [pair for pair in SERVED if pair[1] in {"0/1", "graded", "runs"}])
def test_the_null_value_is_the_problem_s_own(spelling, kind):
    method = interval_named(spelling)()
    problem = WithNull(KINDS[kind], 0.97)
    low, high = ends(method, problem, 0.95)
    assert (low > 0.97 or high < 0.97) == (p_value(method, problem) < 0.05)


class WithNull:
    """A problem with another null value."""

    def __init__(self, problem, null):
        self.problem, self.null = problem, null

    def __getattr__(self, name):
        return getattr(self.problem, name)


def test_order_of_rows_is_irrelevant_to_computed_methods():
    rng = np.random.default_rng(0)
    values = rng.random(12).round(2)
    from tests.intervals.interval_problems import graded

    for spelling in ("percentile", "bca", "basic", "expanded-percentile", "student-t", "agresti-coull"):
        method = interval_named(spelling)()
        shuffled = graded(rng.permutation(values), (0.0, 1.0))
        assert ends(method, graded(values, (0.0, 1.0)), 0.9) == pytest.approx(ends(method, shuffled, 0.9), abs=1e-12)
