"""Learning curves as long CSV: a row a logged value, with the columns seed, a step and a return, as DrQ-v2 keeps them.

DrQ-v2 writes ``,agent,task,seed,frame,episode_reward,hour``; the first column is an index without a name. Rows of one
(agent, task, seed) are one run's curve, not attempts of their own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.headers import normal
from scorebars.errors import ReadError
from scorebars.readers.csv_rows import csv_rows, header_of, number_of
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.files import names_for, shown
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

COLUMNS: Final = {
    "run": ("seed",),
    "step": ("frame", "frames", "step", "steps", "env_step", "env_steps", "global_step", "timesteps", "total_steps"),
    "score": ("episode_reward", "episode_return", "episodic_return", "return", "eval_return", "eval_reward"),
    "task": ("task", "env", "env_id", "env_name", "environment", "game", "domain"),
    "model": ("agent", "algo", "algorithm", "method", "model"),
}
"""Role -> headers. Task and model may be missing; a table with items is no curve."""


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
        """A header with a seed, a step and a return."""
        return _layout(header_of(head)) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a curve."""
        refuse_mapping(request, "a table of learning curves")
        names = names_for(head.path for head in heads)
        return each(heads, lambda head: self._part(head, request, names[head.path]))

    def _part(self, head: FileHead, request: Request, model: str) -> Part:
        rows = csv_rows(head)
        layout = _layout(next(rows, (0, []))[1])
        if layout is None:
            raise NoScores(f"{shown(head.path)} holds no table of learning curves")
        mapping = {role: f"column '{layout.names[place]}'" for role, place in layout.places.items()}
        mapping.setdefault("model", f"the file's name ('{model}')")
        return curve_part(head, self.name, _curves(rows, layout, model, head), request.options, mapping)


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
    points: dict[tuple[str, str | None, str], list[tuple[float, float]]] = defaultdict(list)
    for number, row in rows:
        where = f"{shown(head.path)}: line {number}"
        cells = {role: row[place].strip() for role, place in layout.places.items()}
        empty = [role for role in ("model", "task", "run", "step") if cells.get(role) == ""]
        if empty:
            raise ReadError(f"{where} has no {empty[0]} ('{layout.names[layout.places[empty[0]]]}' is empty)")
        key = (cells.get("model", model), cells.get("task"), cells["run"])
        points[key].append((number_of(cells["step"], where), number_of(cells["score"], where)))
    arrays = {key: np.array(found, dtype=np.float64) for key, found in points.items()}
    return [Curve(name, run, found[:, 0], found[:, 1], task) for (name, task, run), found in arrays.items()]
