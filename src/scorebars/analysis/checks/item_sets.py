"""Models that were not scored on the same items: some share none, some lack a few, some lack whole tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.by_place import are_places
from scorebars.analysis.checks.evidence import named, swaps
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model, Slice
    from scorebars.sample import IntArray

MOST_SETS: Final = 60
"""Different item sets that are compared pair by pair."""


def item_sets(evidence: Evidence) -> Iterator[Finding]:
    """What differs between the item sets of the models of a slice."""
    for one in evidence.slices:
        if len(one.models) > 1:
            where = evidence.where(one)
            places = are_places(evidence.parts, () if one.cuts is None else one.cuts.notes)
            # Of items that are places in lists of two lengths another check says that they do not pair.
            yield from (found for found in _of_slice(one, where) if not (places and found.code == "attrition"))


def _of_slice(one: Slice, where: tuple[str, ...]) -> Iterator[Finding]:
    groups: dict[bytes, list[Model]] = {}
    for model in one.models:
        groups.setdefault(np.ascontiguousarray(model.item).tobytes(), []).append(model)
    if len(groups) == 1:
        return
    sets = sorted((group[0] for group in groups.values()), key=lambda model: -len(model.item))[:MOST_SETS]
    pair = next(((a, b) for i, a in enumerate(sets) for b in sets[:i] if _is_apart(a, b)), None)
    if pair is not None:
        yield _disjoint(one, pair, where)
    lacking = _lacking_tasks(one)
    if lacking:
        remedy = "compare the models on the tasks that all of them have (--task NAME, repeated)"
        none = "no task is shared by all: compare models that have one in common (--model NAME, repeated)"
        yield Finding("missing-tasks", Severity.CHANGES, lacking, remedy if _common_tasks(one) else none, where)
    shared = _shared_by_all(one)
    if len(shared):
        yield _attrition(one, shared, where)


def _is_apart(a: Model, b: Model) -> bool:
    """Whether two models share a task and none of its items."""
    return bool(np.isin(a.task, b.task).any()) and not bool(np.isin(a.item, b.item).any())


def _disjoint(one: Slice, pair: tuple[Model, Model], where: tuple[str, ...]) -> Finding:
    a, b = sorted(pair, key=lambda model: model.name)
    texts = [f"'{_item(one, int(model.item[0]))}'" for model in (a, b)]
    return Finding(
        "nothing-shared",
        Severity.CHANGES,
        f"'{a.name}' and '{b.name}' share no item (first ids {texts[0]} and {texts[1]}), so nothing can be paired",
        "check that the ids of both mean the same; give the column that does with --map item=COLUMN",
        where,
    )


def _item(one: Slice, code: int) -> str:
    if one.cuts is None:
        return str(code)
    task, _, item = (str(texts[code]) for texts in one.cuts.item_keys)
    return f"{task}/{item}" if task else item


def _lacking_tasks(one: Slice) -> str:
    """Models that lack tasks which others have."""
    tasks = [set(np.unique(model.task).tolist()) for model in one.models]
    everything = set.union(*tasks)
    lacking = [(model, everything - own) for model, own in zip(one.models, tasks, strict=True) if own != everything]
    if not lacking:
        return ""
    labels = one.models[0].sample.task_labels
    most = max(lacking, key=lambda pair: len(pair[1]))
    names = named([str(labels[task]) for task in sorted(most[1])])
    others = f"{len(lacking) - 1:,} more models lack" if len(lacking) > 2 else "another model lacks"
    rest = f", and {others} some" if len(lacking) > 1 else ""
    return (
        f"'{most[0].name}' lacks {len(most[1]):,} of {len(everything):,} tasks ({names}){rest}: means over tasks are "
        "of different tasks"
    )


def _common_tasks(one: Slice) -> set[int]:
    return set.intersection(*(set(np.unique(model.task).tolist()) for model in one.models))


def _shared_by_all(one: Slice) -> IntArray:
    everything, times = np.unique(np.concatenate([model.item for model in one.models]), return_counts=True)
    return np.asarray(everything[times == len(one.models)])


def _attrition(one: Slice, shared: IntArray, where: tuple[str, ...]) -> Finding:
    sizes = [len(model.item) for model in one.models]
    fewest = one.models[int(np.argmin(sizes))]
    own = np.array([model.mean for model in one.models])
    common = np.array([model.on(shared) for model in one.models])
    changed = swaps(own, common)
    message = (
        f"the models rest on different items, {min(sizes):,} ('{fewest.name}') to {max(sizes):,}, with {len(shared):,} "
        "in common"
    )
    if changed:
        better, worse = max(changed, key=lambda pair: own[pair[0]] - own[pair[1]])
        a, b = one.models[better], one.models[worse]
        places = "a pair changes" if len(changed) == 1 else f"{len(changed):,} pairs change"
        message += (
            f"; on those {places} places: '{a.name}' {a.shown(common[better])} and '{b.name}' {b.shown(common[worse])} "
            f"instead of {a.shown(own[better])} and {b.shown(own[worse])}"
        )
    moved = np.abs(own - common)
    far = moved > np.array([model.error for model in one.models])
    if not changed and far.any():
        worst = int(np.argmax(np.where(far, moved, -1.0)))
        model = one.models[worst]
        message += f"; on those '{model.name}' has {model.shown(common[worst])} instead of {model.shown(own[worst])}"
    return Finding(
        "attrition",
        Severity.CHANGES if changed or far.any() else Severity.KNOW,
        message,
        "use compare, which pairs the items that both have, or complete the runs",
        where,
        {"fewest": min(sizes), "most": max(sizes), "shared": len(shared)},
    )
