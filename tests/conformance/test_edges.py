"""What the sweep over all members found once, each on its smallest case."""

import math

import numpy as np
import pytest
from tests.conformance.tables import fresh, sides
from tests.resample.reference import sample_of

from scorebars.contracts import Side
from scorebars.effects import Difference
from scorebars.estimators import Mean, PassHatK, Quantile
from scorebars.intervals import Auto, Basic, BCa, BiasCorrected, Draws, MOutOfN, Percentile
from scorebars.problem import Setting, effect_problem, score_problem

PASSES = {"t": {"": {"1": [1.0, 0.0, 1.0], "2": [0.0, 1.0, 0.0], "3": [1.0, 1.0, 1.0]}}}


@pytest.mark.parametrize("method", [MOutOfN(m=2), Percentile(draws=Draws.N_MINUS_1)], ids=lambda m: m.name)
def test_fewer_runs_are_refused_where_the_estimator_needs_them_all(method):
    runs = score_problem(sample_of(PASSES), Setting(PassHatK(2), ("run",), fresh))
    assert "draws as many runs as there are" in method.refuses(runs)
    found = method.bounds(runs, 0.95, Side.TWO)
    assert math.isnan(found.low)
    assert found.notes[0].code == "nan-interval"
    assert method.refuses(score_problem(sample_of(PASSES), Setting(PassHatK(2), ("item",), fresh))) is None


def tied():
    """Eleven right answers and a wrong one: nearly all resamples have a median of 1."""
    table = {"t": {"": {f"{i:02d}": [float(i < 11)] for i in range(12)}}}
    return score_problem(sample_of(table, range=(0.0, 1.0)), Setting(Quantile(0.5), ("item",), fresh))


@pytest.mark.parametrize("method", [Percentile(), Basic()], ids=lambda m: m.name)
def test_bounds_on_one_tied_score_say_so(method):
    found = method.bounds(tied(), 0.95, Side.TWO)
    assert found.low == found.high == 1.0
    assert [note.code for note in found.notes] == ["no-width"]
    assert "no certainty" in found.notes[0].message


def test_auto_shows_no_interval_without_a_width():
    found = Auto().bounds(tied(), 0.95, Side.TWO)
    assert np.isnan([found.low, found.high]).all()
    assert "no-width" in [note.code for note in found.notes]


@pytest.mark.parametrize("method", [BCa(), BiasCorrected()], ids=lambda m: m.name)
def test_a_null_value_beyond_every_resample_has_a_p_value(method):
    a = {"t": {"": {f"{i}": [0.5 + 0.05 * i] for i in range(8)}}}
    b = {"t": {"": {f"{i}": [0.03 * i] for i in range(8)}}}
    problem = effect_problem(*sides(a, b), Difference(), Setting(Mean(), ("item",), fresh))
    assert method.p_value(problem) == 0.0
    assert method.p_value(effect_problem(*sides(b, a), Difference(), Setting(Mean(), ("item",), fresh))) == 0.0
