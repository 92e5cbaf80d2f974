"""Tables without items whose rows are runs of several settings: a learning rate is no item, and rates no average."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.headers import mapped
from scorebars.engines.sweeps import settings_and_runs, swept
from scorebars.readers.columns import UnclearError
from scorebars.readers.settled import Counts
from scorebars.readers.told_apart import as_told, listed_values, told_of, ways

if TYPE_CHECKING:
    from scorebars.engines.duckdb import Engine
    from scorebars.engines.sweeps import Sweep
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source


def refuse_swept(layout: Layout, source: Source, n_rows: int, engine: Engine) -> None:
    """Raise an UnclearError where the values of a setting, each of which has several runs, would be items.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        n_rows: Its rows.
        engine: What counts them.
    """
    runs = layout.roles.get("run", ())
    if layout.has_item or layout.wide or layout.spread or layout.lists or layout.only:
        return
    maybe = settings_and_runs(layout.ignored, runs)
    if not maybe:
        return
    counts = Counts(source, engine)
    unknown = [name for name in maybe if not counts.has_blanks(name)]
    known = tuple(name for role in ("model", "task", "metric", "variant") for name in layout.roles.get(role, ()))
    found = swept(unknown, known, runs, n_rows, counts)
    if found is not None:
        raise _error(found, layout, source, engine)


def _error(found: Sweep, layout: Layout, source: Source, engine: Engine) -> UnclearError:
    named = {"run": found.run} if found.run else {}
    after_all = f"if it is the item after all: {mapped({'item': '+'.join(found.items), **named})}"
    if len(found.settings) == 1:
        told = told_of(found.settings[0], "setting", source, engine, apart=False)
        maybe = ways(told, found.run, layout, named)
        _, guess, options = maybe[0]
        values = f" ({listed_values(told)})"
        sentence = f"{found.said(values)}: '{told.name}' is {as_told(maybe)}"
        return UnclearError(f"{sentence}; {after_all}", guess, options=options)
    models = layout.roles.get("model", ())
    guess = {"model": "+".join((*models, *found.settings)), **named}
    what = "parts of the model" if models else "the model"
    sentence = f"{found.said()}: they are {what} ({mapped(guess)})"
    return UnclearError(f"{sentence}; {after_all.replace('it is', 'they are')}", guess)
