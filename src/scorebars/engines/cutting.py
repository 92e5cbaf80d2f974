"""One score table -> cuts: one cleaned sample for each group and model, sorted, with unit codes that all share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.attempts import Attempts, settled
from scorebars.engines.clustering import refuse_partly_clustered, without_empty_clusters
from scorebars.engines.coding import NUMBERED, combined, picked
from scorebars.engines.headers import less_is_better
from scorebars.engines.idle import idle_notes
from scorebars.engines.missing import (
    COUNT_WRONG,
    Missing,
    ScorelessModelError,
    missing_notes,
    scoreless,
    settled_missing,
)
from scorebars.engines.scale import (
    UNIT,
    Range,
    known_range,
    note_on_returns,
    note_on_tasks,
    refuse_mixed_scale,
    refuse_mixed_signs,
)
from scorebars.engines.sentinels import note_on_sentinels
from scorebars.engines.units import UnitCodes, note_on_clusters, unit_codes, unit_texts
from scorebars.engines.value_columns import ONE, found, prepared, refuse_unlike_copies
from scorebars.engines.weighing import refuse_bad_weights
from scorebars.errors import ScoresError, typed
from scorebars.kernels.distinct import distinct
from scorebars.notes import note
from scorebars.sample import Column, Cut, Cuts, Sample, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from scorebars.notes import Note
    from scorebars.sample import CodeArray, IntArray, ScoreTable

GROUPS: Final = ("task", "cluster", "metric", "variant")
"""What ``by`` may split on."""
MOST_NAMED: Final = 6
"""Models that are named where all but one are to be chosen."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a table is cleaned and cut."""

    on_error: str | None = None
    """'wrong', 'drop' or 'fail' for attempts without a score; None: the producer's own rule."""
    duplicates: str = "fail"
    """'first' or 'last' of different scores for one attempt counts; 'fail' refuses."""
    range: Range = None
    """Lowest and highest possible score, where the caller says so."""
    cluster_crosses_tasks: bool = False
    run_crosses_items: bool = False
    pooled: bool = False
    """All tasks are one stratum."""


