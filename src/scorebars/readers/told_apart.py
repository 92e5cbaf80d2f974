"""Rows that repeat their attempt, and an unknown column that tells them apart: two metrics are no two runs.

Without a run column repeats count as runs, which is right of attempts. Where a column without a role takes the same few
values in each item ('em' and 'f1'; 0 and 5 shots; categories whose items start again at 0), the rows are something
else, and which of the roles it is only the user can say. Answers, measurements and times, which differ in nearly every
row, say nothing of that kind, and are told from it by the rows: what differs by chance coincides now and then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import METRICS, mapped
from scorebars.engines.telling import MOST, ROLES_OF, tells, together
from scorebars.engines.training import in_strides, names_epoch
from scorebars.engines.unknown_headers import (
    Kind,
    kind_of,
    may_tell,
    names_configuration,
    names_item,
    names_method,
    names_run,
)
from scorebars.errors import either, typed
from scorebars.readers.cells import trimmed, trimmed_cells
from scorebars.readers.columns import JOINED, UnclearError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.filling import Filled
    from scorebars.readers.sources import Source

SAMPLE: Final = 20_000
"""Rows that say which columns have few values."""
ENOUGH: Final = 100
"""Pairs of repeated rows among them that say whether a column agrees in these."""
AGREED: Final = 0.6
"""Share of the pairs from which on it does; one that takes two values equally often agrees in fewer than a half."""
RUN_ROWS: Final = 50_000
"""Rows that say whether attempts with a run repeat; those of a larger table are refused later, unless equal."""
GROUPED: Final = 200_000
"""Rows that say what tells them apart, about; of more, those of every second, fourth … attempt."""
COLUMNS: Final = 10
"""Columns that are looked at."""
NUMBERS: Final = 1_000
"""Numbers of a column that say whether they count one by one."""
SHOWN: Final = 3
"""Values that the sentence names."""
LONGEST: Final = 30
"""Characters of a value that it shows."""
_KNOWN: Final = ("model", "task", "item", "metric", "variant", "run")


@dataclass(frozen=True, slots=True)
class Told:
    """A column that tells repeated rows apart, or is crossed with their attempts."""

    name: str
    kind: Kind
    values: tuple[str, ...]
    """The first of them, in their order."""
    n_values: int
    apart: bool
    """Whether no two rows of an attempt share a value; else each value stands in equally many."""
    nested: bool = False
    """Whether each value belongs to one model, as versions do: then it is no metric or task, which models share."""


def refuse_told_apart(layout: Layout, filled: Filled, source: Source, table: str, engine: Engine) -> None:
    """Raise an UnclearError where rows repeat their attempt and an unknown column tells them apart.

    Args:
        layout: Which column plays which role.
        filled: What is known of the rows under our names.
        source: The cells of the file.
        table: The rows under our names.
        engine: Where the table is.
    """
    maybe = (*layout.ignored, *layout.no_models)
    trained = [name for name in maybe if names_epoch(name) and in_strides(numbers_of(name, source, engine))]
    unknown = [name for name in maybe if may_tell(name) or name in trained]
    if "item" not in layout.roles or not unknown or not rows_repeat(filled, table, engine):
        return
    runs = [] if "run" in layout.roles else [name for name in layout.ignored if names_run(name) and name not in trained]
    few = _of_few_values([*unknown, *runs], layout, source, engine)
    names = [name for name in few if name not in runs][:COLUMNS]
    if not names:
        return
    run = next((name for name in few if name in runs), "")
    rows = _Rows(layout, source, [*names, *([run] if run else [])], filled.n, engine)
    found = [told for name in names if (told := rows.told(name, run))]
    if not any(told.apart for told in found):
        _refuse_together(names, run, rows, layout)
    if found:
        told = min(found, key=_order)
        refuse_respondents(told.name, layout, source, engine)
        raise _error(told, run, layout)


def refuse_respondents(name: str, layout: Layout, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where a column that tells rows of an item apart has one weight a value, and items several.

    An item has one weight, so these are no runs of it: each is a person, who answers all questions.
    """
    weights, items = layout.roles.get("weight", ()), layout.roles.get("item", ())
    if len(weights) != 1 or not items or "item" in layout.asked:
        return
    person, weight, *cells = trimmed_cells(2 + len(items))
    item = f"hash({', '.join(cells)})"
    found = engine.query(
        f"SELECT count(DISTINCT {person}) AS n, count(DISTINCT hash({person}, {weight})) AS weighted, "
        f"count(DISTINCT {item}) AS items, count(DISTINCT hash({item}, {weight})) AS weights "
        f"FROM ({source.scan([name, weights[0], *items])})"
    )
    if found["weighted"][0] > found["n"][0] or found["weights"][0] == found["items"][0]:
        return
    guess = {"item": JOINED.join((name, *items)), "cluster": name}
    raise UnclearError(
        f"rows repeat their item, and '{name}' tells them apart and has a weight a value ('{weights[0]}'), while an "
        f"item has one weight: each is somebody who answers several questions ({mapped(guess)})",
        guess,
    )


