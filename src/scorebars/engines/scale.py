"""The range of a score, and scores on two scales in one table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from scorebars.engines.attempts import attempt_name
from scorebars.engines.coding import row_name
from scorebars.errors import ScoresError
from scorebars.kernels.distinct import distinct
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import FloatArray, IntArray, ScoreTable, Source

Range: TypeAlias = "tuple[float, float] | None"

UNIT: Final = (0.0, 1.0)
_UNIT_METRICS: Final = frozenset(
    {
        "acc", "acc_norm", "acc_bytes", "accuracy", "balanced_accuracy", "exact_match", "em", "f1", "macro_f1",
        "micro_f1", "precision", "recall", "correct", "is_correct", "passed", "pass", "resolved", "is_resolved",
        "success", "is_success", "success_rate", "pass_rate", "solved", "prefix_match", "quasi_exact_match",
        "match", "includes", "mcc_accuracy", "top1", "top5", "auroc", "auc", "ndcg", "mrr", "map",
    }
)  # fmt: skip
_PASS_AT = re.compile(r"pass[@^]\d+")

LOW_TOP: Final = 1.0
"""A score up to here may be a fraction."""
HIGH_BOTTOM: Final = 10.0
"""A score from here on cannot be a fraction, nor on the usual 1-5 and 0-10 scales below their top."""
HIGH_TOP: Final = 100.0
HIGH_REACH: Final = 20.0
"""Percentages somewhere reach this; 0-10 scales do not."""
SHARE: Final = 0.2
"""Each scale must hold this share of the scores that are not 0."""
QUARTILES_APART: Final = 0.1
"""On one scale, none of the quartiles of two groups of one quantity is further apart, but for chance."""
BETWEEN: Final = 0.15
"""Percentages between 1 and 10, for each one above, at most, but for chance; of evenly spread ones there are 0.1."""
EVEN: Final = 0.1
CHANCE: Final = 2.0
"""Standard errors that chance is allowed, of evenly spread scores: the median of 40 is within .16 of the middle."""
MANY: Final = 20
"""Scores on each scale before quartiles are compared."""
_QUARTILES: Final = (0.25, 0.5, 0.75)
RAW_REACH: Final = 1000.0
"""Returns somewhere reach this before they are taken to be raw."""
RAW_APART: Final = 100.0
"""Returns of two tasks on one scale are within this factor of each other."""
FACTOR: Final = 5.0
"""On one scale, the two groups' means must agree within this factor: one number written in two ways."""


def is_unit_metric(metric: str) -> bool:
    """Whether a metric of this name lies in [0, 1] wherever it is not written as a percentage."""
    name = metric.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("mean_").removesuffix("_mean")
    return name in _UNIT_METRICS or _PASS_AT.fullmatch(name) is not None


def is_binary(score: FloatArray) -> bool:
    """Whether every score is 0 or 1."""
    return bool(np.all((score == 0.0) | (score == 1.0)))


def known_range(table: ScoreTable, given: Range, metric: str) -> Range:
    """Lowest and highest possible score; None where nobody said. Never the data's own extremes.

    In this order: what the caller said; 0/1 data; what every source says; what the metric's name or a percent sign in
    every score says, if all scores fit.
    """
    scored = ~np.isnan(table.score)
    score = table.score if scored.all() else table.score[scored]
    if given is not None:
        _refuse_outside(table, given)
        return given
    if len(score) and is_binary(score):
        return UNIT
    said = {source.score_range for source in _sources_with_rows(table)}
    if len(said) == 1 and None not in said:
        agreed = said.pop()
        if agreed is not None and len(score) and agreed[0] <= score.min() and score.max() <= agreed[1]:
            return agreed
    fits = len(score) > 0 and score.min() >= 0.0 and score.max() <= 1.0
    signed = table.percent is not None and bool(np.all(table.percent[scored]))
    return UNIT if fits and (signed or is_unit_metric(metric)) else None


def _sources_with_rows(table: ScoreTable) -> list[Source]:
    """The sources that rows of this table are from: others, of another metric, say nothing of its range."""
    if len(table.sources) == 1:
        return [table.sources[0]]
    return [table.sources[code] for code in distinct(_source_codes(table))]


def _refuse_outside(table: ScoreTable, given: tuple[float, float]) -> None:
    outside = (table.score < given[0]) | (table.score > given[1])
    if outside.any():
        row = int(np.argmax(outside))
        raise ScoresError(
            f"score {table.score[row]:g} of {attempt_name(table, row)} is outside the range {given[0]:g} to "
            f"{given[1]:g} ({np.count_nonzero(outside)} of {table.n_rows} are); give the range that the score can have"
        )


