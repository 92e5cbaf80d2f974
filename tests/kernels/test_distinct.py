"""Different values, as numpy.unique finds them, and nothing imported for it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from tests.fresh import printed

from scorebars.kernels.distinct import distinct


@given(st.sampled_from([np.int32, np.int64]).flatmap(lambda kind: arrays(kind, array_shapes(max_dims=2, min_side=0))))
def test_whole_numbers(values):
    found = distinct(values)
    assert found.tolist() == sorted(set(values.ravel().tolist()))
    assert found.dtype == values.dtype


@given(st.lists(st.sampled_from([0.0, 0.25, 1e-300, 1.0, -2.0, np.inf])))
def test_floats(values):
    np.testing.assert_array_equal(distinct(np.array(values, float)), np.unique(np.array(values, float)))


def test_a_comparison_of_zeros_and_ones_does_not_import_masked_arrays(tmp_path):
    rows = [f"{model},q{i},{(i * 7 + len(model)) % 3 % 2}\n" for model in ("a", "bb") for i in range(60)]
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\n" + "".join(rows))
    code = (
        "import sys, scorebars as sb; s = sb.read(sys.argv[1]); sb.estimate(s); sb.compare(s, a='a', b='bb'); "
        "sb.compare_all(s); print('numpy.ma' in sys.modules)"
    )
    assert printed(code, path) == "False\n"
