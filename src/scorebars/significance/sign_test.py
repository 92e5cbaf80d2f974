"""The sign test: how many units does A win, how many B (Arbuthnott 1710; Conover 1999, section 3.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.significance.differences import unit_differences, why_unpaired
from scorebars.significance.mcnemar import McNemar

if TYPE_CHECKING:
    from scorebars.contracts import Problem


@dataclass(frozen=True, slots=True)
class SignTest:
    """Exact two-sided p-value of as many wins as losses; ties do not count.

    It asks whether A wins more often, not whether it is better on average: a few large losses do not move it. On 0/1
    scores it is McNemar's exact test.
    """

    @property
    def name(self) -> str:
        """As cited."""
        return "sign test"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses what has no paired units, or several tasks."""
        return why_unpaired(problem, one_stratum=True)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of P(A wins) = P(B wins)."""
        if problem.units is None or self.refuses(problem) is not None:
            return math.nan
        found = unit_differences(problem.units)
        return McNemar().of_counts(int(np.sum(found > 0.0)), int(np.sum(found < 0.0)))
