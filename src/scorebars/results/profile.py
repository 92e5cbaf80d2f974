"""Performance profiles: what share of runs, or of tasks, scores above each threshold, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.notes import Note


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """The profile at one threshold."""

    threshold: float
    value: float
    """Share of runs (or of tasks) that score above the threshold."""
    low: float
    """Pointwise bounds: right for this threshold alone. NaN where nothing is redrawn."""
    high: float
    simultaneous_low: float
    """Bounds that hold for all thresholds of the profile at once; NaN where they were not asked for."""
    simultaneous_high: float


@dataclass(frozen=True, slots=True)
class Profile:
    """One model's profile."""

    model: str
    kind: str
    """'run-score' or 'average-score'."""
    points: tuple[ProfilePoint, ...]
    level: float
    question: str
    """What the bands answer."""
    resample: tuple[str, ...]
    n_boot: int | None
    """Joint resamples behind the simultaneous band; None without one. The pointwise band is computed."""
    seed: str | None
    """Where those came from."""
    notes: tuple[Note, ...] = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary a threshold, full precision."""
        return [
            {
                "model": self.model,
                "kind": self.kind,
                "threshold": point.threshold,
                "value": point.value,
                "low": point.low,
                "high": point.high,
                "simultaneous_low": point.simultaneous_low,
                "simultaneous_high": point.simultaneous_high,
                "level": self.level,
                "question": self.question,
                "resample": list(self.resample),
                "n_boot": self.n_boot,
                "seed": self.seed,
            }
            for point in self.points
        ]


@dataclass(frozen=True, slots=True)
class Profiles(Sequence[Profile]):
    """The profiles of all models of a table, sorted by model."""

    rows: tuple[Profile, ...]
    notes: tuple[Note, ...] = ()
    """Notes on the whole table."""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> Profile: ...
    @overload
    def __getitem__(self, index: slice) -> Profiles: ...
    def __getitem__(self, index: int | slice) -> Profile | Profiles:
        if isinstance(index, slice):
            return Profiles(self.rows[index], self.notes)
        return self.rows[index]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary a model and threshold, full precision."""
        return [row for profile in self.rows for row in profile.to_dicts()]
