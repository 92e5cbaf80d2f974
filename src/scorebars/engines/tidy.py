"""One tidy table out of a score table: one row an attempt, one column a role, as ``scorebars convert`` writes it.

Copies are left out and repeats without a run column are numbered, so that reading the table again gives the same
scores. Attempts without a score stay, with their status, unless they count as wrong (their producer's rule, or
``on_error``) or are to be dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.coding import TEXT_ROLES
from scorebars.engines.cutting import Rules, Sheet, settled_sheets
from scorebars.engines.duckdb import Engine, literal, quote
from scorebars.errors import OutputError, near_miss
from scorebars.sample import Status

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.sample import Column, ScoreTable

KINDS: Final = {
    ".csv": "FORMAT csv, HEADER true",
    ".tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    ".parquet": "FORMAT parquet",
    ".jsonl": "FORMAT json, ARRAY false",
    ".ndjson": "FORMAT json, ARRAY false",
}
"""Ending of a file -> options of DuckDB's COPY."""


def kind_of(path: Path) -> str:
    """The COPY options for this file; an OutputError that lists the endings there are."""
    ending = path.suffix.lower()
    if ending not in KINDS:
        near = near_miss(ending, KINDS)
        every = f" ({', '.join(KINDS)})" if near.startswith("; did") else ""
        raise OutputError(f"'{path.name}' does not end in the name of a table format{near}{every}")
    return KINDS[ending]


def tidy_columns(table: ScoreTable, rules: Rules) -> dict[str, NDArray[Any]]:
    """The columns of the tidy table, in the order of the roles; arrays of length n_attempts."""
    sheets = settled_sheets(table, rules, ("metric", "variant"))[1]
    parts = [_columns(sheet, rules) for sheet in sheets]
    known = (*TEXT_ROLES, "score", "status", "weight")
    names = [name for name in known if any(name in part for part in parts)]
    names += [name for name in parts[0] if name not in known]
    return {name: np.concatenate([_column(part, name) for part in parts]) for name in names}


def write_columns(columns: dict[str, NDArray[Any]], path: Path, kind: str) -> None:
    """Write columns to a file as DuckDB's COPY does; ``kind`` are its options."""
    with Engine() as engine:
        engine.register("tidy", columns)
        chosen = ", ".join(_selected(name) for name in columns)
        engine.execute(f"COPY (SELECT {chosen} FROM tidy) TO {literal(str(path))} ({kind})")


def _selected(name: str) -> str:
    """NaN is an empty cell, so that every reader takes it for a missing score."""
    column = quote(name)
    return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END AS {column}" if name == "score" else column


def _columns(sheet: Sheet, rules: Rules) -> dict[str, NDArray[Any]]:
    table, keep = sheet.table, np.ones(sheet.table.n_rows, dtype=bool)
    score = table.score
    if sheet.attempts.copies is not None:
        keep &= ~sheet.attempts.copies
    if sheet.missing is not None:
        score = np.where(sheet.missing.wrong, sheet.missing.fill, score)
        keep &= ~(sheet.missing.rows & (rules.on_error == "drop"))
    columns: dict[str, NDArray[Any]] = {}
    for role in TEXT_ROLES:
        column: Column | None = getattr(table, role)
        if column is not None and not (column.n_labels == 1 and column.labels[0] == ""):
            columns[role] = _texts(column)[keep]
    if table.run is None and np.any(sheet.attempts.run):
        columns["run"] = (sheet.attempts.run[keep] + 1).astype(str).astype(object)
    columns["score"] = score[keep]
    if np.any(table.status[keep] != Status.OK) and np.any(np.isnan(score[keep])):
        columns["status"] = np.array([status.name.lower() for status in Status], dtype=object)[table.status[keep]]
    if table.weight is not None:
        columns["weight"] = table.weight[keep]
    for name, values in (table.values or {}).items():
        columns.setdefault(name, values[keep])
    return columns


def _texts(column: Column) -> NDArray[Any]:
    """The text of each row; None where the cell is empty (code −1, which is the last of the list)."""
    texts = np.empty(column.n_labels + 1, dtype=object)
    texts[:-1] = column.labels
    made: NDArray[Any] = texts[column.codes]
    return made


def _column(part: dict[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """The column of a part, filled where only other parts have it."""
    if name in part:
        return part[name]
    n_rows = len(part["score"])
    fill: object = {"status": "ok", "weight": 1.0}.get(name)
    return np.full(n_rows, fill, dtype=np.float64 if name == "weight" else object)
