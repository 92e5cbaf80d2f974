"""Columns without a known header that the rows themselves speak of: two models under 'llm' are no repeats of one.

Where no column is known as the model, and rows are told apart by a column of words crossed with the item, that column
is a model or a run, and which of them only the user can say; one that is called 'attempt', 'rollout' or 'annotator' is
proposed as the run. ``task_id`` is the item or the benchmark; where it repeats both are likely. Where no column is the
item either, a column of words that tells the rows of a task and run (a seed, a trial) apart is the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import is_unnamed, mapped, normal
from scorebars.engines.telling import METHODS, SURE
from scorebars.readers.cells import stacked, trimmed, trimmed_cells
from scorebars.readers.columns import ROLES, UnclearError

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
GAPS: Final = 0.3
"""The same of a column that may be the model, where so many rows would have equal pairs by chance, and none has."""
FEWEST: Final = 5
"""So many different texts may be items with several attempts; fewer are categories."""
LONG: Final = 20
"""Characters from which on texts are questions and no names of models, on average."""
RUNS: Final = 3
"""Columns without the name of a run that are tried as one."""
_BENCHMARK: Final = "task_id"


def refuse_unnamed_model(layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where an unknown column tells the rows of an item apart, or 'task_id' repeats."""
    if layout.wide:
        return
    item = layout.roles.get("item", ())
    doubtful = len(item) == 1 and normal(item[0]) == _BENCHMARK and "item" not in layout.asked
    inside = {name.partition(".")[0] for names in layout.roles.values() for name in names}
    unknown = [name for name in layout.ignored if not is_unnamed(name) and name not in inside][:COLUMNS]
    if not (unknown or doubtful):
        return
    from scorebars.engines.unknown_headers import kind_of, names_item, names_rater, names_run

    words, repeating = _columns_of_words([] if "model" in layout.roles else unknown, source, engine)
    if not (words or doubtful):
        return
    runs = tuple(sorted((name for name in unknown if names_run(name) or names_rater(name)), key=names_rater))
    runs = runs if item else tuple(name for name in runs if not _are_samples(name, source, engine))
    runs = runs[:1]
    runs = () if "run" in layout.roles else runs
    known = tuple(name for role in ("model", "task", "run", "item") for name in layout.roles.get(role, ()))
    others = _others(known, unknown, runs, has_item=bool(item))
    counted = _Different(source, engine, [known, *others], words)
    if doubtful and "run" not in layout.roles and counted.of(known) < counted.rows:
        _refuse_benchmark(item[0], _item_of_benchmark(item[0], known, unknown, source, engine))
    if counted.of(known) == counted.rows:
        return
    if not item:
        _refuse_methods(words, layout, known, runs, source, engine)
    # Of several columns of words the first is more likely the model than a run.
    tried = [name for name in repeating if name not in words[:1] and not names_item(name)][:RUNS]
    tried = [] if runs or "run" in layout.roles else tried
    found = _found(words, others, (runs, tuple(tried)), counted, has_item=bool(item))
    for name, other, run in found:
        if item and kind_of(name) in {"metric", "split", "task"}:
            from scorebars.readers.told_apart import told_apart

            apart = bool(run) or counted.of((name,), other) == counted.rows
            raise told_apart(name, "" if run == name else run, layout, source, engine, apart=apart)
        if item:
            raise _repeated(name, run, layout)
        rest = other[len(known) :]
        raise _curves(name, rest, source, engine) or _beside(name, rest, run, counted)


def _are_samples(name: str, source: Source, engine: Engine) -> bool:
    """Whether a column that is called like a run has so many values that they are those of a data set."""
    from scorebars.engines.unknown_headers import may_be_samples

    if not may_be_samples(name):
        return False
    found = engine.query(f"SELECT count(DISTINCT {trimmed('w0')}) AS n FROM ({source.scan([name])})")
    return int(found["n"][0]) > METHODS


def _refuse_methods(
    words: Sequence[str], layout: Layout, known: Columns, runs: Columns, source: Source, engine: Engine
) -> None:
    """Raise an UnclearError where no column is the item, and one of words tells the rows of a task and run apart.

    Or where it names a method, and each task has equally many rows of each: its rows would be items of one model.
    """
    from scorebars.engines.unknown_headers import may_be_method, names_method, names_run

    run = () if "run" in layout.roles else tuple(name for name in runs if names_run(name))
    beside = (*known, *run)
    maybe = [name for name in words if may_be_method(name)]
    if not (beside and maybe):
        return
    counted = _Different(source, engine, [beside], maybe)
    for name in maybe:
        few = counted.of((name,)) <= METHODS or names_method(name)
        apart = few and bool(run or "run" in layout.roles) and counted.crossed((name,), beside)
        if apart or (names_method(name) and counted.evenly((name,), beside)):
            raise _method(name, beside, run, apart=apart)


