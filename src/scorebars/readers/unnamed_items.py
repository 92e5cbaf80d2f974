"""Tables without a known item column, whose rows are items by their place: may an unknown column be the item's?

A column whose text is another in every row of a model may hold ids. It is kept with the places of its texts, so that
two models whose rows stand in different orders are not paired row by row (:mod:`scorebars.analysis.by_place`). One
whose texts stand equally often in the rows of a model may be the item of several attempts: that is asked, since rows
counted one by one would be several times too many. A category of few values repeats too, and is no item.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Listing
from scorebars.engines.duckdb import literal
from scorebars.engines.headers import is_unnamed, mapped
from scorebars.engines.keys import keys_among, must_be_same
from scorebars.engines.row_numbers import LISTED, SUMS_SPELLED, UNIT, are_drawn, number_rows
from scorebars.engines.row_numbers import ROWS as NUMBERED
from scorebars.engines.telling import BALANCED, LONG, Repeated, TextColumn, item_of_attempts, question_of_attempts
from scorebars.engines.training import in_strides, names_stride
from scorebars.engines.unknown_headers import (
    kind_of,
    may_be_item,
    names_document,
    names_question,
    names_run,
)
from scorebars.readers.cells import stacked, trimmed, trimmed_cells
from scorebars.readers.columns import UnclearError
from scorebars.readers.graded import refuse_graded
from scorebars.readers.selection import JOINER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

    Columns = tuple[str, ...]

ROWS: Final = 20_000
"""Rows that say what columns hold; how often their texts stand there, all rows say."""
FIRST: Final = 200
"""Rows that say it beside known ids, which are mostly right."""
DIFFERENT: Final = 8
"""So many models or tasks, one row of each after another, may share a key in these."""
COLUMNS: Final = 10
"""Unknown columns that are looked at; tables of results have few beside the texts."""
KEPT: Final = 1_000
"""Texts of a model that are kept, about; of more, every second, fourth … by the text alone, the same in all files."""


def listings(
    layout: Layout, source: Source, model: str, engine: Engine, n: int = 0, *, prefixed: bool = False
) -> tuple[Listing, ...]:
    """The columns that may hold the ids of rows, model by model; beside a known item, where that numbers the rows.

    Args:
        layout: Which column plays which role.
        source: The cells of the file.
        model: The file's model, if no column says it.
        engine: What reads the cells.
        n: About how many rows there are, where an item is known.
        prefixed: Whether known items may be numbers of rows behind a text.

    Raises:
        UnclearError: A column looks like the item of several attempts, beside ids that differ from row to row too, or
            of several people's grades, or like that of runs in different orders.
    """
    item = layout.roles.get("item", ())
    if item:
        _refuse_questions(layout, item[0], source, engine)
        return _beside_numbers(layout, item, source, model, engine, n, prefixed=prefixed)
    refuse_graded(layout, source, engine)
    unknown = [name for name in layout.ignored if may_be_item(name)][:COLUMNS]
    unknown = [name for name in unknown if not (names_stride(name) and _in_strides(name, source, engine))]
    columns = _columns(unknown, source, engine)
    names = [column.name for column in columns]
    keys = _keys(keys_among([*layout.ignored, *layout.no_models], names, COLUMNS), source, engine)
    if not (columns or keys):
        return ()
    rows = _Rows(layout, source, [*names, *keys], engine)
    keys = {name: keys[name] for name in rows.unique(list(keys), ROWS)}
    found = rows.unique([*names, *keys])
    unique = [column for column in columns if column.name in found]
    listed = rows.listed([column.name for column in unique[:LISTED]], model)
    keys = {name: same for name, same in keys.items() if name in found and not (same and rows.n > ROWS)}
    also = rows.listed(list(keys)[:LISTED], model, keys)
    if "run" not in layout.roles:
        others = [column for column in columns if column not in unique and not is_unnamed(column.name)]
        _refuse_attempts(layout, [rows.repeated(column) for column in others], _with_ids(unique, listed))
    return (*listed, *also)


def _in_strides(name: str, source: Source, engine: Engine) -> bool:
    """Whether the first numbers of a column go up in strides, as those of trainings do."""
    found = engine.query(f"SELECT DISTINCT cell FROM {stacked([name], source, FIRST)}")
    return in_strides(found["cell"].tolist())


def _refuse_questions(layout: Layout, item: str, source: Source, engine: Engine) -> None:
    """Raise an UnclearError where known ids differ from row to row, and what was asked repeats: those are attempts."""
    columns = _columns([] if names_question(item) else list(filter(names_question, layout.ignored)), source, engine)
    if not columns:
        return
    shared = [name for name in layout.ignored if names_document(name) or kind_of(name) == "task"][:COLUMNS]
    runs = [] if "run" in layout.roles else [name for name in layout.ignored if names_run(name)][:1]
    names = [column.name for column in columns]
    rows = _Rows(layout, source, list(dict.fromkeys([*names, *shared, *runs])), engine, item)
    in_model = rows.different([(name,) for name in names])
    n = rows.n
    if all(3 * different > 2 * n for different in in_model.values()):  # one pass over most tables, not four
        return
    in_model |= rows.different([(name,) for name in (item, *runs)])
    ids = rows.different([(item,)], alone=True)
    if ids[item,] < n and not (in_model[item,] == n and _number_rows([item], layout, source, engine)):
        return
    # What stands beside several documents or topics is asked anew of each.
    pairs = rows.different([(name, other) for name in names for other in (*shared, *runs)])
    free = [column for column in columns if all(pairs[column.name, one] == in_model[column.name,] for one in shared)]
    one = question_of_attempts(list(map(rows.repeated, free)))
    if one is None:
        return
    name = one.column.name
    runs = [run for run in runs if pairs[name, run] == n and 2 * in_model[run,] <= n]
    guess = {"item": name} | ({"run": runs[0]} if runs else {})
    raise UnclearError(
        f"'{item}' is another in every row, and {one.counted_as(_rows_of(layout))} ({mapped(guess)}), or these are "
        f"different items ({mapped({'item': item})})",
        guess,
    )


def _beside_numbers(
    layout: Layout, item: Sequence[str], source: Source, model: str, engine: Engine, n: int, *, prefixed: bool
) -> tuple[Listing, ...]:
    """The same beside a known item that only numbers the rows: what the same texts have for their numbers."""
    unknown = [name for name in layout.ignored if may_be_item(name)][:COLUMNS]
    others = keys_among(layout.ignored, unknown, COLUMNS)
    if not (unknown or others) or not _number_rows(item, layout, source, engine, prefixed=prefixed):
        return ()
    columns = _columns([*unknown, *others], source, engine, FIRST, likely=len(unknown))
    texts = [column.name for column in columns if not column.is_whole]
    names, keys = [name for name in texts if name in unknown][:LISTED], [name for name in texts if name in others]
    if not texts:
        return ()
    rows = _Rows(layout, source, texts, engine, item[0])
    keys = rows.unique(keys, FIRST)[:LISTED]
    rows.keep_some(n)
    return tuple(replace(one, numbers=item[0]) for one in rows.listed([*names, *keys], model))


def _number_rows(
    item: Sequence[str], layout: Layout, source: Source, engine: Engine, *, prefixed: bool = False
) -> bool:
    """Whether the first ids of items number the rows, or are drawn for each."""
    models = layout.roles.get("model", ())[:1]
    cells = trimmed_cells(1 + len(models))
    found = engine.query(
        f"SELECT {cells[0]} AS item, {cells[-1] if models else literal('')} AS model "
        f"FROM ({source.scan([*item, *models])}) LIMIT {NUMBERED}"
    )
    ids = found["item"].tolist()
    return are_drawn(ids) or number_rows(ids, found["model"].tolist(), prefixed=prefixed)


def _columns(
    names: Sequence[str], source: Source, engine: Engine, most: int = ROWS, *, likely: int | None = None
) -> list[TextColumn]:
    """The columns whose first cells are all filled, and not numbers with a fraction.

    Of those behind so many likely ones, only what differs: few values are told here, at no further look at the file.
    """
    if not names:
        return []
    found = engine.query(
        "SELECT place, bool_and(regexp_full_match(cell, '-?[0-9]+')) AS whole, "
        "2 * count(*) FILTER (regexp_full_match(cell, '[A-Za-z]*[^A-Za-z0-9]?[0-9]+')) > count(*) AS ids, "
        f"avg(length(cell)) >= {LONG} AND {BALANCED} * count(*) <= count(*) FILTER (cell LIKE '% %') AS texts "
        f"FROM {stacked(names, source, most)} "
        "GROUP BY place HAVING bool_and(cell <> '') AND "
        "bool_and(regexp_full_match(cell, '-?[0-9]+') OR try_cast(cell AS DOUBLE) IS NULL) "
        f"{'' if likely is None else f'AND (place < {likely} OR {DIFFERENT} * count(DISTINCT cell) > count(*)) '}"
        "ORDER BY place"
    )
    rows = zip(*(found[name].tolist() for name in ("place", "whole", "ids", "texts")), strict=True)
    return [TextColumn(names[place], whole, ids, texts) for place, whole, ids, texts in rows]


def _keys(names: Sequence[str], source: Source, engine: Engine) -> dict[str, bool]:
    """Columns whose first cells are all filled, and whether all of their values must be the same as others'."""
    if not names:
        return {}
    found = engine.query(
        "SELECT place, bool_and(try_cast(cell AS DOUBLE) IS NOT NULL) AS numbers "
        f"FROM {stacked(names, source, ROWS)} GROUP BY place "
        "HAVING bool_and(cell <> '') AND count(DISTINCT cell) > 1 ORDER BY place"
    )
    columns = zip(found["place"].tolist(), found["numbers"].tolist(), strict=True)
    return {names[place]: must_be_same(names[place], numbers=numbers) for place, numbers in columns}


