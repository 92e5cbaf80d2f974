"""Tables whose rows are points of a training: learning curves without items, and epochs beside items.

A point of a curve is no attempt of its own: twenty steps are no twenty items, and ten epochs of a training no ten runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import mapped
from scorebars.engines.training import FEWEST, are_points, in_strides, names_epoch, names_step, names_stride
from scorebars.errors import typed
from scorebars.notes import note
from scorebars.readers.aggregates import NEEDED
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import UnclearError
from scorebars.readers.scoreless import in_sql
from scorebars.readers.sources import NoScores
from scorebars.readers.told_apart import as_told, listed_values, numbers_of, rows_repeat, told_of, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.columns import Layout
    from scorebars.readers.filling import Filled
    from scorebars.readers.sources import Source
    from scorebars.readers.told_apart import Told

_ROWS: Final = 10_000
"""Rows that say whether steps go up."""


class CurveError(NoScores, UnclearError):
    """Rows are the points of learning curves."""


def refuse_training(layout: Layout, source: Source, table: str, engine: Engine) -> None:
    """Raise an error where rows are points of a training.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        table: The rows under our names.
        engine: Where the table is.

    Raises:
        CurveError: Rows without an item are the points of learning curves.
        UnclearError: The run is an epoch by its header, and goes up in strides.
    """
    epoch = epoch_as_run(layout)
    if layout.has_item or layout.wide or layout.spread:
        if epoch and in_strides(numbers_of(epoch, source, engine)):
            raise _strides(told_of(epoch, "setting", source, engine, apart=True), layout, source, engine)
        return
    step = epoch or next(filter(names_step, layout.ignored), "") or _stride(layout.ignored, source, engine)
    groups = [name for role in ("model", "task", "run") for name in layout.roles.get(role, ()) if name != epoch]
    if step and _are_curves(step, groups, source, table, engine):
        raise _curves(step, groups, () if epoch else layout.roles.get("run", ()), is_epoch=names_epoch(step))


def _stride(names: Sequence[str], source: Source, engine: Engine) -> str:
    """The column that says how far a training had come by its numbers, which go up in strides; '' if none does."""
    maybe = filter(names_stride, names)
    return next((name for name in maybe if in_strides(numbers_of(name, source, engine))), "")


def epoch_as_run(layout: Layout) -> str:
    """The column of epochs that is the run by its header; '' if there is none."""
    names = layout.roles.get("run", ())
    return names[0] if len(names) == 1 and "run" not in layout.asked and names_epoch(names[0]) else ""


def epochs_as_runs(layout: Layout, filled: Filled, source: Source, table: str, engine: Engine) -> tuple[Note, ...]:
    """``epochs-as-runs`` where epochs count as runs by their header alone, or because nobody said what they are.

    Args:
        layout: Which column plays which role.
        filled: What is known of the rows under our names.
        source: The cells of the file.
        table: The rows under our names.
        engine: What reads them.
    """
    name = epoch_as_run(layout)
    if not name and "item" in layout.roles and "run" not in layout.roles and rows_repeat(filled, table, engine):
        name = next(filter(names_epoch, layout.ignored), "")
    if not name or not layout.has_item:
        return ()
    told = told_of(name, "setting", source, engine, apart=False)
    if told.n_values < 2:
        return ()
    found = _ways(told, layout, source, engine)
    return (note("epochs-as-runs", name=name, values=listed_values(told), ways=as_told(found[:2])),)


def _are_curves(step: str, groups: Sequence[str], source: Source, table: str, engine: Engine) -> bool:
    """Whether each model, task and run has several rows, whose steps only go up, and graded scores."""
    cells = trimmed_cells(len(groups) + 1)
    curve = f"hash({', '.join(cells[:-1])})" if groups else "0"
    rows = f"SELECT * FROM ({source.scan([*groups, step])}) LIMIT {_ROWS}"
    steps = (
        f"SELECT {curve} AS curve, try_cast({cells[-1]} AS DOUBLE) AS step, row_number() OVER () AS place FROM ({rows})"
    )
    found = engine.query(
        f"SELECT count(*) AS curves, count(*) FILTER (n >= {FEWEST}) AS long, bool_and(rises) AS rising FROM "
        "(SELECT count(*) AS n, bool_and(step IS NOT NULL AND (before IS NULL OR step > before)) AS rises FROM "
        f"(SELECT curve, step, lag(step) OVER (PARTITION BY curve ORDER BY place) AS before FROM ({steps})) "
        "GROUP BY curve)"
    )
    if not found["rising"][0]:
        return False
    graded = engine.query(f"SELECT count(*) AS n FROM {table} WHERE try_cast(score AS DOUBLE) NOT IN (0, 1)")
    return are_points(int(found["curves"][0]), int(found["long"][0]), rising=True, graded=int(graded["n"][0]))


def _curves(step: str, groups: Sequence[str], runs: Sequence[str], *, is_epoch: bool) -> CurveError:
    """The error on learning curves: of several runs one point each can be taken, of one it is a single number."""
    each = f" of each {'+'.join(groups)!r}" if groups else ""
    said = f"it has one row for each '{step}'{each} and no item, as learning curves have, whose points are no attempts"
    if runs:
        curves = ", ".join(map(in_sql, groups))
        last = f"max(try_cast({in_sql(step)} AS DOUBLE)) OVER (PARTITION BY {curves})"
        query = f"SELECT * EXCLUDE ({in_sql(step)}) FROM data QUALIFY try_cast({in_sql(step)} AS DOUBLE) = {last}"
        sentence = f"{said}: take the last point of each ({typed('--sql', query)})"
        return CurveError(f"{sentence}; {_after_all(step)}", {}, options={"--sql": query})
    repeats = f"; if each is a repeat of one evaluation: {mapped({'run': step})}" if is_epoch else ""
    return CurveError(f"{said}: {NEEDED} ({_after_all(step)}{repeats})", {})


def _after_all(step: str) -> str:
    return f"if each '{step}' is an item after all: {mapped({'item': step})}"


def _strides(told: Told, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    """The error on epochs whose numbers are no count of repeats."""
    found = _ways(told, layout, source, engine)
    _, guess, options = found[0]
    return UnclearError(
        f"'{told.name}' ({listed_values(told)}) goes up in strides, as epochs of a training do and repeats do not: it "
        f"is {as_told(found)}",
        guess,
        options=options,
    )


def _ways(
    told: Told, layout: Layout, source: Source, engine: Engine
) -> list[tuple[str, dict[str, str], dict[str, str]]]:
    """What epochs may be; of a variant the last one is proposed."""
    last = max(numbers_of(told.name, source, engine), key=_number, default=told.values[0])
    roles = {role: names for role, names in layout.roles.items() if names != (told.name,)}
    return ways(replace(told, values=(last,)), "", replace(layout, roles=roles), {})


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
