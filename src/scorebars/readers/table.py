"""Tables: CSV, TSV, JSON, JSON Lines, Parquet, plain or compressed, long (one attempt a row) or wide (item × model).

DuckDB does the work, so a file may be larger than memory: only the columns that play a role are kept, under our names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Part
from scorebars.engines.duckdb import literal
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.columns import (
    Layout,
    arrange,
    explicit,
    may_be_model,
)
from scorebars.readers.files import names_for, shown
from scorebars.readers.json_table import json_source
from scorebars.readers.sniff import kind_of
from scorebars.readers.sources import (
    MANY_COLUMNS,
    NoScores,
    Scratch,
    Source,
    delimited_source,
    is_number,
    is_unnamed,
    located,
    parquet_source,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note

LARGE_BYTES: Final = 8 << 20
"""Files from this size on are kept in the engine's file, not in memory."""
PROFILE_CELLS: Final = 200_000
"""Cells that are looked at to tell number columns from text, where the headers do not say which hold scores."""
JOINER: Final = "+"
"""Between the values of joined columns, as in Scores: 'claude-code+claude-opus-4-8'."""
_WORDS: Final = (
    *("true", "false", "yes", "no", "pass", "fail", "passed", "failed", "correct", "incorrect"),
    *("c", "i", "p", "n"),
)
_MISSING: Final = ("", "na", "n/a", "nan", "none", "null", "-")
_FINE: Final = ("", "false", "0", "none", "null", "nan", "no", "{}", "[]", "ok", "success", "completed", "passed")
_CURVES: Final = frozenset({"step", "_step", "timestamp", "_timestamp", "frame", "timesteps", "global_step", "steps"})
_OPTIONAL: Final = ("task", "run", "metric", "variant", "cluster", "weight")
"""Roles that a column with no filled cell does not give."""


