"""Every interval of the family's list on many small problems: what each owes to each (see ``behaviour``)."""

import pytest
from tests.conformance.behaviour import broken_rules
from tests.conformance.members import make_interval
from tests.conformance.problems import comparison_problems, one_sample_problems

from scorebars import notes
from scorebars.intervals import INTERVALS

SLOW = {"m-out-of-n": 5, "wild-cluster": 3, "bca": 2, "expanded-percentile": 2, "mover": 2}
"""Intervals that take longer (some draw many distributions): in the quick suite they see one problem in so many."""


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    # Nothing here depends on the accuracy of a drawn distribution.
    monkeypatch.setattr(notes, "DEFAULT_N_BOOT", 300)


def faults(spelling, problems, every=1):
    method = make_interval(spelling)
    chosen = list(problems.items())[::every]
    return [(name, said) for name, problem in chosen for said in broken_rules(spelling, method, problem)]


@pytest.mark.parametrize("spelling", INTERVALS)
def test_bounds_of_one_sample(spelling):
    assert faults(spelling, one_sample_problems(), SLOW.get(spelling, 1)) == []


@pytest.mark.parametrize("spelling", INTERVALS)
def test_bounds_of_a_comparison(spelling):
    assert faults(spelling, comparison_problems(), SLOW.get(spelling, 1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SLOW)
def test_bounds_of_every_problem(spelling):
    assert faults(spelling, one_sample_problems() | comparison_problems()) == []


def test_every_interval_serves_some_problem_and_auto_serves_all_but_biased_runs():
    problems = one_sample_problems() | comparison_problems()
    for spelling in INTERVALS:
        method = make_interval(spelling)
        assert any(method.refuses(problem) is None for problem in problems.values()), spelling
    auto = make_interval("auto")
    refused = {name for name, problem in problems.items() if auto.refuses(problem) is not None}
    assert refused
    assert all("run" in problems[name].levels and not problems[name].linear_in_runs for name in refused)
