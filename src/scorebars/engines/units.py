"""Unit codes: which rows are attempts at the same item, over all models of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.clustering import without_cluster
from scorebars.engines.coding import combined
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import Column, IntArray, ScoreTable, TextArray


SLIPS: Final = 0.1
"""Up to this share of items in several clusters is a slip; more are ids that start again in each cluster."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitCodes:
    """Codes of the units, ordered by task, cluster and item text: the same code is the same unit in every model."""

    codes: NDArray[np.integer]
    """Unit of each row."""
    n_units: int
    cluster: IntArray | None
    """Cluster of each row: one code a task and cluster text, or one a cluster text where clusters cross tasks."""
    task_of: IntArray | None
    """Task code of each unit; None where all units are of the only task."""
    cluster_of: IntArray | None
    item_of: IntArray | None
    """Item code of each unit; None where unit and item codes are the same."""


def unit_codes(table: ScoreTable, *, cluster_crosses_tasks: bool = False) -> UnitCodes:
    """Units are the different (task, cluster, item); clusters of equal text in two tasks are two, unless they cross.

    Where ids cross tasks and there are no clusters, the item id is the cluster: one question asked in ten languages.
    """
    task, item, cluster = table.task, table.item, table.cluster
    if task.n_labels == 1 and cluster is None:
        return UnitCodes(item.codes, item.n_labels, None, None, None, None)
    group = task.codes.astype(np.int64)
    if cluster is not None:
        group = combined(group, cluster.codes, cluster.n_labels)
    n_groups = task.n_labels * (1 if cluster is None else cluster.n_labels)
    codes, firsts = dense_ranks(combined(group, item.codes, item.n_labels), n_groups * item.n_labels)
    if cluster is not None:
        clusters: IntArray | None = _cluster_codes(cluster, group, n_groups, crosses=cluster_crosses_tasks)
    else:
        clusters = item.codes.astype(np.int64) if cluster_crosses_tasks else None
    return UnitCodes(
        codes=codes,
        n_units=len(firsts),
        cluster=clusters,
        task_of=task.codes[firsts].astype(np.int64),
        cluster_of=None if cluster is None else cluster.codes[firsts].astype(np.int64),
        item_of=item.codes[firsts].astype(np.int64),
    )


def note_on_clusters(table: ScoreTable, units: UnitCodes) -> tuple[Note, ...]:
    """``split-items`` where an item that should be one is two, because its rows name two clusters.

    Ids that start again in each cluster (question 1 of every passage) are in many clusters by right; they are told from
    slips by their number.
    """
    if table.cluster is None or units.cluster_of is None or units.task_of is None or units.item_of is None:
        return ()
    key = combined(units.task_of, units.item_of, table.item.n_labels)
    _, item, n_units_of = np.unique(key, return_inverse=True, return_counts=True)
    split = n_units_of[item.reshape(-1)] > 1
    if without_cluster(table) is not None:  # in the files without clusters an item is in none of them
        split &= units.cluster_of > 0
        n_units_of = np.bincount(item.reshape(-1), weights=units.cluster_of > 0, minlength=len(n_units_of))
        split &= n_units_of[item.reshape(-1)] > 1
    n_split = int(np.count_nonzero(n_units_of > 1))
    if not n_split:
        return ()
    within = _within_a_model(table, units, split, item.reshape(-1))
    if within and n_split > max(1, SLIPS * len(n_units_of)):
        return ()
    first = np.flatnonzero(item == item[np.argmax(split)])
    clusters = ", ".join(f"'{text}'" for text in table.cluster.labels[units.cluster_of[first[:3]]])
    told = (
        "within one model, so that its rows count as different items; give each item one cluster, unless they are "
        "different items"
        if within
        else "two models do not pair on it; give each item one cluster, or leave clusters out if these are groups of "
        "models (--cluster none), unless they are different items"
    )
    return (
        note("split-items", n=n_split, item=table.item.labels[units.item_of[first[0]]], clusters=clusters, detail=told),
    )


def _within_a_model(table: ScoreTable, units: UnitCodes, split: NDArray[np.bool_], item: IntArray) -> bool:
    """Whether some model has an item in two clusters itself."""
    rows = split[units.codes]
    pairs = np.unique(combined(table.model.codes[rows], units.codes[rows], units.n_units))
    model, unit = np.divmod(pairs, units.n_units)
    counts = np.unique(combined(model, item[unit], int(item.max()) + 1), return_counts=True)[1]
    return bool(np.any(counts > 1))


def unit_texts(table: ScoreTable, units: UnitCodes) -> tuple[TextArray, TextArray, TextArray]:
    """Task, cluster and item text of each unit."""
    n = units.n_units
    items = table.item.labels if units.item_of is None else table.item.labels[units.item_of]
    return _texts_of(table.task, units.task_of, n), _texts_of(table.cluster, units.cluster_of, n), items


def dense_ranks(key: IntArray, space: int) -> tuple[IntArray, IntArray]:
    """Rank of each key among the different keys, and the first row of each; ``space``: keys are below it."""
    if space > max(8 * len(key), 4096):  # too sparse for a table of all keys: sort
        _, firsts, ranks = np.unique(key, return_index=True, return_inverse=True)
        return ranks.reshape(-1).astype(np.int64), firsts
    first = np.full(space, len(key), dtype=np.int64)
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
    used = first < len(key)
    return (np.cumsum(used) - 1)[key], first[used]


def _texts_of(column: Column | None, codes: IntArray | None, n: int) -> NDArray[np.object_]:
    if column is None:
        return np.full(n, "", dtype=object)
    return np.full(n, column.labels[0], dtype=object) if codes is None else column.labels[codes]


def _cluster_codes(cluster: Column, group: IntArray, n_groups: int, *, crosses: bool) -> IntArray:
    return cluster.codes.astype(np.int64) if crosses else dense_ranks(group, n_groups)[0]
