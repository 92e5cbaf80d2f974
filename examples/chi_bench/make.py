"""Cut the table of facts ``trials.csv.gz`` out of the per-trial rewards of the CHI-Bench leaderboard.

The input is one CSV row a trial with the columns submission, agent, model, domain, task, trial_path, reward, exception,
collected from the ``result.json`` files under ``submissions/`` of the leaderboard repository (see README.md here).

    python examples/chi_bench/make.py TRIALS.csv [OUTPUT.csv.gz]
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections import Counter
from pathlib import Path

PAPER = "chi-bench-leaderboard-2026-05-15-"
"""Start of the name of the 30 submissions that are the paper's cells."""


def main(source: Path, target: Path) -> None:
    with source.open(newline="", encoding="utf-8") as file:
        trials = [row for row in csv.DictReader(file) if row["submission"].startswith(PAPER)]
    seen: Counter[tuple[str, str, str]] = Counter()
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["agent", "model", "domain", "item", "run", "reward"])
    for trial in trials:
        key = (trial["agent"], trial["model"], trial["task"])
        seen[key] += 1
        table.writerow(facts(trial, run=seen[key]))
    # No name and no time in the header, so that the same input gives the same bytes.
    with target.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.getvalue().encode())


def facts(trial: dict[str, str], run: int) -> tuple[str, str, str, str, int, str]:
    """One row: the model without its provider's route, the reward as 1, 0 or, where the trial has none, empty."""
    reward = "" if trial["reward"] == "" else f"{float(trial['reward']):g}"
    return trial["agent"], trial["model"].rpartition("/")[2], trial["domain"], trial["task"], run, reward


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "trials.csv.gz")
