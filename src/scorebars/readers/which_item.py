"""Two columns that could each be the item: the one that is another in every row is a key, the one that repeats is it.

Tables out of databases have a key (``id``) beside the id of what was asked (``question_id``). Taken for the item, the
key would count each attempt as an item of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.headers import claims, mapped, normal
from scorebars.engines.unknown_headers import names_document, names_run
from scorebars.readers.columns import UnclearError

if TYPE_CHECKING:
    from collections.abc import Collection

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.sources import Source


def with_repeating(error: UnclearError, source: Source, taken: Collection[str], engine: Engine) -> UnclearError:
    """The error with the column that repeats as the proposal, and the run that tells its rows apart, if one does.

    Args:
        error: What is asked: which column is the item.
        source: The cells of the file.
        taken: Columns that have a role.
        engine: What reads the cells.
    """
    free = [name for name in source.names if name and name not in taken]
    maybe = [name for name in claims("item", free) if normal(name) != "task_id"]
    if len(maybe) < 2 or error.guess.get("item") != maybe[0]:
        return error
    n, different = _different(maybe, source, engine)
    repeat = [name for name in maybe[1:] if 2 < 2 * different[name] <= n and not names_document(name)]
    if different[maybe[0]] < n or len(repeat) != 1:
        return error
    key, item = maybe[0], repeat[0]
    runs = [] if claims("run", free) else [name for name in free if names_run(name) and name not in maybe][:1]
    runs = [run for run in runs if _tells(run, [*claims("model", free)[:1], item], source, engine)]
    guess = error.guess | {"item": item} | ({"run": runs[0]} if runs else {})
    asked = str(error).replace(mapped({"item": key}), mapped({"item": item} | ({"run": runs[0]} if runs else {})), 1)
    return UnclearError(f"{asked}; '{key}' is another in every row, and '{item}' repeats", guess)


def _different(names: list[str], source: Source, engine: Engine) -> tuple[int, dict[str, int]]:
    """How many rows there are, and how many different cells each column has."""
    counts = (f"count(DISTINCT trim(w{place})) AS n{place}" for place in range(len(names)))
    found = engine.query(f"SELECT count(*) AS n, {', '.join(counts)} FROM ({source.scan(names)})")
    return int(found["n"][0]), {name: int(found[f"n{place}"][0]) for place, name in enumerate(names)}


def _tells(run: str, beside: list[str], source: Source, engine: Engine) -> bool:
    """Whether a column tells the rows of an item apart, and does not only number all rows."""
    cells = ", ".join(f"trim(w{place})" for place in range(len(beside) + 1))
    found = engine.query(
        f"SELECT count(*) AS n, count(DISTINCT hash({cells})) AS told, count(DISTINCT trim(w0)) AS runs "
        f"FROM ({source.scan([run, *beside])})"
    )
    n, told, runs = (int(found[key][0]) for key in ("n", "told", "runs"))
    return told == n and 2 * runs <= n
