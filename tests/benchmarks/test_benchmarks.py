"""The benchmarks run and their two sides agree. No time is asserted: a busy machine would decide."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOURCE = Path(__file__).parents[2] / "src"

pytestmark = pytest.mark.usefixtures("benchmark_modules")


@pytest.fixture
def benchmark_modules(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def without_other_environments(row):
    """The row's peers that need nothing but what scorebars needs."""
    return dataclasses.replace(row, peers=tuple(side for side in row.peers if not side.environment))


@pytest.mark.parametrize("name", ["accuracy-200", "bounds-200", "difference"])
def test_rows_against_scipy_and_numpy_agree(name, tmp_path):
    import peers
    import rows

    # All seeds are fixed, so this cannot fail by chance; a disagreement is an exception.
    row = without_other_environments(next(row for row in rows.ROWS if row.name == name))
    lines = list(peers.lines(row, tmp_path, turns=1))

    assert [line.against for line in lines] == [side.label for side in row.peers]
    assert all(line.ours > 0 and line.theirs > 0 and min(line.peak_mb) > 10 for line in lines)


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("profiles", "corpus")]


@pytest.mark.parametrize("name", ["iqm", "aggregates", "poi", "bleu", *SLOW])
def test_from_arrays_and_from_scores_are_one_answer(name, monkeypatch):
    import importlib

    import agreement
    import rows

    row = next(row for row in rows.ROWS if row.name == name)
    drawn = row.ours.resamples and 400
    shortened(monkeypatch, drawn)
    data = row.data()
    answers = []
    for side in (row.ours, row.built):
        module, _, function = side.work.partition(":")
        fresh, run = getattr(importlib.import_module(f"sides.{module}"), function)(data)
        answers.append(run(fresh()))
    agreement.apart(*answers, (drawn, drawn), row.step)


def shortened(monkeypatch, drawn):
    """Intervals from a few resamples, whatever is asked for: what is looked at is that both sides run and agree."""
    from sides import ours_rl

    import scorebars as sb

    percentile = sb.Percentile
    monkeypatch.setattr(ours_rl, "REPS", drawn)
    monkeypatch.setattr(sb, "Percentile", lambda n_boot=None: percentile(n_boot=n_boot and drawn))


def test_every_row_names_work_that_is_there():
    import rows

    for row in rows.ROWS:
        for side in (row.ours, row.built, *row.peers):
            module, _, function = side.work.partition(":")
            tree = ast.parse((BENCHMARKS / "sides" / f"{module}.py").read_text(encoding="utf-8"))
            assert function in [name for node in tree.body for name in named(node)]


def named(node):
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]


def test_answers_that_differ_by_more_than_chance_are_an_error():
    import agreement

    ours = [[0.5, 0.4, 0.6]]
    # The SD is .2/2z = .051; a drawn bound of 2,000 has the standard error .051 · √(.0244/2000) / .0584 = .00305.
    assert agreement.apart(ours, [[0.5, 0.403, 0.6]], (None, 2000)) == pytest.approx(0.003 / 0.00305, rel=0.01)
    with pytest.raises(agreement.Disagreement, match=r"10\.\d Monte Carlo errors"):
        agreement.apart(ours, [[0.5, 0.4, 0.632]], (None, 2000))
    with pytest.raises(agreement.Disagreement, match="values differ"):
        agreement.apart(ours, [[0.51, 0.4, 0.6]], (None, 2000))
    with pytest.raises(agreement.Disagreement, match="shapes"):
        agreement.apart(ours, [[0.5, 0.4]], (None, 2000))


def test_numbers_of_whole_programs_are_held_against_each_other():
    import agreement
    import processes

    ours = {"a - b": [0.1, 0.0, 0.3], "b": [0.5, 0.4, 0.6]}
    assert processes._apart(ours, {"b - a": [-0.1, -0.3, 0.0], "b": [0.5]}) == 0.0
    with pytest.raises(agreement.Disagreement, match=r"differ by up to 0\.1"):
        processes._apart(ours, {"b": [0.5, 0.4, 0.7]})
    with pytest.raises(agreement.Disagreement, match="no 'c'"):
        processes._apart(ours, {"c": [0.5]})