_PLAIN: Final = Rules()


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A table of one metric and variant, settled."""

    table: ScoreTable
    units: UnitCodes
    attempts: Attempts
    missing: Missing | None
    range: Range
    group: tuple[tuple[str, str], ...]
    """Metric and variant, where the cut is by them."""
    left_out: NDArray[np.bool_] | None
    """Rows that do not reach a sample; None if all do."""


def cut(table: ScoreTable, rules: Rules, by: tuple[str, ...] = (), columns: tuple[str, ...] = ONE) -> Cuts:
    """Clean a table and cut it by ``by`` and model; metrics and variants that ``by`` does not name must be one.

    Samples have the value ``columns``, which the table must then have as such.
    """
    table = replace(table, task=_used_labels(table.task))
    if table.values is not None:
        table = prepared(table, columns)
    units, sheets = settled_sheets(table, rules, by)
    if columns != ONE:
        for sheet in sheets:
            refuse_unlike_copies(sheet, columns, rules.duplicates)
    cuts = [each for sheet in sheets for each in _cuts(sheet, rules, by, columns)]
    notes = dict.fromkeys((*table.notes, *(each for sheet in sheets for each in sheet.attempts.notes)))
    notes |= dict.fromkeys(note_on_clusters(table, units))
    if rules != _PLAIN:
        notes |= dict.fromkeys(idle_notes(table, rules, sheets))
    notes |= dict.fromkeys(each for sheet in sheets for each in _scored_errors(sheet, rules))
    unknown = [sheet.table for sheet in sheets if sheet.range is None]
    notes |= dict.fromkeys(each for found in unknown for each in (*note_on_sentinels(found), *_graded(found)))
    notes |= dict.fromkeys(each for sheet in sheets for each in _note_on_direction(sheet.table))
    if "task" not in by:
        kinds = (note_on_tasks, _grades_of_tasks, note_on_returns)
        notes |= dict.fromkeys(each for found in unknown for kind in kinds for each in kind(found))
    return Cuts(
        cuts=tuple(sorted(cuts, key=lambda each: (each.group, each.sample.model))),
        item_texts=lambda: unit_texts(table, units),
        notes=tuple(notes),
        numbered=table.item.origin is not None and table.item.origin[0] == NUMBERED,
    )


def _scored_errors(sheet: Sheet, rules: Rules) -> tuple[Note, ...]:
    """The note on attempts in error that have a score; where none is in error nothing is even imported."""
    if not (sheet.table.status == Status.ERROR).any():
        return ()
    from scorebars.engines.scored_errors import note_on_scored_errors

    return note_on_scored_errors(sheet, pooled=rules.pooled)


def _graded(table: ScoreTable) -> tuple[Note, ...]:
    """The notes on strays and on another scale; of scores that are all 0 or 1 nothing is even imported."""
    from scorebars.engines.few_on_scale import note_on_few
    from scorebars.engines.strays import note_on_strays

    return (*note_on_strays(table), *note_on_few(table))


def _grades_of_tasks(table: ScoreTable) -> tuple[Note, ...]:
    if table.task.n_labels < 2:
        return ()
    from scorebars.engines.grades import note_on_grades

    return note_on_grades(table)


def _refuse_grades(table: ScoreTable, metric: str) -> None:
    if table.model.n_labels < 2:
        return
    from scorebars.engines.grades import refuse_grades

    refuse_grades(table, metric)


def _note_on_direction(table: ScoreTable) -> tuple[Note, ...]:
    """``less-is-better`` where the name of the metric says so."""
    name = _metric_name(table)
    return (note("less-is-better", names=f"'{name}'"),) if less_is_better(name) else ()


def _metric_name(table: ScoreTable) -> str:
    return "" if table.metric is None else str(table.metric.labels[table.metric.codes[0]])


def settled_sheets(table: ScoreTable, rules: Rules, by: tuple[str, ...]) -> tuple[UnitCodes, list[Sheet]]:
    """The cleaned table of each metric and variant that ``by`` names, and the units that all of them share.

    Raises:
        ScoresError: No row.
    """
    if not table.n_rows:
        raise ScoresError("there are no rows; a score table needs at least one attempt")
    units = unit_codes(table, cluster_crosses_tasks=rules.cluster_crosses_tasks)
    return units, [_settle(part, rows, units, rules, group) for part, rows, group in _sheets(table, by)]


def _used_labels(column: Column) -> Column:
    """The same column without labels that no row has."""
    if column.n_labels == 1:
        return column
    used = np.zeros(column.n_labels, dtype=bool)
    used[column.codes] = True
    if used.all():
        return column
    rank = (np.cumsum(used) - 1).astype(np.int32)
    return Column.of(rank[column.codes], column.labels[used])


def _sheets(
    table: ScoreTable, by: tuple[str, ...]
) -> Iterator[tuple[ScoreTable, NDArray[np.bool_] | None, tuple[tuple[str, str], ...]]]:
    """The table of each metric and variant that the cut is by: (table, its rows, what it is)."""
    columns: list[tuple[str, Column]] = [
        (role, column) for role in by if role in ("metric", "variant") and _is_said(column := getattr(table, role))
    ]
    if not columns:
        yield table, None, ()
        return
    codes = np.stack([column.codes for _, column in columns], axis=1)
    for chosen in np.unique(codes, axis=0):
        rows = np.all(codes == chosen, axis=1)
        group = tuple((role, str(column.labels[code])) for (role, column), code in zip(columns, chosen, strict=True))
        yield table.take(rows), rows, group


def _is_said(column: Column | None) -> bool:
    """Whether the data have the role at all."""
    return column is not None and (column.n_labels > 1 or column.labels[0] != "")


def _settle(
    table: ScoreTable,
    rows: NDArray[np.bool_] | None,
    units: UnitCodes,
    rules: Rules,
    group: tuple[tuple[str, str], ...],
) -> Sheet:
    """Clean a table of one metric and variant. The order matters: copies first, then scales, then missing scores."""
    if rows is not None:
        units = UnitCodes(
            codes=units.codes[rows],
            n_units=units.n_units,
            cluster=None if units.cluster is None else units.cluster[rows],
            task_of=units.task_of,
            cluster_of=units.cluster_of,
            item_of=units.item_of,
        )
    refuse_partly_clustered(table)
    if (clustered := without_empty_clusters(table)) is not table:
        table, units = clustered, replace(units, cluster=None)
    metric = _metric_name(table)
    attempts = settled(table, units.codes, units.n_units, rules.duplicates)
    refuse_mixed_signs(table, metric)
    known = known_range(table, rules.range, metric)
    if known is None:
        refuse_mixed_scale(table, metric)
        _refuse_grades(table, metric)
    refuse_bad_weights(table, units.codes, units.n_units)
    missing = settled_missing(table, rules.on_error, known)
    return Sheet(table, units, attempts, missing, known, group, _left_out(attempts, missing))


def _left_out(attempts: Attempts, missing: Missing | None) -> NDArray[np.bool_] | None:
    copies = attempts.copies
    if missing is None:
        return copies
    dropped = missing.rows & ~missing.wrong
    return dropped if copies is None else dropped | copies


def _cuts(sheet: Sheet, rules: Rules, by: tuple[str, ...], columns: tuple[str, ...]) -> Iterator[Cut]:
    """The cuts of one sheet. A model without a single score is an error, an empty group of one is left out."""
    group, texts = _group_codes(sheet.table, by)
    order, key = _sorted_rows(sheet, group)
    n_models = sheet.table.model.n_labels
    edges = _edges(key)
    scored: dict[int, int] = {}
    ranges = _group_ranges(sheet, group, list(texts))
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        code, model = divmod(int(key[start]), n_models)
        rows = slice(start, stop) if order is None else order[start:stop]
        made = _cut(sheet, rules, rows, model, (*sheet.group, *texts[code]), ranges[code])
        if columns != ONE:
            made = _with_columns(made, sheet, rows, columns)
        scored[model] = scored.get(model, 0) + made.sample.n_attempts
        if made.sample.n_attempts:
            yield made
    empty = [model for model, n in scored.items() if not n]
    if empty:
        raise _scoreless(sheet.table, str(sheet.table.model.labels[empty[0]]), rules, len(scored))


def _scoreless(table: ScoreTable, model: str, rules: Rules, n_models: int) -> ScorelessModelError:
    """What is said of a model without a single score, with the models that are left without it."""
    found = scoreless(table, rules.on_error)
    there = table.model.labels[distinct(table.model.codes)]  # others are of models that were not selected
    left = [str(label) for label in there if str(label) not in found]
    some = (
        " ".join(typed("--model", name) for name in left) if len(left) <= MOST_NAMED else "--model, once for each other"
    )
    leave = f"leave the model out ({some}), or " if left and n_models > 1 else ""
    why = f" ({found[model]})" if model in found else ""
    said = f"model '{model}' has no score in any attempt{why}"
    error = ScorelessModelError(f"{said}; {leave}{COUNT_WRONG}")
    error.said, error.left = said, tuple(left)
    return error


def _group_codes(
    table: ScoreTable, by: tuple[str, ...]
) -> tuple[IntArray | None, dict[int, tuple[tuple[str, str], ...]]]:
    """A code of each row for the task and cluster it is cut by, and what each code stands for."""
    columns: list[tuple[str, Column]] = [
        (role, column) for role in by if role in ("task", "cluster") and (column := getattr(table, role)) is not None
    ]
    if not columns:
        return None, {0: ()}
    codes = np.zeros(table.n_rows, np.int64)
    for _, column in columns:
        codes = combined(codes, column.codes, column.n_labels)
    texts = {}
    for code in distinct(codes).tolist():
        rest, named = code, []
        for role, column in reversed(columns):
            rest, label = divmod(rest, column.n_labels)
            named.append((role, str(column.labels[label])))
        texts[code] = tuple(reversed(named))
    return codes, texts


def _sorted_rows(sheet: Sheet, group: IntArray | None) -> tuple[IntArray | None, NDArray[np.integer]]:
    """Row numbers sorted by (group, model, task, cluster, item, run), None if they are; and (group, model) of each."""
    model, order = sheet.table.model, sheet.attempts.order
    if group is None:
        return order, picked(model.codes, order)
    part = combined(group, model.codes, model.n_labels)
    ordered = picked(part, order)
    if np.all(ordered[1:] >= ordered[:-1]):
        return order, ordered
    again = np.argsort(ordered, kind="stable")
    return (again if order is None else order[again]), ordered[again]


def _group_ranges(sheet: Sheet, group: IntArray | None, codes: list[int]) -> dict[int, Range]:
    """Range of each group: that of the whole sheet, else 0-1 where all models score 0 or 1 throughout the group."""
    if sheet.range is not None or group is None:
        return dict.fromkeys(codes, sheet.range)
    score = sheet.table.score
    graded = set(np.unique(group[~((score == 0.0) | (score == 1.0) | np.isnan(score))]).tolist())
    return {code: None if code in graded else UNIT for code in codes}


def _edges(key: NDArray[np.integer]) -> IntArray:
    """Where runs of equal keys begin, and the end."""
    steps = np.empty(0, np.int64) if key.strides == (0,) else np.flatnonzero(key[1:] != key[:-1]) + 1
    return np.concatenate(([0], steps, [len(key)]))


def _cut(
    sheet: Sheet,
    rules: Rules,
    rows: slice | IntArray,
    model: int,
    group: tuple[tuple[str, str], ...],
    known: Range,
) -> Cut:
    table, left_out = sheet.table, sheet.left_out
    dropped: tuple[tuple[str, int], ...] = ()
    notes: tuple[Note, ...] = ()
    if left_out is not None:
        numbers = np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
        dropped = _dropped(sheet, numbers)
        if sheet.missing is not None:
            copies = sheet.attempts.copies
            told = numbers if copies is None else numbers[~copies[numbers]]
            said = missing_notes(table, sheet.missing, told, sheet.units.codes, known)
            name = str(table.model.labels[model])
            notes = tuple(replace(one, model=name, data=one.data | {"model": name}) for one in said)
        rows = numbers[~left_out[numbers]]
    return Cut(_sample(sheet, rules, rows, str(table.model.labels[model]), known), group, dropped, notes)


def _with_columns(made: Cut, sheet: Sheet, rows: slice | IntArray, columns: tuple[str, ...]) -> Cut:
    """The same cut with the value columns in place of the score."""
    if sheet.left_out is not None:
        numbers = np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
        rows = numbers[~sheet.left_out[numbers]]
    values = {name: column[rows] for name, column in zip(columns, found(sheet.table, columns), strict=True)}
    return replace(made, sample=replace(made.sample, values=values, range=None))


def _dropped(sheet: Sheet, numbers: IntArray) -> tuple[tuple[str, int], ...]:
    """(why, how many) of one model's rows that do not reach its sample."""
    copies = sheet.attempts.copies
    n_copies = 0 if copies is None else int(np.count_nonzero(copies[numbers]))
    left_out = sheet.left_out
    n_all = 0 if left_out is None else int(np.count_nonzero(left_out[numbers]))
    reasons = (("repeat of another row", n_copies), ("no score", n_all - n_copies))
    return tuple((why, n) for why, n in reasons if n)


def _sample(sheet: Sheet, rules: Rules, rows: slice | IntArray, model: str, known: Range) -> Sample:
    table, units, missing = sheet.table, sheet.units, sheet.missing
    score = table.score[rows]
    if missing is not None:
        score = np.where(missing.wrong[rows], missing.fill, score)
    return Sample(
        model=model,
        values={"score": score},
        task=np.zeros(len(score), np.int32) if rules.pooled else picked(table.task.codes, rows),
        item=_int32(units.codes[rows]),
        run=picked(sheet.attempts.run, rows),
        cluster=None if units.cluster is None else _int32(units.cluster[rows]),
        weight=None if table.weight is None else table.weight[rows],
        range=known,
        task_labels=("",) if rules.pooled else tuple(table.task.labels.tolist()),
        cluster_crosses_tasks=rules.cluster_crosses_tasks,
        run_crosses_items=rules.run_crosses_items,
    )


def _int32(codes: NDArray[np.integer]) -> CodeArray:
    return codes.astype(np.int32, copy=False)
