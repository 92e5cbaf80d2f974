"""Cells of columns: as SQL, and a look at the first of them: numbers or text, lists, a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import names_key
from scorebars.engines.unknown_headers import names_item
from scorebars.readers.sources import MANY_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.sources import Source

PROFILE_CELLS: Final = 100_000
"""Cells that are looked at to tell number columns from text, where the headers do not say which hold scores."""
COUNTED: Final = 5
"""Rows from which on numbers 1, 2, 3 … are no scores."""
HELD_CELLS: Final = 40_000
"""Cells that are looked at for what columns hold, which takes longer a cell."""
ROWS: Final = 200
"""Rows that are looked at for lists and patterns."""
WORD_ROWS: Final = 20_000
"""Rows that say which words a column has."""
_FAMILIES: Final = {
    "True and False": ("true", "false"),
    "yes and no": ("yes", "no"),
    "pass and fail": ("pass", "fail"),
    "passed and failed": ("passed", "failed"),
    "correct and incorrect": ("correct", "incorrect"),
    "C and I": ("c", "i", "p", "n"),
    "Y and N": ("y",),
    "✓ and ✗": ("✓", "✗", "✔", "✘", "✅", "❌", "☑", "✖", "✔\ufe0f", "✖\ufe0f", "☑\ufe0f", "❌\ufe0f"),
}
_WORDS: Final = tuple(word for words in _FAMILIES.values() for word in words)
_MISSING: Final = ("", "na", "n/a", "nan", "none", "null", "-")


def trimmed(column: str) -> str:
    """SQL of a column's cells as text without blanks around it; '' where a cell is empty."""
    return f"coalesce(trim({column}), '')"


def trimmed_cells(n: int) -> list[str]:
    """The same of the first n columns of a scan."""
    return [trimmed(f"w{place}") for place in range(n)]


def stacked(names: Sequence[str], source: Source, most: int) -> str:
    """SQL of such cells of the first rows one below the other, with the place of their column among the names."""
    return (
        "(SELECT unnest(cells) AS cell, unnest(range(len(cells))) AS place FROM "
        f"(SELECT [{', '.join(trimmed_cells(len(names)))}] AS cells FROM ({source.scan(names)}) LIMIT {most}))"
    )


