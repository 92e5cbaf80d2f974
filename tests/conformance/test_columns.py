"""Estimators of two columns: point values by a plain definition, and their bootstrap against all resamples."""

from dataclasses import replace

import numpy as np
import pytest
from tests.conformance import plain
from tests.conformance.members import can_serve, column_estimators
from tests.conformance.tables import ALL_LEVELS, fresh, is_legal
from tests.conformance.test_distributions import N_DRAWS, differs
from tests.resample.reference import sample_of

from scorebars import notes
from scorebars.effects import Difference
from scorebars.errors import MethodError
from scorebars.problem import Setting, effect_problem, score_problem

ESTIMATORS = {member.spelling: member for member in column_estimators()}
TABLES = {
    "labels": {"a": {"": {"1": [(1, 1), (0, 1)], "2": [(1, 0)]}}, "b": {"": {"3": [(0, 0), (1, 1)], "4": [(1, 1)]}}},
    "amounts": {"a": {"": {"1": [(3.0, 1.0), (2.0, 4.0)], "2": [(0.5, 2.0)]}}, "b": {"": {"3": [(1.0, 0.25)]}}},
    "clusters": {"a": {"u": {"1": [(1, 1)], "2": [(0, 1)]}, "v": {"3": [(1, 0)]}, "w": {"4": [(1, 1)]}}},
    "classes": {
        "no": {"": {"1": [(0, 0.2)], "2": [(0, 0.7), (0, 0.4)]}},
        "yes": {"": {"3": [(1, 0.7)], "4": [(1, 0.3)], "5": [(1, 0.9)]}},
    },
}


@pytest.fixture(autouse=True)
def _many_draws(monkeypatch):
    monkeypatch.setattr(notes, "DEFAULT_N_BOOT", N_DRAWS)


def columns_of(table, model="A", **options):
    """The sample of a table whose runs are pairs: numbered first, then looked up."""
    found = []

    def number(run):
        found.append(run)
        return float(len(found) - 1)

    numbered = {
        task: {
            cluster: {item: [number(run) for run in runs] for item, runs in items.items()}
            for cluster, items in clusters.items()
        }
        for task, clusters in table.items()
    }
    sample = sample_of(numbered, model, **options)
    x, y = np.array([found[int(k)] for k in sample.score], dtype=float).T
    return replace(sample, values={"x": x, "y": y})


def other(table):
    """Another model on the same units: every pair of the table's other end."""
    flat = [
        run for clusters in table.values() for items in clusters.values() for runs in items.values() for run in runs
    ]
    take = iter(flat[::-1])
    return {
        task: {
            cluster: {item: [next(take) for _ in runs] for item, runs in items.items()}
            for cluster, items in clusters.items()
        }
        for task, clusters in table.items()
    }


SERVED = [
    (spelling, name)
    for spelling, member in ESTIMATORS.items()
    for name, table in TABLES.items()
    if can_serve(member.made, columns_of(table))
]


@pytest.mark.parametrize(("spelling", "name"), SERVED)
def test_values_equal_their_plain_definition(spelling, name):
    problem = score_problem(columns_of(TABLES[name]), Setting(ESTIMATORS[spelling].made, ("item",), fresh))
    assert problem.value == pytest.approx(ESTIMATORS[spelling].plain(plain.observed(TABLES[name])), abs=1e-12)


@pytest.mark.parametrize(("spelling", "name"), SERVED)
def test_one_sample_equals_every_resample(spelling, name):
    member, table, wrong = ESTIMATORS[spelling], TABLES[name], []
    sample = columns_of(table)
    for levels in [levels for levels in ALL_LEVELS if len(levels) < 3 and is_legal(sample, levels)]:
        problem = score_problem(sample, Setting(member.made, levels, fresh))
        try:
            outcomes = plain.one_sample(table, levels, member.plain)
        except ZeroDivisionError:
            with pytest.raises(MethodError, match="no bootstrap interval"):
                problem.distribution()
            continue
        if said := differs(problem.distribution(), outcomes):
            wrong.append((levels, said))
    assert wrong == []


@pytest.mark.parametrize(("spelling", "name"), SERVED)
def test_paired_differences_equal_every_resample(spelling, name):
    member, a, wrong = ESTIMATORS[spelling], TABLES[name], []
    b = other(a) if name != "classes" else {t: {"": dict(a[t][""])} for t in a}
    first, second = columns_of(a), columns_of(b, "B")
    for levels in (("item",), ("run",)):
        problem = effect_problem(first, second, Difference(), Setting(member.made, levels, fresh))
        try:
            outcomes = plain.paired(a, b, levels, lambda x, y: member.plain(x) - member.plain(y))
        except ZeroDivisionError:
            with pytest.raises(MethodError, match="no bootstrap interval"):
                problem.distribution()
            continue
        if said := differs(problem.distribution(), outcomes):
            wrong.append((levels, said))
    assert wrong == []


@pytest.mark.parametrize("spelling", ESTIMATORS)
def test_items_count_by_their_weights(spelling):
    name = {"ratio:NUMERATOR/DENOMINATOR": "amounts", "auroc": "classes"}.get(spelling, "labels")
    member, table = ESTIMATORS[spelling], TABLES[name]
    weights = {"1": 2.0, "2": 1.0, "3": 0.5, "4": 3.0, "5": 1.5}
    bare = columns_of(table)
    items = [item for task in sorted(table) for item in sorted(table[task][""])]
    sample = replace(bare, weight=np.array([weights[items[code]] for code in bare.item]))
    problem = score_problem(sample, Setting(member.made, ("item",), fresh))
    assert problem.value == pytest.approx(member.plain(plain.observed(table, weights)), abs=1e-12)
    outcomes = plain.one_sample(table, ("item",), member.plain, weights=weights)
    assert differs(problem.distribution(), outcomes) == ""
