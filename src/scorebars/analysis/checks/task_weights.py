"""Tasks of unequal size: whether every task counts the same, or every item, decides the score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import swaps
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice


_OUTSIDE: Final = 2.0
"""Standard errors beyond which one mean is outside the interval of the other."""


def task_weights(evidence: Evidence) -> Iterator[Finding]:
    """Slices whose macro and micro means differ by more than noise, or order the models differently."""
    if evidence.rules.pooled:
        return
    for one in evidence.slices:
        finding = _of_slice(one, evidence.where(one))
        if finding is not None:
            yield finding


def _of_slice(one: Slice, where: tuple[str, ...]) -> Finding | None:
    models = [model for model in one.models if len(np.unique(model.task)) > 1]
    if not models:
        return None
    macro = np.array([model.mean for model in models])
    micro = np.array([float(model.values.mean()) for model in models])
    apart = np.abs(macro - micro)
    changed = swaps(macro, micro)
    errors = np.array([model.error for model in models])
    if not changed and not np.any(apart > errors):
        return None
    place = int(np.argmax(apart))
    model = models[place]
    sizes = np.unique(model.task, return_counts=True)[1]
    message = (
        f"tasks have {sizes.min():,} to {sizes.max():,} items: '{model.name}' has {model.shown(macro[place])} where "
        f"every task counts the same (the default), {model.shown(micro[place])} where every item does"
    )
    if changed:
        better, worse = max(changed, key=lambda pair: macro[pair[0]] - macro[pair[1]])
        names = f"'{models[better].name}' and '{models[worse].name}'"
        message += (
            f"; the choice reverses {len(changed):,} pairs of models, such as {names}"
            if len(changed) > 1
            else (f"; the choice reverses {names}")
        )
    return Finding(
        "task-weights",
        Severity.CHANGES if changed or np.any(apart > _OUTSIDE * errors) else Severity.KNOW,
        message,
        "say which one you report; --pool-tasks counts every item the same",
        where,
        {"macro": float(macro[place]), "micro": float(micro[place])},
    )
