"""Rows that sum up the others, counted as items: 'average', 'Total', 'std'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.analysis.joined_repeats import query_without
from scorebars.engines.headers import normal
from scorebars.errors import typed
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence

WORDS: Final = frozenset(
    {"average", "avg", "mean", "median", "total", "overall", "sum", "std", "stddev", "stdev", "stderr", "min", "max"}
    | {"macro_avg", "micro_avg", "weighted_avg", "macro_average", "micro_average", "aggregate", "summary", "all"}
)
FEWEST: Final = 5
"""Other items beside which such a name is no item's."""


def summary_rows(evidence: Evidence) -> Iterator[Finding]:
    """Items with the name of a statistic, beside many that have none."""
    table = evidence.table
    if table is None:
        return
    labels = [str(table.item.labels[code]) for code in np.unique(table.item.codes)]
    found = [label for label in labels if normal(label) in WORDS]
    if not found or len(labels) - len(found) < FEWEST:
        return
    query = query_without(evidence.parts, found)
    option = "" if query is None else f", or with {typed('--sql', query)}"
    what = "items are" if len(found) > 1 else "item is"
    yield Finding(
        "summary-rows",
        Severity.CHANGES,
        f"{len(found)} of {len(labels):,} {what} called {named(found)}: rows that sum up the others, counted as items",
        f"leave them out of the {'files' if len(evidence.parts) > 1 else 'file'}{option}",
    )
