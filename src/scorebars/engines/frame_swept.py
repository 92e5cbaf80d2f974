"""Frames without items whose rows are runs of several settings: asked about as in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.engines.frame_cells import shown_values, ways_of
from scorebars.engines.frame_claims import Counts
from scorebars.engines.sweeps import settings_and_runs, swept
from scorebars.errors import ScoresError, either

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scorebars.engines.frame_cells import Cells
    from scorebars.engines.sweeps import Sweep


def refuse_swept(
    unknown: Sequence[str],
    mapping: Mapping[str, tuple[str, ...]],
    n_rows: int,
    cells: Cells,
    *,
    named: Container[str],
) -> None:
    """Raise a ScoresError where the values of a setting, each of which has several runs, would be items.

    Args:
        unknown: Columns without a role.
        mapping: Role -> columns.
        n_rows: The rows of the frame.
        cells: The columns.
        named: Roles that the user named.
    """
    if "item" in mapping or "item" in named:
        return
    runs = mapping.get("run", ())
    filled = [name for name in settings_and_runs(unknown, runs) if cells.of(name) is not None]
    known = tuple(name for role in ("model", "task", "metric", "variant") for name in mapping.get(role, ()))
    if filled and (found := swept(filled, known, runs, n_rows, Counts(cells.frame))):
        raise _error(found, mapping, cells)


def _error(found: Sweep, mapping: Mapping[str, tuple[str, ...]], cells: Cells) -> ScoresError:
    named = {"run": found.run} if found.run else {}
    run = f", run={found.run!r}" if found.run else ""
    items = found.items[0] if len(found.items) == 1 else found.items
    after_all = f"if {{}} the item after all: item={items!r}{run}"
    column = cells.of(found.settings[0])
    if len(found.settings) == 1 and column is not None:
        values = f" ({shown_values(column)})"
        ways = either(ways_of(found.settings[0], "setting", column, mapping, named, apart=False))
        sentence = f"{found.said(values)}: '{found.settings[0]}' is {ways}"
        return ScoresError(f"{sentence}; {after_all.format('it is')}")
    models = mapping.get("model", ())
    what = "parts of the model" if models else "the model"
    sentence = f"{found.said()}: they are {what} (model={(*models, *found.settings)!r}{run})"
    return ScoresError(f"{sentence}; {after_all.format('they are')}")
