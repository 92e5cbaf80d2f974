"""Tables with two header lines, as pandas writes columns of two levels: models above metrics.

The first cells of the two lines name the levels ('model', 'metric'); where they do, each cell is a row of its own with
both. A third line that has a first cell alone names the rows. Without such names the table is refused. A name above
merged cells stands over the first of them alone, and is that of the blank ones behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.readers.files import shown
from scorebars.readers.sources import Source, is_number, named, scanner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.contracts import FileHead

LEVELS: Final = ("model", "metric", "task", "variant", "run")
"""Roles that a line of headers may be of."""
SHOWN: Final = 3
_SAY: Final = f"what each names: {', '.join(LEVELS[:-1])} or {LEVELS[-1]}"


def has_two(headers: Sequence[str]) -> bool:
    """Whether a first line may be one above the header: a name stands over several columns."""
    return len(set(headers)) < len(headers) or not all(map(str.strip, headers[1:]))


def _over_merged(lines: Sequence[Sequence[str]], n: int) -> bool:
    """Whether names above merged cells stand over the columns behind n others: words below them, and then numbers."""
    above, below, *rows = (line[n:] for line in lines)
    numbers = (sum(is_number(cell) for cell in row if cell) for row in rows)
    return bool(above[0]) and all(below) and not any(map(is_number, below)) and max(numbers) == len(below) > 1


def _blank(cells: Sequence[str]) -> int:
    """How many cells are blank before the first that is not."""
    return next((place for place, cell in enumerate(cells) if cell), len(cells))


def _below_group(lines: Sequence[Sequence[str]], head: FileHead, read: Callable[[int], str]) -> Source | None:
    """The rows below a second line that names all columns, where the first one only says what some are."""
    groups, headers, *rows = lines
    if not all(headers) or any(map(is_number, headers)) or len(set(headers)) < len(headers):
        return None
    inner = [header for header, group in zip(headers, groups, strict=True) if not group]
    known = all(any(normal(header) in ALIASES[role] for header in headers) for role in ("model", "score"))
    if not inner or not any(is_number(cell) for row in rows for cell in row if cell):
        return None
    if not known and (sum(map(bool, groups)) > 1 or groups[0]):
        return None
    names = named(headers, head.path)
    said = (("header", f"line 2, below '{next(filter(None, groups))}'"),)
    expressions = {name: f"c{place}" for place, name in enumerate(names)}
    return Source(names, scanner(read(2), expressions), "line", blank_lines=True, said=said)


def two_headers(rows: Sequence[Sequence[str]], head: FileHead, read: Callable[[int], str]) -> Source | None:
    """The cells as rows, with both headers beside each; None where the second line is no header.

    Args:
        rows: The first lines, without blank ones.
        head: The file.
        read: From a number of header lines to the relation of the rows below, with columns c0, c1, …

    Raises:
        ReadError: The lines do not say what their levels are.
    """
    if not has_two(rows[0]) or len(rows) < 3 or len(rows[1]) != len(rows[0]) or len(rows[0]) < 3:
        return None
    lines = [[cell.strip() for cell in row] for row in rows[:4]]
    (first, *above), (second, *below), (name, *rest) = lines[:3]
    if not all(above):
        if (found := _below_group(lines, head, read)) is not None:
            return found
        n = 1 + max(_blank(above), _blank(below))
        if not _over_merged(lines, n):
            return None
        if n > 1:
            raise ReadError(
                f"{shown(head.path)} has two header lines ('{lines[0][n]} {lines[1][n]}' …) behind {n} columns; leave "
                f"the column of the item alone before them, and write into its two first cells {_SAY}"
            )
    for place, cell in enumerate(above):
        above[place] = cell or above[place - 1]
    pairs = list(zip(above, below, strict=True))
    if not all(below) or any(map(is_number, below)) or len(set(pairs)) < len(pairs):
        return None
    roles = [next((role for role in LEVELS if normal(each) in ALIASES[role]), "") for each in (first, second)]
    if not all(roles) or len(set(roles)) < 2:
        listed = ", ".join(f"'{one} {other}'" for one, other in pairs[:SHOWN])
        raise ReadError(
            f"{shown(head.path)} has two header lines ({listed} …), and their first cells ('{first}', '{second}') do "
            f"not say what they are; write there {_SAY}"
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
