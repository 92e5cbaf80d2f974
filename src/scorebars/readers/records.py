"""Rows of a file, collected one attempt at a time, as the part that a reader hands back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.contracts import Part
from scorebars.notes import note
from scorebars.readers.columns import NoColumnError
from scorebars.readers.files import shown
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Request
    from scorebars.notes import Note

TEXTS = ("model", "task", "item", "run", "metric", "variant", "cluster", "status")


@dataclass(slots=True)
class Rows:
    """Attempts of one file. A role that is left out of every row is left out of the part."""

    cells: dict[str, list[Any]] = field(default_factory=lambda: {role: [] for role in (*TEXTS, "score", "weight")})

    def add(
        self,
        *,
        model: str,
        item: str,
        score: float,
        task: str | None = None,
        run: str | None = None,
        metric: str | None = None,
        variant: str | None = None,
        cluster: str | None = None,
        status: str | None = None,
        weight: float | None = None,
    ) -> None:
        """One attempt. ``status`` None: 'ok' where there is a score, 'missing' where it is NaN."""
        if status is None:
            status = "missing" if math.isnan(score) else "ok"
        values = (model, task, item, run, metric, variant, cluster, status, score, weight)
        for column, value in zip(self.cells.values(), values, strict=True):
            column.append(value)

    def __len__(self) -> int:
        return len(self.cells["score"])

    def columns(self) -> dict[str, NDArray[Any]]:
        """The roles that any row has, as equally long arrays."""
        found: dict[str, NDArray[Any]] = {}
        for role, cells in self.cells.items():
            if role in TEXTS and any(cell is not None for cell in cells):
                found[role] = np.empty(len(cells), dtype=object)
                found[role][:] = cells
            elif role == "score" or (role == "weight" and any(cell is not None for cell in cells)):
                found[role] = np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64)
        return found

    def part(
        self,
        path: Path,
        reader: str,
        mapping: Mapping[str, str],
        *,
        on_error: str = "drop",
        score_range: tuple[float, float] | None = None,
        dropped: Mapping[str, int] | None = None,
        notes: Sequence[Note] = (),
        unusable: Mapping[str, str] | None = None,
    ) -> Part:
        """The part; a file without a single row is a NoScores error."""
        if not len(self):
            raise NoScores(f"{shown(path)} holds no attempt; no scores are in it")
        left_out = tuple((why, n) for why, n in (dropped or {}).items() if n)
        return Part(
            path, reader, self.columns(), tuple(mapping.items()), left_out, tuple(notes), on_error, score_range,
            tuple((unusable or {}).items()),
        )  # fmt: skip


def empty_part(path: Path, reader: str, reason: str, unusable: Mapping[str, str] | None = None) -> Part:
    """A part without rows, for a file that the reader knows and that holds no score: the reason becomes a note."""
    nothing = np.array([], dtype=object)
    rows = {**dict.fromkeys(("model", "item", "status"), nothing), "score": np.array([])}
    remark = note("skipped-file", path=shown(path), reason=reason)
    return Part(path, reader, rows, notes=(remark,), unusable=tuple((unusable or {}).items()))


def each(heads: Sequence[FileHead], read: Callable[[FileHead], Part | Iterator[Part] | None]) -> Iterator[Part]:
    """The parts of each file; one that holds no scores is an error if it was named, else skipped with the reason.

    A file that gives None only lent something to the others.
    """
    for head in heads:
        try:
            found = read(head)
            if isinstance(found, Part):
                yield found
            elif found is not None:
                yield from found
        except NoScores as error:
            if head.explicit:
                raise
            yield Part(head.path, "", {}, unusable=(("", str(error)),))


def refuse_mapping(request: Request, what: str, *, cluster: str | None = None) -> None:
    """Formats fix their roles: ``--map`` of one is an error, and so is ``--cluster`` where the format has no field.

    Args:
        request: What was asked.
        what: The format with its article, 'a tau-bench file'.
        cluster: How a cluster is chosen ('--cluster metadata.FIELD'); None: the format's cluster is fixed too.
    """
    others = sorted(set(request.columns) - ({"cluster"} if cluster else set()))
    if request.cluster is not None and cluster is None:
        others.append("cluster")
    if others:
        rest = f"; only the cluster is open ({cluster})" if cluster else ""
        sentence = f"'{others[0]}' cannot be mapped in {what}: its roles are fixed by the format{rest}"
        raise NoColumnError(sentence, others[0])


def in_unit(part: Part) -> Part:
    """The part with the range [0, 1] if all its scores are in it, for formats whose scores are shares or 0/1."""
    scores = np.asarray(part.rows["score"]) if not isinstance(part.rows, str) else np.array([np.nan])
    known = scores[~np.isnan(scores)]
    inside = len(known) > 0 and bool((known >= 0).all() and (known <= 1).all())
    return replace(part, score_range=(0.0, 1.0)) if inside else part
