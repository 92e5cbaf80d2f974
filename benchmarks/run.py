"""How long scorebars takes, as ratios to something known, measured in one run on one machine.

    python benchmarks/run.py                       # every row; the first run installs the peers
    python benchmarks/run.py --only iqm,poi        # some; --list names them
    python benchmarks/run.py --lm-eval-gb 2        # and an lm-eval samples file of that size

Each peer lives in an environment of its own below the cache folder. Both sides are given the same data and take turns,
so that a busy machine slows both; a figure is the median of its turns (slow peers have one). The answers must agree
within Monte Carlo error, or the run ends with an error. Peak memory is that of the side's process, ours and theirs.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import os
import platform
from pathlib import Path

import environments
import inspect_logs
import peers
import processes
import tables
from agreement import Disagreement
from rows import ROWS
from table import HEAD

OF_PROCESSES = processes.ROWS | inspect_logs.ROWS | tables.ROWS
NAMES = (*OF_PROCESSES, *(row.name for row in ROWS))


def main() -> None:
    options = parse()
    if options.list:
        print(*NAMES, sep="\n")
        return
    chosen = chosen_rows(options.only, options.skip)
    environments.LEFT_OUT.update(filter(None, options.without.split(",")))
    print(versions(), HEAD, sep="\n\n", flush=True)
    wrong = []
    for name, made in measurements(options).items():
        if name not in chosen:
            continue
        try:
            for line in made:
                print(line, flush=True)
        except Disagreement as error:
            wrong.append(f"{name}: {error}")
    if options.lm_eval_gb:
        print(processes.large_file(options.lm_eval_gb, cpu=options.cpu), flush=True)
    print_versions_of_peers(options.cache)
    if wrong:
        raise SystemExit("ANSWERS DO NOT AGREE\n" + "\n".join(wrong))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows to measure, separated by commas; all without it")
    parser.add_argument("--skip", default="", help="rows to leave out")
    parser.add_argument("--without", default="", help="peers to leave out, such as evalstats, which takes minutes")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    cache = environments.default_cache()
    parser.add_argument("--cache", type=Path, default=cache, help=f"folder of the peers' environments ({cache})")
    parser.add_argument("--turns", type=int, default=None, help="turns of each side, where a peer is not too slow (5)")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="seconds of the processes, all threads, not of the clock",
    )
    parser.add_argument("--lm-eval-gb", type=float, default=0.0, help="size of an lm-eval file to make and read")
    return parser.parse_args()


def chosen_rows(only: str, skip: str) -> set[str]:
    asked, left = ({name for name in text.split(",") if name} for text in (only, skip))
    unknown = (asked | left) - set(NAMES)
    if unknown:
        raise SystemExit(f"no row is called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    return (asked or set(NAMES)) - left


def measurements(options: argparse.Namespace):
    """Each row's lines, made when they are asked for."""
    made = {name: of(options.cache, cpu=options.cpu) for name, of in processes.ROWS.items()}
    made |= {name: of(options.cache) for name, of in (inspect_logs.ROWS | tables.ROWS).items()}
    return made | {row.name: peers.lines(row, options.cache, options.turns, cpu=options.cpu) for row in ROWS}


def versions() -> str:
    found = ", ".join(version(name) for name in ("numpy", "scipy", "duckdb", "numba"))
    day = dt.datetime.now(dt.UTC).strftime("%d %B %Y").lstrip("0")
    return f"{day}; Python {platform.python_version()}, {found}, {os.cpu_count()} CPUs, {platform.system()}"


def version(name: str) -> str:
    """'numba 0.67.1', 'no numba'."""
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {name}"


def print_versions_of_peers(cache: Path) -> None:
    """Those that are there."""
    found = [
        environments.versions(environments.environment(name, cache).python, name)
        for name in environments.REQUIREMENTS
        if name not in environments.LEFT_OUT and (cache / name / "requirements.txt").exists()
    ]
    print("", "Peers: " + "; ".join(found) + ".", sep="\n")


if __name__ == "__main__":
    main()
