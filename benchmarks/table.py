"""One line of the benchmark table, and how times are taken."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = "| what | scorebars | against | takes | ratio | goal | met | |\n|---|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """Seconds of ours and theirs, what was promised of their ratio, and whether it holds."""

    what: str
    ours: float
    against: str
    theirs: float
    goal: str
    met: bool
    remark: str = ""

    def __str__(self) -> str:
        slower = self.ours / self.theirs
        ratio = f"{slower:.2f} × the time" if slower > 0.5 else f"{1 / slower:,.0f} × faster"
        mark = ("yes" if self.met else "no") if self.goal else ""
        cells = (self.what, seconds(self.ours), self.against, seconds(self.theirs), ratio, self.goal, mark, self.remark)
        return "| " + " | ".join(cells) + " |"


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


def median_time(function: Callable[[], object], budget: float = 0.5) -> float:
    """Median seconds of a call: as many as fit the budget, after one that pays for imports; that one if it is long."""
    first = once(function)
    if first > 10 * budget:
        return first
    times = [once(function)]
    while sum(times) < budget and len(times) < 2001:
        times.append(once(function))
    return statistics.median(times)
