"""The cluster-robust interval: value ± t_ν × the root of a sandwich variance (:mod:`~scorebars.intervals.sandwich`).

CR2 with Bell-McCaffrey degrees of freedom (Bell and McCaffrey 2002; Imbens and Kolesár 2016; Pustejovsky and Tipton
2018) holds its level with a handful of clusters, unequal ones too. CR0 is the plain sandwich, CR1 multiplies it by
G/(G − 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorebars.intervals.sandwich import Kind, cluster_moments
from scorebars.intervals.wald import NEEDS_UNITS, cluster_notes, refusal, refused, wald_bounds, wald_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class ClusterRobust:
    """Value ± t × cluster-robust standard error."""

    kind: Kind = Kind.CR2

    @property
    def name(self) -> str:
        """As cited."""
        degrees = "Bell-McCaffrey t" if self.kind is Kind.CR2 else "t"
        return f"cluster-robust {self.kind.value}, {degrees}"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses statistics that are no mean of units; items that are redrawn singly count as clusters of one."""
        return None if problem.units is not None else refusal(NEEDS_UNITS, problem, "Percentile")

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds with the note ``few-clusters`` where there are few."""
        units = problem.units
        if units is None:
            return refused(self.name, refusal(NEEDS_UNITS, problem, "Percentile"))
        moments = cluster_moments(units, self.kind)
        bounds = wald_bounds(problem, moments, self.name, level, side, moments.degrees)
        if math.isnan(moments.variance):
            return bounds
        return replace(bounds, notes=(*bounds.notes, *cluster_notes(units, moments.degrees)))

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the same t."""
        if problem.units is None:
            return math.nan
        moments = cluster_moments(problem.units, self.kind)
        return wald_p_value(problem, moments, moments.degrees)
