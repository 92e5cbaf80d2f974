"""P(A > B) over pairs: the published table, the decision rule in its forms, and what it refuses."""

import numpy as np
import pytest
from scipy.stats import binom
from tests.resample.reference import sample_of

import scorebars as sb
from scorebars.contracts import Side
from scorebars.distribution import binomial_mean
from scorebars.effects import (
    Decision,
    DecisionRule,
    ProbabilityOfOutperforming,
    Ties,
    effect_named,
    noether_sample_size,
)
from scorebars.errors import ArgumentError, MethodError
from scorebars.estimators import Mean
from scorebars.intervals import Percentile
from scorebars.problem import Setting, effect_problem

NOETHER = {
    0.05: [721.478, 180.370, 80.164, 45.092, 28.859, 20.041, 14.724, 11.273, 8.907],
    0.1: [570.923, 142.7308, 63.436, 35.683, 22.837, 15.859, 11.652, 8.921, 7.048],
    0.2: [412.171, 103.043, 45.797, 25.761, 16.487, 11.449, 8.412, 6.440, 5.089],
}


def pairs(wins, n, effect=None):
    """One task with n paired runs of which A wins some."""
    a = sample_of({"t": {"": {"1": [1.0] * wins + [0.0] * (n - wins)}}})
    b = sample_of({"t": {"": {"1": [0.5] * n}}}, "B")
    setting = Setting(Mean(), ("run",), np.random.default_rng, paired_runs=True)
    return effect_problem(a, b, effect or ProbabilityOfOutperforming(), setting)


def bounds(problem):
    found = Percentile().bounds(problem, 0.95, Side.TWO)
    return found.low, found.high


@pytest.mark.parametrize("beta", NOETHER)
def test_noether(beta):
    found = [noether_sample_size(gamma / 100, beta=beta) for gamma in range(55, 100, 5)]
    assert found == pytest.approx(NOETHER[beta], abs=6e-4)


def test_noether_two_sided_and_the_reference_program():
    assert noether_sample_size(two_sided=True) == pytest.approx(34.653, abs=5e-4)
    assert noether_sample_size(pairs=True) == pytest.approx(43.289, abs=5e-4)
    # Totals printed by the tests of R's WMWssp, which gives both groups together.
    assert 2 * noether_sample_size(0.349, beta=0.2, two_sided=True) == pytest.approx(114.74467, abs=5e-6)
    assert 2 * noether_sample_size(0.4, beta=0.1) == pytest.approx(285.46158, abs=5e-6)


@pytest.mark.parametrize(
    ("n", "fewest", "false", "power"),
    [(10, 9, 0.0107, 0.2440), (20, 15, 0.0207, 0.6172), (29, 20, 0.0307, 0.8337), (35, 24, 0.0205, 0.8579),
     (44, 29, 0.0244, 0.9374), (50, 33, 0.0164, 0.9449), (100, 61, 0.0176, 0.9993)],
)  # fmt: skip
def test_wins_that_it_takes(n, fewest, false, power):
    assert bounds(pairs(fewest, n))[0] > 0.5
    assert bounds(pairs(fewest - 1, n))[0] <= 0.5
    assert binom.sf(fewest - 1, n, 0.5) == pytest.approx(false, abs=5e-5)
    assert binom.sf(fewest - 1, n, 0.75) == pytest.approx(power, abs=5e-5)


@pytest.mark.parametrize(
    ("at_least", "at_three_quarters", "at_chance"), [(False, 0.9724, 0.0004), (True, 0.98357, 0.00089)]
)
def test_how_often_a_hundred_pairs_are_called_meaningful(at_least, at_three_quarters, at_chance):
    rule = DecisionRule(at_least=at_least)
    laws = [binomial_mean(wins, 100) for wins in range(101)]
    told = np.array([
        rule.of_bounds(law.quantile(0.025), law.quantile(0.975, upper=True)) is Decision.MEANINGFUL for law in laws
    ])  # fmt: skip
    wins = np.arange(101)
    assert binom.pmf(wins, 100, 0.75)[told].sum() == pytest.approx(at_three_quarters, abs=5e-5)
    assert binom.pmf(wins, 100, 0.5)[told].sum() == pytest.approx(at_chance, abs=5e-5)


def test_the_rule_has_one_meaning_in_both_published_forms():
    rule = DecisionRule()
    for low, high in [(0.45, 0.9), (0.5, 0.9), (0.55, 0.7), (0.55, 0.75), (0.55, 0.8)]:
        assert rule.of_half_widths(0.6, 0.6 - low, high - 0.6) is rule.of_bounds(low, high)
    assert rule.of_bounds(0.5, 0.9) is Decision.NOT_SIGNIFICANT
    assert rule.of_bounds(0.55, 0.75) is Decision.NOT_MEANINGFUL
    assert DecisionRule(at_least=True).of_bounds(0.55, 0.75) is Decision.MEANINGFUL
    assert DecisionRule(0.6).of_bounds(0.55, 0.7) is Decision.MEANINGFUL
    assert rule.of_bounds(float("nan"), float("nan")) is Decision.NOT_SIGNIFICANT


