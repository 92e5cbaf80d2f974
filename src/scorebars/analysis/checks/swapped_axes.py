"""Runs and tasks (or items) exchanged: an array of shape (tasks, runs) taken for one of shape (runs, tasks)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.analysis.swapped import swapped_share
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice


def swapped_axes(evidence: Evidence) -> Iterator[Finding]:
    """Slices in which the runs of most models behave as tasks."""
    for one in evidence.slices:
        share = share_between_runs(one)
        if share:
            model = one.models[0]
            n, k = len(model.item), int(model.count[0])
            unit = "task" if len(np.unique(model.task)) == n else "item"
            yield Finding(
                "swapped-axes",
                Severity.CHANGES,
                f"{100 * share:.0f} % of the variance lies between the {k:,} runs and next to none between the {n:,} "
                f"{unit}s: run numbers have nothing in common, {unit}s differ, so the two axes look exchanged",
                f"transpose the arrays or give axes=('{unit}', 'run'); in files exchange the columns "
                f"(--map {unit}=COLUMN,run=COLUMN); if a run is one seed on every {unit}, --run-crosses-items; if the "
                "runs are points of a learning curve, read one point (of an array: --map run=axis1 --at final)",
                evidence.where(one),
                {"share": share, "runs": k, f"{unit}s": n},
            )


def share_between_runs(one: Slice) -> float:
    """The median share of variance between runs, where most models that can show it do; else 0."""
    tables = [table for model in one.models if (table := model.rectangle) is not None]
    shares = [swapped_share(table) for table in tables]
    found = [share for share in shares if share]
    return float(np.median(found)) if found and 2 * len(found) > len(shares) else 0.0
