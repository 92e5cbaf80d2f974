"""Run the installed wheel where nothing but its core dependencies is installed: each command on each format.

Standard library only. Run it in the folder that holds ``examples``, with the Python of the bare environment:

    bare/bin/python -I tests/bare/check.py
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCOREBARS = Path(sys.executable).parent / "scorebars"
NOT_CORE = ("pandas", "polars", "pyarrow", "sklearn", "statsmodels", "matplotlib", "numba", "pytest")


def scorebars(*arguments: object) -> str:
    command = [str(SCOREBARS), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} exited {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def estimate(*arguments: object) -> list[dict[str, object]]:
    """The estimates as JSON gives them."""
    return json.loads(scorebars("estimate", *arguments, "--format", "json"))["results"]


def check_tables(folder: Path, examples: Path) -> None:
    """The same numbers from CSV, gzipped CSV, JSONL and Parquet, through ``convert`` and back."""
    csv = folder / "svm.csv"
    shutil.copy(examples / "classifiers/svm.csv", csv)
    with gzip.open(folder / "svm.csv.gz", "wb") as packed:
        packed.write(csv.read_bytes())
    scorebars("convert", csv, "-o", folder / "svm.parquet")
    scorebars("convert", csv, "-o", folder / "svm.jsonl")
    plain = numbers(estimate(csv))
    for other in ("svm.csv.gz", "svm.parquet", "svm.jsonl"):
        if numbers(estimate(folder / other)) != plain:
            sys.exit(f"{other} gives {numbers(estimate(folder / other))} and svm.csv {plain}")
    scorebars("compare", folder / "svm.parquet", examples / "classifiers/forest.csv")
    scorebars("doctor", folder / "svm.parquet", examples / "classifiers/forest.csv")
    scorebars("estimate", csv, "--estimator", "iqm")  # drawn, by NumPy alone


def numbers(results: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(row["model"], row["value"], row["low"], row["high"]) for row in results]


def check_logs(folder: Path, logs: list[Path], metric: str) -> None:
    """Estimate, convert and read again what a producer wrote: the same numbers both times."""
    models = numbers(estimate(*logs, "--metric", metric))
    if len(models) != 2:
        sys.exit(f"{len(models)} models instead of 2 in {logs}")
    table = folder / f"{metric}.parquet"
    scorebars("convert", *logs, "-o", table)
    again = numbers(estimate(table, "--metric", metric))
    if [row[:2] for row in again] != [row[:2] for row in models]:
        sys.exit(f"{logs} give {models}, and converted {again}")


def main() -> None:
    installed = [name for name in NOT_CORE if importlib.util.find_spec(name)]
    if installed:
        sys.exit(f"this environment is not bare: {', '.join(installed)}")
    examples = Path("examples").resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_tables(folder, examples)
        check_logs(folder, sorted((examples / "inspect").glob("*.eval")), "match")
        check_logs(folder, [examples / "lm_eval/careful", examples / "lm_eval/hasty"], "acc")
    print("estimate, compare and convert work on CSV, gzip, JSONL, Parquet, .eval and lm-eval samples")


if __name__ == "__main__":
    main()
