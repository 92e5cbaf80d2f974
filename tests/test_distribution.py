"""The computed bootstrap against the enumeration of all resamples, published figures and its own symmetries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.enumeration import Listed, assert_same, independent_sums, resampled_sums, two_stage_means

from scorebars.contracts import Distribution, How
from scorebars.distribution import MonteCarlo, RatioMean, binomial_mean, combine, compute, point, ratio
from scorebars.errors import ArgumentError
from scorebars.kernels import compositions
from scorebars.kernels import ratio as ratios
from scorebars.kernels.law import Mixture, Total, atoms, negated, redrawn

SMALL = {
    "zeros and ones": [0, 1, 1, 0, 1, 1],
    "all equal": [0.7, 0.7, 0.7],
    "one value": [3.0],
    "differences": [-1, 0, 1, 0, 0, 1],
    "mostly zero": [0, 0, 0, 0, 0, 0.123],
    "negative": [-3.5, -1.25, -9.0, -1.25],
    "grades": [1, 7, 10, 4, 4, 2],
    "thirds and quarters": [1 / 3, 1 / 4, 0.5, 0.0, 2 / 3],
    "near lattice": [0, 1, 1, 0, 0.3333, 1],
    "near lattice, irrational": [0, 1, 1, 0, 0.333321345671, 1],
    "1e-9 apart": [0, 1, 1 + 1e-9, 0, 1, 2],
    "two 1e-9 apart": [0.5, 0.5 + 1e-9, 0.7, 0.5],
    "size 1e9": [1e9, 1e9 + 1, 1e9 + 3, 1e9 + 4, 1e9],
    "size 1e9, irrational": [1e9 + 0.1234, 1e9 + 1.77, 1e9 + 3.1],
    "outlier": [2000, 1, 0, 0.5, 0.7, 0.2],
    "all distinct": [0.1234567, 0.7654321, 0.4142135, 0.7320508, 0.2360679, 0.6457513],
}


@pytest.mark.parametrize("name", SMALL)
def test_equals_all_resamples(name):
    values = np.array(SMALL[name], dtype=float)
    found = compute(redrawn(values))
    assert isinstance(found, Distribution)
    assert found.how is How.COMPUTED
    assert_same(found, resampled_sums(values / len(values)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -1.0, 0.25, 0.3333, 1e-9, 7.0, 0.1234567891]), min_size=1, max_size=6))
def test_equals_all_resamples_of_any_mix(values):
    values = np.array(values)
    assert_same(compute(redrawn(values)), resampled_sums(values / len(values)))


def test_strata_equal_all_resamples():
    one, two = np.array([0.0, 1.0, 1.0]), np.array([0.2, 0.9, 0.4, 0.4])
    law = Total((*redrawn(one, 0.5).terms, *redrawn(two, 0.5).terms))
    outcomes = independent_sums(resampled_sums(one / 6), resampled_sums(two / 8))
    assert_same(compute(law), outcomes)


def test_unpaired_difference_equals_all_resamples():
    a, b = np.array([0.0, 1.0, 1.0, 0.5]), np.array([0.1, 0.9, 0.35])
    law = Total((*redrawn(a).terms, *negated(redrawn(b)).terms))
    outcomes = independent_sums(resampled_sums(a / 4), -resampled_sums(b / 3))
    assert_same(compute(law), outcomes)


def run_totals(runs):
    n, k = runs.shape
    return tuple(Total(((atoms(row / (n * k)), k),)) for row in runs)


@pytest.mark.parametrize(
    "runs",
    [
        np.array([[0, 1], [1, 1], [0, 0], [1, 0.0]]),
        np.array([[0.1, 0.75, 0.3], [0.9, 0.2, 0.65], [0.5, 0.5, 0.5]]),
        np.array([[0.1234567, 0.7654321], [0.4142135, 0.7320508], [0.2, 0.6457513]]),
    ],
)
def test_runs_and_two_stage_equal_all_resamples(runs):
    n, k = runs.shape
    assert_same(
        compute(Total(tuple((part, 1) for part in run_totals(runs)))),
        independent_sums(*(resampled_sums(row / (n * k)) for row in runs)),
    )
    law = Total(((Mixture(run_totals(runs), np.full(n, 1 / n)), n),))
    assert_same(compute(law), two_stage_means(runs))


@settings(max_examples=30, deadline=None)
@given(
    values=st.lists(st.integers(-20, 20), min_size=2, max_size=40),
    shift=st.integers(-50, 50),
    scale=st.sampled_from([0.5, 3.0, 0.1]),
)
def test_moves_and_stretches_with_the_scores(values, shift, scale):
    plain, moved = compute(redrawn(values)), compute(redrawn(scale * (np.array(values) + shift)))
    for p, upper in ((0.025, False), (0.975, True)):
        expected = scale * (plain.quantile(p, upper=upper) + shift)
        assert moved.quantile(p, upper=upper) == pytest.approx(expected, abs=1e-11)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 7)), min_size=1, max_size=60))
def test_mirror_image_has_mirrored_bounds(values):
    values = np.array(values)
    one, other = compute(redrawn(values)), compute(redrawn(-values))
    assert one.quantile(0.025) == pytest.approx(-other.quantile(0.975, upper=True), abs=1e-12)
    assert one.quantile(0.975, upper=True) == pytest.approx(-other.quantile(0.025), abs=1e-12)
    assert one.cdf(0.0) == pytest.approx(1.0 - other.below(0.0), abs=1e-12)


# chi-Bench cells, 75 tasks × 3 trials: number of tasks with 0, 1, 2, 3 passes; published point values, exact bounds.
CHI_BENCH = [
    ((67, 4, 2, 2), 0.0622, (0.0222, 0.1111), (0.0000, 0.0667)),
    ((44, 15, 8, 8), 0.2444, (0.1689, 0.3244), (0.0400, 0.1867)),
    ((44, 12, 10, 9), 0.2622, (0.1822, 0.3467), (0.0533, 0.2000)),
    ((60, 11, 4, 0), 0.0844, (0.0444, 0.1289), (0.0000, 0.0000)),
    ((52, 13, 5, 5), 0.1689, (0.1067, 0.2400), (0.0133, 0.1333)),
    ((74, 1, 0, 0), 0.0044, (0.0000, 0.0133), (0.0000, 0.0000)),
]


@pytest.mark.parametrize(("passes", "value", "mean_bounds", "all_bounds"), CHI_BENCH)
def test_published_agent_cells(passes, value, mean_bounds, all_bounds):
    mean = compute(redrawn(np.repeat([0, 1 / 3, 2 / 3, 1], passes)))
    every = compute(redrawn(np.repeat([0.0, 0.0, 0.0, 1.0], passes)))
    assert round(mean.mean, 4) == value
    assert (round(mean.quantile(0.025), 4), round(mean.quantile(0.975), 4)) == mean_bounds
    assert (round(every.quantile(0.025), 4), round(every.quantile(0.975), 4)) == all_bounds


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (18, 20), (3, 1000), (700_000, 2_000_000)])
def test_binomial_closed_form(successes, n):
    by_count = binomial_mean(successes, n)
    values = atoms([0.0, 1 / n], [n - successes, successes])
    by_law = compute(Total(((values, n),)))
    assert by_law.step in {"binomial", "point"}
    for p, upper in ((0.025, False), (0.975, True), (0.5, False)):
        assert by_count.quantile(p, upper=upper) == by_law.quantile(p, upper=upper)
    assert by_count.std == pytest.approx(by_law.std, rel=1e-12)
    middle = successes / n
    assert by_count.cdf(middle) == pytest.approx(stats.binom.cdf(successes, n, middle), abs=1e-9)
    assert by_count.below(middle) == pytest.approx(by_law.below(middle), abs=1e-10)


def test_equal_scores_are_a_point_without_warnings():
    found = compute(redrawn([0.8] * 50))
    assert (found.quantile(0.025), found.quantile(0.975, upper=True)) == (pytest.approx(0.8), pytest.approx(0.8))
    assert found.std == 0.0
    assert (found.below(found.mean), found.cdf(found.mean)) == (0.0, 1.0)
    assert point(2.0).quantile(0.5) == 2.0


def test_a_bound_of_zero_is_exactly_zero():
    found = compute(redrawn([0] * 45 + [1] * 3 + [-1] * 2))
    lows = [found.quantile(p) for p in np.linspace(0.01, 0.99, 99)]
    assert 0.0 in lows
    assert all(x == 0.0 or abs(x) >= 0.02 - 1e-12 for x in lows)


def test_monte_carlo_error_is_that_of_both_ends():
    rng = np.random.default_rng(5)
    skewed = np.exp(rng.normal(size=(400, 2000)))
    ends = np.quantile(skewed, [0.025, 0.975], axis=1)
    errors = [MonteCarlo(row).error for row in skewed]
    assert np.mean(errors) == pytest.approx(ends.std(axis=1).max(), rel=0.2)
    assert np.mean([MonteCarlo(-row).error for row in skewed]) == pytest.approx(np.mean(errors), rel=0.02)


def test_monte_carlo_error_of_a_lattice_is_a_step_at_least():
    rng = np.random.default_rng(6)
    for n_boot in (1000, 20_000):
        assert MonteCarlo(rng.binomial(50, 0.5, n_boot) / 50).error >= 0.02 - 1e-12
    sums = rng.binomial(3, 0.5, 1000) * 0.1 + 0.1  # 0.1 + 0.2 and 0.3 are one value
    assert MonteCarlo(np.append(sums, [0.3] * 9)).error == pytest.approx(0.1)
    assert MonteCarlo(np.full(1000, 0.7)).error == 0.0


def test_monte_carlo_reads_its_replicates():
    rng = np.random.default_rng(7)
    replicates = rng.normal(size=4000)
    found = MonteCarlo(replicates)
    assert isinstance(found, Distribution)
    assert found.quantile(0.025) == np.quantile(replicates, 0.025)
    assert found.n_boot == 4000
    assert found.cdf(0.0) == np.mean(replicates <= 0.0)
    assert found.below(replicates[0]) == np.mean(replicates < replicates[0])
    expected = np.sqrt(0.025 * 0.975 / 4000) / stats.norm.pdf(stats.norm.ppf(0.025))
    assert found.error == pytest.approx(expected, rel=0.5)
    assert np.isnan(MonteCarlo(np.ones(1)).std)


def test_wrong_arguments_are_said():
    with pytest.raises(ArgumentError, match="between 0 and n"):
        binomial_mean(5, 4)
    with pytest.raises(ArgumentError, match="finite"):
        compute(redrawn([0.0, np.nan]))
    with pytest.raises(ArgumentError, match="at least one"):
        compute(redrawn([]))
    with pytest.raises(ArgumentError, match="rescale"):
        compute(redrawn([1e300, 2e300, 5e300]))
    with pytest.raises(ArgumentError, match="one row"):
        MonteCarlo(np.ones((2, 2)))


def test_each_step_says_that_it_answered():
    rng = np.random.default_rng(0)
    steps = {
        "point": redrawn([2.0, 2.0]),
        "binomial": redrawn([0.0, 1.0, 1.0]),
        "lattice": redrawn([0.0, 0.5, 1.0, 1.0]),
        "compositions": redrawn(rng.random(7)),
        "fourier": redrawn(rng.random(200)),
        "grid": redrawn(np.concatenate([np.zeros(95), rng.random(5)])),
    }
    found = {name: compute(law) for name, law in steps.items()}
    assert {name: answer.step for name, answer in found.items()} == {name: name for name in steps}
    assert {name for name, answer in found.items() if answer.how is How.APPROXIMATE} == {"grid"}
    assert all(answer.n_boot is None for answer in found.values())
    assert 0.0 < found["grid"].error < 1e-3 * found["grid"].std
    single = compute(redrawn(np.concatenate([rng.integers(0, 2, 3000), np.full(50, np.float32(1 / 3))])))
    assert (single.step, single.how) == ("lattice", How.APPROXIMATE)
    assert single.error < 1e-5 * single.std


HARD = {
    "outlier of 100": lambda rng: np.append(rng.random(99), 2000.0),
    "outlier of 400": lambda rng: np.append(rng.random(399), 2000.0),
    "mostly zero": lambda rng: np.concatenate([np.zeros(95), rng.random(5)]),
    "zeros, ones and reals": lambda rng: np.concatenate([rng.integers(0, 2, 300), rng.random(30)]),
    "four decimals": lambda rng: np.round(rng.random(500), 4),
    "lognormal": lambda rng: rng.lognormal(0, 1, 60),
    "judge grades": lambda rng: rng.integers(1, 11, 300).astype(float),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HARD)
def test_large_cases_match_draws(name):
    rng = np.random.default_rng(11)
    values = HARD[name](rng)
    found = compute(redrawn(values))
    n = len(values)
    drawn = np.concatenate([values[rng.integers(0, n, size=(5_000, n))].mean(axis=1) for _ in range(80)])
    assert found.mean == pytest.approx(values.mean())
    for p, upper in ((0.005, False), (0.025, False), (0.5, False), (0.975, True)):
        x = found.quantile(p, upper=upper)
        slip = found.error + 1e-9 * abs(x)
        noise = 5.0 * np.sqrt(p * (1 - p) / len(drawn))
        assert np.mean(drawn < x - slip) <= p + noise
        assert np.mean(drawn <= x + slip) >= p - noise


@pytest.mark.parametrize(("n", "sigma"), [(20_000, 0.0), (20_000, 2.0)])
def test_many_distinct_scores_are_nearly_normal(n, sigma):
    rng = np.random.default_rng(4)
    values = rng.lognormal(0, sigma, n) if sigma else rng.random(n)
    found = compute(redrawn(values))
    assert (found.step, found.how) == ("fourier", How.COMPUTED)
    skew = stats.skew(values) / np.sqrt(n)
    kurtosis = stats.kurtosis(values) / n
    for p in (0.025, 0.5, 0.975):
        z = stats.norm.ppf(p)
        # Cornish and Fisher's expansion, whose next term is smaller than the tolerance.
        expected = z + skew * (z**2 - 1) / 6 + kurtosis * (z**3 - 3 * z) / 24 - skew**2 * (2 * z**3 - 5 * z) / 36
        assert (found.quantile(p) - values.mean()) / found.std == pytest.approx(expected, abs=max(1e-5, 3 * skew**2))


CLUSTERS = [
    ([1, 2, 0, 3, 4, 5], [1, 2, 3, 4, 5, 6]),
    ([1, 2, 2, 3, 4, 5], [1, 2, 2, 4, 5, 6]),
    ([0.31, 0.92, 0.55, 0.12, 0.77, 0.4], [0.7, 1.3, 0.41, 0.9, 1.1, 0.6]),
    ([-1, 2, 0, 0, 1, 0], [1, 2, 3, 1, 2, 3]),
    ([2, 2, 2, 2, 2, 1], [2, 2, 2, 2, 2, 1]),
    ([3, 0, 1, 2, 2, 1], [4, 4, 4, 4, 4, 4]),
]


@pytest.mark.parametrize(("sums", "sizes"), CLUSTERS)
def test_ratio_equals_all_resamples(sums, sizes):
    sums, sizes = np.array(sums, dtype=float), np.array(sizes, dtype=float)
    assert_same(ratio(sums, sizes), resampled_sums(sums) / resampled_sums(sizes))


@pytest.mark.parametrize(("sums", "sizes"), [pair for pair in CLUSTERS[:4] if pair[0][0] != 0.31])
def test_joint_lattice_equals_the_list(sums, sizes):
    units = ratios.pairs(np.array(sums, dtype=float), np.array(sizes, dtype=float))
    found, listed = ratios.joint(units), ratios.listed(units)
    np.testing.assert_allclose(found.values, listed.values, atol=1e-14)
    np.testing.assert_allclose(found.probs, listed.probs, atol=1e-14)


@pytest.mark.parametrize(("p", "upper"), [(0.025, False), pytest.param(0.975, True, marks=pytest.mark.slow)])
def test_ratio_by_one_transform_an_x(p, upper):
    sums, sizes = (np.array(column, dtype=float) for column in CLUSTERS[1])
    known = ratio(sums, sizes)
    found = RatioMean(ratios.pairs(sums, sizes), known.ends, known.std)
    assert found.quantile(p, upper=upper) == pytest.approx(known.quantile(p, upper=upper), abs=2e-4 * known.std)


def test_ratio_of_weighted_items_matches_draws_and_mirrors():
    rng = np.random.default_rng(3)
    sizes = rng.random(200) + 0.3
    sums = sizes * rng.integers(0, 2, 200)
    found, mirrored = ratio(sums, sizes), ratio(-sums, sizes)
    assert (found.step, found.how) == ("ratio", How.COMPUTED)
    drawn = rng.integers(0, 200, size=(40_000, 200))
    replicates = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    assert found.quantile(0.025) == pytest.approx(np.quantile(replicates, 0.025), abs=0.05 * found.std)
    assert found.std == pytest.approx(replicates.std(), rel=0.02)
    assert found.quantile(0.025) == pytest.approx(-mirrored.quantile(0.975, upper=True), abs=1e-12)
    assert found.cdf(found.quantile(0.3)) == pytest.approx(0.3, abs=1e-9)


def test_a_ratio_with_one_failure_reaches_one_exactly():
    rng = np.random.default_rng(3)
    sizes = rng.random(60) + 0.3
    sums = sizes.copy()
    sums[5] = 0.0
    found = ratio(sums, sizes)
    assert found.quantile(0.975, upper=True) == 1.0
    assert 1.0 - found.below(1.0) == pytest.approx((59 / 60) ** 60, abs=1e-4)


def test_ratio_refuses_empty_units():
    with pytest.raises(ArgumentError, match="positive size"):
        ratio(np.ones(3), np.array([1.0, 0.0, 2.0]))


def test_macro_mean_of_ratios_equals_all_resamples():
    one, two = CLUSTERS[0], ([1.0, 0.0, 2.0], [1.0, 2.0, 2.0])
    pairs = [(np.array(sums, dtype=float), np.array(sizes, dtype=float)) for sums, sizes in (one, two)]
    found = combine([(ratio(*pair), 0.5) for pair in pairs])
    outcomes = [resampled_sums(sums) / resampled_sums(sizes) for sums, sizes in pairs]
    truth = 0.5 * np.add.outer(*outcomes).ravel()
    assert found.step == "ratio"
    assert found.mean == pytest.approx(truth.mean(), abs=1e-12)
    assert found.std == pytest.approx(truth.std(), abs=1e-12)
    for p, upper in ((0.025, False), (0.3, False), (0.975, True)):
        assert found.quantile(p, upper=upper) == pytest.approx(Listed(truth).quantile(p, upper=upper), abs=1e-9)


def test_combination_reads_every_kind_of_distribution():
    rng = np.random.default_rng(8)
    sizes = rng.random(80) + 0.3
    sums = sizes * rng.random(80)
    values = rng.random(150)
    grades = rng.integers(0, 5, 40) / 4
    kinds = [binomial_mean(30, 40), compute(redrawn(grades)), compute(redrawn(values)), ratio(sums, sizes)]
    found = combine([(kind, weight) for kind, weight in zip(kinds, (0.2, -0.3, 1.0, 0.5), strict=True)])
    drawn = rng.integers(0, 80, size=(60_000, 80))
    replicates = (
        0.2 * rng.binomial(40, 0.75, 60_000) / 40
        - 0.3 * grades[rng.integers(0, 40, size=(60_000, 40))].mean(axis=1)
        + values[rng.integers(0, 150, size=(60_000, 150))].mean(axis=1)
        + 0.5 * sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    )
    assert found.mean == pytest.approx(replicates.mean(), abs=0.02 * found.std)
    assert found.std == pytest.approx(replicates.std(), rel=0.01)
    assert found.quantile(0.025) == pytest.approx(np.quantile(replicates, 0.025), abs=0.04 * found.std)
    assert found.error < 0.01 * found.std
    alone = combine([(kinds[2], 1.0)])
    assert alone.quantile(0.025) == pytest.approx(kinds[2].quantile(0.025), abs=alone.error)


def macro(rng, tasks, n, scores):
    """Weighted items of several tasks: (sums, sizes) of each."""
    sizes = rng.uniform(0.5, 2.0, size=(tasks, n))
    values = {"any": rng.random, "grades": lambda shape: rng.integers(0, 11, shape) / 10}[scores]((tasks, n))
    return list(zip(values * sizes, sizes, strict=True))


def chance(listed, x):
    """P(Σ ≤ x) of the sum of independent draws from two sorted lists of (values, probabilities)."""
    (values, probs), (others, chances) = listed
    upto = np.concatenate([[0.0], np.cumsum(chances)])
    return float(np.sum(probs * upto[np.searchsorted(others, x - values, side="right")]))


@pytest.mark.parametrize(("tasks", "n", "scores"), [(2, 9, "any"), (2, 10, "grades"), (3, 6, "any")])
def test_macro_mean_of_few_weighted_items_equals_all_ways_to_draw(tasks, n, scores):
    pairs = macro(np.random.default_rng(5), tasks, n, scores)
    found = combine([(ratio(*pair, part=True), 1.0 / tasks) for pair in pairs])
    lists = [ratios.listed(ratios.pairs(*pair)) for pair in pairs]
    outcomes = [(one.values / tasks, one.probs) for one in lists]
    if tasks == 3:
        whole = np.add.outer(outcomes[0][0], outcomes[1][0]).ravel(), np.outer(outcomes[0][1], outcomes[1][1]).ravel()
        outcomes = [whole, outcomes[2]]
    assert found.mean == pytest.approx(sum(float(values @ probs) for values, probs in outcomes), abs=1e-12)
    variances = [float(probs @ values**2 - (probs @ values) ** 2) for values, probs in outcomes]
    assert found.std == pytest.approx(np.sqrt(sum(variances)), rel=1e-6)
    assert found.error < 2e-3 * found.std
    for p, upper in ((0.025, False), (0.3, False), (0.975, True)):
        x = found.quantile(p, upper=upper)
        assert chance(outcomes, x - found.error) - 1e-9 <= p <= chance(outcomes, x + found.error) + 1e-9


@pytest.mark.parametrize(("n", "scores"), [(60, "any"), (150, "grades")])
def test_macro_mean_of_many_weighted_items_equals_the_convolution_of_their_distributions(n, scores):
    pairs = macro(np.random.default_rng(6), 2, n, scores)
    one, two = (ratio(*pair, part=True) for pair in pairs)
    found = combine([(one, 0.7), (two, 0.3)])
    assert found.step == "ratio"
    assert found.error < 1e-8 * found.std

    def convolved(x, cells):
        edges = two.units.value + two.units.spread * np.linspace(-9.0, 9.0, cells + 1)
        chances = np.diff(two.cdfs(edges)[0])
        return float(chances @ one.cdfs((x - 0.3 * 0.5 * (edges[1:] + edges[:-1])) / 0.7)[0])

    for p, upper in ((0.025, False), (0.3, False), (0.975, True)):
        x = found.quantile(p, upper=upper)
        coarse, fine = convolved(x, 400), convolved(x, 800)
        assert fine + (fine - coarse) / 3.0 == pytest.approx(p, abs=1e-9)  # Richardson's extrapolation
    mirrored = combine(
        [(ratio(-sums, sizes, part=True), w) for (sums, sizes), w in zip(pairs, (0.7, 0.3), strict=True)]
    )
    assert mirrored.quantile(0.025) == pytest.approx(-found.quantile(0.975, upper=True), abs=1e-12)


def nearly_perfect(rng, tasks, n, law):
    """Sums and sizes of tasks of which one or two of n weighted items are wrong, and how many are."""
    wrong = [1 + task % 2 for task in range(tasks)]
    sizes = [rng.exponential(size=n) + 0.05 if law == "exp" else rng.uniform(*law, n) for _ in range(tasks)]
    return [((np.arange(n) >= m) * size, size) for m, size in zip(wrong, sizes, strict=True)], wrong


@pytest.mark.parametrize("law", ["exp", (0.5, 1.5), (0.95, 1.05)])
@pytest.mark.parametrize(("wrong", "sign"), [(False, 1.0), (True, 1.0), (False, -1.0)])
def test_a_macro_mean_of_nearly_perfect_tasks_is_perfect_as_often_as_no_wrong_item_is_drawn(law, wrong, sign):
    pairs, counts = nearly_perfect(np.random.default_rng(11), 2, 60, law)
    pairs = [(sizes - sums, sizes) for sums, sizes in pairs] if wrong else pairs
    found = combine([(ratio(*pair, part=True), 0.5 * sign) for pair in pairs])
    chance = np.prod([(1.0 - m / 60) ** 60 for m in counts])
    end = 0.0 if wrong else sign
    above = (end == 1.0) or (wrong and sign < 0.0)
    assert chance > 0.025
    assert found.quantile(0.975 if above else 0.025, upper=above) == end
    np.testing.assert_allclose(found.cdf(end) - found.below(end), chance, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["exp", (0.5, 1.5), (0.95, 1.05)])
@pytest.mark.parametrize("tasks", [2, 3])
def test_a_macro_mean_of_nearly_perfect_tasks_matches_a_million_draws(tasks, law):
    """Five standard errors: another seed would fail one of the 24 checks with a chance of about 1e-5."""
    rng, draws = np.random.default_rng(12), 10**6
    pairs, _ = nearly_perfect(rng, tasks, 60, law)
    found = combine([(ratio(*pair, part=True), 1.0 / tasks) for pair in pairs])
    assert found.error < 5e-3 * found.std
    means = np.zeros(draws)
    for sums, sizes in pairs:
        for some in np.split(np.arange(draws), 20):
            drawn = rng.integers(0, 60, (len(some), 60))
            means[some] += sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1) / tasks
    for p, upper in ((0.025, False), (0.3, False), (0.7, True), (0.975, True)):
        x, slip = found.quantile(p, upper=upper), found.error + 1e-12
        se = np.sqrt(p * (1.0 - p) / draws)
        if upper:
            assert np.mean(means < x - slip) <= p + 5.0 * se
            assert np.mean(means <= x + slip) >= p - 5.0 * se
        else:
            assert np.mean(means <= x + slip) >= p - 5.0 * se
            assert np.mean(means < x - slip) <= p + 5.0 * se


def test_a_lone_ratio_stays_a_ratio():
    sums, sizes = macro(np.random.default_rng(7), 1, 60, "any")[0]
    alone = ratio(sums, sizes)
    assert combine([(alone, 1.0)]).quantile(0.025) == alone.quantile(0.025)
    moved = combine([(alone, -0.5), (point(2.0), 0.5)])
    assert moved.quantile(0.025) == pytest.approx(1.0 - 0.5 * alone.quantile(0.975, upper=True), abs=1e-11)


def test_tasks_that_are_on_a_grid_together_state_its_width():
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 4, size=(3, 12)).astype(float)
    sums = sizes * rng.integers(0, 2, size=(3, 12))
    parts = [ratio(*pair, part=True) for pair in zip(sums, sizes, strict=True)]
    found = combine([(part, 1.0 / 3.0) for part in parts])
    lists = [(part.atoms.values / 3.0, part.atoms.probs) for part in parts]
    whole = np.add.outer(lists[0][0], lists[1][0]).ravel(), np.outer(lists[0][1], lists[1][1]).ravel()
    assert found.how is How.APPROXIMATE
    for p, upper in ((0.025, False), (0.5, False), (0.975, True)):
        x = found.quantile(p, upper=upper)
        low, high = (chance([whole, lists[2]], x + away) for away in (-found.error, found.error))
        assert low - 1e-9 <= p <= high + 1e-9


def test_combination_of_nothing_is_refused():
    with pytest.raises(ArgumentError, match="at least one"):
        combine([])


@settings(max_examples=60)
@given(
    items=st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=3), min_size=1, max_size=3),
    two_stage=st.booleans(),
)
def test_ragged_runs_equal_all_resamples(items, two_stage):
    n = len(items)
    totals = tuple(Total(((atoms(np.array(runs) / (n * len(runs))), len(runs)),)) for runs in items)
    outcomes = [resampled_sums(np.array(runs) / (n * len(runs))) for runs in items]
    if not two_stage:
        assert_same(compute(Total(tuple((part, 1) for part in totals))), independent_sums(*outcomes))
        return
    found = compute(Total(((Mixture(totals, np.full(n, 1 / n)), n),)))
    # Every outcome as often as its probability asks for: items of fewer runs have fewer outcomes.
    longest = np.lcm.reduce([len(outcome) for outcome in outcomes])
    item = np.concatenate([np.repeat(outcome, longest // len(outcome)) for outcome in outcomes])
    truth = atoms(item)
    listed = compositions.solve(Total(((truth, n),)))
    sums = np.cumsum(listed.probs)
    for value, upto in zip(listed.values, sums, strict=True):
        assert found.cdf(value) == pytest.approx(upto, abs=1e-12)


@pytest.mark.parametrize("n_boot", [1, 2, 3, 10, 199, 2000])
@pytest.mark.parametrize("kind", ["any", "ties", "large", "infinite"])
def test_quantiles_of_replicates_are_numpys_to_the_last_bit(n_boot, kind):
    rng = np.random.default_rng(n_boot)
    values = {
        "any": rng.standard_normal(n_boot),
        "ties": rng.integers(0, 4, n_boot) / 3,
        "large": 1e9 + rng.random(n_boot),
        "infinite": np.where(rng.random(n_boot) < 0.1, np.inf, rng.random(n_boot)),
    }[kind]
    found = MonteCarlo(values)
    for p in (0.0, 1.0, 0.025, 0.975, 0.5, 1e-6, 1.0 - 1e-6, *rng.random(50).tolist()):
        with np.errstate(invalid="ignore"):
            expected = np.quantile(values, p) if p < 1.0 else values.max()
        assert np.array_equal(found.quantile(p), expected, equal_nan=True)


def test_replicates_that_are_no_numbers_have_no_quantile():
    assert np.isnan(MonteCarlo(np.array([0.1, np.nan, 0.3])).quantile(0.5))
