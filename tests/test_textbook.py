"""The textbook functions against the one-shot formulas they promise, draw for draw."""

from __future__ import annotations

import functools
import textwrap
from decimal import Decimal

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fresh import printed
from tests.peak import PEAK_MB

from scorebars.errors import ArgumentError
from scorebars.estimators import Mean, PassAtK, PassHatK
from scorebars.notes import DEFAULT_SEED
from scorebars.textbook import (
    bootstrap_ci,
    draws,
    metric_summary,
    paired_bootstrap,
    paired_bootstrap_ci,
    significant,
    stratified_bootstrap_ci,
)

BIT_GENERATORS = [np.random.PCG64, np.random.PCG64DXSM, np.random.SFC64, np.random.Philox, np.random.MT19937]
TAILS = [0.025, 0.975]
A = [1] * 118 + [1] * 6 + [0] * 2 + [0] * 74
B = [1] * 118 + [0] * 6 + [1] * 2 + [0] * 74
"""A is right on 124 of 200 items, B on 120; 6 items only A has right, 2 only B."""


def generator(kind, *, half_used=False):
    rng = np.random.Generator(kind(20_241_129))
    if half_used:  # leaves the upper half of a 64-bit word waiting in the bit generator
        rng.integers(0, 7, dtype=np.int32)
    return rng


def states_equal(a, b):
    def plain(state):
        return {k: plain(v) if isinstance(v, dict) else np.asarray(v).tolist() for k, v in state.items()}

    return plain(a.bit_generator.state) == plain(b.bit_generator.state)


@pytest.fixture(params=[1, 7, 64, 1 << 18])
def block(request, monkeypatch):
    monkeypatch.setattr(draws, "BLOCK", request.param)


def test_metric_summary_figures():
    assert metric_summary([1, 0, 1, 1]) == (0.75, 0.5, 0.25)
    assert metric_summary([0.8, 0.6, 0.7, 0.9, 1.0]) == pytest.approx((0.8, 0.158114, 0.0707107), rel=1e-5)


def test_bootstrap_ci_figures():
    value, low, high = bootstrap_ci(A, np.random.default_rng(0))
    assert value == 0.62
    assert (low, high) == pytest.approx((0.555, 0.685), abs=0.006)
    value, low, high = bootstrap_ci(B, np.random.default_rng(0))
    assert value == 0.6
    assert (low, high) == pytest.approx((0.535, 0.665), abs=0.006)


def test_paired_bootstrap_figures():
    difference, low, high = paired_bootstrap(A, B, np.random.default_rng(0))
    assert difference == pytest.approx(0.02)
    assert (low, high) == pytest.approx((-0.005, 0.05), abs=0.006)
    assert not significant(low, high)


def test_stratified_bootstrap_agrees_with_the_exact_standard_error():
    # SD of the mean with runs redrawn: √(Σ_m popvar_m / N) / M (Agarwal et al. 2021), a formula without draws.
    scores = np.random.default_rng(3).gamma(2.0, size=(40, 12))
    low, high = stratified_bootstrap_ci(scores, np.mean, 20_000)
    expected = np.sqrt(scores.var(axis=0).sum() / 40) / 12
    assert (high - low) / (2 * 1.959964) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
@pytest.mark.parametrize("half_used", [False, True])
@pytest.mark.parametrize(("n", "n_boot"), [(1, 5), (2, 3), (7, 13), (11, 101), (256, 33), (257, 1)])
@pytest.mark.usefixtures("block")
def test_one_sample_is_the_one_shot_formula(kind, half_used, n, n_boot):
    scores = np.random.default_rng(n).normal(size=n)
    rng, plain = generator(kind, half_used=half_used), generator(kind, half_used=half_used)

    idx = plain.integers(0, n, size=(n_boot, n))
    expected = np.quantile(scores[idx].mean(axis=1), TAILS)

    assert bootstrap_ci(scores, rng, n_boot) == pytest.approx((scores.mean(), *expected), rel=1e-14, abs=1e-15)
    assert states_equal(rng, plain)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
@pytest.mark.usefixtures("block")
def test_paired_functions_are_the_one_shot_formulas(kind):
    a, b = np.random.default_rng(1).integers(0, 3, size=(2, 37)) / 2
    rng, plain = generator(kind), generator(kind)

    idx = plain.integers(0, 37, size=(59, 37))
    difference = np.quantile(a[idx].mean(axis=1) - b[idx].mean(axis=1), TAILS)
    idx = plain.integers(0, 37, size=(61, 37))
    outperforming = np.quantile((a > b)[idx].mean(axis=1), TAILS)

    assert paired_bootstrap(a, b, rng, 59)[1:] == pytest.approx(difference, rel=1e-14, abs=1e-15)
    assert paired_bootstrap_ci(a, b, 61, rng=rng) == pytest.approx(outperforming, rel=1e-14)
    assert states_equal(rng, plain)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
