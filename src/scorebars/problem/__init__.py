"""The problem an interval method works on: one or two samples, an estimator, what is redrawn. All of it lazy."""

from scorebars.problem.make import Setting, effect_problem, score_problem, without_pairing
from scorebars.problem.score import ScoreProblem
from scorebars.problem.statistic import StatisticProblem

__all__ = ["ScoreProblem", "Setting", "StatisticProblem", "effect_problem", "score_problem", "without_pairing"]
