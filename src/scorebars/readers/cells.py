"""A look at the first cells of columns: numbers or text, lists, a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.readers.sources import MANY_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.sources import Source

PROFILE_CELLS: Final = 200_000
"""Cells that are looked at to tell number columns from text, where the headers do not say which hold scores."""
ROWS: Final = 200
"""Rows that are looked at for lists and patterns."""
_WORDS: Final = (
    *("true", "false", "yes", "no", "pass", "fail", "passed", "failed", "correct", "incorrect"),
    *("c", "i", "p", "n"),
)
_MISSING: Final = ("", "na", "n/a", "nan", "none", "null", "-")


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one source."""

    source: Source
    engine: Engine
    words: tuple[str, ...] = ()
    """Further words, in lower case, that are scores: the user's categories."""

    def score_like(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns of which at least half of the filled cells are numbers, percentages, or words for scores.

        A list counts as its first element does.
        """
        if len(names) > MANY_COLUMNS:
            return self.score_like(names[:MANY_COLUMNS]) + self.score_like(names[MANY_COLUMNS:])
        words, missing = (", ".join(map(literal, listed)) for listed in ((*_WORDS, *self.words), _MISSING))
        return self._columns(
            names,
            max(100, PROFILE_CELLS // max(1, len(names))),
            "trim(CASE WHEN cell LIKE '[%]' THEN split_part(cell[2:-2], ',', 1) ELSE cell END)",
            f"cell NOT IN ({missing})",
            f"2 * count(*) FILTER (cell IN ({words}) OR try_cast(rtrim(cell, '%') AS DOUBLE) IS NOT NULL) >= count(*)",
        )

    def lists(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns whose first filled cells are all lists."""
        return self._columns(names, ROWS, "cell", "cell <> ''", "bool_and(cell LIKE '[%]')")

    def mostly(self, pattern: str, names: Sequence[str]) -> list[tuple[str, str]]:
        """The columns most of whose first filled cells are of a pattern, with an example."""
        like = f"regexp_matches(cell, {literal(pattern)})"
        found = self._columns(names, ROWS, "cell", "cell <> ''", f"2 * count(*) FILTER ({like}) > count(*)")
        return [(name, self._example(name, like)) for name in found]

    def _example(self, name: str, condition: str) -> str:
        rows = f"SELECT trim(w0) AS cell FROM ({self.source.scan([name])})"
        return str(self.engine.query(f"SELECT cell FROM ({rows}) WHERE {condition} LIMIT 1")["cell"][0])

    def _columns(self, names: Sequence[str], rows: int, cell: str, kept: str, condition: str) -> tuple[str, ...]:
        """The columns that meet a condition over the cells that are kept of their first rows, in lower case."""
        if not names:
            return ()
        columns = ", ".join(f"w{place}" for place in range(len(names)))
        found = self.engine.query(
            f"SELECT place FROM (SELECT {cell} AS cell, place FROM (SELECT lower(trim(unnest(cells))) AS cell, "
            f"unnest(range({len(names)})) AS place FROM (SELECT [{columns}] AS cells FROM "
            f"({self.source.scan(names)}) LIMIT {rows}))) WHERE {kept} GROUP BY place HAVING {condition} ORDER BY place"
        )
        return tuple(names[place] for place in found["place"].tolist())
