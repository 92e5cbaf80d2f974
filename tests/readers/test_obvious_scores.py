"""Scores that nobody has to name: the only verdict, a value beside its metric, a member, what --metric says.

Beside each, the case next to it in which the score must be asked for.
"""

from __future__ import annotations

import json

import pandas as pd
import pytest

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

N = 40
MANY = 60_000
"""Rows of a table that is read as large ones are."""


def table(n=N, **columns):
    """Two models and n questions each; scores repeat 1, 0, 0 for the one and 1, 0 for the other."""
    ids = [f"q{i}" for i in range(n)]
    right = [i % 3 == 0 for i in range(n)] + [i % 2 == 0 for i in range(n)]
    frame = pd.DataFrame({"model": ["a"] * n + ["b"] * n, "question_id": ids * 2})
    return frame.assign(**{name: make(right) for name, make in columns.items()})


def words(yes, no):
    return lambda right: [yes if each else no for each in right]


def constant(text):
    return lambda right: [text] * len(right)


def counted(right):
    return list(range(len(right)))


def numbers(right):
    return [round(0.1 + each * 0.5 + i % 7 / 100, 3) for i, each in enumerate(right)]


def means(scores):
    return {one.model: one.value for one in sb.estimate(scores)}


def expected(n=N):
    return {"a": sum(i % 3 == 0 for i in range(n)) / n, "b": sum(i % 2 == 0 for i in range(n)) / n}


@pytest.fixture
def saved(tmp_path):
    def save(frame, name="a.csv"):
        path = tmp_path / name
        frame.to_csv(path, index=False)
        return path

    return save


VERDICTS = {"duration": numbers, "comment": constant("well said")}
"""What stands beside a verdict and can be no score."""


@pytest.mark.parametrize(
    ("header", "yes", "no"),
    [
        ("verdict", "PASS", "FAIL"),
        ("result", "pass", "fail"),
        ("Outcome", "passed", "failed"),
        ("judgement", "correct", "incorrect"),
        ("Pass/Fail", "Pass", "Fail"),
        ("status", "passed", "failed"),
        ("Correct?", "Yes", "No"),
        ("Is Correct?", "1", "0"),
        ("Score (0-1)", "1", "0"),
        ("Accuracy (%)", "1", "0"),
    ],
)
def test_the_only_verdict_is_the_score(saved, header, yes, no):
    frame = table(**{header: words(yes, no)}, **VERDICTS)
    assert means(read(saved(frame))) == pytest.approx(expected())


@pytest.mark.parametrize("header", ["verdict", "status", "Passed?"])
def test_it_is_so_in_large_tables(saved, header):
    frame = table(MANY, **{header: words("passed", "failed")}, **VERDICTS)
    assert means(read(saved(frame))) == pytest.approx(expected(MANY))


@pytest.mark.parametrize(
    "columns",
    [
        {"result": words("yes", "no")},  # what was answered, perhaps
        {"verdict": words("True", "False")},  # of a claim
        {"outcome": words("success", "failure")},  # of the run
        {"status": words("success", "failure")},
        {"status": words("passed", "error")},
        {"verdict": words("pass", "partial")},
        {"verdict": words("pass", "fail"), "quality": numbers},
        {"verdict": words("pass", "fail"), "wer": numbers},
        {"verdict": words("pass", "fail"), "result": words("pass", "fail")},
        {"result": words("pass", "fail"), "expected": words("fail", "pass")},
    ],
)
def test_a_verdict_that_may_be_something_else_is_asked_about(saved, columns):
    with pytest.raises(ReadError):
        read(saved(table(**columns)))


def test_a_known_score_goes_before_a_verdict(saved):
    frame = table(score=words(0, 1), verdict=words("pass", "fail"))
    assert means(read(saved(frame))) == pytest.approx({model: 1 - mean for model, mean in expected().items()})


def test_headers_with_a_question_mark_or_a_scale_are_alike_in_frames():
    for header in ("Correct?", "Score (1-5)", "Accuracy (%)"):
        assert means(sb.Scores(table(**{header: words(1, 0)}))) == pytest.approx(expected())


@pytest.mark.parametrize("header", ["score (draft)", "Score (see sheet 2)", "(1-5)"])
def test_other_words_in_brackets_are_not_left_out(saved, header):
    with pytest.raises(ReadError):
        read(saved(table(**{header: numbers, "other": numbers})))


