"""The rows of a table file in a table of the engine: first as if nothing were odd, then again with all care.

Most tables have an item in every row and no row twice. They are copied column by column; numbering rows and telling
copies from repeats, which cost as much again, are left for the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.coding import TEXT_ROLES
from scorebars.engines.duckdb import MANY_ROWS, SMALL_ROWS, quote
from scorebars.errors import ReadError
from scorebars.readers.files import shown
from scorebars.readers.selection import plain_selection, selection
from scorebars.readers.sources import MANY_COLUMNS, NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source
    from scorebars.sample import Column

OPTIONAL: Final = ("task", "run", "metric", "variant", "cluster", "weight")
"""Roles that a column with no filled cell does not give."""
IDENTITY: Final = ("model", "task", "item", "metric", "variant")
"""Roles that tell an attempt from others, where no run does."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A table that was made, and what it turned out to be like."""

    roles: tuple[str, ...]
    """Its columns, without optional roles that have no filled cell."""
    empty: frozenset[str]
    """Those roles."""
    whole: tuple[str, ...]
    """Roles whose every id is a whole number that was written as a float ('1.0')."""
    n: int
    """Its rows."""
    repeats: bool | None
    """Whether an attempt stands in two rows; None where nobody looked."""
    numbered: Mapping[str, Column] = field(default_factory=dict)
    """Codes of its ids, where they were made on the way; not of those whose texts are to change."""


def fill(
    table: str, layout: Layout, source: Source, model: str, head: FileHead, engine: Engine, *, alone: bool
) -> Filled:
    """Make the table.

    Args:
        table: Its name.
        layout: Which column plays which role.
        source: Where the cells are.
        model: The model, if no column says it.
        head: The file.
        engine: Where the table is made.
        alone: Whether no other file is read, which could hold copies of these rows.

    Raises:
        NoScores: There are no rows.
        ReadError: A row has no model or item, or a column that was asked for is empty.
    """
    repeats: bool | None = None
    codes: dict[str, Column] = {}
    if alone and _is_plain(layout):
        selected, roles = plain_selection(layout, source, model)
        n = engine.create(f"CREATE TABLE {table} AS {selected}")
        if n > SMALL_ROWS:
            codes, found = _numbered(table, n, roles, layout, engine)
        else:
            found = _looked_at(table, layout, engine)
        odd = found["model"] or found["item"] or not found["n"]
        if not odd and not found.get("n_run"):
            repeats = _repeats(table, roles, found, codes, engine)
        if not (odd or repeats):
            made = _filled(table, roles, layout, found, engine, repeats)
            return replace(made, numbered={role: codes[role] for role in codes if role not in made.whole})
        engine.execute(f"DROP TABLE {table}")
    roles = _filled_with_care(table, layout, source, model, engine)
    found = _looked_at(table, layout, engine)
    _check(found, layout, source, head, table, engine)
    return _filled(table, roles, layout, found, engine, repeats)


def _is_plain(layout: Layout) -> bool:
    return (
        "item" in layout.roles
        and "weight" not in layout.roles
        and not (layout.wide or layout.several or layout.spread or layout.lists or layout.only)
    )


def _numbered(
    table: str, n: int, roles: Sequence[str], layout: Layout, engine: Engine
) -> tuple[dict[str, Column], dict[str, int]]:
    """The ids of a large table as codes, which must be made anyway, and what :func:`_looked_at` finds, from them."""
    from scorebars.engines.numbering import dictionary, guessed, numbered

    prefix = engine.storage(n > MANY_ROWS)
    guess = guessed(engine, table, "model")
    texts = {"model": guess} if guess else {}
    texts |= {
        role: dictionary(engine, table, role, prefix) for role in TEXT_ROLES if role in roles and role not in texts
    }
    codes, _ = numbered(engine, table, texts)
    if guess and (codes["model"].codes < 0).any():
        codes |= numbered(engine, table, {"model": dictionary(engine, table, "model", prefix)})[0]
    found = {"n": n}
    for role in ("model", "item"):
        empty = codes[role].codes < 0
        found[role] = int(np.argmax(empty)) + 1 if empty.any() else 0
    for role in OPTIONAL:
        if role in layout.roles:
            found[f"n_{role}"] = int(np.count_nonzero(codes[role].codes >= 0))
    for role in _ids(layout):
        some = engine.query(f"SELECT label FROM {texts[role].table} LIMIT 1")["label"]  # all are looked at if it does
        found[f"whole_{role}"] = int(len(some) > 0 and some[0].endswith(".0"))
    return codes, found


