"""The draws of the textbook functions, in blocks that are the stream of the one-shot formula."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scorebars.notes import DEFAULT_SEED
from scorebars.textbook.metrics import vectorised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    Seed: TypeAlias = Any
    """Anything that ``numpy.random.default_rng`` takes; None is the library's fixed default seed."""

BLOCK = 1 << 18
"""Index draws held at a time: 2 MiB of indices and as much of scores, about a cache."""


def resampled_means(columns: tuple[FloatArray, ...], rng: Seed, n_boot: int) -> FloatArray:
    """Mean of each column in each resample, the same units drawn for all columns; shape (columns, n_boot)."""
    n = len(columns[0])
    means = np.empty((len(columns), n_boot))
    start = 0
    for idx in _index_blocks(rng, n, n_boot, (n,)):
        stop = start + len(idx)
        for column, out in zip(columns, means, strict=True):
            out[start:stop] = column.take(idx).mean(axis=1)
        start = stop
    return means


def from_counts(metric: Any, table: FloatArray, reps: int, rng: Seed) -> FloatArray | None:
    """The metric of each resample from how often it has each score; None where it cannot be had from that."""
    if not hasattr(metric, "counted") or metric.columns != ("score",):
        return None
    from scorebars.kernels.drawing import Attempts, Rows, drawn_values

    runs, tasks = table.shape
    task, one = np.repeat(np.arange(tasks), runs), np.ones(table.size)
    statistic = metric.counted(
        Attempts(
            columns={"score": table.T.ravel()},
            unit=np.arange(table.size),
            weight=one,
            share=one / runs,
            item=task,
            task=task,
            n_tasks=tasks,
            level="run",
            n_units=table.size,
            draws=table.size,
        )
    )
    if statistic is None:
        return None
    rows = Rows(np.tile(np.arange(tasks) * runs, runs), np.full(table.size, runs), np.zeros(table.size, dtype=np.int32))
    if runs == 1:  # nothing is left to chance
        none = np.empty(0, dtype=np.int64)
        rows = Rows(none, none, np.ones(table.size, dtype=np.int32))
    return drawn_values(rows, reps, _generator(rng), statistic)


def from_tables(metric: Any, table: FloatArray, reps: int, rng: Seed) -> FloatArray:
    """The metric of each resample from its scores."""
    apply = vectorised(metric, table)
    tasks = np.arange(table.shape[1])
    values: list[FloatArray] = []
    for idx in _index_blocks(rng, table.shape[0], reps, table.shape):
        values.append(apply(table[idx, tasks], sum(map(len, values))))
    return np.concatenate(values)


def _index_blocks(rng: Seed, n: int, n_boot: int, shape: tuple[int, ...]) -> Iterator[NDArray[np.int64]]:
    """``default_rng(rng).integers(0, n, size=(n_boot, *shape))`` in consecutive blocks along its first axis."""
    generator = _generator(rng)
    rows = max(1, BLOCK // math.prod(shape))
    for start in range(0, n_boot, rows):
        yield generator.integers(0, n, size=(min(rows, n_boot - start), *shape))


def _generator(rng: Seed) -> np.random.Generator:
    return np.random.default_rng(DEFAULT_SEED if rng is None else rng)
