"""Parts of result files that are columns in memory -> one score table, without a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.arrays import encode
from scorebars.engines.coding import ROLES, TEXT_ROLES
from scorebars.errors import ScoresError
from scorebars.sample import ScoreTable, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import Part
    from scorebars.sample import Column


def gathered(parts: Sequence[Part]) -> ScoreTable:
    """The rows of all parts, in order; a role that a part lacks is empty in its rows.

    Raises:
        ScoresError: No part has scores.
    """
    tables = [_columns(part) for part in parts]
    lengths = [len(next(iter(columns.values()))) if columns else 0 for columns in tables]
    firsts = np.concatenate(([0], np.cumsum(lengths)))
    sources = tuple(source_of(part, int(first)) for part, first in zip(parts, firsts[:-1], strict=True))
    roles = [role for role in ROLES if any(role in columns for columns in tables)]
    if "score" not in roles:
        raise ScoresError("there is no score column; name it with --map score=COLUMN")
    for role in ("row_hash", "source_row"):  # of some files only, they say nothing about the others
        if role in roles and not all(role in columns for columns in tables):
            roles.remove(role)
    coded = _coded(parts[0]) if len(parts) == 1 else {}
    return encode({role: coded.get(role) or _joined(role, tables, lengths) for role in roles}, sources)


def _coded(part: Part) -> dict[str, Column]:
    """Role -> codes that the reader has made of these very cells."""
    rows = {} if isinstance(part.rows, str) else part.rows
    return {role: column for role, cells in rows.items() for array, column in part.coded if array is cells}


def source_of(part: Part, first: int) -> Source:
    """What the table keeps of a part whose rows begin at ``first``."""
    fixed = part.reader not in {"", "table"}
    by_place = part.items_by_place or any(said.code == "rows-as-items" for said in part.notes)
    return Source(
        str(part.path),
        first,
        part.on_error,
        part.score_range,
        part.created,
        part.own_scales,
        part.suite,
        fixed,
        by_place,
    )


def _columns(part: Part) -> Mapping[str, NDArray[Any]]:
    if isinstance(part.rows, str):
        raise ScoresError(f"{part.path}: the rows are a query, which needs the engine that they were written for")
    return {role: np.asarray(values) for role, values in part.rows.items()}


def _joined(role: str, tables: Sequence[Mapping[str, NDArray[Any]]], lengths: Sequence[int]) -> NDArray[Any]:
    pieces = [
        columns[role] if role in columns else _empty(role, length)
        for columns, length in zip(tables, lengths, strict=True)
    ]
    if len({piece.dtype.kind for piece in pieces}) > 1:  # numbers beside text: keep each cell as it is
        pieces = [piece.astype(object) for piece in pieces]
    return np.concatenate(pieces)


def _empty(role: str, length: int) -> NDArray[Any]:
    if role in TEXT_ROLES or role == "status":
        return np.full(length, None, dtype=object)
    return np.full(length, np.nan)
