"""The one rule, computed and drawn, against every resample of tiny tables."""

import dataclasses
from itertools import combinations

import numpy as np
import pytest
from tests.resample.reference import plain, sample_of, space

from scorebars.distribution import compute
from scorebars.estimators import Mean, PassAtK, PassHatK
from scorebars.resample.children import Take
from scorebars.resample.design import Rule, one_sample, shared_attempts, two_samples
from scorebars.resample.draws import replicates
from scorebars.resample.laws import law_of

TABLES = {
    "plain": plain(1, 0, 0.25, 0.7),
    "two tasks": {"a": {"": {"1": [1.0], "2": [0.0], "3": [0.5]}}, "b": {"": {"4": [0.2], "5": [0.9]}}},
    "runs": {"a": {"": {"1": [1.0, 0.0, 0.5], "2": [0.0, 0.25]}}},
    "tasks and runs": {"a": {"": {"1": [1.0, 0.0], "2": [0.3, 0.6]}}, "b": {"": {"3": [0.1, 0.9]}}},
    "equal clusters": {"a": {"x": {"1": [1.0], "2": [0.0]}, "y": {"3": [0.5], "4": [0.3]}}},
    "clusters with runs": {"a": {"x": {"1": [1.0, 0.2]}, "y": {"2": [0.5, 0.3]}, "z": {"3": [0.0, 0.4]}}},
}
LEVELS = [c for n in (1, 2, 3, 4) for c in combinations(("task", "cluster", "item", "run"), n)]


def rule(levels, estimator=None):
    chosen = estimator or Mean()
    return Rule(levels, chosen.item_values, chosen.linear_in_runs)


def possible(table, levels):
    return "cluster" not in levels or len({c for clusters in table.values() for c in clusters}) > 1


CASES = [(name, levels) for name, table in TABLES.items() for levels in LEVELS if possible(table, levels)]


@pytest.mark.parametrize(("name", "levels"), CASES)
def test_computed_law_equals_every_resample(name, levels):
    values, probs = space(TABLES[name], levels)
    found = compute(law_of(one_sample(sample_of(TABLES[name]), rule(levels))))
    expected = np.cumsum(probs)
    grid = 1e-9 * max(1.0, float(np.ptp(values)))
    assert [found.cdf(x + grid) for x in values] == pytest.approx(expected, abs=1e-9)
    assert found.mean == pytest.approx(float(values @ probs), abs=1e-12)
    assert found.std == pytest.approx(float(np.sqrt(probs @ (values - values @ probs) ** 2)), abs=1e-9)


@pytest.mark.parametrize(("name", "levels"), CASES)
def test_drawn_replicates_follow_the_same_distribution(name, levels):
    # Dvoretzky-Kiefer-Wolfowitz with n = 20,000: sup |F̂ − F| > .0165 has probability below 2·exp(−2·n·.0165²) = 4e-5
    # a case; about 60 cases: a false alarm in one of 400 seeds, and the seed is fixed.
    values, probs = space(TABLES[name], levels)
    drawn = replicates(one_sample(sample_of(TABLES[name]), rule(levels)), 20_000, np.random.default_rng(5))
    empirical = np.searchsorted(np.sort(drawn), values + 1e-9, side="right") / len(drawn)
    assert np.max(np.abs(empirical - np.cumsum(probs))) < 0.0165


@pytest.mark.parametrize("estimator", [PassAtK(2), PassHatK(2)], ids=lambda e: e.name)
@pytest.mark.parametrize("levels", [("item",), ("run",), ("item", "run"), ("task",), ("task", "run")])
def test_pass_estimators_with_redrawn_runs(estimator, levels):
    table = {"a": {"": {"1": [1.0, 0.0, 0.0], "2": [1.0, 1.0]}}, "b": {"": {"3": [0.0, 0.0, 1.0]}}}

    def item_value(runs):
        return float(estimator.item_values(np.array([sum(runs)]), np.array([len(runs)]))[0])

    values, probs = space(table, levels, item_value)
    design = one_sample(sample_of(table), rule(levels, estimator))
    found = compute(law_of(design))
    assert [found.cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)
    drawn = replicates(design, 20_000, np.random.default_rng(6))
    empirical = np.searchsorted(np.sort(drawn), values + 1e-9, side="right") / len(drawn)
    assert np.max(np.abs(empirical - np.cumsum(probs))) < 0.0165


def test_the_documented_stream_of_one_task():
    scores = np.array([0.3, 0.1, 0.9, 0.5, 0.2])
    drawn = replicates(one_sample(sample_of(plain(*scores)), rule(("item",))), 7_000, np.random.default_rng(3))
    by_hand = scores[np.random.default_rng(3).integers(0, 5, size=(7_000, 5))].mean(axis=1)
    assert drawn == pytest.approx(by_hand, abs=1e-15)


def test_blocks_do_not_change_the_stream(monkeypatch):
    design = one_sample(sample_of(TABLES["two tasks"]), rule(("item",)))
    whole = replicates(design, 500, np.random.default_rng(1))
    monkeypatch.setattr("scorebars.resample.draws.BLOCK", 64)
    assert np.array_equal(replicates(design, 500, np.random.default_rng(1)), whole)


