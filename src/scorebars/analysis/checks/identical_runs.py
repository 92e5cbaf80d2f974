"""Repeats that carry no information: all runs of every item equal, or one run a copy of another."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.problem.units import run_variances
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model

FEWEST: Final = 10
"""Repeats that must agree, or items on which runs differ elsewhere, before agreement is no chance."""


def identical_runs(evidence: Evidence) -> Iterator[Finding]:
    """Models whose runs are all equal, and models with two runs of the same scores."""
    for one in evidence.slices:
        where = evidence.where(one)
        same = [model for model in one.models if _all_equal(model)]
        if same:
            yield _no_news(same, where)
        for model in one.models:
            for runs in _copies(model):
                yield Finding(
                    "copied-runs",
                    Severity.CHANGES,
                    f"{len(runs)} runs of '{model.name}' have the same scores on all {len(model.item):,} items or "
                    f"tasks, while other runs differ: the places {', '.join(map(str, runs))} of its runs",
                    "check whether a run was copied; a copy makes the interval too narrow",
                    where,
                )


def _no_news(same: list[Model], where: tuple[str, ...]) -> Finding:
    runs = max(int(model.count.max()) for model in same)
    alone = all(len(np.unique(model.task)) == len(model.item) for model in same)
    return Finding(
        "identical-runs",
        Severity.CHANGES if alone else Severity.KNOW,
        f"all {runs} runs of every item are identical in {named([model.name for model in same])} (temperature 0, or "
        "one answer judged again?): the repeats carry no new information",
        "redraw items, not runs; pass@k and pass^k equal the mean" if not alone else "check that the seeds were used",
        where,
    )


def _all_equal(model: Model) -> bool:
    """Whether the runs of every item agree although items differ."""
    if int((model.count - 1).sum()) < FEWEST or np.ptp(model.values) == 0.0:
        return False
    several = model.count > 1
    spread = run_variances(model.sample.score, model.start[several], model.count[several])
    return bool(np.all(spread == 0.0))


def _copies(model: Model) -> Iterator[list[int]]:
    """Places (from 1) of runs that agree on all items, where so many items differ between other runs that it is odd."""
    table = model.rectangle
    if table is None or table.shape[1] < 3:
        return
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, column in enumerate(np.ascontiguousarray(table.T), start=1):
        groups[column.tobytes()].append(place)
    if len(groups) in (1, table.shape[1]):
        return
    varied = int(np.count_nonzero(np.ptp(table, axis=1)))
    enough = FEWEST * (1 if len(np.unique(table)) <= 2 else 0.3)
    if varied >= enough:
        yield from (places for places in groups.values() if len(places) > 1)
