"""Whole processes: reading a small file and printing an interval, against what the imports alone cost."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from table import Row, interleaved

ENGINE = "import duckdb, numpy"
ARRAYS = "import numpy"


def rows(environment: dict[str, str], repeat: int) -> list[Row]:
    """Estimate on a CSV of 0/1 scores and of graded ones, and the help."""
    with tempfile.TemporaryDirectory() as name:
        binary, graded = write_tables(Path(name))
        cases = [
            ("`scorebars estimate`, 2,000 rows of 0/1", ["estimate", binary], ENGINE, 2.0),
            ("`scorebars estimate`, 2,000 graded rows", ["estimate", graded], ENGINE, 4.0),
            ("`scorebars --help`", ["--help"], ARRAYS, 1.5),
        ]
        return [row(what, arguments, imports, limit, environment, repeat) for what, arguments, imports, limit in cases]


def write_tables(folder: Path) -> tuple[str, str]:
    """A CSV of 2,000 scores of 0 and 1, and one of 2,000 grades."""
    rng = np.random.default_rng(1)
    paths = []
    for name, scores in (("binary", rng.integers(0, 2, 2000)), ("graded", rng.random(2000).round(3))):
        path = folder / f"{name}.csv"
        lines = [f"m,{i},{score}" for i, score in enumerate(scores.tolist())]
        path.write_text("\n".join(["model,item,score", *lines, ""]), encoding="utf-8")
        paths.append(str(path))
    return paths[0], paths[1]


def row(what: str, arguments: list[str], imports: str, limit: float, environment: dict[str, str], repeat: int) -> Row:
    def process(*command: str) -> None:
        subprocess.run([sys.executable, *command], env=environment, check=True, stdout=subprocess.DEVNULL)

    ours, theirs = interleaved(lambda: process("-m", "scorebars", *arguments), lambda: process("-c", imports), repeat)
    return Row(what, ours, f'`python -c "{imports}"`', theirs, f"within {limit:g} ×", met=ours <= limit * theirs)
