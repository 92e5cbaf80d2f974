"""A few scores that are neither 0 nor 1 among many that are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.strays import strays
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence


def stray_scores(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each metric whose range is not known: grave where a score is below 0 or above 1."""
    for one in evidence.slices:
        if evidence.rules.range is not None or any(model.sample.range is not None for model in one.models):
            continue
        found = strays(one.table)
        if found is None:
            continue
        n, (low, high) = len(found.rows), found.range
        yield Finding(
            "stray-scores",
            Severity.KNOW if (low, high) == (0.0, 1.0) else Severity.CHANGES,
            f"{n:,} score{'s' * (n != 1)} other than 0 and 1 ({found.listed}) among {found.others:,} of these, the "
            f"first in {found.where}",
            f"mend what is a slip, or say with the range that such scores are meant (--range {low:g},{high:g})",
            evidence.where(one),
            {"n": n, "values": found.values.tolist()},
        )
