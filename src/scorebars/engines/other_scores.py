"""Further columns of scores beside the one that was taken, as the criteria of a judge are: 'accuracy', 'style'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import METRICS, is_unnamed, may_be_model, names_key, normal
from scorebars.engines.unknown_headers import kind_of, names_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Range = tuple[float, float]
    Typed = Callable[[Mapping[str, str]], str]

_NO_SCORES: Final = frozenset({"setting", "task", "rater", "split"})
_CRITERIA: Final = frozenset({"reasoning", "language"})
"""Words of settings and tasks that numbers are grades of."""
_REPEATED: Final = frozenset(
    {"seed", "run", "runs", "attempt", "attempts", "trial", "trials", "rollout", "tries", "retries"}
)
"""Words of numbers of runs, or of how many there were."""
_MOST: Final = 6
"""Columns that are named."""


def may_have_others(score: str) -> bool:
    """Whether a header names one metric among several; 'score' and 'correct' say that they are the score."""
    return normal(score) in METRICS


def may_be_score(header: str) -> bool:
    """Whether numbers under a header may be scores: no ids, runs, settings, measurements or flags.

    >>> may_be_score("helpfulness"), may_be_score("temperature"), may_be_score("n_tokens"), may_be_score("seed")
    (True, False, False, False)
    """
    if is_unnamed(header) or names_key(header) or names_run(header) or not may_be_model(header):
        return False
    if _REPEATED & set(normal(header).split("_")):
        return False
    return kind_of(header) not in _NO_SCORES or normal(header) in _CRITERIA


def alike(score: Range, other: Range) -> bool:
    """Whether numbers of the one range may be on the scale of the other: both ends are apart by half of it at most."""
    half = max(score[1] - score[0], other[1] - other[0]) / 2.0
    return other[0] < other[1] and all(abs(end - of) <= half for end, of in zip(score, other, strict=True))


def told(score: str, others: Sequence[str], mapped: Typed, *, joined: bool) -> dict[str, str]:
    """What the note ``other-scores`` says of the columns.

    Args:
        score: The one that was taken.
        others: The further ones.
        mapped: Makes what to type of a mapping.
        joined: Whether several columns may be named at once, each a metric.
    """
    more = f" and {len(others) - _MOST} more" if len(others) > _MOST else ""
    names = ", ".join(f"'{name}'" for name in others[:_MOST]) + more
    remedy = f"name it ({mapped({'score': others[0]})})"
    if joined:
        remedy += f", or several, each a metric ({mapped({'score': '+'.join((score, *others[:_MOST]))})})"
    return {"column": score, "others": names, "remedy": remedy}
