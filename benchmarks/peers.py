"""One row against peers: each side in its own process, all taking turns, the answers held against each other."""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable  # noqa: TC003 - dataclasses name it
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import agreement
import numpy as np
from environments import Environment, environment
from table import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKER = str(Path(__file__).parent / "worker.py")
BUDGET = 0.3
"""Seconds in which a side repeats quick work each time that it is its turn."""


@dataclass(frozen=True)
class Side:
    """What one side does."""

    label: str
    work: str
    """module:function in ``sides``."""
    resamples: int | None = None
    """None: nothing is drawn."""
    environment: str = ""
    repeat: int = 5
    """Turns at most; slow peers get one."""
    goal: float = 0.0
    """How many times longer it takes at least; 0: nothing was promised."""
    times: int = 1
    """How often it would have to be done: one time is measured and multiplied, and held against the first answers."""


@dataclass(frozen=True)
class Comparison:
    """A row of the table for each peer."""

    name: str
    what: str
    data: Callable[[], dict[str, Any]]
    ours: Side
    built: Side
    """The same from a Scores that is there already."""
    peers: tuple[Side, ...]
    step: float = 0.0
    """Distance of the points on which a resampled statistic lies, where that is seen."""


@dataclass
class Taken:
    """What a side's turns gave."""

    seconds: list[float] = field(default_factory=list)
    answer: list[list[float]] = field(default_factory=list)
    peak_mb: float = 0.0

    @property
    def median(self) -> float:
        """Seconds."""
        return statistics.median(self.seconds)


class Worker:
    """A process that does a side's work whenever it is told to."""

    def __init__(self, side: Side, data: Path, where: Environment, *, cpu: bool = False) -> None:
        self.side, self.taken = side, Taken()
        command = [where.python, WORKER, side.work, str(data), *(["cpu"] if cpu else [])]
        self.process = subprocess.Popen(
            command, env=where.variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def turn(self) -> None:
        """Once more, unless it has had its turns."""
        if len(self.taken.seconds) >= self.side.repeat:
            return
        report = self._asked()
        if not self.taken.seconds and report["seconds"] < 5.0 and self.side.repeat > 1:
            report = self._asked()  # the first paid for imports
        self.taken.seconds.append(report["seconds"])
        self.taken.answer, self.taken.peak_mb = report["answer"], report["peak_mb"]

    def _asked(self) -> dict[str, Any]:
        assert self.process.stdin  # noqa: S101 - pipes were asked for
        assert self.process.stdout  # noqa: S101
        self.process.stdin.write(f"{BUDGET}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.side.label} ({self.side.work}) broke; what it said stands above")
        report: dict[str, Any] = json.loads(answer)
        return report

    def close(self) -> None:
        """No more turns."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self.process.wait()


def lines(row: Comparison, cache: Path, turns: int | None = None, *, cpu: bool = False) -> Iterator[Line]:
    """A line for each peer; one that cannot be installed is a line that says why."""
    sides: list[Side] = []
    for side in (row.ours, row.built, *row.peers):
        where = environment(side.environment, cache)
        if where.why_not:
            yield Line.skipped(row.name, row.what, side.label, where.why_not)
        else:
            sides.append(side)
    taken = measured(row, sides, cache, turns, cpu=cpu)
    ours, built = taken[row.ours.work], taken[row.built.work]
    agreement.apart(ours.answer, built.answer, (row.ours.resamples, row.built.resamples), row.step)
    for side in sides[2:]:
        theirs = taken[side.work]
        answers = ours.answer if side.times == 1 else ours.answer[: len(theirs.answer)]
        distance = agreement.apart(answers, theirs.answer, (row.ours.resamples, side.resamples), row.step)
        yield Line(
            name=row.name,
            what=row.what,
            ours=ours.median,
            built=built.median,
            against=side.label,
            theirs=theirs.median * side.times,
            goal=side.goal,
            peak_mb=(max(ours.peak_mb, built.peak_mb), theirs.peak_mb),
            remark=f"{distance:.1f} MC errors apart",
        )


def measured(
    row: Comparison, sides: list[Side], cache: Path, turns: int | None = None, *, cpu: bool = False
) -> dict[str, Taken]:
    """What the sides take in turns, by their work."""
    most = max(side.repeat for side in sides) if turns is None else turns
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        path = Path(folder) / "data.npz"
        np.savez(path, **row.data())
        workers = [Worker(side, path, environment(side.environment, cache), cpu=cpu) for side in sides]
        for worker in workers:
            stack.callback(worker.close)
        for _ in range(most):
            for worker in workers:
                worker.turn()
                sys.stdout.flush()
        return {worker.side.work: worker.taken for worker in workers}
