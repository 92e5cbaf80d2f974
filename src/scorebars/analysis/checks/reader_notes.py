"""What readers and engines already remarked: header counts, partial logs, copies, converted text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scorebars.analysis.checks.evidence import named
from scorebars.engines.headers import ALIASES
from scorebars.notes import MORE_FILES, is_lost, n_files, note
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.notes import Note

GRAVE: Final = frozenset(
    {
        "header-disagrees",
        "partial-log",
        "header-only",
        "split-items",
        "raw-scores",
        "different-documents",
        "other-settings",
        "assumed-items",
        "best-of-attempts",
        "names-of-models",
        "suites-of-models",
        "repeats-as-items",
        "summary-rows",
    }
)
"""Notes on attempts that are not in the numbers, or that count in the wrong place or for more than one."""
ELSEWHERE: Final = frozenset(
    {
        *("error-rows", "missing-scores", "rows-as-items", "mixed-scale", "sentinel-scores", "stray-scores"),
        *("skipped-file", "copied-files", "repeats-as-models", "tasks-as-models"),
    }
)
"""Notes that a check of its own reports, with more to say."""
REMEDIES: Final = {
    "header-disagrees": "read the whole log again, or say on how many samples the score rests",
    "header-only": "as long as it is so, its scores are in no number",
    "partial-log": "finish the run, or say on how many samples the score rests",
    "converted": "check that the words mean what they were read as",
    "duplicate-attempts": "remove the copies, or name the column that tells them apart (--map run=COLUMN)",
    "scored-errors": "run those samples again, or report every way of counting where they differ",
    "duplicate-documents": "make them one unit with --cluster doc_hash",
}
IN_LOGS: Final = {"duplicate-attempts": "remove the copies"}
"""The same where the format fixes what a run is."""
MENDED: Final = frozenset({"duplicate-attempts", "no-effect"})
"""Notes on a rule among duplicates that nobody but the doctor chose, to look at a table that is refused."""
CRASHED: Final = 0.1
"""Share of crashed attempts, and of programs that cannot be run, from which on they decide the score."""
SHORTENED: Final = frozenset({"duplicate-documents"})
"""Notes whose last clause is the remedy."""
PLAIN: Final = frozenset({"true", "false", "c", "i", "p", "n", "percentages"})
"""Words whose reading is no surprise."""
_WORD: Final = re.compile(r"(?:^|[\s,:'])([^\s,:']+)'? as ")


def reader_notes(evidence: Evidence) -> Iterator[Finding]:
    """Every note of the files and of the samples that no other check repeats, each once."""
    skipped, turned = [], []
    for said in dict.fromkeys(_notes(evidence)):
        if said.code == "skipped-file":
            skipped.append(said)
        elif said.code == "less-is-better":
            turned.append(said)
        elif said.code not in ELSEWHERE and not (
            said.code == "converted" and _is_plain(said, beyond_is_said=evidence.rules.range is not None)
        ):
            yield _finding(said, fixed=all(part.reader not in {"", "table"} for part in evidence.parts))
    if turned:
        yield _turned(turned)
    if skipped:
        yield _skipped(skipped)


def _notes(evidence: Evidence) -> Iterator[Note]:
    for part in evidence.parts:
        yield from part.notes
    for one in evidence.slices:
        if one.cuts is not None:  # what was mended here is no news
            chosen_here = one.refusals and evidence.rules.duplicates == "fail"
            yield from (said for said in one.cuts.notes if not (chosen_here and said.code in MENDED))


def _is_plain(said: Note, *, beyond_is_said: bool) -> bool:
    """Whether a reading surprises nobody; percentages beyond 0 and 100 do, but where the range was given."""
    words = _WORD.findall(said.message.partition(": ")[2])
    return bool(words) and {word.lower() for word in words} <= PLAIN and (beyond_is_said or not said.data.get("beyond"))


def _mostly_crashed(said: Note) -> bool:
    """Whether so many attempts crashed, or were no program at all, that the score is of the harness."""
    n, total = said.data.get("n"), said.data.get("total")
    counts = isinstance(n, int) and isinstance(total, int) and total > 0
    return said.code in {"failed-attempts", "broken-code"} and counts and int(str(n)) > CRASHED * int(str(total))


def _is_trained_on(said: Note) -> bool:
    """Whether rows that a model may have been trained on count beside others."""
    return said.code == "pooled-splits" and bool(said.data.get("trained"))


def _turned(notes: list[Note]) -> Finding:
    """One finding for all metrics of which less is better."""
    names = [str(said.data["names"]).strip("'") for said in notes]
    return _finding(note("less-is-better", names=named(names)))


def _skipped(notes: list[Note]) -> Finding:
    """One finding for all files that were passed over."""
    told = [(Path(str(said.data.get("path", ""))).name, str(said.data.get("reason", ""))) for said in notes]
    lost = [one for one in told if _is_lost(one[1])]
    name, reason = (lost or told)[0]
    n = sum(n_files(reason) for _, reason in told)
    if n == 1:
        message = f"'{name}' was skipped: {_first(reason)}"
    else:
        message = f"{n:,} other files were skipped, such as '{name}' ({_first(reason)})"
    remedy = "name it to see what is missing" if n == 1 else "if they hold scores, name them to see what is missing"
    severity = Severity.CHANGES if lost else Severity.KNOW
    data: dict[str, object] = {"paths": [name for name, _ in told], "reasons": [reason for _, reason in told]}
    return Finding("skipped-file", severity, message, remedy, data=data)


def _first(reason: str) -> str:
    """The reason without its remedy and without the count of the files that have the same."""
    return reason.partition("; ")[0].partition(MORE_FILES)[0]


def _is_lost(reason: str) -> bool:
    """Whether a file that was passed over looks like results: empty or damaged, or items without a known score."""
    known = {word for alias in ALIASES["item"] for word in (f"'{alias}'", f"'{alias.upper()}'")}
    return is_lost(reason) or ("no column is known" in reason and any(w in reason for w in known))


def _finding(said: Note, *, fixed: bool = False) -> Finding:
    """The finding of a note; ``fixed``: no file has columns that could be named."""
    marked = bool(said.data.get("beyond") or said.data.get("grave"))
    grave = said.code in GRAVE or marked or _mostly_crashed(said) or _is_trained_on(said)
    severity = Severity.CHANGES if grave else Severity.KNOW
    what, _, advice = said.message.partition("; ")
    remedy = (IN_LOGS if fixed else {}).get(said.code) or REMEDIES.get(said.code)
    if said.data.get("beyond"):
        remedy = "mend them, or say how low and high a score can be (--range 0,2 for 0 to 200 %)"
    if remedy is not None:
        message = what.partition(" (group them")[0] if said.code in SHORTENED else said.message
        return Finding(said.code, severity, message, remedy, data=said.data)
    return Finding(said.code, severity, what, advice or f"see '{said.code}' in docs/notes.md", data=said.data)