def test_paired_differences_draw_shared_items_once():
    a, b = plain(1, 0, 0.25, 0.7), plain(0.5, 0, 1, 0.1)
    design, paired = two_samples(sample_of(a), sample_of(b, model="B"), rule(("item",)))
    values, probs = space(plain(0.5, 0, -0.75, 0.6), ("item",))
    assert paired
    assert [compute(law_of(design)).cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)


def test_runs_of_two_models_are_strangers_until_told_otherwise():
    a = {"t": {"": {"1": [1.0, 0.0], "2": [0.5, 0.0]}}}
    b = {"t": {"": {"1": [1.0, 0.5], "2": [0.0, 0.25]}}}
    values_a, probs_a = space(a, ("run",))
    values_b, probs_b = space(b, ("run",))
    difference = (values_a[:, None] - values_b).ravel()
    probs = (probs_a[:, None] * probs_b).ravel()
    design, _ = two_samples(sample_of(a), sample_of(b, model="B"), rule(("run",)))
    found = compute(law_of(design))
    for x in np.unique(difference.round(12)):
        assert found.cdf(x + 1e-9) == pytest.approx(probs[difference <= x + 1e-9].sum(), abs=1e-9)
    told = Rule(("run",), Mean().item_values, linear=True, paired_runs=True)
    design, _ = two_samples(*shared_attempts(sample_of(a), sample_of(b, model="B")), told)
    run_by_run = {"t": {"": {"1": [0.0, -0.5], "2": [0.5, -0.25]}}}
    values, probs = space(run_by_run, ("run",))
    assert [compute(law_of(design)).cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)


def test_paired_runs_keep_only_attempts_that_both_sides_have():
    a = {"t": {"": {"1": [1.0, 0.0, 1.0], "2": [0.5, 0.0]}}}
    b = {"t": {"": {"1": [1.0, 0.5], "2": [0.0, 0.25]}}}
    told = Rule(("run",), Mean().item_values, linear=True, paired_runs=True)
    design, paired = two_samples(*shared_attempts(sample_of(a), sample_of(b, model="B")), told)
    assert paired
    assert design.value == pytest.approx((-0.25 + 0.125) / 2)


def test_unrelated_samples_add_their_variances():
    a, b = plain(1, 0, 0.25), {"t": {"": {"j1": [0.3], "j2": [0.8]}}}
    shifted = sample_of(b, model="B")
    other = dataclasses.replace(shifted, item=shifted.item + 100)
    design, paired = two_samples(sample_of(a), other, rule(("item",)))
    values_a, probs_a = space(a, ("item",))
    values_b, probs_b = space(b, ("item",))
    difference, probs = (values_a[:, None] - values_b).ravel(), (probs_a[:, None] * probs_b).ravel()
    found = compute(law_of(design))
    assert not paired
    for x in np.unique(difference.round(12)):
        assert found.cdf(x + 1e-9) == pytest.approx(probs[difference <= x + 1e-9].sum(), abs=1e-9)


def test_fewer_draws_give_the_variance_with_divisor_n_minus_1():
    scores = [1.0, 0.0, 0.25, 0.7]
    design = one_sample(sample_of(plain(*scores)), rule(("item",)))
    expected = np.std(scores, ddof=1) / 2
    assert compute(law_of(design, Take(fewer=True))).std == pytest.approx(expected, rel=1e-9)
    drawn = replicates(design, 40_000, np.random.default_rng(0), Take(fewer=True))
    assert np.std(drawn) == pytest.approx(expected, rel=0.03)  # the SD of an SD from 40,000 draws is below .4 %


def test_whole_runs_are_redrawn_where_they_cross_items():
    table = {"t": {"": {"1": [1.0, 0.0, 0.5], "2": [1.0, 0.25, 0.0]}}}
    design = one_sample(sample_of(table, run_crosses_items=True), rule(("run",)))
    values, probs = space(plain(1.0, 0.125, 0.25), ("item",))
    found = compute(law_of(design))
    assert [found.cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)
    drawn = replicates(design, 20_000, np.random.default_rng(2))
    empirical = np.searchsorted(np.sort(drawn), values + 1e-9, side="right") / len(drawn)
    assert np.max(np.abs(empirical - np.cumsum(probs))) < 0.0165


def test_clusters_that_cross_tasks_are_drawn_once_with_all_their_rows():
    # two languages, three questions each in both: macro mean of the two, the question is the cluster
    table = {
        lang: {q: {f"{q}": [x]} for q, x in zip("pqr", row, strict=True)}
        for lang, row in {"de": (1.0, 0.0, 0.5), "en": (0.8, 0.1, 0.0)}.items()
    }
    design = one_sample(sample_of(table, cluster_crosses_tasks=True), rule(("cluster",)))
    assert law_of(design) is None
    values, probs = space(plain(0.9, 0.05, 0.25), ("item",))
    drawn = replicates(design, 20_000, np.random.default_rng(2))
    empirical = np.searchsorted(np.sort(drawn), values + 1e-9, side="right") / len(drawn)
    assert np.max(np.abs(empirical - np.cumsum(probs))) < 0.0165
