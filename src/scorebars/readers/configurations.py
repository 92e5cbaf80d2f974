"""Several models or configurations that would be pooled as one: an unknown column is called 'llm' or 'config'.

Where rows repeat, the rows themselves say that an unknown column tells them apart. Where ids only number the rows, or
each value has ids, runs or versions of its own, nothing in them does; but what a header says of itself can be asked
about. A column that is the same in all rows of each known model adds nothing, and is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.arms import MOST_NAMED, are_arms
from scorebars.engines.belonging import may_be_of_items, standing
from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.engines.own_checkpoints import MOST, are_of_runs, names_checkpoint
from scorebars.engines.unknown_headers import (
    are_configurations,
    may_be_pooled,
    names_arm,
    names_configuration,
    names_method,
    names_setting,
)
from scorebars.notes import note
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import UnclearError
from scorebars.readers.selection import JOINER
from scorebars.readers.settled import Counts
from scorebars.readers.told_apart import as_told, listed_values, told_of, ways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.belonging import Standing
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

ROWS: Final = 20_000
"""Rows that mostly say whether a column has several values; where they have one, all rows do."""
NAMED_RUNS: Final = 20
"""Runs that may be what is compared."""
COLUMNS: Final = 10
"""Columns that are looked at."""
MOST_VALUES: Final = 12
"""Values that may be models; more are of items."""
_FILE: Final = mapped({"file": "{model}"})


def refuse_configurations(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where an unknown column names what is compared, and a model would be of several of them.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        engine: What counts them.
    """
    if layout.wide or "model" in layout.asked:
        return
    inside = {name.partition(".")[0] for names in layout.roles.values() for name in names}
    unknown = [name for name in layout.ignored if name not in inside]
    for name in filter(names_configuration, unknown):
        varies = any(_varies(name, layout, source, engine, most) for most in (ROWS, None))
        if varies and not _is_of_runs(name, layout, source, engine):
            stands = _standing(name, layout, source, engine)
            if stands is None or not stands.is_of_items:
                raise _pooled(name, layout, source, engine, of_items=stands is not None and stands.in_one_each)
    _refuse_methods(unknown, layout, source, engine)
    if "run" not in layout.roles or "run" in layout.asked:
        return
    _refuse_named_runs(layout, source, engine)
    for name in filter(names_setting, unknown):
        if _holds_runs(name, layout, source, engine):
            raise _set(name, layout, source, engine)


