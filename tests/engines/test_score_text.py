import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.engines.score_text import conversion_note, score_of
from scorebars.errors import ScoresError


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_reads_as_python_reads_it(number):
    assert score_of(repr(number)) == number
    assert score_of(f"  {number!r}\t") == number


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("True", "False"),
        ("YES", "no"),
        ("pass", "fail"),
        ("Passed", "FAILED"),
        ("correct", "incorrect"),
        ("C", "I"),
        ("resolved", "unresolved"),
        ("success", "failure"),
    ],
)
def test_pairs_of_words_are_one_and_zero(right, wrong):
    assert (score_of(right), score_of(wrong)) == (1.0, 0.0)


@pytest.mark.parametrize(("text", "value"), [("85%", 0.85), ("100 %", 1.0), ("0.5%", 0.005), ("-3%", -0.03)])
def test_percentages_are_fractions(text, value):
    assert score_of(text) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("text", ["", "  ", "NaN", "null", "None", "N/A", "-", "<NA>"])
def test_missing_is_nan(text):
    assert math.isnan(score_of(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,234", "two readings, 1234 or 1.234"),
        ("good", "'good' in row 7 is not a score; understood are numbers"),
        ("P", "is not a score"),
        ("1 2", "is not a score"),
        ("1_000", "is not a score"),
        ("0x10", "is not a score"),
        ("٣", "is not a score"),
        ("inf", "is infinite"),
        ("-Infinity", "is infinite"),
        ("1e999", "is infinite"),
        ("x" * 500, "…"),
    ],
)
def test_anything_else_is_refused_with_its_row(text, said):
    with pytest.raises(ScoresError, match=said) as caught:
        score_of(text, "row 7")

    assert "row 7" in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_note_counts_rows_and_is_silent_about_numbers():
    said = conversion_note({"pass": 3, "fail": 1, "85%": 1, "20 %": 1, "0.5": 9, "": 2})

    assert said is not None
    assert "'pass' as 1 (3 rows), 'fail' as 0 (1 row), percentages as fractions (2 rows)" in said.message
    assert conversion_note({"0.5": 9, "": 2}) is None
    assert conversion_note({"True": 3, "false": 1, "1": 4}) is None
    both = conversion_note({"true": 3, "no": 1})
    assert both is not None
    assert "'true' as 1 (3 rows), 'no' as 0 (1 row)" in both.message


def test_percentages_below_0_or_above_100_are_said():
    said = conversion_note({"120%": 2, "85%": 5, "-3 %": 1, "100%": 1, "0%": 1})

    assert said is not None
    assert said.message.endswith("percentages as fractions (10 rows; 3 rows below 0 or above 100 %: '-3 %')")
    assert said.data["beyond"] == 3
