"""A score in words under a header that is no score's for sure: 'verdict', 'result', 'Pass/Fail', 'status'.

Such a column is the score where all it holds are words for passed and failed, and no other column can be the score. A
'result' of yes and no may be what was answered, and a 'status' of success may be of a run whose answer is wrong: these
are asked about.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed, less_is_better, may_be_model, names_key, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

HEADERS: Final = frozenset(
    {
        *("verdict", "final_verdict", "judge_verdict", "result", "test_result", "outcome", "test_outcome"),
        *("judgement", "judgment", "assessment"),
        *("pass/fail", "pass_/_fail", "pass_fail", "pass_or_fail", "passed/failed", "correct/incorrect"),
    }
)
"""Headers under which words for passed and failed are the score."""
STATUS: Final = "status"
_PAIRS: Final = (
    *({"pass", "fail"}, {"passed", "failed"}, {"correct", "incorrect"}),
    *({"✓", "✗"}, {"✔", "✘"}, {"✅", "❌"}),
)
_ENDINGS: Final = _PAIRS[:2]
"""Those that a status may have too, of tests; 'success' and 'failure' are of runs."""


def verdict_layout(layout: Layout, cells: Cells) -> Layout | None:
    """The layout whose score is the only column of verdicts; None where there is none, or another may be the score."""
    free = [name for name in layout.ignored if not is_unnamed(name)]
    named = [name for name in free if normal(name) in HEADERS]
    statuses = [name for name in layout.statuses if normal(name) == STATUS]
    if not named and not statuses:
        return None
    words = cells.words_of([*named, *statuses], 2)
    found = [name for name in named if _are_of(words[name], _PAIRS)]
    found = found or [name for name in statuses if len(words[name]) == 2 and _are_of(words[name], _ENDINGS)]
    if len(found) != 1 or _others([name for name in free if name != found[0]], cells):
        return None
    said = tuple(pair for pair in layout.said if pair != ("status", f"column '{found[0]}'"))
    return replace(
        layout,
        scores=(found[0],),
        statuses=tuple(name for name in layout.statuses if name != found[0]),
        said=(*said, ("score", f"column '{found[0]}', of which all cells say passed or failed")),
        ignored=tuple(name for name in layout.ignored if name != found[0]),
    )


def _are_of(words: frozenset[str], pairs: Sequence[set[str]]) -> bool:
    lower = {word.lower() for word in words}
    return bool(lower) and any(lower <= pair for pair in pairs)


def _others(names: Sequence[str], cells: Cells) -> list[str]:
    """The other columns that may be scores: of numbers or such words, and no measurement, id or number of the row."""
    filled = [
        name for name in cells.score_like(names) if (may_be_model(name) or less_is_better(name)) and not names_key(name)
    ]
    counted = {one.name for one in cells.held(filled) if one.counts_rows} if filled else set()
    return [name for name in filled if name not in counted]
