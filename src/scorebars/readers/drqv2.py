"""Learning curves as long CSV: a row a logged value, with the columns seed, a step and a return, as DrQ-v2 keeps them.

DrQ-v2 publishes ``,agent,task,seed,frame,episode_reward,hour``; the first column is an index without a name. Rows of
one (agent, task, seed) are one run's curve, not attempts of their own. Its own logs, ``eval.csv`` and ``train.csv``,
are one run each; the folder says which.
"""

from __future__ import annotations

import math
import re
from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.headers import normal
from scorebars.errors import ReadError
from scorebars.readers.csv_rows import csv_rows, header_of, number_of
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.files import names_for, shown
from scorebars.readers.last_line import unended_note
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

COLUMNS: Final = {
    "run": ("seed",),
    "step": ("frame", "frames", "step", "steps", "env_step", "env_steps", "global_step", "timesteps", "total_steps"),
    "score": ("episode_reward", "episode_return", "episodic_return", "return", "eval_return", "eval_reward"),
    "task": ("task", "env", "env_id", "env_name", "environment", "game", "domain"),
    "model": ("agent", "algo", "algorithm", "method", "model"),
}
"""Role -> headers. Task and model may be missing."""
_NAMED: Final = ("model", "task", "run")
_LOG: Final = frozenset({"episode", "episode_length", "episode_reward", "frame", "step", "total_time"})
LOGS: Final = {_LOG: "evaluation", _LOG | {"buffer_size", "fps"}: "training"}
"""Columns of DrQ-v2's own logs -> the metric."""
_OVERRIDE: Final = re.compile(r"([A-Za-z][\w.]*)=([^,]+)")
"""'task=walker_walk' of a folder that is named after what was set for its run."""
_SEED: Final = re.compile(r"((seed|run|trial|s)[ _-]?)?\d+", re.IGNORECASE)
_DATE: Final = re.compile(r"[\d._-]+(T[\d._-]+)?")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Place of each role's column."""

    places: dict[str, int]
    names: list[str]


class DrqV2Reader:
    """Reads long tables of learning curves."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "drqv2"

    def claims(self, head: FileHead) -> bool:
        """A header with a seed, a step and a return; or that of a log."""
        header = header_of(head)
        return frozenset(header) in LOGS or _layout(header) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a curve."""
        refuse_mapping(request, "a table of learning curves")
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: self._part(head, request, names[head.path]))

    def _part(self, head: FileHead, request: Request, model: str) -> Part:
        cut: list[str] = []
        rows = csv_rows(head, cut)
        header = next(rows, (0, []))[1]
        if frozenset(header) in LOGS:
            return _log_part(head, header, rows, cut, request)
        layout = _layout(header)
        if layout is None:
            raise NoScores(f"{shown(head.path)} holds no table of learning curves")
        mapping = {role: f"column '{layout.names[place]}'" for role, place in layout.places.items()}
        mapping.setdefault("model", f"the file's name ('{model}')")
        part = curve_part(head, self.name, _curves(rows, layout, model, head), request.options, mapping)
        return replace(part, notes=(*part.notes, *(unended_note(head, line) for line in cut)))


def _log_part(
    head: FileHead, header: Sequence[str], rows: Iterable[tuple[int, list[str]]], cut: list[str], request: Request
) -> Part:
    """The curve of one run, whose task and seed its folder may say."""
    step, score = header.index("frame"), header.index("episode_reward")
    points = array("d")
    for line, row in rows:
        points.extend(_point(row[step], row[score], head, line))
    table = np.array(points, dtype=np.float64).reshape(-1, 2)
    model, run, task = origin(head.path.absolute().parent)
    curves = [Curve(model, run, table[:, 0], table[:, 1], task, LOGS[frozenset(header)])] if len(table) else []
    mapping = {"model": f"the folders' names ('{model}')", "run": f"the folder ('{run}')"}
    mapping |= {"task": f"the folder ('{task}')"} if task else {}
    mapping |= {"metric": "evaluation in eval.csv, training in train.csv", "step": "column 'frame'"}
    mapping["score"] = "column 'episode_reward'"
    part = curve_part(head, "drqv2", curves, request.options, mapping)
    return replace(part, notes=(*part.notes, *(unended_note(head, line) for line in cut)))


def origin(folder: Path) -> tuple[str, str, str | None]:
    """Model, run and task of a log: '…/mine/2021.10.01/120000_task=walker_walk,seed=1/', 'mine/seed1/', 'mine/'.

    A folder that is named after a time, '20240101T120000' too, is a run of the one above it.
    """
    said = dict(_OVERRIDE.findall(folder.name))
    is_run = bool(said) or _SEED.fullmatch(folder.name) or _DATE.fullmatch(folder.name)
    above = next((one.name for one in folder.parents if one.name and not _DATE.fullmatch(one.name)), "")
    if not is_run or not above:
        return folder.name or "model", "1", None
    return above, said.get("seed", folder.name), said.get("task")


def _layout(header: Sequence[str]) -> _Layout | None:
    """Where the columns are; None if this is no table of curves, or two columns could be the same."""
    names = [normal(cell) for cell in header]
    places: dict[str, int] = {}
    for role, known in COLUMNS.items():
        found = [place for place, name in enumerate(names) if name in known]
        if len(found) == 1:
            places[role] = found[0]
        elif found or role in {"run", "step", "score"}:
            return None
    return _Layout(places, list(header))


def _curves(rows: Iterable[tuple[int, list[str]]], layout: _Layout, model: str, head: FileHead) -> list[Curve]:
    """The curve of each (model, task, run), in the order in which they begin."""
    points: dict[tuple[str, ...], array[float]] = {}
    named = [layout.places[role] for role in _NAMED if role in layout.places]
    step, score = layout.places["step"], layout.places["score"]
    for line, row in rows:
        key = tuple([row[place] for place in named])
        if key not in points:
            _refuse_empty(row, named, layout, f"{shown(head.path)}: line {line}")
            points[key] = array("d")
        points[key].extend(_point(row[step], row[score], head, line))
    return [
        _curve(dict(zip((role for role in _NAMED if role in layout.places), key, strict=True)), found, model)
        for key, found in points.items()
    ]


def _point(step: str, score: str, head: FileHead, line: int) -> tuple[float, float]:
    """Step and value of a row; the slow way round where one of them is no number."""
    try:
        found = float(step), float(score)
    except ValueError:
        found = math.inf, math.inf
    if math.isfinite(found[0]) and not math.isinf(found[1]):
        return found
    where = f"{shown(head.path)}: line {line}"
    found = number_of(step, where), number_of(score, where)
    if math.isnan(found[0]):
        raise ReadError(f"{where} has no step")
    return found


def _refuse_empty(row: Sequence[str], named: Sequence[int], layout: _Layout, where: str) -> None:
    empty = [place for place in named if not row[place].strip()]
    if empty:
        role = next(role for role, place in layout.places.items() if place == empty[0])
        raise ReadError(f"{where} has no {role} ('{layout.names[empty[0]]}' is empty)")


def _curve(ids: Mapping[str, str], points: array[float], model: str) -> Curve:
    table = np.array(points, dtype=np.float64).reshape(-1, 2)
    task = ids["task"].strip() if "task" in ids else None
    return Curve(ids.get("model", model).strip(), ids["run"].strip(), table[:, 0], table[:, 1], task)
