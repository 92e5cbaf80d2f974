"""``few-clusters`` with the column that the clusters come from, and what to type for other ones or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.python_words import in_python
from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.contracts import Part
    from scorebars.results import Answer
    from scorebars.scores import Scores

CODE: Final = "few-clusters"
OTHERS: Final = "others: --cluster COLUMN; none, where items are unrelated: --cluster none"
"""What to type, as the end of a sentence."""


def origin_of(parts: tuple[Part, ...], columns: tuple[tuple[str, str], ...] = ()) -> str:
    """Where clusters come from: "column 'group'"; '' where nothing, or not the same of all files, says it."""
    said = {text for part in parts for role, text in part.mapping if role == "cluster"}
    if not parts:
        said = {f"column '{name}'" for role, name in columns if role == "cluster"}
    return next(iter(said)).removesuffix(", as asked") if len(said) == 1 else ""


def with_origin(found: Answer, scores: Scores) -> Answer:
    """The answer, whose note on few clusters names their column and the options."""
    if all(one.code != CODE for one in found.notes):
        return found
    origin = origin_of(scores.parts, scores.columns)
    of, remedy = f" (from {origin})" if origin else "", f"; {OTHERS}"
    remedy = remedy if scores.parts else in_python(remedy)
    notes = tuple(
        note(CODE, **{**one.data, "of": of, "remedy": remedy}) if one.code == CODE else one for one in found.notes
    )
    return replace(found, notes=notes)
