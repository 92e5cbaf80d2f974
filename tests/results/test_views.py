"""What every format must say, and what results do as sequences, frames and text."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest
from tests.outputs import output_samples as samples

from scorebars.contracts import How
from scorebars.errors import OutputError
from scorebars.notes import Note
from scorebars.outputs import FORMATS, render_with
from scorebars.outputs.view import Fact
from scorebars.results import Bound, Comparison, Estimate, Estimates
from scorebars.results.describe import few_notes

EVERY = sorted(FORMATS)
RESULTS = {"estimates": samples.estimates(), "comparison": samples.comparison()}


def squeezed(form: str, result: object) -> str:
    """The output without line breaks and LaTeX's escapes."""
    return " ".join(render_with(form)(result.view()).replace("\\", "").split())


@pytest.mark.parametrize("form", EVERY)
@pytest.mark.parametrize("name", RESULTS)
def test_every_format_says_what_the_numbers_mean(form, name):
    text = squeezed(form, RESULTS[name])
    assert samples.ANSWER.question in text
    assert "200 items" in text
    assert "0.95" in text or "95 %" in text
    assert RESULTS[name][0].answer.interval in text if name == "estimates" else "percentile" in text


@pytest.mark.parametrize("form", EVERY)
def test_every_format_says_what_was_dropped(form):
    text = squeezed(form, samples.estimates())
    assert "no score" in text
    assert "3" in text


@pytest.mark.parametrize("form", EVERY)
def test_every_format_says_how_the_distribution_was_got(form):
    text = squeezed(form, Estimates((Estimate("m", samples.MONTE_CARLO),)))
    assert "20211208" in text
    assert "10,000" in text or "10000" in text
    text = squeezed(form, Estimates((Estimate("m", samples.COMPUTED),)))
    assert "computed" in text


@pytest.mark.parametrize("form", sorted(set(EVERY) - {"csv", "json"}))
def test_instead_takes_the_place_of_an_interval_without_width(form):
    text = squeezed(form, Estimates((Estimate("m", samples.ALL_EQUAL),)))
    assert "92.9, 100.0" in text
    assert "100.0, 100.0" not in text
    assert "gives no width" in text


def test_instead_is_explained_without_the_note_too():
    text = squeezed("markdown", Estimates((Estimate("m", replace(samples.ALL_EQUAL, notes=())),)))
    assert "has no width; the all-equal rule is shown in its place" in text


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_a_number_that_does_not_exist_says_why(form):
    text = squeezed(form, Estimates((Estimate("m", samples.NO_INTERVAL),)))
    assert "(few-items)" in text
    assert "nan" not in text.lower()
    assert "needs 10 or more" in text


def test_reason_without_a_note():
    answer = replace(samples.NO_INTERVAL, notes=())
    assert answer.reason == "undefined"
    assert samples.ANSWER.reason == ""


def test_json_holds_both_bounds_and_null_with_its_reason():
    document = json.loads(samples.odd_estimates().to_json())
    assert document["format_version"] == 1
    first, _, last = document["results"]
    assert (first["low"], first["high"]) == (1.0, 1.0)
    assert first["instead"] == {"low": 0.9289, "high": 1.0, "method": "the all-equal rule"}
    assert (last["low"], last["missing"]["low"]) == (None, "few-items")
    assert last["standard_error"] is None
    assert document["notes"][0]["code"] == "bars-overlap"


def test_json_of_a_one_sided_bound():
    result = json.loads(samples.graded().to_json())["results"][0]
    assert result["high"] is None
    assert result["missing"]["high"] == "one-sided"
    assert result["instead"] is None


def test_json_takes_the_numbers_of_notes_whatever_they_are():
    data = {"n": np.int64(3), "x": np.float64("nan"), "path": Path("a"), "list": (1, math.inf)}
    answer = replace(samples.ANSWER, notes=(Note("few-items", "few", data),))
    note = json.loads(Estimate("m", answer).to_json())["results"][0]["notes"][0]
    assert note["data"] == {"n": 3, "x": None, "path": "a", "list": [1, None]}


