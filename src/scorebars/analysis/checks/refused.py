"""What ``estimate`` and ``compare`` would refuse: one finding for each refusal, whatever else is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence

MIXED = "mixed scale"
"""How the refusal begins that the check of scales reports."""


def refused(evidence: Evidence) -> Iterator[Finding]:
    """The refusals of every metric and variant, but for that of two scales."""
    if evidence.refusal:
        yield _finding(evidence.refusal, ())
    for one in evidence.slices:
        where = evidence.where(one)
        for sentence in one.refusals:
            if not sentence.startswith(MIXED):
                yield _finding(sentence, where)


def _finding(sentence: str, where: tuple[str, ...]) -> Finding:
    what, found, remedy = sentence.rpartition("; ")
    if not found:
        what, remedy = sentence, "mend the rows that it names"
    return Finding("refused", Severity.CHANGES, f"estimate refuses this: {what}", remedy, where)
