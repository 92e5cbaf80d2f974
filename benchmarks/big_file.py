"""An lm-eval samples file of any size, and what a process that reads it costs."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

STAMP = "2026-01-01T00-00-00.000000"

# The columns that a score needs, and nothing else; the text of prompts and answers is skipped by both.
SCAN = """
import duckdb, sys
columns = "{doc_id: 'BIGINT', filter: 'VARCHAR', acc: 'DOUBLE'}"
rows = f"read_json(?, columns={columns}, format='newline_delimited')"
print(duckdb.execute(f"SELECT count(*), avg(acc), count(DISTINCT doc_id) FROM {rows}", [sys.argv[1]]).fetchall())
"""


def write(folder: Path, size: int) -> Path:
    """A samples file of about ``size`` bytes with its results file beside it; the path of the samples file."""
    path = folder / f"samples_reasoning_{STAMP}.jsonl"
    lines = 0
    with path.open("wb", buffering=1 << 20) as file:
        while file.tell() < size:
            file.write(line(lines))
            lines += 1
    results = {
        "results": {"reasoning": {"alias": "reasoning", "acc,none": 0.6, "acc_stderr,none": 0.01}},
        "configs": {"reasoning": {"task": "reasoning", "metric_list": [{"metric": "acc", "aggregation": "mean"}]}},
        "higher_is_better": {"reasoning": {"acc": True}},
        "n-shot": {"reasoning": 0},
        "n-samples": {"reasoning": {"original": lines, "effective": lines}},
        "config": {"model": "hf", "model_args": "pretrained=example/model"},
        "model_name": "example/model",
        "lm_eval_version": "0.4.9",
    }
    (folder / f"results_{STAMP}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def line(i: int) -> bytes:
    """One sample of some 5 kB, in the shape that lm-eval 0.4 writes."""
    answer = f"Let us think about number {i} step by step. " * 40
    sample = {
        "doc_id": i,
        "doc": {"idx": i, "question": f"What is {i} + {i}? " * 20, "answer": str(2 * i)},
        "target": str(2 * i),
        "arguments": {"gen_args_0": {"arg_0": f"Question: what is {i} + {i}?\nAnswer:", "arg_1": {"until": ["\n\n"]}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"{i:064x}",
        "prompt_hash": f"{i:064x}",
        "target_hash": f"{i:064x}",
        "acc": float(i * 2_654_435_761 % 10 < 6),
    }
    return json.dumps(sample).encode() + b"\n"


@dataclass(frozen=True)
class Cost:
    """Wall-clock seconds, seconds of the processor and the largest resident set of a process, and what it printed."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    output: str


def measure(command: list[str], environment: dict[str, str]) -> Cost:
    """Run a process to its end and say what it cost."""
    start = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} exited {process.returncode}")
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)