def test_a_tie_is_a_loss_unless_half_is_asked_for():
    a, b = np.array([1.0, 0.5, 0.0]), np.array([0.0, 0.5, 1.0])
    assert ProbabilityOfOutperforming().pair_values(a, b).tolist() == [1.0, 0.0, 0.0]
    half = ProbabilityOfOutperforming(ties=Ties.HALF)
    assert half.pair_values(a, b).tolist() == [1.0, 0.5, 0.0]
    assert (half.pair_values(a, b) + half.pair_values(b, a)).tolist() == [1.0, 1.0, 1.0]


def test_pairs_are_attempts_with_the_same_task_item_and_run():
    rows = [("A", "1", "s1", 3.0), ("A", "1", "s2", 1.0), ("A", "2", "s1", 2.0),
            ("B", "1", "s2", 2.0), ("B", "1", "s1", 1.0), ("B", "2", "s3", 0.0)]  # fmt: skip
    model, item, run, score = zip(*rows, strict=True)
    scores = sb.Scores({"model": model, "item": item, "run": run, "score": score})
    found = sb.compare(scores, effect=sb.ProbabilityOfOutperforming(), resample=sb.Resample("run"))
    assert found.value == 0.5  # (1, s1) won, (1, s2) lost, (2, s1) and (2, s3) meet nobody
    assert (found.value_a, found.value_b) == (2.0, 1.5)


def test_without_pairs_it_says_what_to_use():
    scores = sb.Scores({"model": ["A", "B"], "item": ["1", "2"], "run": ["1", "1"], "score": [1.0, 0.0]})
    with pytest.raises(MethodError, match="ProbabilityOfImprovement"):
        sb.compare(scores, effect=sb.ProbabilityOfOutperforming())


@pytest.mark.parametrize("gamma", [0.0, 1.0, -1.0, 75, float("nan")])
@pytest.mark.parametrize(
    "make", [ProbabilityOfOutperforming, sb.ProbabilityOfImprovement, DecisionRule, noether_sample_size]
)
def test_gamma_is_a_probability(make, gamma):
    with pytest.raises(ArgumentError, match="gamma"):
        make(gamma)


def test_rates_of_noether_are_rates():
    with pytest.raises(ArgumentError, match=r"alpha = 5"):
        noether_sample_size(alpha=5)
    with pytest.raises(ArgumentError, match="chance"):
        noether_sample_size(0.5)


def test_the_verdict_and_the_decision_are_in_words():
    runs = np.random.default_rng(0).normal(size=(50, 1))
    scores = sb.Scores.from_arrays({"A": runs + 1.2, "B": runs[::-1]}, axes=("run", "task"))
    found = sb.compare(scores, effect=sb.ProbabilityOfOutperforming(), interval=sb.Percentile())
    text = str(found)
    assert f"A beats B on {100 * found.value:.0f} % of pairs" in text.replace(".0 %", " %")
    assert "more than chance" in text
    assert found.decision == "significant and meaningful"
    assert found.decision in text
    assert "γ = 0.75" in " ".join(text.split())
    assert "What would the probability of outperforming be" in text
    assert found.null == 0.5
    assert found.p_value < 0.05
    assert found.to_dicts()[0]["decision"] == found.decision


def test_p_values_are_of_chance():
    scores = sb.Scores.from_arrays({"A": [1, 0] * 10, "B": [0, 1] * 10}, axes=("item",))
    for method in (sb.Auto(), sb.Percentile(), sb.StudentT(), sb.Wilson()):
        found = sb.compare(scores, effect=sb.ProbabilityOfOutperforming(), interval=method)
        assert found.value == 0.5
        assert found.p_value == pytest.approx(1.0, abs=1e-9)
        assert not found.significant


def test_ties_that_count_as_losses_are_told():
    scores = sb.Scores.from_arrays({"A": [1] * 30 + [0] * 10, "B": [1] * 30 + [0] * 10}, axes=("item",))
    found = sb.compare(scores, effect=sb.ProbabilityOfOutperforming())
    assert found.value == 0.0
    assert "less than half (paired" in " ".join(str(found).split())
    assert "40 of 40 pairs are ties" in " ".join(str(found).split())
    half = sb.compare(scores, effect=sb.ProbabilityOfOutperforming(ties=Ties.HALF))
    assert half.value == 0.5
    assert "ties" not in [n.code for n in half.notes]


def test_spellings_with_options():
    assert effect_named("outperforming:half") == ProbabilityOfOutperforming(ties=Ties.HALF)
    assert effect_named("outperforming:0.6") == ProbabilityOfOutperforming(gamma=0.6)
    assert effect_named("improvement:0.6") == sb.ProbabilityOfImprovement(gamma=0.6)
    wrong = {
        "relative:2": "takes no option",
        "improvement:half": "as in outperforming:0.75",
        "outperforming:75": "did you mean 0.75",
        "outperfroming": "'outperforming'",
    }
    for text, sentence in wrong.items():
        with pytest.raises(ArgumentError, match=sentence):
            effect_named(text)
