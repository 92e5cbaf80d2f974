from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.outputs.numbers import (
    Scale,
    axis_column,
    choose_scale,
    count,
    degrees,
    is_fraction,
    is_fraction_difference,
    p_value,
    percent_text,
    span,
)

PERCENT = Scale(percent=True, digits=1)


def as_number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(
    ("half_widths", "percent", "digits"),
    [
        ([0.065], True, 1),
        ([0.12], True, 1),
        ([0.008, 0.065], True, 2),
        ([0.00065], True, 3),
        ([0.21], False, 2),
        ([5.0], False, 1),
        ([50.0, 400.0], False, 0),
        ([0.0, math.nan, math.inf, 0.065], True, 1),
        ([], True, 1),
        ([], False, 3),
    ],
)
def test_two_significant_digits_of_the_narrowest_half_width(half_widths, percent, digits):
    assert choose_scale(half_widths, percent=percent) == Scale(percent, digits)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.62, "62.0"),
        (-0.005, "−0.5"),
        (0.0, "0.0"),
        (-0.0, "0.0"),
        (1.0, "100.0"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (1e-18, "0.0"),
        (0.00003, "0.003"),
        (-0.0004, "−0.04"),
        (1e-9, "1e-7"),
        (0.9996, "99.96"),
        (0.99999, "99.999"),
        (0.555, "55.5"),
    ],
)
def test_percent(x, text):
    assert PERCENT.number(x) == text


def test_signed():
    assert [PERCENT.number(x, signed=True) for x in (0.02, -0.02, 0.0)] == ["+2.0", "−2.0", "0.0"]


@given(st.floats(-1, 1), st.integers(1, 6))
def test_no_number_is_printed_as_zero_or_as_everything_unless_it_is(x, digits):
    scale = Scale(percent=True, digits=digits)
    printed = as_number(scale.number(x))
    noise = 10.0 ** -(digits + 8)
    assert (printed == 0) == (abs(100 * x) < noise)
    assert (abs(printed) == 100) == (abs(abs(100 * x) - 100) <= noise)


@given(st.floats(-1e6, 1e6), st.integers(0, 6), st.booleans())
def test_a_number_is_off_by_half_of_its_last_digit_at_most(x, digits, percent):
    factor = 100 if percent else 1
    printed = as_number(Scale(percent, digits).number(x))
    assert abs(printed - factor * x) <= 0.5 * 10.0**-digits * (1 + 1e-9) + abs(x) * 1e-12


@given(st.floats(0.0001, 0.5))
def test_rounding_moves_a_bound_by_at_most_a_twentieth_of_the_half_width(half):
    scale = choose_scale([half], percent=True)
    assert 0.5 * 10.0**-scale.digits <= 0.05 * 100 * half * (1 + 1e-9)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.55, 0.685, "[55.0, 68.5]"),
        (0.55, math.inf, "≥ 55.0"),
        (-math.inf, 0.685, "≤ 68.5"),
        (-math.inf, math.inf, "(−∞, ∞)"),
        (math.nan, 0.5, "–"),
    ],
)
def test_interval(low, high, text):
    assert PERCENT.interval(low, high) == text


def test_small_numbers_carry_their_unit():
    assert PERCENT.small(0.191) == "19 points"
    assert PERCENT.small(0.0011) == "0.11 points"
    assert Scale(percent=False, digits=2).small(0.0456) == "0.046"
    assert PERCENT.small(0.0) == "0 points"
    assert PERCENT.small(math.nan) == "–"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0434, "p = .043"),
        (0.0004, "p < .001"),
        (0.0, "p < .001"),
        (0.001, "p = .001"),
        (0.125, "p = .12"),
        (0.0999, "p = .10"),
        (0.999, "p = 1.00"),
        (1.0, "p = 1.00"),
        (math.nan, "–"),
    ],
)
def test_p_value(p, text):
    assert p_value(p) == text


def test_percent_comes_from_the_range_never_from_the_data():
    assert is_fraction((0.0, 1.0))
    assert not is_fraction((-1.0, 1.0))
    assert not is_fraction((1.0, 10.0))
    assert not is_fraction(None)
    assert is_fraction_difference((-1.0, 1.0))
    assert not is_fraction_difference((-9.0, 9.0))
    assert not is_fraction_difference(None)


def test_words():
    assert [degrees(x).partition(" of freedom")[0] for x in (49.0, 12.34, 1999.0, 1.0, 1.04, 0.6)] == [
        "49 degrees", "12.3 degrees", "1,999 degrees", "1 degree", "1 degree", "0.6 degrees",
    ]  # fmt: skip
    assert percent_text(0.95) == "95 %"
    assert percent_text(0.995) == "99.5 %"
    assert percent_text(0.9) == "90 %"
    assert [count(n, "item") for n in (0, 1, 2000)] == ["0 items", "1 item", "2,000 items"]
    assert [span(1, 1, "run"), span(3, 3, "run"), span(2, 5, "run")] == ["1 run", "3 runs", "2 to 5 runs"]


@given(st.floats(-5, 5), st.integers(1, 80))
def test_every_point_is_drawn_on_the_axis(x, width):
    assert 0 <= axis_column(x, -1.0, 1.0, width) < width


def test_ends_and_middle_of_the_axis():
    assert [axis_column(x, -1.0, 1.0, 41) for x in (-1.0, 0.0, 1.0, math.inf, -math.inf)] == [0, 20, 40, 40, 0]
    assert axis_column(3.0, 3.0, 3.0, 11) == 5