def refuse_mixed_scale(table: ScoreTable, metric: str) -> None:
    """Refuse fractions and percentages in one metric and task, within a model, between files or between models.

    A task is judged only if its items have ids of their own (returns of RL runs are often tiny beside large) and by a
    rule that a graded score rarely meets: at least a fifth of the scores that are not 0 lie in (0, 1] and another fifth
    in [10, 100], with none between 1 and 10, none above 100 or below 0, one of 20 or more, and with the mean of the
    lower group within a factor of five of the upper one's divided by 100. With a few between 1 and 10, the lower group
    and the rest, divided by 100, must have the same quartiles but for chance.
    """
    score = table.score
    if not np.any(score >= HIGH_REACH) or not np.any((score > 0.0) & (score <= LOW_TOP)):
        return
    for task in distinct(table.task.codes):
        rows = np.flatnonzero((table.task.codes == task) & ~np.isnan(score))
        if len(distinct(table.item.codes[rows])) > 1 and (pair := _two_scales(table, rows)):
            _refuse_pair(table, pair, metric)


def refuse_mixed_signs(table: ScoreTable, metric: str) -> None:
    """Refuse '85%', which is 0.85, beside 62 in one metric and task: one of the two is a hundred times too large.

    Beside numbers up to 1 a percentage is one more fraction, and no sign is missing.
    """
    if table.percent is None:
        return
    bare = ~table.percent & (table.score > LOW_TOP)
    signed = table.percent & ~np.isnan(table.score)
    tasks = table.task.codes
    both = np.intersect1d(tasks[bare], tasks[signed])
    if len(both):
        first, other = (int(np.argmax(rows & (tasks == both[0]))) for rows in (signed, bare))
        what = f" of metric '{metric}'" if metric else ""
        raise ScoresError(
            f"mixed scale: scores{what} with a percent sign beside numbers without: '{100 * table.score[first]:g}%', "
            f"which is {table.score[first]:g}, in {_row_name(table, first)} ({attempt_name(table, first)}), and "
            f"{table.score[other]:g} in {_row_name(table, other)} ({attempt_name(table, other)}); write the sign in "
            f"every cell or in none ({np.count_nonzero(table.percent):,} of {table.n_rows:,} have it)"
        )


def _row_name(table: ScoreTable, row: int) -> str:
    number = row if table.row is None else int(table.row[row])
    return row_name(table.sources, number, None if table.file_row is None else int(table.file_row[row]))


@dataclass(frozen=True, slots=True)
class _Pair:
    """One row on each scale."""

    low: int
    high: int


def _two_scales(table: ScoreTable, rows: IntArray) -> _Pair | None:
    """A row on either scale, if the scores of a task, or those of its models and files, are on two."""
    score = table.score[rows]
    if score.min() < 0.0 or score.max() > HIGH_TOP:
        return None
    low, high = (score > 0.0) & (score <= LOW_TOP), score >= HIGH_BOTTOM
    if _alike(score, low, high) or _same_twice(score, low, high):
        return _Pair(int(rows[np.argmax(low)]), int(rows[np.argmax(high)]))
    return _groups_on_two_scales(table, rows)


def _alike(score: FloatArray, low: NDArray[np.bool_], high: NDArray[np.bool_]) -> bool:
    """Whether nothing lies between, both groups are large enough, and their means agree after division by 100."""
    if np.any((score > LOW_TOP) & (score < HIGH_BOTTOM)):
        return False
    n_low, n_high = np.count_nonzero(low), np.count_nonzero(high)
    if min(n_low, n_high) < SHARE * np.count_nonzero(score) or score.max() < HIGH_REACH:
        return False
    ratio = score[high].mean() / 100.0 / score[low].mean()
    return bool(1.0 / FACTOR <= ratio <= FACTOR)


def _same_twice(score: FloatArray, low: NDArray[np.bool_], high: NDArray[np.bool_]) -> bool:
    """Whether the low scores are spread as all others are after division by 100, percentages below 10 included.

    Compared are the quartiles, since scores of one quantity in two units have the same ones. Those of scores whose
    logarithm is spread evenly are the same too, but of these as many lie between 1 and 10 as above.
    """
    percent = score[(score > LOW_TOP) | (score == 0.0)] / 100.0
    percent = percent[percent > 0.0]
    n_low, n_high = np.count_nonzero(low), np.count_nonzero(high)
    n_between = np.count_nonzero(score) - n_low - n_high
    most_between = BETWEEN * n_high + CHANCE * np.sqrt(EVEN * n_high)
    if min(n_low, n_high) < max(SHARE * np.count_nonzero(score), MANY) or n_between > most_between:
        return False
    apart = np.quantile(percent, _QUARTILES) - np.quantile(score[low], _QUARTILES)
    parts = np.array(_QUARTILES)
    errors = np.sqrt(parts * (1.0 - parts) * (1.0 / len(percent) + 1.0 / n_low))
    return bool(np.all(np.abs(apart) <= np.maximum(QUARTILES_APART, CHANCE * errors)))


