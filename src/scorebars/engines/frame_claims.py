"""What the cells of a frame say of columns that claim one role, or name what is compared: counted as in files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.arrays import factorised
from scorebars.engines.belonging import NUMBERS, NUMBERS_TOLD, TEXTS, TEXTS_TOLD, may_be_of_items, standing
from scorebars.engines.frame_cells import n_different
from scorebars.engines.frames import column_names, is_lazy, numpy_columns
from scorebars.errors import ScoresError
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.belonging import Standing, Told

    Columns = tuple[str, ...]

_NO_DIGITS = re.compile("[^0-9]")


class Counts:
    """Counts different values of sets of columns in all rows of a frame; empty cells are a value."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._coded: dict[str, Column] = {}

    def __call__(self, sets: Sequence[Columns], told: Told | None = None) -> dict[Columns, int]:
        """The number of each set; and of texts and digits, where these are asked for."""
        made = {some: _different([self._column(name) for name in some]) for some in sets}
        if told:
            value = self._column(told.name)
            ids = [" ".join(cells) for cells in zip(*map(self._texts, told.items), strict=True)]
            digits = _coded([_NO_DIGITS.sub("", text) or text for text in ids])
            asked = self._texts(told.question) if told.question else [""] * len(ids)
            texts = _coded([text if text.count(" ") > 1 else "-" for text in asked])
            made |= {TEXTS: _different([texts]), TEXTS_TOLD: _different([texts, value])}
            made |= {NUMBERS: _different([digits]), NUMBERS_TOLD: _different([digits, value])}
        return made

    def has_blanks(self, name: str) -> bool:
        """Whether a cell of a column is empty."""
        column = self._column(name)
        blank = [not str(text).strip() for text in column.labels]
        return bool(np.any(np.array(blank)[column.codes]))

    def _texts(self, name: str) -> list[str]:
        column = self._column(name)
        return [str(text) for text in column.labels[column.codes]]

    def _column(self, name: str) -> Column:
        if name not in self._coded:
            column = factorised(numpy_columns(self._frame, [name])[name], name)
            if np.any(column.codes < 0):
                codes = np.where(column.codes < 0, column.n_labels, column.codes)
                column = Column.of(codes.astype(np.int32), np.append(column.labels, ""))
            self._coded[name] = column
        return self._coded[name]


def _coded(texts: Sequence[str]) -> Column:
    return factorised(np.array(texts, object))


def _different(columns: Sequence[Column]) -> int:
    return n_different(columns[0].codes.astype(np.int64), *columns[1:])


def counts_of(frame: Any) -> Counts | None:
    """What counts the cells of a frame; None for one that is not computed yet."""
    return None if frame is None or is_lazy(frame) else Counts(frame)


def standing_of(name: str, mapping: Mapping[str, Columns], frame: Any) -> Standing | None:
    """How a column stands beside the items of known models; None where these are not known."""
    counts, models, items = counts_of(frame), mapping.get("model", ()), mapping.get("item", ())
    if counts is None or not (models and items and may_be_of_items(name)):
        return None
    try:
        return standing(name, models, items, mapping.get("task", ()), column_names(frame), counts)
    except (ScoresError, TypeError):
        return None
