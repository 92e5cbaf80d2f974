"""Long tables of which no header is known: two columns that are crossed as models and items are speak of a third.

Numbers under unknown headers are taken for models in columns, or one of them for the score. Where a column of words
stands crossed with another one, the table is a long one, and the whole mapping is proposed at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed, less_is_better, mapped, may_be_model
from scorebars.readers.cells import Cells
from scorebars.readers.columns import ROLES, UnclearError
from scorebars.readers.crossing import refuse_unnamed_model
from scorebars.readers.score_columns import NoScoreColumnError
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

COLUMNS: Final = 10
"""Columns that are looked at."""


def as_long(error: UnclearError, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    """The error with the mapping of a long table, where one column of numbers alone may be its score; else as it was.

    Args:
        error: What is said of the table without a known score.
        layout: Its roles, before scores were looked for.
        source: Its cells.
        engine: What reads them.
    """
    free = [name for name in layout.ignored if not is_unnamed(name)]
    if not 1 < len(free) <= COLUMNS:
        return error
    found = {
        score: guess
        for score in _scores(error, free, source, engine)
        if (guess := _guess(score, layout, source, engine))
    }
    # What counts the items beside one score counts the score beside another: the column that is crossed is none.
    taken = {name for guess in found.values() for name in guess.values()}
    rest = [score for score in found if score not in taken]
    if len(rest) != 1:
        return error
    (score,) = rest
    named = found[score] | {"score": score}
    guess = {role: named[role] for role in ROLES if role in named}
    beside = (
        f"each '{named['item']}' stands beside each '{named['model']}'"
        if {"item", "model"} <= set(named)
        else (f"'{named['model']}' tells the rows of an item apart")
    )
    sentence = (
        f"no column is known to hold the score; {beside}, as items do beside models, and '{score}' may be the score: "
        f"name them ({mapped(guess)})"
    )
    kind = NoScoreColumnError if isinstance(error, NoScores) else UnclearError
    return kind(sentence, guess)


def _scores(error: UnclearError, free: list[str], source: Source, engine: Engine) -> list[str]:
    """The columns that may be the score: the proposed one, and those of numbers or of words for right and wrong."""
    numbers = [
        name for name in Cells(source, engine).score_like(free) if may_be_model(name) and not less_is_better(name)
    ]
    proposed = error.guess.get("score")
    return [proposed] if proposed in free and proposed not in numbers else numbers


def _guess(score: str, layout: Layout, source: Source, engine: Engine) -> dict[str, str]:
    """The model and the item if this were the score; nothing where the other columns do not say them."""
    rest = replace(layout, scores=(score,), ignored=tuple(name for name in layout.ignored if name != score))
    try:
        refuse_unnamed_model(rest, source, engine)
    except UnclearError as told:
        return told.guess if "model" in told.guess else {}
    return {}