@pytest.mark.parametrize("n", [N, MANY])
def test_the_value_of_a_metric_is_its_score(saved, n):
    frame = table(n, metric=constant("correctness"), value=words(1.0, 0.0))
    assert means(read(saved(frame))) == pytest.approx(expected(n))
    assert means(sb.Scores(frame)) == pytest.approx(expected(n))


def test_a_value_without_a_metric_is_asked_about(saved):
    with pytest.raises(ReadError, match="no column is known to hold the score"):
        read(saved(table(value=words(1.0, 0.0))))


@pytest.mark.parametrize("n", [N, MANY])
def test_the_metric_that_is_asked_for_is_a_column(saved, n):
    frame = table(n, **{"ndcg@10": words(1, 0), "mrr": numbers, "known": numbers})
    assert means(read(saved(frame), metric="ndcg@10")) == pytest.approx(expected(n))
    with pytest.raises(ReadError, match="no column is known to hold the score"):
        read(saved(frame))


def test_a_metric_beside_a_known_score_is_the_one_that_is_asked_for(saved):
    frame = table(correct=words(0, 1), auc=words(1, 0))
    assert means(read(saved(frame), metric="auc")) == pytest.approx(expected())
    assert means(read(saved(frame))) == pytest.approx({model: 1 - mean for model, mean in expected().items()})


def test_a_metric_that_is_no_column_of_numbers_is_an_error(saved):
    frame = table(correct=words(1, 0), comment=constant("well said"))
    for metric in ("comment", "auc"):
        with pytest.raises(sb.ScorebarsError):
            read(saved(frame), metric=metric)


