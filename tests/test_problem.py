"""The problem that interval methods see, from real samples: units, tables, variances, published figures."""

from dataclasses import replace

import numpy as np
import pytest
from tests.resample.reference import plain, sample_of, space

from scorebars.contracts import Side
from scorebars.effects import Difference
from scorebars.errors import MethodError
from scorebars.estimators import Mean, PassAtK, PassHatK
from scorebars.intervals import Auto, ClusterRobust, Kind, Percentile, StudentT
from scorebars.problem import Setting, effect_problem, score_problem, without_pairing
from scorebars.resample.strata import lonely_tasks


def fresh():
    return np.random.default_rng(0)


def one(table, *levels, estimator=None, **options):
    return score_problem(sample_of(table, **options), Setting(estimator or Mean(), levels, fresh))


def two(a, b, *levels, **options):
    sides = sample_of(a, **options), sample_of(b, "B", **options)
    return effect_problem(*sides, Difference(), Setting(Mean(), levels, fresh))


def bounds(problem, method=None, level=0.95):
    found = (method or Auto()).bounds(problem, level, Side.TWO)
    return found.low, found.high


MILLER = ([1, 1, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0, 1, 1])
CLUSTERED = [(1, 0), (1, 0), (0, 0), (1, 1), (0, 1), (0, 1), (1, 2), (1, 2), (1, 3), (0, 3)]


def clustered(pairs):
    table = {"t": {}}
    for i, (score, cluster) in enumerate(pairs):
        table["t"].setdefault(f"c{cluster}", {})[f"i{i:02d}"] = [float(score)]
    return table


def test_miller_paired_difference():
    problem = two(plain(*MILLER[0]), plain(*MILLER[1]), "item")
    found = StudentT().bounds(problem, 0.95, Side.TWO)
    assert problem.value == pytest.approx(0.125, abs=1e-15)
    assert found.standard_error == pytest.approx(0.226582, abs=5e-7)
    apart = without_pairing(problem)
    a, b = (StudentT().bounds(side, 0.95, Side.TWO).standard_error for side in apart.sides)
    assert np.hypot(a, b) == pytest.approx(0.263052, abs=5e-7)


def test_miller_clustered_standard_errors():
    problem = one(clustered(CLUSTERED), "cluster")
    errors = {k: ClusterRobust(k).bounds(problem, 0.95, Side.TWO).standard_error for k in (Kind.CR0, Kind.CR1)}
    assert problem.value == pytest.approx(0.6, abs=1e-15)
    assert errors[Kind.CR0] == pytest.approx(0.116619, abs=5e-7)
    assert errors[Kind.CR1] == pytest.approx(0.134660, abs=5e-7)


@pytest.mark.parametrize(
    ("k", "expected"),
    [(20, (1, 1)), (18, (0.75, 1)), (12, (0.4, 0.8)), (10, (0.3, 0.7)), (8, (0.2, 0.6)), (5, (0.1, 0.45)),
     (2, (0, 0.25)), (1, (0, 0.15)), (0, (0, 0))],
)  # fmt: skip
def test_percentile_of_k_in_20(k, expected):
    problem = one(plain(*([1] * k + [0] * (20 - k))), "item", range=(0.0, 1.0))
    assert bounds(problem, Percentile()) == pytest.approx(expected, abs=1e-12)
    assert problem.counts == (k, 20)


def test_all_right_on_both_sides_is_no_certainty():
    table = plain(*[1] * 50)
    problem = two(table, table, "item", range=(0.0, 1.0))
    assert problem.table_2x2 == (50, 0, 0, 0)
    assert bounds(problem) == pytest.approx((-0.0713, 0.0713), abs=5e-5)


def test_edges_of_one_score():
    unit = {"range": (0.0, 1.0)}
    assert bounds(one(plain(*[0] * 75), "item", **unit)) == pytest.approx((0.0, 0.0480), abs=5e-5)
    assert bounds(one(plain(1), "item", **unit)) == pytest.approx((0.025, 1.0), abs=1e-12)
    assert bounds(one(plain(0), "item", **unit)) == pytest.approx((0.0, 0.975), abs=1e-12)
    assert bounds(one(plain(*[0.8] * 50), "item", **unit)) == pytest.approx((0.7431, 0.8142), abs=5e-5)
    ten = clustered([(1, c) for c in range(10) for _ in range(5)])
    assert bounds(one(ten, "cluster", **unit)) == pytest.approx((0.6915, 1.0), abs=5e-5)


def test_equal_graded_differences():
    problem = two(plain(*[0.6] * 50), plain(*[0.5] * 50), "item", range=(0.0, 1.0))
    assert bounds(problem) == pytest.approx((0.0218, 0.1640), abs=5e-5)


def test_one_graded_item_without_a_range():
    found = Auto().bounds(one(plain(0.4), "item"), 0.95, Side.TWO)
    assert np.isnan([found.low, found.high]).all()
    assert [n.code for n in found.notes] == ["few-items"]


