"""Distributions that are worked out together are what each is by itself."""

import tracemalloc

import numpy as np
import pytest
from scipy import integrate

import scorebars as sb
from scorebars.distribution import compute
from scorebars.distribution.many import ARRAYS, BYTES, MOST_VALUES, compute_many, together
from scorebars.kernels import fourier_rows
from scorebars.kernels.law import redrawn

RNG = np.random.default_rng(5)
LEVELS = (0.001, 0.025, 0.5, 0.975, 0.999)


def beta(n, rows=7):
    return list(np.clip(RNG.beta(2, 1.5, (rows, n)) + 0.1 * RNG.standard_normal((rows, n)), 0, 1))


def differences(n, rows=7):
    x = beta(n, rows + 1)
    return [x[0] - each for each in x[1:]]


def skewed(n):
    """Mostly small, a few hundred times as large: the tails need Chernoff's bound, the transform sines."""
    return list(RNG.lognormal(0, 1.5, (5, n)))


def nearly_binary(n):
    """0 and 1, with a few that are neither: the transform comes back after it has died out."""
    rows = (RNG.random((5, n)) < 0.6) * 1.0
    for row, third in enumerate((1 / 3, 0.3333, 0.33, 0.123456789, np.float32(1 / 3))):
        rows[row, : 3 * (row + 1)] = third
    return list(rows)


KINDS = {
    "any": differences,
    "one score": beta,
    "tenths": lambda n: [np.round(x * 10) / 10 for x in beta(n)],
    "tenths, differences": lambda n: [
        np.round(x * 10) / 10 - np.round(y * 10) / 10 for x, y in zip(beta(n), beta(n), strict=True)
    ],
    "hundredths": lambda n: [np.round(x, 2) for x in differences(n)],
    "thirds in 32 bits": lambda n: [(np.round(x * 3) / 3).astype(np.float32).astype(float) for x in beta(n)],
    "skewed": skewed,
    "nearly 0/1": nearly_binary,
    "large": lambda n: [1e9 + 100 * x for x in beta(n)],
    "few that differ": lambda n: [np.where(np.arange(n) < 5 + 4 * k, x, 0.0) for k, x in enumerate(differences(n))],
    "0, 1 and −1": lambda n: list(RNG.integers(-1, 2, (6, n)).astype(float)),
    "0/1": lambda n: list((RNG.random((4, n)) < 0.9) * 1.0),
    "equal": lambda n: [np.full(n, 0.3), np.zeros(n), np.ones(n)],
    "mixed": lambda n: [differences(n)[0], np.round(beta(n)[0] * 5) / 5, np.ones(n), np.arange(n) % 2 * 1.0],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [15, 60, 400])
def test_together_is_as_alone(kind, n):
    rows = KINDS[kind](n)
    for values, law in zip(rows, compute_many(rows, n), strict=True):
        if law is None:
            continue
        alone = compute(redrawn(values))
        assert (law.step, law.how, law.n_boot) == (alone.step, alone.how, alone.n_boot)
        near = 1e-9 * alone.std
        assert (law.mean, law.std, law.error) == pytest.approx((alone.mean, alone.std, alone.error), rel=1e-9, abs=near)
        for p in LEVELS:
            for upper in (False, True):
                assert law.quantile(p, upper=upper) == pytest.approx(alone.quantile(p, upper=upper), rel=0, abs=near)
        for x in (alone.quantile(0.1), alone.mean, 0.0):
            tail = (law.below(x), law.cdf(x))
            assert tail == pytest.approx((alone.below(x), alone.cdf(x)), rel=0, abs=1e-9)


@pytest.mark.parametrize("kind", ["any", "one score", "tenths, differences", "hundredths", "0, 1 and −1"])
def test_the_usual_kinds_are_all_solved_together(kind):
    assert all(law is not None for law in compute_many(KINDS[kind](400), 400))


@pytest.mark.parametrize("kind", ["any", "skewed", "tenths, differences"])
def test_the_other_way_round_is_the_mirror_image(kind):
    rows = KINDS[kind](60)
    ours, theirs = compute_many(rows, 60), compute_many([-values for values in rows], 60)
    for a, b in zip(ours, theirs, strict=True):
        assert (a is None) == (b is None)
        if a is not None and b is not None:
            assert a.quantile(0.025) == pytest.approx(-b.quantile(0.975, upper=True), rel=1e-12)
            assert a.quantile(0.975, upper=True) == pytest.approx(-b.quantile(0.025), rel=1e-12)


