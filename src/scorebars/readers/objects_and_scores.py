"""Columns that hold objects, or lists, in some rows and something else in others: of the two only one would count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.duckdb import literal
from scorebars.engines.score_text import MISSING, WORDS
from scorebars.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells

_LONGEST = 40


def refuse_mixed(names: Sequence[str], cells: Cells, *, known: bool) -> None:
    """Raise a ReadError where a column of objects, whose members are to count, holds something else in some rows.

    Args:
        names: Columns of objects.
        cells: Their cells.
        known: Whether the header is one of a score, so that any text beside objects would be one; elsewhere only
            numbers and words for right and wrong are.
    """
    missing, words = (", ".join(map(literal, sorted(some))) for some in (MISSING, WORDS))
    is_score = f"(try_cast(rtrim(cell, '%') AS DOUBLE) IS NOT NULL OR lower(cell) IN ({words}))"
    counts = f"lower(cell) NOT IN ({missing}) AND cell NOT LIKE '{{%'" + ("" if known else f" AND {is_score}")
    for name in names:
        found = cells.engine.query(
            f"SELECT counts, min(place) AS place, arg_min(cell, place) AS cell FROM (SELECT place, cell, {counts} "
            "AS counts FROM (SELECT row_number() OVER () AS place, coalesce(trim(w0), '') AS cell FROM "
            f"({cells.source.scan([name])}))) WHERE counts OR cell LIKE '{{%' GROUP BY counts ORDER BY counts"
        )
        if len(found["place"]) == 2:
            (of_object, of_other), (an_object, other) = found["place"].tolist(), found["cell"].tolist()
            raise ReadError(
                f"'{name}' is the object {_short(an_object)} in row {of_object} and '{_short(other)}' in row "
                f"{of_other}, of which only one kind can be the score; write the number in its place, or null where "
                "there is none"
            )


def refuse_some_lists(names: Sequence[str], cells: Cells) -> None:
    """Raise a ReadError with the first cell that is no list, where most cells of a column are lists of scores."""
    missing = ", ".join(map(literal, sorted(MISSING)))
    for name, _ in cells.mostly(r"^\[.*\]$", names):
        found = cells.engine.query(
            "SELECT place, cell FROM (SELECT row_number() OVER () AS place, coalesce(trim(w0), '') AS cell FROM "
            f"({cells.source.scan([name])})) WHERE cell NOT LIKE '[%]' AND lower(cell) NOT IN ({missing}) "
            "ORDER BY place LIMIT 1"
        )
        if len(found["place"]):
            raise ReadError(
                f"'{name}' holds lists of scores, and '{_short(found['cell'][0])}' in row {found['place'][0]} is none; "
                "write the scores of that row as a list too, or null where there are none"
            )


def _short(cell: str) -> str:
    return cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…"
