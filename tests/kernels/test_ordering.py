"""The order is that of a stable sort, for numbers that repeat, have holes, or are far apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.kernels import ordering
from scorebars.kernels.ordering import ascending


@pytest.fixture(autouse=True, scope="module")
def none_are_few():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ordering, "FEW", 0)
        yield


@given(st.lists(st.integers(-40, 40)), st.integers(-(10**12), 10**12), st.sampled_from([1, 3, 1000]))
def test_any_numbers(values, start, step):
    keys = np.array(values, np.int64) * step + start
    assert ascending(keys).tolist() == sorted(range(len(keys)), key=keys.__getitem__)


@given(st.permutations(range(50)), st.sampled_from([np.int32, np.int64]))
def test_different_numbers_are_placed_not_sorted(values, kind):
    keys = np.array(values, kind)
    with pytest.MonkeyPatch.context() as patched:
        patched.delattr(np, "argsort")
        assert keys[ascending(keys)].tolist() == list(range(50))