@pytest.mark.usefixtures("block")
def test_stratified_is_the_one_shot_formula(kind):
    scores = np.random.default_rng(1).normal(size=(5, 3))
    rng, plain = generator(kind), generator(kind)

    idx = plain.integers(0, 5, size=(77, 5, 3))
    resampled = scores[idx, np.arange(3)]
    expected = np.quantile(np.median(resampled.reshape(77, -1), axis=1), TAILS)

    assert stratified_bootstrap_ci(scores, np.median, 77, rng=rng) == pytest.approx(expected, rel=1e-14)
    assert states_equal(rng, plain)


@settings(max_examples=50, deadline=None)
@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40),
    n_boot=st.integers(1, 60),
    level=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**32),
)
def test_interval_lies_in_the_data_and_is_the_formula(scores, n_boot, level, seed):
    _, low, high = bootstrap_ci(scores, seed, n_boot, level)
    idx = np.random.default_rng(seed).integers(0, len(scores), size=(n_boot, len(scores)))
    tail = (1 - level) / 2
    expected = np.quantile(np.asarray(scores)[idx].mean(axis=1), [tail, 1 - tail])

    assert (low, high) == pytest.approx(tuple(expected), rel=1e-12, abs=1e-9)
    slack = 1e-9 * max(1.0, *map(abs, scores))
    assert min(scores) - slack <= low <= high <= max(scores) + slack


def test_swapping_the_sides_mirrors_the_interval():
    difference, low, high = paired_bootstrap(A, B, 5)
    assert paired_bootstrap(B, A, 5) == pytest.approx((-difference, -high, -low))


@pytest.mark.parametrize("function", [lambda x: np.median(x) + 0.0, functools.partial(np.quantile, q=0.5)])
def test_vectorised_and_one_by_one_agree(function):
    scores = np.random.default_rng(2).normal(size=(6, 4))
    assert stratified_bootstrap_ci(scores, function, 300) == stratified_bootstrap_ci(scores, np.median, 300)


def test_function_with_axis_runs_on_whole_blocks():
    calls = []

    def middle(x, axis):
        calls.append(x.shape)
        return scipy.stats.trim_mean(x, 0.25, axis=axis)

    stratified_bootstrap_ci(np.eye(4, 3), middle, 500)
    assert calls == [(500, 12)]


def test_function_whose_axis_is_bound_runs_once_a_resample():
    by_task = functools.partial(np.mean, axis=0)
    scores = np.random.default_rng(2).normal(size=(6, 4))
    low_high = stratified_bootstrap_ci(scores, lambda x: np.median(by_task(x)), 200)
    idx = np.random.default_rng(DEFAULT_SEED).integers(0, 6, size=(200, 6, 4))
    means = scores[idx, np.arange(4)].mean(axis=1)
    assert low_high == pytest.approx(np.quantile(np.median(means, axis=1), TAILS))
    with pytest.raises(ArgumentError, match="must return one number"):
        stratified_bootstrap_ci(scores, by_task, 200)


def test_estimator_object_is_the_mean_of_item_values():
    class BestOf:
        """1 where any run of the item succeeded."""

        def item_values(self, sums, runs):
            return (sums > 0).astype(float) + 0.0 * runs

    scores = np.random.default_rng(4).integers(0, 2, size=(3, 20))
    vectorised = stratified_bootstrap_ci(scores, BestOf(), 400)
    assert vectorised == pytest.approx(stratified_bootstrap_ci(scores, lambda x: x.any(axis=0).mean(), 400))


@pytest.mark.parametrize("estimator", [Mean(), PassAtK(2), PassHatK(3)])
def test_estimators_of_the_library(estimator):
    scores = np.random.default_rng(4).integers(0, 2, size=(3, 20))

    def plain(x):
        return estimator.item_values(x.sum(axis=0), np.full(20, 3)).mean()

    assert stratified_bootstrap_ci(scores, estimator, 200) == pytest.approx(stratified_bootstrap_ci(scores, plain, 200))


def test_default_seed_is_fixed_and_stated():
    assert paired_bootstrap_ci(A, B) == paired_bootstrap_ci(A, B, rng=DEFAULT_SEED)
    scores = np.random.default_rng(0).random((5, 5))
    assert stratified_bootstrap_ci(scores, np.mean, 100) == stratified_bootstrap_ci(
        scores, np.mean, 100, rng=DEFAULT_SEED
    )


@pytest.mark.parametrize("seed", [7, [7, 8], np.random.SeedSequence(7), np.random.PCG64(7)])
def test_rng_is_anything_default_rng_takes(seed):
    low, high = paired_bootstrap_ci(A, B, 50, rng=seed)
    assert low <= 0.03 <= high


@pytest.mark.parametrize(
    "scores",
    [[True, False, True], np.array([1, 0, 1], dtype=np.int8), [Decimal(1), Decimal(0), Decimal(1)], (1, 0, 1.0)],
)
def test_numbers_of_any_kind(scores):
    results = bootstrap_ci(scores, 1)
    assert results == bootstrap_ci([1.0, 0.0, 1.0], 1)
    assert all(type(value) is float for value in results)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 0.2, True),
        (-0.2, -0.1, True),
        (-0.1, 0.1, False),
        (0.0, 0.1, False),
        (-0.1, 0.0, False),
        (0.0, 0.0, False),
        (0.1, float("nan"), False),
        (float("nan"), -0.1, False),
        (0.1, float("inf"), True),
        (float("-inf"), 0.1, False),
    ],
)
def test_significant(low, high, expected):
    assert significant(low, high) is expected
    assert type(significant(np.float64(low), np.float64(high))) is bool


