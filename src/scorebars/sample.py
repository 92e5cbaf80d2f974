"""The waist: engines and readers end here, statistics begins here.

A :class:`ScoreTable` is a whole score table as integer codes and numbers; a :class:`Sample` is one model's part of it,
sorted by (task, cluster, item, run) as text, with units whose codes mean the same thing in every sample of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scorebars.kernels.zeros_and_ones import count_ones

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.notes import Note

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
CodeArray: TypeAlias = NDArray[np.int32]
TextArray: TypeAlias = NDArray[np.object_]


class Status(IntEnum):
    """How an attempt ended. Only rows without a score are touched by the error policy."""

    OK = 0
    ERROR = 1
    """The attempt broke (exception, timeout of the harness)."""
    MISSING = 2
    """The cell is empty."""
    UNSCORED = 3
    """The producer says that the attempt is not to be scored (Inspect's NaN)."""


@dataclass(frozen=True, eq=False)
class Column:
    """One text column as codes: ``labels[codes]`` are the texts, ``labels`` sorted as text and unique.

    The code −1 stands for an empty cell. Millions of item ids stay where they are until someone asks for ``labels``.
    """

    codes: CodeArray
    n_labels: int
    texts: Callable[[], TextArray]
    """Makes ``labels``; called once at most."""
    origin: tuple[object, ...] | None = None
    """Columns of the same origin share their codes: equal codes are equal texts, however many labels each has."""

    @classmethod
    def of(cls, codes: CodeArray, labels: TextArray) -> Column:
        """A column whose labels are at hand."""
        return cls(codes, len(labels), lambda: labels)

    @classmethod
    def constant(cls, label: str, n_rows: int) -> Column:
        """The same text in every row; takes no memory for its rows."""
        return cls.of(np.broadcast_to(np.zeros(1, np.int32), n_rows), np.array([label], dtype=object))

    @cached_property
    def labels(self) -> TextArray:
        """The different texts, sorted."""
        return self.texts()

    def take(self, rows: NDArray[np.bool_] | IntArray) -> Column:
        """The same column with only these rows; codes keep their meaning."""
        kept = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        if self.codes.strides == (0,) and len(self.codes):
            return Column(np.broadcast_to(self.codes[:1], kept), self.n_labels, lambda: self.labels, self.origin)
        return Column(self.codes[rows], self.n_labels, lambda: self.labels, self.origin)


@dataclass(frozen=True, slots=True)
class Source:
    """Where consecutive rows of a table came from: a file, or one of the objects that were put together."""

    name: str
    """Path as given, or '' for data that were handed over in memory."""
    first: int
    """Number of its first row in the whole table."""
    on_error: str = "drop"
    """The producer's own rule for rows without a score: 'wrong' or 'drop'."""
    score_range: tuple[float, float] | None = None
    created: str | None = None
    """When the results were made, where the file says."""
    own_scales: str = ""
    """Where each task's scores are raw, on a scale of its own: what brings them to one."""
    suite: str = ""
    """The benchmark that all tasks of its returns are of; "" for any other."""
    fixed: bool = False
    """Whether its format fixes what the run is, so that there is no column to name for it."""
    by_place: bool = False
    """Whether its items are the places of rows or of numbers in a list, and no ids."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """All attempts of a selection, one row each, in file order.

    Arrays have the length ``n_rows``. Columns that the data do not have are None.
    """

    model: Column
    task: Column
    item: Column
    score: FloatArray
    """NaN where the attempt has no score; ``status`` says why."""
    status: NDArray[np.int8]
    run: Column | None = None
    cluster: Column | None = None
    weight: FloatArray | None = None
    metric: Column | None = None
    variant: Column | None = None
    fingerprint: IntArray | None = None
    """Equal for two rows of a file that are the same byte for byte."""
    row: IntArray | None = None
    """Number of each row in the table before any selection; None: as they stand."""
    values: dict[str, FloatArray] | None = None
    """Value columns by name, where an attempt has several (a label and a prediction); among them the score, if any."""
    file_row: IntArray | None = None
    """Number of the file's row (from 1) that each row was made from, where one makes several or some are left out."""
    percent: NDArray[np.bool_] | None = None
    """Which scores were written with a percent sign ('85%', read as 0.85); None if none was."""
    sources: tuple[Source, ...] = (Source("", 0),)
    notes: tuple[Note, ...] = ()
    """What was said while the texts became numbers."""

    @property
    def n_rows(self) -> int:
        """Number of attempts."""
        return len(self.score)

    def take(self, rows: NDArray[np.bool_] | IntArray) -> ScoreTable:
        """The same table with only these rows (a mask, or row numbers)."""
        taken: dict[str, Any] = {}
        for name in ("model", "task", "item", "run", "cluster", "metric", "variant"):
            column: Column | None = getattr(self, name)
            taken[name] = None if column is None else column.take(rows)
        for name in ("score", "status", "weight", "fingerprint", "file_row", "percent"):
            values: NDArray[Any] | None = getattr(self, name)
            taken[name] = None if values is None else values[rows]
        if self.values is not None:
            taken["values"] = {name: column[rows] for name, column in self.values.items()}
        if self.row is not None:
            taken["row"] = self.row[rows]
        else:
            taken["row"] = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(self, **taken)

    def source_of(self, row: int) -> tuple[Source, int]:
        """The source of a row of this table, and the row's number in it, counted from 1."""
        number = row if self.row is None else int(self.row[row])
        source = [source for source in self.sources if source.first <= number][-1]
        return source, number - source.first + 1 if self.file_row is None else int(self.file_row[row])


@dataclass(frozen=True, eq=False)
class Sample:
    """One model's scored attempts, sorted by (task, cluster, item, run). No NaN anywhere.

    Codes are shared by all samples cut from one table: the same ``item`` code in two samples is the same unit
    (same task, cluster and item id), whatever else is in them. Arrays have the length ``n_attempts``.
    """

    model: str
    values: dict[str, FloatArray]
    """Named value columns: ``{"score": …}`` for most; several for ratios and corpus metrics."""
    task: CodeArray
    item: CodeArray
    run: CodeArray
    """Codes of run labels; running number within the item where the data have no run column."""
    cluster: CodeArray | None = None
    weight: FloatArray | None = None
    """Weight of the item an attempt belongs to; None: all 1."""
    range: tuple[float, float] | None = None
    """Lowest and highest possible score, where known. Never taken from the data's own extremes."""
    task_labels: tuple[str, ...] = ("",)
    """Text of each task code."""
    cluster_crosses_tasks: bool = False
    run_crosses_items: bool = False

    @property
    def n_attempts(self) -> int:
        """Number of attempts."""
        return len(self.task)

    @property
    def score(self) -> FloatArray:
        """The value column of estimators that need just one."""
        return self.values["score"]

    @cached_property
    def is_binary(self) -> bool:
        """Whether every score is 0 or 1; never of samples with other columns."""
        return self._ones is not None

    @cached_property
    def successes(self) -> int:
        """How many scores are above one half: those that are 1, if all are 0 or 1."""
        return int(np.count_nonzero(self.score > 0.5)) if self._ones is None else self._ones

    @cached_property
    def _ones(self) -> int | None:
        """How many scores are 1, if the others are 0; never of samples with other columns."""
        score = self.values.get("score")
        return None if score is None or len(self.values) > 1 else count_ones(score)

    @cached_property
    def is_plain(self) -> bool:
        """Whether each attempt is an item of its own, of one task, without clusters or weights."""
        if self.cluster is not None or self.weight is not None or not self.n_attempts:
            return False
        # Sorted by task and item: no item is there twice where each is followed by a larger one.
        return bool(self.task[0] == self.task[-1] and np.all(self.item[1:] > self.item[:-1]))

    def take(self, rows: NDArray[np.bool_] | IntArray) -> Sample:
        """The same sample with only these rows (a mask, or sorted row numbers)."""
        return Sample(
            model=self.model,
            values={name: column[rows] for name, column in self.values.items()},
            task=self.task[rows],
            item=self.item[rows],
            run=self.run[rows],
            cluster=None if self.cluster is None else self.cluster[rows],
            weight=None if self.weight is None else self.weight[rows],
            range=self.range,
            task_labels=self.task_labels,
            cluster_crosses_tasks=self.cluster_crosses_tasks,
            run_crosses_items=self.run_crosses_items,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One row of a result in the making: a sample, the group it belongs to, and what happened on the way."""

    sample: Sample
    group: tuple[tuple[str, str], ...] = ()
    """What ``by`` split on, such as (("task", "algebra"),); empty without ``by``."""
    dropped: tuple[tuple[str, int], ...] = ()
    """(why, how many attempts) that are not in the sample."""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """All cuts of a score table, with the texts of the unit codes they share."""

    cuts: tuple[Cut, ...]
    """Sorted by group, then model, as text."""
    item_texts: Callable[[], tuple[TextArray, TextArray, TextArray]]
    """Makes ``item_keys``; only the list of items on which two sides disagree needs millions of texts."""
    notes: tuple[Note, ...] = ()
    """Notes on the whole table."""
    numbered: bool = False
    """Whether items have no ids of their own: their texts are running numbers."""

    @property
    def item_keys(self) -> tuple[TextArray, TextArray, TextArray]:
        """Task, cluster and item text of each item code."""
        return self.item_texts()
