"""Which rows of a history of Weights & Biases are of which run: all of one, or those that columns tell apart.

A history has no name of its run, and runs have drawn names ('fluffy-dog-12') unless somebody gave them others. Where
people put several below each other, with a column of the configuration, that column says the model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.headers import is_unnamed, mapped
from scorebars.errors import ReadError
from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.notes import Note
    from scorebars.readers.run_files import RunNames
    from scorebars.sample import FloatArray

    Texts = Mapping[str, Sequence[str]]

_DRAWN: Final = re.compile(r"[a-z]+-[a-z]+-\d+")
RENAMED: Final = (
    "call the columns MODEL_seedN (--map 'run={model}_seed{run}'), or read the table of the runs, where a column says "
    "the model (--map model=COLUMN,run=Name,score=METRIC)"
)
MOVED: Final = (
    "put the files of each model into a folder of its name (--map model=folder), or name the column of the "
    "configuration that says it, if there is one (--map model=COLUMN)"
)


@dataclass(frozen=True, slots=True)
class OneRun:
    """A run, and its rows."""

    model: str
    run: str
    task: str | None
    rows: NDArray[np.intp]


def runs_of(names: RunNames, file: Path, texts: Texts, lines: Sequence[int], path: str) -> list[OneRun]:
    """The runs of a history in the order of their first rows.

    Args:
        names: What the user said of model, run and task.
        file: The file.
        texts: The cells of the columns that were named.
        lines: The line of each row.
        path: The file's name in messages.

    Raises:
        ReadError: A cell of them is empty.
    """
    model, run = names.of(file)
    own = {"model": model, "run": run}
    cells = {role: _joined(text, texts, lines, path) for role, text in names.columns.items()}
    keys = list(zip(*cells.values(), strict=True)) if cells else [()] * len(lines)
    rows: dict[tuple[str, ...], list[int]] = {}
    for place, key in enumerate(keys):
        rows.setdefault(key, []).append(place)
    said = [(own | dict(zip(cells, key, strict=True)), np.array(places)) for key, places in rows.items()]
    return [OneRun(one["model"], one["run"], one.get("task"), places) for one, places in said]


def told(names: RunNames, file: Path) -> dict[str, str]:
    """Where model, run and task came from."""
    return names.told(file) | {role: f"column '{text}'" for role, text in names.columns.items()}


def refuse_several(runs: Iterable[OneRun], steps: FloatArray, texts: Callable[[], Texts], lines: Sequence[int]) -> str:
    """Why the rows of one run are those of several, '' where they are not: ``_step`` counts calls of ``log``.

    Args:
        runs: The runs.
        steps: ``_step`` of each row.
        texts: All columns as text; asked for where it is needed.
        lines: The line of each row.
    """
    for run in runs:
        back = np.flatnonzero(np.diff(steps[run.rows]) <= 0)
        if len(back):
            place = int(run.rows[back[0] + 1])
            at, before = steps[place], steps[run.rows[back[0]]]
            how = f"goes back from {before:.15g} to {at:.15g}" if at < before else f"is {at:.15g} again"
            return (
                f"line {lines[place]}: '_step' {how}, so that the rows are of several runs; {_remedy(texts(), steps)}"
            )
    return ""


def drawn(names: Sequence[str], what: str, remedy: str) -> tuple[Note, ...]:
    """``drawn-names`` where all names, two or more, are such as Weights & Biases draws."""
    if len(names) < 2 or not all(map(_DRAWN.fullmatch, names)):
        return ()
    return (note("drawn-names", n=len(names), what=what, names=f"'{names[0]}', '{names[1]}'", remedy=remedy),)


def _joined(text: str, texts: Texts, lines: Sequence[int], path: str) -> list[str]:
    """A column as text, or several joined as 'agent+model'."""
    columns = text.split("+")
    for name in columns:
        empty = next((line for line, cell in zip(lines, texts[name], strict=True) if not cell.strip()), None)
        if empty is not None:
            raise ReadError(f"{path}: line {empty} has no '{name}'; each row needs its own")
    return ["+".join(cells) for cells in zip(*(texts[name] for name in columns), strict=True)]


def _remedy(texts: Texts, steps: FloatArray) -> str:
    """What to type: the columns that tell the runs apart, and the one that may be the model."""
    at = steps.tolist()
    usable = {
        name: cells
        for name, cells in texts.items()
        if not name.startswith("_") and not is_unnamed(name) and all(map(str.strip, cells))
    }
    usable = {name: cells for name, cells in usable.items() if 1 < len(set(cells)) <= len(cells) // 2}
    words = [name for name, cells in usable.items() if not any(map(_is_number, cells))]
    for run in sorted(usable, key=lambda name: name not in words):
        if _tells([usable[run]], at):
            above = (name for name in words if name != run and _is_above(usable[name], usable[run]))
            model = next(above, None)
            if model is None:
                one, each = mapped({"run": run}), mapped({"model": run})
                return f"'{run}' tells them apart: name it as the run ({one}), or if each is a model, as that ({each})"
            return f"'{run}' tells them apart, and '{model}' may be the model: {mapped({'model': model, 'run': run})}"
    for model, run in ((a, b) for pair in combinations(usable, 2) for a, b in (pair, pair[::-1]) if a in words):
        if _tells([usable[model], usable[run]], at):
            return f"'{model}' and '{run}' tell them apart: {mapped({'model': model, 'run': run})}"
    return "name the columns that tell them apart (--map model=COLUMN,run=COLUMN), or save a file a run"


def _tells(columns: Sequence[Sequence[str]], steps: Sequence[float]) -> bool:
    """Whether no step is there twice within one text of these columns."""
    keys = list(zip(*columns, steps, strict=True))
    return len(set(keys)) == len(keys)


def _is_above(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether each text of one column has one text of the other, which are fewer."""
    return len(set(upper)) < len(set(lower)) == len(set(zip(lower, upper, strict=True)))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
