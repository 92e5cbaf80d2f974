"""Ids of a large table of the database as codes: a dictionary for each role, sorted as text, joined back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.duckdb import literal, quote
from scorebars.kernels.ordering import ascending
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.engines.duckdb import Engine
    from scorebars.sample import TextArray

BLOCK: Final = 1 << 20
"""Rows whose attempts are looked at at once."""
FEW: Final = 8
"""Up to so many texts are compared one by one."""
FIRST: Final = 2048
"""Rows whose texts may be all."""
SPARSE: Final = 8
"""Up to so many possible attempts a row, a place is kept for each."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The different texts of a role, sorted, in a table of its own."""

    table: str
    n: int
    texts: Callable[[], TextArray]
    few: tuple[str, ...] = ()
    """The texts where they are few: comparing with each takes less time than a join."""


def dictionary(engine: Engine, table: str, role: str, prefix: str) -> Dictionary:
    """The dictionary of a column; ``prefix`` says where its table goes."""
    made = prefix + quote(engine.fresh_name(f"dictionary_{role}"))
    name = quote(role)
    n = engine.create(
        f"CREATE TABLE {made} AS SELECT label, (row_number() OVER (ORDER BY label) - 1)::INTEGER AS code "
        f"FROM (SELECT DISTINCT {name} AS label FROM {table} WHERE {name} IS NOT NULL)"
    )

    def texts() -> TextArray:
        return engine.query(f"SELECT label FROM {made} ORDER BY code")["label"]

    if not 1 < n <= FEW:
        return Dictionary(made, n, texts)
    labels = texts()
    return Dictionary(made, n, lambda: labels, _spelled(labels))


def guessed(engine: Engine, table: str, role: str) -> Dictionary | None:
    """The texts of a column's first rows, where they are few; a row with another text, or none, gets the code −1.

    Then :func:`dictionary` is needed after all.
    """
    name = quote(role)
    first = f"SELECT {name} AS label FROM {table} LIMIT {FIRST}"
    found = engine.query(f"SELECT DISTINCT label FROM ({first}) WHERE label IS NOT NULL")["label"]
    if not 1 < len(found) <= FEW:
        return None
    labels = np.sort(found)
    few = _spelled(labels)
    return Dictionary("", len(labels), lambda: labels, few) if few else None


def _spelled(labels: TextArray) -> tuple[str, ...]:
    """The texts, if they can stand in a query."""
    few = tuple(labels.tolist())
    return few if all("\0" not in text for text in few) else ()


def numbered(
    engine: Engine,
    table: str,
    dictionaries: Mapping[str, Dictionary],
    more: Sequence[str] = (),
    joins: Sequence[str] = (),
    condition: str = "true",
) -> tuple[dict[str, Column], dict[str, NDArray[Any]]]:
    """The codes of roles, and more columns, of the rows that meet a condition, in file order.

    Args:
        engine: Where the table is.
        table: It has a ``rowid``, and is called ``t`` in what follows.
        dictionaries: Those of the roles.
        more: Further columns, as SQL.
        joins: What they need.
        condition: Which rows; if not all, ``row_number`` is among the columns.
    """
    joined, selected = [*joins], [*more]
    for role, each in dictionaries.items():
        if each.few:
            cases = " ".join(f"WHEN {literal(text)} THEN {code}" for code, text in enumerate(each.few))
            selected.append(f"CASE t.{quote(role)} {cases} ELSE -1 END::INTEGER AS {quote(role)}")
        elif each.n > 1:
            alias = quote(f"d_{role}")
            joined.append(f"LEFT JOIN {each.table} AS {alias} ON t.{quote(role)} = {alias}.label")
            selected.append(f"coalesce({alias}.code, -1)::INTEGER AS {quote(role)}")
        else:
            selected.append(f"CASE WHEN t.{quote(role)} IS NULL THEN -1 ELSE 0 END::INTEGER AS {quote(role)}")
    number = ["t.rowid::INTEGER AS row_number"] if joined or condition != "true" else []  # joins reorder rows
    cells = engine.query(
        f"SELECT {', '.join(number + selected)} FROM {table} AS t {' '.join(joined)} WHERE {condition}"
    )
    engine.shrink()
    if condition != "true":
        cells = _in_order(cells)
    elif number:
        cells = _placed(cells.pop("row_number"), cells)
    return {role: _column(cells.pop(role), each) for role, each in dictionaries.items()}, cells


def repeat(columns: Sequence[Column]) -> bool | None:
    """Whether the codes of some row, −1 too, are those of another; None where too many combinations are possible."""
    n_keys, n_rows = 1, len(columns[0].codes)
    for column in columns:
        n_keys *= column.n_labels + 1
    if n_keys > SPARSE * n_rows:
        return None
    seen = np.zeros(n_keys, np.bool_)
    kind: type[np.signedinteger[Any]] = np.int32 if n_keys <= np.iinfo(np.int32).max else np.intp
    for start in range(0, n_rows, BLOCK):
        keys = np.zeros(min(BLOCK, n_rows - start), kind)
        for column in columns:
            keys *= column.n_labels + 1
            keys += column.codes[start : start + BLOCK]
            keys += 1
        seen[keys] = True
    return bool(np.count_nonzero(seen) < n_rows)


def _placed(rows: NDArray[Any], cells: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The columns of all rows in file order, which is that of the row numbers 0, 1, …; there is nothing to sort."""
    if np.any(rows[1:] < rows[:-1]):
        for name, column in cells.items():
            cells[name] = np.empty_like(column)
            cells[name][rows] = column
    return cells


def _in_order(cells: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The columns in file order; each is replaced in turn, so that there is never a second copy of all."""
    rows = cells["row_number"]
    if np.any(rows[1:] < rows[:-1]):
        order = ascending(rows)
        for name in cells:
            cells[name] = cells[name][order]
    return cells


def _column(codes: NDArray[Any], dictionary: Dictionary) -> Column:
    """Codes with their dictionary; a role with one text takes no memory for its rows."""
    if dictionary.n == 1 and not np.any(codes):
        codes = np.broadcast_to(np.zeros(1, np.int32), len(codes))
    return Column(codes, dictionary.n, dictionary.texts)
