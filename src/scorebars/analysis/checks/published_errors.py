"""Standard errors that a results file prints and that cannot be right: exactly 0, or no number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from scorebars.analysis.checks.evidence import named
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.contracts.diagnoses import PublishedErrors


PERFECT: Final = (0.0, 1.0, 100.0)
"""Scores at which a standard error of 0 is what the formula gives."""


def published_errors(evidence: Evidence) -> Iterator[Finding]:
    """Averages read as attempts; standard errors of exactly 0, grave where the score is not perfect; missing ones."""
    read = {str(part.path) for part in evidence.parts if part.reader == "table"}
    for file in evidence.published:
        if file.path in read:
            yield _averages(file)
        if file.zero:
            yield _zero(file)
        if file.undefined:
            yield Finding(
                "no-stderr",
                Severity.KNOW,
                f"'{file.path}' gives no standard error for {len(file.undefined):,} of {file.total:,} scores "
                f"({named(list(file.undefined))})",
                "estimate the interval from the scores of the items",
                data={"path": file.path, "names": list(file.undefined)},
            )


def _averages(file: PublishedErrors) -> Finding:
    return Finding(
        "averages-as-items",
        Severity.CHANGES,
        f"the rows of '{file.path}' have a standard error of their own: they are averages, read as if each were an "
        "attempt at an item",
        "read the files that hold one score an item instead",
        data={"path": file.path},
    )


def _zero(file: PublishedErrors) -> Finding:
    inside = [name for name, score in file.zero if not math.isnan(score) and score not in PERFECT]
    names = named(inside or [name for name, _ in file.zero])
    if inside:
        detail = f"{len(inside):,} of them neither 0 nor perfect ({names})"
    else:
        detail = f"{names}" + ("" if any(math.isnan(score) for _, score in file.zero) else ", all 0 or perfect")
    return Finding(
        "zero-stderr",
        Severity.CHANGES if inside else Severity.KNOW,
        f"'{file.path}' gives a standard error of exactly 0 for {len(file.zero):,} of {file.total:,} scores: {detail}",
        "0 means that none could be computed, not certainty; estimate the interval from the scores of the items",
        data={"path": file.path, "names": [name for name, _ in file.zero]},
    )
