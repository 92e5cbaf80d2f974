"""Parts of result files inside a database -> score table. Only codes and numbers leave it, whatever its size.

The parts are gathered once into a table of texts and numbers (in a file of its own when the inputs are large). Small
tables then go through the arrays engine; large ones are coded by the database: a dictionary table for each role, sorted
as text, joined back, with row numbers because a join may reorder rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.arrays import ArrayRows, factorised
from scorebars.engines.coding import ROLES, STATUS_WORDS, TEXT_ROLES, Coded, assemble, row_name
from scorebars.engines.duckdb import MANY_ROWS, SMALL_ROWS, Engine, literal, quote
from scorebars.engines.gathering import source_of
from scorebars.engines.numbering import Dictionary, dictionary, numbered
from scorebars.engines.score_text import NUMBER, conversion_note, has_sign, score_of
from scorebars.errors import ReadError, ScoresError
from scorebars.sample import Column, ScoreTable, Source, Status

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import Part
    from scorebars.notes import Note
    from scorebars.sample import FloatArray, IntArray

LARGE_BYTES: Final = 8 * 1024**2
"""Inputs larger than this are gathered in a file, compressed, and not in memory."""
MANY_TEXTS: Final = 100_000
"""More different score texts than this are no scores."""


class RelationRows:
    """The rows of parts, gathered in an engine's table.

    Args:
        engine: The engine against which the parts' SQL runs.
        parts: Parts in order; their ``rows`` are SQL or columns.
        small: Up to how many rows the arrays engine does the coding.
    """

    def __init__(self, engine: Engine, parts: Sequence[Part], *, small: int = SMALL_ROWS) -> None:
        self._engine = engine
        self._gathered = _gather(engine, parts)
        self._dictionaries: dict[str, Dictionary] = {}
        self._arrays: ArrayRows | None = None
        if self._gathered.n_rows <= small:
            self._arrays = ArrayRows(_small_table(engine, self._gathered))

    def counts(self, role: str) -> dict[str, int]:
        """Number of rows of each text of a role, sorted by text; empty where the data do not have the role."""
        if self._arrays is not None:
            return self._arrays.counts(role)
        if role not in self._gathered.roles:
            return {}
        name = quote(role)
        found = self._engine.query(
            f"SELECT coalesce({name}, '') AS label, count(*) AS n FROM {self._gathered.table} GROUP BY 1 ORDER BY 1"
        )
        return dict(zip(found["label"].tolist(), found["n"].tolist(), strict=True))

    def table(self, chosen: Mapping[str, str]) -> ScoreTable:
        """The rows with the chosen metric and variant, in file order."""
        if self._arrays is not None:
            return self._arrays.table(chosen)
        conditions = [
            f"t.{quote(role)} = {literal(text)}" if text else f"coalesce(t.{quote(role)}, '') = ''"
            for role, text in chosen.items()
            if role in self._gathered.roles
        ]
        return self._coded_in_sql(" AND ".join(conditions) or "true", _chosen(self._gathered.numbered, chosen))

    def _coded_in_sql(self, condition: str, made: Mapping[str, Column]) -> ScoreTable:
        """Rows that meet a condition, coded by the database but for the roles whose codes are made."""
        gathered = self._gathered
        left: list[str] = [role for role in TEXT_ROLES if role in gathered.roles - made.keys()]
        more = [f"t.{quote(role)}" for role in ("status", "weight", "row_hash") if role in gathered.roles]
        if not left:  # nothing is joined, so that texts among the scores may be looked for on the way
            seen = ["t.score", "t.score_text IS NOT NULL AS is_text"]
            _, cells = numbered(self._engine, gathered.table, {}, [*seen, *more], condition=condition)
            if not cells.pop("is_text").any():
                return assemble(_coded(cells, made, cells["score"], gathered.sources, None))
        said, values = _score_texts(self._engine, gathered)
        joins = [f"LEFT JOIN {values} AS v ON t.score_text = v.label"] if values else []
        more.append("coalesce(t.score, v.value) AS score" if values else "t.score")
        if _has_signs(said):
            more.append("coalesce(v.percent, false) AS percent")
        dictionaries = {role: self._dictionary(role) for role in left}
        columns, cells = numbered(self._engine, gathered.table, dictionaries, more, joins, condition)
        return assemble(_coded(cells, {**made, **columns}, cells["score"], gathered.sources, said))

    def _dictionary(self, role: str) -> Dictionary:
        if role not in self._dictionaries:
            self._dictionaries[role] = dictionary(self._engine, self._gathered.table, role, self._gathered.prefix)
        return self._dictionaries[role]


@dataclass(frozen=True, slots=True)
class _Gathered:
    """The table that holds all parts."""

    table: str
    roles: frozenset[str]
    n_rows: int
    sources: tuple[Source, ...]
    prefix: str
    """Where further tables of this relation go."""
    numbered: Mapping[str, Column]
    """Codes of all its rows that the reader has made, by role."""


def _gather(engine: Engine, parts: Sequence[Part]) -> _Gathered:
    """All parts in one table: ids as text (empty: NULL), score as number and, where it is none, as text."""
    batches = [_batch(engine, some) for some in _alike(parts)]
    roles = frozenset(role for batch in batches for role in batch.types if role in ROLES)
    if "score" not in roles:
        raise ScoresError("there is no score column; name it with --map score=COLUMN")
    if len(parts) == 1 and "rowid" in batches[0].types:
        return _in_place(engine, parts[0], batches[0], roles)
    prefix = engine.storage(sum(_size(part) for part in parts) > LARGE_BYTES)
    table = prefix + quote(engine.fresh_name("scores"))
    columns = _gathered_columns(roles)
    engine.execute(f"CREATE TABLE {table} ({', '.join(f'{quote(name)} {kind}' for name, kind in columns)})")
    sources: list[Source] = []
    n_rows = 0
    for batch in batches:
        selected = [_selected(name, batch.types) for name, _ in columns]
        for part, first in zip(batch.parts, batch.firsts, strict=True):
            sources.append(source_of(part, n_rows + first))
        try:
            engine.execute(f"INSERT INTO {table} SELECT {', '.join(selected)} FROM ({batch.query}) AS part")
        except ReadError as error:
            raise _placed(error, batch.parts[0]) from error
        n_rows = int(engine.query(f"SELECT count(*) AS n FROM {table}")["n"][0])
    return _Gathered(table, roles, n_rows, tuple(sources), prefix, {})


@dataclass(frozen=True, slots=True)
class _Batch:
    """Parts that go into the table at once."""

    parts: Sequence[Part]
    firsts: Sequence[int]
    """The first row of each among the rows of the query."""
    query: str
    types: Mapping[str, str]


def _alike(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Neighbours that are columns in memory of the same roles and kinds; a query stands by itself."""
    for key, some in groupby(enumerate(parts), lambda each: _likeness(*each)):
        del key
        yield [part for _, part in some]