def test_runs_give_variances_and_the_weight_of_one_attempt():
    table = {"t": {"": {"1": [1.0, 0.0, 1.0], "2": [0.0, 0.0, 1.0]}}}
    problem = one(table, "run", range=(0.0, 1.0))
    variance, correction = problem.run_variance
    assert variance == pytest.approx(2 * 0.25 * (1 / 3) / 3, abs=1e-15)
    assert correction == pytest.approx(1 / 6, abs=1e-15)


def test_strata_of_one_item_are_collapsed_and_named():
    table = {f"t{i}": {"": {f"{i}": [float(x)]}} for i, x in enumerate((1, 0, 1))} | {
        "z": {"": {"a": [1.0], "b": [0.0], "c": [1.0]}}
    }
    units = one(table, "item").units
    assert lonely_tasks(one(table, "item").design) == ("t0", "t1", "t2")
    ratio = np.bincount(units.stratum, units.sums) / np.bincount(units.stratum, units.sizes)
    assert float(units.weights @ ratio) == pytest.approx(one(table, "item").value, abs=1e-15)
    assert len(units.weights) == 2


def test_a_lone_stratum_of_one_item_borrows_its_variance():
    # one task of 1 item and two of 20, all uniform: the variance of the macro mean is (1 + 1/20 + 1/20)/9 · 1/12
    errors = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        table = {
            t: {"": {f"{t}{i:02d}": [float(rng.random())] for i in range(n)}}
            for t, n in (("a", 1), ("b", 20), ("c", 20))
        }
        problem = one(table, "item", range=(0.0, 1.0))
        found = Auto().bounds(problem, 0.95, Side.TWO)
        assert lonely_tasks(problem.design) == ("a",)
        errors.append((StudentT().bounds(problem, 0.95, Side.TWO).standard_error, found.low <= 0.5 <= found.high))
    mean_error, covered = np.mean(errors, axis=0)
    assert mean_error >= 0.95 * np.sqrt(1.1 / 9 / 12)
    assert covered >= 0.90  # 200 sets: six standard errors below .97


def test_unequal_clusters_are_a_ratio_equal_to_every_resample():
    problem = one(clustered([(1, 0), (0, 0), (1, 1), (1, 2), (0, 2), (1, 2)]), "cluster")
    sums, sizes = problem.units.sums, problem.units.sizes
    picks = np.stack(np.meshgrid(*[np.arange(3)] * 3), axis=-1).reshape(-1, 3)
    every = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    found = problem.distribution()
    for x in np.unique(every):
        assert found.cdf(x + 1e-9) == pytest.approx(np.mean(every <= x + 1e-9), abs=1e-9)


def test_bias_of_pass_estimators_under_redrawn_runs():
    table = {"t": {"": {"1": [1.0, 0.0, 0.0], "2": [1.0, 1.0, 0.0], "3": [0.0] * 3}}}
    assert one(table, "run", estimator=PassHatK(3)).redrawing_bias > 0
    assert one(table, "run", estimator=PassAtK(3)).redrawing_bias < 0
    assert one(table, "item", estimator=PassHatK(3)).redrawing_bias == 0.0
    assert Auto().refuses(one(table, "run", estimator=PassHatK(3))) is not None


def test_nothing_redrawn_has_no_distribution():
    with pytest.raises(MethodError, match="nothing is redrawn"):
        one(plain(1, 0)).distribution()


def test_a_minus_b_mirrors_b_minus_a():
    rng = np.random.default_rng(4)
    a, b = ({"t": {"": {f"{i:02d}": list(rng.random(3).round(2)) for i in range(40)}}} for _ in range(2))
    for levels in (("item",), ("run",), ("item", "run")):
        low, high = bounds(two(a, b, *levels), Percentile())
        assert low < high
        assert bounds(two(b, a, *levels), Percentile()) == pytest.approx((-high, -low), abs=1e-12)


def test_variance_split_of_wang():
    rows = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0]]
    table = {"t": {"": {str(i): [float(x) for x in row] for i, row in enumerate(rows)}}}
    items, runs = one(table, "item").variance_split
    assert items * 4 == pytest.approx(0.083333, abs=5e-7)
    assert runs * 4 * 3 == pytest.approx(0.166667, abs=5e-7)
    assert (items * 4) + (runs * 4 * 3) == pytest.approx(0.25, abs=1e-12)
    assert one(plain(1, 0, 1), "item").variance_split is None


def test_variance_split_adds_up_to_the_variance_over_items():
    rng = np.random.default_rng(2)
    table = {"t": {"": {f"{i:03d}": list(rng.random(3)) for i in range(50)}}}
    problem = one(table, "item")
    values = problem.design.blocks[0].values
    assert sum(problem.variance_split) == pytest.approx(np.var(values) / 50, rel=1e-12)


