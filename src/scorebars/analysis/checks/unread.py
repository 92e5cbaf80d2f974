"""Files that gave no scores, so that what they hold is in no number that follows, or that wait for a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.contracts.diagnoses import Unread


def _remedy(file: Unread) -> str:
    if not file.typed:
        return "do what it says"
    again = ", and all files again" if file.typed.endswith("--save-map") else ", alone"
    return f"do what it says ({file.typed}{again})"


def unread(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each file that cannot be read, and for each choice that it waits for."""
    for file in evidence.unread:
        yield Finding(
            "unread",
            Severity.CHANGES,
            file.reason,
            f"{_remedy(file)}, or leave the file out (--without PATH): its scores are in no number here",
            data={"path": file.path, "typed": file.typed},
        )
    for choice in evidence.waiting:
        what, _, options = choice.sentence.partition("; ")
        yield Finding(
            "choice-needed",
            Severity.CHANGES,
            what,
            f"{options or 'make the choice'}; what follows is for {choice.typed}",
            data={choice.option: choice.assumed},
        )