def _likeness(number: int, part: Part) -> Hashable:
    if isinstance(part.rows, str):
        return number
    return tuple((role, np.asarray(part.rows[role]).dtype.kind) for role in sorted(part.rows))


def _batch(engine: Engine, parts: Sequence[Part]) -> _Batch:
    """A part as SQL; columns are registered, those of several parts as one."""
    first = parts[0]
    if isinstance(first.rows, str):
        return _Batch(parts, [0], first.rows, _types(engine, first.rows, first))
    tables = [part.rows for part in parts if not isinstance(part.rows, str)]
    columns = {role: np.concatenate([np.asarray(table[role]) for table in tables]) for role in first.rows}
    lengths = [len(next(iter(table.values()))) if table else 0 for table in tables]
    for role in TEXT_ROLES:
        if role in columns and columns[role].dtype.kind in "biuf":  # ids become text in one way only
            column = factorised(columns[role], role)
            columns[role] = np.append(column.labels, np.array([None]))[column.codes]
    name = engine.fresh_name("part")
    engine.register(name, columns)
    query = f"SELECT * FROM {quote(name)}"
    return _Batch(parts, list(accumulate(lengths[:-1], initial=0)), query, _types(engine, query, first))


def _gathered_columns(roles: frozenset[str]) -> list[tuple[str, str]]:
    """Names and types of the gathered table's columns."""
    return [(role, _sql_type(role)) for role in ROLES if role in roles] + [("score_text", "VARCHAR")]