def _refuse_together(names: Sequence[str], run: str, rows: _Rows, layout: Layout) -> None:
    """Raise an UnclearError where columns tell the rows of an attempt apart together, of which none does alone."""
    for some in together(names):
        if found := rows.together(some, run):
            told = min(found, key=_order)
            raise _error(told, run, layout, [name for name in some if name != told.name])


def _order(told: Told) -> tuple[bool, bool, bool, int]:
    """What is asked about first: what tells all rows apart, then metrics, of which each grade has its own."""
    return not told.apart, told.kind != "metric", not told.kind, told.n_values


def rows_repeat(filled: Filled, table: str, engine: Engine) -> bool:
    """Whether an attempt stands in two rows; of a large table with runs, the first rows say so."""
    if filled.repeats is not None:
        return filled.repeats
    named = [role for role in _KNOWN if role in filled.roles]
    some = f" LIMIT {RUN_ROWS}" if "run" in named else ""
    found = engine.query(
        f"SELECT count(*) AS n, count(DISTINCT hash({', '.join(named)})) AS different "
        f"FROM (SELECT {', '.join(named)} FROM {table}{some})"
    )
    return bool(found["different"][0] < found["n"][0])


def _of_few_values(names: Sequence[str], layout: Layout, source: Source, engine: Engine) -> list[str]:
    """The columns whose first cells are all filled, and repeat; of one value too: files may be sorted by it.

    Those that mostly agree in the first rows of each attempt are left out, so that attempts cost no pass over the file.
    """
    known = _known(layout)
    cells = trimmed_cells(len(known) + len(names))
    found = engine.query(
        "WITH pairs AS (SELECT place, attempt, cell, count(*) AS n FROM "
        "(SELECT attempt, unnest(cells) AS cell, unnest(range(len(cells))) AS place FROM "
        f"(SELECT hash({', '.join(cells[: len(known)])}) AS attempt, [{', '.join(cells[len(known) :])}] AS cells "
        f"FROM ({source.scan([*known, *names])}) LIMIT {SAMPLE})) GROUP BY ALL), "
        "attempts AS (SELECT place, sum(n) AS n, sum(n * (n - 1) / 2) AS same FROM pairs GROUP BY place, attempt), "
        "agreed AS (SELECT place, sum(n * (n - 1) / 2) AS pairs, sum(same) AS same FROM attempts GROUP BY place), "
        "few AS (SELECT place, count(DISTINCT cell) AS n FROM pairs GROUP BY place "
        "HAVING bool_and(cell <> '') AND 2 * count(DISTINCT cell) <= sum(n)) "
        f"SELECT place FROM few JOIN agreed USING (place) WHERE pairs < {ENOUGH} OR same <= {AGREED} * pairs "
        "ORDER BY n, place"
    )
    return [names[place] for place in found["place"].tolist()]


def _known(layout: Layout) -> list[str]:
    """The columns that tell one attempt from another."""
    return list(dict.fromkeys(name for role in _KNOWN for name in layout.roles.get(role, ())))


