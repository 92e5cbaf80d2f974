"""The aggregates of deep RL on Atari 100k against the published notebook and against closed forms."""

import numpy as np
import pytest
from tests.estimators.atari import FILES, needs_atari, scores

import scorebars as sb

pytestmark = [pytest.mark.shared_data, needs_atari]
RUNS = sb.Resample("run")
B = 50_000

# median, IQM, mean, optimality gap; median and mean are printed by the notebook of Agarwal et al. 2021.
POINTS = {
    "DER": (0.18936086395020874, 0.18315194969318593, 0.35030497562762936, 0.6975022842787035),
    "OTR": (0.12959095869061166, 0.11671133999442326, 0.21705284786438742, 0.8187226951595344),
    "CURL": (0.09234861529, 0.11279172743615386, 0.26148856121438463, 0.7679804383678845),
    "DrQ": (0.21197693941542933, 0.22359457462098214, 0.36912351496348683, 0.6917323067614005),
    "DrQ(eps)": (0.312901399063074, 0.27964692908526456, 0.4647412513971657, 0.6305341162701135),
    "SPR": (0.39562938291779215, 0.33664931949376936, 0.6157957428691673, 0.5773017532342755),
    "SimPLe": (0.13405558483729887, 0.12958780305057785, 0.3319978533732483, 0.7289309097768772),
}
ESTIMATORS = (sb.Median(), sb.IQM(), sb.Mean(), sb.OptimalityGap())
# Value and 95 % percentile interval of the first ten runs, 50,000 resamples.
TEN_RUNS = {
    "SPR": ((0.415478, 0.368, 0.486), (0.375402, 0.344, 0.411), (0.701334, 0.616, 0.808), (0.554237, 0.535, 0.574)),
    "DrQ(eps)": (
        (0.330861, 0.248, 0.383), (0.301774, 0.276, 0.330), (0.504790, 0.468, 0.548), (0.612845, 0.594, 0.631),
    ),
    "DrQ": ((0.217239, 0.183, 0.260), (0.236423, 0.221, 0.252), (0.388940, 0.368, 0.412), (0.678670, 0.666, 0.692)),
    "CURL": ((0.119952, 0.085, 0.138), (0.097415, 0.086, 0.113), (0.246174, 0.221, 0.271), (0.779642, 0.760, 0.799)),
    "OTR": ((0.119251, 0.097, 0.145), (0.112974, 0.104, 0.123), (0.204495, 0.191, 0.218), (0.828579, 0.818, 0.839)),
    "DER": ((0.210048, 0.171, 0.224), (0.184416, 0.171, 0.201), (0.348415, 0.330, 0.367), (0.696635, 0.683, 0.711)),
    "SimPLe": ((None, 0.083, 0.164), (None, 0.099, 0.168), (None, 0.284, 0.381), (None, 0.693, 0.767)),
}  # fmt: skip
EXACT_ERRORS = {
    "SPR": (0.050235, 0.009915), "DrQ(eps)": (0.020436, 0.009284), "DrQ": (0.011121, 0.006566),
    "CURL": (0.012617, 0.009764), "OTR": (0.006656, 0.005581), "DER": (0.009732, 0.007159),
    "SimPLe": (0.024802, 0.018851),
}  # fmt: skip
MANY_RUNS_IQM = {
    "SPR": (0.3259, 0.3479), "DrQ(eps)": (0.2710, 0.2885), "DrQ": (0.2183, 0.2289), "DER": (0.1777, 0.1888),
    "OTR": (0.1137, 0.1198), "CURL": (0.1077, 0.1182),
}  # fmt: skip
TASKS_AND_RUNS_IQM = {
    "SPR": (0.200, 0.668), "DER": (0.111, 0.375), "DrQ(eps)": (0.162, 0.505), "OTR": (0.063, 0.172),
    "CURL": (0.054, 0.213),
}  # fmt: skip


def estimated(table, estimator, resample, interval):
    [found] = sb.estimate(
        sb.Scores.from_arrays({"A": table}), estimator=estimator, resample=resample, interval=interval, rng=1
    )
    return found


def drawn(table, estimator, resample=RUNS, n_boot=B):
    return estimated(table, estimator, resample, sb.Percentile(n_boot))


@pytest.mark.parametrize("name", FILES)
def test_point_values(name):
    found = [estimated(scores(name), estimator, RUNS, sb.Percentile(1)).value for estimator in ESTIMATORS]
    assert found == pytest.approx(POINTS[name], abs=1e-12)