def _in_place(engine: Engine, part: Part, batch: _Batch, roles: frozenset[str]) -> _Gathered:
    """The only part, whose rows are in a table of the engine (they have its ``rowid``): looked at, not copied."""
    table = quote(engine.fresh_name("scores"))
    selected = [f"{_selected(name, batch.types)} AS {quote(name)}" for name, _ in _gathered_columns(roles)]
    engine.execute(f"CREATE VIEW {table} AS SELECT {', '.join(selected)}, rowid FROM ({batch.query}) AS part")
    n_rows = int(engine.query(f"SELECT count(*) AS n FROM {table}")["n"][0])
    made = part.numbered[1] if part.numbered and part.numbered[0] == part.rows else {}
    made = {role: column for role, column in made.items() if role in roles}
    return _Gathered(table, roles, n_rows, (source_of(part, 0),), engine.storage(n_rows > MANY_ROWS), made)


def _chosen(columns: Mapping[str, Column], chosen: Mapping[str, str]) -> Mapping[str, Column]:
    """The columns in the rows with the chosen metric and variant."""
    rows: NDArray[np.bool_] | None = None
    for column, text in ((columns[role], text) for role, text in chosen.items() if role in columns):
        codes = np.flatnonzero(column.labels == text) if text else [-1]
        same = np.isin(column.codes, codes)
        rows = same if rows is None else rows & same
    return columns if rows is None else {role: column.take(rows) for role, column in columns.items()}


def _types(engine: Engine, query: str, part: Part) -> dict[str, str]:
    try:
        return engine.columns(query)
    except ReadError as error:
        raise _placed(error, part) from error


def _placed(error: ReadError, part: Part) -> ReadError:
    """The same error with the file's name in it."""
    path = str(part.path)
    return error if path in str(error) else ReadError(f"{path}: {error}")


def _size(part: Part) -> int:
    try:
        return part.path.stat().st_size
    except OSError:
        return 0


def _sql_type(role: str) -> str:
    kinds = {"score": "DOUBLE", "weight": "DOUBLE", "status": "TINYINT", "row_hash": "BIGINT", "source_row": "BIGINT"}
    return kinds.get(role, "VARCHAR")


def _selected(name: str, types: Mapping[str, str]) -> str:
    """The expression that fills a column of the gathered table from a part with these columns."""
    if name in ("score", "score_text"):
        return _score_expressions(types)[name == "score_text"]
    if name not in types:
        return "NULL"
    column = quote(name)
    special = {
        "weight": f"CAST({column} AS DOUBLE)",
        "row_hash": f"(hash({column}) // 2)::BIGINT",
        "status": _status_expression(column),
        "source_row": f"CAST({column} AS BIGINT)",
    }
    return special.get(name, f"nullif(CAST({column} AS VARCHAR), '')")


def _score_expressions(types: Mapping[str, str]) -> tuple[str, str]:
    """Score as a number, and as text where it is none."""
    kind = types.get("score", "VARCHAR")
    if "score" not in types:
        return "NULL", "NULL"
    if kind not in ("VARCHAR", "BOOLEAN"):
        return "CASE WHEN isnan(CAST(score AS DOUBLE)) THEN NULL ELSE CAST(score AS DOUBLE) END", "NULL"
    written = "CAST(score AS VARCHAR)"
    text = f"trim({written})"
    is_number = f"regexp_full_match({text}, {literal(NUMBER)})"
    plain = f"{written} IN ('0', '1')"  # as most scores are, which is seen without a regular expression
    return (
        f"CASE WHEN {plain} THEN ({written} = '1')::DOUBLE WHEN {is_number} THEN CAST({text} AS DOUBLE) END",
        f"CASE WHEN {plain} THEN NULL WHEN NOT {is_number} THEN nullif({text}, '') END",
    )


def _status_expression(column: str) -> str:
    words = " ".join(f"WHEN {literal(word)} THEN {int(status)}" for word, status in STATUS_WORDS.items())
    return f"CASE lower(trim(coalesce(CAST({column} AS VARCHAR), ''))) {words} ELSE {int(Status.ERROR)} END"


