"""Tables with several attempts of one model in a row: a column a run (run1, run2, …) or a column an item (q1, q2, …).

Such columns could also be models, or averages over whole benchmarks, so these readings are proposed and never guessed:
``--map 'run=run*'``, ``--map 'item=q*'``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import quote
from scorebars.engines.headers import is_unnamed, mapped
from scorebars.errors import ReadError
from scorebars.readers.aggregates import averages
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import JOINED, UnclearError
from scorebars.readers.numbered import groups_of, pattern_of, runs_among, word_of
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

COLUMNS: Final = 10
"""Columns that are looked at for names of models."""
LONGEST: Final = 60
"""Letters of the longest name of a model; longer texts are prompts and answers."""
MANY_ROWS: Final = 12
"""Rows from which on a column of names in a table of runs is more likely one of items."""
ROUNDED: Final = 0.0051
"""How far a mean that is written with two digits is from its own."""
FIRST_ROWS: Final = 1_000
"""Rows that say which columns hold names."""


def checked(layout: Layout, cells: Cells) -> Layout:
    """The layout whose score columns the user named as runs or items.

    Raises:
        ReadError: One of them holds no scores.
        UnclearError: The rows are told apart by a column whose role is not known.
    """
    fine = set(cells.score_like(layout.scores))
    role = "run" if layout.runs else "item"
    odd = [name for name in layout.scores if name not in fine]
    if odd := [name for name in odd if cells.mostly(".", (name,))]:  # an empty column is a run that is missing
        raise ReadError(
            f"'{odd[0]}' was named among the columns of scores, one for each {role}, and holds none; name them by a "
            f"pattern that leaves it out, or one by one, with '{JOINED}' between them"
        )
    if guess := _row_names(layout, cells, role):
        ((other, name),) = guess.items()
        raise UnclearError(
            f"'{name}' tells the rows apart, and its header is not known: say what it is ({mapped({other: name})}, or "
            f"{mapped({'model' if other == 'item' else 'run' if role == 'item' else 'item': name})})",
            guess,
        )
    return layout


def refuse_spread(layout: Layout, names: Sequence[str], cells: Cells) -> None:
    """Raise an UnclearError where columns of numbers, which would be models, are called like runs or items."""
    found = groups_of(names)
    for role in ("run", "item"):
        if role not in found:
            continue
        if len(found[role]) > 1:
            raise _models_by(role, found[role])
        group = found[role][0]
        pattern = pattern_of(group, _free(layout, cells))
        raise UnclearError(
            f"columns {_listed(group)} are called like {role}s of one model, and may be models: say which "
            f"({mapped({role: pattern})}, or {mapped({'model': pattern})})",
            {role: pattern} | _row_names(layout, cells, role, group),
        )


def refuse_mean_of_runs(layout: Layout, cells: Cells) -> None:
    """Raise an UnclearError where the known score is the mean of columns that are called like runs."""
    if len(layout.scores) != 1 or layout.asked & {"score", "run"} or layout.wide or "run" in layout.roles:
        return
    (score,) = layout.scores
    for group in runs_among(layout.ignored):
        runs = ", ".join(f"try_cast(w{place} AS DOUBLE)" for place in range(1, len(group) + 1))
        found = cells.engine.query(
            f"SELECT count(*) AS n, count(*) FILTER (abs(score - mean) <= {ROUNDED}) AS same FROM ("
            f"SELECT try_cast(w0 AS DOUBLE) AS score, list_avg([{runs}]) AS mean FROM "
            f"(SELECT * FROM ({cells.source.scan([score, *group])}) LIMIT {FIRST_ROWS})) WHERE score IS NOT NULL"
        )
        if found["n"][0] and found["same"][0] == found["n"][0]:
            pattern = pattern_of(group, _free(layout, cells))
            raise UnclearError(
                f"'{score}' is the mean of {_listed(group)}, which are called like runs: read those "
                f"({mapped({'run': pattern})}), or the mean alone ({mapped({'score': score})})",
                {"run": pattern},
            )


def refuse_rows_of_models(layout: Layout, names: Sequence[str], cells: Cells) -> None:
    """Judge columns of numbers beside a known model, of which none is known as the score.

    Raises:
        UnclearError: They are called like runs or items, or hold what items have.
        NoScores: They are averages: one row a model, and no item.
    """
    has_item, alone = "item" in layout.roles, _is_row_a_model(layout, cells)
    for called, groups in groups_of(names).items():
        role = called or ("run" if has_item else "item" if alone and _are_attempts(names, cells) else "")
        if not role or (role == "item" and has_item) or (role == "run" and "run" in layout.roles):
            continue
        group = max(groups, key=len)
        pattern = pattern_of(group, _free(layout, cells))
        raise UnclearError(
            f"columns {_listed(group)} may each hold the scores of one {role}: say so ({mapped({role: pattern})})",
            {role: pattern},
        )
    if not alone:
        return
    pattern = pattern_of(names, _free(layout, cells)) if len(names) > 1 else ""
    if pattern and _are_attempts(names, cells):
        raise UnclearError(
            f"it has one row a model, and columns {_listed(names)} hold right and wrong, as single items do: say so "
            f"({mapped({'item': pattern})})",
            {"item": pattern},
        )
    raise NoScores(averages(layout, names, pattern))


def _free(layout: Layout, cells: Cells) -> list[str]:
    """The columns that a pattern may name: a role that has its own takes it first."""
    taken = {name for names in (*layout.roles.values(), layout.statuses) for name in names}
    return [name for name in cells.source.names if name not in taken]


def _models_by(role: str, groups: Sequence[Sequence[str]]) -> UnclearError:
    """The error where each model has several columns: 'gpt_run1', 'gpt_run2', 'claude_run1'."""
    names = [name for group in groups for name in group]
    word = word_of(names[0])
    columns = ", ".join(name if name.isidentifier() else quote(name) for name in names)
    sql = (
        f"SELECT * EXCLUDE (header), regexp_extract(header, '(.*?)[^a-zA-Z0-9]*{word}', 1, 'i') AS model, "
        f"regexp_extract(header, '.*[^0-9]([0-9]+)', 1) AS {role} "
        f"FROM data UNPIVOT INCLUDE NULLS (score FOR header IN ({columns}))"
    )
    return UnclearError(
        f"columns {_listed(names)} are called like {role}s of several models, which no mapping says: turn them into "
        "rows with --sql",
        {},
        options={"--sql": sql},
    )


def _is_row_a_model(layout: Layout, cells: Cells) -> bool:
    """Whether no model (of a task and run) has two rows, no column is known as the item, and rows are not its runs."""
    known = tuple(name for role in ("model", "task") for name in layout.roles.get(role, ()))
    if "item" in layout.roles or "model" not in layout.roles:
        return False
    runs = layout.roles.get("run", ())
    rows, (of_runs, different) = _different([(*known, *runs), known], cells)
    return rows == of_runs and (not runs or rows == different)


def _are_attempts(names: Sequence[str], cells: Cells) -> bool:
    """Whether columns hold nothing but 0 and 1, or words for right and wrong."""
    held = cells.held(names)
    return len(held) == len(names) and all(one.words or (one.is_01 and not one.signed) for one in held)


def _row_names(layout: Layout, cells: Cells, role: str, scores: Sequence[str] = ()) -> dict[str, str]:
    """The only column of names that tells the rows apart, where no known one does, under the role it may have."""
    if "model" in layout.roles:
        return {}
    known = tuple(name for other in ("task", "item", "run") for name in layout.roles.get(other, ()))
    free = [name for name in layout.ignored if name not in scores and not is_unnamed(name)][:COLUMNS]
    names = _names_among(free, cells)
    rows, counts = _different([known, *((*known, name) for name in names)], cells)
    telling = [name for name, count in zip(names, counts[1:], strict=True) if count == rows]
    if rows < 2 or counts[0] == rows or len(telling) != 1:
        return {}
    is_item = role == "run" and not known and rows >= MANY_ROWS
    return {"item" if is_item else "model": telling[0]}


def _names_among(columns: Sequence[str], cells: Cells) -> list[str]:
    """The columns whose first cells are all filled, short, and words."""
    return [name for name in columns if _holds_names(name, cells)]


def _holds_names(name: str, cells: Cells) -> bool:
    found = cells.engine.query(
        f"SELECT count(*) > 0 AND bool_and(coalesce(cell, '') <> '' AND length(cell) <= {LONGEST}) "
        "AND bool_or(try_cast(cell AS DOUBLE) IS NULL) AS fit FROM "
        f"(SELECT trim(w0) AS cell FROM ({cells.source.scan([name])}) LIMIT {FIRST_ROWS})"
    )
    return bool(found["fit"][0])


def _different(sets: Sequence[Sequence[str]], cells: Cells) -> tuple[int, list[int]]:
    """The number of rows, and how many different values each set of columns has in them (of none: 1)."""
    names = list(dict.fromkeys(name for some in sets for name in some))
    place = dict(zip(names, trimmed_cells(len(names)), strict=True))
    counts = (
        f"count(DISTINCT hash({', '.join(place[name] for name in some)})) AS n{number}" if some else f"1 AS n{number}"
        for number, some in enumerate(sets)
    )
    rows = cells.source.scan(names or cells.source.names[:1])
    found = cells.engine.query(f"SELECT count(*) AS n, {', '.join(counts)} FROM ({rows})")
    return int(found["n"][0]), [int(found[f"n{number}"][0]) for number in range(len(sets))]


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more