def test_csv_has_full_precision_and_one_row_a_result():
    answer = replace(samples.ANSWER, value=1 / 3, low=0.1 + 0.2)
    rows = list(csv.DictReader(io.StringIO(Estimates((Estimate("a,b", answer),) * 2).to_csv())))
    assert len(rows) == 2
    assert float(rows[0]["value"]) == 1 / 3
    assert float(rows[0]["low"]) == 0.1 + 0.2
    assert rows[0]["model"] == "a,b"
    assert rows[0]["instead_low"] == ""


def test_csv_columns_do_not_depend_on_the_data():
    heads = {Estimates((Estimate("m", a),)).to_csv().splitlines()[0] for a in (samples.ALL_EQUAL, samples.NO_INTERVAL)}
    assert len(heads) == 1


def test_csv_of_items():
    text = render_with("csv")(samples.comparison().view(items=True))
    assert text == "task,item,a,b\nalgebra,q1,1.0,0.0\nalgebra,q_2,0.0,1.0\n"
    none = render_with("csv")(samples.comparison(disagreements=()).view(items=True))
    assert none == "task,item,a,b\n"


def test_latex_escapes_what_latex_reads():
    text = samples.odd_estimates().to_latex()
    assert r"50\%\_right \& \{safe\}" in text
    assert r"\\" + "\n{[" not in text
    assert text.count(r"\toprule") == 1
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") for line in body} == {5}


def test_markdown_escapes_what_markdown_reads():
    lines = samples.odd_estimates().to_markdown().splitlines()
    assert r"a\|b" in lines[2]
    assert {line.replace(r"\|", "").count("|") for line in lines[:5]} == {7}


def test_html_escapes():
    text = Estimate("<script>", samples.ANSWER)._repr_html_()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_unpaired_is_said_in_the_first_line():
    assert str(samples.unrelated()).startswith("nothing shared, compared as unrelated samples: ")


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "model-a scores 2.0 points higher than model-b, 95 % interval −0.5 to 5.0: could be chance"),
        ({"low": 0.003}, "model-a scores 2.0 points higher than model-b, 95 % interval 0.3 to 5.0: more than chance"),
        (
            {"value": -0.02, "low": -0.04, "high": -0.001},
            "model-a scores 2.0 points lower than model-b, 95 % interval −4.0 to −0.1: more than chance",
        ),
        ({"value": 0.0}, "model-a and model-b score the same, 95 % interval −0.5 to 5.0: could be chance"),
        ({"high": math.inf}, "model-a scores 2.0 points higher than model-b, 95 % lower bound −0.5: could be chance"),
        (
            {"low": -math.inf},
            "model-a scores 2.0 points higher than model-b, 95 % upper bound 5.0: could be chance",
        ),
        (
            {"low": math.nan, "high": math.nan},
            "model-a scores 2.0 points higher than model-b: no interval (undefined), so chance cannot be ruled out",
        ),
        (
            {"score_range": None},
            "model-a scores 0.020 higher than model-b, 95 % interval −0.005 to 0.050: could be chance",
        ),
        ({"value": math.nan}, "model-a and model-b cannot be compared, 95 % interval −0.5 to 5.0: could be chance"),
    ],
)
def test_verdict(changes, line):
    comparison = samples.comparison(answer=replace(samples.comparison().answer, **changes))
    assert comparison.view().headline == f"{line} (paired on 200 shared items)"


def test_the_verdict_follows_the_interval_that_is_shown():
    answer = replace(samples.comparison().answer, low=0.1, high=0.1, value=0.1, instead=Bound(-0.2, 0.3, "rule"))
    comparison = samples.comparison(answer=answer)
    assert not comparison.significant
    assert "could be chance" in comparison.view().headline


def test_shared_but_unpaired():
    assert samples.comparison(paired=False).view().headline.endswith("(unpaired, over 200 shared items)")