def _method(name: str, beside: Columns, run: Columns, *, apart: bool) -> UnclearError:
    """The error on a column of words that is crossed with the tasks and runs of a table without items."""
    guess = {"model": name} | ({"run": run[0]} if run else {})
    listed = " and ".join(f"'{column}'" for column in beside)
    told = "tells the rows of one" if apart else "takes the same values in each"
    sentence = f"no column is the model, and '{name}' {told} {listed}{' apart' if apart else ''}: it is the model "
    item = f", or the item ({mapped({'item': name})})" if apart else ""
    return UnclearError(f"{sentence}({mapped(guess)}){item}", guess)


def _found(
    words: Sequence[str],
    others: Sequence[Columns],
    runs: tuple[Columns, Columns],
    counted: _Different,
    *,
    has_item: bool,
) -> Iterator[tuple[str, Columns, str]]:
    """(column of words, what it is crossed with, the run among these), the surest first.

    Rows may be told apart by the two; or by the two and a column that is called no run; or by nothing, as attempts are.
    """
    pairs = [(name, other) for name in words for other in others if name not in other]
    for name, other in pairs:
        if counted.crossed((name,), other):
            yield name, other, next((run for run in runs[0] if run in (name, *other)), "")
    if not has_item:
        yield from _found_with_gaps(pairs, runs[0], counted)
    evenly = ((name, other, "") for name, other in pairs if _is_repeated(name, other, counted, has_item=has_item))
    if has_item:
        yield from evenly
    for run in runs[1]:
        more = [(*other, run) for other in others if run not in other]
        told = counted.of_others(more, words)
        for name, other in ((name, other) for name in words for other in more if name not in other):
            if told.crossed((name,), other):
                yield name, other, run
    yield from evenly


def _found_with_gaps(
    pairs: Sequence[tuple[str, Columns]], runs: Columns, counted: _Different
) -> Iterator[tuple[str, Columns, str]]:
    """The same of columns that may be models, where many pairs are missing: by chance, rows would have equal ones."""
    from scorebars.engines.unknown_headers import may_be_method

    for name, other in pairs:
        if may_be_method(name) and counted.crossed_with_gaps((name,), other):
            yield name, other, next((run for run in runs if run in (name, *other)), "")


def _is_repeated(name: str, other: Columns, counted: _Different, *, has_item: bool) -> bool:
    """Whether each pair of a column of words and the item stands in equally many rows."""
    return (has_item or _may_be_item(name, other, counted)) and counted.evenly((name,), other)


def _may_be_item(name: str, other: Columns, counted: _Different) -> bool:
    """Whether an unknown column that a column of words is crossed with in several rows each may be of items."""
    from scorebars.engines.unknown_headers import may_be_item, names_item

    few = 2 if names_item(other[-1]) else FEWEST
    return may_be_item(other[-1]) and counted.are_many((name,), other, few)


def _others(known: tuple[str, ...], unknown: Sequence[str], runs: tuple[str, ...], *, has_item: bool) -> list[Columns]:
    """What a column of words may be crossed with: the item, known or not, without and with the run."""
    if has_item:
        return [known, *((*known, run) for run in runs)]
    # That what is called a run is the item is the last thing to think of.
    names = [*(name for name in unknown if name not in runs), *runs]
    alone = [(*known, name) for name in names]
    return alone + [(*known, name, run) for run in runs for name in names if name != run]


def _repeated(name: str, run: str, layout: Layout) -> UnclearError:
    """The error on a column of words that tells rows of one item apart, alone or with the run."""
    from scorebars.engines.unknown_headers import names_run

    sets = [{"model": name}, {"run": name}]
    if run == name:
        sets.reverse()
    told = f"'{name}' tells them apart: it is "
    told += " or ".join(f"the {role} ({mapped({role: name})})" for one in sets for role in one)
    if run not in {"", name}:
        sets = [{"model": name, "run": run}]
        may_be = "are" if names_run(run) else "may be"
        told = f"'{name}' and '{run}' tell them apart: they {may_be} the model and the run ({mapped(sets[0])})"
    elif "run" in layout.roles:
        sets = [{"model": name}]
        told = f"'{name}' tells them apart: it is the model ({mapped(sets[0])})"
    what = "item and run" if "run" in layout.roles else "item"
    return UnclearError(f"rows repeat their {what}, and {told}", sets[0])


