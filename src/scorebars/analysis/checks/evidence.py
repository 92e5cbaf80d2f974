"""What the checks look at: the whole table as it stands, and each metric and variant of it, settled as far as it goes.

A table that ``estimate`` would refuse is not left alone: what it was refused for is kept, mended in the least harmful
way, and the rest is looked at as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.clustering import without_cluster
from scorebars.engines.cutting import Rules, cut
from scorebars.engines.missing import macro_mean
from scorebars.errors import ScoresError
from scorebars.results.diagnosis import Holding, mean_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scorebars.contracts import Listing, Part
    from scorebars.contracts.diagnoses import PublishedErrors, Unread, Waiting
    from scorebars.sample import Column, Cut, Cuts, FloatArray, IntArray, Sample, ScoreTable

NAMES: Final = 3
"""Names that a sentence lists before it counts the rest."""
TOLERANCE: Final = 1e-9
"""Two scores that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class Slice:
    """One metric and variant of the table."""

    metric: str
    variant: str
    table: ScoreTable
    """Its rows as they stand."""
    cuts: Cuts | None
    """One sample a model; None where the rows cannot be settled at all."""
    refusals: tuple[str, ...]
    """What ``estimate`` would refuse, in its words; those that could be mended are mended in ``cuts``."""

    @property
    def name(self) -> str:
        """Metric and variant in one text."""
        return " / ".join(text for text in (self.metric, self.variant) if text)

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """The models that have a score, sorted."""
        if self.cuts is None:
            return ()
        missing = _missing_by_model(self.table)
        return tuple(Model(one, missing.get(one.sample.model, 0)) for one in self.cuts.cuts)


