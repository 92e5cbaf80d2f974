"""Files without clusters beside files with them: told apart metric by metric, refused within one.

A table of the rows of both has the text '' as the cluster of rows whose file knows none; no other row has it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.coding import NO_CLUSTER, cluster_refusal, row_name
from scorebars.errors import ScoresError, typed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import ScoreTable


def without_cluster(table: ScoreTable) -> NDArray[np.bool_] | None:
    """The rows whose files have no clusters, where others have; None where no row is such a one."""
    column = table.cluster
    if column is None or len(table.sources) < 2 or not column.n_labels or column.labels[0] != NO_CLUSTER:
        return None
    rows: NDArray[np.bool_] = column.codes == 0
    return rows if rows.any() else None


def without_empty_clusters(table: ScoreTable) -> ScoreTable:
    """The table without its clusters where no row has one."""
    rows = without_cluster(table)
    return replace(table, cluster=None) if rows is not None and rows.all() else table


def refuse_partly_clustered(table: ScoreTable) -> None:
    """Raise a ScoresError where some rows of one metric and variant have a cluster and others do not."""
    rows = without_cluster(table)
    if rows is None or rows.all():
        return
    first = int(np.argmax(rows))
    number = first if table.row is None else int(table.row[first])
    name = row_name(table.sources, number, None if table.file_row is None else int(table.file_row[first]))
    codes = table.model.codes
    apart = not np.intersect1d(codes[rows], codes[~rows]).size
    alone = f", look at its model alone ({typed('--model', str(table.model.labels[codes[first]]))})" if apart else ""
    raise ScoresError(cluster_refusal(name, int(np.count_nonzero(rows)), len(rows), alone))