def note_on_tasks(table: ScoreTable) -> tuple[Note, ...]:
    """``mixed-scale`` where items of one task are scored within 0 and 1 and those of another up to 100.

    A table of runs without items has returns, of which each task has its own scale.
    """
    n_tasks = table.task.n_labels
    if n_tasks < 2 or table.item.n_labels < 2:
        return ()
    if table.percent is not None and (said := _note_on_signs(table, table.percent)):
        return said
    if not np.any(table.score >= HIGH_REACH):
        return ()
    highest, lowest = np.full(n_tasks, -np.inf), np.full(n_tasks, np.inf)
    np.fmax.at(highest, table.task.codes, table.score)
    np.fmin.at(lowest, table.task.codes, table.score)
    low = np.flatnonzero((lowest >= 0.0) & (highest > 0.0) & (highest <= LOW_TOP))
    high = np.flatnonzero((lowest >= 0.0) & (highest >= HIGH_REACH) & (highest <= HIGH_TOP))
    if not len(low) or not len(high):
        return ()
    labels = table.task.labels
    detail = (
        f"those of task '{labels[low[0]]}' lie within 0 and 1, those of task '{labels[high[0]]}' reach "
        f"{highest[high[0]]:g}: a mean over tasks mixes them"
    )
    return (note("mixed-scale", detail=detail),)


def _note_on_signs(table: ScoreTable, signed: NDArray[np.bool_]) -> tuple[Note, ...]:
    """``mixed-scale`` where the scores of one task have a percent sign and those of another are above 1 without."""
    bare = ~signed & (table.score > LOW_TOP)
    if not bare.any():
        return ()
    first, other = (int(np.argmax(rows)) for rows in (signed, bare))
    names = table.task.labels[table.task.codes[[first, other]]]
    detail = (
        f"those of task '{names[0]}' have a percent sign ('{100 * table.score[first]:g}%' is {table.score[first]:g}), "
        f"those of task '{names[1]}' have none and reach {table.score[other]:g}: a mean over tasks mixes them"
    )
    return (note("mixed-scale", detail=detail),)


def note_on_returns(table: ScoreTable) -> tuple[Note, ...]:
    """``raw-scores`` where returns of several tasks, each on a scale of its own, are about to be averaged.

    A reader that knows its scores to be raw says so; of others, returns (no items) are taken to be raw where those of
    one task reach thousands and those of another not a hundredth of it.
    """
    if table.task.n_labels < 2:
        return ()
    largest = np.zeros(table.task.n_labels)
    np.fmax.at(largest, table.task.codes, np.abs(table.score))
    tasks = distinct(table.task.codes)  # of the models that were chosen
    largest, names = largest[tasks], table.task.labels[tasks]
    if len(tasks) < 2:
        return ()
    sources = [table.sources[code] for code in distinct(_source_codes(table)).tolist()]
    said = {source.own_scales for source in sources} - {""}
    apart = largest.max() >= RAW_REACH and largest.min() * RAW_APART <= largest.max()
    if not said and (table.item.n_labels > 1 or table.run is None or not apart):
        return ()
    low, high = int(np.argmin(largest)), int(np.argmax(largest))
    return (
        note(
            "raw-scores",
            n=len(tasks),
            smallest=names[low],
            low=largest[low],
            largest=names[high],
            high=largest[high],
            remedy=_one_scale(said, {source.suite for source in sources}),
        ),
    )


def _one_scale(said: set[str], suites: set[str]) -> str:
    """What brings returns to one scale: a built-in table knows the tasks of one benchmark."""
    if not said:
        return "normalise them first"
    if len(suites) == 1:
        return min(said)
    return (
        "they are of several benchmarks, so bring them to one scale with a table of your own (--normalize FILE, with "
        "the columns task,low,high)"
    )


def _groups_on_two_scales(table: ScoreTable, rows: IntArray) -> _Pair | None:
    """One model or file all in [0, 1] beside another that has percentages: each as a whole, zeros included."""
    for code in (table.model.codes[rows], _source_codes(table)[rows]):
        low: list[IntArray] = []
        high: list[IntArray] = []
        for value in np.unique(code):
            group = rows[code == value]
            scores = table.score[group]
            if len(group) >= 4 and scores.max() <= LOW_TOP and scores.max() > 0.0:
                low.append(group)
            elif len(group) >= 4 and scores.max() >= HIGH_REACH and not np.any((scores > 0.0) & (scores < LOW_TOP)):
                high.append(group)
        for one in low:
            for other in high:
                ratio = table.score[other].mean() / 100.0 / table.score[one].mean()
                if 1.0 / FACTOR <= ratio <= FACTOR:
                    top = [int(group[np.argmax(table.score[group])]) for group in (one, other)]
                    return _Pair(*top)
    return None


def _source_codes(table: ScoreTable) -> IntArray:
    rows = np.arange(table.n_rows) if table.row is None else table.row
    return np.searchsorted([source.first for source in table.sources], rows, side="right") - 1


def _refuse_pair(table: ScoreTable, pair: _Pair, metric: str) -> None:
    what = f" of metric '{metric}'" if metric else ""
    high = table.score.max(initial=0.0, where=~np.isnan(table.score))
    raise ScoresError(
        f"mixed scale: the scores{what} are on 0-1 and on 0-100: {table.score[pair.low]:g} "
        f"({attempt_name(table, pair.low)}) and {table.score[pair.high]:g} ({attempt_name(table, pair.high)}); "
        f"bring them to one scale, or if they are right say so with the range (--range 0,{max(high, 100.0):g})"
    )