def test_significant_refuses_swapped_bounds():
    with pytest.raises(ArgumentError, match="swap the two bounds"):
        significant(0.2, 0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metric_summary([]), "scores is empty"),
        (lambda: metric_summary([0.5]), "needs at least 2"),
        (lambda: metric_summary([1, float("nan")]), "1 of 2 values that are not finite"),
        (lambda: metric_summary("1011"), "0 dimensions|must hold numbers"),
        (lambda: metric_summary([[1, 0], [1, 1]]), "2 dimensions"),
        (lambda: bootstrap_ci([], 0), "correct is empty"),
        (lambda: bootstrap_ci([1, None], 0), "correct has 1 of 2|not numbers"),
        (lambda: bootstrap_ci(["1", "0"], 0), "holds '1', and must hold numbers"),
        (lambda: bootstrap_ci([1, float("inf")], 0), r"\(first inf at 1\)"),
        (lambda: bootstrap_ci(np.ma.masked_array([1, 0], [False, True]), 0), "1 of 2"),
        (lambda: bootstrap_ci([1j], 0), "must hold numbers"),
        (lambda: bootstrap_ci([object()], 0), "not numbers"),
        (lambda: bootstrap_ci([1, 0], 0, n_boot=0), "n_boot is 0"),
        (lambda: bootstrap_ci([1, 0], 0, n_boot=2.5), "n_boot is 2.5"),
        (lambda: bootstrap_ci([1, 0], 0, level=1.0), "level is 1.0"),
        (lambda: bootstrap_ci([1, 0], 0, level=0), "level is 0"),
        (lambda: bootstrap_ci([1, 0], 0, level=95), "write 95 % as 0.95"),
        (lambda: bootstrap_ci([1, 0], 0, level=float("nan")), "level is nan"),
        (lambda: bootstrap_ci([1, 0], 0, level="95"), "level is '95'"),
        (lambda: paired_bootstrap([1, 0], [1], 0), "correct_a has 2 values and correct_b has 1"),
        (lambda: paired_bootstrap([1, 0], [1, 0], 0, level=1.5), "level is 1.5"),
        (lambda: paired_bootstrap_ci([1, 0], [1, 0, 1]), "scores_a has 2 values and scores_b has 3"),
        (lambda: paired_bootstrap_ci([1, 0], [1, 0], -1), "resamples is -1"),
        (lambda: stratified_bootstrap_ci([1, 0], np.mean), "runs × tasks"),
        (lambda: stratified_bootstrap_ci(np.empty((3, 0)), np.mean), "scores is empty"),
        (lambda: stratified_bootstrap_ci([[1, 0], [1]], np.mean), "ragged"),
        (lambda: stratified_bootstrap_ci([[1, np.nan]], np.mean), r"at \(0, 1\)"),
        (lambda: stratified_bootstrap_ci([[1, 0]], "mean"), "metric is 'mean'"),
        (lambda: stratified_bootstrap_ci([[1, 0]], np.mean, 0), "reps is 0"),
        (lambda: stratified_bootstrap_ci([[1, 0], [0, 1]], PassHatK(3)), r"pass\^3 is not a number with 2 runs"),
        (lambda: stratified_bootstrap_ci([[1, 0.5], [0, 1]], PassAtK(2)), "holds 0.5, and pass@2 needs"),
        (lambda: stratified_bootstrap_ci([[1, 0]], lambda _: np.nan, 9), "NaN in 9 of 9"),
    ],
)
def test_refusals_name_the_value_and_the_rule(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


def test_refusals_leave_the_generator_alone():
    rng, untouched = np.random.default_rng(1), np.random.default_rng(1)
    with pytest.raises(ArgumentError):
        bootstrap_ci([1, 0], rng, level=2)
    assert states_equal(rng, untouched)


@pytest.mark.slow
def test_memory_is_bounded_and_the_interval_is_the_one_shot_formula():
    # The plain formula needs 3.2 GB of indices here. For 0/1 scores its means are exact whole numbers over n, so the
    # comparison may sum row by row.
    script = textwrap.dedent(
        """
        import numpy as np
        from scorebars.textbook import bootstrap_ci
        n, n_boot = 200_000, 2_000
        scores = (np.arange(n) % 5 < 3).astype(float)
        got = bootstrap_ci(scores, np.random.default_rng(9), n_boot)
        rng = np.random.default_rng(9)
        means = [scores[rng.integers(0, n, size=n)].sum() / n for _ in range(n_boot)]
        assert got == (scores.mean(), *np.quantile(means, [(1 - 0.95) / 2, 1 - (1 - 0.95) / 2])), got
        print(peak_mb())
        """
    )
    assert int(printed(PEAK_MB + script)) < 500
