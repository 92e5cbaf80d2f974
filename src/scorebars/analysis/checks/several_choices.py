"""Several metrics or variants: one has to be chosen, and the choice may move the score or the order of the models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.analysis.checks.evidence import named, swaps
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice


def several_choices(evidence: Evidence) -> Iterator[Finding]:
    """One finding on the metrics, one on the variants of each metric."""
    if evidence.table is None or evidence.table.values is not None:  # columns that an estimator takes together
        return
    metrics = list(dict.fromkeys(one.metric for one in evidence.slices))
    told = [metric for metric in metrics if metric]
    if len(metrics) > 1:
        beside = " and scores without a metric's name" if "" in metrics else ""
        yield Finding(
            "several-metrics",
            Severity.KNOW,
            f"there are {len(told):,} metrics: {named(told)}{beside}",
            f"choose one (--metric {_typed(told[0])}) or show each (estimate --by {_each(evidence)})",
        )
    for metric in metrics:
        alike = [one for one in evidence.slices if one.metric == metric and one.models]
        if len(alike) > 1:
            yield _variants(metric, alike, f"--metric {_typed(metric)} " if metric and len(metrics) > 1 else "")


def _each(evidence: Evidence) -> str:
    """By what each metric is shown: by its variant too, where there are several."""
    return "metric,variant" if len({one.variant for one in evidence.slices}) > 1 else "metric"


def _typed(name: str) -> str:
    import shlex

    return shlex.quote(name)


def _variants(metric: str, alike: list[Slice], of_metric: str) -> Finding:
    means = {one.variant: {model.name: model for model in one.models} for one in alike}
    names = sorted(set.intersection(*(set(models) for models in means.values())))
    values = np.array([[models[name].mean for name in names] for models in means.values()])
    message = f"there are {len(alike):,} variants{f' of {metric}' if metric else ''}: {named([*means])}"
    changed = [pair for other in values[1:] for pair in swaps(values[0], other)] if names else []
    if names:
        place = int(np.argmax(np.ptp(values, axis=0)))
        one = next(iter(means.values()))[names[place]]
        if np.ptp(values[:, place]) > 0.0:
            low, high = (one.shown(float(f(values[:, place]))) for f in (np.min, np.max))
            message += f"; '{names[place]}' has {low} to {high}, depending on it"
    if changed:
        better, worse = changed[0]
        message += f", and they order '{names[better]}' and '{names[worse]}' differently"
    return Finding(
        "several-variants",
        Severity.CHANGES if changed else Severity.KNOW,
        message,
        f"choose one ({of_metric}--variant {_typed(alike[0].variant)}) before looking at the scores, or show each "
        f"(estimate {of_metric}--by variant)",
    )
