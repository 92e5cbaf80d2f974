"""Files that gave no scores, so that what they hold is in no number that follows, or that wait for a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.errors import counted
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.contracts.diagnoses import Unread


def _remedy(file: Unread, n: int) -> str:
    if not file.typed:
        return "do what it says"
    again = ", and all files again" if file.typed.endswith("--save-map") else ", alone"
    return f"do what it says ({file.typed}{again}{', and so for each of the others' if n > 1 else ''})"


def _alike(files: Iterable[Unread]) -> Iterable[list[Unread]]:
    """Files of which the same is to be said, but for their names."""
    groups: dict[tuple[str, str], list[Unread]] = {}
    for file in files:
        said = file.reason.replace(file.path, ""), file.typed.replace(file.path, "")
        groups.setdefault(said, []).append(file)
    return groups.values()


def unread(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each reason why files cannot be read, and for each choice that they wait for."""
    for files in _alike(evidence.unread):
        file, n = files[0], len(files)
        more = f" ({counted(n - 1, 'more file')} alike)" if n > 1 else ""
        which, whose = ("the file", "its") if n == 1 else ("the files", "their")
        yield Finding(
            "unread",
            Severity.CHANGES,
            f"{file.reason}{more}",
            f"{_remedy(file, n)}, or leave {which} out (--without PATH): {whose} scores are in no number here",
            data={"path": file.path, "typed": file.typed, "paths": [one.path for one in files]},
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
