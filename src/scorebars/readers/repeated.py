"""Several results of one model on one task, as folders of logs have them: the newest, or all of them as runs.

Which of the two is right only the user knows (a run that was made again after a fault was mended, or one more sample of
the same thing), so without a choice results that hold the same attempts are refused, with both files and their dates.
"""

from __future__ import annotations

import filecmp
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import Part
    from scorebars.engines.duckdb import Engine
    from scorebars.notes import Note

Key = tuple[str, str]
"""Model and task."""


def newest(parts: Sequence[Part], engine: Engine) -> list[Part]:
    """Of the dated results of each model and task only the newest that ended, which says what it stands for."""
    kept: dict[int, Part | None] = {}
    for (model, task), places in _repeated(parts, engine):
        whole = [place for place in places if not parts[place].unfinished]
        last = max(whole or places, key=lambda place: _date(parts[place]))
        for place in places:
            kept[place] = None
            if place != last and _date(parts[place]) == _date(parts[last]):
                _refuse_different(parts[place], parts[last])
        newer = [place for place in places if _date(parts[place]) > _date(parts[last])]
        older = [_dated(parts[place]) for place in places if place != last and place not in newer]
        said = [*_unfinished([parts[place] for place in newer], parts[last], model, task)]
        if older:
            more = {"model": model, "task": task, "newest": _dated(parts[last])}
            said.append(note("older-results", n=len(older), older=_listed(older), **more))
        kept[last] = replace(parts[last], notes=(*parts[last].notes, *said))
    return [part for place, old in enumerate(parts) if (part := kept.get(place, old)) is not None]


def _dated(part: Part) -> str:
    return f"{part.path.name} ({part.created})"


def _unfinished(newer: Sequence[Part], taken: Part, model: str, task: str) -> Iterator[Note]:
    """What is said where the newest results are of a run that did not end, or all are."""
    of = f"of model '{model}' on task '{task}'"
    for part in newer:
        what = f"{_dated(part)} is newer and left out, because {part.unfinished}"
        yield note("partial-log", detail=f"{_dated(taken)} is the latest finished result {of}: {what} (--latest)")
    if taken.unfinished:
        detail = f"no result {of} is finished: {_dated(taken)}, the latest, counts as far as it goes"
        yield note("partial-log", detail=f"{detail}, and {taken.unfinished} (--latest)")


def as_runs(parts: Sequence[Part], engine: Engine) -> list[Part]:
    """The dated results of each model and task as runs of one: run 2 of the third result is '3.2'."""
    made = list(parts)
    for (model, task), places in _repeated(parts, engine):
        in_order = sorted(places, key=lambda place: _date(parts[place]))
        for number, place in enumerate(in_order, start=1):
            made[place] = _numbered(parts[place], number, engine)
        names = _listed([parts[place].path.name for place in in_order])
        said = note("results-as-runs", n=len(places), model=model, task=task, names=names)
        made[in_order[0]] = replace(made[in_order[0]], notes=(*made[in_order[0]].notes, said))
    return made


def _repeated(parts: Sequence[Part], engine: Engine) -> Iterator[tuple[Key, list[int]]]:
    """The model and task that several dated parts hold alone, and the places of those parts."""
    found: dict[Key, list[int]] = {}
    for place, part in enumerate(parts):
        key = _key(part, engine) if part.created else None
        if key is not None:
            found.setdefault(key, []).append(place)
    yield from ((key, places) for key, places in found.items() if len(places) > 1)


def _key(part: Part, engine: Engine) -> Key | None:
    """The one model and task of a part; None if it has several, or no rows."""
    if isinstance(part.rows, str):
        columns: Any = engine.query(f"SELECT DISTINCT model, task FROM ({part.rows})")
    else:
        columns = part.rows
    pairs = set(zip(columns.get("model", ()), columns.get("task", ()), strict=False))
    return next(iter(pairs)) if len(pairs) == 1 else None


def _date(part: Part) -> datetime:
    """The date as a moment; one without a zone is taken as UTC."""
    found = datetime.fromisoformat(str(part.created))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def date_text(text: object) -> str | None:
    """A date as a part has it, None if it is none."""
    try:
        datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return str(text)


def _refuse_different(one: Part, other: Part) -> None:
    """Two results of one moment must be the same file twice."""
    if not filecmp.cmp(one.path, other.path, shallow=False):
        raise ReadError(
            f"{shown(one.path)} and {shown(other.path)} hold the same model and task and are both of {one.created}, "
            "so neither is the latest; give one of them"
        )


def _numbered(part: Part, number: int, engine: Engine) -> Part:
    """The part with the number of the result before its runs."""
    if isinstance(part.rows, str):
        if "run" in engine.columns(part.rows):
            rows = f"SELECT * REPLACE ({literal(f'{number}.')} || run AS run) FROM ({part.rows})"
        else:
            rows = f"SELECT *, {literal(str(number))} AS run FROM ({part.rows})"
        return replace(part, rows=rows)
    runs = part.rows.get("run")
    column = np.empty(len(part.rows["score"]), dtype=object)
    column[:] = str(number) if runs is None else [f"{number}.{run}" for run in runs]
    return replace(part, rows={**part.rows, "run": column})


def _listed(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
