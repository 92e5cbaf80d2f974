"""How long scorebars takes, as ratios to something known, measured in one run on one machine.

    python benchmarks/run.py                     # start-up and the 0/1 interval, a few minutes
    python benchmarks/run.py --lm-eval-gb 2      # and an lm-eval samples file of that size

Each figure is the median of interleaved repetitions: ours, theirs, ours, theirs, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import sys
import tempfile
from pathlib import Path

import big_file
import startup
from table import HEAD, Row

import intervals

SOURCE = str(Path(__file__).parents[1] / "src")
ENVIRONMENT = os.environ | {"PYTHONPATH": SOURCE}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled, and so are SciPy and DuckDB here


def main() -> None:
    sys.path.insert(0, SOURCE)  # what is measured is this checkout, whatever is installed
    options = parse()
    print(versions(), HEAD, sep="\n\n")
    for row in startup.rows(ENVIRONMENT, options.repeat):
        print(row, flush=True)
    if options.lm_eval_gb:  # before SciPy has grown this process: a child's peak counts its parent's size at the fork
        print(big_file_row(options.lm_eval_gb), flush=True)
    for n in (200, 20_000, 2_000_000):
        if n <= options.largest:
            print(*intervals.rows(n), sep="\n", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=11, help="repetitions of each start-up (11)")
    parser.add_argument("--largest", type=int, default=2_000_000, help="largest n of the 0/1 interval (2000000)")
    parser.add_argument(
        "--lm-eval-gb", type=float, default=0.0, help="size of an lm-eval samples file to make and read"
    )
    return parser.parse_args()


def versions() -> str:
    found = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "duckdb"))
    return f"Python {platform.python_version()}, {found}, {os.cpu_count()} CPUs, {platform.system()}"


def big_file_row(gigabytes: float) -> Row:
    """The whole command on a file that is larger than it may hold, next to DuckDB reading the same columns."""
    with tempfile.TemporaryDirectory() as name:
        path = big_file.write(Path(name), int(gigabytes * 1e9))
        ours = big_file.measure([sys.executable, "-m", "scorebars", "estimate", str(path)], ENVIRONMENT)
        theirs = big_file.measure([sys.executable, "-c", big_file.SCAN, str(path)], ENVIRONMENT)
    rates = [gigabytes * 1000 / cost.seconds for cost in (ours, theirs)]
    return Row(
        what=f"`estimate`, lm-eval samples of {gigabytes:g} GB",
        ours=ours.seconds,
        against="DuckDB's own scan of the same columns",
        theirs=theirs.seconds,
        goal="under 1,500 MB",
        met=ours.peak_mb < 1500,
        remark=f"{ours.peak_mb:,.0f} MB at peak, {rates[0]:,.0f} MB/s against {rates[1]:,.0f} MB/s",
    )


if __name__ == "__main__":
    main()
