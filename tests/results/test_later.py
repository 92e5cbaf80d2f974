"""A number worked out late."""

import copy
import pickle

import numpy as np

import scorebars as sb
from scorebars.results.later import Later


def test_it_is_worked_out_once():
    asked = []
    later = Later(lambda: asked.append(1) or 0.5)
    assert (later.number, later.number, len(asked)) == (0.5, 0.5, 1)


def test_copies_pickles_and_equal_ones_hold_the_number():
    later = Later(lambda: 0.5)
    assert pickle.loads(pickle.dumps(later)).number == copy.deepcopy(later).number == 0.5  # noqa: S301 - made here
    assert later == Later.known(0.5)
    assert hash(later) == hash(Later.known(0.5))
    assert later != Later.known(0.6)
    assert Later.known(np.nan) == Later.known(np.nan)
    assert later != 0.5


def test_a_comparison_can_be_copied_and_compares_equal():
    x = np.random.default_rng(1).random((2, 40))
    found = sb.compare(sb.Scores.from_arrays({"A": x[0], "B": x[1]}, axes=("item",), range=(0, 1)))
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - made here
    assert again.to_json() == found.to_json()
    assert again.unpaired_width > 0.0
