"""Ids that several tasks share: the same question in ten languages is one question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.coding import combined
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.sample import Column, ScoreTable

SHARE: Final = 0.5
"""Share of the ids that must be in more than one task."""
FEWEST: Final = 5
_NUMBERED: Final = re.compile(r"\s*[A-Za-z]*[\W_]*[\d.]+\s*")
"""'17', 'q17', 'question_17': every task may have one of its own."""


def crossing_ids(evidence: Evidence) -> Iterator[Finding]:
    """Items or clusters whose ids, words and not numbers, are in several tasks."""
    table = evidence.table
    if table is None or table.task.n_labels < 2 or evidence.rules.cluster_crosses_tasks:
        return
    for role, column in (("cluster", table.cluster), ("item", table.item)):
        if column is not None and (found := _crossing(table, column)) is not None:
            n, total = found
            yield Finding(
                "crossing-ids",
                Severity.KNOW,
                f"{n:,} of {total:,} {role} ids are in more than one task, and are taken for different {role}s in each",
                "if they are the same (one question in several languages), say so with --cluster-crosses-tasks",
            )
            return


def _crossing(table: ScoreTable, column: Column) -> tuple[int, int] | None:
    """(ids in several tasks, ids), where they are many and no mere numbers."""
    if column.n_labels < FEWEST:
        return None
    pairs = np.unique(combined(table.task.codes, column.codes, column.n_labels))
    times = np.bincount(pairs % column.n_labels, minlength=column.n_labels)
    n, total = int(np.count_nonzero(times > 1)), int(np.count_nonzero(times))
    if n < max(FEWEST, SHARE * total):
        return None
    some = column.labels[np.flatnonzero(times > 1)[:100]]
    words = sum(_NUMBERED.fullmatch(str(text)) is None for text in some)
    return (n, total) if 2 * words > len(some) else None