class _Rows:
    """The rows of a table by model and task, with the place of each in its model, task and run, and unknown columns."""

    def __init__(self, layout: Layout, source: Source, names: Sequence[str], engine: Engine, item: str = "") -> None:
        told = [*dict.fromkeys(name for role in _APART for name in layout.roles.get(role, ()))]
        wanted = [*told, *names, *([item] if item else ()), *(layout.only[:1] if layout.only else ())]
        place = {name: f"w{number}" for number, name in enumerate(wanted)}
        texts = {role: _joined([place[name] for name in layout.roles[role]]) for role in _APART if role in layout.roles}
        self._models = layout.models
        self._place = place
        self._engine = engine
        self._every = 1
        self.n = 0
        self._item = item
        self._has_run = "run" in texts
        kept = f" WHERE trim({place[layout.only[0]]}) = {literal(layout.only[1])}" if layout.only else ""
        task = " || '/' || ".join(texts[role] for role in ("task", "metric", "variant") if role in texts)
        self._query = (
            f"SELECT *, {texts.get('model', literal(''))} AS model, {task or literal('')} AS task, "
            f"{texts.get('run', literal(''))} AS run FROM "
            f"(SELECT *, row_number() OVER () AS source_row FROM ({source.scan(wanted)})){kept}"
        )

    def different(self, sets: Sequence[Columns], *, alone: bool = False) -> dict[Columns, int]:
        """How many different values sets of columns have in the tasks of a model, or of all together."""
        if not sets:
            return {}
        within = "task" if alone else "model, task"
        counts = (
            f"count(DISTINCT hash({within}, {', '.join(map(self._cell, some))})) AS n{place}"
            for place, some in enumerate(sets)
        )
        found = self._engine.query(f"SELECT count(*) AS n, {', '.join(counts)} FROM ({self._query})")
        self.n = int(found["n"][0])
        return {some: int(found[f"n{place}"][0]) for place, some in enumerate(sets)}

    def unique(self, names: Sequence[str], most: int | None = None) -> list[str]:
        """The columns no text of which stands in two of the rows, or the first rows, of a model, task and run."""
        if not names:
            return []
        counts = (
            f"count(DISTINCT hash(model, task, run, {self._cell(name)})) AS n{place}"
            for place, name in enumerate(names)
        )
        first = f" LIMIT {most}" if most else ""
        found = self._engine.query(
            f"SELECT count(*) AS n, count(DISTINCT model) AS models, {', '.join(counts)} FROM ({self._query}{first})"
        )
        n, models = int(found["n"][0]), int(found["models"][0])
        if not most:
            self.n = n
            while n > self._every * KEPT * models:
                self._every *= 2
        return [name for place, name in enumerate(names) if n > 1 and found[f"n{place}"][0] == n]

    def keep_some(self, n: int) -> None:
        """Keep the texts of some of about so many rows."""
        while n > self._every * KEPT:
            self._every *= 2

    def repeated(self, column: TextColumn) -> Repeated:
        """How often the texts of a column stand in the rows of a model and task."""
        found = self._engine.query(
            "SELECT max(times) FILTER (rank = 1) AS usual, sum(n) AS n, max(n) AS most, any_value(groups) AS groups, "
            "coalesce(sum(n) FILTER (times > 1), 0) AS again "
            "FROM (SELECT times, count(*) AS n, row_number() OVER (ORDER BY count(*) DESC, times) AS rank FROM "
            f"(SELECT count(*) AS times FROM ({self._query}) GROUP BY model, task, {self._cell(column.name)}) "
            f"GROUP BY times), (SELECT count(DISTINCT hash(model, task)) AS groups FROM ({self._query}))"
        )
        usual, n, most, groups, again = (int(found[key][0]) for key in ("usual", "n", "most", "groups", "again"))
        return Repeated(column, n // groups, usual, most >= BALANCED * n, again >= BALANCED * n)

    def listed(self, names: Sequence[str], model: str, keys: Mapping[str, bool] | None = None) -> list[Listing]:
        """The places of the texts of columns, model by model; of keys, with whether all have to be the same."""
        if not names:
            return []
        where = "row_number() OVER (PARTITION BY model, task, run ORDER BY source_row)"
        numbered = f"SELECT *, {self._cell(self._item) if self._item else where} AS place FROM ({self._query})"
        made = []
        for name in names:
            cell = self._cell(name)
            found = self._engine.query(
                f"SELECT model, task || {literal(UNIT)} || {cell} AS text, place FROM ({numbered}) "
                f"WHERE hash({cell}) % {self._every} = 0 OR lower({cell}) IN ({_SUMMING})"
            )
            rows = zip(*(found[key].tolist() for key in ("model", "text", "place")), strict=True)
            same = must_be_same(name, numbers=False) if keys is None else keys[name]
            made += self._of_models(name, rows, must_be_same=same)
        return [_under(listing, model, self._models) for listing in made] if not self._models else made

    def _of_models(self, name: str, rows: Iterable[tuple[str, str, int]], *, must_be_same: bool) -> list[Listing]:
        places: dict[str, dict[str, str]] = {}
        again: Counter[bool] = Counter()
        for model, text, place in rows:
            own = places.setdefault(model, {})
            if text in own:
                again[own[text] == str(place)] += 1
            own.setdefault(text, str(place))
        n = sum(map(len, places.values()))
        if again and (must_be_same or (self._item and not self._has_run)):
            return []
        if again[False] and not self._item and 2 * sum(again.values()) >= n:
            raise UnclearError(
                f"no column is known as the item, and '{name}' has the same texts in several runs of a model, in "
                f"different orders, so that a row's place says nothing: name it ({mapped({'item': name})})",
                {"item": name},
            )
        if self._models:
            places = dict.fromkeys(self._models, next(iter(places.values()), {}))
        return [Listing(name, model, own, is_unnamed(name), must_be_same=must_be_same) for model, own in places.items()]

    def _cell(self, name: str) -> str:
        return trimmed(self._place[name])


_SUMMING: Final = ", ".join(map(literal, sorted(SUMS_SPELLED)))
_APART: Final = ("model", "task", "metric", "variant", "run")
"""Roles within which a row is known by its place."""


def _under(listing: Listing, model: str, models: Sequence[str]) -> Listing:
    """The listing of a file without a model column under the file's model."""
    return listing if listing.model or models else replace(listing, model=model)


def _with_ids(unique: Sequence[TextColumn], listed: Sequence[Listing]) -> list[TextColumn]:
    """The columns among those with another text in every row that say which item it is, and do not only number rows."""
    counting = {one.column for one in listed if one.counts_rows}
    shared = {
        one.column
        for one in listed
        for other in listed
        if one is not other and one.column == other.column and one.shared(other)
    }
    told = [column for column in unique if column.are_ids or column.is_whole or column.name in shared]
    return [column for column in told if column.name not in counting]


def _refuse_attempts(layout: Layout, found: Sequence[Repeated], ids: Sequence[TextColumn]) -> None:
    """Raise an UnclearError where one of the columns looks like the item of several attempts."""
    one = item_of_attempts(found, ids)
    if one is None:
        return
    name = one.column.name
    runs = [other for other in layout.ignored if names_run(other) and other != name]
    guess = {"item": name} | ({"run": runs[0]} if runs else {})
    cluster = "" if "cluster" in layout.roles else f", or the cluster of different items ({mapped({'cluster': name})})"
    raise UnclearError(
        f"no column is known as the item, and {one.counted_as(_rows_of(layout))} ({mapped(guess)}){cluster}", guess
    )


def _rows_of(layout: Layout) -> str:
    return "" if layout.wide or "model" not in layout.roles else " of a model"


def _joined(places: Sequence[str]) -> str:
    return f"coalesce(concat_ws({literal(JOINER)}, {', '.join(f'trim({place})' for place in places)}), '')"
