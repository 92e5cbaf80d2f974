"""One text of a question in several rows of a model: other choices beside it say that these are different items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.engines.same_question import Beside, columns_beside
from scorebars.engines.unknown_headers import names_question, names_run
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import JOINED, UnclearError
from scorebars.readers.told_apart import rows_repeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.filling import Filled
    from scorebars.readers.sources import Source

    Columns = tuple[str, ...]


def refuse_same_questions(layout: Layout, filled: Filled, source: Source, table: str, engine: Engine) -> None:
    """Raise an UnclearError where rows that repeat their question have other choices (or contexts, or images) each.

    Args:
        layout: Which column plays which role.
        filled: What is known of the rows under our names.
        source: The cells of the file.
        table: The rows under our names.
        engine: Where the table is.
    """
    item = layout.roles.get("item", ())
    plain = len(item) == 1 and "item" not in layout.asked and names_question(item[0]) and "run" not in layout.roles
    if not plain or any(map(names_run, layout.ignored)):
        return
    sets = columns_beside(layout.ignored)
    if not sets or not rows_repeat(filled, table, engine):
        return
    found = _counted(item[0], sets, layout, source, engine)
    names = next((some for some, one in zip(sets, found, strict=True) if one.are_items(some[0])), ())
    if names:
        joined = {"item": JOINED.join([item[0], *names])}
        listed = ", ".join(f"'{name}'" for name in names)
        raise UnclearError(
            f"rows of one '{item[0]}' have other {listed}, so they may be different items ({mapped(joined)}), or "
            f"attempts at one ({mapped({'item': item[0]})})",
            joined,
        )


def _counted(item: str, sets: Sequence[Columns], layout: Layout, source: Source, engine: Engine) -> list[Beside]:
    """How the question stands beside each set of columns."""
    models = layout.roles.get("model", ())
    parts = [name for role in ("task", "metric", "variant") for name in layout.roles.get(role, ())]
    names = list(dict.fromkeys([item, *models, *parts, *(name for some in sets for name in some)]))
    wanted = [*names, *(layout.only[:1] if layout.only else ())]
    cells = trimmed_cells(len(wanted))
    cell = dict(zip(names, cells, strict=False))
    kept = f" WHERE {cells[-1]} = {literal(layout.only[1])}" if layout.only else ""
    question, model = [cell[item], *(cell[name] for name in parts)], [cell[name] for name in models]
    counts = []
    for place, some in enumerate(sets):
        beside = [*question, *(cell[name] for name in some)]
        counts.append(f"count(DISTINCT hash({', '.join(beside)})) AS own{place}")
        counts.append(f"count(DISTINCT hash({', '.join([*beside, *model])})) AS told{place}")
    rows = f"SELECT * FROM ({source.scan(wanted)}){kept}"
    found = engine.query(f"SELECT {', '.join(counts)} FROM ({rows})")
    alone = engine.query(
        "SELECT sum(n) AS n, count(*) AS questions, min(n) = max(n) AS evenly, count(DISTINCT model) AS models FROM "
        f"(SELECT count(*) AS n, hash({', '.join(model) or '0'}) AS model FROM ({rows}) "
        f"GROUP BY {', '.join([*question, *model])})"
    )
    n, questions, n_models = (int(alone[key][0]) for key in ("n", "questions", "models"))
    # A row of a wide table is one of all its models, which share what stands in it.
    times = len(dict.fromkeys(layout.models)) if layout.wide else 1
    of_models = [(int(found[f"told{place}"][0]), int(found[f"own{place}"][0])) for place in range(len(sets))]
    return [
        Beside(n * times, n_models * times, questions * times, told * times, own, bool(alone["evenly"][0]))
        for told, own in of_models
    ]
