"""Rows without an item id: every row is an item, and pairing is by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.analysis.by_place import are_places, likely_item, moved, unequal
from scorebars.engines.file_runs import folders_as_runs
from scorebars.engines.headers import mapped
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Model

_CODE = "rows-as-items"


def rows_as_items(evidence: Evidence) -> Iterator[Finding]:
    """Tables of results (one score a model, or a model and task), rows paired by position, rows taken for items."""
    if not evidence.slices or not evidence.slices[0].models:
        return
    models = evidence.slices[0].models
    if all(model.sample.n_attempts == 1 for model in models):
        if folders_as_runs(evidence.parts):  # they are runs that look like models, which another check says
            return
        who = f"each of the {len(models):,} models" if len(models) > 1 else f"'{models[0].name}'"
        yield Finding(
            "one-score-a-model",
            Severity.CHANGES,
            f"{who} has a single score: a result and not attempts, and no interval can come of it",
            "read the files that hold one score an item or run, or collect more; one number says nothing of its error",
        )
    elif all(_one_a_task(model) for model in models):
        n = len(models[0].item)
        yield Finding(
            "one-score-a-task",
            Severity.KNOW,
            f"there is a single score for each model and task ({n:,} tasks): the noise of items and runs is not seen",
            "read the files that hold one score an item or run; here only tasks can be redrawn (--resample task)",
        )
    else:
        yield from _by_position(evidence, models)


def _one_a_task(model: Model) -> bool:
    return len(np.unique(model.task)) == model.sample.n_attempts > 1


def _by_position(evidence: Evidence, models: tuple[Model, ...]) -> Iterator[Finding]:
    """Rows that are items because nothing else says which item they are."""
    cuts = evidence.slices[0].cuts
    if cuts is not None and (found := moved(evidence.listings, cuts, [(models[0].cut, one.cut) for one in models[1:]])):
        yield Finding(_CODE, Severity.CHANGES, found.sentence, found.remedy)
        return
    if cuts is not None and any(note.code == "unrelated-rows" for note in cuts.notes):
        return  # rows of two models do not pair by their place, as that note says
    said = [note for part in evidence.parts for note in part.notes if note.code == _CODE]
    said += [note for one in evidence.slices if one.cuts is not None for note in one.cuts.notes if note.code == _CODE]
    sizes = sorted({len(model.item) for model in models})
    grave = any(unequal(models[0].cut, model.cut) for model in models[1:])
    if not said and not (grave and are_places(evidence.parts, said)):
        return
    n = f"{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"{sizes[0]:,}"
    pairing = "" if len(models) == 1 else ", and models are paired row by row"
    if grave:
        pairing = ", and models with different numbers of rows cannot be paired"
    likely = likely_item(evidence.parts)
    how = f"if '{likely}' is it: {mapped({'item': likely})}" if likely else "name the column with --map item=COLUMN"
    yield Finding(
        _CODE,
        Severity.CHANGES if grave else Severity.KNOW,
        f"no column says which item a row is: each of {n} rows is an item, in file order{pairing}",
        f"{how}; repeats of one question must share its id",
    )
