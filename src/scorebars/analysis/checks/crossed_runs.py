"""Runs that all items share and that move together: one training seed, evaluated on every item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.analysis.checks.evidence import named
from scorebars.analysis.checks.swapped_axes import share_between_runs
from scorebars.analysis.design_notes import CROSSED_ITEMS, CROSSED_P, crossed
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence


def crossed_runs(evidence: Evidence) -> Iterator[Finding]:
    """Slices with models whose runs differ by more than chance."""
    if evidence.rules.run_crosses_items:
        return
    for one in evidence.slices:
        chance = CROSSED_P / max(len(one.models), 1)  # many models are many chances of a false alarm
        found = [
            model
            for model in one.models
            if (scores := model.rectangle) is not None and len(scores) >= CROSSED_ITEMS and crossed(scores) < chance
        ]
        if found and not share_between_runs(one):
            k = int(found[0].count[0])
            means = found[0].sample.score.reshape(-1, k).mean(axis=0)
            yield Finding(
                "crossed-runs",
                Severity.CHANGES,
                f"the {k} runs of {named([model.name for model in found])} have the same ids in all items and differ "
                f"by more than chance (means {found[0].shown(float(means.min()))} to "
                f"{found[0].shown(float(means.max()))}): a run seems to be one seed, evaluated on every item",
                "say so with --run-crosses-items, else the interval is too narrow",
                evidence.where(one),
            )
