"""Scores on two scales: fractions beside percentages, 0/1 beside grades from 1 to 5; of one metric, models or tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.analysis.checks.refused import MIXED
from scorebars.engines.few_on_scale import note_on_few
from scorebars.engines.grades import ADVICE, note_on_grades
from scorebars.engines.scale import note_on_tasks
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence

SIGNS = "write the sign"
"""How the advice begins on cells with a percent sign beside cells without."""
_REMEDY = "divide the percentages by 100, or say that all is well with the range of the scores (--range 0,100)"


def mixed_scale(evidence: Evidence) -> Iterator[Finding]:
    """What reading refuses as two scales, and tasks of one table on different ones."""
    for one in evidence.slices:
        where = evidence.where(one)
        found = [sentence for sentence in one.refusals if sentence.startswith(MIXED)]
        if found:  # the first one: others follow from it
            what, _, advice = found[0].removeprefix(f"{MIXED}: ").rpartition("; ")
            remedy = advice if advice.startswith((SIGNS, ADVICE)) else _REMEDY
            yield Finding("mixed-scale", Severity.CHANGES, what, remedy, where)
        unknown = evidence.rules.range is None
        for said in (*note_on_tasks(one.table), *(note_on_grades(one.table) if unknown else ())):
            remedy = "bring the tasks to one scale, or look at each (--by task)"
            yield Finding("mixed-scale", Severity.CHANGES, said.message, remedy, where)
        for said in note_on_few(one.table) if unknown and not found else ():
            message, _, advice = said.message.partition("; ")
            yield Finding("mixed-scale", Severity.CHANGES, message, advice, where)
