"""Coverage of the IQM's interval with few runs, the Atari 100k scores as the population."""

from __future__ import annotations

import numpy as np
import pytest
from tests.estimators.atari import needs_atari, scores

from scorebars.contracts import Side
from scorebars.estimators import IQM
from scorebars.intervals import Auto, Draws, Percentile
from scorebars.problem import Setting, score_problem
from scorebars.sample import Sample

SETS = 300


def problem_of(runs):
    """IQM of runs (runs, games), runs redrawn inside their game."""
    n, games = runs.shape
    game = np.repeat(np.arange(games), n).astype(np.int32)
    run = np.tile(np.arange(n), games).astype(np.int32)
    sample = Sample("A", {"score": runs.T.ravel()}, game, game.copy(), run, task_labels=tuple(map(str, range(games))))
    return score_problem(sample, Setting(IQM(), ("run",), lambda: np.random.default_rng(1)))


def drawn(population, n, rng):
    picks = rng.integers(0, len(population), size=(n, population.shape[1]))
    return np.take_along_axis(population, picks, axis=0)


@needs_atari
@pytest.mark.shared_data
def test_auto_draws_one_run_less():
    problem = problem_of(scores("SPR")[:3])
    assert Auto().choose(problem) == Percentile(draws=Draws.N_MINUS_1)


@needs_atari
@pytest.mark.shared_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SPR", "DER"])
def test_three_runs_of_26_games(name):
    """The limit is three standard errors below .925; in 800 sets K − 1 draws cover .94 and K draws .87."""
    population, rng = scores(name), np.random.default_rng(3)
    truth = problem_of(population).value
    inside = np.zeros(2)
    for _ in range(SETS):
        problem = problem_of(drawn(population, 3, rng))
        for i, draws in enumerate((Draws.N_MINUS_1, Draws.N)):
            bounds = Percentile(500, draws).bounds(problem, 0.95, Side.TWO)
            inside[i] += bounds.low <= truth <= bounds.high
    fewer, all_runs = inside / SETS
    assert fewer >= 0.925 - 3 * np.sqrt(0.925 * 0.075 / SETS)
    assert fewer > all_runs + 0.02