class TableReader:
    """The reader of generic tables; the last in the list, since every other format could be taken for one."""

    @property
    def name(self) -> str:
        """'table'."""
        return "table"

    def claims(self, head: FileHead) -> bool:
        """Whether the head is Parquet, JSON or delimited text."""
        return kind_of(head) in {"parquet", "json", "delimited"}

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; a file without a model column is one model, named by the file."""
        names = names_for(head.path for head in heads)
        for head in heads:
            try:
                yield read_table(head, request, names[head.path])
            except NoScores as error:
                if head.explicit:
                    raise
                yield Part(head.path, "", {}, (), unusable=(("", str(error)),))


def read_table(head: FileHead, request: Request, model: str) -> Part:
    """The rows of one table under our names, as a temporary table of the request's engine."""
    with Scratch() as scratch:
        try:
            source = _source(head, request.engine, scratch)
            given = explicit(request.columns, request.cluster, source.names)
            layout = _with_scores(arrange(source.names, given, source.defaults), source, request.engine)
            layout = _with_fallbacks(layout, model)
            # What is small stays in memory; a compressed file is larger than it looks.
            large = head.size > (LARGE_BYTES if head.compression is None else LARGE_BYTES // 8)
            table = request.engine.storage(large) + request.engine.fresh_name("part")
            roles = _fill(table, layout, source, model, request.engine)
            empty = _check(table, layout, source, head, request.engine)
        except ReadError as error:
            raise located(error, head) from error
    filled = [role for role in roles if role not in empty]
    said = [pair for pair in (*source.said, *_said(layout)) if pair[0] not in empty]
    notes = () if layout.wide or "item" in layout.roles else _rows_as_items(table, request.engine)
    return Part(head.path, "table", f"SELECT {', '.join(filled)} FROM {table}", tuple(said), notes=notes)


def _rows_as_items(table: str, engine: Engine) -> tuple[Note, ...]:
    """The note that rows are items; none where the rows of a model are told apart by their task and run."""
    found = engine.query(f"SELECT count(DISTINCT source_row) AS n, count(DISTINCT item) AS items FROM {table}")
    return (note("rows-as-items", n=int(found["n"][0])),) if found["items"][0] > 1 else ()


def _source(head: FileHead, engine: Engine, scratch: Scratch) -> Source:
    kind = kind_of(head)
    if kind == "parquet":
        return parquet_source(head, engine, scratch)
    if kind == "json":
        return json_source(head, engine)
    return delimited_source(head, scratch)


def _with_scores(layout: Layout, source: Source, engine: Engine) -> Layout:
    """Decide which columns are scores where the headers leave it open."""
    if len(layout.scores) == 1:
        return layout
    if "score" in layout.asked:
        return replace(layout, several=True)
    if not layout.scores:
        return _wide(layout, source, engine)
    numeric = _score_like(layout.scores, source, engine) or layout.scores
    if len(numeric) > 1 and "metric" in layout.roles:
        listed = ", ".join(f"'{name}'" for name in numeric)
        raise ReadError(f"columns {listed} could each be the score: choose one (--map score={numeric[0]})")
    dropped = tuple(name for name in layout.scores if name not in numeric)
    return replace(layout, scores=numeric, several=len(numeric) > 1, ignored=layout.ignored + dropped)


def _wide(layout: Layout, source: Source, engine: Engine) -> Layout:
    """Several number columns that play no role are models, unless a model column says that they are not."""
    candidates = [name for name in layout.ignored if may_be_model(name) and not is_unnamed(name)]
    # A table of runs without items (game, seed, two numbers) has metrics, which its headers do not say are such.
    runs_alone = "run" in layout.roles and "item" not in layout.roles
    if "model" in layout.roles or runs_alone or _CURVES & {normal(name) for name in source.names}:
        raise NoScores(_no_score(layout, source))
    models = _score_like(candidates, source, engine)
    if len(models) < 2:
        raise NoScores(_no_score(layout, source))
    if any(is_number(name) for name in models):
        raise NoScores(f"its first line looks like data, not like a header ({_listed(source.names)}); name the columns")
    roles = dict(layout.roles)
    said = list(layout.said)
    if "item" not in roles and is_unnamed(source.names[0]):
        roles["item"] = (source.names[0],)
        said.append(("item", "the unnamed first column"))
    said += [("model", "the headers of " + _listed(models)), ("score", "the cells of these columns")]
    rest = tuple(name for name in layout.ignored if name not in models and (name,) not in roles.values())
    return replace(layout, roles=roles, scores=models, wide=True, said=tuple(said), ignored=rest)


def _no_score(layout: Layout, source: Source) -> str:
    free = [name for name in layout.ignored if not is_unnamed(name)]
    remedy = "name it with --map score=COLUMN" if free else "the file holds no scores, or under another name"
    known = ", ".join(ALIASES["score"])
    return f"no column is known to hold the score; {remedy}; columns: {_listed(source.names)}; known headers: {known}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more


def _score_like(names: Sequence[str], source: Source, engine: Engine) -> tuple[str, ...]:
    """The columns of which at least half of the filled cells are numbers, percentages, or words for right and wrong."""
    if not names:
        return ()
    words, missing = (", ".join(map(literal, listed)) for listed in (_WORDS, _MISSING))
    if len(names) > MANY_COLUMNS:
        return _score_like(names[:MANY_COLUMNS], source, engine) + _score_like(names[MANY_COLUMNS:], source, engine)
    columns = ", ".join(f"w{place}" for place in range(len(names)))
    limit = max(100, PROFILE_CELLS // len(names))
    found = engine.query(
        f"SELECT place, count(*) AS filled, count(*) FILTER (cell IN ({words}) OR "
        "try_cast(rtrim(cell, '%') AS DOUBLE) IS NOT NULL) AS fine FROM (SELECT lower(trim(unnest(cells))) AS cell, "
        f"unnest(range({len(names)})) AS place FROM (SELECT [{columns}] AS cells FROM ({source.scan(names)}) "
        f"LIMIT {limit})) WHERE cell NOT IN ({missing}) GROUP BY place ORDER BY place"
    )
    counts = zip(found["place"].tolist(), found["filled"].tolist(), found["fine"].tolist(), strict=True)
    return tuple(names[place] for place, filled, fine in counts if 2 * fine >= filled)


def _with_fallbacks(layout: Layout, model: str) -> Layout:
    """Say where model and item come from when no column holds them."""
    said = list(layout.said)
    if "model" not in layout.roles and not layout.wide:
        said.append(("model", f"the file's name ('{model}')"))
    if "item" not in layout.roles:
        said.append(("item", "the row's number" + ("" if layout.wide else " within its model, task and run")))
    if layout.several:
        said.append(("metric", "the headers of " + _listed(layout.scores)))
    elif not layout.wide and not any(role == "score" for role, _ in said):
        said.append(("score", f"column '{layout.scores[0]}'"))
    return replace(layout, said=tuple(said))


def _said(layout: Layout) -> tuple[tuple[str, str], ...]:
    if not layout.ignored:
        return layout.said
    return (*layout.said, ("ignored", _listed(layout.ignored)))


def _fill(table: str, layout: Layout, source: Source, model: str, engine: Engine) -> list[str]:
    """Make the table; a thousand score columns are taken some at a time, for the sake of memory."""
    roles: list[str] = []
    for start in range(0, len(layout.scores), MANY_COLUMNS):
        some = replace(layout, scores=layout.scores[start : start + MANY_COLUMNS])
        selection, roles = _selection(some, source, model)
        engine.execute(f"INSERT INTO {table} {selection}" if start else f"CREATE TABLE {table} AS {selection}")
    return roles


def _selection(layout: Layout, source: Source, model: str) -> tuple[str, list[str]]:
    """The SELECT that renames, joins, and turns several score columns into rows; and the roles that it has."""
    wanted = list(dict.fromkeys((*(name for names in layout.roles.values() for name in names), *layout.scores)))
    wanted += [name for name in layout.statuses if name not in wanted]
    place = {name: f"w{number}" for number, name in enumerate(wanted)}
    columns = {role: _joined([place[name] for name in names]) for role, names in layout.roles.items()}
    if "weight" in columns:
        columns["weight"] = _weight(columns["weight"])
    header = "model" if layout.wide else "metric"
    if layout.several or layout.wide:
        columns[header] = f"unnest([{', '.join(literal(name) for name in layout.scores)}])"
        columns["score"] = f"unnest([{', '.join(place[name] for name in layout.scores)}])"
    else:
        columns["score"] = place[layout.scores[0]]
    columns.setdefault("model", literal(model))
    if layout.statuses:
        columns["status"] = _status([place[name] for name in layout.statuses])
    filled = f"coalesce({', '.join(place.values())}) IS NOT NULL"
    rows = f"SELECT *, row_number() OVER () AS source_row FROM ({source.scan(wanted)})"
    chosen = ", ".join(f"{sql} AS {role}" for role, sql in columns.items())
    selected = f"SELECT {chosen}, row_hash, source_row FROM ({rows}) WHERE {filled}"
    return _numbered(selected, columns, layout), [*dict.fromkeys((*columns, "item", "row_hash"))]


def _weight(text: str) -> str:
    """A weight as a number; a text that is none stops the query with its row."""
    refusal = f"error(concat('row ', source_row, ': the weight ', {text}, ' is not a number'))"
    return f"coalesce(try_cast({text} AS DOUBLE), CASE WHEN {text} IS NOT NULL THEN CAST({refusal} AS DOUBLE) END)"


def _joined(places: Sequence[str]) -> str:
    """One trimmed text; NULL only if every part is."""
    trimmed = [f"nullif(trim({place}), '')" for place in places]
    return trimmed[0] if len(trimmed) == 1 else f"nullif(concat_ws({literal(JOINER)}, {', '.join(trimmed)}), '')"


def _status(places: Sequence[str]) -> str:
    fine = ", ".join(literal(word) for word in _FINE)
    said = " OR ".join(f"coalesce(lower(trim({place})), '') NOT IN ({fine})" for place in places)
    return f"CASE WHEN {said} THEN 'error' ELSE 'ok' END"


def _numbered(selected: str, columns: Mapping[str, str], layout: Layout) -> str:
    """Give rows without an item their number: of the row (wide), or within model, task, run, metric and variant."""
    if "item" in columns:
        return selected
    if layout.wide:
        return f"SELECT *, CAST(source_row AS VARCHAR) AS item FROM ({selected})"
    groups = ", ".join(role for role in ("model", "task", "run", "metric", "variant") if role in columns)
    number = f"row_number() OVER (PARTITION BY {groups} ORDER BY source_row)"
    return f"SELECT *, CAST({number} AS VARCHAR) AS item FROM ({selected}) ORDER BY source_row"


def _check(table: str, layout: Layout, source: Source, head: FileHead, engine: Engine) -> frozenset[str]:
    """The optional roles without a filled cell; no rows, a row without model or item, an empty asked column: errors."""
    optional = [role for role in _OPTIONAL if role in layout.roles]
    counts = "".join(f", count({role}) AS n_{role}" for role in optional)
    found = engine.query(
        "SELECT count(*) AS n, coalesce(min(source_row) FILTER (model IS NULL), 0) AS model, "
        f"coalesce(min(source_row) FILTER (item IS NULL), 0) AS item{counts} FROM {table}"
    )
    if not found["n"][0]:
        what = "a header and no rows" if source.unit == "line" else "no rows"
        raise NoScores(f"{shown(head.path)} has {what}; no scores are in it")
    for role in ("model", "item"):
        if found[role][0]:
            raise ReadError(f"row {found[role][0]} has no {role} (it is taken from {_listed(layout.roles[role])})")
    empty = {role for role in optional if not found[f"n_{role}"][0]}
    for role in sorted(empty & layout.asked):
        raise ReadError(f"{_listed(layout.roles[role])}, asked for as the {role}, is empty in every row")
    return frozenset(empty)
