"""Attempts without a score: counted wrong, dropped, or refused, and what either choice makes of the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.attempts import attempt_name
from scorebars.errors import ScoresError, counted, either
from scorebars.notes import Note, note
from scorebars.sample import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.engines.scale import Range
    from scorebars.sample import FloatArray, IntArray, ScoreTable

POLICIES: Final = ("wrong", "drop", "fail")
"""What may happen to an attempt without a score."""
REMEDY: Final = "; choose with --on-error wrong|drop|fail"
COUNT_WRONG: Final = "count them wrong (--on-error wrong)"


class ScorelessModelError(ScoresError):
    """A model none of whose attempts has a score."""

    said: str = ""
    """The sentence without what helps."""
    left: tuple[str, ...] = ()
    """The models that have scores."""

    def instead(self, ways: Sequence[str] = ()) -> ScorelessModelError:
        """The same error, helped by counting the attempts wrong or by one of these ways, not by leaving the model out.

        For what needs a model beside it, of which there may be none, or which was asked for by its name.
        """
        made = ScorelessModelError("; ".join((self.said, either([COUNT_WRONG, *ways]))))
        made.said, made.left = self.said, self.left
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """Which attempts have no score, and which of those count as wrong."""

    rows: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    fill: float
    """Score of a wrong attempt; NaN where it is not known."""


def settled_missing(table: ScoreTable, policy: str | None, known: Range) -> Missing | None:
    """What becomes of the attempts without a score; None if all have one.

    ``policy`` None is the producer's own rule. What the producer will not have scored (``unscored``) is then dropped.

    Raises:
        ScoresError: No attempt has a score, the policy is to fail, or what counts as wrong has no known value.
    """
    rows = np.isnan(table.score)
    if not rows.any():
        return None
    n = int(np.count_nonzero(rows))
    wrong = rows & _counts_wrong(table, policy)
    if n == len(rows):
        if wrong.all() and known is not None:
            return Missing(rows, wrong, known[0])
        raise ScoresError(_none_scored(table, known))
    if policy == "fail":
        raise ScoresError(
            f"{n} of {len(rows)} attempts have no score, first {attempt_name(table, int(np.argmax(rows)))}; "
            "complete them, or say what they count as (--on-error wrong|drop)"
        )
    fill = _wrong_score(table.score[~rows], known)
    if wrong.any() and np.isnan(fill):
        raise ScoresError(
            f"{n} of {len(rows)} attempts have no score and are to count as wrong, but the scores are not 0-1 and "
            "their range is not known; give it (--range LOW,HIGH), or drop them (--on-error drop)"
        )
    return Missing(rows, wrong, fill)


def _none_scored(table: ScoreTable, known: Range) -> str:
    """Why there is no score at all, and what makes one of it."""
    n, failed = table.n_rows, int(np.count_nonzero(table.status == Status.ERROR))
    none = "the only attempt has no score" if n == 1 else f"none of the {n:,} attempts has a score"
    if not failed:
        return f"{none}; check which column holds the score (--map score=COLUMN)"
    how = "all" if failed == n else f"{failed}"
    remedy = "--on-error wrong" + ("" if known is not None else " --range 0,1")
    return f"{none}: {how} ended in an error, so that only counting them wrong says anything ({remedy})"


def scoreless(table: ScoreTable, policy: str | None) -> dict[str, str]:
    """Model -> how many attempts it has and how they ended, of the models none of whose attempts counts."""
    none = np.isnan(table.score)
    if not none.any():
        return {}
    n = np.bincount(table.model.codes, minlength=table.model.n_labels)
    absent = none & ~_counts_wrong(table, policy)
    left = n - np.bincount(table.model.codes[absent], minlength=len(n))
    ended = {
        "ended in an error": none & (table.status == Status.ERROR),
        "were left without a score by their scorer": none & (table.status == Status.UNSCORED),
    }
    how = {words: np.bincount(table.model.codes[rows], minlength=len(n)) for words, rows in ended.items()}
    return {
        str(table.model.labels[model]): _ended(
            int(n[model]), {words: int(counts[model]) for words, counts in how.items()}
        )
        for model in np.flatnonzero((left == 0) & (n > 0)).tolist()
    }


def _ended(n: int, how: Mapping[str, int]) -> str:
    """'20 attempts, of which all ended in an error'."""
    parts = [f"{'all' if k == n else f'{k:,}'} {words}" for words, k in how.items() if k]
    return f"{counted(n, 'attempt')}{', of which ' if parts else ''}{' and '.join(parts)}"


def missing_notes(
    table: ScoreTable, missing: Missing, rows: IntArray, unit: NDArray[np.integer], known: Range
) -> tuple[Note, ...]:
    """The notes on one model's rows, with the mean over items (macro over tasks) that either choice gives.

    The means are in percent where the range of the score says that it is a fraction, as in every table.
    """
    absent = missing.rows[rows]
    if not absent.any():
        return ()
    task, score = table.task.codes[rows], table.score[rows]
    dropped = macro_mean(task[~absent], unit[rows][~absent], score[~absent])
    wrong = macro_mean(task, unit[rows], np.where(absent, missing.fill, score))
    is_error = table.status[rows][absent] == Status.ERROR
    is_wrong = missing.wrong[rows][absent]
    rates = {
        "wrong": rate_text(wrong, known),
        "dropped": rate_text(dropped, known),
        "if_wrong": wrong,
        "if_dropped": dropped,
    }
    notes = []
    n_error, n = int(np.count_nonzero(is_error)), int(np.count_nonzero(~is_error))
    if n_error:
        also = f"; with {n:,} more without a score" if n else ""
        notes.append(note("error-rows", n=n_error, done=_done(is_wrong[is_error]), also=also, **rates))
    if n:
        also = f"with {n_error:,} in error: " if n_error else ""
        detail = f"{also}{rates['wrong']} if counted wrong, {rates['dropped']} if dropped"
        done = _done(is_wrong[~is_error])
        notes.append(
            note("missing-scores", n=n, total=len(rows), done=done, detail=detail, remedy=REMEDY, **rates),
        )
    return tuple(notes)


def macro_mean(task: NDArray[np.integer], unit: NDArray[np.integer], score: FloatArray) -> float:
    """Mean over tasks of the mean over items of the mean over runs; NaN without scores."""
    if not len(score):
        return float("nan")
    _, first, item = np.unique(unit, return_index=True, return_inverse=True)
    item_means = np.bincount(item, weights=score) / np.bincount(item)
    _, group = np.unique(task[first], return_inverse=True)
    return float(np.mean(np.bincount(group, weights=item_means) / np.bincount(group)))


def _counts_wrong(table: ScoreTable, policy: str | None) -> NDArray[np.bool_]:
    if policy is not None:
        return np.full(table.n_rows, policy == "wrong")
    rules = np.array([source.on_error == "wrong" for source in table.sources])
    if len(rules) == 1:
        by_source = np.full(table.n_rows, rules[0])
    else:
        rows = np.arange(table.n_rows) if table.row is None else table.row
        by_source = rules[np.searchsorted([source.first for source in table.sources], rows, side="right") - 1]
    scored: NDArray[np.bool_] = table.status != Status.UNSCORED
    return by_source & scored


def _wrong_score(score: FloatArray, known: Range) -> float:
    """The lowest possible score; 0 where all scores lie in [0, 1]; NaN where nobody knows."""
    if known is not None:
        return known[0]
    return 0.0 if score.min() >= 0.0 and score.max() <= 1.0 else float("nan")


def _done(wrong: NDArray[np.bool_]) -> str:
    if wrong.all():
        return "counted wrong"
    return "partly counted wrong, partly dropped" if wrong.any() else "dropped"


def rate_text(rate: float, known: Range) -> str:
    """A mean as notes show it: in percent where the range of the score says that it is a fraction."""
    if np.isnan(rate):
        return "unknown"
    is_fraction = known is not None and known[0] >= 0.0 and known[1] <= 1.0
    return f"{100.0 * rate:.1f} %" if is_fraction else f"{rate:.4g}"
