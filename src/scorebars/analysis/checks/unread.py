"""Files that were named and gave no scores: what they hold is in no number that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence


def unread(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each file that cannot be read."""
    for file in evidence.unread:
        remedy = "do what it says, or leave the file out (--without PATH): its scores are in no number here"
        yield Finding(
            "unread",
            Severity.CHANGES,
            file.reason,
            remedy if file.path else "look at the files one by one: what is said here is about one of them",
            data={"path": file.path},
        )