def ratio_tables():
    a = {"x": {"1": [1.0], "2": [0.0]}, "y": {"3": [1.0]}, "z": {"4": [0.0], "5": [0.5], "6": [1.0]}}
    b = {"x": {"7": [0.0]}, "y": {"8": [1.0], "9": [0.25]}}
    return {"a": a, "b": b}


def test_macro_means_of_unequal_clusters_equal_every_resample():
    values, probs = space(ratio_tables(), ("cluster",))
    found = one(ratio_tables(), "cluster").distribution()
    assert found.how.value == "computed"
    assert [found.cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)


def test_unrelated_unequal_clusters_equal_every_resample():
    a, b = {"t": ratio_tables()["a"]}, {"t": {"v": {"k": [0.3]}, "w": {"l": [0.9], "m": [0.4]}}}
    values_a, probs_a = space(a, ("cluster",))
    values_b, probs_b = space(b, ("cluster",))
    difference, probs = (values_a[:, None] - values_b).ravel(), (probs_a[:, None] * probs_b).ravel()
    other = sample_of(b, "B")
    apart = replace(other, item=other.item + 100)
    found = effect_problem(sample_of(a), apart, Difference(), Setting(Mean(), ("cluster",), fresh)).distribution()
    for x in np.unique(difference.round(12)):
        assert found.cdf(x + 1e-9) == pytest.approx(probs[difference <= x + 1e-9].sum(), abs=1e-9)


def test_sides_of_paired_runs_are_the_samples_themselves():
    a = {"t": {"": {"1": [1.0, 0.0, 0.5], "2": [0.2, 0.3, 0.6]}}}
    b = {"t": {"": {"1": [0.0, 0.0, 0.5], "2": [0.1, 0.3, 0.7]}}}
    sides = sample_of(a), sample_of(b, "B")
    problem = effect_problem(*sides, Difference(), Setting(Mean(), ("run",), fresh, paired_runs=True))
    assert [side.value for side in problem.sides] == pytest.approx([2.6 / 6, 1.6 / 6], abs=1e-15)
    assert problem.value == pytest.approx(1 / 6, abs=1e-15)


def test_large_offsets_are_no_equality():
    problem = one(plain(*(1e9 + np.arange(200) % 2)), "item")
    found = StudentT().bounds(problem, 0.95, Side.TWO)
    assert found.standard_error == pytest.approx(0.5 * np.sqrt(200 / 199) / np.sqrt(200), rel=1e-6)
    assert found.low < problem.value < found.high
    assert problem.value == pytest.approx(1e9 + 0.5, abs=1e-6)


def test_equal_scores_have_no_error_at_all():
    problem = one(plain(*[0.8] * 50), "item", range=(0.0, 1.0))
    assert problem.value == 0.8
    assert StudentT().bounds(problem, 0.95, Side.TWO).standard_error == 0.0


def test_one_item_tasks_are_redrawn_among_themselves():
    tens = {f"t{i}": {"": {f"{i}": [float(i % 2)]}} for i in range(4)}
    found = one(tens, "item").distribution()
    values, probs = space(plain(0, 1, 0, 1), ("item",))
    assert [found.cdf(x + 1e-9) for x in values] == pytest.approx(np.cumsum(probs), abs=1e-9)
    problem = one(tens | {"z": {"": {"a": [1.0], "b": [0.0], "c": [1.0]}}}, "item")
    assert problem.distribution().std == pytest.approx(
        np.sqrt((4 / 5) ** 2 * 0.25 / 4 + (1 / 5) ** 2 * (2 / 9) / 3), rel=1e-9
    )
    drawn = problem.distribution(20_000)
    assert drawn.std == pytest.approx(problem.distribution().std, rel=0.03)  # six standard errors of an SD
    assert drawn.mean == pytest.approx(problem.value, abs=0.02)


def test_one_cluster_tasks_keep_their_part_of_the_mean():
    table = {
        "a": {"x": {"1": [1.0], "2": [0.0]}},
        "b": {"y": {"3": [1.0]}},
        "c": {"v": {"4": [0.5]}, "w": {"5": [0.0]}},
    }
    problem = one(table, "cluster")
    assert problem.value == pytest.approx((0.5 + 1.0 + 0.25) / 3)
    assert problem.distribution().mean == pytest.approx(problem.value, abs=1e-12)
    assert problem.strata.value == pytest.approx(problem.value, abs=1e-15)


def test_fewer_clusters_of_unequal_size_equal_every_resample():
    problem = one(clustered([(1, 0), (0, 0), (1, 1), (1, 2), (0, 2), (1, 2), (0, 3)]), "cluster")
    sums, sizes = problem.units.sums, problem.units.sizes
    for m, found in ((3, problem.distribution(fewer=True)), (2, problem.distribution(draws=2))):
        picks = np.stack(np.meshgrid(*[np.arange(4)] * m), axis=-1).reshape(-1, m)
        every = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
        assert found.how.value == "computed"
        for x in np.unique(every):
            assert found.cdf(x + 1e-9) == pytest.approx(np.mean(every <= x + 1e-9), abs=1e-9)
