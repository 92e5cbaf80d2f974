"""How the cost grows over three decades of items, resamples, models and pairs: ``python benchmarks/growth.py``.

Each point is the median of a few calls, in seconds of the processor, on a Scores that nobody has asked anything. Writes
docs/benchmarks.svg, and prints the slope of each line between its last two points: 1 is a cost in proportion.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import data
import svg

import scorebars as sb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TARGET = Path(__file__).parents[1] / "docs" / "benchmarks.svg"
Line = list[tuple[float, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decades", type=int, default=3, help="decades to measure (3)")
    parser.add_argument("-o", "--output", type=Path, default=TARGET, help="where the chart goes")
    options = parser.parse_args()
    panels = [of_items(options.decades), of_resamples(options.decades), of_models(options.decades)]
    panels.append(of_pairs(options.decades))
    options.output.write_text(svg.page(panels), encoding="utf-8")
    for panel in panels:
        for name, line in panel.series.items():
            print(f"{panel.title}: {name}: slope {slope(line):.2f}; " + ", ".join(f"{x:g}: {y:.2e} s" for x, y in line))


def of_items(decades: int) -> svg.Panel:
    """Computed intervals, and a drawn one of few resamples."""
    sizes = [10 ** (3 + step) for step in range(decades + 1)]
    one = {"axes": ("item",)}
    return svg.Panel(
        "items (computed unless drawn)",
        "items n",
        {
            "accuracy, estimate": curve(
                sizes,
                lambda n: sb.Scores.from_arrays({"A": data.binary(n)["x"]}, **one),
                lambda scores, _: sb.estimate(scores),
            ),
            "graded mean, percentile": curve(
                sizes,
                lambda n: sb.Scores.from_arrays({"A": data.graded(n)["x"]}, **one),
                lambda scores, _: sb.estimate(scores, interval=sb.Percentile()),
            ),
            "0/1 difference, compare": curve(sizes, _binary_pair, lambda scores, _: sb.compare(scores, "A", "B")),
            "mean, 200 drawn": curve(
                sizes,
                lambda n: data.graded(n)["x"],
                lambda x, _: sb.bootstrap_ci(x, np.random.default_rng(1), n_boot=200),
            ),
        },
    )


def of_resamples(decades: int) -> svg.Panel:
    """Drawn intervals."""
    sizes = [10 ** (2 + step) for step in range(decades + 1)]
    runs = {"axes": ("run", "task")}

    def drawn(estimator: Any) -> Callable[[Any, int], object]:
        return lambda scores, n: sb.estimate(scores, estimator=estimator, interval=sb.Percentile(n_boot=n), rng=1)

    return svg.Panel(
        "resamples",
        "n_boot",
        {
            "IQM, 10 × 26": curve(
                sizes, lambda _: sb.Scores.from_arrays(data.algorithms(1, 10), **runs), drawn(sb.IQM())
            ),
            "P(improvement), 10 × 26": curve(
                sizes,
                lambda _: sb.Scores.from_arrays(data.algorithms(2, 10), **runs),
                lambda scores, n: sb.compare(
                    scores, effect=sb.ProbabilityOfImprovement(), interval=sb.Percentile(n_boot=n), rng=1
                ),
            ),
            "F1, n = 1,000": curve(sizes, lambda _: _classified(1000), drawn(sb.F1())),
        },
    )


def of_models(decades: int) -> svg.Panel:
    """Many models in one table."""
    sizes = [10**step for step in range(decades + 1)]
    percentile = sb.Percentile()

    def graded(models: int) -> Any:
        return sb.Scores.from_arrays(data.graded_board(models, 200), axes=("item",))

    def scores(models: int) -> Any:
        table = data.leaderboard(max(models, 2), 200)["scores"][:models]
        return sb.Scores.from_arrays({f"m{i:04d}": row for i, row in enumerate(table)}, axes=("item",))

    return svg.Panel(
        "models of 200 items",
        "models",
        {
            "estimate, 0/1": curve(sizes, scores, lambda table, _: sb.estimate(table)),
            "estimate, graded, percentile": curve(
                sizes, graded, lambda table, _: sb.estimate(table, interval=percentile)
            ),
        },
    )


def of_pairs(decades: int) -> svg.Panel:
    """All pairs of few to many models."""
    models = [2, 5, 15, 45, 142][: decades + 1]
    percentile = sb.Percentile()

    def graded(pairs: int) -> Any:
        count = next(n for n in models if n * (n - 1) // 2 == pairs)
        return sb.Scores.from_arrays(data.graded_board(count, 200), axes=("item",))

    def scores(pairs: int) -> Any:
        count = next(n for n in models if n * (n - 1) // 2 == pairs)
        table = data.leaderboard(count, 200)["scores"]
        return sb.Scores.from_arrays({f"m{i:04d}": row for i, row in enumerate(table)}, axes=("item",))

    sizes = [n * (n - 1) // 2 for n in models]
    return svg.Panel(
        "pairs of 200 items",
        "pairs",
        {
            "compare_all, 0/1": curve(sizes, scores, lambda table, _: sb.compare_all(table)),
            "compare_all, graded, percentile": curve(
                sizes, graded, lambda table, _: sb.compare_all(table, interval=percentile)
            ),
        },
    )


def _binary_pair(n: int) -> Any:
    rng = np.random.default_rng(n)
    pair = {name: (rng.random(n) < rate).astype(np.float64) for name, rate in (("A", 0.62), ("B", 0.6))}
    return sb.Scores.from_arrays(pair, axes=("item",))


def _classified(n: int) -> Any:
    columns = data.classified(n)
    names = ("label", "prediction")
    frame = {"item": range(n), **{name: columns[name] for name in names}}
    return sb.Scores(frame, values={name: name for name in names}, constants={"model": "A"})


def curve(sizes: Sequence[int], fresh: Callable[[int], Any], run: Callable[[Any, int], object]) -> Line:
    """(size, median seconds) of ``run`` on what ``fresh`` makes, which is not timed."""
    run(fresh(sizes[0]), sizes[0])  # imports
    return [(float(size), _median(size, fresh, run)) for size in sizes]


def _median(size: int, fresh: Callable[[int], Any], run: Callable[[Any, int], object]) -> float:
    taken: list[float] = []
    while len(taken) < 3 or (sum(taken) < 0.3 and len(taken) < 50):
        start = fresh(size)
        clock = time.process_time()
        run(start, size)
        taken.append(time.process_time() - clock)
        if taken[-1] > 5.0:
            break
    return statistics.median(taken)


def slope(line: Line) -> float:
    """By which power the cost grows between the last two points."""
    (x1, y1), (x2, y2) = line[-2:]
    return math.log(y2 / y1) / math.log(x2 / x1)


if __name__ == "__main__":
    main()