def test_whole_process_tells_scores_and_differences(tmp_path):
    import big_file
    import data
    import processes

    path = tmp_path / "scores.csv"
    scores = data.leaderboard(3, 60)["scores"]
    data.write_csv(path, scores)
    output = big_file.measure([*processes.WHOLE, str(path), "Normal", "StudentT"], processes.OWN).output
    found = json.loads(output)

    assert [row[0] for row in found["scores"].values()] == pytest.approx(scores.mean(axis=1).tolist())
    differences = {name: row[0] for name, row in found["differences"].items()}
    assert differences == pytest.approx(
        {f"model-{a:02d} - model-{b:02d}": float(np.mean(scores[a] - scores[b])) for a, b in ((0, 1), (0, 2), (1, 2))}
    )


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


def test_a_line_says_whether_the_promise_holds():
    from table import Line, ratio, seconds

    kept = Line("a", "work", 0.001, "peer", 0.25, 100.0, built=0.010, peak_mb=(40, 90.4))
    assert "| 250 × | 100 × | yes | 40 / 90 |" in str(kept)
    assert "**no**" in str(dataclasses.replace(kept, built=0.0111))  # more than 10 ms beyond the arrays
    assert "| **no** |" in str(dataclasses.replace(kept, theirs=0.09))
    assert "cannot be installed" in str(Line.skipped("a", "work", "peer", "cannot be installed here"))
    assert [seconds(2.5), seconds(0.0031), seconds(4.2e-5)] == ["2.5 s", "3.1 ms", "42 µs"]
    assert [ratio(x) for x in (0.7123, 3.218, 25.44, 59_512.0)] == ["0.71 ×", "3.22 ×", "25.4 ×", "59,500 ×"]


def test_rows_can_be_chosen():
    import run

    assert run.chosen_rows("iqm,poi", "") == {"iqm", "poi"}
    assert run.chosen_rows("", "startup") == set(run.NAMES) - {"startup"}
    with pytest.raises(SystemExit, match="no row is called iqn; there are startup,"):
        run.chosen_rows("iqn", "")


def test_a_peer_that_cannot_be_installed_is_a_line_with_the_reason(tmp_path, monkeypatch):
    import environments
    import peers
    import rows

    refusal = subprocess.CompletedProcess([], 1, stderr="ERROR: nothing found\n")
    monkeypatch.setattr(environments.subprocess, "run", lambda *_, **__: refusal)
    monkeypatch.setattr(peers, "BUDGET", 0.0)
    row = next(row for row in rows.ROWS if row.name == "mean")
    [line] = peers.lines(row, tmp_path, turns=1)
    assert line.why_not == "arch cannot be installed here: ERROR: nothing found"


def test_charts_are_svg_with_a_line_for_each_series():
    import xml.etree.ElementTree as ET

    import growth
    import svg

    line = [(10.0, 1e-4), (100.0, 1e-3), (1000.0, 2e-2)]
    root = ET.fromstring(svg.page([svg.Panel("a < b", "items", {"x": line, "y": [(10.0, 0.5)]})]))  # noqa: S314 - ours
    assert [len(each.get("points").split()) for each in root.iter() if each.tag.endswith("polyline")] == [3, 1]
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert {"a < b", "items", "10", "1,000", "100 µs", "1 ms", "10 ms", "1 s"} <= set(texts)
    assert growth.slope(line) == pytest.approx(np.log10(20))


def test_tables_go_between_their_marks():
    import page

    assert page.between("a <!-- t --> old <!-- e --> z", "<!-- t -->", "<!-- e -->", "new\\1") == (
        "a <!-- t -->\nnew\\1\n<!-- e --> z"
    )
    marked = page.PAGE.read_text(encoding="utf-8")
    assert all(mark in marked for marks in page.MARKS.values() for mark in marks)


@pytest.mark.slow
def test_more_resamples_take_no_more_memory():
    import limits

    assert limits.peak_mb(limits.DEEP, "20000") < limits.MORE * limits.peak_mb(limits.DEEP, "1000")
