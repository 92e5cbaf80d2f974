"""Items that sum up the others: told by their score, which pandas and NumPy work out here, and not by their name."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest

import scorebars as sb
from scorebars.analysis import repeated_ids
from scorebars.cli.main import main
from scorebars.errors import ScoresError


def answers(n=20, models=("a", "b"), seed=4):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: (rng.random(n) < 0.6).astype(float) for name in models}, [f"q{i}" for i in range(n)])


def long(frame):
    """One row an item and model of a frame of items × models."""
    flat = frame.rename_axis("item").reset_index().melt("item", var_name="model", value_name="score")
    return sb.Scores(flat)


def said(result):
    return [note.message for note in result.notes if note.code == "summary-rows"]


def found(scores):
    return [one for one in sb.doctor(scores).findings if one.code == "summary-rows"]


def with_rows(frame, **rows):
    return pd.concat([frame, pd.DataFrame.from_dict(rows, orient="index", columns=list(frame.columns))])


@pytest.mark.parametrize("name", ["average", "Mean", "Total", "OVERALL", "all", "Avg "])
@pytest.mark.parametrize("digits", [1, 2, 3, 16])
def test_every_verb_says_what_doctor_says(name, digits):
    frame = answers(19)
    scores = long(with_rows(frame, **{name: frame.mean().round(digits).tolist()}))
    (finding,) = found(scores)
    assert "sums up the other 19 items of its model (mean)" in finding.message
    sentence = f"{finding.message}; {finding.remedy}".replace(
        " and is counted as well; ", ", in every model, and would be counted as well: "
    )
    for verb in (sb.estimate, lambda scores: sb.compare(scores, "a", "b"), sb.compare_all):
        with pytest.raises(ScoresError) as caught:
            verb(scores)
        assert str(caught.value) == sentence


@pytest.mark.parametrize("others", [(0.2, 0.9), (None, 0.9)])
def test_what_is_not_proved_in_every_model_is_said_in_a_note(others):
    """The average of other answers, which is the mean of these ones in none or one of two models."""
    frame = answers(19)
    values = [frame.mean().round(3).tolist()[0] if one is None else one for one in others]
    scores = long(with_rows(frame, average=values))
    (finding,) = found(scores)
    sentence = f"{finding.message}; {finding.remedy}"
    assert said(sb.estimate(scores)) == [sentence]
    assert said(sb.compare(scores, "a", "b").answer) == [sentence]
    assert [said(pair.answer) for pair in sb.compare_all(scores)] == [[sentence]]


def test_a_grade_that_is_the_mean_of_the_others_by_chance_is_noted():
    """One model, eight criteria, whole grades: so may one 'overall' of four, which is no proof."""
    frame = pd.DataFrame({"a": [1.0, 2, 4, 5, 5, 1, 4, 2]}, [f"c{i}" for i in range(8)])
    scores = long(with_rows(frame, overall=[3.0]))
    assert len(found(scores)) == len(said(sb.estimate(scores))) == 1


def test_the_rows_that_pandas_describes_with():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.random((30, 2)), [f"q{i}" for i in range(30)], ["a", "b"])
    (finding,) = found(long(pd.concat([frame, frame.describe()])))
    assert finding.message.startswith("items '25%', '50%', '75%' and 5 more sum up the other 30 items")


def test_sums_and_deviations():
    frame = answers(25)
    totals = with_rows(frame, total=frame.sum().tolist(), std=frame.std().round(3).tolist())
    (finding,) = found(long(totals))
    assert "'std', 'total' sum up the other 25 items of their model (standard deviation, sum)" in finding.message
    with pytest.raises(ScoresError, match=r"'std', 'total' sum up .*, in every model"):
        sb.estimate(long(totals))
    assert said(sb.estimate(long(totals.drop("total"))))


@pytest.mark.parametrize("name", ["total", "mean", "average", "min", "max", "median", "overall"])
@pytest.mark.parametrize("seed", range(10))
def test_a_question_of_that_name_is_an_item(name, seed):
    scores = long(answers(20, seed=seed).rename(index={"q7": name}))
    assert found(scores) == []
    assert said(sb.estimate(scores)) == []


def test_ratings_by_such_a_name_are_items():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.integers(1, 6, (12, 6)).astype(float), [f"q{i}" for i in range(12)], list("abcdef"))
    assert found(long(frame.rename(index={"q3": "overall"}))) == []


def test_where_all_models_are_all_right_nothing_can_be_told():
    frame = pd.DataFrame(1.0, [f"q{i}" for i in range(12)], ["a", "b"])
    assert found(long(frame.rename(index={"q3": "average"}))) == []


def test_an_average_that_is_none_of_these_answers_is_no_answer():
    assert len(found(long(with_rows(answers(10), Mean=[0.123, 0.456])))) == 1


def test_each_task_has_its_own():
    frame = answers(10)
    tasks = []
    for task in ("x", "y"):
        part = with_rows(frame if task == "x" else 1.0 - frame, average=[np.nan, np.nan])
        part.loc["average"] = part.mean().to_numpy()
        flat = part.rename_axis("item").reset_index().melt("item", var_name="model", value_name="score")
        tasks.append(flat.assign(task=task))
    (finding,) = found(sb.Scores(pd.concat(tasks)))
    assert "item 'average' sums up the other 10 items of its model (mean)" in finding.message


def test_larger_tables_are_left_to_doctor(monkeypatch):
    monkeypatch.setattr(repeated_ids, "MOST_UNITS", 19)
    frame = answers(20)
    scores = long(with_rows(frame, mean=frame.mean().tolist()))
    assert said(sb.estimate(scores)) == []
    assert len(found(scores)) == 1


def test_no_label_of_that_name_costs_no_look(monkeypatch):
    monkeypatch.setattr("scorebars.analysis.summed_up.summed_up", lambda *_: pytest.fail("was looked at"))
    assert len(sb.estimate(long(answers()))) == 2


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.xlsx"])
@pytest.mark.parametrize("verb", ["estimate", "compare"])
def test_the_command_of_the_refusal_leaves_the_row_out(wide, name, verb, tmp_path, monkeypatch, capsys):
    frame = answers(12)
    told = with_rows(frame, Mean=frame.mean().round(3).tolist()).rename_axis("item").reset_index()
    write(told if wide else told.melt("item", var_name="model", value_name="score"), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert main([verb, name]) == 2
    sentence, lead, command = capsys.readouterr().err.splitlines()
    assert "item 'Mean' sums up the other 12 items of its model (mean), in every model" in sentence
    assert lead == "without it:"
    assert command == f"  scorebars {verb} {name} --sql \"SELECT * FROM data WHERE item NOT IN ('Mean')\""
    assert main(shlex.split(command)[1:]) == 0
    out = capsys.readouterr().out
    assert "rests on     12 items" in out
    assert "summary-rows" not in out


def write(table, path):
    if path.suffix == ".xlsx":
        pytest.importorskip("openpyxl")
        table.to_excel(path, index=False)
    elif path.suffix == ".jsonl":
        table.to_json(path, orient="records", lines=True)
    elif path.suffix == ".parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")


def test_a_query_of_the_user_is_not_replaced_and_files_are_queried_one_by_one(tmp_path, monkeypatch, capsys):
    frame = answers(12)
    for name in frame:
        one = with_rows(frame[[name]], Mean=[frame[name].mean().round(3)]).rename_axis("item").reset_index()
        one.rename(columns={name: "score"}).to_csv(tmp_path / f"{name}.csv", index=False)
    monkeypatch.chdir(tmp_path)
    for typed in (["a.csv", "b.csv"], ["a.csv", "--sql", "SELECT * FROM data"]):
        assert main(["estimate", *typed]) == 2
        assert "counted as well: leave it out of the file" in (err := capsys.readouterr().err)
        assert "--sql" not in err


LAST = {"Total": sum, "Grand total": sum, "Pass rate": lambda marks: f"{100 * sum(marks) / len(marks):.1f}%"}
OLD = [1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0]
NEW = [1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0]


@pytest.mark.parametrize("name", LAST)
@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("n", [12, 1_200])
def test_the_last_row_of_a_sheet_whose_ids_have_another_header(name, wide, n, tmp_path, monkeypatch, capsys):
    sheet = {"Old": OLD * (n // 12), "New": NEW * (n // 12)}
    marks = {model: [*map(str, own), str(LAST[name](own))] for model, own in sheet.items()}
    cases = [*map(str, range(1, n + 1)), name]
    lines = ["Fall,Old,New", *map(",".join, zip(cases, *marks.values(), strict=True))]
    if not wide:
        lines = ["model,Fall,score"]
        lines += [f"{model},{case},{mark}" for model in marks for case, mark in zip(cases, marks[model], strict=True)]
    (tmp_path / "t.csv").write_text("\n".join([*lines, ""]))
    monkeypatch.chdir(tmp_path)
    query = f"SELECT * FROM data WHERE \"Fall\" NOT IN ('{name}')"
    for verb in ("estimate", "doctor"):
        main([verb, "t.csv"])
        told = " ".join(" ".join(capsys.readouterr()).split())
        assert f"item '{name}' sums up the other {n:,} items of its model" in told
        assert shlex.quote(query).replace("'\"'\"'", "") in told.replace("'\"'\"'", "")
    assert main(["estimate", "t.csv", "--sql", query]) == 0
    out = capsys.readouterr().out
    assert f"{n:,} items, 1 run each" in out
    assert "summary-rows" not in out


def test_a_row_of_that_name_under_another_header_is_an_item(tmp_path):
    lines = [f"{case},{old},{new}" for case, old, new in zip([*range(1, 12), "Total"], OLD, NEW, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["Fall,Old,New", *lines, ""]))
    assert said(sb.estimate(sb.read(tmp_path / "t.csv"))) == []
    assert found(sb.read(tmp_path / "t.csv")) == []
