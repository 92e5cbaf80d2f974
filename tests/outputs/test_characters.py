"""Names that would act: on a terminal, in a document, in a spreadsheet."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.outputs import output_samples as samples

from scorebars.notes import note
from scorebars.outputs import FORMATS, render_with
from scorebars.outputs.characters import inert, visible
from scorebars.results import Comparisons, Estimate, Estimates

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""C0 and C1 but for the line break, which the formats themselves print."""
ODD = "a\x1b[31m\x9b2J\r\n\x00\x7f\x85\u2028\u202e|`<b>_$%&{}"
NAMES = st.text(st.one_of(st.characters(max_codepoint=0xFF), st.characters(exclude_categories=["Cs"])), min_size=1)


def views(name):
    """Every kind of result with this name wherever a name stands."""
    told = replace(samples.ANSWER, notes=(note("lone-item", task=name),))
    pair = replace(samples.comparison(), a=name, disagreements=((name, name, 1.0, 0.0),))
    diagnosis = samples.diagnosis()
    return [
        Estimates((Estimate(name, told, task=name, group=(("cluster", name),)), Estimate("b", told, task="t"))).view(),
        pair.view(items=True),
        Comparisons((pair, replace(pair, b=name))).view(),
        replace(diagnosis, commands=(f"scorebars estimate {name}",), tasks=(name,)).view(),
    ]


@pytest.mark.parametrize("form", FORMATS)
@given(name=NAMES)
def test_no_format_prints_a_control_character(form, name):
    render = render_with(form)
    for view in (*views(name), *views(ODD)):
        lines = render(view).split("\n")
        assert not any(CONTROL.search(line) for line in lines)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "table"])
@given(name=NAMES)
def test_a_name_makes_no_line_of_its_own(form, name):
    render = render_with(form)
    for odd, plain in zip(views(name), views("x"), strict=True):
        assert render(odd).count("\n") == render(plain).count("\n")


@given(name=NAMES)
def test_json_holds_every_name_as_it_is(name):
    estimates, pair, *_ = (json.loads(render_with("json")(view)) for view in views(name))
    assert (estimates["results"][0]["model"], pair["results"][0]["a"], pair["items"][0]["item"]) == (name, name, name)


@given(name=NAMES)
def test_html_shows_what_is_visible_of_a_name(name):
    cell = re.search(r"<td[^>]*>(.*?)</td>", render_with("html")(views(name)[0]), flags=re.DOTALL)
    assert html.unescape(cell[1]) == visible(name)


@pytest.mark.parametrize("name", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "  =1", '=HYPERLINK("x")'])
def test_no_spreadsheet_runs_a_name(name):
    for view in views(name)[:2]:
        for row in csv.reader(io.StringIO(render_with("csv")(view))):
            assert not any(cell.lstrip()[:1] in "=+-@" and cell and not _number(cell) for cell in row)
    assert inert(name) == f"'{name}"


@pytest.mark.parametrize("name", ["gpt-4", "-3", "+1.5", "-1e-9", "'=1", "a=b", ""])
def test_other_names_stay(name):
    assert inert(name) == name


def _number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(name=NAMES)
def test_markdown_cells_stay_in_their_column(name):
    table = [line for line in render_with("markdown")(views(name)[1]).split("\n") if line.startswith("| ")]
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table[:5]}
    assert len(bars) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a|b", r"a\|b"),
        ("`x`", r"\`x\`"),
        ("<b>", r"\<b\>"),
        ("a\nb", r"a\\nb"),
        ("&lt;", r"\&lt;"),
        ("\x1b[1m", r"\\x1b\[1m"),
    ],
)
def test_markdown_shows_a_name_as_it_is(name, shown):
    assert f"| {shown} |" in render_with("markdown")(views(name)[1])


def test_a_fence_of_commands_is_longer_than_its_backticks():
    text = render_with("markdown")(views("```` x")[3])
    assert "`````console\n$ scorebars estimate ```` x\n`````" in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a--b", r"a-{}-b"),
        ("---", r"-{}-{}-"),
        ("50%_&#$^~{}", r"50\%\_\&\#\$\textasciicircum{}\textasciitilde{}\{\}"),
        ("a\nb\x1b", r"a\textbackslash{}nb\textbackslash{}x1b"),
    ],
)
def test_latex_shows_a_name_as_it_is(name, shown):
    assert f"{shown} & " in render_with("latex")(views(name)[1])