def test_pairing_says_what_it_bought():
    facts = {fact.name: fact.text for fact in samples.comparison().view().facts}
    assert facts["pairing"] == (
        "by item: 200 items shared, dropped 3 items that only model-a has and 0 items that only model-b has; "
        "the interval is 5.5 points wide, unpaired it would be 19 points"
    )
    assert facts["p-value"] == "p = .043"
    plain = samples.comparison(n_dropped=(0, 0), paired=False)
    assert {f.name: f.text for f in plain.view().facts}["pairing"] == "none: 200 items shared, none dropped"


def test_approximate_states_its_error():
    answer = replace(samples.COMPUTED, distribution=How.APPROXIMATE, error=0.00021)
    facts = {fact.name: fact.text for fact in Estimate("m", answer).view().facts}
    assert facts["distribution"].endswith("(n_boot = ∞), error of each bound at most 0.021 points")


def test_estimates_are_a_sequence():
    two = samples.estimates()
    assert len(two) == 2
    assert two[1].model == "model-b"
    assert isinstance(two[:1], Estimates)
    assert [row.model for row in two] == ["model-a", "model-b"]
    assert two == samples.estimates()
    assert two[0] in two


def test_results_are_frozen():
    with pytest.raises(FrozenInstanceError):
        samples.estimates()[0].model = "x"


def test_frames():
    two = samples.estimates()
    assert two.to_polars()["value"].to_list() == [0.62, 0.6]
    assert list(two.to_pandas()["model"]) == ["model-a", "model-b"]
    assert two.to_dicts()[0]["high"] == 0.6849
    assert samples.comparison().to_dicts()[0]["n_dropped_a"] == 3
    assert two[0].to_polars().shape[0] == 1


def test_a_missing_frame_library_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(OutputError, match=r"`pip install polars`"):
        samples.estimates().to_polars()


def test_results_show_the_fields_of_their_answer():
    from dataclasses import fields

    from scorebars.results.answered import Answered

    estimate = Estimate("m", samples.ALL_EQUAL)
    shown = [name for name, value in vars(Answered).items() if isinstance(value, property)]
    assert {field.name for field in fields(samples.ANSWER)} - set(shown) == {
        *(
            "n_tasks",
            "n_attempts",
            "step",
            "redrawn",
            "notes",
            "dropped",
            "score_range",
            "seed",
            "idle_seed",
            "degrees",
            "each",
            "weights",
        ),
        "variance_split",
    }
    assert all(getattr(estimate, name) == getattr(estimate.answer, name) for name in shown if name != "error")
    assert estimate.notes == estimate.answer.notes
    assert samples.comparison().notes == ()
    assert math.isnan(Estimate("m", samples.ANSWER).error)
    assert estimate.shown == Bound(0.9289, 1.0, "the all-equal rule")


def test_a_result_shows_as_its_table():
    assert repr(samples.estimates()) == str(samples.estimates())
    assert repr(samples.comparison()).startswith("model-a scores 2.0 points higher than model-b")


def test_one_row_prints_like_a_table_of_one():
    assert str(samples.estimates()[0]) == str(Estimates((samples.estimates()[0],)))


def test_rows_that_differ_in_what_was_redrawn_say_so():
    by_run = replace(samples.ANSWER, resample=("run",), question="?", n_runs=(3, 3))
    view = Estimates((Estimate("m", samples.ANSWER), Estimate("m", by_run))).view()
    assert [column.heading for column in view.table.columns][:2] == ["model", "redraws"]
    assert {fact.rows for fact in view.facts if fact.name == "question"} == {("m / item",), ("m / run",)}


def test_of_mixed_units_each_number_carries_its_own():
    graded = replace(samples.ANSWER, value=7.0, low=6.5, high=7.5, score_range=(1.0, 10.0))
    view = Estimates((Estimate("m", samples.ANSWER), Estimate("n", graded))).view()
    assert view.table.columns[1].heading == "mean"
    assert [row.cells[1] for row in view.table.rows] == ["62.0 %", "7.00"]
    assert [row.cells[2] for row in view.table.rows] == ["[54.9, 68.5] %", "[6.50, 7.50]"]
    assert view.axis is None


