"""What the rows of a file say of columns that claim one role: counted in all of them, since one row makes two models.

What is made of the counts is the same for frames (:mod:`scorebars.engines.belonging`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.engines.belonging import NUMBERS, NUMBERS_TOLD, TEXTS, TEXTS_TOLD
from scorebars.readers.cells import trimmed_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.belonging import Told
    from scorebars.engines.duckdb import Engine
    from scorebars.readers.sources import Source

    Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts different values of sets of columns in all rows of a file."""

    source: Source
    engine: Engine

    def __call__(self, sets: Sequence[Columns], told: Told | None = None) -> dict[Columns, int]:
        """The number of each set; and of texts and digits, where these are asked for."""
        more = (*told.items, told.name, told.question) if told else ()
        names = list(dict.fromkeys(name for some in (*sets, more) for name in some if name))
        cell = dict(zip(names, trimmed_cells(len(names)), strict=True))
        asked = {some: ", ".join(cell[name] for name in some) for some in sets}
        if told:
            ids, text = " || ' ' || ".join(cell[name] for name in told.items), cell.get(told.question, "''")
            digits = f"coalesce(nullif(regexp_replace({ids}, '[^0-9]', '', 'g'), ''), {ids})"
            texts = f"CASE WHEN {text} LIKE '% % %' THEN {text} ELSE '' END"
            asked |= {TEXTS: texts, TEXTS_TOLD: f"{texts}, {cell[told.name]}"}
            asked |= {NUMBERS: digits, NUMBERS_TOLD: f"{digits}, {cell[told.name]}"}
        counts = (f"count(DISTINCT hash({text})) AS n{place}" for place, text in enumerate(asked.values()))
        found = self.engine.query(f"SELECT {', '.join(counts)} FROM ({self.source.scan(names)})")
        return {some: int(found[f"n{place}"][0]) for place, some in enumerate(asked)}

    def has_blanks(self, name: str) -> bool:
        """Whether a cell of a column is empty."""
        (cell,) = trimmed_cells(1)
        found = self.engine.query(f"SELECT bool_or({cell} = '') AS blank FROM ({self.source.scan([name])})")
        return bool(found["blank"][0])