@dataclass(frozen=True, eq=False)
class Model:
    """One model's scores in a slice, item by item."""

    cut: Cut
    n_missing: int

    @property
    def name(self) -> str:
        """The model's name."""
        return self.sample.model

    @property
    def sample(self) -> Sample:
        """The scores, sorted by task, cluster, item and run."""
        return self.cut.sample

    @property
    def n_total(self) -> int:
        """Attempts with and without a score: those that count as wrong are in the sample, others were dropped."""
        return self.sample.n_attempts + sum(n for why, n in self.cut.dropped if why == "no score")

    @cached_property
    def start(self) -> IntArray:
        """Place of the first attempt of each item."""
        item = self.sample.item
        return np.concatenate(([0], np.flatnonzero(item[1:] != item[:-1]) + 1)).astype(np.int64)

    @cached_property
    def count(self) -> IntArray:
        """Number of attempts of each item."""
        return np.diff(np.append(self.start, self.sample.n_attempts))

    @cached_property
    def item(self) -> NDArray[np.integer]:
        """Unit code of each item, the same in all models of the slice."""
        return self.sample.item[self.start]

    @cached_property
    def task(self) -> NDArray[np.integer]:
        """Task code of each item."""
        return self.sample.task[self.start]

    @cached_property
    def values(self) -> FloatArray:
        """Mean of each item's runs."""
        return np.asarray(np.add.reduceat(self.sample.score, self.start) / self.count, dtype=np.float64)

    @cached_property
    def mean(self) -> float:
        """Mean over tasks of the mean over items of the mean over runs."""
        return macro_mean(self.sample.task, self.sample.item, self.sample.score)

    @cached_property
    def error(self) -> float:
        """Rough standard error of the mean, from the spread of the items."""
        n = len(self.values)
        return float(self.values.std(ddof=1) / np.sqrt(n)) if n > 1 else float("inf")

    @cached_property
    def rectangle(self) -> FloatArray | None:
        """Scores as items × runs, where all items have the same two or more runs; else None."""
        k = int(self.count[0])
        if k < 2 or np.any(self.count != k):
            return None
        runs = self.sample.run.reshape(-1, k)
        return self.sample.score.reshape(-1, k) if np.all(runs == runs[0]) else None

    def on(self, items: NDArray[np.integer]) -> float:
        """The mean on these items alone."""
        kept = np.isin(self.sample.item, items)
        sample = self.sample
        return macro_mean(sample.task[kept], sample.item[kept], sample.score[kept])

    def shown(self, value: float) -> str:
        """A score of this model as text."""
        return mean_text(value, self.sample.range)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that a check may look at."""

    table: ScoreTable | None
    """All rows of all metrics and variants; None where they form no table."""
    rules: Rules
    slices: tuple[Slice, ...] = ()
    parts: tuple[Part, ...] = ()
    unread: tuple[Unread, ...] = ()
    published: tuple[PublishedErrors, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    refusal: str = ""
    """Why the rows form no table."""
    listings: tuple[Listing, ...] = ()
    """What may be the ids of rows, model by model."""

    def where(self, one: Slice) -> tuple[str, ...]:
        """What a finding on this slice is led by: nothing where it is the only one."""
        return (one.name or "scores without a metric",) if len(self.slices) > 1 else ()

    def holdings(self) -> Iterator[Holding]:
        """What the table holds, model by model."""
        for one in self.slices:
            for model in one.models:
                yield Holding(
                    model=model.name,
                    metric=one.metric,
                    variant=one.variant,
                    n_tasks=len(np.unique(model.task)),
                    n_items=len(model.item),
                    n_runs=(int(model.count.min()), int(model.count.max())),
                    n_attempts=model.n_total - model.n_missing,
                    n_missing=model.n_missing,
                    value=model.mean,
                    score_range=model.sample.range,
                )


def slices_of(table: ScoreTable, rules: Rules) -> tuple[Slice, ...]:
    """Each metric and variant of a table; of columns of values side by side, each column."""
    if table.values is not None:
        alone = ((name, replace(table, score=column, values=None)) for name, column in table.values.items())
        return tuple(replace(one, metric=name) for name, part in alone for one in slices_of(part, rules))
    made = []
    for metric, variant in product(_texts(table.metric), _texts(table.variant)):
        rows = _rows_of(table.metric, metric) & _rows_of(table.variant, variant)
        if np.any(rows):
            part = table if np.all(rows) else table.take(np.broadcast_to(rows, table.n_rows))
            cuts, refusals = _settled(part, rules)
            made.append(Slice(metric, variant, part, cuts, refusals))
    return tuple(made)


def named(names: list[str] | tuple[str, ...]) -> str:
    """The models, tasks or items of a sentence: "'a', 'b', 'c' and 4 more"."""
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    return ", ".join(f"'{name}'" for name in names[:NAMES]) + more


def swaps(before: FloatArray, after: FloatArray) -> list[tuple[int, int]]:
    """Pairs (better, worse) of places in ``before`` whose order is the other one in ``after``."""
    first = before[:, None] - before[None, :]
    second = after[:, None] - after[None, :]
    changed = (first > TOLERANCE) & (second < -TOLERANCE)
    return [(int(better), int(worse)) for better, worse in np.argwhere(changed)]


def _texts(column: Column | None) -> list[str]:
    return [""] if column is None else [str(column.labels[code]) for code in np.unique(column.codes)]


def _rows_of(column: Column | None, text: str) -> NDArray[np.bool_]:
    """Which rows have this text; a single True where the data do not have the role, or just one text."""
    if column is None or column.n_labels == 1:
        return np.ones(1, dtype=bool)
    return np.asarray(column.codes == int(np.flatnonzero(column.labels == text)[0]))


def _missing_by_model(table: ScoreTable) -> dict[str, int]:
    absent = np.isnan(table.score)
    if not absent.any():
        return {}
    counts = np.bincount(table.model.codes[absent], minlength=table.model.n_labels)
    return {str(table.model.labels[code]): int(counts[code]) for code in np.flatnonzero(counts)}


def _settled(table: ScoreTable, rules: Rules) -> tuple[Cuts | None, tuple[str, ...]]:
    """The samples of a table, and what had to be mended for that: one refusal after the other."""
    refusals: list[str] = []
    while True:
        try:
            return cut(table, rules), tuple(dict.fromkeys(refusals))
        except ScoresError as error:
            refusals.append(str(error))
            mended = _mended(table, rules)
            if mended is None:
                return None, tuple(dict.fromkeys(refusals))
            table, rules = mended


def _mended(table: ScoreTable, rules: Rules) -> tuple[ScoreTable, Rules] | None:
    """The next thing that can be mended: the policy, models without a score, conflicts, the scale."""
    if (rows := without_cluster(table)) is not None and not rows.all():
        return replace(table, cluster=None), rules
    if rules.on_error == "fail":
        return table, replace(rules, on_error=None)
    scored = ~np.isnan(table.score)
    if not scored.any():
        return None
    counts = np.bincount(table.model.codes[scored], minlength=table.model.n_labels)
    empty = np.flatnonzero(counts == 0)
    if len(empty) and np.any(idle := np.isin(table.model.codes, empty)):
        return table.take(~idle), rules
    if rules.duplicates == "fail":
        return table, replace(rules, duplicates="first")
    return _on_one_scale(table, rules, table.score[scored])


def _on_one_scale(table: ScoreTable, rules: Rules, scores: FloatArray) -> tuple[ScoreTable, Rules] | None:
    """Without what is said of percent signs, then with the scores' own extremes as their range."""
    if table.percent is not None:
        return replace(table, percent=None), rules
    if rules.range is None and (found := _extremes(scores)) is not None:
        return table, replace(rules, range=found)
    return None


def _extremes(scores: FloatArray) -> tuple[float, float] | None:
    low, high = float(scores.min()), float(scores.max())
    return (low, high) if low < high else None
