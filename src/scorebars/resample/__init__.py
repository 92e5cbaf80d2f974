"""The one rule of resampling: which levels are redrawn, inside what, and which question that answers.

The levels that are named are redrawn, each inside the nearest named or fixed level above it; levels above stay as
they are, levels below come along as observed; units that two models share are drawn once for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars import notes
from scorebars.errors import ArgumentError, near_miss
from scorebars.kernels.distinct import distinct

if TYPE_CHECKING:
    from scorebars.sample import CodeArray, Sample

__all__ = ["LEVELS", "Resample", "default_levels", "question"]

LEVELS: Final = ("task", "cluster", "item", "run")
"""From the top down."""


@dataclass(frozen=True, slots=True, init=False)
class Resample:
    """The levels that are redrawn: ``Resample("item")``, ``Resample("task", "run")``.

    Args:
        levels: one or more of 'task', 'cluster', 'item', 'run', in any order.
        paired: run k of model A and run k of model B belong together (same seed, same split), so that redrawn runs are
            drawn once for both (Bouthillier et al. 2021, Appendix C). Without it runs of two models are strangers.

    Raises:
        ArgumentError: an unknown or repeated level, no level, or ``paired`` without 'run'.

    Example:
        >>> Resample("run", "item").levels
        ('item', 'run')
    """

    levels: tuple[str, ...]
    paired: bool

    def __init__(self, *levels: str, paired: bool = False) -> None:
        for level in levels:
            if level not in LEVELS:
                raise ArgumentError(f"there is no level '{level}' to redraw{near_miss(level, LEVELS)}")
        if not levels or len(set(levels)) != len(levels):
            raise ArgumentError(
                f"Resample{levels!r}: name one or more different levels of {', '.join(LEVELS)}: Resample('item')"
            )
        if paired and "run" not in levels:
            raise ArgumentError("paired=True pairs the runs of two models, so 'run' must be among the redrawn levels")
        object.__setattr__(self, "levels", tuple(level for level in LEVELS if level in levels))
        object.__setattr__(self, "paired", paired)

    @property
    def top(self) -> str:
        """The uppermost redrawn level."""
        return self.levels[0]


def default_levels(sample: Sample) -> tuple[str, ...]:
    """What is redrawn when nobody says: clusters, else items, else runs, else tasks, else nothing.

    Runs that are declared to cross items (training seeds) are above the items, and are redrawn where there are two.

    Items need two in the median task (a single task of a single attempt counts as one item of many); runs need two
    in the median item; tasks need at least ``notes.MIN_TASKS``.
    """
    if sample.cluster is not None:
        return ("cluster",)
    if sample.run_crosses_items and len(distinct(sample.run)) > 1:
        return ("run",)
    if sample.is_plain:
        return ("item",)
    task_of_item = _task_of_item(sample)
    per_task = np.bincount(task_of_item)
    per_task = per_task[per_task > 0]
    median_runs = float(np.median(np.unique(sample.item, return_counts=True)[1]))
    if np.median(per_task) >= 2 or (len(per_task) == 1 and median_runs < 2):
        return ("item",)
    if median_runs >= 2:
        return ("run",)
    return ("task",) if len(per_task) >= notes.MIN_TASKS else ()


def _task_of_item(sample: Sample) -> CodeArray:
    first = np.unique(sample.item, return_index=True)[1]
    return sample.task[first]


_AFRESH: Final = {
    "task": "on other tasks of the same kind, run afresh",
    "cluster": "on other clusters of the same kind, with their items, attempted afresh",
    "item": "on other items of the same kind, each attempted afresh",
    "run": "if the same tasks and items were attempted again",
}


def question(levels: tuple[str, ...], subject: str = "the score", *, crossed_runs: bool = False) -> str:
    """The question that an interval answers, one plain sentence.

    Args:
        levels: what is redrawn, from the top down; empty where nothing can be.
        subject: what is asked about: 'the score', 'the difference'.
        crossed_runs: whether a run is one training seed that is evaluated on every item.
    """
    if not levels:
        return f"None: nothing can be redrawn, so nothing is known about how far {subject} would move."
    if crossed_runs and levels == ("run",):
        return f"What would {subject} be with other runs, such as training seeds or judges, on the same items?"
    ending = _AFRESH[levels[0]]
    staged = "" if len(levels) == 1 else f" (by the {'two' if len(levels) == 2 else 'many'}-stage bootstrap)"
    return f"What would {subject} be {ending}{staged}?"
