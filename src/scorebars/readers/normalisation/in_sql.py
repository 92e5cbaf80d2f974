"""The same for rows that are a query: plain tables of returns, a task and a seed a row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError, near_miss
from scorebars.readers.files import shown
from scorebars.readers.normalisation import HUMAN_NORMALISED, disputed, looks_raw, reference, suite_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import Part, Request
    from scorebars.engines.duckdb import Engine

_NO_SCORE: Final = ("", "na", "n/a", "nan", "none", "null", "-")


def table_on_one_scale(part: Part, request: Request, roles: Sequence[str], *, returns: bool) -> Part:
    """The part with its scores normalised as asked; else with what is known of their scales.

    Args:
        part: Rows as SQL.
        request: ``normalize`` decides; the engine is the one that the SQL runs against.
        roles: The columns of the rows.
        returns: Whether the rows are returns of runs, without items.
    """
    name, engine, query = request.options.normalize, request.engine, str(part.rows)
    if "task" not in roles:
        if name is None:
            return part
        raise ReadError(_without_task(part, name, engine))
    if name is None and not returns:
        return part
    found = engine.query(f"SELECT DISTINCT task FROM ({query}) ORDER BY task")
    tasks = [task for task in found["task"].tolist() if task is not None]
    if name is None:
        return replace(part, own_scales=looks_raw(tasks, _largest(engine, query)), suite=suite_of(tasks))
    return _normalised(part, request, name, roles, tasks, len(found["task"]) > len(tasks))


def _without_task(part: Part, name: str, engine: Engine) -> str:
    """The sentence for a table without a task; where its models are tasks but for some, it names one of those."""
    table, models = reference(name), engine.distinct(str(part.rows), "model")
    tasks = [model for model in models if table.knows(model)]
    odd = next((model for model in models if model not in tasks), None)
    if not tasks or odd is None or dict(part.mapping).get("model") != "the keys of the object":
        return f"{shown(part.path)} has no task, so its scores cannot be normalised by '{name}'"
    meant = near_miss(odd, table.tasks)
    hint = f" ({meant[2:]})" if meant.startswith("; did") else ""
    return (
        f"{shown(part.path)}: its key '{tasks[0]}' is a task of the reference scores '{name}' and '{odd}' is none{hint}"
        "; correct the name or leave it out, or give the low and high score of each (--map task=key,run=position "
        "--normalize FILE with the columns task,low,high)"
    )


def _normalised(
    part: Part, request: Request, name: str, roles: Sequence[str], tasks: Sequence[str], some_have_none: bool
) -> Part:
    path, table = shown(part.path), reference(name)
    if some_have_none:
        raise ReadError(f"{path} has rows without a task, whose scores cannot be normalised by '{name}'")
    _refuse_words(request.engine, str(part.rows), path)
    try:
        bounds = {task: table.of(task) for task in tasks}
    except ReadError as error:
        raise ReadError(f"{path}: {error}") from error
    low, high = (_case({task: pair[place] for task, pair in bounds.items()}, "DOUBLE") for place in (0, 1))
    names = table.shared_names(tasks)
    score = f"coalesce(CAST((try_cast(score AS DOUBLE) - {low}) / ({high} - {low}) AS VARCHAR), score)"
    metric = ""
    if table.name == "ale57" and "metric" not in roles:
        metric = f", {literal(HUMAN_NORMALISED)} AS metric"
    rows = f"SELECT * REPLACE ({score} AS score, {_case(names, 'VARCHAR')} AS task){metric} FROM ({part.rows})"
    said = ("normalised", f"(score - low) / (high - low) by '{table.name}': {table.source}")
    notes = disputed(names.values()) if table.name == "ale57" else ()
    return replace(part, rows=rows, mapping=(*part.mapping, said), notes=(*part.notes, *notes))


def _case(values: Mapping[str, float] | Mapping[str, str], kind: str) -> str:
    """SQL of what stands for each task."""
    cases = " ".join(f"WHEN {literal(task)} THEN {literal(str(value))}::{kind}" for task, value in values.items())
    return f"CASE task {cases} END"


def _refuse_words(engine: Engine, query: str, path: str) -> None:
    """Raise a ReadError for a score that is no number: 'pass', '85%'."""
    words = ", ".join(map(literal, _NO_SCORE))
    found = engine.query(
        f"SELECT score FROM ({query}) WHERE score IS NOT NULL AND try_cast(score AS DOUBLE) IS NULL "
        f"AND lower(trim(score)) NOT IN ({words}) LIMIT 1"
    )
    if len(found["score"]):
        raise ReadError(f"{path}: the score '{found['score'][0]}' is no number, so it cannot be normalised")


def _largest(engine: Engine, query: str) -> float:
    """The largest size of a score; 0 if none is a number."""
    found = engine.query(
        f"SELECT coalesce(max(abs(try_cast(score AS DOUBLE))) FILTER (isfinite(try_cast(score AS DOUBLE))), 0) AS top "
        f"FROM ({query})"
    )
    return float(found["top"][0])