class _Rows:
    """The rows of a file, or of some of its attempts, as numbers of their attempt and of the values in columns."""

    def __init__(self, layout: Layout, source: Source, names: Sequence[str], n: int, engine: Engine) -> None:
        known = _known(layout)
        wanted = [*known, *names, *(layout.only[:1] if layout.only else ())]
        cells = trimmed_cells(len(wanted))
        attempt = f"hash({', '.join(cells[: len(known)])})"
        every = 1
        while n > every * GROUPED:
            every *= 2
        kept = f"{attempt} % {every} = 0" + (f" AND {cells[-1]} = {literal(layout.only[1])}" if layout.only else "")
        self._place = {name: f"v{place}" for place, name in enumerate(names)}
        values = (f"{cells[len(known) + place]} AS v{place}" for place in range(len(names)))
        self._engine = engine
        self._table = engine.fresh_name("apart")
        models = cells[: len(layout.roles.get("model", ()))]
        model = f"hash({', '.join(models)})" if models else "0"
        item = cells[known.index(layout.roles["item"][0])]
        engine.execute(
            f"CREATE TEMP TABLE {self._table} AS SELECT {attempt} AS attempt, {item} AS item, {model} AS model, "
            f"{', '.join(values)} "
            f"FROM ({source.scan(wanted)}) WHERE {kept}"
        )

    def told(self, name: str, run: str) -> Told | None:
        """What a column says, beside the run that another one may be."""
        one = self._counted([name], run)
        kind = self._kind_of(name, one)
        return self._told(name, kind, apart=one["most"] == 1) if tells(one, known=bool(kind)) else None

    def together(self, names: Sequence[str], run: str) -> list[Told]:
        """What columns say that tell rows apart only together, beside the run; nothing if they do not."""
        one = self._counted(names, run)
        if one["most"] > 1 and one["evenly"]:  # what tells no rows apart is told of each column
            return []
        kinds = [self._kind_of(name, one) for name in names]
        if not tells(one, known=all(kinds)):
            return []
        return [self._told(name, kind, apart=False) for name, kind in zip(names, kinds, strict=True)]

    def _told(self, name: str, kind: Kind, *, apart: bool) -> Told:
        value = self._place[name]
        texts = _first_values(f"SELECT {value} AS value FROM {self._table}", self._engine)
        different = f"SELECT count(DISTINCT {value}) AS n FROM {self._table}"
        of_models = self._of_models(value)
        n_values = of_models or int(self._engine.query(different)["n"][0])
        return Told(name, kind, texts, n_values, apart, bool(of_models))

    def _counted(self, names: Sequence[str], run: str) -> dict[str, float]:
        """How the values of columns, taken together, stand in the attempts."""
        key = f"attempt, {self._place[run]}" if run else "attempt"
        alike = [self._alike(self._place[name]) for name in names]
        value = alike[0] if len(alike) == 1 else f"hash({', '.join(alike)})"
        found = self._engine.query(
            f"WITH pairs AS (SELECT attempt, value, count(*) AS n FROM "
            f"(SELECT hash({key}) AS attempt, {value} AS value FROM {self._table}) GROUP BY ALL), "
            "attempts AS (SELECT count(*) AS n, sum(n * (n - 1) / 2) AS pairs FROM "
            "(SELECT sum(n) AS n FROM pairs GROUP BY attempt)), "
            "seen AS (SELECT value, sum(n) AS n, count(*) AS attempts FROM pairs GROUP BY value) "
            "SELECT any_value(attempts.n) AS attempts, any_value(attempts.pairs) AS pairs, "
            "(SELECT count(*) FROM pairs) AS n_pairs, (SELECT sum(n * (n - 1) / 2) FROM pairs) AS same, "
            "(SELECT max(n) = min(n) FROM pairs) AS evenly, (SELECT max(n) FROM pairs) AS most, "
            "count(*) AS n_values, max(seen.attempts) AS common, sum(seen.n * seen.n) / (sum(seen.n) ** 2) AS alike, "
            f"(SELECT count(DISTINCT item) FROM {self._table}) AS items FROM seen, attempts"
        )
        return {key: float(column[0]) for key, column in found.items()}

    def _alike(self, value: str) -> str:
        """The value; of versions of several models the first of each, the second … as if they were the same."""
        return f"dense_rank() OVER (PARTITION BY model ORDER BY {value})" if self._of_models(value) else value

    def _of_models(self, value: str) -> int:
        """How many values there are, if each stands beside one model, and models have several; else 0."""
        found = self._engine.query(
            f"SELECT count(DISTINCT model) AS models, count(DISTINCT {value}) AS values, "
            f"count(DISTINCT hash(model, {value})) AS both FROM {self._table}"
        )
        models, values, both = (int(found[key][0]) for key in ("models", "values", "both"))
        return values if 1 < models < values == both else 0

    def _kind_of(self, name: str, one: Mapping[str, float]) -> Kind:
        if names_item(name) and one["n_values"] >= max(one["items"], 3):
            return "item"
        found = self._engine.query(
            f"SELECT bool_and(replace(replace(lower(value), '-', '_'), ' ', '_') IN "
            f"({', '.join(map(literal, (*METRICS, 'exact_match')))})) AS metrics "
            f"FROM (SELECT DISTINCT {self._place[name]} AS value FROM {self._table})"
        )
        return "metric" if found["metrics"][0] else kind_of(name)


def told_apart(name: str, run: str, layout: Layout, source: Source, engine: Engine, *, apart: bool) -> UnclearError:
    """The error on a column of which is known already that it tells rows of an item apart, alone or beside the run."""
    return _error(told_of(name, kind_of(name), source, engine, apart=apart), run, layout)


