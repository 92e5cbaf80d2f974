"""What NumPy does for small strata, in bytes and by products of whole numbers, against the plain versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorebars as sb
from scorebars.kernels import counting, drawing, pairs


@given(
    width=st.integers(2, counting.NARROW),
    strata=st.integers(1, 5),
    draws=st.integers(1, 30),
    seed=st.integers(0, 10**6),
)
def test_the_counts_of_narrow_strata(width, strata, draws, seed):
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 2**32, size=(9, strata * draws), dtype=np.uint32)
    words.flat[: min(words.size, 4)] = [0, 2**32 - 1, 2**32 // width, 2**32 // width + 1][: words.size]
    offset = np.repeat(np.arange(strata) * width, draws)
    bounds = np.full(strata * draws, width, dtype=np.uint64)
    index = ((words.astype(np.uint64) * bounds) >> np.uint64(32)).astype(np.int64) + offset
    expected = [np.bincount(row, minlength=strata * width) for row in index]
    assert counting.count_narrow(words, width, draws).tolist() == np.array(expected).tolist()


@given(
    sizes=st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=5),
    seed=st.integers(0, 10**6),
    largest=st.sampled_from([1, 3, 300]),
)
def test_tables_of_who_beats_whom(sizes, seed, largest):
    rng = np.random.default_rng(seed)
    start_a, start_b = (np.cumsum([0, *column]) for column in zip(*sizes, strict=True))
    n_a, n_b = int(start_a[-1]), int(start_b[-1])
    a, b = np.split(rng.permutation(n_a + n_b), [n_a])
    below, upto = np.empty(n_a, dtype=np.int64), np.empty(n_a, dtype=np.int64)
    for group in range(len(sizes)):
        mine, other = (slice(start[group], start[group + 1]) for start in (start_a, start_b))
        own, theirs = (np.sort(rng.integers(0, 4, size=part.stop - part.start)) for part in (mine, other))
        below[mine], upto[mine] = (np.searchsorted(theirs, own, side=end) for end in ("left", "right"))
    fixed = ((a, np.ones(n_a), start_a), (b, np.ones(n_b), start_b), below, upto)
    tables = pairs.Tables.of(*fixed)
    counts = rng.integers(0, largest + 1, size=(7, n_a + n_b))
    with np.errstate(invalid="ignore"):
        expected = pairs.pairs_won(counts, *fixed, fast=False)
    assert tables is None or tables.won(counts).tobytes() == np.asarray(expected).tobytes()
    assert tables is not None or max(size for pair in sizes for size in pair) > 1


@pytest.mark.parametrize("n", [1, 9])
def test_units_that_are_neighbours_are_not_gathered(n):
    rng = np.random.default_rng(n)
    start = np.arange(0, 25, 4)  # six groups of four on each side, in any order of their scores
    a, b = (first + np.concatenate([4 * group + rng.permutation(4) for group in range(6)]) for first in (3, 30))
    scores = [np.sort(rng.integers(0, 5, (6, 4)), axis=1) for _ in range(2)]
    below, upto = (
        np.concatenate([np.searchsorted(y, x, side=end) for x, y in zip(*scores, strict=True)])
        for end in ("left", "right")
    )
    fixed = ((a, np.ones(24), start), (b, np.ones(24), start), below, upto)
    tables = pairs.Tables.of(*fixed)
    assert tables is not None
    assert (tables.unit_a, tables.unit_b) == (slice(3, 27), slice(30, 54))
    counts = rng.integers(0, 4, size=(n, 60))
    with np.errstate(invalid="ignore"):
        expected = pairs.pairs_won(counts, *fixed, fast=False)
    assert tables.won(counts).tobytes() == np.asarray(expected).tobytes()


def test_values_that_never_tie_are_looked_up_once():
    rng = np.random.default_rng(2)
    unit = rng.permutation(300)
    sides = [(part, rng.random(150), np.array([0, 150])) for part in (unit[:150], unit[150:])]
    place = np.sort(rng.integers(0, 151, 150))
    counts = rng.integers(0, 4, size=(5, 300))
    once = pairs.pairs_won(counts, *sides, place, place, fast=False)
    twice = pairs.pairs_won(counts, *sides, place, place.copy(), fast=False)
    assert once.tobytes() == twice.tobytes()


def test_weights_and_large_groups_have_no_table():
    start = np.array([0, 3])
    side = (np.arange(3), np.ones(3), start)
    place = np.zeros(3, dtype=np.int64)
    assert pairs.Tables.of(side, side, place, place) is not None
    assert pairs.Tables.of((np.arange(3), np.array([1.0, 2.0, 1.0]), start), side, place, place) is None
    many = (np.arange(200), np.ones(200), np.array([0, 200]))
    assert pairs.Tables.of(many, many, np.zeros(200, dtype=np.int64), np.zeros(200, dtype=np.int64)) is None


@pytest.mark.parametrize("effect", [sb.ProbabilityOfImprovement(), sb.Difference()])
@pytest.mark.parametrize("runs", [(10, 10), (3, 10), (16, 2)])
def test_an_interval_is_the_same_whichever_way_its_draws_are_counted(monkeypatch, effect, runs):
    rng = np.random.default_rng(3)
    data = {name: rng.integers(0, 20, size=(n, 6)) / 20 for name, n in zip("AB", runs, strict=True)}
    scores = sb.Scores.from_arrays(data, axes=("run", "task"))

    def found():
        return sb.compare(scores, "A", "B", effect=effect, interval=sb.Percentile(n_boot=700), rng=4).answer

    narrow = found()
    monkeypatch.setattr(drawing, "NARROW", 0)
    monkeypatch.setattr(pairs, "WIDE", 0)
    wide = found()
    assert (narrow.value, narrow.low, narrow.high) == (wide.value, wide.low, wide.high)
