"""Ids that look like repeats: '1', '1.1', '1.2', or 'q7_run0', 'q7_run1', one question each.

The check of ``doctor`` and the note of ``estimate`` and ``compare`` say what is found here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.repeated_ids import COVERED, SUFFIX, WORDED, compiled, dotted, step, worth_a_look
from scorebars.errors import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.sample import Cut, Cuts, FloatArray, IntArray

PANDAS: Final = r"^(.+)\.(\d+)$"
MOST_REPEATS: Final = 128
CHANCE: Final = 0.01
LISTED: Final = 4
ATTEMPTS: Final = (
    "give the attempts one item id and a run column, or keep their group as a column and name it with --cluster COLUMN"
)
ATTEMPTS_OR_PASSAGES: Final = (
    "attempts at one item need one item id and a run column; items of one passage need a cluster (--cluster COLUMN)"
)


@dataclass(frozen=True, slots=True)
class Families:
    """Ids that share what stands before their number."""

    of: dict[str, int]
    """Family of each id that has one."""
    n: int
    size: int
    example: tuple[str, ...]
    base: str
    """What the ids of the example have in common."""
    worded: bool
    """A word such as 'run' says that the number is a repeat, or the first one has none, as pandas renames headers."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What there is to say of items whose ids look like repeats."""

    message: str
    remedy: str
    are_attempts: bool
    """Whether they are taken for attempts; else they may be several items of one passage."""
    families: Families


def by_group(cuts: Cuts) -> list[Cuts]:
    """The cuts of each metric, variant or whatever they were cut by."""
    groups: dict[tuple[tuple[str, str], ...], list[Cut]] = {}
    for cut in cuts.cuts:
        groups.setdefault(cut.group, []).append(cut)
    return [replace(cuts, cuts=tuple(each)) for each in groups.values()]


def whose_of(models: Sequence[str]) -> str:
    """Of which models a set of items is, as sentences say it."""
    from scorebars.analysis.checks.evidence import named

    return f" of {named(tuple(models))}"


def suspicion(
    families: Families, n: int, whose: str, slices: Sequence[Cuts], models: Sequence[str]
) -> Suspicion | None:
    """What to say of ``n`` items in such families; None where nothing speaks for repeats but their names.

    Args:
        families: the families of the ids.
        n: how many ids there are.
        whose: " of 'a', 'b'", or '' where all models have them.
        slices: the scores of each metric and variant; none where they cannot be had.
        models: the models that have these items.
    """
    if any(_are_clusters(one, families) for one in slices):
        return None
    what = f"the {n:,} items{whose} are {counted(families.n, 'group')} of {families.size}"
    alike = any(_agree(one, families, models) for one in slices)
    if families.worded and (alike or not slices):
        which = "one item" if families.n == 1 else f"each of {families.n:,} items"
        message = (
            f"{what}, such as {listed(families.example)}: they look like {families.size} attempts at {which}, and "
            "counting each as an item makes the interval too narrow"
        )
        return Suspicion(message, ATTEMPTS, are_attempts=True, families=families)
    if alike or families.worded:
        within = ", and scores within a group are alike" if alike else ""
        message = f"{what} whose ids differ in a last number, such as {listed(families.example)}{within}"
        return Suspicion(message, ATTEMPTS_OR_PASSAGES, are_attempts=False, families=families)
    return None


def listed(names: Sequence[str]) -> str:
    """The first few names, in quotes."""
    return ", ".join(f"'{name}'" for name in names[:LISTED]) + (" …" if len(names) > LISTED else "")


def families_of(labels: list[str], fewest: int = 3) -> Families | None:
    """The groups of some ids, where nearly all come in groups of one size."""
    if not worth_a_look(labels[:: step(len(labels))], fewest):
        return None
    for split, worded in (
        (_renamed(labels), True),
        (_matched(labels, WORDED), True),
        (_matched(labels, SUFFIX), False),
    ):
        found = None if split is None else _grouped(labels, split, fewest, worded=worded)
        if found is not None:
            return found
    return None


def _grouped(labels: list[str], split: list[str | None], fewest: int, *, worded: bool) -> Families | None:
    members: dict[str, list[int]] = {}
    for place, base in enumerate(split):
        if base is not None:
            members.setdefault(base, []).append(place)
    sizes = Counter(len(places) for places in members.values())
    size, n = max(sizes.items(), key=lambda pair: pair[1], default=(0, 0))
    if n < max(fewest, COVERED * len(members)) or not 2 <= size <= MOST_REPEATS or n * size < COVERED * len(labels):
        return None
    of = {labels[place]: number for number, places in enumerate(members.values()) for place in places}
    base, example = next((base, places) for base, places in members.items() if len(places) == size)
    return Families(of, n, size, tuple(labels[place] for place in example), base, worded)


def _renamed(labels: list[str]) -> list[str | None] | None:
    """What stands before '.1', '.2' of ids that are there without it too: '1', '1.1', '1.2'."""
    if not dotted(labels):
        return None
    known, pattern = set(labels), compiled(PANDAS)
    bases: list[str | None] = []
    for label in labels:
        match = pattern.match(label)
        renamed = match is not None and match[1] in known and not match[2].startswith("0")
        bases.append(match[1] if match is not None and renamed else label)
    return bases


def _matched(labels: list[str], pattern: str) -> list[str | None] | None:
    match_of = compiled(pattern).match
    some = labels[:: step(len(labels))]
    if sum(match_of(label) is not None for label in some) < COVERED * len(some):
        return None
    return [match[1] if (match := match_of(label)) else None for label in labels]


def _are_clusters(cuts: Cuts, families: Families) -> bool:
    """Whether clusters keep the families together already."""
    if cuts.cuts[0].sample.cluster is None:
        return False
    _, clusters, items = cuts.item_keys
    cluster_of: dict[int, str] = {}
    pairs = zip(items.tolist(), clusters.tolist(), strict=True)
    known = ((families.of[str(item)], str(cluster)) for item, cluster in pairs if str(item) in families.of)
    return all(cluster_of.setdefault(family, cluster) == cluster for family, cluster in known)


def _agree(cuts: Cuts, families: Families, models: Sequence[str]) -> bool:
    """Whether scores within a group are more alike than chance allows: a one-way analysis of variance of the items."""
    samples = [cut.sample for cut in cuts.cuts if cut.sample.model in models]
    if not samples:
        return False
    texts = cuts.item_keys[2]
    family = np.array([families.of.get(str(text), -1) for text in texts])
    total, seen = np.zeros(len(texts)), np.zeros(len(texts))
    for sample in samples:
        count = np.bincount(sample.item, minlength=len(texts))
        total += np.bincount(sample.item, sample.score, minlength=len(texts)) / np.maximum(count, 1)
        seen += count > 0
    kept = (seen > 0) & (family >= 0)
    return _is_alike(np.unique(family[kept], return_inverse=True)[1].reshape(-1), total[kept] / seen[kept])


def _is_alike(group: IntArray, values: FloatArray) -> bool:
    """The F test of the groups' means."""
    from scipy.special import fdtrc

    sizes = np.bincount(group)
    means = np.bincount(group, values) / sizes
    within, between = float(((values - means[group]) ** 2).sum()), float((sizes * (means - values.mean()) ** 2).sum())
    df, rest = len(sizes) - 1, len(values) - len(sizes)
    if df < 1 or rest < 1 or between <= 0.0:
        return False
    return within == 0.0 or bool(fdtrc(df, rest, between / df / (within / rest)) < CHANCE)
