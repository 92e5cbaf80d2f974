"""Columns of a frame without a role: their cells as codes, and what sentences say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.arrays import factorised
from scorebars.engines.coding import combined
from scorebars.engines.frames import numpy_columns
from scorebars.engines.row_numbers import are_texts
from scorebars.engines.telling import MOST, ROLES_OF
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.unknown_headers import Kind
    from scorebars.sample import Column, IntArray, ScoreTable

SAMPLE: Final = 20_000
"""Rows that say which columns have few values."""
APART: Final = ("model", "task", "metric", "variant", "run")
"""Roles within which a row is known by its item, or by its place."""
FIRST: Final = 50
"""Cells that say whether a column is one of texts."""
SHOWN: Final = 3
"""Values that a sentence names."""
LONGEST: Final = 30
"""Characters of a value that it shows."""


class Cells:
    """Columns of a frame as codes; None for those with an empty cell, or with something else than texts and numbers."""

    def __init__(self, frame: Any, n_rows: int) -> None:
        self.frame, self._n = frame, n_rows
        self._raw: dict[str, Any] = {}

    def first(self, name: str) -> Column | None:
        """The first cells."""
        return self._coded(name, slice(SAMPLE))

    def of(self, name: str, rows: Any = None) -> Column | None:
        """All cells, or those of some rows."""
        return self._coded(name, slice(None) if rows is None else rows)

    def blank(self, name: str, most: int) -> Any:
        """Which cells are empty; None where the column holds more different texts, or something else than such."""
        if name not in self._raw:
            self._raw[name] = numpy_columns(self.frame, [name])[name]
        try:
            column = factorised(self._raw[name], name)
        except (ScoresError, TypeError):
            return None
        empty = np.array([*(not str(text).strip() for text in column.labels), True])
        return None if np.count_nonzero(~empty) > most else empty[column.codes]

    def texts(self, name: str) -> list[str] | None:
        """All cells as they are, where all are texts and the first ones no numbers; else None."""
        if name not in self._raw:
            self._raw[name] = numpy_columns(self.frame, [name])[name]
        found = self._raw[name].tolist() if self._raw[name].dtype.kind in "OUT" else []
        first = found[:FIRST]
        if not (first and all(isinstance(cell, str) for cell in first) and are_texts(first)):
            return None
        return found if set(map(type, found)) == {str} else None

    def _coded(self, name: str, rows: Any) -> Column | None:
        if name not in self._raw:
            self._raw[name] = numpy_columns(self.frame, [name])[name]
        try:
            column = factorised(self._raw[name][rows], name)
        except (ScoresError, TypeError):
            return None
        return None if column.n_labels == 0 or bool(np.any(column.codes < 0)) else column


def keys_of(table: ScoreTable, roles: Sequence[str]) -> IntArray:
    """A number for each row, equal where these roles are."""
    keys, n = np.zeros(table.n_rows, np.int64), 1
    for role in roles:
        column: Column | None = getattr(table, role)
        if column is None or column.n_labels < 2:
            continue
        if n * column.n_labels > 1 << 60:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            n = int(keys.max()) + 1
        keys = combined(keys, column.codes, column.n_labels)
        n *= column.n_labels
    return keys


def n_different(keys: IntArray, *columns: Column) -> int:
    """How many different rows there are by these."""
    for column in columns:
        keys = combined(np.unique(keys, return_inverse=True)[1].astype(np.int64), column.codes, column.n_labels)
    return len(np.unique(keys))


def repeat(keys: IntArray) -> bool:
    """Whether two rows have one number."""
    top = int(keys.max()) + 1
    if top <= 8 * len(keys):
        return bool(np.bincount(keys).max() > 1)
    return len(np.unique(keys)) < len(keys)


def is_few(name: str, cells: Cells) -> bool:
    """Whether the first cells of a column are all filled, and repeat."""
    column = cells.first(name)
    return column is not None and 2 * column.n_labels <= len(column.codes)


def ways_of(
    name: str,
    kind: Kind,
    column: Column,
    mapping: Mapping[str, tuple[str, ...]],
    named: Mapping[str, str],
    *,
    apart: bool,
    nested: bool = False,
) -> list[str]:
    """What a column may be, with what to write, the best guess first."""
    # What stands beside one model each is no metric and no task, which models share.
    maybe = ("model", "run") if nested else ROLES_OF[kind]
    roles = [role for role in maybe if not (role == "run" and ("run" in {*named, *mapping} or not apart))]
    if "model" not in mapping:
        roles = ["model", *(role for role in roles if role != "model")]
    roles = [role for role in roles if not (role in {"metric", "variant"} and role in mapping)]
    first = column.labels[0]
    made = []
    for role in roles[:MOST] if kind else roles:
        if role == "split":
            made.append(f"the split (keep the rows of one, such as '{first}')")
            continue
        before = () if kind == "item" else mapping.get(role, ())
        columns = (name, *before) if role == "item" else (*before, name)
        called = f"a part of the {role}" if before and role in {"item", "model"} else f"the {role}"
        typed = ", ".join(f"{key}={value!r}" for key, value in {role: _one(columns), **named}.items())
        choice = f", then .select({role}={str(first)!r})" if role in {"metric", "variant"} else ""
        made.append(f"{called} ({typed}{choice})")
    return made


def _one(columns: tuple[str, ...]) -> str | tuple[str, ...]:
    return columns[0] if len(columns) == 1 else columns


def shown_values(column: Column) -> str:
    """The first values of a column, and how many more there are."""
    labels = list(map(str, column.labels[:SHOWN]))
    more = f" and {column.n_labels - SHOWN:,} more" if column.n_labels > SHOWN else ""
    return ", ".join(f"'{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}'" for text in labels) + more
