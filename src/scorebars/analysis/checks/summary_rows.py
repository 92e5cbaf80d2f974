"""Rows that sum up the others, counted as items: 'average', 'Total', 'std'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.analysis.repeated_ids import rows_that_sum_up
from scorebars.analysis.summed_up import summed_up
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence


def summary_rows(evidence: Evidence) -> Iterator[Finding]:
    """Items with the name of a statistic whose score is that statistic of the other items."""
    listed = any(rows_that_sum_up(evidence.parts))
    every = [one.cuts for one in evidence.slices if one.cuts is not None]
    slices = [cuts for cuts in every if listed or not cuts.numbered]
    found = summed_up(slices, evidence.parts)
    if found is not None:
        yield Finding("summary-rows", Severity.CHANGES, found.message, found.remedy, data={"items": list(found.items)})
