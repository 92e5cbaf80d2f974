"""The benchmarks run and their two sides agree. No time is asserted: a busy machine would decide."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def benchmark_modules(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.mark.usefixtures("benchmark_modules")
@pytest.mark.parametrize("n", [200, 20_000])
def test_computed_and_drawn_bounds_agree(n):
    import intervals

    # SciPy's seed is fixed, so this cannot fail by chance; 4 errors would happen to 1 in 16,000 seeds.
    x = intervals.scores(n)
    assert intervals.monte_carlo_errors(x, intervals.ours(x), intervals.scipys(x)) < 4
    assert intervals.estimates(x) == pytest.approx(intervals.ours(x), abs=1e-12)


@pytest.mark.usefixtures("benchmark_modules")
def test_large_file_is_read_like_duckdb_reads_it(tmp_path):
    import big_file

    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    path = big_file.write(tmp_path, 300_000)
    theirs = big_file.measure([sys.executable, "-c", big_file.SCAN, str(path)], environment)
    command = [sys.executable, "-m", "scorebars", "estimate", str(path), "--format", "json"]
    ours = big_file.measure(command, environment)
    [(count, mean, _)] = ast.literal_eval(theirs.output)
    [result] = json.loads(ours.output)["results"]

    assert (result["n_items"], result["value"]) == (count, pytest.approx(mean))
    assert (result["model"], count) == ("example/model", 70)
    assert ours.peak_mb > 10


@pytest.mark.usefixtures("benchmark_modules")
def test_a_row_says_which_is_faster():
    from table import Row, seconds

    assert "250 × faster" in str(Row("a", 0.001, "b", 0.25, "100 × faster", met=True))
    assert "1.50 × the time" in str(Row("a", 0.3, "b", 0.2, "within 2 ×", met=True))
    assert [seconds(2.5), seconds(0.0031), seconds(4.2e-5)] == ["2.5 s", "3.1 ms", "42 µs"]
