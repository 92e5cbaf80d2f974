"""Against the limit: nanoseconds of the processor a draw beside what the generator alone takes, and memory.

python benchmarks/limits.py
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import data
from environments import OWN

import scorebars as sb
from scorebars.kernels import prepare as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1 << 18
"""Draws that the generator is asked for at a time, so that they stay in the cache."""
MOST_MB = 1500.0
MORE = 1.15
"""What 100,000 resamples may hold over 1,000."""


def main() -> None:
    prepare()
    print("| draws | n | n_boot | ns a draw | generator alone | times |\n|---|---|---|---|---|---|")
    for name, n, n_boot, work in works():
        taken, alone = best(work), best(lambda n=n, n_boot=n_boot: integers(n, n * n_boot))
        each, own = (1e9 * seconds / (n * n_boot) for seconds in (taken, alone))
        print(f"| {name} | {n:,} | {n_boot:,} | {each:.2f} | {own:.2f} | {each / own:.1f} × |", flush=True)
    print("\n| held in memory | peak MB | may be |\n|---|---|---|")
    for line in memory():
        print(line, flush=True)


def prepare() -> None:
    """Compile the kernels, where numba is there, so that what is measured is what a second run of a user takes."""
    if importlib.util.find_spec("numba"):
        kernels.compile_all()


def works() -> list[tuple[str, int, int, Callable[[], object]]]:
    """(what, draws a resample, resamples, the work)."""
    x, pair, table = data.graded(1000)["x"], data.graded_pair(1000), data.algorithms(1, 100)["algorithm 0"]
    drawn, scores = sb.Percentile(n_boot=5_000), classified(2000)
    two = sb.Scores.from_arrays(data.algorithms(2, 10), axes=("run", "task"))
    improvement = sb.ProbabilityOfImprovement()
    return [
        ("mean (`bootstrap_ci`)", 1000, 10_000, lambda: sb.bootstrap_ci(x, np.random.default_rng(1), 10_000)),
        (
            "paired difference (`paired_bootstrap`)",
            1000,
            10_000,
            lambda: sb.paired_bootstrap(pair["a"], pair["b"], np.random.default_rng(1), 10_000),
        ),
        (
            "IQM, 100 × 26 (`stratified_bootstrap_ci`)",
            2600,
            20_000,
            lambda: sb.stratified_bootstrap_ci(table, sb.IQM(), 20_000, rng=1),
        ),
        ("F1 (`estimate`)", 2000, 5_000, lambda: sb.estimate(scores, estimator=sb.F1(), interval=drawn, rng=1)),
        (
            "AUROC (`estimate`)",
            2000,
            5_000,
            lambda: sb.estimate(scores, estimator=sb.AUROC(score="decision"), interval=drawn, rng=1),
        ),
        (
            "probability of improvement, 10 × 26 (`compare`)",
            520,
            5_000,
            lambda: sb.compare(two, effect=improvement, interval=drawn, rng=1),
        ),
    ]


def classified(n: int) -> sb.Scores:
    names = ("label", "prediction", "decision")
    frame = {"item": range(n), **data.classified(n)}
    return sb.Scores(frame, values={name: name for name in names}, constants={"model": "A"})


def integers(n: int, draws: int) -> None:
    """As many indices as the work draws, and nothing done with them."""
    rng = np.random.default_rng(1)
    for _ in range(0, draws, BLOCK):
        rng.integers(0, n, size=min(BLOCK, draws))


def best(work: Callable[[], object], times: int = 3) -> float:
    """The quickest of a few calls after one that pays for imports."""
    work()
    taken = []
    for _ in range(times):
        clock = time.process_time()
        work()
        taken.append(time.process_time() - clock)
    return min(taken)


WIDE = """
import numpy as np, scorebars as sb
rng = np.random.default_rng(1)
arrays = {name: (rng.random(10_000_000) < rate) * 1.0 for name, rate in (("A", .62), ("B", .6))}
scores = sb.Scores.from_arrays(arrays, axes=("item",))
del arrays
found = sb.compare(scores, "A", "B")
sb.estimate(scores)
print(len(found.disagreements))
"""
DEEP = """
import importlib.util
import sys
if importlib.util.find_spec("numba"):  # it takes 100 MB, whatever is drawn
    from scorebars.kernels import prepare
    prepare.compile_all()
import data, limits
import scorebars as sb
interval = sb.Percentile(n_boot=int(sys.argv[1]))
sb.estimate(limits.classified(2000), estimator=sb.F1(), interval=interval, rng=1)
sb.estimate(limits.classified(2000), estimator=sb.AUROC(score="decision"), interval=interval, rng=1)
runs = sb.Scores.from_arrays(data.algorithms(2, 10), axes=("run", "task"))
sb.estimate(runs, estimator=sb.IQM(), interval=interval, rng=1)
sb.compare(runs, effect=sb.ProbabilityOfImprovement(), interval=interval, rng=1)
"""


def memory() -> list[str]:
    """10,000,000 rows × 2 models, and resamples by the thousand."""
    few, many = peak_mb(DEEP, "1000"), peak_mb(DEEP, "100000")
    wide = peak_mb(WIDE)
    if wide > MOST_MB or many > MORE * few:
        raise SystemExit(f"too much is held: {wide:,.0f} MB; {many:,.0f} MB against {few:,.0f} MB")
    return [
        f"| 10,000,000 rows × 2 models, `compare` and `estimate` | {wide:,.0f} | {MOST_MB:,.0f} |",
        f"| F1, AUROC, IQM, P(improvement) with 1,000 resamples | {few:,.0f} | |",
        f"| the same with 100,000 | {many:,.0f} | {MORE * few:,.0f} |",
    ]


def peak_mb(code: str, *arguments: str) -> float:
    """The largest resident set of a process that runs the code."""
    whole = f"{code}\nimport json, worker\nprint(json.dumps(worker.peak_mb()))"
    environment = OWN | {"PYTHONPATH": f"{OWN['PYTHONPATH']}:{Path(__file__).parent}"}
    done = subprocess.run(
        [sys.executable, "-c", whole, *arguments], env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    found: float = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
