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
    judged,
    keys_of,
    mapping_of,
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

    None where its rows hold scores in place of a winner, and where the database and Python read one otherwise.
    """
    with opened(head, request) as source:
        keys = keys_of(source.names)
        if keys is None or keys.scores:
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
    score = won(columns[keys.winner], sides, keys.sides) if keys.winner else one_hot([columns[key] for key in ONE_HOT])
    known = [*sides, *([columns[item_key]] if item_key else []), *([columns[cluster]] if cluster else [])]
    good = [f"{sides[0]} <> {sides[1]}", f"coalesce({score}, 0) >= 0", *(f"{column} IS NOT NULL" for column in known)]
    good += [f"{columns[key]} IS NULL" for key in IDS if item_key is None and key in columns]
    if (bad := table.first_bad(" AND ".join(good))) is not None:
        row = table.row(bad, where)
        judged(row, keys, item_key, bad)
        if cluster is not None:
            row.text(cluster)
        return None
    item = "CAST(place AS VARCHAR)" if item_key is None else columns[item_key]
    rows = both_sides(table, sides, score, item, columns[cluster] if cluster else None)
    notes = tuple(table.clusters(JUDGES)) if cluster is None else ()
    mapping = tuple(mapping_of(keys, item_key, cluster).items())
    return Part(head.path, "arena", rows, mapping, notes=notes, score_range=(0.0, 1.0))


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


def both_sides(table: BattleTable, names: Sequence[str], score: str, item: str, cluster: str | None) -> str:
    """The rows of the battles, two each, as a part has them."""
    a, b = names
    group = "" if cluster is None else f", {cluster} AS cluster"
    scored = f"SELECT *, CAST({score} AS DOUBLE) AS score FROM {table.name}"
    each = (
        f"SELECT unnest([{a}, {b}]) AS model, {item} AS item, unnest(['vs ' || {b}, 'vs ' || {a}]) AS variant, "
        f"unnest([score, 1 - score]) AS score{group} FROM ({scored})"
    )
    return (
        "SELECT model, item, 'win_rate' AS metric, variant, CAST(score AS VARCHAR) AS score, "
        f"CASE WHEN score IS NULL THEN 'missing' ELSE 'ok' END AS status{'' if cluster is None else ', cluster'} "
        f"FROM ({each})"
    )
