import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorebars.engines.score_text import categories_of, conversion_note, letters_beside, score_of, words_to_number
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
        ("✓", "✗"),
        ("✅", "❌"),
        ("✔️", "✘"),
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


def test_letters_of_a_log_count_among_verdicts_alone():
    beside = ["C", "I", "P", "n", "pass", "85%", ""]
    assert [score_of(text, "", beside) for text in beside[:4]] == [1.0, 0.0, 0.5, 0.0]
    said = conversion_note({"C": 2, "P": 1})
    assert said is not None
    assert said.message.endswith("'C' as 1 (2 rows), 'P' as 0.5 (1 row)")
    for others in (["P", "N"], ["P", "C", "A"], ["P"]):
        with pytest.raises(ScoresError, match="'P' is not a score"):
            score_of("P", "", others)


def test_y_and_n_are_right_and_wrong_alone():
    assert [score_of(text, "", ["Y", "n", "True", "0.5"]) for text in ("Y", "n")] == [1.0, 0.0]
    assert words_to_number(["Y", "N"]) == []
    assert words_to_number(["Y", "N", "M"]) == ["Y", "N", "M"]
    assert words_to_number(["Y", "N", "P"]) == ["Y", "N", "P"]
    assert categories_of(["Y", "N", "maybe"]) == "Y=1,N=0,maybe=NUMBER"
    with pytest.raises(ScoresError, match="'N' is not a score"):
        score_of("N", "", ["A", "N"])


@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        (["good", "fair", "poor"], "good=1,fair=0.5,poor=0"),
        (["excellent", "good", "fair", "poor"], "excellent=1,good=0.67,fair=0.33,poor=0"),
        (["Strongly agree", "agree", "disagree"], "Strongly agree=1,agree=0.67,disagree=0.33"),
        (["great", "awesome", "excellent"], "excellent=NUMBER,great=NUMBER,awesome=NUMBER"),
        (["accepted", "rejected", "error"], "accepted=1,error=0,rejected=0"),
        (["mostly_correct", "partially_correct"], "mostly_correct=0.67,partially_correct=0.33"),
    ],
)
def test_two_grades_are_never_proposed_as_one(words, proposed):
    assert categories_of(words) == proposed


def test_every_letter_beside_another_grade_needs_its_number():
    assert words_to_number(["A", "B", "C", "D", "0.5", "nan", "12%"]) == ["A", "B", "C", "D"]
    assert words_to_number(["C", "I", "timeout", "pass"]) == ["C", "I", "timeout"]
    assert words_to_number(["C", "I", "P", "N", "correct"]) == []
    assert categories_of(["A", "C", "I"]) == "A=NUMBER,C=NUMBER,I=NUMBER"
    assert categories_of(["C", "I", "P", "timeout"]) == "C=1,P=0.5,I=0,timeout=NUMBER"
    assert categories_of(["I", "II", "III"]) == "I=NUMBER,II=NUMBER,III=NUMBER"
    assert categories_of(["left", "right"]) == "left=NUMBER,right=NUMBER"
    grades = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"]
    with pytest.raises(ScoresError) as caught:
        score_of("A+", "", grades)
    assert all(f"{grade}=NUMBER" in str(caught.value) for grade in grades)
    given = {"A": 4.0, "B": 3.0, "D": 1.0}
    assert "(--category A=4,B=3,D=1,C=NUMBER)" in letters_beside(given, ["A", "B", "C", "D"])
    assert letters_beside({"pass": 1.0, "P": 0.25}, ["pass", "C", "P"]) == ""
    assert letters_beside({"A": 4.0}, ["C", "I"]) == ""
