"""The bias-corrected bootstrap, BC (Efron 1981): BCa (:mod:`~scorebars.intervals.bca`) with no acceleration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.bootstrap_law import check_n_boot
from scorebars.intervals.shifted_levels import shifted_bounds, shifted_p_value
from scorebars.intervals.wald import NOTHING

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class BiasCorrected:
    """Quantiles of the bootstrap distribution at levels shifted for its median bias."""

    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)

    @property
    def name(self) -> str:
        """As cited."""
        return "bias-corrected bootstrap (BC)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses only where nothing can be redrawn."""
        return None if problem.top else NOTHING

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Quantiles at shifted levels; zero width with ``instead`` where all units are equal."""
        return shifted_bounds(problem, self.n_boot, (level, side), self.name, 0.0)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the levels at which the interval ends there."""
        return shifted_p_value(problem, self.n_boot, 0.0)
