"""The tables of docs/intervals.md are what the methods say."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.interval_table import problems, table

import scorebars
from scorebars.intervals import INTERVALS, Auto

PAGE = (Path(__file__).parents[2] / "docs/intervals.md").read_text(encoding="utf-8")


def test_the_table_of_refusals_is_that_of_the_methods():
    assert table() in PAGE, f"python tests/docs/interval_table.py prints\n{table()}"


def test_every_method_that_is_named_exists():
    named = set(re.findall(r"`([A-Z]\w+)\(", PAGE))
    assert named
    assert named <= set(scorebars.__all__)


def test_auto_chooses_what_the_page_says():
    chosen = {heading: Auto().choose(problem).name for heading, problem in problems().items()}
    assert chosen == {
        "0/1": "Blaker",
        "graded, range": "Agresti-Coull",
        "graded": "studentized bootstrap",
        "clusters": "Agresti-Coull",
        "runs": "Agresti-Coull",
        "IQM": "percentile bootstrap, n−1 draws",
        "paired 0/1": "Tango",
        "paired graded": "paired t with two pseudo-differences",
        "unpaired 0/1": "MOVER",
        "unpaired graded": "MOVER",
    }


def test_every_method_serves_something_or_is_named_below_the_table():
    for spelling in INTERVALS:
        [line] = [line for line in PAGE.splitlines() if line.startswith(f"| `{spelling}` |")]
        assert "●" in line or f"`{spelling}` serves" in PAGE
