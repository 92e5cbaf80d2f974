"""Learning curves as DreamerV3 keeps its scores: a JSON list of {task, method, seed, xs, ys}, mostly gzipped.

Runs stop where their last episode ends, and some much earlier; the first values may be null. What the score of a curve
is, ``--at`` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.readers.curves import Curve, curve_part, numbers
from scorebars.readers.document import Node, load, records
from scorebars.readers.files import shown
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sniff import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Part, Request

MAPPING: Final = {"model": "'method'", "task": "'task'", "run": "'seed'", "score": "'ys' over 'xs'"}


class DreamerReader:
    """Reads lists of learning curves."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "dreamer"

    def claims(self, head: FileHead) -> bool:
        """A list of records with xs and one of task, method and seed; ys may lie beyond the head."""
        keys = outline(head)
        return keys.is_list and "xs" in keys.top and bool(keys.top & {"task", "method", "seed"})

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a curve."""
        refuse_mapping(request, "a list of learning curves")
        return each(heads, lambda head: self._part(head, request))

    def _part(self, head: FileHead, request: Request) -> Part:
        curves = [_curve(record) for record in records(load(head), shown(head.path))]
        return curve_part(head, self.name, curves, request.options, MAPPING)


def _curve(record: Node) -> Curve:
    xs, ys = (numbers(record.get(name), f"{record.where}: '{name}'") for name in ("xs", "ys"))
    if len(xs) != len(ys):
        raise ReadError(f"{record.where} has {len(xs):,} steps (xs) and {len(ys):,} values (ys); each step needs one")
    if np.isnan(xs).any():
        raise ReadError(f"{record.where}: 'xs' has a step that is null; each value needs its step")
    return Curve(record.text("method"), record.text("seed"), xs, ys, record.text("task"))
