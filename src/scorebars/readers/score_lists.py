"""Lists of scores in a cell: the runs of the row's item, or a score an item. What is open is asked.

The place in a list is the column 'position', which a mapping may make a role (``--map item=position``, or
``--map run=seed+position``). Unasked it is the run, beside an id of an item or in rows that are items themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped
from scorebars.errors import counted
from scorebars.errors import typed as in_shell
from scorebars.readers.columns import JOINED, NoColumnError, UnclearError, column_named
from scorebars.readers.sources import MANY_COLUMNS
from scorebars.readers.steps import refuse_step_lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead
    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

POSITION: Final = "position"
"""The column of the places in lists, as a mapping calls it."""
_PLACED: Final = ("item", "run")
"""The roles that it may have."""
_ROWS: Final = 1_000
"""Rows that are looked at."""
_FEW: Final = 4
"""Numbers in a list up to which it is one of runs, where several rows of a model stand in the file."""
_WIDEST: Final = 20
"""Numbers in a list up to which those of one place are compared with those of the others."""
_ENOUGH: Final = 10
"""Lists from which on they are."""


def with_position(source: Source, kept: Mapping[str, str], typed: Mapping[str, str]) -> Source:
    """The source with the column 'position', if the mapping names it and the file has none: it has no cells."""
    asked = (typed.get(role, kept.get(role, "")) for role in _PLACED)
    if POSITION in source.names or not any(POSITION in _parts(text) for text in asked):
        return source

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        own = [name for name in wanted if name != POSITION] or source.names[:1]
        chosen = [
            f"{'NULL::VARCHAR' if name == POSITION else f'w{own.index(name)}'} AS w{place}"
            for place, name in enumerate(wanted)
        ]
        chosen += ["row_hash"] * hashed
        return f"SELECT {', '.join(chosen)} FROM ({source.scan(own, hashed=hashed)})"

    return replace(source, names=(*source.names, POSITION), scan=scan, placed=True)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(JOINED)]


def with_lists(layout: Layout, cells: Cells, head: FileHead) -> Layout:
    """The layout where cells of the score are lists; not looked for in a text that has no bracket.

    Raises:
        ReadError: A few cells are none.
        UnclearError: The numbers in a list may be items, or are on different scales.
        NoColumnError: The place in lists was asked for, and there are none.
    """
    if cells.source.counted in layout.scores:
        said = ("run", f"the attempts that '{cells.source.counted}' counts, in an order of no meaning")
        return replace(layout, lists=True, said=(*layout.said, said))
    listed = cells.lists(layout.scores[:MANY_COLUMNS]) if _may_hold_lists(head) else ()
    if not listed and _may_hold_lists(head):
        from scorebars.readers.objects_and_scores import refuse_some_lists

        refuse_some_lists(layout.scores[:MANY_COLUMNS], cells)
    placed = _placed(layout) if cells.source.placed else ""
    if not listed:
        if placed:
            column_named(POSITION, [name for name in cells.source.names if name != POSITION])
            raise NoColumnError(f"no column '{POSITION}', and no lists of scores", placed)
        return layout
    if placed:
        return _as_asked(layout, placed, listed)
    refuse_step_lists(layout, listed, cells)
    _refuse_items(layout, listed, cells)
    _refuse_scales(layout, listed, cells)
    said = ("run", f"the position in the lists of {_listed(listed)}" + ", after the run" * ("run" in layout.roles))
    return replace(layout, lists=True, listed=listed, said=(*layout.said, said))


def _may_hold_lists(head: FileHead) -> bool:
    """Whether the first lines have a bracket: a list that comes later is no score, and says so."""
    has_rows = head.head.count(b"\n") > 2 or len(head.head) == head.size
    return not has_rows or b"[" in head.head[1:] or head.head.startswith(b"PAR1")


def _placed(layout: Layout) -> str:
    """The role that the place in lists was given, if any."""
    return next((role for role in _PLACED if POSITION in layout.roles.get(role, ())), "")


def _as_asked(layout: Layout, role: str, listed: Sequence[str]) -> Layout:
    """The layout whose lists are runs, or items, as the mapping says; of columns that are joined the others stay."""
    rest = tuple(name for name in layout.roles[role] if name != POSITION)
    roles = {other: names for other, names in layout.roles.items() if other != role}
    if rest:
        roles[role] = rest
    after = f", after {_listed(rest)}" if rest else ""
    said = [pair for pair in layout.said if pair[0] != role]
    said.append((role, f"the position in the lists of {_listed(listed)}{after}, as asked"))
    return replace(layout, roles=roles, lists=True, placed=role, said=tuple(said))


def _refuse_items(layout: Layout, listed: Sequence[str], cells: Cells) -> None:
    """Raise an UnclearError where no column says which item a row is, and the numbers in its list may be the items.

    That is so where a row is all that a model (and task, and run) has, and where lists are longer than rows are many.
    """
    if layout.has_item or layout.wide or layout.spread:
        return
    groups = [name for role in ("model", "task", "run") for name in layout.roles.get(role, ())]
    wanted = [listed[0], *groups]
    by = ", ".join(["whole", *(f"w{place}" for place in range(1, len(wanted)))])
    cell, source = "trim(w0)", cells.source.scan(wanted)
    length = f"CASE WHEN {cell} = '[]' THEN 0 ELSE len(string_split({cell}, ',')) END"
    found = cells.engine.query(
        f"SELECT max(n) AS n, min(least) AS least, max(most) AS most FROM (SELECT count(*) AS n, min(length) AS least, "
        f"max(length) AS most FROM (SELECT *, 0 AS whole, {length} AS length FROM (SELECT * FROM "
        f"({source}) LIMIT {_ROWS}) WHERE {cell} LIKE '[%') GROUP BY {by})"
    )
    rows, least, most = (int(found[name][0] or 0) for name in ("n", "least", "most"))
    if most < 2 or (rows > 1 and most <= max(_FEW, rows)):
        return
    lengths = counted(most, "number") if least == most else f"{least:,} to {most:,} numbers"
    raise UnclearError(
        f"no column says which item a row is, and {_listed(listed)} holds lists of {lengths}: is each place in a list "
        f"an item, the same in every row ({mapped({'item': POSITION})}), or is a list the runs of one item "
        f"({remedy_of_runs(layout)})?",
        {"item": POSITION},
    )


def remedy_of_runs(layout: Layout) -> str:
    """The mapping that says that the numbers of a list are runs."""
    return mapped({"run": JOINED.join((*layout.roles.get("run", ()), POSITION))})


def _refuse_scales(layout: Layout, listed: Sequence[str], cells: Cells) -> None:
    """Raise an UnclearError where one place in lists of equal length has smaller numbers than another always has.

    Runs of one item are alike: no place has its largest number below the middle one of another. Of shares, and of 0 and
    1, nothing is said: they are on one scale, and hard and easy steps of an attempt are no criteria.
    """
    name = listed[0]
    found = cells.engine.query(
        "WITH lists AS (SELECT string_split(trim(w0)[2:-2], ',') AS cells FROM (SELECT * FROM "
        f"({cells.source.scan([name])}) LIMIT {_ROWS}) WHERE trim(w0) LIKE '[%'), kept AS (SELECT cells FROM lists "
        "WHERE (SELECT min(len(cells)) = max(len(cells)) FROM lists)) SELECT place, min(value) AS low, max(value) AS "
        "high, median(value) AS middle FROM (SELECT unnest(range(1, len(cells) + 1)) AS place, "
        f"try_cast(trim(unnest(cells)) AS DOUBLE) AS value FROM kept WHERE len(cells) BETWEEN 2 AND {_WIDEST}) "
        f"GROUP BY place HAVING count(value) >= {_ENOUGH} AND min(value) < max(value) ORDER BY place"
    )
    places = list(zip(*(found[key].tolist() for key in ("place", "low", "high", "middle")), strict=True))
    if not places:
        return
    small, large = min(places, key=lambda one: one[2]), max(places, key=lambda one: one[3])
    if not small[2] < large[3] or large[2] <= 1.0:
        return
    from scorebars.readers.scoreless import in_sql

    column = in_sql(name)
    text = f"trim({column}::VARCHAR, '[] ')"
    query = f"SELECT * REPLACE (string_split({text}, {literal(',')})[{large[0]}] AS {column}) FROM data"
    told = " and ".join(f"number {place} from {low:g} to {high:g}" for place, low, high, _ in sorted([small, large]))
    raise UnclearError(
        f"the lists of '{name}' hold numbers on different scales ({told}), as criteria and metrics of one attempt are: "
        f"choose one ({in_shell('--sql', query)}); if each is a run after all: {remedy_of_runs(layout)}",
        {},
        options={"--sql": query},
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
