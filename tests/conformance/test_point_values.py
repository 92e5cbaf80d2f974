"""The point value of every estimator and effect, by a plain definition."""

from statistics import fmean

import pytest
from tests.conformance import plain
from tests.conformance.members import (
    PLAIN_EFFECTS,
    PLAIN_ESTIMATORS,
    all_effects,
    all_estimators,
    can_serve,
    listed,
)
from tests.conformance.tables import BINARY, TABLES, fresh, other_side, sides
from tests.resample.reference import sample_of

from scorebars.contracts import PairEffect
from scorebars.effects import Difference
from scorebars.problem import Setting, effect_problem, score_problem

ESTIMATORS = {member.spelling: member for member in all_estimators()}
EFFECTS = {member.spelling: member for member in all_effects()}


def test_every_member_has_a_plain_definition():
    assert listed("estimators", PLAIN_ESTIMATORS, "PLAIN_ESTIMATORS") == []
    assert listed("effects", PLAIN_EFFECTS, "PLAIN_EFFECTS") == []


SAMPLES = {name: sample_of(table) for name, table in TABLES.items()}
SERVED = [(s, name) for s, member in ESTIMATORS.items() for name in TABLES if can_serve(member.made, SAMPLES[name])]


@pytest.mark.parametrize(("spelling", "name"), SERVED)
def test_estimates_equal_their_plain_definition(spelling, name):
    problem = score_problem(SAMPLES[name], Setting(ESTIMATORS[spelling].made, ("item",), fresh))
    assert problem.value == pytest.approx(ESTIMATORS[spelling].plain(plain.observed(TABLES[name])), abs=1e-12)
    limits = problem.range
    assert limits is None or limits[0] <= problem.value <= limits[1]


COMPARABLE = [
    (spelling, name, shared)
    for spelling, member in EFFECTS.items()
    for name in (BINARY if spelling == "odds-ratio" else TABLES)
    for shared in ([True] if isinstance(member.made, PairEffect) else [True, False])
]


@pytest.mark.parametrize(("spelling", "name", "shared"), COMPARABLE)
def test_effects_equal_their_plain_definition(spelling, name, shared):
    member, a = EFFECTS[spelling], TABLES[name]
    b = other_side(a)
    first, second = sides(a, b, shared=shared)
    problem = effect_problem(first, second, member.made, Setting(ESTIMATORS["mean"].made, ("item",), fresh))
    expected = member.plain(plain.item_average(fmean))(plain.observed(a), plain.observed(b))
    assert problem.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("spelling", ESTIMATORS)
def test_differences_of_estimates_are_differences(spelling):
    member = ESTIMATORS[spelling]
    for name, a in TABLES.items():
        b = other_side(a)
        first, second = sides(a, b)
        if not (can_serve(member.made, first) and can_serve(member.made, second)):
            continue
        problem = effect_problem(first, second, Difference(), Setting(member.made, ("item",), fresh))
        expected = member.plain(plain.observed(a)) - member.plain(plain.observed(b))
        assert problem.value == pytest.approx(expected, abs=1e-12), name
