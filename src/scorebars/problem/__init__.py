"""The problem an interval method works on: one or two samples, an estimator, what is redrawn. All of it lazy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorebars.problem.make import Setting, effect_problem, score_problem, without_pairing
from scorebars.problem.score import ScoreProblem

if TYPE_CHECKING:
    from scorebars.problem.statistic import StatisticProblem

__all__ = ["ScoreProblem", "Setting", "StatisticProblem", "effect_problem", "score_problem", "without_pairing"]


def __getattr__(name: str) -> Any:
    """The problem of statistics is imported when it is first met: a mean has no need of it."""
    if name != "StatisticProblem":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from scorebars.problem.statistic import StatisticProblem

    return StatisticProblem