@dataclass(frozen=True, slots=True)
class Held:
    """What the first cells of one column hold, where they are scores at all."""

    name: str
    n: int
    """Filled cells."""
    different: int
    """Different ones."""
    words: str
    """'True and False' where all cells are words of one pair, 'words' where they are of several; else ""."""
    signed: bool
    """Whether some have a percent sign."""
    low: float
    high: float
    """Of the numbers; a percentage is a fraction."""
    is_01: bool
    """Whether all numbers are 0 or 1."""

    @property
    def counts_rows(self) -> bool:
        """Whether it numbers the rows, each number once, as ids do and scores do not: from 0 or 1, or as 'key' says."""
        every = self.n == self.different == self.high - self.low + 1.0
        first = self.low in {0.0, 1.0} or (self.low.is_integer() and (names_item(self.name) or names_key(self.name)))
        return every and self.n >= COUNTED and first and not self.words

    @property
    def size(self) -> float:
        """How far from 0 the numbers reach."""
        return max(abs(self.low), abs(self.high))


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

    def held(self, names: Sequence[str]) -> list[Held]:
        """What columns hold that are scores by :meth:`score_like`, of each column something."""
        if len(names) > MANY_COLUMNS:
            return self.held(names[:MANY_COLUMNS]) + self.held(names[MANY_COLUMNS:])
        families = {word: family for family, words in _FAMILIES.items() for word in words}
        cases = " ".join(
            f"WHEN {literal(word)} THEN {literal(family)}"
            for word, family in (families | dict.fromkeys(self.words, "words")).items()
        )
        rows, missing = max(100, HELD_CELLS // max(1, len(names))), ", ".join(map(literal, _MISSING))
        value = "try_cast(rtrim(cell, '%') AS DOUBLE) / CASE WHEN cell LIKE '%\\%' ESCAPE '\\' THEN 100 ELSE 1 END"
        found = self.engine.query(
            "SELECT place, count(*) AS n, count(DISTINCT cell) AS different, count(DISTINCT family) AS families, "
            "bool_and(family IS NOT NULL) AS alone, any_value(family) AS family, "
            "coalesce(bool_or(cell LIKE '%\\%' ESCAPE '\\'), false) AS signed, coalesce(min(value), 0) AS low, "
            "coalesce(max(value), 0) AS high, coalesce(bool_and(value IN (0, 1)), true) AS is_01 FROM (SELECT *, "
            f"CASE cell {cases} END AS family, {value} AS value FROM ({self._first(names, rows, 'cell')})) "
            f"WHERE cell NOT IN ({missing}) AND (family IS NOT NULL OR value IS NOT NULL) GROUP BY place ORDER BY place"
        )
        columns = [column.tolist() for column in found.values()]
        return [
            Held(names[place], n, different, family if alone and families == 1 else "words" * alone, signed, *numbers)
            for place, n, different, families, alone, family, signed, *numbers in zip(*columns, strict=True)
        ]

    def words_of(self, names: Sequence[str], most: int) -> dict[str, frozenset[str]]:
        """The different filled cells of columns in the first rows; none where these are more than so many."""
        found: dict[str, frozenset[str]] = {}
        for name in names:
            cells = f"SELECT trim(w0) AS word FROM ({self.source.scan([name])}) LIMIT {WORD_ROWS}"
            different = self.engine.query(f"SELECT DISTINCT word FROM ({cells}) WHERE word <> '' LIMIT {most + 1}")
            words = different["word"].tolist()
            found[name] = frozenset(words if len(words) <= most else ())
        return found

    def lists(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns whose first filled cells are all lists."""
        missing = ", ".join(map(literal, _MISSING))
        return self._columns(names, ROWS, "cell", f"cell NOT IN ({missing})", "bool_and(cell LIKE '[%]')")

    def mostly(self, pattern: str, names: Sequence[str], *, least: int | None = None) -> list[tuple[str, str]]:
        """The columns most of whose first filled cells, or at ``least`` so many, are of a pattern, with an example."""
        like = f"regexp_matches(cell, {literal(pattern)})"
        many = f"2 * count(*) FILTER ({like}) > count(*)" if least is None else f"count(*) FILTER ({like}) >= {least}"
        found = self._columns(names, ROWS, "cell", "cell <> ''", many)
        return [(name, self._example(name, like)) for name in found]

    def _example(self, name: str, condition: str) -> str:
        rows = f"SELECT trim(w0) AS cell FROM ({self.source.scan([name])})"
        return str(self.engine.query(f"SELECT cell FROM ({rows}) WHERE {condition} LIMIT 1")["cell"][0])

    def _columns(self, names: Sequence[str], rows: int, cell: str, kept: str, condition: str) -> tuple[str, ...]:
        """The columns that meet a condition over the cells that are kept of their first rows, in lower case."""
        if not names:
            return ()
        found = self.engine.query(
            f"SELECT place FROM ({self._first(names, rows, cell)}) WHERE {kept} GROUP BY place HAVING {condition} "
            "ORDER BY place"
        )
        return tuple(names[place] for place in found["place"].tolist())

    def _first(self, names: Sequence[str], rows: int, cell: str) -> str:
        """The cells of the first rows of columns, in lower case, each with the place of its column."""
        columns = ", ".join(f"w{place}" for place in range(len(names)))
        return (
            f"SELECT {cell} AS cell, place FROM (SELECT lower(trim(unnest(cells))) AS cell, "
            f"unnest(range({len(names)})) AS place FROM (SELECT [{columns}] AS cells FROM "
            f"({self.source.scan(names)}) LIMIT {rows}))"
        )
