"""The algebra of laws, its transforms and tails, against direct sums and lists of outcomes."""

import numpy as np
import pytest

from scorebars.distribution import Discrete, compute
from scorebars.errors import ArgumentError
from scorebars.kernels import compositions, fourier, grid, lattice
from scorebars.kernels.law import (
    Atoms,
    Mixture,
    Total,
    atoms,
    leaves,
    mean,
    negated,
    point,
    redrawn,
    simplify,
    size,
    support,
    variance,
)
from scorebars.kernels.transform import log_transform, reach, transform

POOLS = [[0, 1], [0, 0.5, 1], [0, 1 / 3, 2 / 3, 1], [0.1, 0.7, 0.25], [-1, 0, 1], [0, 1, 0.3333], [0.2236, 0.7071, 0.1]]


def random_leaf(rng):
    pool = np.array(POOLS[rng.integers(len(POOLS))], dtype=float)
    k = rng.integers(1, len(pool) + 1)
    return atoms(rng.choice(pool, k, replace=False) * rng.choice([1, 0.5, 1 / 3, 1 / 7]), rng.integers(1, 5, k))


def random_tree(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return random_leaf(rng)
    if kind < 0.65:
        return Total(tuple((random_tree(rng, depth - 1), int(rng.integers(1, 4))) for _ in range(rng.integers(1, 4))))
    weights = rng.random(rng.integers(1, 4))
    return Mixture(tuple(random_tree(rng, depth - 1) for _ in weights), weights / weights.sum())


def random_trees(seed, how_many):
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < how_many:
        law = random_tree(rng, 3)
        if compositions.outcomes(law) <= 5_000:
            found.append(law)
    return found


def as_list(law):
    listed = compositions.solve(law)
    return compositions.merged(listed.values, listed.probs)


@pytest.mark.parametrize("seed", range(40))
def test_any_tree_equals_its_list(seed):
    for law in random_trees(seed, 3):
        truth = as_list(law)
        assert mean(law) == pytest.approx(float(truth.values @ truth.probs), abs=1e-12)
        assert variance(law) == pytest.approx(float((truth.values - mean(law)) ** 2 @ truth.probs), abs=1e-12)
        assert support(law) == pytest.approx((truth.values[0], truth.values[-1]), abs=1e-12)
        found = compute(law)
        listed = Discrete(truth, "list", support(law), mean(law), found.std)
        for p in (0.0251, 0.31, 0.777):
            assert found.quantile(p) == pytest.approx(listed.quantile(p), abs=found.error + 1e-11)
            assert found.quantile(p, upper=True) == pytest.approx(listed.quantile(p, upper=True), abs=1e-11)


@pytest.mark.parametrize("seed", range(10))
def test_simplifying_and_negating_keep_the_law(seed):
    t = np.linspace(-9.0, 9.0, 41)
    for law in random_trees(100 + seed, 2):
        truth = as_list(law)
        expected = np.exp(1j * np.multiply.outer(t, truth.values)) @ truth.probs
        np.testing.assert_allclose(transform(law, t), expected, atol=1e-12)
        for same in (simplify(law), compositions.melt(simplify(law))):
            np.testing.assert_allclose(transform(same, t), expected, atol=1e-12)
        np.testing.assert_allclose(transform(negated(law), t), np.conj(expected), atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_no_more_than_the_tail_lies_outside_the_reach(seed):
    for law in random_trees(200 + seed, 3):
        truth = as_list(law)
        for tail in (1e-2, 1e-6):
            down, up = reach(law, tail)
            assert truth.probs[truth.values < mean(law) - down - 1e-9].sum() <= tail
            assert truth.probs[truth.values > mean(law) + up + 1e-9].sum() <= tail


def test_simple_forms():
    one = atoms([0.0, 1.0])
    merged = simplify(Total(((one, 2), (Total(((one, 3), (point(0.5), 2))), 1), (point(-1.0), 1))))
    assert isinstance(merged, Total)
    assert merged.terms[0][1] == 5
    assert len(merged.terms) == 1
    assert isinstance(simplify(Mixture((point(1.0), one), np.array([0.5, 0.5]))), Atoms)
    assert simplify(Total(((one, 1),))) is one
    assert support(simplify(Total(((one, 1), (point(2.0), 3))))) == (6.0, 7.0)
    assert size(redrawn([1, 2, 2, 5])) == 3
    assert len(leaves(merged)) == 1
    with pytest.raises(ArgumentError, match="as many as its values"):
        atoms([1.0, 2.0], [1.0])


def test_tiny_transforms_keep_their_digits():
    n = 2_000_000
    law = Total(((atoms([0.0, 1.0], [n - 3, 3]), n),))
    t = np.array([1e-4, 0.01, 1.0])
    # Poisson's limit with its first correction: n log(1 + z) = nz − nz²/2, z = p (e^{it} − 1), less the mean.
    z = 3 / n * np.expm1(1j * t)
    expected = n * (z - z * z / 2) - 3j * t
    np.testing.assert_allclose(log_transform(law, t).real, expected.real, rtol=1e-9)


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([0, 0.25, 1], 0.25),
        ([0.1, 0.7, 0.25], 0.15),
        ([1 / 3, 1 / 4, 0], 1 / 12),
        ([0, 1, 0.3333], 0.0001),
        ([1e9, 1e9 + 2, 1e9 + 5], 1.0),
        (np.round(np.random.default_rng(0).random(500), 4), 0.0001),
        ([0, 1, 0.333321345671], None),
        (np.random.default_rng(0).random(6), None),
    ],
)
def test_lattices_are_found(values, step):
    found = lattice.find(Total(((atoms(values), 3),)))
    if step is None:
        assert found is None
    else:
        assert found.step == pytest.approx(step, rel=1e-6)


def test_every_step_gives_the_same_answer():
    rng = np.random.default_rng(12)
    grades = np.round(rng.random(60), 2)
    law = redrawn(grades)
    exact = lattice.solve(law, lattice.find(law))
    series = fourier.solve(law, look=False)
    cells, error = grid.solve(law)
    sums, cell_sums = np.cumsum(exact.probs), np.cumsum(cells.probs)
    for p in (0.025, 0.5, 0.9):
        x = exact.values[np.searchsorted(sums, p)]
        assert series.quantile(p) == pytest.approx(x, abs=0.01 / 60)
        assert cells.values[np.searchsorted(cell_sums, p)] == pytest.approx(x, abs=error)
    three = Total(((atoms([0.0, 0.3, 1.0], [5, 2, 3]), 40),))
    listed, folded = compositions.solve(three), lattice.solve(three, lattice.find(three))
    keep = folded.probs > 1e-15
    held = listed.probs > 1e-15
    np.testing.assert_allclose(listed.values[held], folded.values[keep], atol=1e-12)
    np.testing.assert_allclose(listed.probs[held], folded.probs[keep], atol=1e-14)
