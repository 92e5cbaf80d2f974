"""pass@k and pass^k against counting subsets, and against the published values."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resample.reference import sample_of

from scorebars.errors import ArgumentError, MethodError
from scorebars.estimators import PassAtK, PassHatK


def value(estimator, c, n):
    return float(estimator.item_values(np.array([float(c)]), np.array([n]))[0])


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_both_count_subsets(drawn):
    n, c, k = drawn
    subsets = list(combinations([1] * c + [0] * (n - c), k))
    assert value(PassAtK(k), c, n) == pytest.approx(np.mean([any(s) for s in subsets]), abs=1e-12)
    assert value(PassHatK(k), c, n) == pytest.approx(np.mean([all(s) for s in subsets]), abs=1e-12)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (3, 1, 1, 1 / 3), (3, 1, 2, 2 / 3), (3, 1, 3, 1.0), (5, 2, 1, 0.4), (5, 2, 2, 0.7), (5, 2, 3, 0.9),
        (5, 2, 5, 1.0), (10, 3, 5, 0.9166667), (200, 10, 1, 0.05), (200, 10, 10, 0.40854787),
        (200, 10, 100, 0.99922897),
    ],
)  # fmt: skip
def test_pass_at_k_of_chen_2021(n, c, k, expected):
    assert value(PassAtK(k), c, n) == pytest.approx(expected, abs=5e-8)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [(3, 2, 1, 2 / 3), (3, 2, 2, 1 / 3), (3, 2, 3, 0.0), (5, 2, 1, 0.4), (5, 2, 2, 0.1), (5, 2, 3, 0.0)],
)
def test_pass_hat_k_of_yao_2024(n, c, k, expected):
    assert value(PassHatK(k), c, n) == pytest.approx(expected, abs=1e-12)


def test_too_few_runs_name_the_item_and_the_remedy():
    sample = sample_of({"t": {"": {"easy": [1.0, 1.0, 0.0], "hard": [0.0, 0.0]}}})
    names = {0: "t/easy", 1: "t/hard"}
    with pytest.raises(MethodError, match=r"pass\^3 needs 3 runs of every item, but item 't/hard' of 'A' has 2"):
        PassHatK(3).check(sample, names.__getitem__)


def test_graded_scores_are_no_passes():
    sample = sample_of({"t": {"": {"q": [1.0, 0.5]}}})
    with pytest.raises(MethodError, match=r"item 'q' of 'A' has the score 0\.5; scores must be 0 or 1"):
        PassAtK(1).check(sample, lambda _: "q")


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "3"])
def test_k_is_a_whole_number_from_1(k):
    with pytest.raises(ArgumentError, match="must be a whole number from 1"):
        PassAtK(k)
