"""The median: of the tasks' means, or of all attempts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import MethodError
from scorebars.estimators.ordered import OfAttempts, ordered, quantile, quantile_of_counts, refuse_weights
from scorebars.resample.grouped import medians, task_means

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class Median(OfAttempts):
    """Median over tasks of the tasks' means, the aggregate of many RL papers (Agarwal et al. 2021, section 4.3).

    Items count by their weights inside a task. The percentile interval of this median covers far less than its level
    with 20 runs or fewer (.46 to .90 for 95 % on Atari 100k); the IQM does better.

    Args:
        plain: the median of all attempts in one pot instead, whatever their task.

    Raises:
        MethodError: (from ``check``) a single task, whose median would be its mean; with ``plain``, weights.

    Example:
        >>> Median().name, Median(plain=True).name
        ('median of task means', 'median of attempts')
    """

    plain: bool = False

    @property
    def name(self) -> str:
        """As printed."""
        return "median of attempts" if self.plain else "median of task means"

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """There are several tasks; or, for all attempts, no weights."""
        del item_name
        if self.plain:
            refuse_weights(self.name, sample)
        elif len(np.unique(sample.task)) == 1:
            raise MethodError(
                f"'{sample.model}' has one task, so its median of task means is the mean; ask for the median of all "
                "attempts (median:plain, Median(plain=True)) or for the mean"
            )

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The median of each resample, shape (n,)."""
        if self.plain:
            return quantile(ordered(drawn), 0.5)
        means = drawn.task_means()
        # A task that was left out has no mean.
        return np.asarray(np.nanmedian(means, axis=1) if np.isnan(means).any() else np.median(means, axis=1))

    def counted(self, attempts: Attempts) -> Counted:
        """The median of counts."""
        return quantile_of_counts(attempts, 0.5) if self.plain else medians(task_means(attempts))
