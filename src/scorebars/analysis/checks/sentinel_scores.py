"""Numbers that stand for no score and count as one: −1, −999, 9999."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.sentinels import marked, models_of
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice
    from scorebars.engines.sentinels import Marked


def sentinel_scores(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each such number of a metric whose range is not known."""
    for one in evidence.slices:
        if evidence.rules.range is not None or any(model.sample.range is not None for model in one.models):
            continue
        for mark in marked(one.table):
            yield _finding(one, mark, evidence.where(one))


def _finding(one: Slice, mark: Marked, where: tuple[str, ...]) -> Finding:
    n = int(np.count_nonzero(mark.rows))
    table, value = one.table, f"{mark.value:g}"
    counts = np.bincount(table.model.codes[mark.rows], minlength=table.model.n_labels)
    most = int(np.argmax(counts))
    scores = table.score[(table.model.codes == most) & ~np.isnan(table.score)]
    rest = scores[scores != mark.value]
    without = f"; the scores of '{table.model.labels[most]}' average {scores.mean():.4g}, and {rest.mean():.4g} without"
    return Finding(
        "sentinel-scores",
        Severity.CHANGES,
        f"{n:,} score{'s' * (n != 1)} of {value} ({models_of(table, mark)}) far outside the others, which lie within "
        f"{mark.low:g} and {mark.high:g}{without if len(rest) else ''}",
        f"if {value} stands for no score, leave these cells empty; if it is one, say so with the range "
        f"(--range {min(mark.value, mark.low):g},{max(mark.value, mark.high):g})",
        where,
        {"value": mark.value, "n": n},
    )
