"""Columns that say which of two answers won, in tables without columns of the two models: 'A', 'B', 'tie'; 'ours'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed, mapped, normal
from scorebars.engines.score_text import grade_of
from scorebars.errors import typed
from scorebars.readers.arena import TIES, WINNERS
from scorebars.readers.scoreless import VERDICTS, ScorelessError, words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

_SIDES: Final = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
"""Last words of the names of two sides: 'A', 'Response B', 'answer_1', 'left'."""
_CHOICES: Final = frozenset({*WINNERS, "choice", "chosen", "better", "human_preference", "human_choice", "best"})
"""Headers of the side that won."""


_NAMED: Final = frozenset({*WINNERS, "human_preference", "human_choice", "better", "best"}) - {"vote"}
"""Those under which any two words are sides."""
_HELD_AGAINST: Final = frozenset({"baseline", "base", "old", "control", "reference", "human", "gold", "original"})
"""Words of the side that another one is held against."""


def refuse_sides(layout: Layout, cells: Cells) -> None:
    """Raise a ScorelessError where a column says which of two sides won, with the number of each word."""
    for name in layout.ignored:
        header = normal(name)
        if is_unnamed(name) or (header not in _CHOICES and header not in VERDICTS):
            continue
        words = words_in(name, cells)
        sides, ties = _sides(words), [word for word in words if _is_tie(word)]
        if not sides and header in _NAMED:
            sides = _named_sides(words)
        if sides and (ties or header in _CHOICES):
            raise _refused(name, sides, ties)


def _is_tie(word: str) -> bool:
    return word.strip().lower() in TIES


def _sides(words: Sequence[str]) -> list[tuple[str, int]]:
    """The words of sides with what each counts, the first side 1; none where a word is neither a side nor a tie."""
    rest = [word for word in words if not _is_tie(word)]
    last = [normal(word).split("_")[-1] for word in rest]
    pair = next((pair for pair in _SIDES if last and set(last) <= set(pair)), None)
    if pair is None or len(set(last)) < len(last):
        return []
    return sorted(
        ((word, int(side == pair[0])) for word, side in zip(rest, last, strict=True)), key=lambda one: -one[1]
    )


def _named_sides(words: Sequence[str]) -> list[tuple[str, int]]:
    """The two words of sides with what each counts, the one held against 0; none of words that are grades, or of more.

    >>> _named_sides(["baseline", "ours", "tie"]), _named_sides(["yes", "no"])
    ([('ours', 1), ('baseline', 0)], [])
    """
    rest = sorted(word for word in words if not _is_tie(word))
    if len(rest) != 2 or any(grade_of(word) is not None for word in rest):
        return []
    first, second = sorted(rest, key=lambda word: bool(set(normal(word).split("_")) & _HELD_AGAINST))
    return [(first, 1), (second, 0)]


def _refused(name: str, sides: Sequence[tuple[str, int]], ties: Sequence[str]) -> ScorelessError:
    numbers = ",".join([f"{word}={number}" for word, number in sides] + [f"{tie}=0.5" for tie in ties])
    listed = ", ".join(f"'{word}'" for word in (*(word for word, _ in sides), *ties))
    share = f"the share that '{sides[0][0]}' wins" if sides[0][1] else f"one minus the share that '{sides[0][0]}' wins"
    halves = ", ties half" if ties else ""
    return ScorelessError(
        f"no column is known to hold the score; '{name}' holds {listed}, two sides: as {share}{halves}, "
        f"to hold against 0.5: {mapped({'score': name})} {typed('--category', numbers)}",
        {"score": name},
        options={"--category": numbers},
    )
