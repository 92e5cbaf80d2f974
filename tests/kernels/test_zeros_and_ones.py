"""Counting ones, and finding anything else."""

import importlib.util

import numpy as np
import pytest

from scorebars.kernels import dispatch, zeros_and_ones
from scorebars.kernels.zeros_and_ones import BLOCK, FIRST, SHARED, count_ones, idle_threads


@pytest.mark.parametrize("n", [0, 1, 10, FIRST, FIRST + 1, BLOCK, BLOCK + FIRST + 1, 3 * BLOCK + 7])
@pytest.mark.parametrize("kind", [np.float64, np.bool_, np.uint8, np.int64])
def test_ones_are_counted(n, kind):
    values = (np.random.default_rng(n).random(n) < 0.3).astype(kind)
    assert count_ones(values) == int(values.sum())


@pytest.mark.parametrize("other", [0.5, -1.0, 2.0, np.nan, np.inf, 1e-300, 5e-324, 1.0 + 2.0**-52, 1.0 - 2.0**-53])
@pytest.mark.parametrize("place", [0, FIRST - 1, FIRST, BLOCK + FIRST, -1])
def test_one_other_number_is_found(other, place):
    values = np.ones(2 * BLOCK + 5)
    values[place] = other
    assert count_ones(values) is None


def test_a_zero_below_zero_is_a_zero():
    assert count_ones(np.array([-0.0, 1.0])) == 1
    values = np.ones(2 * BLOCK + 5)
    values[[3, FIRST + 3, -1]] = -0.0
    assert count_ones(values) == 2 * BLOCK + 2
    values[[2, FIRST + 2]] = 5e-324, -0.0
    assert count_ones(values) is None


def test_a_column_of_a_table_is_counted():
    table = np.zeros((BLOCK + FIRST + 9, 2))
    table[::3, 1] = 1.0
    assert count_ones(table[:, 0]) == 0
    assert count_ones(table[:, 1]) == len(table[::3])


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_threads_count_the_same(monkeypatch, threads):
    monkeypatch.setattr(zeros_and_ones, "idle_threads", lambda: threads)
    values = (np.random.default_rng(2).random(SHARED + 11 * BLOCK) < 0.7) * 1.0
    for _ in range(20):
        assert count_ones(values) == int(values.sum())
    values[-BLOCK - 3] = 0.25
    assert count_ones(values) is None


@pytest.mark.parametrize("place", [FIRST, SHARED // 2, -1])
def test_threads_find_one_other_number(monkeypatch, place):
    monkeypatch.setattr(zeros_and_ones, "idle_threads", lambda: 2)
    values = np.ones(SHARED + 3 * BLOCK)
    values[place] = 1e-300
    assert [count_ones(values) for _ in range(20)] == [None] * 20


def test_a_thread_that_gets_no_processor_is_not_waited_for(monkeypatch):
    late = []
    monkeypatch.setattr(zeros_and_ones, "idle_threads", lambda: 1)
    monkeypatch.setattr(zeros_and_ones, "start_new_thread", lambda work, arguments: late.append((work, arguments)))
    assert count_ones(np.ones(SHARED + BLOCK)) == SHARED + BLOCK
    for work, arguments in late:
        work(*arguments)
    assert len(late) == 1


@pytest.mark.parametrize(("load", "threads"), [(0.2, 3), (1.2, 3), (2.6, 1), (3.4, 1), (4.0, 0), (11.0, 0)])
def test_no_thread_is_started_for_a_cpu_that_is_at_work(monkeypatch, load, threads):
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "4")
    monkeypatch.setattr("os.getloadavg", lambda: (load, 9.0, 9.0))
    assert idle_threads() == threads


def test_where_the_load_is_not_told_a_cpu_is_left(monkeypatch):
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "4")
    monkeypatch.delattr("os.getloadavg")
    assert idle_threads() == 3


@pytest.fixture(params=[False, True])
def compiled(request, monkeypatch):
    """The way of compiled loops, with NumPy in their place or with numba."""
    if request.param and importlib.util.find_spec("numba") is None:
        pytest.skip("numba is not installed (the extra 'fast')")
    monkeypatch.setattr(dispatch, "choose", lambda *_: True)
    if not request.param:
        monkeypatch.setattr(dispatch.Kernel, "compiled", property(lambda self: self.plain))
    asked = []
    called = dispatch.Kernel.__call__
    monkeypatch.setattr(
        dispatch.Kernel, "__call__", lambda self, *a, fast: asked.append(fast) or called(self, *a, fast=fast)
    )
    return asked


@pytest.mark.parametrize("frozen", [False, True])
def test_compiled_loops_count_the_same(compiled, frozen):
    values = (np.random.default_rng(4).random(SHARED + BLOCK) < 0.4) * 1.0
    values.flags.writeable = not frozen
    assert count_ones(values) == int(values.sum())
    assert set(compiled) == {True}
    assert values.flags.writeable is not frozen


@pytest.mark.parametrize("other", [0.5, np.nan, 5e-324, 2.0, -1.0])
def test_compiled_loops_find_one_other_number(compiled, other):
    values = np.ones(SHARED + BLOCK)
    values[[SHARED, -3]] = -0.0
    assert count_ones(values) == len(values) - 2
    values[-2] = other
    assert count_ones(values) is None
    assert set(compiled) == {True}
