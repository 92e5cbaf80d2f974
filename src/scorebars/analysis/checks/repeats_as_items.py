"""Repeats counted as items: ids such as '1', '1.1', '1.2', or 'q7_run0', 'q7_run1', one question each."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.engines.coding import combined
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.analysis.checks.evidence import Evidence, Slice
    from scorebars.sample import FloatArray, IntArray, ScoreTable

WORDS: Final = (
    "run|rep|repeat|repetition|epoch|sample|attempt|trial|seed|try|iter|iteration|gen|generation|rollout|replica"
)
_WORDED: Final = re.compile(rf"^(.+?)[\s._\-/#:@(\[]+(?:{WORDS})s?[\s._\-#:=]*(\d+)[)\]]?$", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"^(.+?)([._\-#/:@ ]\(?)(\d+)\)?$")
_PANDAS: Final = re.compile(r"^(.+)\.(\d+)$")
GLANCE: Final = 500
"""Ids that are looked at before all of them are."""
MOST_REPEATS: Final = 128
COVERED: Final = 0.8
"""Share of the ids that must come in such groups."""
CHANCE: Final = 0.01
MOST_SETS: Final = 20
"""Different sets of ids that are looked at."""


@dataclass(frozen=True, slots=True)
class _Families:
    """Ids that share what stands before their number."""

    of: dict[str, int]
    """Family of each id that has one."""
    n: int
    size: int
    example: tuple[str, ...]
    worded: bool
    """A word such as 'run' says that the number is a repeat, or the first one has none, as pandas renames headers."""


def repeats_as_items(evidence: Evidence) -> Iterator[Finding]:
    """Items, and models, whose ids come in groups of equal size that differ in a last number."""
    table = evidence.table
    if table is None:
        return
    if table.run is None:
        for models, labels in _item_sets(table):
            families = _families(labels)
            if families is not None:
                yield from _items(evidence, families, models, len(labels))
    names = [str(table.model.labels[code]) for code in np.unique(table.model.codes)]
    found = _families(names, fewest=2)
    if found is not None and found.worded:
        yield Finding(
            "repeats-as-models",
            Severity.CHANGES,
            f"the {len(names)} models come in {found.n} groups of {found.size}, such as {_listed(found.example)}: they "
            f"look like repeats of {found.n} models",
            "make them runs: one row an attempt, with a model and a run column",
        )


def _item_sets(table: ScoreTable) -> list[tuple[list[str], list[str]]]:
    """(models, item ids) for each of the different sets of ids that models have."""
    n_items = table.item.n_labels
    pairs = np.unique(combined(table.model.codes, table.item.codes, n_items))
    model, item = np.divmod(pairs, n_items)
    starts = np.flatnonzero(np.diff(model, prepend=-1))
    sets: dict[bytes, tuple[list[str], list[str]]] = {}
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(model)], strict=True):
        codes = item[start:stop]
        key = codes.tobytes()
        if key not in sets and len(sets) < MOST_SETS:
            sets[key] = ([], [str(label) for label in table.item.labels[codes]])
        if key in sets:
            sets[key][0].append(str(table.model.labels[model[start]]))
    return list(sets.values())


def _items(evidence: Evidence, found: _Families, models: list[str], n: int) -> Iterator[Finding]:
    every = len(models) == len(evidence.slices[0].models) if evidence.slices else True
    whose = "" if every else f" of {named(models)}"
    what = f"the {n:,} items{whose} are {found.n:,} groups of {found.size}"
    alike = any(_agree(one, found, models) for one in evidence.slices)
    if found.worded and (alike or not evidence.slices):
        yield Finding(
            "repeats-as-items",
            Severity.CHANGES,
            f"{what}, such as {_listed(found.example)}: they look like {found.size} attempts at each of {found.n:,} "
            "items, and counting each as an item makes the interval too narrow",
            "give the attempts one item id and a run column, or keep their group as a column and name it with "
            "--cluster COLUMN",
            data={"groups": found.n, "size": found.size},
        )
    elif alike or found.worded:
        within = ", and scores within a group are alike" if alike else ""
        yield Finding(
            "repeats-as-items",
            Severity.KNOW,
            f"{what} whose ids differ in a last number, such as {_listed(found.example)}{within}",
            "attempts at one item need one item id and a run column; items of one passage need a cluster "
            "(--cluster COLUMN)",
            data={"groups": found.n, "size": found.size},
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:4]) + (" …" if len(names) > 4 else "")


def _families(labels: list[str], fewest: int = 3) -> _Families | None:
    """The groups of some ids, where nearly all come in groups of one size."""
    for split, worded in (
        (_pandas(labels), True),
        (_matched(labels, _WORDED), True),
        (_matched(labels, _SUFFIX), False),
    ):
        if split is None:
            continue
        members: dict[str, list[int]] = {}
        for place, base in enumerate(split):
            if base is not None:
                members.setdefault(base, []).append(place)
        sizes = Counter(len(places) for places in members.values())
        size, n = max(sizes.items(), key=lambda pair: pair[1], default=(0, 0))
        if n < max(fewest, COVERED * len(members)) or not 2 <= size <= MOST_REPEATS or n * size < COVERED * len(labels):
            continue
        of = {labels[place]: number for number, places in enumerate(members.values()) for place in places}
        example = next(places for places in members.values() if len(places) == size)
        return _Families(of, n, size, tuple(labels[place] for place in example), worded)
    return None


def _pandas(labels: list[str]) -> list[str | None] | None:
    """What stands before '.1', '.2' of ids that are there without it too: '1', '1.1', '1.2'."""
    if not any("." in label for label in labels[:GLANCE]):
        return None
    known = set(labels)
    bases: list[str | None] = []
    for label in labels:
        match = _PANDAS.match(label)
        renamed = match is not None and match[1] in known and not match[2].startswith("0")
        bases.append(match[1] if match is not None and renamed else label)
    return bases


def _matched(labels: list[str], pattern: re.Pattern[str]) -> list[str | None] | None:
    some = labels[:: max(1, len(labels) // GLANCE)]
    if sum(pattern.match(label) is not None for label in some) < COVERED * len(some):
        return None
    return [match[1] if (match := pattern.match(label)) else None for label in labels]


def _agree(one: Slice, found: _Families, names: list[str]) -> bool:
    """Whether scores within a group are more alike than chance allows: a one-way analysis of variance of the items."""
    models = [model for model in one.models if model.name in names]
    if one.cuts is None or not models:
        return False
    texts = one.cuts.item_keys[2]
    family = np.array([found.of.get(str(text), -1) for text in texts])
    total, seen = np.zeros(len(texts)), np.zeros(len(texts))
    for model in models:
        total[model.item] += model.values
        seen[model.item] += 1
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
