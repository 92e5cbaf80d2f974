"""Battles of a large table (Parquet, CSV), scored by the database: the same rows, without a record of each in memory.

What a record may be is said in one place (:mod:`scorebars.readers.arena`): the first row that is not as it should be is
handed to it, and it raises its sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Part
from scorebars.engines.duckdb import literal
from scorebars.errors import typed
from scorebars.notes import note
from scorebars.readers.arena import (
    IDS,
    JUDGES,
    ONE_HOT,
    TEXTS,
    TIES,
    cluster_of,
    graded,
    judged,
    keys_of,
    mapping_of,
    mapping_of_graded,
    opened,
    role_columns,
)
from scorebars.readers.document import node
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.document import Node
    from scorebars.readers.sources import Source

BLANKS: Final = " \t\r\n"
TRUE: Final = ("1", "1.0", "true")
FALSE: Final = ("0", "0.0", "false")
_PLAIN: Final = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?"


@dataclass(frozen=True, slots=True)
class BattleTable:
    """The rows of a table that have any cell, numbered as they stand in it, their blank cells NULL."""

    name: str
    columns: Mapping[str, str]
    """Header -> column of the table in the database."""
    engine: Engine
    first: int
    """What the file calls its first row, which is 1 here."""

    def row(self, number: int, where: str) -> Node:
        """A row as a record; ``where`` is the file and what it calls a row."""
        found = self.engine.query(f"SELECT * FROM {self.name} WHERE number = {number}")
        cells = {
            key: None if found[column][0] is None else str(found[column][0]) for key, column in self.columns.items()
        }
        return node(cells, f"{where} {number + self.first - 1}")

    def start(self) -> int | None:
        """The number of the first row."""
        found = self.engine.query(f"SELECT coalesce(min(number), 0) AS n FROM {self.name}")
        return int(found["n"][0]) or None

    def first_bad(self, is_good: str) -> int | None:
        """The number of the first row of which a condition does not hold."""
        found = self.engine.query(
            f"SELECT coalesce(min(number), 0) AS n FROM {self.name} WHERE ({is_good}) IS NOT TRUE"
        )
        return int(found["n"][0]) or None

    def n_models(self, sides: Sequence[str]) -> int:
        """How many models meet."""
        each = " UNION ALL ".join(f"SELECT DISTINCT {side} AS model FROM {self.name}" for side in sides)
        return int(self.engine.query(f"SELECT count(DISTINCT model) AS n FROM ({each})")["n"][0])

    def unit(self, scores: Sequence[str]) -> tuple[float, float] | None:
        """[0, 1] if all scores are in it, as :func:`scorebars.readers.records.in_unit` says."""
        least, most = (", ".join(f"{end}({score})" for score in scores) for end in ("min", "max"))
        found = self.engine.query(
            f"SELECT coalesce(least({least}), -1) AS low, coalesce(greatest({most}), -1) AS high FROM {self.name}"
        )
        return (0.0, 1.0) if found["low"][0] >= 0 and 0 <= found["high"][0] <= 1 else None

    def clusters(self, keys: Sequence[str]) -> Iterator[Note]:
        """The note on a column that groups the rows, as :func:`scorebars.readers.unclustered.available` gives it."""
        for key in filter(self.columns.__contains__, keys):
            column = self.columns[key]
            found = self.engine.query(
                f"SELECT count(*) AS n, count({column}) AS known, count(DISTINCT {column}) AS k FROM {self.name}"
            )
            n, known, k = (int(found[name][0]) for name in ("n", "known", "k"))
            if known == n and 1 < k < n:
                yield note("clusters-available", units="battles", k=k, field=key, remedy=typed("--cluster", key))
                return


def large_part(head: FileHead, request: Request) -> Part | None:
    """The part of a large table of battles.

    None where the database and Python read a row otherwise.
    """
    with opened(head, request) as source:
        keys = keys_of(source.names)
        if keys is None:
            return None
        table = battle_table(source, role_columns(source, request), request.engine)
    columns, start, where = table.columns, table.start(), f"{shown(head.path)}: {source.unit}"
    if start is None:
        return None
    first = table.row(start, where)
    item_key = next((key for key in (*IDS, *TEXTS) if first.has(key)), None)
    cluster = cluster_of(request)
    if cluster is not None:
        first.text(cluster)
    sides = [columns[side] for side in keys.sides]
    if keys.scores:
        scores, valid = [number(columns[key]) for key in keys.scores], [is_number(columns[key]) for key in keys.scores]
    else:
        won_by = won(columns[keys.winner], sides, keys.sides) if keys.winner else None
        score = won_by or one_hot([columns[key] for key in ONE_HOT])
        scores, valid = [score, f"1 - ({score})"], [f"coalesce({score}, 0) >= 0"]
    known = [*sides, *([columns[item_key]] if item_key else []), *([columns[cluster]] if cluster else [])]
    good = [f"{sides[0]} <> {sides[1]}", *valid, *(f"{column} IS NOT NULL" for column in known)]
    good += [f"{columns[key]} IS NULL" for key in IDS if item_key is None and key in columns]
    if (bad := table.first_bad(" AND ".join(good))) is not None:
        row = table.row(bad, where)
        (graded if keys.scores else judged)(row, keys, item_key, bad)
        if cluster is not None:
            row.text(cluster)
        return None
    item = "CAST(place AS VARCHAR)" if item_key is None else columns[item_key]
    several = not keys.scores or table.n_models(sides) > len(sides)
    group = columns[cluster] if cluster else None
    rows = both_sides(table, sides, scores, item, group, metric=None if keys.scores else "win_rate", several=several)
    notes = tuple(table.clusters(JUDGES)) if cluster is None else ()
    if not keys.scores:
        mapping = tuple(mapping_of(keys, item_key, cluster).items())
        return Part(head.path, "arena", rows, mapping, notes=notes, score_range=(0.0, 1.0))
    mapping = tuple(mapping_of_graded(keys, item_key, cluster, several=several).items())
    return Part(head.path, "arena", rows, mapping, notes=notes, score_range=table.unit(scores))


def battle_table(source: Source, names: Sequence[str], engine: Engine) -> BattleTable:
    """The columns of these names in the database."""
    columns = {name: f"c{place}" for place, name in enumerate(names)}
    cells = ", ".join(
        f"CASE WHEN {_bare(f'w{place}')} <> '' THEN w{place} END AS {column}"
        for place, column in enumerate(columns.values())
    )
    numbered = f"SELECT row_number() OVER () AS number, {cells} FROM ({source.scan(names)})"
    filled = " OR ".join(f"{column} IS NOT NULL" for column in columns.values())
    name = engine.fresh_name("battles")
    engine.execute(
        f"CREATE TEMP TABLE {name} AS SELECT row_number() OVER () AS place, * FROM ({numbered}) WHERE {filled}"
    )
    return BattleTable(name, columns, engine, 2 if source.unit == "line" else 1)


def _bare(text: str) -> str:
    return f"trim({text}, {literal(BLANKS)})"


def won(winner: str, names: Sequence[str], sides: Sequence[str]) -> str:
    """The SQL of what the first of two models won; NULL without a winner, −1 for a word that is none.

    Args:
        winner: The column of the winner.
        names: The columns of the two models.
        sides: The keys of the two models, 'model_a' and 'model_b'.
    """
    first, second = (literal(side.rpartition("_")[2]) for side in sides)
    said = _bare(winner)
    is_name = f"lower({said}) IN (lower({names[0]}), lower({names[1]}))"
    return (
        f"CASE WHEN {winner} IS NULL THEN NULL WHEN {said} = {names[1]} THEN 0 WHEN {said} = {names[0]} THEN 1 "
        f"WHEN {said} = {literal(sides[1])} THEN 0 WHEN {said} = {literal(sides[0])} THEN 1 "
        f"WHEN {said} = {second} OR (lower({said}) = {second} AND NOT {is_name}) THEN 0 "
        f"WHEN {said} = {first} OR (lower({said}) = {first} AND NOT {is_name}) THEN 1 "
        f"WHEN lower({said}) IN ({', '.join(map(literal, sorted(TIES)))}) THEN 0.5 ELSE -1 END"
    )


def one_hot(columns: Sequence[str]) -> str:
    """The same of three columns of 0 and 1: the first won, the second won, neither."""
    marks = [
        f"CASE WHEN {column} IS NULL OR lower({_bare(column)}) IN {_listed(FALSE)} THEN 0 "
        f"WHEN lower({_bare(column)}) IN {_listed(TRUE)} THEN 1 END"
        for column in columns
    ]
    absent = " AND ".join(f"{column} IS NULL" for column in columns)
    total = " + ".join(f"({mark})" for mark in marks)
    return f"CASE WHEN {absent} THEN NULL WHEN {total} = 1 THEN ({marks[0]}) + ({marks[2]}) / 2.0 ELSE -1 END"


def _listed(words: Sequence[str]) -> str:
    return f"({', '.join(map(literal, words))})"


def number(text: str) -> str:
    """The SQL of a score in a cell; NULL where there is none."""
    word = f"lower({_bare(text)})"
    return (
        f"CASE WHEN {word} = 'true' THEN 1.0 WHEN {word} = 'false' THEN 0.0 WHEN {word} = 'nan' THEN NULL "
        f"ELSE TRY_CAST({word} AS DOUBLE) END"
    )


def is_number(text: str) -> str:
    """Whether a cell is empty, or has a score that Python reads in the same way."""
    word = f"lower({_bare(text)})"
    return (
        f"({text} IS NULL OR {word} IN ('true', 'false', 'nan') OR (regexp_full_match({word}, {literal(_PLAIN)}) "
        f"AND coalesce(isfinite(TRY_CAST({word} AS DOUBLE)), FALSE)))"
    )


def both_sides(
    table: BattleTable, names: Sequence[str], scores: Sequence[str], item: str, cluster: str | None, *,
    metric: str | None, several: bool,
) -> str:  # fmt: skip
    """The rows of the battles, two each, as a part has them; ``several``: the other model is the variant."""
    a, b = names
    group = "" if cluster is None else f", {cluster} AS cluster"
    scored = f"SELECT *, CAST({scores[0]} AS DOUBLE) AS first, CAST({scores[1]} AS DOUBLE) AS second FROM {table.name}"
    each = (
        f"SELECT unnest([{a}, {b}]) AS model, {item} AS item, unnest(['vs ' || {b}, 'vs ' || {a}]) AS variant, "
        f"unnest([first, second]) AS score{group} FROM ({scored})"
    )
    named = f"{literal(metric)} AS metric, " if metric else ""
    return (
        f"SELECT model, item, {named}{'variant, ' if several else ''}CAST(score AS VARCHAR) AS score, "
        f"CASE WHEN score IS NULL THEN 'missing' ELSE 'ok' END AS status{'' if cluster is None else ', cluster'} "
        f"FROM ({each})"
    )
