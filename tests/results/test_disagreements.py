"""What differs between two sides, written out late."""

import copy
import pickle

import numpy as np
import pytest

import scorebars as sb
from scorebars.results.disagreements import Disagreements

A, B = {"task": ["t"] * 4, "item": list("wxyz"), "score": [1, 0, 1, 0.5]}, [1, 1, 0, 0.5]
EXPECTED = (("t", "x", 0.0, 1.0), ("t", "y", 1.0, 0.0))


@pytest.fixture
def found():
    columns = {name: values * 2 for name, values in A.items()}
    columns["model"] = ["a"] * 4 + ["b"] * 4
    columns["score"] = A["score"] + B
    return sb.compare(sb.Scores(columns), "a", "b").disagreements


def test_they_are_the_items_whose_scores_differ(found):
    assert tuple(found) == EXPECTED
    assert (len(found), found[0], found[-1:]) == (2, EXPECTED[0], EXPECTED[1:])
    assert found == EXPECTED
    assert found != EXPECTED[:1]
    assert repr(found) == repr(EXPECTED)
    assert hash(found) == hash(EXPECTED)


def test_copies_and_pickles_are_tuples(found):
    assert pickle.loads(pickle.dumps(found)) == copy.copy(found) == EXPECTED  # noqa: S301 - made here


def test_counting_them_needs_no_texts():
    def texts():
        raise AssertionError("asked for texts")

    many = Disagreements(np.arange(5), np.arange(5.0), np.zeros(5), texts)
    assert len(many) == 4
