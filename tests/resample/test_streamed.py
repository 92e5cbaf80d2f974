"""Replicates from the words of the draws: those that the calls of the Generator give, one by one, to the last bit."""

import importlib.util
from itertools import combinations

import numpy as np
import pytest
from tests.resample.reference import sample_of

from scorebars.estimators import Mean, PassAtK
from scorebars.kernels import drawing
from scorebars.resample import draws, streamed
from scorebars.resample.children import Take
from scorebars.resample.design import Rule, one_sample, two_samples

LEVELS = [c for n in (1, 2, 3) for c in combinations(("task", "item", "run"), n) if "run" in c]
N = 300


def table(seed, *, binary=False, sizes=(4, 7, 5), runs=3):
    rng = np.random.default_rng(seed)
    make = (lambda: rng.integers(0, 2, runs) * 1.0) if binary else (lambda: rng.normal(size=runs))
    return {f"t{t}": {"": {f"{t}.{i}": make().tolist() for i in range(size)}} for t, size in enumerate(sizes)}


def rule_of(levels, estimator):
    return Rule(levels, estimator.item_values, estimator.linear_in_runs)


def both_ways(design, monkeypatch, take=None, kind=np.random.PCG64):
    """The replicates, and those of the calls; and that both Generators go on alike."""
    found, rngs = [], [np.random.Generator(kind(8)) for _ in range(2)]
    for rng, serves in zip(rngs, (True, False), strict=True):
        with monkeypatch.context() as patched:
            if not serves:
                patched.setattr(draws, "may_stream", lambda *_: False)
            found.append(draws.replicates(design, N, rng, *([] if take is None else [take])))
    assert rngs[0].integers(0, 10**6, 5).tolist() == rngs[1].integers(0, 10**6, 5).tolist()
    return found


@pytest.fixture
def streams(monkeypatch):
    """How often words were made into means; blocks of 20 resamples and fewer."""
    calls = []
    take = streamed.Plan.take
    monkeypatch.setattr(streamed.Plan, "take", lambda *a, **k: calls.append(1) or take(*a, **k))
    monkeypatch.setattr(draws, "BLOCK", 1000)
    return calls


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize(("estimator", "binary"), [(Mean(), False), (PassAtK(2), True)])
def test_one_sample(levels, estimator, binary, monkeypatch, streams):
    design = one_sample(sample_of(table(1, binary=binary)), rule_of(levels, estimator))
    found, expected = both_ways(design, monkeypatch)
    assert found.tobytes() == expected.tobytes()
    assert streams


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("tasks", ["the same", "other items"])
def test_two_samples(levels, tasks, monkeypatch, streams):
    a, b = sample_of(table(1)), sample_of(table(2, sizes=(4, 7, 5) if tasks == "the same" else (6, 3, 4)), "B")
    design, _ = two_samples(a, b, rule_of(levels, Mean()), ignore_shared=tasks != "the same")
    found, expected = both_ways(design, monkeypatch)
    assert found.tobytes() == expected.tobytes()
    assert streams


@pytest.mark.parametrize("take", [Take(fewer=True), Take(m=2), Take(m=9)])
@pytest.mark.parametrize("levels", LEVELS)
def test_fewer_or_more_units(levels, take, monkeypatch, streams):
    design = one_sample(sample_of(table(3)), rule_of(levels, Mean()))
    found, expected = both_ways(design, monkeypatch, take)
    assert found.tobytes() == expected.tobytes()
    assert streams


@pytest.mark.parametrize(
    "unlike",
    [
        {"a": {"": {"1": [1.0, 0.5], "2": [0.3, 0.6, 0.4], "3": [0.1, 0.2]}}, "b": {"": {"4": [0.1, 0.9]}}},
        {"a": {"": {"1": [1.0], "2": [0.3]}}, "b": {"": {"3": [0.1], "4": [0.1]}}},
    ],
    ids=["unequal runs", "single runs"],
)
def test_what_has_other_words_is_drawn_call_by_call(unlike, monkeypatch, streams):
    design = one_sample(sample_of(unlike), rule_of(("item", "run"), Mean()))
    found, expected = both_ways(design, monkeypatch)
    assert found.tobytes() == expected.tobytes()
    assert not streams


def test_generators_of_32_bits_are_asked_call_by_call(monkeypatch, streams):
    design = one_sample(sample_of(table(1)), rule_of(("task", "item", "run"), Mean()))
    found, expected = both_ways(design, monkeypatch, kind=np.random.MT19937)
    assert found.tobytes() == expected.tobytes()
    assert not streams


@pytest.mark.parametrize("levels", [("item", "run"), ("task", "item", "run")])
@pytest.mark.parametrize("fast", [False, True])
def test_threads_and_compiled_loops_make_no_difference(levels, fast, monkeypatch, streams):
    if fast and importlib.util.find_spec("numba") is None:
        pytest.skip("numba is not installed (the extra 'fast')")
    design = one_sample(sample_of(table(1)), rule_of(levels, Mean()))
    monkeypatch.setattr(drawing, "THREADED", 0)
    monkeypatch.setattr(streamed, "choose", lambda *_: fast)
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "3")
    found, expected = both_ways(design, monkeypatch)
    assert found.tobytes() == expected.tobytes()
    assert streams
