"""The waist: engines and readers end here, statistics begins here.

A :class:`ScoreTable` is a whole score table as integer codes and numbers; a :class:`Sample` is one model's part of it,
sorted by (task, cluster, item, run) as text, with units whose codes mean the same thing in every sample of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True)
class Column:
    """One text column as codes: ``labels[codes]`` are the texts, ``labels`` sorted as text and unique."""

    codes: CodeArray
    labels: TextArray


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """All attempts of a selection (one metric, one variant), one row each, in file order.

    Arrays have the length ``n_rows``. ``cluster``, ``run`` and ``weight`` are None where the data have none.
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

    @property
    def n_rows(self) -> int:
        """Number of attempts."""
        return len(self.score)


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
    def is_binary(self) -> bool:
        """Whether every score is 0 or 1."""
        score = self.score
        return bool(np.all((score == 0.0) | (score == 1.0)))

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
    item_keys: tuple[TextArray, TextArray, TextArray]
    """Task, cluster and item text of each item code."""
    notes: tuple[Note, ...] = ()
    """Notes on the whole table."""
