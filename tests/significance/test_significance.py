"""Every test against SciPy, statsmodels or all 2^n sign patterns, and in compare beside its interval."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from tests.resample.test_drawn import Largest

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError
from scorebars.significance import SPELLINGS, test_named
from scorebars.significance.sign_flip import flip_p_value
from scorebars.significance.wilcoxon import Zeros, mean_ranks

test_named.__test__ = False


def scores_of(a, b, axes=("item",), **options):
    return sb.Scores.from_arrays({"A": a, "B": b}, axes=axes, **options)


def by_patterns(values):
    values = np.asarray(values, dtype=float)
    sums = np.array([abs(np.sum(values * signs)) for signs in itertools.product([-1, 1], repeat=len(values))])
    return float(np.mean(sums >= abs(values.sum()) - 1e-9))


@pytest.mark.parametrize(("b", "c"), [(4, 0), (0, 1), (7, 7), (12, 3), (40, 61), (300, 250), (0, 0)])
def test_mcnemar(b, c):
    expected = mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert sb.McNemar().of_counts(b, c) == pytest.approx(expected, rel=1e-9)
    n = b + c
    mid = 2 * (stats.binom.cdf(min(b, c), n, 0.5) - 0.5 * stats.binom.pmf(min(b, c), n, 0.5)) if n else 1.0
    assert sb.McNemar(mid_p=True).of_counts(b, c) == pytest.approx(min(mid, 1.0), rel=1e-9)
    assert sb.McNemar().of_counts(b, c) == sb.McNemar().of_counts(c, b)


@pytest.mark.parametrize("n", range(1, 13))
def test_sign_flips_are_all_patterns(n):
    rng = np.random.default_rng(n)
    for values in (rng.normal(size=n), rng.integers(-2, 4, n).astype(float), rng.normal(size=n).round(1)):
        assert flip_p_value(values) == pytest.approx(by_patterns(values), abs=1e-12)


@pytest.mark.parametrize("n", [6, 10, 12])
def test_convolution_is_all_patterns_too(n, monkeypatch):
    monkeypatch.setattr("scorebars.significance.sign_flip.LISTED", 0)
    rng = np.random.default_rng(n)
    for values in (rng.normal(size=n), rng.integers(-2, 4, n).astype(float), rng.integers(-9, 10, n) / 10):
        # the series of a few unequal numbers is smooth, its patterns are not: half a pattern either way
        assert flip_p_value(values) == pytest.approx(by_patterns(values), abs=max(1e-9, 4 / 2**n))


def test_many_units_by_convolution():
    rng = np.random.default_rng(8)
    values = rng.normal(0.15, 1.0, 300)
    drawn = (rng.integers(0, 2, (40_000, 300)) * 2.0 - 1.0) @ values
    share = np.mean(np.abs(drawn) >= abs(values.sum()))
    # five standard errors of 40,000 draws at p = .01 to .05
    assert flip_p_value(values) == pytest.approx(share, abs=5 * math.sqrt(0.05 / 40_000))
    ones = np.r_[np.ones(180), -np.ones(120)]
    assert flip_p_value(ones) == pytest.approx(stats.binomtest(180, 300).pvalue, rel=1e-9)


def test_sign_flip_of_scipy():
    a = np.array([0.9, 0.4, 0.7, 0.2, 0.5, 0.8, 0.65])
    b = np.array([0.5, 0.45, 0.3, 0.25, 0.1, 0.6, 0.2])
    found = sb.compare(scores_of(a, b), test=sb.SignFlip())
    expected = stats.permutation_test((a - b,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.test == "sign-flip permutation test"
    assert not math.isnan(found.low)
    assert "(sign-flip permutation test)" in str(found)
    assert found.to_dicts()[0]["test"] == found.test


def test_sign_flip_follows_the_reported_difference_over_tasks_and_clusters():
    table = {"model": ["A"] * 6 + ["B"] * 6, "task": [*"ssssll"] * 2, "item": [*"123456"] * 2,
             "score": [0.9, 0.4, 0.7, 0.2, 0.5, 0.6, 0.5, 0.45, 0.3, 0.25, 0.8, 0.1]}  # fmt: skip
    d = np.array(table["score"][:6]) - np.array(table["score"][6:])
    found = sb.compare(sb.Scores(table), test=sb.SignFlip())
    assert found.p_value == pytest.approx(by_patterns(d * np.r_[np.full(4, 1 / 8), np.full(2, 1 / 4)]), abs=1e-12)
    clustered = sb.Scores({**table, "task": ["t"] * 12, "cluster": [*"aabccc"] * 2})
    assert sb.compare(clustered, test=sb.SignFlip()).p_value == by_patterns([d[0] + d[1], d[2], d[3:].sum()])


@pytest.mark.parametrize("n", [5, 12, 25, 50])
def test_wilcoxon_without_ties(n):
    rng = np.random.default_rng(n)
    found = rng.normal(0.3, 1.0, n)
    assert sb.Wilcoxon().of_differences(found) == pytest.approx(stats.wilcoxon(found, method="exact").pvalue, rel=1e-9)


@pytest.mark.parametrize("zeros", Zeros)
def test_wilcoxon_with_ties_and_zeros(zeros):
    name = {Zeros.DROPPED: "wilcox", Zeros.RANKED: "pratt"}[zeros]
    small = np.array([0, 0, 1, -1, 2, 2, 3, -2, 4, 1], dtype=float)
    ranks = mean_ranks(np.abs(small if zeros is Zeros.RANKED else small[small != 0]))
    signs = np.sign(small if zeros is Zeros.RANKED else small[small != 0])
    assert sb.Wilcoxon(zeros).of_differences(small) == pytest.approx(by_patterns(signs * ranks), abs=1e-12)
    large = np.random.default_rng(1).integers(-3, 5, 200).astype(float)
    expected = stats.wilcoxon(large, zero_method=name, method="approx", correction=False).pvalue
    assert sb.Wilcoxon(zeros).of_differences(large) == pytest.approx(expected, rel=1e-9)


def test_mean_ranks_are_those_of_scipy():
    values = np.random.default_rng(0).integers(0, 6, 40).astype(float)
    assert mean_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_sign_test():
    a, b = [3, 1, 4, 1, 5, 9, 2, 6], [2, 1, 3, 2, 1, 1, 1, 1]
    found = sb.compare(scores_of(a, b), test=sb.SignTest())
    assert found.p_value == pytest.approx(stats.binomtest(6, 7).pvalue, rel=1e-12)


def test_zero_one_scores_make_three_tests_one():
    rng = np.random.default_rng(4)
    scores = scores_of(rng.integers(0, 2, 40), rng.integers(0, 2, 40))
    exact, sign, flips = (sb.compare(scores, test=t).p_value for t in (sb.McNemar(), sb.SignTest(), sb.SignFlip()))
    assert exact == pytest.approx(sign, rel=1e-12)
    assert exact == pytest.approx(flips, rel=1e-9)


def test_four_against_none_of_fifty():
    found = sb.compare(scores_of([1] * 30 + [0] * 20, [1] * 26 + [0] * 24), test=sb.McNemar())
    assert found.p_value == 0.125
    assert found.low == pytest.approx(0.0029, abs=5e-5)  # Tango's score interval: another family, another answer


def test_shuffles_of_a_mean_and_of_any_statistic():
    rng = np.random.default_rng(5)
    a = rng.normal(0.5, 1.0, (2, 12))
    scores = scores_of(a, a - rng.normal(0.4, 0.5, (2, 12)), axes=("run", "item"))
    exact = sb.compare(scores, test=sb.SignFlip()).p_value
    drawn = sb.compare(scores, test=sb.ApproximateRandomization(40_000)).p_value
    assert drawn == pytest.approx(exact, abs=5 * math.sqrt(exact / 40_000) + 1e-4)
    few = scores_of([1.0, 5.0, 2.0], [0.0, 3.0, 4.0])
    found = sb.compare(few, estimator=Largest(), test=sb.ApproximateRandomization(20_000))
    sides = [
        abs(max(y if s else x for x, y, s in zip((1, 5, 2), (0, 3, 4), swap, strict=True))
            - max(x if s else y for x, y, s in zip((1, 5, 2), (0, 3, 4), swap, strict=True)))
        for swap in itertools.product([0, 1], repeat=3)
    ]  # fmt: skip
    assert found.p_value == pytest.approx(np.mean(np.array(sides) >= 1), abs=0.02)


def test_shuffles_are_reproducible_and_honest():
    scores = scores_of([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0], range=(0, 1))
    first, second = (sb.compare(scores, test=sb.ApproximateRandomization(999)).p_value for _ in range(2))
    assert first == second
    assert first >= 1 / 1000
    with pytest.raises(ArgumentError, match="n_shuffles"):
        sb.ApproximateRandomization(0)


def test_what_a_test_cannot_serve():
    unpaired = sb.Scores({"model": [*"AABB"], "item": [*"1234"], "score": [1.0, 0.0, 0.0, 1.0]})
    graded = scores_of([0.5, 0.2], [0.1, 0.2])
    for test in (sb.SignFlip(), sb.SignTest(), sb.Wilcoxon(), sb.ApproximateRandomization(), sb.McNemar()):
        with pytest.raises(MethodError, match=test.name.split(",", maxsplit=1)[0]):
            sb.compare(unpaired, test=test)
    with pytest.raises(MethodError, match="0/1"):
        sb.compare(graded, test=sb.McNemar())
    with pytest.raises(MethodError, match="paired difference"):
        sb.compare(graded, effect=sb.RelativeDifference(), test=sb.SignFlip())
    tasks = scores_of(np.eye(3), np.eye(3)[::-1], axes=("item", "task"))
    with pytest.raises(MethodError, match="several tasks use SignFlip"):
        sb.compare(tasks, test=sb.Wilcoxon())


def test_no_p_value_without_an_interval():
    found = sb.compare(scores_of([0.5, 0.6], [0.4, 0.5]), test=sb.SignFlip(), interval=sb.StudentT())
    assert math.isnan(found.shown.low) == math.isnan(found.p_value)
    alone = sb.compare(scores_of([0.5], [0.4]), test=sb.SignFlip())
    assert math.isnan(alone.low)
    assert math.isnan(alone.p_value)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings(spelling):
    assert test_named(spelling).name
    with pytest.raises(ArgumentError, match=f"did you mean '{spelling}'"):
        test_named(spelling + "x")


def test_replicates_of_pairs_that_share_their_items_are_joint():
    # What a maximum over many comparisons needs: A − B and A − C from one seed differ by C − B, resample by resample.
    rng = np.random.default_rng(6)
    scores = sb.Scores.from_arrays({name: rng.random(30) for name in "ABC"}, axes=("item",))
    from scorebars.problem import Setting, effect_problem

    samples = {cut.sample.model: cut.sample for cut in scores.cuts().cuts}
    setting = Setting(sb.Mean(), ("item",), lambda: np.random.default_rng(0))
    drawn = {
        pair: effect_problem(samples[pair[0]], samples[pair[1]], sb.Difference(), setting).distribution(500).replicates
        for pair in ("AB", "AC", "CB")
    }
    assert drawn["AB"] - drawn["AC"] == pytest.approx(drawn["CB"], abs=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_ranks_of_decimals_are_those_of_whole_numbers(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 13))
    a = rng.integers(0, 12, n)
    b = np.clip(a - rng.integers(-2, 6, n), 0, 10)
    whole, tenths = (
        sb.compare(scores_of(a / step, b / step), "A", "B", test=sb.Wilcoxon()).p_value for step in (1, 10)
    )
    assert tenths == pytest.approx(whole, abs=1e-12)
    differences = (a - b)[a != b]
    ranks = stats.rankdata(np.abs(differences))
    expected = by_patterns(np.sign(differences) * ranks) if len(ranks) else 1.0
    assert whole == pytest.approx(expected, abs=1e-12)
