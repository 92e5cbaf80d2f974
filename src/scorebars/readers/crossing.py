"""Columns without a known header that the rows themselves speak of: two models under 'llm' are no repeats of one.

Where no column is known as the model, and rows are told apart by a column of words crossed with the item, that column
is a model or a run, and which of them only the user can say; one that is called 'attempt' or 'rollout' is proposed as
the run. ``task_id`` is the item or the benchmark; where it repeats both are likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import mapped, normal
from scorebars.readers.columns import ROLES, UnclearError
from scorebars.readers.sources import is_unnamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

    Columns = tuple[str, ...]

ROWS: Final = 20_000
"""Rows that say which columns hold words; whether these are crossed with the items, all rows say."""
COLUMNS: Final = 10
"""Columns that are looked at; tables of results have few beside the texts."""
CROSSED: Final = 0.8
"""Share of all pairs of a column and the item from which on the two are crossed."""
_BENCHMARK: Final = "task_id"


def refuse_unnamed_model(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where an unknown column tells the rows of an item apart, or 'task_id' repeats."""
    if layout.wide:
        return
    item = layout.roles.get("item", ())
    doubtful = len(item) == 1 and normal(item[0]) == _BENCHMARK and "item" not in layout.asked
    unknown = [name for name in layout.ignored if not is_unnamed(name)][:COLUMNS]
    if not (unknown or doubtful):
        return
    from scorebars.readers.unknown_headers import names_run

    runs = () if "run" in layout.roles else tuple(name for name in unknown if names_run(name))[:1]
    words = _columns_of_words([] if "model" in layout.roles else unknown, source, engine)
    if not (words or doubtful):
        return
    known = tuple(name for role in ("model", "task", "run", "item") for name in layout.roles.get(role, ()))
    others = _others(known, unknown, runs, has_item=bool(item))
    pairs = [(name, other) for name in words for other in others if name not in other]
    sets = dict.fromkeys([known, *others, *((name,) for name in words)])
    counted = _different(list(sets), pairs, source, engine)
    if doubtful and "run" not in layout.roles and counted.of(known) < counted.rows:
        _refuse_benchmark(item[0])
    for name, other in pairs:
        if counted.crossed((name,), other) and counted.of(known) < counted.rows:
            raise _repeated(name, other, runs, layout) if item else _crossed(name, other[len(known) :], runs)


def _others(known: tuple[str, ...], unknown: Sequence[str], runs: tuple[str, ...], *, has_item: bool) -> list[Columns]:
    """What a column of words may be crossed with: the item, known or not, without and with the run."""
    if has_item:
        return [known, *((*known, run) for run in runs)]
    # That what is called a run is the item is the last thing to think of.
    names = [*(name for name in unknown if name not in runs), *runs]
    alone = [(*known, name) for name in names]
    return alone + [(*known, name, run) for run in runs for name in names if name != run]


def _repeated(name: str, other: Columns, runs: tuple[str, ...], layout: Layout) -> UnclearError:
    """The error on a column of words that tells rows of one item apart."""
    sets = [{"model": name}, {"run": name}]
    if name in runs:
        sets.reverse()
    told = f"'{name}' tells them apart: it is "
    told += " or ".join(f"the {role} ({mapped({role: name})})" for one in sets for role in one)
    if set(runs) & set(other):
        sets = [{"model": name, "run": runs[0]}]
        told = f"'{name}' and '{runs[0]}' tell them apart: they are the model and the run ({mapped(sets[0])})"
    elif "run" in layout.roles:
        sets = [{"model": name}]
        told = f"'{name}' tells them apart: it is the model ({mapped(sets[0])})"
    what = "item and run" if "run" in layout.roles else "item"
    return UnclearError(f"rows repeat their {what}, and {told}", sets[0])


def _crossed(name: str, other: Columns, runs: tuple[str, ...]) -> UnclearError:
    """The error on a column of words that is crossed with another one (and with the run)."""
    column = other[0]
    what, beside = ("item", "run") if name in runs else ("run", "item") if column in runs else ("item", "model")
    named: dict[str, str] = {what: column, beside: name} | ({"run": other[1]} if len(other) > 1 else {})
    guess = {role: named[role] for role in ROLES if role in named}
    return UnclearError(
        f"each '{column}' stands beside each '{name}', as {what}s do beside {beside}s, and no known header says so: "
        f"name them ({mapped(guess)})",
        guess,
    )


def _refuse_benchmark(name: str) -> None:
    raise UnclearError(
        f"'{name}' repeats, and may be the item with several attempts ({mapped({'item': name})}) or the benchmark "
        f"whose items have no ids ({mapped({'task': name})})",
        {"item": name},
    )


def _columns_of_words(names: Sequence[str], source: Source, engine: Engine) -> list[str]:
    """The columns whose first cells are all filled, not all numbers, and each in several rows on average."""
    if not names:
        return []
    found = engine.query(
        "SELECT place FROM (SELECT unnest(cells) AS cell, unnest(range(len(cells))) AS place FROM "
        f"(SELECT [{', '.join(_cells(len(names)))}] AS cells FROM ({source.scan(names)}) LIMIT {ROWS})) GROUP BY place "
        "HAVING bool_and(cell <> '') AND bool_or(try_cast(cell AS DOUBLE) IS NULL) "
        "AND 2 * count(DISTINCT cell) <= count(*) ORDER BY place"
    )
    return [names[place] for place in found["place"].tolist()]


class _Different:
    """How many different values columns, and pairs of them, have in all rows."""

    def __init__(self, rows: int, counts: dict[tuple[str, ...], int]) -> None:
        self.rows = rows
        self._counts = counts

    def of(self, *columns: tuple[str, ...]) -> int:
        return self._counts[tuple(name for some in columns for name in some)]

    def crossed(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        """Whether two columns tell all rows apart, and (nearly) each value of one stands beside each of the other."""
        one, other, both = self.of(first), self.of(second), self.of(first, second)
        return 1 < one <= self.rows // 2 and other > 1 and both == self.rows and both >= CROSSED * one * other


def _different(
    columns: Sequence[tuple[str, ...]], pairs: Sequence[tuple[str, tuple[str, ...]]], source: Source, engine: Engine
) -> _Different:
    asked = [*columns, *((name, *other) for name, other in pairs)]
    names = list(dict.fromkeys(name for some in asked for name in some))
    cell = dict(zip(names, _cells(len(names)), strict=True))
    counts = (
        f"count(DISTINCT hash({', '.join(cell[name] for name in some)})) AS n{place}" if some else f"0 AS n{place}"
        for place, some in enumerate(asked)
    )
    found = engine.query(f"SELECT count(*) AS n, {', '.join(counts)} FROM ({source.scan(names)})")
    return _Different(int(found["n"][0]), {some: int(found[f"n{place}"][0]) for place, some in enumerate(asked)})


def _cells(n: int) -> Iterator[str]:
    return (f"coalesce(trim(w{place}), '')" for place in range(n))
