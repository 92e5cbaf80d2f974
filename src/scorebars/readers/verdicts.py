"""A column of right and wrong beside right answers and predictions: it says what was right, and goes before a query.

A query that compares texts counts '1/2' beside '0.5' as wrong, and what a judge refused as right; the verdict that
stands in the file is the published one. Its header says that it is one, or its cells do: it is never 'no' where the
prediction is the right answer to the letter. Flags of the item ('has_image', 'is_hard') are neither.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import is_unnamed, less_is_better, mapped, normal
from scorebars.engines.score_text import WORDS
from scorebars.engines.unknown_headers import PREDICTED
from scorebars.readers.cells import trimmed_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells, Held

_RIGHT: Final = frozenset(
    {
        *("equiv", "equivalent", "equal", "equals", "match", "matches", "matched", "right", "correct", "correctly"),
        *("pass", "passes", "passed", "solved", "success", "successful", "verdict", "same", "accurate", "accepted"),
        *("judged", "judgement", "judgment", "graded", "verified"),
    }
)
"""Words of headers that say whether something was right."""
_FLAGS: Final = frozenset({"has", "needs", "requires", "contains", "was", "are", "n", "num"})
"""First words of headers of flags."""
_FEWEST: Final = 5
"""Predictions equal to the right answer, from which on a column that is never 'no' beside them says what was right."""
_ROWS: Final = 20_000
_COLUMNS: Final = 20


def verdicts_beside(gold: str, predicted: Sequence[str], free: Sequence[str], cells: Cells) -> list[str]:
    """The columns that may say whether predictions were right; those whose headers say so alone, if there are any.

    Args:
        gold: The column of right answers.
        predicted: Those of predictions.
        free: Columns without a role.
        cells: The cells.
    """
    others = [name for name in free if name not in {gold, *predicted} and _may_be_verdict(name)][:_COLUMNS]
    held = {one.name: one for one in cells.held(others)} if others else {}
    flags = [name for name in cells.score_like(others) if name in held and _says_yes_or_no(held[name])]
    named = [name for name in flags if set(re.split(r"[^a-z]+", normal(name))) & _RIGHT]
    if named or len(predicted) != 1:
        return named
    return [name for name in flags if _agrees(name, gold, predicted[0], cells)]


def as_score(verdicts: Sequence[str]) -> str:
    """What to say of them, with what to type."""
    listed = ", ".join(f"'{name}'" for name in verdicts)
    if len(verdicts) == 1:
        return f"{listed} says whether these are right: it is the score ({mapped({'score': verdicts[0]})})"
    return f"{listed} say whether these are right: choose the score ({mapped({'score': verdicts[0]})})"


def _may_be_verdict(name: str) -> bool:
    header = normal(name)
    first, *rest = header.split("_")
    return not (is_unnamed(name) or header in PREDICTED or less_is_better(name) or (rest and first in _FLAGS))


def _says_yes_or_no(one: Held) -> bool:
    return one.words not in {"", "words"} or (not one.words and one.is_01 and one.different == 2 and not one.signed)


def _agrees(name: str, gold: str, predicted: str, cells: Cells) -> bool:
    """Whether a column is never 'no' where the prediction is the right answer, and is so elsewhere."""
    no = ", ".join(map(literal, [*(word for word, value in WORDS.items() if value == 0.0), "0", "0.0"]))
    flag, right, said = trimmed_cells(3)
    found = cells.engine.query(
        f"SELECT count(*) FILTER (same) AS same, count(*) FILTER (same AND no) AS denied, "
        f"count(*) FILTER (no) AS wrong FROM (SELECT {right} = {said} AS same, lower({flag}) IN ({no}) AS no FROM "
        f"({cells.source.scan([name, gold, predicted])}) LIMIT {_ROWS})"
    )
    same, denied, wrong = (int(found[count][0]) for count in ("same", "denied", "wrong"))
    return same >= _FEWEST and not denied and wrong > 0
