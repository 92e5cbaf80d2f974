"""What a verb says, in the words of whoever made the scores: options of the command line, or arguments of Python."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from scorebars.errors import ScorebarsError
from scorebars.results import Comparison
from scorebars.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.notes import Note
    from scorebars.results import Comparisons, Estimate, Estimates

Asked = ParamSpec("Asked")
Found = TypeVar("Found", bound="Estimates | Comparison | Comparisons")
Row = TypeVar("Row", "Estimate", Comparison)


def own_words(verb: Callable[Asked, Found]) -> Callable[Asked, Found]:
    """The verb, whose errors and notes are in the words of its first argument, the scores."""

    @wraps(verb)
    def said(*given: Asked.args, **options: Asked.kwargs) -> Found:
        scores: Any = given[0] if given else options.get("scores")
        try:
            found: Found = _in_words(verb(*given, **options), scores)
        except ScorebarsError as error:
            if isinstance(scores, Scores) and error.args:
                error.args = (scores.in_words(str(error.args[0])), *error.args[1:])
            raise
        return found

    return said


def _in_words(found: Any, scores: Scores) -> Any:
    if isinstance(found, Comparison):
        return _row(found, scores)
    rows = tuple(_row(row, scores) for row in found.rows)
    return replace(found, rows=rows, notes=_notes(found.notes, scores))


def _row(row: Row, scores: Scores) -> Row:
    said = _notes(row.answer.notes, scores)
    return row if said is row.answer.notes else replace(row, answer=replace(row.answer, notes=said))


def _notes(notes: tuple[Note, ...], scores: Scores) -> tuple[Note, ...]:
    """The same notes where none of them names an option."""
    if not any("--" in one.message for one in notes):
        return notes
    return tuple(replace(one, message=scores.in_words(one.message)) for one in notes)
