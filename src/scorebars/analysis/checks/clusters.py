"""Clusters that do not group: one for all, one for each item, one that holds most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.clusters_named import OTHERS, origin_of
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice
    from scorebars.sample import IntArray

BIG: Final = 0.4
"""Share of the items from which on one cluster decides."""
FEWEST_ITEMS: Final = 10


def clusters(evidence: Evidence) -> Iterator[Finding]:
    """What is odd about the clusters of each slice."""
    for one in evidence.slices:
        finding = _of_slice(one, evidence.where(one), origin_of(evidence.parts))
        if finding is not None:
            yield finding


def _of_slice(one: Slice, where: tuple[str, ...], origin: str) -> Finding | None:
    """The gravest thing to say of a slice's clusters, from the model with the most items."""
    grouped = [model for model in one.models if model.sample.cluster is not None]
    model = max(grouped, key=lambda each: len(each.item), default=None)
    if model is None or model.sample.cluster is None or len(model.item) < FEWEST_ITEMS:
        return None
    codes, sizes = np.unique(model.sample.cluster[model.start], return_counts=True)
    told = _told(one, codes.astype(np.int64), sizes, origin)
    if told is None:
        return None
    code, message, remedy = told
    return Finding(code, Severity.CHANGES if code == "one-cluster" else Severity.KNOW, message, remedy, where)


def _from(origin: str) -> str:
    return f" (from {origin})" if origin else ""


def _told(one: Slice, codes: IntArray, sizes: IntArray, origin: str) -> tuple[str, str, str] | None:
    """(code, what is odd, what to do)."""
    n, items = len(codes), int(sizes.sum())
    share = float(sizes.max()) / items
    if n == 1:
        message = f"all {items:,} items are in one cluster, so nothing can be said about other clusters"
        remedy = (
            "name another column with --cluster COLUMN, or leave clusters out if items are unrelated (--cluster none)"
        )
        return "one-cluster", message, remedy
    if n == items:
        message = f"each of the {items:,} items is a cluster of its own, as if no two were related"
        remedy = "name the column of what items share, such as a passage or repository, with --cluster COLUMN"
        return "lone-clusters", message, remedy
    if share > BIG:
        message = (
            f"one of the {n:,} clusters, '{_name(one, int(codes[np.argmax(sizes)]))}', holds {int(sizes.max()):,} of "
            f"{items:,} items ({100 * share:.0f} %): the score is mostly its score"
        )
        return "big-cluster", message, "report it on its own (--by cluster) beside the whole"
    if n < notes.FEW_CLUSTERS:
        message = f"there are only {n} clusters{_from(origin)}, too few to say much about others"
        return "few-clusters", message, f"collect {notes.FEW_CLUSTERS} or more, or find a finer grouping; {OTHERS}"
    return None


def _name(one: Slice, code: int) -> str:
    """Text of a cluster code, which counts tasks and clusters together."""
    if one.cuts is None:
        return str(code)
    for model in one.models:
        sample = model.sample
        if sample.cluster is not None and np.any(rows := sample.cluster == code):
            return str(one.cuts.item_keys[1][sample.item[np.argmax(rows)]])
    return str(code)
