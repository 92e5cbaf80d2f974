"""The averages of an lm-eval results file beside the samples that they were made of: do they agree, and how groups are.

lm-eval's mean and standard error of a task are the plain ones (divisor n − 1) where its aggregation is ``mean``. A
group's average is either over all its documents (``weight_by_size``) or over its tasks; the file does not say which,
but its numbers do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scorebars.notes import Note, note
from scorebars.readers.totals import equal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.lm_eval_results import Results
    from scorebars.readers.lm_eval_table import SampleTable


def check_averages(
    task: str, table: SampleTable, metrics: Sequence[str], results: Results | None, engine: Engine
) -> Iterator[Note]:
    """A note on each metric and filter whose mean or standard error is another one in the results file."""
    if results is None or task not in results.values:
        return
    if results.counts.get(task, (0, table.documents))[1] != table.documents:
        return  # of other documents, which is said
    said: list[str] = []
    for metric in metrics:
        if results.aggregations.get((task, metric), "mean") != "mean":
            continue
        for variant, mean, error in _own(table, metric, engine):
            said += _differing(results.values[task], metric, variant, mean, error)
    if said:
        detail = f"{results.path.name}, task '{task}': {'; '.join(said)}; the samples are used"
        yield note("header-disagrees", detail=detail)


def _own(table: SampleTable, metric: str, engine: Engine) -> list[tuple[str, float, float]]:
    """(filter, mean, standard error) of the samples that are scored; NaN where there is none."""
    variant = "variant" if table.has_filter else "'none'"
    value = f"CASE WHEN NOT isnan({table.value(metric)}) THEN {table.value(metric)} END"
    found = engine.query(
        f"SELECT {variant} AS variant, avg(value) AS mean, stddev_samp(value) / sqrt(count(value)) AS error "
        f"FROM (SELECT *, {value} AS value FROM {table.name}) GROUP BY 1 ORDER BY 1"
    )
    return list(zip(found["variant"].tolist(), found["mean"].tolist(), found["error"].tolist(), strict=True))


def _differing(values: dict[str, Any], metric: str, variant: str | None, mean: float, error: float) -> Iterator[str]:
    shown = metric if variant in (None, "none") else f"{metric} ({variant})"
    for what, key, own in (
        ("", f"{metric},{variant}", mean),
        ("the standard error of ", f"{metric}_stderr,{variant}", error),
    ):
        given = values.get(key)
        if isinstance(given, int | float) and not _equal(given, own):
            yield f"{what}{shown} is {given:.6g} there, and {own:.6g} by the samples"


def _equal(one: float, other: float) -> bool:
    return math.isnan(one) or math.isnan(other) or equal(one, other)


def task_origin(task: str, results: Results | None, metrics: Sequence[str]) -> str:
    """Where the task is from, and of which groups it is, with how the group's number comes about."""
    groups = [] if results is None else [group for group, tasks in results.groups.items() if task in tasks]
    told = [text for group in groups if results and (text := _group(group, results, metrics))]
    return "; ".join(["the file's name", *told])


def group_notes(results: Results, read: Collection[str], metrics: Sequence[str]) -> Iterator[Note]:
    """``group-average`` for each metric whose group's number is not the mean over the tasks, which are those read."""
    for group in results.groups:
        tasks = leaves(group, results)
        if len(tasks) < 2 or set(tasks) != set(read):
            continue
        for metric in (name for name in metrics if not name.endswith("_stderr")):
            keys = [key for key in results.values.get(group, {}) if key.partition(",")[0] == metric]
            said = [text for key in keys if (text := _other_average(group, key, results))]
            if said:
                where = f"{results.path.name}, group '{group}'"
                yield note("group-average", detail=f"{where}: {'; '.join(said)}", metric=metric)
        return


def leaves(group: str, results: Results) -> tuple[str, ...]:
    """The tasks of a group, those of its groups too, each once; none of a group that contains itself."""
    found: dict[str, None] = {}
    waiting, seen = [group], set()
    while waiting:
        name = waiting.pop()
        if name in results.groups and name not in seen:
            seen.add(name)
            waiting.extend(reversed(results.groups[name]))
        elif name not in results.groups:
            found[name] = None
    return tuple(found)


def _other_average(group: str, key: str, results: Results) -> str:
    """The group's number beside the mean over its tasks; '' where they agree, or one is not known."""
    metric, _, variant = key.partition(",")
    value = results.values[group][key]
    given = [results.values.get(task, {}).get(key) for task in leaves(group, results)]
    known = [float(x) for x in given if isinstance(x, int | float)]
    if not isinstance(value, int | float) or len(known) < len(given):
        return ""
    mean = math.fsum(known) / len(known)
    if _equal(value, mean):
        return ""
    shown = metric if variant in ("", "none") else f"{metric} ({variant})"
    how = _kind(group, key, value, results).partition(" (--")[0]
    return f"{shown} is {value:.4g} there, {how}, and {mean:.4g} as the mean over its tasks"


def _group(group: str, results: Results, metrics: Sequence[str]) -> str:
    for metric in metrics:
        pairs = [pair for pair in results.values.get(group, {}).items() if pair[0].startswith(f"{metric},")]
        for key, value in pairs:
            if isinstance(value, int | float):
                return f"in group '{group}', whose {metric} {value:.4f} is {_kind(group, key, value, results)}"
    return f"in group '{group}'"


def _kind(group: str, key: str, value: float, results: Results) -> str:
    """Which average a group's number is, judged by the numbers of its tasks."""
    parts = [(results.values.get(task, {}).get(key), results.counts.get(task)) for task in leaves(group, results)]
    known = [(float(x), count[1]) for x, count in parts if isinstance(x, int | float) and count]
    if len(known) < len(parts):
        return "an average of its tasks"
    over_tasks = math.fsum(x for x, _ in known) / len(known)
    over_documents = math.fsum(x * n for x, n in known) / max(1, sum(n for _, n in known))
    fits = [_equal(value, over_documents), _equal(value, over_tasks)]
    if all(fits):
        return "the average over its documents and over its tasks, which are equally large"
    if fits[0]:
        return "the average over its documents (--pool-tasks)"
    return "the average over its tasks" if fits[1] else "neither the average over its documents nor over its tasks"
