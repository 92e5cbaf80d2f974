"""Groups that are arms of an experiment, and no clusters of items: 'control' and 'treatment' under the header 'group'.

An item belongs to one cluster. Where each item stands in each group, or the groups have names of what is compared, the
header alone does not say that they are clusters; items of several clusters that bear the same ids look alike, so that
this is asked about. Groups of models (a model stands in one alone) are no clusters of items either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from scorebars.engines.coding import combined
from scorebars.engines.headers import normal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.sample import Column

GROUP: Final = "group"
"""The header that may be of arms by what stands in the rows alone."""
_HEADERS: Final = frozenset({GROUP, "cluster"})
"""Headers of clusters that say nothing of what these are, as 'passage' and 'repo' do."""
CROSSED: Final = 0.8
"""Share of all pairs of an item and a group from which on the two are crossed."""
MOST_NAMED: Final = 6
"""Groups up to which their names say that they are arms."""
_ONE: Final = frozenset({"control", "placebo", "untreated"})
_OTHER: Final = frozenset({"treatment", "treated", "treat", "intervention", "experimental", "experiment", "test"})
_BASELINES: Final = frozenset({"baseline", "vanilla", "ours"})
"""Names of arms that need no other beside them."""
Kind = Literal["crossed", "named", "models", ""]
"""Why groups are no clusters of items: each item is in each; their names; each model is in one. '' if they may be."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """How many different items, groups and models there are, and pairs of them."""

    items: int
    groups: int
    models: int
    in_groups: int
    """Pairs of an item and a group."""
    of_models: int
    """Pairs of a model and a group."""


def may_be_arms(header: str) -> bool:
    """Whether clusters by this header may be arms.

    >>> may_be_arms("Group"), may_be_arms("passage")
    (True, False)
    """
    return normal(header) in _HEADERS


def are_arms(texts: Sequence[str]) -> bool:
    """Whether a few groups have names of arms.

    >>> are_arms(["control", "treatment"]), are_arms(["Baseline", "cot"]), are_arms(["control", "algebra"])
    (True, True, False)
    """
    names = {text.strip().lower().rstrip("0123456789").rstrip("_- .") for text in texts}
    return 1 < len(texts) <= MOST_NAMED and bool(names & _BASELINES or (names & _ONE and names & _OTHER))


def why_no_clusters(header: str, counts: Crossing, texts: Sequence[str]) -> Kind:
    """Why groups under a header that may be of arms are no clusters of items; '' if they may be.

    Args:
        header: The header.
        counts: How they stand beside items and models.
        texts: The groups; of many, some.
    """
    if counts.groups < 2:
        return ""
    named = counts.groups <= MOST_NAMED and are_arms(texts)
    crossed = counts.in_groups >= CROSSED * counts.items * counts.groups
    if 1 < counts.models == counts.of_models and (named or crossed):
        return "models"
    if normal(header) == GROUP and crossed and counts.items >= 2 * counts.groups:
        return "crossed"
    return "named" if named else ""


def of_columns(header: str, coded: Mapping[str, Column]) -> Kind:
    """The same of rows in memory.

    Args:
        header: The header of the groups.
        coded: Role -> (n,) codes, of the group as 'cluster', the model, the item and the task, if there is one.
    """
    group = coded["cluster"]
    has = group.codes >= 0
    groups = group.codes[has]
    items = coded["item"].codes[has].astype(np.int64)
    if "task" in coded:
        items = combined(items + 1, coded["task"].codes[has] + 1, coded["task"].n_labels + 1)
    items = np.unique(items, return_inverse=True)[1].astype(np.int64)
    model = coded["model"].codes[has].astype(np.int64)
    counts = Crossing(
        int(items.max(initial=-1)) + 1,
        len(np.unique(groups)),
        len(np.unique(model)),
        len(np.unique(combined(items, groups, group.n_labels))),
        len(np.unique(combined(model, groups, group.n_labels))),
    )
    return why_no_clusters(header, counts, group.labels.tolist() if counts.groups <= MOST_NAMED else ())