def _refuse_methods(unknown: Sequence[str], layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where a column names what is tried out in a table without models, or holds arms."""
    # A condition may be one of items: what it says of itself is not enough.
    methods = [] if "model" in layout.roles else [name for name in filter(names_method, unknown) if not names_arm(name)]
    arms = [name for name in unknown if names_arm(name) and _has_arms(name, source, engine)]
    for name in (*(name for name in methods if _are_words(name, source, engine)), *arms):
        if _varies(name, layout, source, engine, None):
            raise _pooled(name, layout, source, engine)


def pooled_values(layout: Layout, source: Source, engine: Engine) -> tuple[Note, ...]:
    """``pooled-values`` where a column without a role has a few words, no item has two of them, and none is the model.

    Rows of one item that such a column tells apart are asked about.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        engine: What counts them.
    """
    if layout.wide or layout.spread or layout.only or {"model", "variant"} & set(layout.roles):
        return ()
    items = layout.roles.get("item", ()) if "position" not in layout.roles.get("item", ()) else ()
    for name in filter(may_be_pooled, layout.ignored[:COLUMNS]):
        one = _counted([name], (), layout, source, engine, None)
        if not one["filled"] or not 1 < one["values"] <= MOST_VALUES or not _are_words(name, source, engine):
            continue
        if items:
            alone = _counted(items, (), layout, source, engine, None)["values"]
            both = _counted([*items, name], (), layout, source, engine, None)["values"]
        if (not items and 2 * one["values"] <= one["n"]) or (items and both == alone >= 2 * one["values"]):
            told = told_of(name, "setting", source, engine, apart=False)
            model = mapped({"model": name})
            return (note("pooled-values", column=name, n=one["values"], values=listed_values(told), remedy=model),)
    return ()


def _are_words(name: str, source: Source, engine: Engine) -> bool:
    """Whether no value of a column is a number."""
    cells = f"SELECT DISTINCT trim(w0) AS word FROM ({source.scan([name])})"
    found = engine.query(f"SELECT count(try_cast(word AS DOUBLE)) AS numbers FROM ({cells})")
    return int(found["numbers"][0]) == 0


def _is_of_runs(name: str, layout: Layout, source: Source, engine: Engine) -> bool:
    """Whether a column holds the checkpoint of each run, by the number of that."""
    models, runs = layout.roles.get("model", ()), layout.roles.get("run", ())
    if not (models and names_checkpoint(name)) or len(runs) != 1 or layout.only:
        return False
    run, value, *model = trimmed_cells(2 + len(models))
    found = engine.query(
        f"SELECT DISTINCT concat_ws({literal(JOINER)}, {', '.join(model)}) AS model, {run} AS run, {value} AS value "
        f"FROM ({source.scan([*runs, name, *models])}) LIMIT {MOST + 1}"
    )
    columns = [found[key].tolist() for key in ("model", "run", "value")]
    return len(columns[0]) <= MOST and are_of_runs(*columns)


def _standing(name: str, layout: Layout, source: Source, engine: Engine) -> Standing | None:
    """How a column stands beside the items of known models; None where these are not known."""
    models, items = layout.roles.get("model", ()), layout.roles.get("item", ())
    if not (models and items and may_be_of_items(name)) or layout.only:
        return None
    return standing(name, models, items, layout.roles.get("task", ()), source.names, Counts(source, engine))


def _refuse_named_runs(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where no column is the model, and the runs have names of what is compared."""
    (run, *more) = layout.roles["run"]
    if more or "model" in layout.roles:
        return
    cells = f"SELECT trim(w0) AS run FROM ({source.scan([run])})"
    found = engine.query(f"SELECT DISTINCT run FROM ({cells}) WHERE run <> '' ORDER BY run LIMIT {NAMED_RUNS + 1}")
    texts = found["run"].tolist()
    if len(texts) <= NAMED_RUNS and are_configurations(texts):
        told = told_of(run, "setting", source, engine, apart=False)
        raise UnclearError(
            f"no column is the model, and '{run}' holds names of what is compared ({listed_values(told)}), which would "
            f"be pooled: it is the model ({mapped({'model': run})}); if all are runs of one, {mapped({'run': run})}",
            {"model": run},
        )


def _has_arms(name: str, source: Source, engine: Engine) -> bool:
    """Whether the few values of a column are called like arms of an experiment."""
    cells = f"SELECT DISTINCT trim(w0) AS arm FROM ({source.scan([name])}) WHERE trim(w0) <> ''"
    return are_arms(engine.query(f"{cells} LIMIT {MOST_NAMED + 1}")["arm"].tolist())


def _varies(name: str, layout: Layout, source: Source, engine: Engine, most: int | None) -> bool:
    """Whether a column is filled, has few values, and several in rows of one model."""
    models = layout.roles.get("model", ())
    one = _counted([name], models, layout, source, engine, most)
    return bool(one["filled"]) and one["beside"] < one["both"] and 2 * one["values"] <= one["n"]


def _holds_runs(name: str, layout: Layout, source: Source, engine: Engine) -> bool:
    """Whether each run has one value of a column, and each value several runs."""
    models, runs = layout.roles.get("model", ()), layout.roles["run"]
    one = _counted([name], models, layout, source, engine, None)
    if not one["filled"] or one["beside"] == one["both"]:
        return False
    all_runs = _counted(runs, models, layout, source, engine, None)["both"]
    same = _counted([*runs, name], models, layout, source, engine, None)["both"]
    return same == all_runs and 2 * one["both"] <= all_runs


def _counted(
    names: Sequence[str], models: Sequence[str], layout: Layout, source: Source, engine: Engine, most: int | None
) -> dict[str, int]:
    """How many values columns have, models, and pairs of both, in the first rows or in all."""
    wanted = [*names, *models, *(layout.only[:1] if layout.only else ())]
    cells = trimmed_cells(len(wanted))
    value, model = ", ".join(cells[: len(names)]), ", ".join(cells[len(names) : len(names) + len(models)])
    kept = f" WHERE {cells[-1]} = {literal(layout.only[1])}" if layout.only else ""
    found = engine.query(
        f"SELECT count(*) AS n, count(DISTINCT hash({value})) AS values, bool_and({cells[0]} <> '') AS filled, "
        f"count(DISTINCT hash({', '.join(filter(None, (value, model)))})) AS both, "
        f"{f'count(DISTINCT hash({model}))' if model else '1'} AS beside "
        f"FROM (SELECT * FROM ({source.scan(wanted)}){kept}{f' LIMIT {most}' if most else ''})"
    )
    return {key: int(column[0]) if column[0] is not None else 0 for key, column in found.items()}


def _pooled(name: str, layout: Layout, source: Source, engine: Engine, *, of_items: bool = False) -> UnclearError:
    """The error on a column whose header names what is compared; of items, if each of these has one value."""
    models = layout.roles.get("model", ())
    known = "+".join(models)
    beside = (
        f"rows of one '{known}' have several '{name}'" if models else "no column is the model, and rows have several"
    )
    told = told_of(name, "setting", source, engine, apart=False)
    what = f"{beside} ({listed_values(told)}), which" if models else f"{beside} '{name}' ({listed_values(told)}), which"
    one = f"if '{known}' alone is the model, {mapped({'model': known})}" if models else f"if all are of one, {_FILE}"
    found = ways(told, "", layout, {})
    _, guess, options = found[0]
    if of_items:
        one = f"each item stands in one alone: if '{name}' is a category of items, {mapped({'model': known})}"
        guess, options = {"model": known}, {}
    return UnclearError(f"{what} would be pooled: '{name}' is {as_told(found)}; {one}", guess, options=options)


def _set(name: str, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    """The error on a column that is set for several runs each."""
    runs = "+".join(layout.roles["run"])
    told = told_of(name, "setting", source, engine, apart=False)
    found = ways(told, "", layout, {})
    _, guess, options = found[0]
    return UnclearError(
        f"each '{name}' ({listed_values(told)}) has '{runs}'s of its own, which would be pooled: '{name}' is "
        f"{as_told(found)}; if all are runs of one model, {mapped({'run': runs})}",
        guess,
        options=options,
    )