def _small_table(engine: Engine, gathered: _Gathered) -> ScoreTable:
    """The whole table through the arrays engine."""
    # Without a NULL in a column there is no mask, and numpy.ma, a tenth of a start, is not imported.
    texts_filled = "* REPLACE (coalesce(score_text, '') AS score_text)"
    cells = engine.query(f"SELECT {texts_filled} FROM {gathered.table} ORDER BY rowid")
    texts = cells["score_text"]
    rows = np.flatnonzero(texts.astype(bool))
    score = cells["score"].astype(np.float64)
    counts: dict[str, list[int]] = {}
    for row in rows.tolist():
        counts.setdefault(texts[row], [0, row])[0] += 1
    file_row = _whole(cells.get("source_row"))
    found = [
        (text, n, first, None if file_row is None else int(file_row[first])) for text, (n, first) in counts.items()
    ]
    values, said = _converted(found, gathered.sources)
    score[rows] = [values[text] for text in texts[rows]]
    if _has_signs(said):
        cells["percent"] = np.fromiter(map(has_sign, texts.tolist()), np.bool_, len(texts))
    columns: dict[str, Column] = {role: factorised(cells[role], role) for role in TEXT_ROLES if role in cells}
    return assemble(_coded(cells, columns, score, gathered.sources, said))


def _converted(
    found: Sequence[tuple[str, int, int, int | None]], sources: tuple[Source, ...]
) -> tuple[dict[str, float], Note | None]:
    """The number of each (text, rows, first row, its row in the file), and the note on them."""
    texts = [text for text, *_ in found]
    values = {text: score_of(text, row_name(sources, first, file_row), texts) for text, _, first, file_row in found}
    return values, conversion_note({text: n for text, n, *_ in found})


def _coded(
    cells: Mapping[str, NDArray[Any]],
    columns: Mapping[str, Column],
    score: FloatArray,
    sources: tuple[Source, ...],
    said: Note | None,
) -> Coded:
    """Coded columns with the numbers beside them; a hash that some files lack says nothing about the others."""
    status, weight = cells.get("status"), cells.get("weight")
    return Coded(
        columns=columns,
        score=score,
        status=None if status is None else np.where(np.isnan(status), 0, status).astype(np.int8),
        weight=None if weight is None else weight.astype(np.float64),
        fingerprint=_whole(cells.get("row_hash")),
        file_row=_whole(cells.get("source_row")),
        row=cells.get("row_number"),
        percent=cells.get("percent"),
        sources=sources,
        notes=() if said is None else (said,),
    )


def _has_signs(said: Note | None) -> bool:
    """Whether some score is a percentage with its sign."""
    return said is not None and bool(said.data["percentages"])


def _whole(column: NDArray[Any] | None) -> IntArray | None:
    """A column of whole numbers without holes, else None."""
    return column if column is not None and column.dtype == np.int64 else None


def _score_texts(engine: Engine, gathered: _Gathered) -> tuple[Note | None, str]:
    """The note on converted texts, and the table of each text's number; '' where no score is a text."""
    file_row = "arg_min(source_row, rowid)" if "source_row" in gathered.roles else "NULL::BIGINT"
    found = engine.query(
        f"SELECT score_text AS label, count(*) AS n, min(rowid) AS first, {file_row} AS file_row FROM {gathered.table} "
        f"WHERE score_text IS NOT NULL GROUP BY 1 ORDER BY first LIMIT {MANY_TEXTS + 1}"
    )
    rows = [
        (text, int(n), int(first), None if np.isnan(file_row) else int(file_row))
        for text, n, first, file_row in zip(*(found[name] for name in ("label", "n", "first", "file_row")), strict=True)
    ]
    values, said = _converted(rows, gathered.sources)
    if len(rows) > MANY_TEXTS:
        raise ScoresError(f"the score column holds more than {MANY_TEXTS} different texts; write the scores as numbers")
    if not values:
        return said, ""
    name = engine.fresh_name("values")
    labels = np.empty(len(values), dtype=object)
    labels[:] = list(values)
    signs = np.fromiter(map(has_sign, values), np.bool_, len(values))
    engine.register(
        name, {"label": labels, "value": np.array(list(values.values()), dtype=np.float64), "percent": signs}
    )
    return said, quote(name)