def json_lines(tmp_path, score, n=N):
    rows = [
        {"id": row.question_id, "model": row.model, **score(row.correct)}
        for row in table(n, correct=words(1, 0)).itertuples()
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("n", [N, 20_000])
def test_the_member_of_an_object_that_is_a_number_is_the_score(tmp_path, n):
    path = json_lines(tmp_path, lambda right: {"score": {"value": right, "reason": "because"}}, n)
    assert means(read(path)) == pytest.approx(expected(n))


def test_of_two_members_the_score_is_asked_for(tmp_path):
    path = json_lines(tmp_path, lambda right: {"score": {"max": 4, "value": right}})
    with pytest.raises(ReadError, match=r"'score.max', 'score.value' could each be the score.*--map score=score.value"):
        read(path)
    assert means(read(path, columns={"score": "score.value"})) == pytest.approx(expected())


@pytest.mark.parametrize("n", [N, 20_000])
@pytest.mark.parametrize("inner", [{"value": 1}, {"a": 1, "b": [2]}])
def test_one_object_among_numbers_is_no_score_and_never_the_only_one(tmp_path, n, inner):
    rights = iter(range(2 * n))
    path = json_lines(tmp_path, lambda right: {"score": inner if next(rights) == 17 else right}, n)
    with pytest.raises(
        ReadError, match=r"'score' is the object \{.*\} in row 18 and '1' in row 1, .* write the number"
    ):
        read(path)


@pytest.mark.parametrize("column", ["result", "scores"])
def test_one_number_among_objects_is_not_left_out(tmp_path, column):
    rights = iter(range(2 * N))
    path = json_lines(tmp_path, lambda right: {column: 0 if next(rights) == 17 else {"score": right}})
    with pytest.raises(ReadError, match=rf"'{column}' is the object .* in row 1 and '0' in row 18"):
        read(path)


@pytest.mark.parametrize("none", [None, "n/a"])
def test_no_score_among_objects_is_missing(tmp_path, none):
    rights = iter(range(2 * N))
    path = json_lines(tmp_path, lambda right: {"score": none if next(rights) == 17 else {"value": right}})
    scores = read(path)
    assert means(scores)["b"] == pytest.approx(expected()["b"])
    assert means(scores)["a"] == pytest.approx(sum(i % 3 == 0 for i in range(N) if i != 17) / (N - 1))


def test_lists_of_named_scores_are_refused_with_their_query(tmp_path):
    path = json_lines(
        tmp_path, lambda right: {"scores": [{"name": "accuracy", "value": right}, {"name": "brevity", "value": 0.5}]}
    )
    with pytest.raises(ReadError, match="such as 'accuracy' under 'name' with its 'value'") as told:
        read(path)
    (said,) = told.value.__notes__
    assert means(read(path, sql=said.options["--sql"], metric="accuracy")) == pytest.approx(expected())


@pytest.mark.parametrize(
    ("columns", "mapping"),
    [
        ({"wer": numbers, "duration": numbers}, {"--map": "score=wer"}),
        (
            {"inputs.q": constant("x y"), "outputs.tone.tone": numbers, "outputs.tone.reason": constant("so it is")},
            {"--map": "score=outputs.tone.tone"},
        ),
    ],
)
def test_the_only_candidate_is_proposed(saved, columns, mapping):
    path = saved(table(**columns))
    with pytest.raises(ReadError) as told:
        read(path)
    (said,) = told.value.__notes__
    assert said.options == mapping
    role, column = mapping["--map"].split("=")
    assert read(path, columns={role: column}).models == ("a", "b")


def test_of_two_that_count_what_is_wrong_none_is_proposed(saved):
    with pytest.raises(ReadError) as told:
        read(saved(table(wer=numbers, cer=numbers)))
    assert not any(hasattr(said, "options") for said in told.value.__notes__)


def test_columns_beside_a_seed_are_proposed_as_models(saved):
    path = saved(pd.DataFrame({"seed": range(6), "baseline": [0.5, 0.6] * 3, "ours": [0.7, 0.6] * 3}))
    with pytest.raises(ReadError) as told:
        read(path)
    (said,) = told.value.__notes__
    assert said.options == {"--map": "model=baseline+ours"}
    assert means(read(path, columns={"model": "baseline+ours"})) == pytest.approx({"baseline": 0.55, "ours": 0.65})


def test_words_for_right_and_wrong_are_not_said_to_be_none(saved):
    with pytest.raises(ReadError) as told:
        read(saved(table(is_safe=words("True", "False"))))
    assert "no column is known to hold the score; 'is_safe' holds" in str(told.value)
    assert "words for right and wrong" not in str(told.value)


def test_listeners_are_runs_first(saved):
    frame = pd.concat([table(mos=words(4, 2)).assign(listener=f"L{k}") for k in range(3)])
    with pytest.raises(ReadError) as told:
        read(saved(frame), columns={"score": "mos"})
    assert told.value.__notes__[0].options["--map"].endswith("run=listener")


class TestSheets:
    @pytest.fixture
    def written(self, tmp_path):
        pytest.importorskip("openpyxl")

        def write(**sheets):
            path = tmp_path / "a.xlsx"
            with pd.ExcelWriter(path) as book:
                for name, frame in sheets.items():
                    frame.to_excel(book, sheet_name=name, index=False)
            return path

        return write

    def test_a_sheet_that_explains_the_other_is_no_choice(self, written):
        path = written(README=pd.DataFrame({"About": ["Exported", "by the team"]}), Results=table(correct=words(1, 0)))
        scores = read(path)
        assert means(scores) == pytest.approx(expected())
        assert ("sheet", "'Results'; no column of 'README' holds numbers, or words for right and wrong") in (
            scores.columns
        )

    def test_two_sheets_of_numbers_are_asked_about(self, written):
        path = written(Summary=pd.DataFrame({"model": ["a"], "mean": [0.3]}), Results=table(correct=words(1, 0)))
        with pytest.raises(ReadError, match=r"has several sheets \('Summary', 'Results'\): choose one"):
            read(path)

    def test_sheets_of_models_are_read_as_the_sentence_says(self, written):
        frame = table(correct=words(1, 0)).drop(columns="model")
        path = written(a=frame[:N], b=frame[N:])
        with pytest.raises(ReadError) as told:
            read(path)
        assert str(told.value).endswith(f"each of which is a model then ('{path}#a' '{path}#b')")
        assert means(read([f"{path}#a", f"{path}#b"])) == pytest.approx(expected())


def test_as_many_rows_are_said_to_be_items_as_a_run_has(saved):
    episodes = pd.DataFrame([(a, s, e, a * 3 + s + e) for a in (1, 2) for s in range(4) for e in range(10)])
    path = saved(episodes.set_axis(["agent", "seed", "episode", "reward"], axis=1))
    (said,) = [one.message for one in read(path).cuts().notes if one.code == "rows-as-items"]
    assert said.startswith("there is no item column: each of 10 rows is taken as an item")
