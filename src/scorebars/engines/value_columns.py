"""Several values an attempt: named columns beside the score, or the metrics of a long table side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.arrays import scores
from scorebars.engines.attempts import attempt_name
from scorebars.engines.coding import ROLES, combined
from scorebars.engines.headers import mapped
from scorebars.errors import ArgumentError, ScoresError, near_miss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scorebars.engines.cutting import Sheet
    from scorebars.sample import Cut, Cuts, FloatArray, IntArray, Sample, ScoreTable

ONE: tuple[str, ...] = ("score",)
"""What most estimators need."""


def checked_names(values: Mapping[str, str], available: list[str]) -> dict[str, str]:
    """{name: column of the frame}; a name is no role but the score's, and each column is there.

    Raises:
        ArgumentError: A name that is a role.
        ScoresError: A column that the frame does not have.
    """
    for name, column in values.items():
        if name in ROLES and name != "score":
            raise ArgumentError(f"values={{'{name}': …}}: '{name}' is a role of its own ({name}=…); give another name")
        if column not in available:
            raise ScoresError(f"no column '{column}' for the value '{name}'{near_miss(str(column), available)}")
    return dict(values)


def with_values(table: ScoreTable, columns: Mapping[str, NDArray[Any]]) -> ScoreTable:
    """The table with these value columns; texts become numbers as scores do.

    Raises:
        ScoresError: An infinite value.
    """
    made = {name: scores(column, table.sources)[0] for name, column in columns.items()}
    for name, column in made.items():
        if np.isinf(column).any():
            row = int(np.argmax(np.isinf(column)))
            raise ScoresError(f"'{name}' of {attempt_name(table, row)} is infinite; a value is a finite number")
    return replace(table, values=made)


def prepared(table: ScoreTable, columns: tuple[str, ...]) -> ScoreTable:
    """The table for a cut by these columns: an attempt that lacks one of them has no score."""
    values = found(table, columns)
    if columns == ONE:
        return replace(table, score=values[0])
    lacking = np.logical_or.reduce([np.isnan(column) for column in values])
    return replace(table, score=np.where(lacking, np.nan, values[0]))


def found(table: ScoreTable, columns: tuple[str, ...]) -> list[FloatArray]:
    """The value columns of a table; an unknown name is an error with the nearest."""
    values = table.values or {}
    for name in columns:
        if name not in values:
            raise ScoresError(
                f"no column is called '{name}'{near_miss(name, values)}; name it when the scores are made "
                f"(Scores(frame, values={{'{name}': COLUMN}}))"
            )
    return [values[name] for name in columns]


def refuse_unlike_copies(sheet: Sheet, columns: tuple[str, ...], duplicates: str) -> None:
    """Repeats of one attempt that were taken for copies have the same values in all columns; and none counts wrong.

    Raises:
        ScoresError: Copies that differ, or an attempt without a value that is to count as wrong.
    """
    table, copies = sheet.table, sheet.attempts.copies
    if sheet.missing is not None and sheet.missing.wrong.any():
        row = int(np.argmax(sheet.missing.wrong))
        raise ScoresError(
            f"{attempt_name(table, row)} lacks a value of {_listed(columns)}, and a missing value of several columns "
            "cannot count as wrong; drop it (--on-error drop)"
        )
    if copies is None or table.run is None or duplicates != "fail":
        return
    unit = combined(table.model.codes, sheet.units.codes, sheet.units.n_units)
    key = combined(unit, table.run.codes, table.run.n_labels)
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    for name, values in zip(columns, found(table, columns), strict=True):
        other = (values != values[first[group]]) & ~np.isnan(values)
        if other.any():
            raise ScoresError(
                f"{attempt_name(table, int(np.argmax(other)))} is there twice with different values of '{name}'; "
                "name the column that tells them apart (run=COLUMN)"
            )


def pivoted(cuts: Cuts, columns: tuple[str, ...]) -> Cuts:
    """Cuts by metric -> cuts whose samples have the metrics as columns, of the attempts that have them all.

    Raises:
        ScoresError: A metric that is not there, or without a value in common with the others.
    """
    groups: dict[tuple[tuple[tuple[str, str], ...], str], dict[str, Cut]] = {}
    for cut in cuts.cuts:
        metric = dict(cut.group).get("metric", "")
        group = tuple(pair for pair in cut.group if pair[0] != "metric")
        groups.setdefault((group, cut.sample.model), {})[metric] = cut
    known = sorted({metric for each in groups.values() for metric in each})
    for name in columns:
        if name not in known:
            raise ScoresError(
                f"no metric is called '{name}'{near_miss(name, filter(None, known))}; name the wanted columns of the "
                f"file ({mapped({'score': '+'.join(columns)})}; if it calls them otherwise, in that mapping and behind "
                f"the estimator: NAME:COLUMN,COLUMN), or of a frame (Scores(frame, values={{'{name}': …}}))"
            )
    made = [_side_by_side(model, group, each, columns) for (group, model), each in groups.items()]
    return replace(cuts, cuts=tuple(made))


def _side_by_side(
    model: str, group: tuple[tuple[str, str], ...], by_metric: dict[str, Cut], columns: tuple[str, ...]
) -> Cut:
    lacking = [name for name in columns if name not in by_metric]
    if lacking:
        where = "".join(f", {role} '{text}'" for role, text in group)
        raise ScoresError(f"model '{model}'{where} has no value of '{lacking[0]}'; {_listed(columns)} are needed")
    cuts = [by_metric[name] for name in columns]
    samples = [cut.sample for cut in cuts]
    width = max(int(sample.run.max()) for sample in samples) + 1
    keys = [_keys(sample, width) for sample in samples]
    common = reduce(np.intersect1d, keys)
    if not len(common):
        raise ScoresError(f"no attempt of model '{model}' has all of {_listed(columns)}; check the item and run ids")
    taken = [sample.take(np.isin(key, common)) for sample, key in zip(samples, keys, strict=True)]
    values = {name: sample.values["score"] for name, sample in zip(columns, taken, strict=True)}
    n_lost = len(reduce(np.union1d, keys)) - len(common)
    lost = (((f"not all of {_listed(columns)}", n_lost)),) if n_lost else ()
    copies = max(dict(cut.dropped).get("repeat of another row", 0) for cut in cuts)
    return replace(
        cuts[0],
        sample=replace(taken[0], values=values, range=None),
        group=group,
        dropped=((("repeat of another row", copies),) if copies else ()) + lost,
        notes=tuple(dict.fromkeys(note for cut in cuts for note in cut.notes)),
    )


def _keys(sample: Sample, width: int) -> IntArray:
    """One number an attempt: its item and run."""
    return sample.item.astype(np.int64) * width + sample.run


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in columns)