def told_of(name: str, kind: Kind, source: Source, engine: Engine, *, apart: bool) -> Told:
    """What is said of a column of which is known already what it tells apart."""
    cells = f"SELECT {trimmed('w0')} AS value FROM ({source.scan([name])})"
    n = int(engine.query(f"SELECT count(DISTINCT value) AS n FROM ({cells})")["n"][0])
    return Told(name, kind, _first_values(cells, engine), n, apart)


def numbers_of(name: str, source: Source, engine: Engine) -> list[str]:
    """The different texts of a column, or as many as say what its numbers are."""
    cells = f"SELECT DISTINCT {trimmed('w0')} AS cell FROM ({source.scan([name])})"
    texts: list[str] = engine.query(f"SELECT cell FROM ({cells}) WHERE cell <> '' LIMIT {NUMBERS}")["cell"].tolist()
    return texts


def _first_values(cells: str, engine: Engine) -> tuple[str, ...]:
    found = engine.query(
        f"SELECT value FROM ({cells}) GROUP BY value ORDER BY try_cast(value AS DOUBLE), value LIMIT {SHOWN}"
    )
    return tuple(found["value"].tolist())


def _error(told: Told, run: str, layout: Layout, others: Sequence[str] = ()) -> UnclearError:
    """The error on a column that tells repeated rows apart, alone or beside others."""
    found = ways(told, run, layout, {"run": run} if run else {})
    names = [*others, *([run] if run else [])]
    beside = f" beside {' and '.join(map(repr, names))}" if names else ""
    tells = f"tells them apart{beside}" if told.apart or others else "takes the same values in each"
    what = "item and run" if "run" in layout.roles else "item"
    _, guess, options = found[0]
    return UnclearError(
        f"rows repeat their {what}, and '{told.name}' ({listed_values(told)}) {tells}: it is {as_told(found)}",
        guess,
        options=options,
    )


def ways(
    told: Told, run: str, layout: Layout, named: Mapping[str, str]
) -> list[tuple[str, dict[str, str], dict[str, str]]]:
    """(what a column is called in a role, the mapping, what has to be chosen) for each that it may have, best first."""
    roles = [role for role in _roles(told, layout) if not (role == "run" and (run or not told.apart))]
    return [_way(role, told, layout, named) for role in (roles[:MOST] if told.kind else roles)]


def as_told(found: Sequence[tuple[str, Mapping[str, str], Mapping[str, str]]]) -> str:
    """Such ways in one sentence: 'the metric (--map metric=kind --metric em) or the run (--map run=kind)'."""
    return either([f"{called} ({_as_typed(guess, options)})" for called, guess, options in found])


def listed_values(told: Told) -> str:
    """The first values of a column, and how many more there are."""
    more = f" and {told.n_values - len(told.values):,} more" if told.n_values > len(told.values) else ""
    return ", ".join(f"'{_short(value)}'" for value in told.values) + more


def _roles(told: Told, layout: Layout) -> list[str]:
    """What the column may be; a metric cannot be told where score columns or another column are metrics."""
    if told.nested and told.kind != "item":
        return ["model", "run"]
    roles = [*ROLES_OF[told.kind]]
    if "model" in roles and layout.wide:
        roles.remove("model")
    elif not ("model" in layout.roles or layout.wide):
        # Under a header that says nothing, or names what is tried out, words are sooner models than anything else.
        first = not told.kind or names_method(told.name) or names_configuration(told.name)
        place = 0 if first else roles.index("model") if "model" in roles else 1
        roles = [role for role in roles if role != "model"]
        roles.insert(place, "model")
    taken = {role for role in ("metric", "variant") if role in layout.roles}
    return [role for role in roles if not (role in taken or (role == "metric" and layout.several))]


def _way(role: str, told: Told, layout: Layout, named: Mapping[str, str]) -> tuple[str, dict[str, str], dict[str, str]]:
    """What the column is called in a role; the mapping, beside columns that have the role; what has to be chosen."""
    if role == "split":
        return "the split", {}, {"--split": told.values[0]}
    before = () if told.kind == "item" else layout.roles.get(role, ())
    called = f"a part of the {role}" if before and role in {"item", "model"} else f"the {role}"
    choice = {f"--{role}": told.values[0]} if role in {"metric", "variant"} else {}
    joined = (told.name, *before) if role == "item" else (*before, told.name)
    return called, {role: "+".join(joined), **named}, choice


def _as_typed(guess: Mapping[str, str], options: Mapping[str, str]) -> str:
    """A mapping, and what has to be chosen beside it, as they are typed."""
    given = [mapped(guess)] if guess else []
    return " ".join([*given, *(typed(*pair) for pair in options.items())])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
