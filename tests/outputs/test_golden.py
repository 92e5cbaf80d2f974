"""Every format of every kind of result, byte for byte. tests/golden/README.md says how to update."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.outputs import output_samples as samples

from scorebars.outputs import FORMATS, render_with, text

GOLDEN = Path(__file__).parent.parent / "golden"
VIEWS = {
    "estimates": lambda: samples.estimates().view(),
    "odd": lambda: samples.odd_estimates().view(),
    "graded": lambda: samples.graded().view(),
    "comparison": lambda: samples.comparison().view(items=True),
    "diagnosis": lambda: samples.diagnosis().view(),
    "unrelated": lambda: samples.unrelated().view(),
}
ENDINGS = {"table": "txt", "json": "json", "csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}


def check(name: str, made: str) -> None:
    path = GOLDEN / name
    if os.environ.get("SCOREBARS_UPDATE_GOLDEN"):
        path.write_text(made, encoding="utf-8", newline="\n")
        pytest.skip(f"{name} rewritten")
    assert made == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("form", FORMATS)
def test_format(name, form):
    check(f"{name}.{ENDINGS[form]}", render_with(form)(VIEWS[name]()))


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", VIEWS)
def test_terminal(name, width):
    check(f"{name}-{width}.txt", text.render(VIEWS[name](), width=width, unicode=True))


def test_no_file_is_left_over():
    names = {f"{name}.{ending}" for name in VIEWS for ending in ENDINGS.values()}
    names |= {f"{name}-{width}.txt" for name in VIEWS for width in (40, 60, 80, 120)}
    assert names | {"README.md"} == {path.name for path in GOLDEN.iterdir()}