def _is_step(name: str, source: Source, engine: Engine) -> bool:
    """Whether a column counts the steps of a training, which are the points of curves and no items."""
    from scorebars.engines.training import in_strides, names_epoch, names_step, names_stride
    from scorebars.readers.told_apart import numbers_of

    may_be = names_epoch(name) or names_stride(name)
    return names_step(name) or (may_be and in_strides(numbers_of(name, source, engine)))


def _curves(name: str, other: Columns, source: Source, engine: Engine) -> UnclearError | None:
    """The error on a column of words that is crossed with the steps of a training; None where it is not."""
    if not any(_is_step(column, source, engine) for column in other):
        return None
    guess = {"model": name}
    return UnclearError(
        f"each '{other[0]}' stands beside each '{name}', as the points of learning curves do beside models: name the "
        f"models ({mapped(guess)})",
        guess,
    )


def _beside(name: str, other: Columns, run: str, counted: _Different) -> UnclearError:
    """The error on a column of words that is crossed with items, known to nobody, or with runs."""
    is_item = len(other) == 1 and not run and counted.looks_like_items(name, other[0])
    return _crossed(name, other, other[0] if is_item else run)


def _crossed(name: str, other: Columns, run: str) -> UnclearError:
    """The error on a column of words that is crossed with another one (and with the run)."""
    column = other[0]
    what, beside = ("item", "run") if name == run else ("run", "item") if column == run else ("item", "model")
    named: dict[str, str] = {what: column, beside: name} | ({"run": other[1]} if len(other) > 1 else {})
    guess = {role: named[role] for role in ROLES if role in named}
    return UnclearError(
        f"each '{column}' stands beside each '{name}', as {what}s do beside {beside}s, and no known header says so: "
        f"name them ({mapped(guess)})",
        guess,
    )


def _item_of_benchmark(name: str, known: Columns, unknown: Sequence[str], source: Source, engine: Engine) -> str:
    """The unknown column that numbers the items of each benchmark, if 'task_id' is one: more of them than benchmarks.

    Together the two tell all rows apart.
    """
    from scorebars.engines.unknown_headers import may_tell, names_item

    maybe = sorted(filter(may_tell, unknown), key=lambda other: not names_item(other))
    counted = _Different(source, engine, [(name,), *((other,) for other in maybe), *((*known, o) for o in maybe)], ())
    return next(
        (
            other
            for other in maybe
            if counted.of((*known, other)) == counted.rows and counted.of((other,)) > counted.of((name,)) > 1
        ),
        "",
    )


def _refuse_benchmark(name: str, item: str) -> None:
    attempts = f"the item with several attempts ({mapped({'item': name})})"
    if item:
        guess = {"task": name, "item": item}
        raise UnclearError(
            f"'{name}' repeats, and '{item}' tells its rows apart: it may be the benchmark, and '{item}' the item "
            f"({mapped(guess)}), or it is {attempts}",
            guess,
        )
    raise UnclearError(
        f"'{name}' repeats, and may be {attempts} or the benchmark whose items have no ids ({mapped({'task': name})})",
        {"item": name},
    )


def _columns_of_words(names: Sequence[str], source: Source, engine: Engine) -> tuple[list[str], list[str]]:
    """The columns whose first cells are all filled, and repeat: those of words; and all, the fewest texts first."""
    if not names:
        return [], []
    found = engine.query(
        "SELECT place, bool_or(try_cast(cell AS DOUBLE) IS NULL) AS words FROM "
        f"{stacked(names, source, ROWS)} GROUP BY place "
        "HAVING bool_and(cell <> '') AND 2 * count(DISTINCT cell) <= count(*) ORDER BY count(DISTINCT cell), place DESC"
    )
    repeating = [names[place] for place in found["place"].tolist()]
    words = {name for name, are_words in zip(repeating, found["words"].tolist(), strict=True) if are_words}
    return [name for name in names if name in words], repeating


