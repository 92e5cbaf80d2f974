"""Learning curves as DreamerV3 keeps its scores: a JSON list of {task, method, seed, xs, ys}, mostly gzipped.

Its own logs, ``scores.jsonl`` and ``metrics.jsonl``, are one run each, a line a logged step; the folder says which, and
the ``config.yaml`` in it the task and the seed.

Runs stop where their last episode ends, and some much earlier; the first values may be null. What the score of a curve
is, ``--at`` says.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ReadError, counted
from scorebars.readers.curves import Curve, curve_part, numbers
from scorebars.readers.document import Node, lines, load, records
from scorebars.readers.drqv2 import origin
from scorebars.readers.files import head_of, plain_bytes, shown
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sniff import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

MAPPING: Final = {"model": "'method'", "task": "'task'", "run": "'seed'", "score": "'ys' over 'xs'"}
STEP: Final = "step"
SCORE: Final = "episode/score"
"""Key of an episode's return in a log."""
SCORES: Final = "scores.jsonl"
"""The log that holds nothing but scores; metrics.jsonl beside it repeats them."""
CONFIG: Final = "config.yaml"
_SAID: Final = re.compile(r"^(?P<key>task|seed): *['\"]?(?P<value>[^\s'\"]+)['\"]? *$", re.MULTILINE)


class DreamerReader:
    """Reads lists of learning curves."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "dreamer"

    def claims(self, head: FileHead) -> bool:
        """A list of records with xs and one of task, method and seed; ys may lie beyond the head. Or a log."""
        keys = outline(head)
        if not keys.is_list and STEP in keys.top and f'"{SCORE}"'.encode() in head.head:
            return True
        return keys.is_list and "xs" in keys.top and bool(keys.top & {"task", "method", "seed"})

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a curve."""
        refuse_mapping(request, "a list of learning curves")
        scores = {head.path.parent for head in heads if head.path.name == SCORES}
        return each(heads, lambda head: self._part(head, request, scores))

    def _part(self, head: FileHead, request: Request, scores: set[Path]) -> Part | None:
        if not outline(head).is_list:
            return None if head.path.name != SCORES and head.path.parent in scores else self._log(head, request)
        curves = [_curve(record) for record in records(load(head), shown(head.path))]
        return curve_part(head, self.name, curves, request.options, MAPPING)

    def _log(self, head: FileHead, request: Request) -> Part:
        """The curve of one run; lines of other metrics have no score."""
        points = array("d")
        for line in lines(head):
            if line.has(SCORE):
                points.extend((line.number(STEP), line.number(SCORE)))
        table = np.array(points, dtype=np.float64).reshape(-1, 2)
        if np.isnan(table[:, 0]).any():
            raise ReadError(f"{shown(head.path)} has a score without its '{STEP}'; each value needs one")
        model, run, task = _run_of(head.path.absolute().parent)
        mapping = {"model": f"the folders' names ('{model}')", "run": f"the folder or its {CONFIG} ('{run}')"}
        mapping |= {"task": f"the folder or its {CONFIG} ('{task}')"} if task else {}
        mapping |= {"step": f"'{STEP}'", "score": f"'{SCORE}'"}
        return curve_part(
            head, self.name, [Curve(model, run, table[:, 0], table[:, 1], task)], request.options, mapping
        )


def _run_of(folder: Path) -> tuple[str, str, str | None]:
    """Model, run and task of a log: from its folder; the settings beside it know the task and the seed."""
    model, run, task = origin(folder)
    settings = folder / CONFIG
    if not settings.is_file():
        return model, run, task
    with plain_bytes(head_of(settings)) as stream:
        text = stream.read(1 << 20).decode("utf-8", errors="replace")
    said = {found["key"]: found["value"] for found in _SAID.finditer(text)}
    return model, said.get("seed", run), said.get("task", task)


def _curve(record: Node) -> Curve:
    xs, ys = (numbers(record.get(name), f"{record.where}: '{name}'") for name in ("xs", "ys"))
    if len(xs) != len(ys):
        raise ReadError(
            f"{record.where} has {counted(len(xs), 'step')} (xs) and {counted(len(ys), 'value')} (ys); each step "
            "needs one"
        )
    if np.isnan(xs).any():
        raise ReadError(f"{record.where}: 'xs' has a step that is null; each value needs its step")
    return Curve(record.text("method"), record.text("seed"), xs, ys, record.text("task"))
