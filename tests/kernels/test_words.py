"""Raw words against ``Generator.integers``: the same indices, and the same state afterwards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorebars.kernels.words import HALVED, IndexWords, MixedWords

KINDS = [np.random.PCG64, np.random.PCG64DXSM, np.random.SFC64, np.random.Philox, np.random.MT19937]
BOUNDS = {
    "one": np.full(7, 10),
    "powers of two": np.full(5, 64),
    "half of all words are refused": np.full(9, 2**31 + 1),
    "many": np.array([2, 3, 5, 1000, 7, 3 * 2**30]),
    "a single draw": np.array([3]),
    "none": np.empty(0, dtype=np.int64),
}


def generator(kind, *, half_used):
    rng = np.random.Generator(kind(11))
    if half_used:  # leaves the upper half of a 64-bit word waiting in the bit generator
        rng.integers(0, 7, dtype=np.int32)
    return rng


def indices(words, bounds):
    return (words.astype(np.uint64) * bounds.astype(np.uint64)) >> np.uint64(32)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half_used", [False, True])
@pytest.mark.parametrize("bounds", BOUNDS.values(), ids=BOUNDS)
def test_rows_are_those_of_one_call_and_the_generator_goes_on_from_there(kind, half_used, bounds):
    rng, plain = generator(kind, half_used=half_used), generator(kind, half_used=half_used)
    with IndexWords(rng, bounds) as stream:
        found = np.concatenate([indices(stream.rows(n), bounds) for n in (1, 6, 2, 30)])
    assert np.array_equal(found, plain.integers(0, bounds, size=(39, len(bounds))))
    assert rng.integers(0, 1000, size=5).tolist() == plain.integers(0, 1000, size=5).tolist()
    assert rng.normal() == plain.normal()


@settings(max_examples=60, deadline=None)
@given(
    bounds=st.lists(st.integers(2, 2**32 - 1), min_size=1, max_size=6),
    rows=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    seed=st.integers(0, 2**32),
)
def test_any_bounds(bounds, rows, seed):
    bounds = np.array(bounds)
    rng, plain = np.random.default_rng(seed), np.random.default_rng(seed)
    with IndexWords(rng, bounds) as stream:
        found = np.concatenate([indices(stream.rows(n), bounds) for n in rows])
    assert np.array_equal(found, plain.integers(0, bounds, size=(sum(rows), len(bounds))))
    assert rng.bit_generator.state["state"] == plain.bit_generator.state["state"]


def test_equal_bounds_are_the_textbook_stream():
    with IndexWords(np.random.default_rng(3), np.full(200, 200)) as stream:
        found = indices(stream.rows(50), np.full(200, 200))
    assert np.array_equal(found, np.random.default_rng(3).integers(0, 200, size=(50, 200)))


def test_raw_words_are_used_where_they_are_known():
    assert {kind.__name__ for kind in KINDS} - HALVED == {"MT19937"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.__name__ in HALVED])
@pytest.mark.parametrize("half_used", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_mixed_words_are_those_of_the_calls_one_after_the_other(kind, half_used, seed):
    rng, plain = generator(kind, half_used=half_used), generator(kind, half_used=half_used)
    some = np.random.default_rng(seed)
    assert MixedWords.serves(rng)
    with MixedWords(rng) as stream:
        for _ in range(6):
            bounds = some.choice([2, 3, 100, 2**31 + 1, 3 * 2**30], size=4, p=[0.3, 0.3, 0.2, 0.1, 0.1])
            counts = some.integers(0, 20, size=4)
            words = stream.take(counts, bounds, fast=False)
            expected = [plain.integers(0, bound, size=n) for n, bound in zip(counts, bounds, strict=True)]
            assert np.array_equal(indices(words, np.repeat(bounds, counts)), np.concatenate(expected))
    assert rng.integers(0, 1000, size=5).tolist() == plain.integers(0, 1000, size=5).tolist()
    assert rng.normal() == plain.normal()


def test_mixed_words_are_not_taken_from_a_generator_of_32_bits():
    assert not MixedWords.serves(np.random.Generator(np.random.MT19937(1)))
