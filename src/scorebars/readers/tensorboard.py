"""TensorBoard's downloads of one scalar of one run: CSV (Wall time,Step,Value) and JSON ([[time, step, value], …]).

Run and tag are in the file's name only, ``run-NAME-tag-TAG.csv`` as TensorBoard gives it. It keeps about a thousand
points of a longer curve, chosen at random, and always the last.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.readers.csv_rows import csv_rows, header_of, number_of
from scorebars.readers.curves import Curve, curve_part, numbers
from scorebars.readers.document import load
from scorebars.readers.files import shown
from scorebars.readers.last_line import unended_note
from scorebars.readers.records import each
from scorebars.readers.run_files import RunNames, run_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Part, Request

HEADER: Final = ["Wall time", "Step", "Value"]
_JSON: Final = re.compile(rb"\s*\[\s*\[\s*1\d{9}(\.\d*)?\s*,\s*-?\d+\s*,\s*(-?\d|\"?NaN)")
"""A triple whose first number is a time in seconds since 1970, of this century."""
_NAME: Final = re.compile(r"run-(?P<run>.*)-tag-(?P<tag>.+)")


class TensorBoardReader:
    """Reads scalars that were downloaded from TensorBoard."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "tensorboard"

    def claims(self, head: FileHead) -> bool:
        """The header of the CSV, or a JSON list of triples that begin with a time."""
        return header_of(head) == HEADER or _JSON.match(head.head) is not None

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file, one score a run."""
        names = run_names(heads, request, "a download of TensorBoard")
        return each(heads, lambda head: self._part(head, request, names))

    def _part(self, head: FileHead, request: Request, names: RunNames) -> Part:
        is_json = head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        cut: list[str] = []
        points = _from_json(load(head), shown(head.path)) if is_json else _from_csv(head, cut)
        found = _NAME.fullmatch(names.stems[head.path].rpartition("/")[2])
        named = found["run"] if found and found["run"] not in ("", ".") else None
        tag = found["tag"] if found else None
        model, run = names.of(head.path, named)
        said = names.told(head.path, named) | {"score": "'Value' over 'Step'"}
        said |= {"metric": "the tag in the file's name"} if tag else {}
        curve = Curve(model, run, points[:, 0], points[:, 1], metric=tag)
        part = curve_part(head, self.name, [curve], request.options, said)
        return replace(part, notes=(*part.notes, *(unended_note(head, line) for line in cut)))


def _from_csv(head: FileHead, cut: list[str]) -> NDArray[np.float64]:
    """Step and value of each point; a last line without a line break goes into ``cut``."""
    rows = csv_rows(head, cut)
    next(rows, None)
    path = shown(head.path)
    found = [[number_of(cell, f"{path}: line {line}") for cell in row[1:]] for line, row in _with_steps(rows, path)]
    return np.array(found, dtype=np.float64).reshape(len(found), 2)


def _with_steps(rows: Iterator[tuple[int, list[str]]], path: str) -> Iterator[tuple[int, list[str]]]:
    """The rows, each of which has a step."""
    for line, row in rows:
        if math.isnan(number_of(row[1], f"{path}: line {line}")):
            raise ReadError(f"{path}: line {line} has no step")
        yield line, row


def _from_json(value: Any, path: str) -> NDArray[np.float64]:
    if not isinstance(value, list):
        raise ReadError(f"{path} is no list of points")
    points = [numbers(_plain(point), f"{path}: point {number}") for number, point in enumerate(value, start=1)]
    for number, point in enumerate(points, start=1):
        if len(point) != len(HEADER):
            raise ReadError(f"{path}: point {number} has {len(point)} numbers; time, step and value are needed")
        if math.isnan(point[1]):
            raise ReadError(f"{path}: point {number} has no step")
    return np.array(points, dtype=np.float64).reshape(len(points), len(HEADER))[:, 1:]


def _plain(point: Any) -> Any:
    """TensorBoard writes NaN as text."""
    return [None if cell == "NaN" else cell for cell in point] if isinstance(point, list) else point