def test_an_unknown_format_offers_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'markdown'"):
        render_with("markdwn")


def test_comparison_takes_keywords():
    assert isinstance(samples.comparison(), Comparison)


def test_many_sentences_that_differ_in_numbers_become_one():
    rows = [
        Estimate(
            f"m{k}", replace(samples.ANSWER, redrawn=f"{1_000 - k:,} items within {3 + k % 2} tasks", degrees=4.5 + k)
        )
        for k in range(5)
    ]
    facts = {fact.name: fact.sentence for fact in Estimates(tuple(rows)).view().facts}
    assert facts["redrawn"] == "996 to 1,000 items within 3 to 4 tasks"
    assert facts["interval"] == "Blaker, 95 %, 4.5 to 8.5 degrees of freedom"
    few = [fact.sentence for fact in Estimates(tuple(rows[:2])).view().facts if fact.name == "redrawn"]
    assert few == ["m0: 1,000 items within 3 tasks", "m1: 999 items within 4 tasks"]


def drawn(k, error, n_boot=10_000):
    words = f"drawn with {n_boot:,} resamples, seed 7; the bounds carry a Monte Carlo error of about ±{error:g}"
    answer = replace(samples.ANSWER, distribution=How.MONTE_CARLO, n_boot=n_boot, error=error, seed="seed 7")
    return Estimate(f"m{k}", replace(answer, notes=(Note("monte-carlo", words, {}),)))


def test_bounds_that_were_drawn_alike_are_said_once_with_the_range_of_their_errors():
    view = Estimates((drawn(0, 0.002), drawn(1, 0.0015), drawn(2, 0.003))).view()
    (said,) = [note for note in view.notes if note.name == "monte-carlo"]
    assert said.sentence == (
        "drawn with 10,000 resamples, seed 7; the bounds carry a Monte Carlo error of about ±0.0015 to 0.003"
    )
    assert len([note for note in view.every_note if note.name == "monte-carlo"]) == 3
    assert len([fact for fact in view.facts if fact.name == "distribution"]) == 1
    few = Estimates((drawn(0, 0.002), drawn(1, 0.0015), drawn(2, 0.003, 500))).view()
    assert [note.rows for note in few.notes if note.name == "monte-carlo"] == [("m0", "m1"), ("m2",)]


def test_numbers_that_are_merged_keep_their_signs():
    told = [("", f"{n} of 9 without a score ({n - 3.5:g} if dropped, [-{n}.5, {n}] else)") for n in range(1, 6)]
    notes = few_notes([Fact("missing-scores", text) for _, text in told], 1)
    assert [note.text for note in notes] == [
        "1 to 5 of 9 without a score (-2.5 to 1.5 if dropped, [-5.5 to -1.5, 1 to 5] else)"
    ]
    typographic = [Fact("converted", f"from −{n}.25 to 3-{n}") for n in range(1, 6)]
    assert [note.text for note in few_notes(typographic, 1)] == ["from −5.25 to −1.25 to 3-1 to 5"]


def test_different_sentences_are_never_merged():
    texts = ["1 item", "2 items", "3 items", "nothing", "4 items"]
    rows = [Estimate(f"m{k}", replace(samples.ANSWER, redrawn=text)) for k, text in enumerate(texts)]
    sentences = [fact.sentence for fact in Estimates(tuple(rows)).view().facts if fact.name == "redrawn"]
    assert sentences == ["m0: 1 item", "m1, m2, m4: 2 to 4 items", "m3: nothing"]


def test_one_bar_alone_stands_on_the_whole_scale():
    axis = samples.estimates()[0].view().axis
    assert (axis.low, axis.high, axis.low_text, axis.high_text) == (0.0, 1.0, "0.0", "100.0")
    assert samples.estimates().view().axis.low == 0.5296
