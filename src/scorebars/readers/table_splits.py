"""Splits of the data set in a plain table: rows of train and test count together unless one split is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal
from scorebars.errors import ReadError, near_miss
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.folds import with_folds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorebars.contracts import FileHead, Request
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

TRAINED: Final = frozenset({"train", "training", "trn"})
"""Splits whose scores say nothing of other data."""
HELD_OUT: Final = frozenset({"test", "testing", "tst", "dev", "valid", "validation", "val", "eval", "heldout"})
_MOST: Final = 4
_NUMBERED: Final = re.compile(r"(?:split|part|partition|cv)?[ _-]*[0-9]+", re.IGNORECASE)


def on_split(
    source: Source, layout: Layout, column: str, head: FileHead, request: Request, *, alone: bool
) -> tuple[Layout, Source]:
    """The layout with the split that was asked for; else the source with a note on what is pooled.

    Where each model has one row a split, that is the item; of folds by their numbers there is nothing to note.

    Args:
        source: The cells of the file.
        layout: The roles of its columns.
        column: The column of the split, '' if there is none.
        head: The file.
        request: ``options.split`` is the split.
        alone: Whether no other file is read: else the note leaves the counts out, to be the same for all.

    Raises:
        ReadError: No column is of splits, or none is called so.
    """
    asked = request.options.split
    if asked is not None and not column:
        raise ReadError(
            f"{shown(head.path)} has no column of splits (split, subset, partition, fold), so --split {asked} names "
            "nothing in it; leave it out"
        )
    counts = _counts(source, column, request.engine)
    as_task = (column,) == layout.roles.get("task")
    if asked is not None:
        if asked not in counts:
            raise ReadError(f"{shown(head.path)} has no split '{asked}' in column '{column}'{near_miss(asked, counts)}")
        others = _listed({name: n for name, n in counts.items() if name != asked})
        said = (("split", f"'{asked}' of column '{column}'{f'; left out: {others}' if others else ''}"),)
        layout = with_folds(replace(layout, only=(column, asked)), source, request.engine)
        return layout, replace(source, said=(*source.said, *said))
    layout = with_folds(layout, source, request.engine)
    if layout.roles.get("item") == (column,) and _are_folds(column, counts):
        return layout, source
    if len(counts) < 2 or (as_task and not _are_splits(counts)):
        return layout, source
    return layout, replace(source, notes=(*source.notes, _pooled(column, counts, as_task=as_task, counted=alone)))


def _are_folds(column: str, names: Iterable[str]) -> bool:
    """Whether splits are the folds of a cross-validation, by their header or their numbers: 'fold', 'split 3'."""
    return "fold" in normal(column) or all(_NUMBERED.fullmatch(name) for name in names)


def _are_splits(names: Mapping[str, int]) -> bool:
    known = TRAINED | HELD_OUT
    return all(normal(name) in known for name in names)


def _pooled(column: str, counts: Mapping[str, int], *, as_task: bool, counted: bool) -> Note:
    held_out = [name for name in counts if normal(name) in HELD_OUT]
    best = next((name for name in held_out if normal(name).startswith("t")), next(iter(held_out or counts)))
    trained = any(normal(name) in TRAINED for name in counts) and bool(held_out)
    listed = _listed(counts) if counted else _listed(dict.fromkeys(sorted(counts), 0))
    how = "are averaged as tasks" if as_task else "count together"
    import shlex

    return note("pooled-splits", column=column, listed=listed, how=how, example=shlex.quote(best), trained=trained)


def _listed(counts: Mapping[str, int]) -> str:
    """Names, each with its number of rows where that is not 0."""
    first = list(counts.items())[:_MOST]
    listed = ", ".join(f"'{name}'" + (f" ({n:,} row{'s' * (n != 1)})" if n else "") for name, n in first)
    return listed + (f" and {len(counts) - _MOST} more" if len(counts) > _MOST else "")


def _counts(source: Source, column: str, engine: Engine) -> dict[str, int]:
    """Rows of each split, the most first; '' for empty cells is none."""
    found = engine.query(
        f"SELECT trim(w0) AS split, count(*) AS n FROM ({source.scan([column])}) WHERE trim(w0) <> '' GROUP BY 1 "
        "ORDER BY n DESC, split"
    )
    return dict(zip(found["split"].tolist(), found["n"].tolist(), strict=True))