def _repeats(
    table: str,
    roles: Sequence[str],
    found: Mapping[str, int],
    codes: Mapping[str, Column],
    engine: Engine,
) -> bool:
    """Whether an attempt stands in two rows, where there is no run that may tell them apart.

    The codes of ids say so where they were made, and their hashes elsewhere.
    """
    named = [role for role in IDENTITY if role in roles]
    if codes:
        from scorebars.engines.numbering import repeat

        if (repeats := repeat([codes[role] for role in named])) is not None:
            return repeats
    different = engine.query(f"SELECT count(DISTINCT hash({', '.join(named)})) AS n FROM {table}")
    return bool(different["n"][0] < found["n"])


def _filled_with_care(table: str, layout: Layout, source: Source, model: str, engine: Engine) -> list[str]:
    """A thousand score columns are taken some at a time, for the sake of memory."""
    roles: list[str] = []
    for start in range(0, len(layout.scores), MANY_COLUMNS):
        part = slice(start, start + MANY_COLUMNS)
        some = replace(
            layout,
            scores=layout.scores[part],
            models=layout.models[part],
            metrics=layout.metrics[part],
            runs=layout.runs[part],
            items=layout.items[part],
        )
        selected, roles = selection(some, source, model)
        engine.execute(f"INSERT INTO {table} {selected}" if start else f"CREATE TABLE {table} AS {selected}")
    return roles


def _looked_at(table: str, layout: Layout, engine: Engine) -> dict[str, int]:
    """One pass over the table: rows, the first without a model or item, filled cells, ids that end in '.0'."""
    row = "source_row" if "source_row" in engine.columns(f"SELECT * FROM {table}") else "rowid + 1"
    optional = [role for role in OPTIONAL if role in layout.roles]
    counts = "".join(f", count({role}) AS n_{role}" for role in optional)
    counts += "".join(f", coalesce(bool_and({role} LIKE '%.0'), false) AS whole_{role}" for role in _ids(layout))
    found = engine.query(
        f"SELECT count(*) AS n, coalesce(min({row}) FILTER (model IS NULL), 0) AS model, "
        f"coalesce(min({row}) FILTER (item IS NULL), 0) AS item{counts} FROM {table}"
    )
    return {name: int(column[0]) for name, column in found.items()}


def _ids(layout: Layout) -> list[str]:
    return [role for role in ("item", "run") if role in layout.roles]


def _check(
    found: Mapping[str, int], layout: Layout, source: Source, head: FileHead, table: str, engine: Engine
) -> None:
    if not found["n"]:
        what = "a header and no rows" if source.unit == "line" else "no rows"
        raise NoScores(f"{shown(head.path)} has {what}; no scores are in it")
    for role in ("model", "item"):
        if found[role]:
            listed = ", ".join(f"'{name}'" for name in layout.roles[role])
            filled = " AND ".join(f"length(trim({quote(name)}::VARCHAR)) > 0" for name in layout.roles[role])
            how = f" (of one file: --sql 'SELECT * FROM data WHERE {filled}')" if source.unit == "line" else ""
            row = found[role]
            if kind := _total(row, table, engine):
                raise ReadError(
                    f"row {row}, the last, has no {role} (it is taken from {listed}) and sums up the rows above it "
                    f"({kind}): leave it out{how}"
                )
            raise ReadError(
                f"row {row} has no {role} (it is taken from {listed}); fill it in, or leave such rows out{how}"
            )


def _total(row: int, table: str, engine: Engine) -> str:
    """What a last row is of the others, 'mean' or 'sum'; '' where it is neither, or not the last."""
    number = "source_row" if "source_row" in engine.columns(f"SELECT * FROM {table}") else "rowid + 1"
    if engine.query(f"SELECT max({number}) AS last FROM {table}")["last"][0] != row:
        return ""
    from scorebars.readers.unlabelled_totals import sum_of_others

    return sum_of_others(table, row, engine)


def _filled(
    table: str,
    roles: Sequence[str],
    layout: Layout,
    found: Mapping[str, int],
    engine: Engine,
    repeats: bool | None,
) -> Filled:
    empty = {role for role in OPTIONAL if role in layout.roles and not found[f"n_{role}"]}
    for role in sorted(empty & layout.asked):
        listed = ", ".join(f"'{name}'" for name in layout.roles[role])
        raise ReadError(f"{listed}, asked for as the {role}, is empty in every row")
    whole = tuple(role for role in _ids(layout) if _is_whole(role, found, table, engine))
    kept = tuple(role for role in roles if role not in empty)
    return Filled(kept, frozenset(empty), whole, found["n"], repeats)


def _is_whole(role: str, found: Mapping[str, int], table: str, engine: Engine) -> bool:
    """Whether every id is a whole number and '.0', as a data frame writes whole numbers beside an empty cell."""
    if not found[f"whole_{role}"]:
        return False
    sure = engine.query(f"SELECT bool_and(regexp_full_match({role}, '-?[0-9]+[.]0')) AS sure FROM {table}")
    return bool(sure["sure"][0])
