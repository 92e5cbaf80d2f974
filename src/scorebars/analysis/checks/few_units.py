"""Too few items or runs to conclude anything from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars import notes
from scorebars.errors import counted
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence


def few_units(evidence: Evidence) -> Iterator[Finding]:
    """Slices whose smallest model has fewer than ten items, or few runs where runs are all there is."""
    for one in evidence.slices:
        models = [model for model in one.models if model.sample.n_attempts > 1]
        if not models:
            continue
        fewest = min(models, key=lambda model: len(model.item))
        n, alone = len(fewest.item), len(np.unique(fewest.task)) == len(fewest.item)
        runs = int(fewest.count.max())
        if n < notes.FEW_ITEMS and not (alone and (n > 1 or runs > 1)):
            yield Finding(
                "few-items",
                Severity.KNOW,
                f"'{fewest.name}' has {counted(n, 'item')} only: an interval will be about as wide as the scale",
                "collect more items before concluding anything",
                evidence.where(one),
            )
        elif alone and 1 < runs <= notes.FEW_RUNS:
            yield Finding(
                "few-runs",
                Severity.KNOW,
                f"'{fewest.name}' has {runs} runs a task: so few show little of the noise between runs",
                f"collect more than {notes.FEW_RUNS}",
                evidence.where(one),
            )