QUICK = {"SPR", "CURL", "SimPLe"}
"""The others take as long again, and are marked slow."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in FILES])
def test_intervals_of_ten_runs(name):
    for estimator, (value, low, high) in zip(ESTIMATORS, TEN_RUNS[name], strict=True):
        found = drawn(scores(name)[:10], estimator)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)
        if value is not None:
            assert found.value == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("name", ["SPR", "CURL"])
@pytest.mark.parametrize("place", range(4))
def test_the_textbook_function_gives_the_same_intervals(name, place):
    low, high = sb.stratified_bootstrap_ci(scores(name)[:10], ESTIMATORS[place], B)
    assert (low, high) == pytest.approx(TEN_RUNS[name][place][1:], abs=0.005)


@pytest.mark.parametrize("name", FILES)
def test_exact_standard_errors_of_redrawn_runs(name):
    for estimator, expected in zip((sb.Mean(), sb.OptimalityGap()), EXACT_ERRORS[name], strict=True):
        found = estimated(scores(name)[:10], estimator, RUNS, sb.Percentile())
        assert found.distribution.value != "monte-carlo"
        table = scores(name)[:10] if estimator == sb.Mean() else np.maximum(1 - scores(name)[:10], 0)
        by_formula = np.sqrt(np.sum(table.var(axis=0) / len(table))) / table.shape[1]
        assert by_formula == pytest.approx(expected, abs=5e-7)
        # The interval of a nearly normal law is 2 · 1.96 standard errors wide.
        assert found.high - found.low == pytest.approx(2 * 1.959964 * expected, rel=0.05)


def test_exact_standard_error_of_redrawn_tasks_and_runs():
    from tests.estimators.drawn_by_hand import problem

    table = sb.Scores.from_arrays({"A": scores("SPR")[:10]})
    assert problem(table, sb.Mean(), "task", "run").distribution().std == pytest.approx(0.162731, abs=5e-7)
    assert problem(table, sb.Mean(), "run").distribution().std == pytest.approx(0.050235, abs=5e-7)
    assert problem(table, sb.OptimalityGap(), "run").distribution().std == pytest.approx(0.009915, abs=5e-7)


@pytest.mark.parametrize("name", TASKS_AND_RUNS_IQM)
def test_intervals_of_tasks_and_runs(name):
    # .005 is the noise of 20,000 and more resamples of tasks and runs
    found = drawn(scores(name)[:10], sb.IQM(), sb.Resample("task", "run"), n_boot=40_000)
    assert (found.low, found.high) == pytest.approx(TASKS_AND_RUNS_IQM[name], abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY_RUNS_IQM)
def test_intervals_of_a_hundred_runs(name):
    found = drawn(scores(name), sb.IQM(), n_boot=20_000)
    assert (found.low, found.high) == pytest.approx(MANY_RUNS_IQM[name], abs=0.003)


def test_the_two_definitions_of_the_iqm_differ_where_n_is_no_multiple_of_four():
    table = np.sort(scores("SimPLe").ravel())
    assert table.size == 130
    kept_66 = table[32:98].mean()
    kept_65 = (table[33:97].sum() + 0.5 * (table[32] + table[97])) / 65
    trim, half = (
        estimated(scores("SimPLe"), each, RUNS, sb.Percentile(1)).value for each in (sb.IQM(), sb.IQM(sb.Middle.HALF))
    )
    assert trim == pytest.approx(kept_66, abs=1e-15)
    assert half == pytest.approx(kept_65, abs=1e-15)
    assert trim != half


def test_superhuman_probability_is_a_point_of_the_run_score_profile():
    found = estimated(scores("SPR")[:10], sb.SuperhumanProbability(), RUNS, sb.Percentile())
    assert found.value == pytest.approx(0.234615, abs=5e-7)
    assert (found.low, found.high) == pytest.approx((0.207692, 0.261538), abs=5e-7)  # Poisson-binomial, exact
    quarter = estimated(scores("DER")[:10], sb.SuperhumanProbability(0.25), RUNS, sb.Percentile())
    assert (quarter.value, quarter.low, quarter.high) == pytest.approx((0.380769, 0.346154, 0.415385), abs=5e-7)


def test_difficulty_progress_is_the_mean_of_the_lowest_quarter():
    found = estimated(scores("SPR"), sb.DifficultyProgress(), RUNS, sb.Percentile(1))
    assert found.value == pytest.approx(np.sort(scores("SPR").ravel())[:650].mean(), abs=1e-15)
