"""One line of the benchmark table, and how times are taken."""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = (
    "| row | work | scorebars | from a built `Scores` | against | takes | ratio | at least | met "
    "| peak MB | answers |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)
NEAR_ARRAYS = 0.010
"""Seconds by which a built Scores may be slower than arrays."""


@dataclass(frozen=True)
class Line:
    """Seconds of ours and theirs, what was promised of their ratio, and whether it holds."""

    name: str
    what: str
    ours: float
    against: str
    theirs: float
    goal: float = 0.0
    """The least theirs / ours; 0: nothing was promised."""
    built: float = math.nan
    """Seconds of ours from a Scores that is there already; NaN where there is none."""
    peak_mb: tuple[float, float] = (math.nan, math.nan)
    remark: str = ""
    why_not: str = ""

    @classmethod
    def skipped(cls, name: str, what: str, against: str, why_not: str) -> Line:
        """A line that says why nothing was measured."""
        return cls(name, what, math.nan, against, math.nan, why_not=why_not)

    @property
    def met(self) -> bool:
        """Whether theirs takes at least ``goal`` times ours, and a built Scores no more than 10 ms beyond that."""
        near = math.isnan(self.built) or self.built <= self.ours + NEAR_ARRAYS
        return near and self.theirs >= self.goal * self.ours

    def __str__(self) -> str:
        if self.why_not:
            cells: tuple[str, ...] = (self.name, self.what, "", "", self.against, "", "", "", "", "", self.why_not)
        else:
            promised = (f"{self.goal:g} ×", "yes" if self.met else "**no**") if self.goal else ("", "")
            built = "" if math.isnan(self.built) else seconds(self.built)
            times = (seconds(self.ours), built, self.against, seconds(self.theirs), ratio(self.theirs / self.ours))
            cells = (self.name, self.what, *times, *promised, megabytes(self.peak_mb), self.remark)
        return "| " + " | ".join(cells) + " |"


def ratio(x: float) -> str:
    """Three digits: 0.71 ×, 3.2 ×, 1,240 ×."""
    return f"{float(f'{x:.3g}'):,.{0 if x >= 100 else 1 if x >= 10 else 2}f} ×"


def megabytes(both: tuple[float, float]) -> str:
    """Ours and theirs, without a fraction."""
    return "" if math.isnan(both[0]) else f"{both[0]:,.0f} / {both[1]:,.0f}"


def seconds(x: float) -> str:
    """Three digits in s, ms or µs."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if x >= size:
            return f"{x / size:.3g} {unit}"
    return f"{x / 1e-6:.3g} µs"


def interleaved(ours: Callable[[], object], theirs: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Median seconds of each, taken in turns after one warm-up of each."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(repeat + 1):
        for function, kept in zip((ours, theirs), times, strict=True):
            taken = once(function)
            if turn:
                kept.append(taken)
    return statistics.median(times[0]), statistics.median(times[1])


def once(function: Callable[[], object]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
