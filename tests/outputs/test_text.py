from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.outputs import output_samples as samples

from scorebars.outputs.text import MIN_BAR, cell_width, render, visible
from scorebars.results import Estimate, Estimates

RESULTS = [samples.estimates(), samples.odd_estimates(), samples.graded(), samples.comparison(), samples.unrelated()]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("width", range(40, 121, 5))
def test_lines_fit(result, width):
    lines = render(result.view(), width=width, unicode=True).splitlines()
    assert max(map(cell_width, lines)) <= width


def test_a_pipe_gets_ascii():
    assert render(samples.estimates().view()).isascii()
    assert render(samples.comparison().view(items=True)).isascii()
    assert render(samples.graded().view()).isascii()


def test_names_are_kept_letter_for_letter_in_a_pipe():
    name = "模型–1 − é"
    text = render(Estimates((Estimate(name, samples.ANSWER),)).view())
    assert name in text


def test_a_name_cannot_move_the_cursor():
    text = render(Estimates((Estimate("a\x1b[2Jb\nc", samples.ANSWER),)).view())
    assert "\x1b" not in text
    assert r"a\x1b[2Jb\nc" in text


@given(st.text())
def test_visible_is_printable(text):
    assert visible(text).isprintable()


def test_bars_go_first_when_the_room_ends():
    view = samples.estimates().view()
    lines = [render(view, width=width, unicode=True).splitlines()[1] for width in (100, 33 + MIN_BAR, 32 + MIN_BAR)]
    assert ["●" in line for line in lines] == [True, True, False]
    assert all("[54.9, 68.5]" in line for line in lines)


def test_long_names_are_not_cut():
    rows = tuple(Estimate("x" * 90 + end, samples.ANSWER) for end in "ab")
    text = render(Estimates(rows).view(), width=40)
    assert text.splitlines()[0] == "x" * 90 + "a"
    assert "[54.9, 68.5]" in text


def test_bars_are_in_order_and_share_an_axis():
    lines = render(samples.estimates().view(), width=100, unicode=True).splitlines()[1:3]
    left, point, right = zip(*((line.index("├"), line.index("●"), line.index("┤")) for line in lines), strict=True)
    assert left[0] > left[1]
    assert point[0] > point[1]
    assert right[0] > right[1]
    assert all(a < b < c for a, b, c in zip(left, point, right, strict=True))


def test_zero_is_marked_in_a_comparison():
    line = render(samples.comparison().view(), width=100, unicode=True).splitlines()[4]
    assert line.count("┊") == 1


def test_open_ends():
    assert "≥ 7.10" in render(samples.graded().view(), unicode=True)
    upper = replace(samples.ANSWER, low=float("-inf"))
    assert "<= 68.5" in render(Estimates((Estimate("m", upper),)).view())


def test_no_rows():
    assert render(Estimates(()).view())


def test_the_one_bar_of_a_comparison_stands_below_where_there_is_no_room_beside():
    view = samples.comparison().view()
    beside, below = render(view, width=80).splitlines(), render(view, width=45).splitlines()
    assert any("|--" in line for line in beside)
    bar = next(line for line in below if "|--" in line)
    assert bar.startswith("|")
    assert below[below.index(bar) - 1].split() == ["-0.5", "5.0"]
    assert not any("|--" in line for line in render(samples.estimates().view(), width=45).splitlines())


def test_a_percentage_stays_on_one_line():
    for width in range(40, 121):
        lines = render(samples.comparison().view(), width=width).splitlines()
        assert not [line for line in lines if line.strip().startswith("%")]