def test_quantiles_are_where_the_inversion_formula_says():
    rows = differences(40)
    for values, law in zip(rows, compute_many(rows, 40), strict=True):
        assert law is not None
        low, centre, scale = law.quantile(0.025), values.mean(), values.std() / np.sqrt(40)

        def wave(s, values=values, low=low, centre=centre, scale=scale):
            t = s / scale
            phi = np.mean(np.exp(1j * t * (values - centre) / 40)) ** 40
            return (np.exp(-1j * t * (low - centre)) * phi).imag / s

        upto = 0.5 - integrate.quad(wave, 1e-9, 12.0, epsabs=1e-12, limit=400)[0] / np.pi
        assert upto == pytest.approx(0.025, abs=1e-7)


def test_quantiles_of_a_lattice_are_those_of_repeated_convolution():
    n = 30
    rows = list(RNG.integers(0, 6, (4, n)) / 5)
    for values, law in zip(rows, compute_many(rows, n), strict=True):
        assert law is not None
        one = np.bincount(np.rint(values * 5).astype(int), minlength=6) / n
        total = np.ones(1)
        for _ in range(n):
            total = np.convolve(total, one)
        assert law.quantile(0.025) == pytest.approx(np.searchsorted(np.cumsum(total), 0.025) / 5 / n, abs=1e-12)
        assert law.cdf(values.mean()) == pytest.approx(total[: round(values.sum() * 5) + 1].sum(), abs=1e-12)


@pytest.mark.parametrize("draws", [1, 5, 399])
def test_other_numbers_of_draws(draws):
    rows = differences(400)
    for values, law in zip(rows, compute_many(rows, draws), strict=True):
        assert (law is None) == (draws < 13)
        if law is not None:
            assert law.mean == pytest.approx(values.mean(), abs=1e-14)
            assert law.std == pytest.approx(values.std() / np.sqrt(draws), rel=1e-12)


def test_scores_of_impossible_size_are_left_to_the_one_that_refuses_them():
    assert compute_many([np.linspace(0, 1e200, 20), np.linspace(0, 1e-200, 20)], 20) == [None, None]


@pytest.mark.parametrize("n", [100, 1000, MOST_VALUES])
def test_memory_is_bounded(n):
    size = together(n)
    assert size * n * 8 * ARRAYS <= BYTES
    rows = list(RNG.random((size, n)))
    tracemalloc.start()
    try:
        laws = compute_many(rows, n)
        found = [law.quantile(0.5) for law in laws if law is not None]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found) > 0.8 * size
    assert peak < 2 * BYTES


def test_too_few_or_too_many_values_go_one_by_one():
    assert together(12) == together(MOST_VALUES + 1) == 0


def test_a_quantile_that_one_row_alone_asks_for_is_not_found_for_all():
    waves, kept = fourier_rows.solve(rows_of(differences(400)))
    assert len(kept) == 7
    first = waves.series(0)
    first.quantile(0.1), waves.series(1).quantile(0.2)
    assert not waves._known
    again = waves.series(3).quantile(0.1)
    assert list(waves._known) == [0.1]
    assert first.quantile(0.1) == pytest.approx(float(waves._known[0.1][0]))
    assert again == float(waves._known[0.1][3])


def rows_of(values):
    from scorebars.kernels.rows import Rows

    return Rows(np.sort(np.stack(values) / 400, axis=1), 400)


@pytest.mark.parametrize("interval", [sb.Percentile(), sb.Percentile(draws=sb.Draws.N_MINUS_1), sb.BCa(), sb.Auto()])
def test_each_row_of_estimate_is_as_alone(interval):
    data = {f"m{k}": x for k, x in enumerate(differences(80, 3) + KINDS["tenths"](80)[:2] + KINDS["0/1"](80)[:2])}
    found = sb.estimate(sb.Scores.from_arrays(data, axes=("item",)), interval=interval, rng=1)
    for row in found:
        alone = sb.estimate(
            sb.Scores.from_arrays({row.model: data[row.model]}, axes=("item",)), interval=interval, rng=1
        )
        got, expected = row.answer, alone[0].answer
        assert (got.low, got.high) == pytest.approx(
            (expected.low, expected.high), rel=0, abs=1e-9 * expected.standard_error
        )
        assert (got.step, got.interval, got.notes) == (expected.step, expected.interval, expected.notes)
