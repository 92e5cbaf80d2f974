"""Rows of whole processes: from the command to the last line that it prints."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import agreement
import big_file
import data
from environments import OWN, Environment, environment
from table import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCOREBARS = [sys.executable, "-m", "scorebars"]
WHOLE = [sys.executable, str(Path(__file__).parent / "sides" / "whole.py")]
ENGINE, ARRAYS = "import duckdb, numpy", "import numpy"
LOADED = (
    "import runpy, sys; sys.argv = sys.argv[1:]; out, sys.stdout = sys.stdout, open('/dev/null', 'w'); "
    "runpy.run_path(sys.argv[0], run_name='__main__'); "
    "print(*(name for name in sys.modules if name.partition('.')[0] in ('scorebars', 'numpy', 'duckdb')), file=out)"
)
"""Runs a script and prints which modules of ours, and of what we stand on, it has loaded."""


@dataclass
class Program:
    """A command that takes its turns."""

    label: str
    command: list[str]
    variables: dict[str, str] = field(default_factory=lambda: OWN)
    repeat: int = 11
    seconds: list[float] = field(default_factory=list)
    peak_mb: float = 0.0
    output: str = ""

    def turn(self, *, cpu: bool = False) -> None:
        """Once more, unless it has had its turns."""
        if len(self.seconds) < self.repeat:
            cost = big_file.measure(self.command, self.variables)
            self.seconds.append(cost.cpu_seconds if cpu else cost.seconds)
            self.peak_mb, self.output = max(self.peak_mb, cost.peak_mb), cost.output

    @property
    def median(self) -> float:
        """Seconds."""
        return statistics.median(self.seconds)


def in_turns(programs: list[Program], *, cpu: bool = False) -> None:
    """All of them, one after the other, until each has had its turns; seconds of the clock or of the processor."""
    for _ in range(max(program.repeat for program in programs)):
        for program in programs:
            program.turn(cpu=cpu)


def importing(label: str, code: str, variables: dict[str, str] = OWN, python: str = sys.executable) -> Program:
    return Program(label, [python, "-c", code], variables)


def startup(cache: Path, *, cpu: bool) -> Iterator[Line]:
    """Estimate on a CSV of 0/1 scores and of graded ones, and the help, against what the imports alone cost."""
    del cache
    with tempfile.TemporaryDirectory() as name:
        binary, graded = _tables(Path(name))
        cases = [
            ("`scorebars estimate`, CSV of 2,000 rows of 0/1", ["estimate", binary], ENGINE, 0.5),
            ("`scorebars estimate`, CSV of 2,000 graded rows", ["estimate", graded], ENGINE, 0.25),
            ("`scorebars --help`", ["--help"], ARRAYS, 0.67),
        ]
        for what, arguments, imports, goal in cases:
            ours, theirs = Program("", SCOREBARS + arguments), importing(f'python -c "{imports}"', imports)
            in_turns([ours, theirs], cpu=cpu)
            yield _line("startup", what, ours, theirs, goal)


def _tables(folder: Path) -> tuple[str, str]:
    """A CSV of 2,000 scores of 0 and 1, and one of 2,000 grades."""
    import numpy as np

    rng = np.random.default_rng(1)
    paths = []
    for name, scores in (("binary", rng.integers(0, 2, 2000)), ("graded", rng.random(2000).round(3))):
        path = folder / f"{name}.csv"
        data.write_csv(path, scores[None])
        paths.append(str(path))
    return paths[0], paths[1]


def small_csv(cache: Path, *, cpu: bool) -> Iterator[Line]:
    """Two models of 1,000 items, which is the least that evalstats takes."""
    what = "whole process, `estimate` on a 2,000-row 0/1 CSV"
    peer = environment("evalstats", cache)
    if peer.why_not:
        yield Line.skipped("small-csv", what, "evalstats", peer.why_not)
        return
    with tempfile.TemporaryDirectory() as name:
        table, out = Path(name) / "scores.csv", Path(name) / "out.json"
        data.write_csv(table, data.leaderboard(2, 1000)["scores"])
        command = [*SCOREBARS, "estimate", str(table), "--interval", "wilson", "--format", "json"]
        ours, theirs = Program("", command), _evalstats(peer, table, out, repeat=3)
        in_turns([ours, theirs], cpu=cpu)
        found = {row["model"]: [row["value"], row["low"], row["high"]] for row in json.loads(ours.output)["results"]}
        apart = _apart(found, _evalstats_found(out)["scores"])
    yield _line("small-csv", what, ours, theirs, 5.0, f"{apart:.1e} apart at most")


def leaderboard(cache: Path, *, cpu: bool) -> Iterator[Line]:
    """30 models, 1,000 items: every score and all 435 paired differences."""
    what = "30 models × 1,000 items: every score and all 435 paired differences, whole process"
    with tempfile.TemporaryDirectory() as name:
        table, out = Path(name) / "scores.csv", Path(name) / "out.json"
        data.write_csv(table, data.leaderboard(30, 1000)["scores"])
        ours = Program("", [*WHOLE, str(table)], repeat=5)
        own_imports = importing("", f"import {_loaded(table)}")
        programs = [ours, own_imports]
        peers = _leaderboard_peers(cache, table, out)
        programs += [program for program in peers.values() if isinstance(program, Program)]
        in_turns(programs, cpu=cpu)
        for label, program in peers.items():
            if isinstance(program, str):
                yield Line.skipped("leaderboard", what, label, program)
        yield from _against_evalstats(what, ours, peers["evalstats"], table, out)
        yield from _against_errorbars(what, ours, own_imports, peers, table)


def _loaded(table: Path) -> str:
    """The modules that a whole process has loaded at its end, to be imported by one that does nothing else."""
    command = [sys.executable, "-c", LOADED, WHOLE[-1], str(table)]
    found = subprocess.run(command, env=OWN, capture_output=True, text=True, check=True).stdout.split()
    return ", ".join(name for name in found if not any(part.startswith("_") for part in name.split(".")))


def _leaderboard_peers(cache: Path, table: Path, out: Path) -> dict[str, Program | str]:
    """The programs by name, or why there is none."""
    made: dict[str, Program | str] = {}
    peer = environment("evalstats", cache)
    made["evalstats"] = peer.why_not or _evalstats(peer, table, out, repeat=1)
    peer = environment("errorbars", cache)
    command = [str(Path(peer.python).parent / "errorbars"), "leaderboard", str(table), "--json"]
    command += ["--question-col", "item"]
    made["errorbars"] = peer.why_not or Program("errorbars leaderboard", command, peer.variables, 5)
    if not peer.why_not:
        made["imports"] = importing("", "import errorbars, errorbars.cli", peer.variables, peer.python)
    return made


def _against_evalstats(
    what: str, ours: Program, theirs: Program | str | None, table: Path, out: Path
) -> Iterator[Line]:
    if isinstance(theirs, Program):
        same, found = _same_methods(table, "Wilson", "BonettPrice"), _evalstats_found(out)
        apart = max(_apart(same[part], found[part]) for part in ("scores", "differences"))
        yield _line("leaderboard", what, ours, theirs, 150.0, f"{apart:.1e} apart at most, by the same methods")


def _against_errorbars(
    what: str, ours: Program, own_imports: Program, peers: dict[str, Program | str], table: Path
) -> Iterator[Line]:
    theirs, imports = peers["errorbars"], peers.get("imports")
    if not isinstance(theirs, Program) or not isinstance(imports, Program):
        return
    same, found = _same_methods(table, "Normal", "StudentT"), json.loads(theirs.output)
    scores = {row["model"]: [row["mean"], row["ci_low"], row["ci_high"]] for row in found["entries"]}
    pairs = {f"{row['model_a']} - {row['model_b']}": [row["mean_diff"]] for row in found["pairwise"]}
    apart = max(_apart(same["scores"], scores), _apart(same["differences"], pairs))
    remark = f"{apart:.1e} apart at most, by the same methods"
    yield _line("leaderboard", what, ours, theirs, 3.0, remark)
    beyond = [max(whole.median - part.median, 1e-4) for whole, part in ((ours, own_imports), (theirs, imports))]
    yield Line("leaderboard", "the same, beyond the imports", beyond[0], theirs.label, beyond[1], 20.0, remark=remark)


def _same_methods(table: Path, of_scores: str, of_differences: str) -> dict[str, dict[str, list[float]]]:
    """What scorebars answers by the methods that the peer uses."""
    cost = big_file.measure([*WHOLE, str(table), of_scores, of_differences], OWN)
    found: dict[str, dict[str, list[float]]] = json.loads(cost.output)
    return found


def _evalstats(peer: Environment, table: Path, out: Path, repeat: int) -> Program:
    command = [str(Path(peer.python).parent / "evalstats"), "analyze", str(table), "--factor", "model"]
    command += ["--seed", "1", "--no-simultaneous-ci", "--out", str(out)]
    return Program("evalstats analyze", command, peer.variables, repeat)


def _evalstats_found(out: Path) -> dict[str, dict[str, list[float]]]:
    """Scores and differences by name, from the file that it wrote."""
    level: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))["analysis"]["model_level"]
    of = level["robustness"]
    rows = zip(of["labels"], of["mean"], of["ci_low"], of["ci_high"], strict=True)
    pairs = level["pairwise"]["results"].values()
    return {
        "scores": {name: list(row) for name, *row in rows},
        "differences": {
            f"{pair['template_a']} - {pair['template_b']}": [pair["point_diff"], pair["ci_low"], pair["ci_high"]]
            for pair in pairs
        },
    }


def _apart(ours: dict[str, list[float]], theirs: dict[str, list[float]]) -> float:
    """The largest distance of two numbers of the same name; 'A - B' is minus 'B - A'.

    Raises:
        Disagreement: a name that ours does not have; numbers that differ in the sixth digit.
    """
    largest = 0.0
    for name, row in theirs.items():
        mine = ours.get(name)
        if mine is None:
            a, _, b = name.partition(" - ")
            turned = ours.get(f"{b} - {a}")
            if turned is None:
                raise agreement.Disagreement(f"scorebars has no '{name}'")
            value, low, high = turned
            mine = [-value, -high, -low]
        largest = max(largest, *(abs(x - y) for x, y in zip(mine[: len(row)], row, strict=True)))
    if largest > 1e-6:
        raise agreement.Disagreement(f"by the same methods the numbers differ by up to {largest:g}")
    return largest


def large_file(gigabytes: float, *, cpu: bool) -> Line:
    """The whole command on a file that is larger than it may hold, next to DuckDB reading the same columns."""
    with tempfile.TemporaryDirectory() as name:
        path = big_file.write(Path(name), int(gigabytes * 1e9))
        ours = Program("", [*SCOREBARS, "estimate", str(path)], repeat=1)
        theirs = Program("DuckDB's own scan of the same columns", [sys.executable, "-c", big_file.SCAN, str(path)])
        theirs.repeat = 1
        in_turns([ours, theirs], cpu=cpu)
    if ours.peak_mb > 1500:
        raise agreement.Disagreement(f"{ours.peak_mb:,.0f} MB at peak; 1,500 were promised")
    rates = [gigabytes * 1000 / program.median for program in (ours, theirs)]
    remark = f"{rates[0]:,.0f} MB/s against {rates[1]:,.0f} MB/s"
    return _line("big-file", f"`estimate`, lm-eval samples of {gigabytes:g} GB", ours, theirs, 0.0, remark)


def _line(name: str, what: str, ours: Program, theirs: Program, goal: float, remark: str = "") -> Line:
    peaks = (ours.peak_mb, theirs.peak_mb)
    return Line(name, what, ours.median, theirs.label, theirs.median, goal, peak_mb=peaks, remark=remark)


ROWS: dict[str, Callable[..., Iterator[Line]]] = {
    "startup": startup,
    "small-csv": small_csv,
    "leaderboard": leaderboard,
}
