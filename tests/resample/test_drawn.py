"""Flat resamples: the same distribution as the computed one, and leaving units out by hand."""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.resample.reference import plain, sample_of, space
from tests.resample.test_rule import CASES, TABLES, rule

from scorebars.effects import Difference
from scorebars.errors import MethodError
from scorebars.estimators import Mean
from scorebars.problem import Setting, effect_problem, score_problem
from scorebars.resample.design import Rule, one_sample
from scorebars.resample.drawn import drawn_blocks, left_out, observed


@dataclass(frozen=True)
class Largest:
    """The largest score of a resample: no mean of anything."""

    name = "largest"
    columns = ("score",)

    def check(self, sample, item_name):
        pass

    def prepare(self, sample):
        return sample

    def value_range(self, score_range):
        return score_range

    def statistic(self, drawn):
        first = np.searchsorted(drawn.owner, np.arange(drawn.n))
        return np.maximum.reduceat(drawn.score, first)


def fresh():
    return np.random.default_rng(1)


@pytest.mark.parametrize(("name", "levels"), CASES)
def test_task_means_of_flat_resamples_follow_the_one_rule(name, levels):
    # Dvoretzky-Kiefer-Wolfowitz as in test_rule: a false alarm in one of 400 seeds over all cases.
    values, probs = space(TABLES[name], levels)
    design = one_sample(sample_of(TABLES[name]), rule(levels))
    drawn = np.concatenate([side.task_means().mean(axis=1) for [side] in drawn_blocks(design, 20_000, fresh())])
    empirical = np.searchsorted(np.sort(drawn), values + 1e-9, side="right") / len(drawn)
    assert np.max(np.abs(empirical - np.cumsum(probs))) < 0.0165


def test_observed_is_the_data():
    [drawn] = observed(one_sample(sample_of(TABLES["tasks and runs"]), rule(("task",))))
    assert drawn.score.tolist() == [1.0, 0.0, 0.3, 0.6, 0.1, 0.9]
    assert drawn.task_means() == pytest.approx(np.array([[0.475, 0.5]]))


def left(table, levels):
    """The scores that are kept, one list a unit left out."""
    design = one_sample(sample_of(table), rule(levels))
    return [side.score[side.owner == k].tolist() for _, [side] in left_out(design) for k in range(side.n)]


def test_leaving_one_unit_out():
    table = {"a": {"": {"1": [1.0, 0.0], "2": [0.3, 0.9]}}}
    assert left(table, ("item",)) == [[0.3, 0.9], [1.0, 0.0]]
    assert left(table, ("run",)) == [[0.0, 0.3, 0.9], [1.0, 0.3, 0.9], [1.0, 0.0, 0.9], [1.0, 0.0, 0.3]]
    clustered = {"a": {"x": {"1": [1.0], "2": [0.5]}, "y": {"3": [0.2]}}}
    assert left(clustered, ("cluster",)) == [[0.2], [1.0, 0.5]]
    assert left({"a": table["a"], "b": {"": {"3": [0.7]}}}, ("task",)) == [[0.7], [1.0, 0.0, 0.3, 0.9]]
    assert left({"b": {"": {"3": [0.7]}}}, ("item",)) == []  # alone in its stratum


def test_jackknife_of_a_mean_is_the_same_both_ways():
    table = {"a": {"": {"1": [1.0], "2": [0.3], "3": [0.5]}}, "b": {"": {"4": [0.2], "5": [0.9]}}}
    problem = score_problem(sample_of(table), Setting(Mean(), ("item",), fresh))
    closed, _ = problem.jackknife()
    flat = np.concatenate([side.task_means().mean(axis=1) for _, [side] in left_out(problem.design)])
    assert closed == pytest.approx(flat, abs=1e-15)


def test_a_statistic_has_a_drawn_distribution():
    problem = score_problem(sample_of(plain(1, 2, 3)), Setting(Largest(), ("item",), fresh))
    found = problem.distribution(20_000)
    assert problem.value == 3.0
    assert found.how.value == "monte-carlo"
    # P(max = 3) = 1 − (2/3)³ = .7037; 20,000 draws have an SD of .0032, five of them are .016
    assert found.cdf(2.0) == pytest.approx((2 / 3) ** 3, abs=0.016)
    values, strata = problem.jackknife()
    assert sorted(values.tolist()) == [2.0, 3.0, 3.0]
    assert strata.tolist() == [0, 0, 0]


def test_differences_of_statistics_draw_shared_items_once():
    a, b = sample_of(plain(1, 2, 3)), sample_of(plain(0, 1, 2), "B")
    problem = effect_problem(a, b, Difference(), Setting(Largest(), ("item",), fresh))
    assert problem.value == 1.0
    assert problem.distribution(500).std == 0.0  # B is A − 1, item by item
    assert problem.sides[0].value == 3.0


def test_a_statistic_that_some_resample_lacks_is_refused():
    class Fragile(Largest):
        def statistic(self, drawn):
            found = super().statistic(drawn)
            return np.where(found < 3, np.nan, found)

    problem = score_problem(sample_of(plain(1, 2, 3)), Setting(Fragile(), ("item",), fresh))
    with pytest.raises(MethodError, match=r"largest is nan in resample \d+ of 100"):
        problem.distribution(100)


def test_paired_runs_of_a_statistic_are_drawn_once():
    a = sample_of({"t": {"": {"1": [1.0, 2.0, 3.0]}}})
    b = sample_of({"t": {"": {"1": [0.0, 1.0, 2.0]}}}, "B")
    told = Setting(Largest(), ("run",), fresh, paired_runs=True)
    assert effect_problem(a, b, Difference(), told).distribution(500).std == 0.0
    strangers = Setting(Largest(), ("run",), fresh)
    assert effect_problem(a, b, Difference(), strangers).distribution(500).std > 0.0


def test_blocks_of_flat_resamples_are_consecutive(monkeypatch):
    design = one_sample(sample_of(plain(1, 2, 3)), Rule(("item",), Mean().item_values, linear=True))
    whole = np.concatenate([side.score for [side] in drawn_blocks(design, 300, fresh())])
    monkeypatch.setattr("scorebars.resample.draws.BLOCK", 32)
    assert np.array_equal(np.concatenate([side.score for [side] in drawn_blocks(design, 300, fresh())]), whole)
