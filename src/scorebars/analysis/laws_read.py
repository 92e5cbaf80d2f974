"""Which computed distributions an interval method will read, so that those of many rows can be found at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.analysis.answer import AnyProblem
    from scorebars.contracts import Interval

READERS: Final = frozenset({"Percentile", "BCa", "Basic", "BiasCorrected", "ExpandedPercentile"})
"""Methods that read the bootstrap distribution and nothing drawn; by name, since each is imported when it is used."""


def reads_computed(interval: Interval) -> bool:
    """Whether the method reads the distribution that is computed, and draws nothing where it can be."""
    kind = type(interval)
    ours = kind.__name__ in READERS and kind.__module__.startswith("scorebars.intervals.")
    return ours and getattr(interval, "n_boot", 0) is None


def foresee(problems: Sequence[AnyProblem], interval: Interval) -> None:
    """Compute together what the method is going to read of all these problems."""
    if len(problems) < 2 or not reads_computed(interval):
        return
    from scorebars.intervals import Draws
    from scorebars.problem.together import compute_together
    from scorebars.resample.children import Take

    compute_together(problems, Take(getattr(interval, "draws", Draws.N) is Draws.N_MINUS_1))
