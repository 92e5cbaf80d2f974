"""Tables with two header lines, as pandas writes columns of two levels: models above metrics.

The first cells of the two lines name the levels ('model', 'metric'); where they do, each cell is a row of its own with
both. A third line that has a first cell alone names the rows. Without such names the table is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.readers.files import shown
from scorebars.readers.sources import Source, is_number, scanner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.contracts import FileHead

LEVELS: Final = ("model", "metric", "task", "variant", "run")
"""Roles that a line of headers may be of."""
SHOWN: Final = 3


def two_headers(rows: Sequence[Sequence[str]], head: FileHead, read: Callable[[int], str]) -> Source | None:
    """The cells as rows, with both headers beside each; None where the second line is no header.

    Args:
        rows: The first lines, without blank ones.
        head: The file.
        read: From a number of header lines to the relation of the rows below, with columns c0, c1, …

    Raises:
        ReadError: The lines do not say what their levels are.
    """
    if len(rows) < 3 or len(rows[1]) != len(rows[0]) or len(rows[0]) < 3:
        return None
    lines = [[cell.strip() for cell in row] for row in rows[:3]]
    (first, *above), (second, *below), (name, *rest) = lines
    pairs = list(zip(above, below, strict=True))
    if not all(below) or any(map(is_number, below)) or len(set(pairs)) < len(pairs):
        return None
    roles = [next((role for role in LEVELS if normal(each) in ALIASES[role]), "") for each in (first, second)]
    if not all(roles) or len(set(roles)) < 2:
        listed = ", ".join(f"'{one} {other}'" for one, other in pairs[:SHOWN])
        raise ReadError(
            f"{shown(head.path)} has two header lines ({listed} …), and their first cells ('{first}', '{second}') do "
            f"not say what they are; write there what each names: {', '.join(LEVELS[:3])}, {LEVELS[3]} or {LEVELS[4]}"
        )
    named = bool(name) and not any(rest)
    item = name if named and name not in (first, second) else "item"
    lists = [f"[{', '.join(map(literal, texts))}]" for texts in (above, below)]
    cells = f"[{', '.join(f'c{place}' for place in range(1, len(lines[0])))}]"
    relation = (
        f"(SELECT c0, unnest({lists[0]}) AS first, unnest({lists[1]}) AS second, unnest({cells}) AS cell "
        f"FROM {read(3 if named else 2)})"
    )
    expressions = {item: "c0", first: "first", second: "second", "score": "cell"}
    said = (("header", f"two lines: {roles[0]} above {roles[1]}"),)
    return Source(tuple(expressions), scanner(relation, expressions), said=said)
