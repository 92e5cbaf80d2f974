"""Repeats counted as items: ids such as '1', '1.1', '1.2', or 'q7_run0', 'q7_run1', one question each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.analysis.id_families import families_of, listed, suspicion
from scorebars.analysis.repeated_ids import MOST_SETS
from scorebars.engines.coding import combined
from scorebars.engines.file_runs import (
    FILE,
    crossed_files,
    files_as_runs,
    folders_as_runs,
    run_pattern,
    without_tail,
)
from scorebars.engines.headers import mapped
from scorebars.errors import counted
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.analysis.id_families import Suspicion
    from scorebars.sample import ScoreTable


def repeats_as_items(evidence: Evidence) -> Iterator[Finding]:
    """Items, and models, whose ids come in groups of equal size that differ in a last number."""
    table = evidence.table
    if table is None:
        return
    for found in suspicions(evidence):
        yield Finding(
            "repeats-as-items",
            Severity.CHANGES if found.are_attempts else Severity.KNOW,
            found.message,
            found.remedy,
            data={"groups": found.families.n, "size": found.families.size},
        )
    names = [str(table.model.labels[code]) for code in np.unique(table.model.codes)]
    families = families_of(without_tail(names)[0], fewest=2)
    named_as_runs = files_as_runs(evidence.parts)
    pattern = named_as_runs[0] if named_as_runs else None
    remedy = "make them runs: one row an attempt, with a model and a run column"
    own = {part.reader for part in evidence.parts} == {"wandb"} and run_pattern(names)
    if pattern is not None or own:
        remedy = f"make them runs: {mapped({FILE: pattern} if pattern is not None else {'run': str(own)})}"
    if folders_as_runs(evidence.parts):
        remedy = f"make them runs: {mapped({'model': 'folder'})}"
    if pattern is None:
        yield from _tasks_as_models(evidence)
    are_one = pattern is not None and "{model}" not in pattern
    if are_one or (pattern is not None and families is None):
        yield Finding(
            "repeats-as-models",
            Severity.CHANGES,
            f"the {len(names)} models {listed(names)} are files with the names of runs: they look like repeats of "
            f"{'one' if are_one else 'fewer models'}",
            remedy,
        )
    if families is not None and families.worded:
        yield Finding(
            "repeats-as-models",
            Severity.CHANGES,
            f"the {len(names)} models come in {counted(families.n, 'group')} of {families.size}, such as "
            f"{listed(families.example)}: they look like repeats of {counted(families.n, 'model')}",
            remedy,
        )


def _tasks_as_models(evidence: Evidence) -> Iterator[Finding]:
    """Files whose names are each of some texts with each of others, as those of models and tasks are."""
    found = crossed_files(evidence.parts)
    if found is not None:
        yield Finding(
            "tasks-as-models",
            Severity.KNOW,
            f"{found.fact}, and each counts as a model of its own",
            f"if they are models and tasks, say so: {found.remedy}",
        )


def suspicions(evidence: Evidence) -> Iterator[Suspicion]:
    """What there is to say of each of the sets of items that models have."""
    table = evidence.table
    if table is None or (table.run is not None and _are_told_apart(evidence)):
        return
    slices = [one.cuts for one in evidence.slices if one.cuts is not None]
    every = len(evidence.slices[0].models) if evidence.slices else None
    for models, labels in _item_sets(table):
        families = families_of(labels)
        if families is not None:
            whose = "" if every in {None, len(models)} else f" of {named(models)}"
            found = suspicion(families, len(labels), whose, slices, models)
            if found is not None:
                yield found


def _are_told_apart(evidence: Evidence) -> bool:
    """Whether some item has several runs."""
    return not evidence.slices or any(model.count.max() > 1 for one in evidence.slices for model in one.models)


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
