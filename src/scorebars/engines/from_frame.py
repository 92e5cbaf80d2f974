"""A frame, or a dict of columns, as the rows of a score table, with what its other columns may say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.arrays import ArrayRows
from scorebars.engines.frame_copies import fingerprints
from scorebars.engines.frame_index import refuse_unnamed_index, with_index
from scorebars.engines.frames import column_names, is_lazy, numpy_columns
from scorebars.engines.headers import SPLITS, WEIGHT, may_weigh, normal
from scorebars.engines.mapping import role_columns, role_mapping, role_values
from scorebars.engines.training import names_step, names_stride
from scorebars.engines.value_columns import checked_names, with_values
from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import Listing

    Framed = tuple[ArrayRows, tuple[tuple[str, str], ...], tuple[Listing, ...]]


def from_frame(frame: Any, named: Mapping[str, Any], constants: Mapping[str, str], values: Mapping[str, str]) -> Framed:
    """The rows, (role, where it came from) of each role, and columns that may hold the ids of rows.

    Args:
        frame: What :class:`~scorebars.scores.Scores` takes.
        named: Role -> column, or several; None where the headers say it.
        constants: Role -> the one text of all rows.
        values: Name of a further value -> its column.
    """
    given, frame = frame, with_index(frame)
    available = column_names(frame)
    extra = checked_names(values, available)
    has_score = named["score"] is not None or "score" in available
    wanted = dict(named)
    if extra and not has_score:
        wanted["score"] = extra.get("score", next(iter(extra.values())))
    mapping = role_mapping(available, wanted, constants, extra.values(), frame=frame, indexed=frame is not given)
    mapping = _with_fold(mapping, frame, available, {*constants, *extra.values()})
    refuse_unnamed_index(frame, {*mapping, *constants})
    rows = ArrayRows.of(role_columns(frame, mapping, constants))
    shown = {role: "+".join(names) for role, names in mapping.items()}
    if extra:
        extra = ({"score": mapping["score"][0]} if has_score else {}) | extra
        rows = ArrayRows(with_values(rows.table({}), role_values(frame, extra)))
        del shown["score"]
        shown |= extra
    if "cluster" in mapping and wanted["cluster"] is None:
        from scorebars.engines.frame_arms import refuse_arms

        refuse_arms(mapping, rows.table({}))
    used = {*extra.values(), *(name for names in mapping.values() for name in names)}
    unknown = [name for name in available if name not in used]
    own = {*constants, *(role for role, column in wanted.items() if column is not None), *(["score"] if extra else [])}
    if "item" in mapping:
        ordered = sorted(available, key=lambda name: name not in used)  # scores tell most rows apart, at once
        same = fingerprints(frame, ordered, rows.table({}), more=bool(unknown))
        rows = rows if same is None else ArrayRows(replace(rows.table({}), fingerprint=same))
    if unknown and wanted["weight"] is None:
        rows = _with_weights(rows, mapping.get("weight", ()), unknown, frame)
    if unknown and wanted["score"] is None and len(mapping.get("score", ())) == 1 and not extra:
        rows = _with_other_scores(rows, mapping["score"][0], unknown, frame)
    steps = (*unknown, *mapping.get("run", ()))
    if any(names_step(name) or names_stride(name) for name in steps) and not is_lazy(frame):
        from scorebars.engines.frame_cells import Cells
        from scorebars.engines.frame_training import refuse_training

        table = rows.table({})
        refuse_training(unknown, mapping, table, Cells(frame, table.n_rows), named=own)
    if not unknown:
        return rows, tuple(shown.items()), ()
    from scorebars.engines.frame_questions import asked

    return rows, tuple(shown.items()), asked(frame, unknown, mapping, rows.table({}), named=own)


def _with_fold(
    mapping: dict[str, tuple[str, ...]], frame: Any, available: Sequence[str], taken: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """The mapping with the fold as the item, where no column is that and each model has one row a fold."""
    if "item" in {*mapping, *taken} or not any(normal(name) in SPLITS for name in available):
        return mapping
    from scorebars.engines.frame_folds import fold_of

    fold = fold_of(frame, available, mapping, taken)
    return mapping | ({"item": (fold,)} if fold else {})


def _with_other_scores(rows: ArrayRows, score: str, unknown: Sequence[str], frame: Any) -> ArrayRows:
    """The rows with the note that further columns hold numbers on the scale of the score, as of files."""
    from scorebars.engines.other_scores import alike, may_be_score, may_have_others, told

    free = [name for name in unknown if may_be_score(name)]
    if not free or not may_have_others(score) or is_lazy(frame):
        return rows
    ranges = {name: _range(cells) for name, cells in numpy_columns(frame, [score, *free]).items()}
    scale = ranges[score]
    others = [name for name in free if scale and (other := ranges[name]) and alike(scale, other)]
    if not others:
        return rows
    table = rows.table({})
    said = note("other-scores", **told(score, others, lambda named: f"score={named['score']!r}", joined=False))
    return ArrayRows(replace(table, notes=(*table.notes, said)))


def _with_weights(rows: ArrayRows, weights: Sequence[str], unknown: Sequence[str], frame: Any) -> ArrayRows:
    """The rows with the note that a column of weights counts unasked, or may hold some by its name, as of files."""
    if weights:
        return _noted(rows, weights[0]) if [normal(name) for name in weights] == [WEIGHT] else rows
    names = list(filter(may_weigh, unknown))
    if not names or is_lazy(frame):
        return rows
    for name, cells in numpy_columns(frame, names).items():
        held = _range(cells)
        if held is not None and 0.0 <= held[0] < held[1]:
            said = note("unused-weights", column=name, remedy=f"weight={name!r}")
            return ArrayRows(replace(rows.table({}), notes=(*rows.table({}).notes, said)))
    return rows


def _range(cells: NDArray[Any]) -> tuple[float, float] | None:
    """The lowest and the highest number of a column of numbers; None for others, and for 0 and 1 alone."""
    if cells.dtype.kind not in "iuf":
        return None
    numbers = cells[np.isfinite(cells)]
    if not numbers.size or bool(np.isin(numbers, (0, 1)).all()):
        return None
    return float(numbers.min()), float(numbers.max())


def _noted(rows: ArrayRows, name: str) -> ArrayRows:
    """The rows with the note that a column 'weight' of different numbers weights the items, as of files."""
    table = rows.table({})
    numbers = np.empty(0) if table.weight is None else table.weight[np.isfinite(table.weight)]
    if not numbers.size or numbers.min() == numbers.max():
        return rows
    told = {"remedy": f"leave that column out (frame.drop(columns={name!r}))", "sure": f"weight={name!r}"}
    said = note("weighted", column=name, low=float(numbers.min()), high=float(numbers.max()), **told)
    return ArrayRows(replace(table, notes=(*table.notes, said)))