class _Different:
    """How many different values columns, and pairs of them with a column of words, have in all rows."""

    def __init__(self, source: Source, engine: Engine, sets: Sequence[Columns], words: Sequence[str]) -> None:
        pairs = [(name, *other) for name in words for other in sets if name not in other]
        asked = list(dict.fromkeys([*sets, *((name,) for name in words), *pairs]))
        names = list(dict.fromkeys(name for some in asked for name in some))
        cell = dict(zip(names, trimmed_cells(len(names)), strict=True))
        counts = (
            f"count(DISTINCT hash({', '.join(cell[name] for name in some)})) AS n{place}" if some else f"0 AS n{place}"
            for place, some in enumerate(asked)
        )
        found = engine.query(f"SELECT count(*) AS n, {', '.join(counts)} FROM ({source.scan(names)})")
        self.rows = int(found["n"][0])
        self._counts = {some: int(found[f"n{place}"][0]) for place, some in enumerate(asked)}
        self._source, self._engine = source, engine

    def of(self, *columns: Columns) -> int:
        return self._counts[tuple(name for some in columns for name in some)]

    def crossed(self, first: Columns, second: Columns) -> bool:
        """Whether two columns tell all rows apart, and (nearly) each value of one stands beside each of the other."""
        return self.of(first, second) == self.rows and self._is_crossed(first, second)

    def crossed_with_gaps(self, first: Columns, second: Columns) -> bool:
        """Whether two columns tell all rows apart, with a part of all their pairs, as they would not do by chance."""
        one, other, both = self.of(first), self.of(second), self.of(first, second)
        if not (1 < one <= METHODS and one <= self.rows // 2 and other > 1):
            return False
        if both != self.rows or both < GAPS * one * other:
            return False
        names = (*first, *second)
        cells = trimmed_cells(len(names))
        key, value = (f"hash({', '.join(some)})" for some in (cells[len(first) :], cells[: len(first)]))
        found = self._engine.query(
            f"WITH rows AS (SELECT {key} AS key, {value} AS value FROM ({self._source.scan(names)})), "
            "keys AS (SELECT sum(n * (n - 1) / 2) AS pairs FROM (SELECT count(*) AS n FROM rows GROUP BY key)), "
            "values AS (SELECT sum(n * n) / sum(n) ** 2 AS alike FROM (SELECT count(*) AS n FROM rows GROUP BY value)) "
            "SELECT pairs * alike AS chance FROM keys, values"
        )
        return bool(found["chance"][0] >= SURE)

    def of_others(self, sets: Sequence[Columns], words: Sequence[str]) -> _Different:
        """The same of other columns of these rows."""
        return _Different(self._source, self._engine, sets, words)

    def looks_like_items(self, name: str, other: str) -> bool:
        """Whether a column of words is more likely one of items than of models, and the other one that of their runs.

        By its header; or by numbered ids or long texts, of which there are more than runs.
        """
        from scorebars.engines.unknown_headers import names_item

        if names_item(name) or names_item(other):
            return names_item(name) and not names_item(other)
        if self.of((name,)) <= self.of_others([(other,)], ()).of((other,)):
            return False
        cell = trimmed("w0")
        found = self._engine.query(
            f"SELECT count(DISTINCT regexp_replace({cell}, '[0-9]+', '')) = 1 OR avg(length({cell})) >= {LONG} "
            f"AS alike FROM ({self._source.scan([name])})"
        )
        return bool(found["alike"][0])

    def are_many(self, first: Columns, second: Columns, few: int) -> bool:
        """Whether the second may be items: not few, and more than the rows of each pair of them, as categories are."""
        return self.of(second) >= few and self.of(second) * self.of(first, second) > self.rows

    def evenly(self, first: Columns, second: Columns) -> bool:
        """Whether they are crossed, and each pair of their values stands in equally many rows, of attempts."""
        if not self._is_crossed(first, second) or self.rows % self.of(first, second):
            return False
        names = (*first, *second)
        found = self._engine.query(
            f"SELECT max(n) = min(n) AS alike FROM (SELECT count(*) AS n FROM ({self._source.scan(names)}) "
            f"GROUP BY {', '.join(trimmed_cells(len(names)))})"
        )
        return bool(found["alike"][0])

    def _is_crossed(self, first: Columns, second: Columns) -> bool:
        one, other, both = self.of(first), self.of(second), self.of(first, second)
        return 1 < one <= self.rows // 2 and other > 1 and both >= CROSSED * one * other
