"""Children drawn in a rectangle are those drawn one by one, from the same stream, added in the same order."""

import numpy as np
import pytest

import scorebars as sb
from scorebars.resample.children import ALL, FEW, TOGETHER, Children, Take


def children(count, *, shuffled):
    count = np.asarray(count)
    start = np.cumsum(count) - count
    n = int(count.sum())
    return Children(np.random.default_rng(3).permutation(n) if shuffled else None, start, count)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("take", [ALL, Take(fewer=True), Take(m=2)])
@pytest.mark.parametrize("count", [[3] * 7, [1] * 5, [FEW + 2] * 3, [4], [1, 2, 3, 1]])
def test_sums_of_drawn_children(count, take, shuffled):
    family = children(count, shuffled=shuffled)
    values = np.random.default_rng(1).lognormal(size=int(np.sum(count)))
    parents = np.random.default_rng(2).integers(0, len(count), 2 * TOGETHER + 11)
    one, other = np.random.default_rng(5), np.random.default_rng(5)
    drawn, slot = family.draw(parents, one, take)
    expected = np.zeros(len(parents))
    np.add.at(expected, slot, values[drawn])
    assert family.drawn_sums(values, parents, other, take).tobytes() == expected.tobytes()
    assert one.integers(1 << 40) == other.integers(1 << 40)


@pytest.mark.parametrize("count", [[3] * 7, [1] * 5, [1, 2, 3, 1]])
def test_children_of_slots(count):
    family = children(count, shuffled=True)
    parents = np.array([0, len(count) - 1, 0, 1])
    found, slot = family.all(parents)
    expected = [(family.order[family.start[p] + k], s) for s, p in enumerate(parents) for k in range(count[p])]
    assert list(zip(found, slot, strict=True)) == expected


def test_a_drawn_child_is_the_one_that_integers_names():
    family = children([4] * 6, shuffled=True)
    parents = np.array([5, 0, 3])
    found, slot = family.draw(parents, np.random.default_rng(9))
    within = np.random.default_rng(9).integers(0, 4, size=12)
    assert slot.tolist() == np.repeat(np.arange(3), 4).tolist()
    assert found.tolist() == family.order[np.repeat(4 * parents, 4) + within].tolist()


def test_redrawn_tasks_are_one_call_of_integers():
    x = np.random.default_rng(0).random((7, 5, 2))
    scores = sb.Scores.from_arrays({"A": x}, axes=("task", "item", "run"))
    way = {"resample": sb.Resample("task"), "interval": sb.Percentile(n_boot=500)}
    found = sb.estimate(scores, rng=4, **way)[0].answer
    means = x.mean(axis=(1, 2))[np.random.default_rng(4).integers(0, 7, size=(500, 7))].mean(axis=1)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), rel=1e-12)


def test_a_function_is_given_one_resample_after_the_other():
    x = np.random.default_rng(0).random(20)
    scores = sb.Scores.from_arrays({"A": x}, axes=("item",))
    seen = []

    def spread(values):
        seen.append(values.copy())
        return np.ptp(values)

    sb.estimate(scores, estimator=sb.Custom(spread), interval=sb.Percentile(n_boot=30), rng=2)
    drawn = x[np.random.default_rng(2).integers(0, 20, size=(30, 20))]
    assert any(np.array_equal(seen[k : k + 30], drawn) for k in range(len(seen) - 29))
