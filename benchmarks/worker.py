"""One side of a row, in a process and environment of its own: ``worker.py MODULE:FUNCTION DATA.npz [cpu]``.

The function takes the data (a dict of arrays) and returns two: ``fresh()``, which makes what a run starts from and is
not timed, and ``run(start)``, which is. For each line ``BUDGET`` on stdin, one line of JSON on stdout: the median
seconds of as many runs as fit the budget, one at least, the answer, and the largest resident set so far in MB.
With ``cpu`` they are seconds of the process, all threads, which others on the machine do not lengthen.
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np


def main() -> None:
    module, _, function = sys.argv[1].partition(":")
    with np.load(sys.argv[2]) as arrays:
        data = dict(arrays)
    clock = time.process_time if sys.argv[3:] == ["cpu"] else time.perf_counter
    reports = sys.stdout
    sys.stdout = sys.stderr  # what a peer prints is no report
    fresh, run = getattr(importlib.import_module(f"sides.{module}"), function)(data)
    for line in sys.stdin:
        taken: list[float] = []
        began = time.perf_counter()
        while not taken or (time.perf_counter() - began < float(line) and len(taken) < 2000):
            start = fresh()
            before = clock()
            answer = run(start)
            taken.append(clock() - before)
        told = np.asarray(answer, dtype=np.float64).tolist()
        report = {"seconds": statistics.median(taken), "answer": told, "peak_mb": peak_mb()}
        print(json.dumps(report), file=reports, flush=True)


def peak_mb() -> float:
    """The largest resident set of this process; unlike ``ru_maxrss`` without that of the process it came from."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1024**2 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
