"""Columns without a known header that the rows themselves speak of: two models under 'llm' are no repeats of one.

Where no column is known as the model, and rows are told apart by a column of words crossed with the item, that column
is a model or a run, and which of them only the user can say. ``task_id`` is the item or the benchmark; where it repeats
both are likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal
from scorebars.readers.columns import UnclearError
from scorebars.readers.sources import is_number, is_unnamed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

ROWS: Final = 20_000
"""Rows that are looked at."""
COLUMNS: Final = 10
"""Columns that are looked at; tables of results have few beside the texts."""
CROSSED: Final = 0.8
"""Share of all pairs of a column and the item from which on the two are crossed."""
_BENCHMARK: Final = "task_id"

Texts = list[str]


def refuse_unnamed_model(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where an unknown column tells the rows of an item apart, or 'task_id' repeats."""
    if layout.wide or layout.several or layout.lists or "run" in layout.roles:
        return
    item = layout.roles.get("item", ())
    open_model = "model" not in layout.roles
    doubtful = len(item) == 1 and normal(item[0]) == _BENCHMARK and "item" not in layout.asked
    free = [name for name in layout.ignored if not is_unnamed(name)][:COLUMNS] if open_model else []
    if not (free or doubtful):
        return
    known = [name for role in ("model", "task", "item") for name in layout.roles.get(role, ())]
    rows = _first_rows(list(dict.fromkeys((*known, *free))), source, engine)
    if doubtful and _repeat(rows, known):
        _refuse_benchmark(item[0])
    words = [name for name in free if _names_several(rows[name])]
    for name in words:
        if item and _repeat(rows, known) and _cross(rows[name], _joined(rows, known)):
            raise UnclearError(
                f"rows repeat their item, and '{name}' tells them apart: it is the model (--map model={name}) or the "
                f"run (--map run={name})",
                {"model": name},
            )
        for other in () if item else free:
            if other != name and len(set(rows[other])) > 1 and _cross(rows[name], rows[other]):
                raise UnclearError(
                    f"each '{other}' stands beside each '{name}', as items do beside models, and no known header says "
                    f"so: name them (--map model={name},item={other})",
                    {"model": name, "item": other},
                )


def _refuse_benchmark(name: str) -> None:
    raise UnclearError(
        f"'{name}' repeats, and may be the item with several attempts (--map item={name}) or the benchmark whose items "
        f"have no ids (--map task={name})",
        {"item": name},
    )


def _first_rows(names: Sequence[str], source: Source, engine: Engine) -> dict[str, Texts]:
    chosen = ", ".join(f"coalesce(trim(w{place}), '') AS w{place}" for place in range(len(names)))
    found = engine.query(f"SELECT {chosen} FROM ({source.scan(names)}) LIMIT {ROWS}")
    return {name: found[f"w{place}"].tolist() for place, name in enumerate(names)}


def _joined(rows: dict[str, Texts], names: Sequence[str]) -> Texts:
    return ["\x1f".join(row) for row in zip(*(rows[name] for name in names), strict=True)]


def _repeat(rows: dict[str, Texts], names: Sequence[str]) -> bool:
    keys = _joined(rows, names)
    return len(set(keys)) < len(keys)


def _names_several(cells: Texts) -> bool:
    """Whether a column holds words, each in several rows on average, as names of models do."""
    different = set(cells)
    return 1 < len(different) <= len(cells) // 2 and "" not in different and not all(map(is_number, different))


def _cross(first: Texts, second: Texts) -> bool:
    """Whether two columns tell all rows apart, and (nearly) each value of one stands beside each of the other."""
    pairs = len(set(zip(first, second, strict=True)))
    return pairs == len(first) and pairs >= CROSSED * len(set(first)) * len(set(second))
