"""Models, tasks or items with fewer runs than the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model, Slice

_REMEDY = "a mean counts every item once whatever its runs; pass@k, pass^k and the IQM want equally many"


def unequal_runs(evidence: Evidence) -> Iterator[Finding]:
    """Per slice the uppermost level that is uneven: models, else tasks, else items."""
    for one in evidence.slices:
        usual = _usual(one)
        if usual is None:
            continue
        message = _models(one, usual) or _tasks(one, usual) or _items(one, usual)
        if message:
            where = evidence.where(one)
            yield Finding("unequal-runs", Severity.KNOW, message, _REMEDY, where)


def _usual(one: Slice) -> int | None:
    """The commonest number of runs of an item; None where all items have equally many."""
    if not one.models:
        return None
    counts = np.concatenate([model.count for model in one.models])
    numbers, times = np.unique(counts, return_counts=True)
    return None if len(numbers) == 1 else int(numbers[np.argmax(times)])


def _runs(n: int) -> str:
    return f"{n:,} run" if n == 1 else f"{n:,} runs"


def _models(one: Slice, usual: int) -> str:
    """Models that have a number of runs of their own throughout."""
    odd = [model for model in one.models if np.ptp(model.count) == 0 and int(model.count[0]) != usual]
    if not odd or len(odd) == len(one.models):
        return ""
    low, high = min(int(model.count[0]) for model in odd), max(int(model.count[0]) for model in odd)
    has = "has" if len(odd) == 1 else "have"
    span = _runs(low) if low == high else f"{low:,} to {_runs(high)}"
    return f"{named([model.name for model in odd])} {has} {span} an item, others {usual:,}"


def _tasks(one: Slice, usual: int) -> str:
    """Tasks that have another number of runs than most, in every model that has them."""
    found: dict[int, set[int]] = {}
    for model in one.models:
        tasks, place = np.unique(model.task, return_inverse=True)
        low, high = np.full(len(tasks), np.iinfo(np.int64).max), np.zeros(len(tasks), np.int64)
        np.minimum.at(low, place, model.count)
        np.maximum.at(high, place, model.count)
        for task, fewest, most in zip(tasks.tolist(), low.tolist(), high.tolist(), strict=True):
            found.setdefault(task, set()).update((fewest, most))
    even = {task: next(iter(counts)) for task, counts in found.items() if len(counts) == 1}
    odd = {task: n for task, n in even.items() if n != usual}
    if not odd or len(even) < len(found):
        return ""
    labels = one.models[0].sample.task_labels
    listed = ", ".join(f"'{labels[task]}' {n:,}" for task, n in sorted(odd.items())[:5])
    more = f" and {len(odd) - 5:,} more tasks" if len(odd) > 5 else ""
    return f"tasks have different numbers of runs: {listed}{more}, others {usual:,}"


def _items(one: Slice, usual: int) -> str:
    """Items with another number of runs than most."""
    told = [(model, int(np.count_nonzero(model.count != usual))) for model in one.models]
    odd = [(model, n) for model, n in told if n]
    most: tuple[Model, int] = max(odd, key=lambda pair: pair[1])
    low, high = (int(f(model.count[model.count != usual])) for model, _ in [most] for f in (np.min, np.max))
    span = _runs(low) if low == high else f"{low:,} to {_runs(high)}"
    rest = f"; so have items of {len(odd) - 1:,} more models" if len(odd) > 1 else ""
    has = "has" if most[1] == 1 else "have"
    return (
        f"{most[1]:,} of {len(most[0].count):,} items of '{most[0].name}' {has} {span}, the usual number is "
        f"{usual:,}{rest}"
    )
