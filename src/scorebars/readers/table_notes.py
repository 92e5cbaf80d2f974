"""What to say of how a table was taken: which columns for what, and what they may be instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import WEIGHT, less_is_better, mapped, normal
from scorebars.engines.unknown_headers import are_configurations, item_rank
from scorebars.errors import typed
from scorebars.notes import NAME_ITEM, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import FileHead, Listing
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

SPELLED_BYTES: Final = 2 << 20
"""Files up to this size are looked through again for models that differ only in blanks."""


def notes_on(layout: Layout, table: str, engine: Engine, listings: Sequence[Listing]) -> tuple[Note, ...]:
    """What results say of how the table was taken."""
    # The names of metrics are looked at where metrics are told apart.
    turned = () if layout.several else tuple(name for name in dict.fromkeys(layout.scores) if less_is_better(name))
    found: tuple[Note, ...] = (note("less-is-better", names=_listed(turned)),) if turned else ()
    if layout.roles.get("model") == ("key",) and not {"model", "task"} & layout.asked:
        found += _keys_as_models(layout, table, engine)
    if layout.listed:
        from scorebars.readers.score_lists import remedy_of_runs

        found += (note("lists-as-runs", names=_listed(layout.listed), remedy=remedy_of_runs(layout)),)
    if layout.roles.get("item") == ("inner_key",) and not {"model", "item"} & layout.asked:
        found += _crossed(table, engine)
    if layout.wide:
        from scorebars.readers.wide import wide_notes

        return (*found, *wide_notes(layout))
    return found if layout.has_item else (*found, *_rows_as_items(layout, table, engine, listings))


def _keys_as_models(layout: Layout, table: str, engine: Engine) -> tuple[Note, ...]:
    """The note that keys above lists may be tasks; none of lists of records whose keys are called like models."""
    models = engine.distinct(f"SELECT model FROM {table}", "model")
    if layout.roles.get("item") == ("position",):
        places, runs = ", and the places in their lists for items", " with a run at each place"
        remedy = mapped({"task": "key", "run": "position"})
    elif layout.roles.get("item") == ("inner_key",) or "task" in layout.roles or are_configurations(models):
        return ()
    else:
        places, runs, remedy = "", "", mapped({"task": "key"})
    return (note("keys-as-models", names=_listed(models), places=places, runs=runs, remedy=remedy),)


def _crossed(table: str, engine: Engine) -> tuple[Note, ...]:
    """The note that the keys taken for models may be items."""
    from scorebars.readers.json_keyed import may_be_crossed

    models, items = (engine.distinct(f"SELECT {role} FROM {table}", role) for role in ("model", "item"))
    if not may_be_crossed(models, items):
        return ()
    return (note("keys-crossed", n=len(models), names=_listed(models[:3]), inner=_listed(items[:3])),)


def spelled_twice(layout: Layout, source: Source, head: FileHead, engine: Engine) -> tuple[Note, ...]:
    """``blanks-around`` where two models differ only in blanks around them, and so are one."""
    names = layout.roles.get("model", ())
    if len(names) != 1 or head.size > (SPELLED_BYTES if head.compression is None else SPELLED_BYTES // 8):
        return ()
    models = f"SELECT DISTINCT w0 AS text, trim(w0) AS bare FROM ({source.scan(names)}) WHERE trim(w0) <> ''"
    twice = "QUALIFY count(*) OVER (PARTITION BY bare) > 1 ORDER BY bare, text"
    found = engine.query(f"SELECT text, bare FROM ({models}) {twice}")
    texts: dict[str, list[str]] = {}
    for text, bare in zip(found["text"].tolist(), found["bare"].tolist(), strict=True):
        texts.setdefault(bare, []).append(text)
    return tuple(note("blanks-around", names=_listed(alike), model=bare) for bare, alike in texts.items())


def weighted(table: str, layout: Layout, engine: Engine) -> tuple[Note, ...]:
    """``weighted`` where a column 'weight' of different numbers counts unasked, and others play no role.

    A table of nothing but roles is one that was made for them.
    """
    names = layout.roles.get("weight", ())
    if [normal(name) for name in names] != [WEIGHT] or "weight" in layout.asked or not layout.ignored:
        return ()
    found = engine.query(f"SELECT min(weight::DOUBLE) AS low, max(weight::DOUBLE) AS high FROM {table}")
    low, high = float(found["low"][0]), float(found["high"][0])
    if not low < high:
        return ()
    remedy = f"leave that column out ({typed('--sql', f'SELECT * EXCLUDE ({names[0]}) FROM data')})"
    return (note("weighted", column=names[0], low=low, high=high, remedy=remedy, sure=mapped({"weight": names[0]})),)


def other_scores(layout: Layout, source: Source, engine: Engine) -> tuple[Note, ...]:
    """``other-scores`` where further columns hold numbers on the scale of the one metric that the headers name."""
    if len(layout.scores) != 1 or "score" in layout.asked or layout.lists or not layout.metric:
        return ()
    from scorebars.engines.other_scores import alike, may_be_score, may_have_others, told
    from scorebars.readers.cells import Cells

    score, free = layout.scores[0], [name for name in layout.ignored if may_be_score(name)]
    if not free or not may_have_others(score):
        return ()
    held = {one.name: one for one in Cells(source, engine).held([score, *free]) if not (one.words or one.is_01)}
    if score not in held:
        return ()
    scale = held[score].low, held[score].high
    others = [name for name in free if name in held and alike(scale, (held[name].low, held[name].high))]
    filled = set(Cells(source, engine).score_like(others))
    others = [name for name in others if name in filled and not held[name].counts_rows]
    return (note("other-scores", **told(score, others, mapped, joined=True)),) if others else ()


def _rows_as_items(layout: Layout, table: str, engine: Engine, listings: Sequence[Listing]) -> tuple[Note, ...]:
    """The note that rows are items; none where the rows of a model are told apart by their task and run.

    Where runs, metrics or variants share the items, as many rows are meant as each of them has.
    """
    found = engine.query(f"SELECT count(DISTINCT source_row) AS n, count(DISTINCT item) AS items FROM {table}")
    if found["items"][0] <= 1:
        return ()
    named = [one for one in listings if one.may_be_named]
    named.sort(key=lambda one: item_rank(one.column, counts_rows=one.counts_rows))
    likely = next((one.column for one in named), None)
    remedy = f"if '{likely}' says which item a row is: {mapped({'item': likely})}" if likely else NAME_ITEM
    rows = "items" if {"run", "metric", "variant"} & set(layout.roles) else "n"
    return (note("rows-as-items", n=int(found[rows][0]), remedy=remedy),)


def with_fallbacks(layout: Layout, where: str) -> Layout:
    """Say where model and item come from when no column holds them."""
    said = list(layout.said)
    if "model" not in layout.roles and not layout.wide:
        said.append(("model", where))
    if not layout.has_item:
        is_row = layout.wide and "run" not in layout.roles
        said.append(("item", "the row's number" + ("" if is_row else " within its model, task and run")))
    if layout.several:
        said.append(("metric", "the headers of " + _listed(tuple(dict.fromkeys(layout.metrics)))))
    elif layout.metric:
        said += [("metric", f"the header '{layout.metric}'"), ("score", f"column '{layout.scores[0]}'")]
    elif layout.spread:
        said.append(("score", "the cells of these columns"))
    elif not layout.wide and not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    return replace(layout, said=tuple(said))


def said_of(layout: Layout) -> tuple[tuple[str, str], ...]:
    """Where each role came from, and which columns have none."""
    if not layout.ignored:
        return layout.said
    return (*layout.said, ("ignored", _listed(layout.ignored)))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more
