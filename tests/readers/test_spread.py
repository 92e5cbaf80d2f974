"""Several attempts of a model in a row: columns of runs and of items are proposed, and read when the user says so."""

from __future__ import annotations

import math
import shlex

import pytest
from tests.readers.test_table import write

from scorebars.errors import ArgumentError, ReadError, Remedy
from scorebars.readers.numbered import groups_of, pattern_of
from scorebars.readers.read import read

BITS = {("A", "x"): "101", ("A", "y"): "011", ("B", "x"): "000", ("B", "y"): "1 1"}
"""(model, item) -> a cell a run; blank: that run is missing."""


def long_form(text):
    """(model, item, run or column) -> score of a table of model, item and columns, by hand."""
    header, *lines = text.splitlines()
    names = header.split(",")
    cells = [line.split(",") for line in lines]
    return {
        (row[0], row[1], name): float(cell)
        for row in cells
        for name, cell in zip(names[2:], row[2:], strict=True)
        if cell
    }


def runs_table(headers):
    lines = [
        f"{model},{item},{','.join(cells.replace(' ', '-')).replace('-', '')}" for (model, item), cells in BITS.items()
    ]
    return "\n".join([f"model,item,{','.join(headers)}", *lines, ""])


def attempts(scores):
    tidy = scores.tidy()
    return {
        (model, item, run): score
        for model, item, run, score in zip(*(tidy[name] for name in ("model", "item", "run", "score")), strict=True)
        if not math.isnan(score)
    }


def remedy(error):
    """The mapping that a refusal proposes, as it is typed."""
    (said,) = [said for said in error.__notes__ if isinstance(said, Remedy)]
    words = shlex.split(said.splitlines()[-1])
    assert words[:2] == ["scorebars", "estimate"]
    return dict(zip(words[3::2], words[4::2], strict=True))


def obeyed(path, error):
    found = remedy(error)
    columns = dict(pair.split("=") for pair in found["--map"].split(",")) if "--map" in found else None
    return read(path, columns=columns, sql=found.get("--sql"))


@pytest.mark.parametrize(
    "headers",
    [
        ("run1", "run2", "run3"),
        ("seed_0", "seed_1", "seed_10"),
        ("trial 1", "trial 2", "trial 3"),
        ("score_1", "score_2", "score_3"),
        ("acc@seed1", "acc@seed2", "acc@seed3"),
        ("Attempt 1 score", "Attempt 2 score", "Attempt 3 score"),
        ("x1", "x2", "x3"),
    ],
)
def test_columns_of_runs_are_proposed_and_the_proposal_reads_them(tmp_path, headers):
    text = runs_table(headers)
    path = write(tmp_path, text)
    with pytest.raises(ReadError, match="may each hold the scores of one run") as caught:
        read(path)
    assert attempts(obeyed(path, caught.value)) == long_form(text)
    by_name = read(path, columns={"run": "+".join(headers)})
    assert attempts(by_name) == long_form(text)


def test_without_a_model_they_may_be_models(tmp_path):
    text = "item,run1,run2\na,1,0\nb,1,1\n"
    path = write(tmp_path, text, "gpt.csv")
    with pytest.raises(ReadError, match=r"are called like runs of one model, and may be models") as caught:
        read(path)
    scores = obeyed(path, caught.value)
    assert scores.models == ("gpt",)
    assert attempts(scores) == {
        ("gpt", item, run): float(cell)
        for item, cells in (("a", "10"), ("b", "11"))
        for run, cell in zip(("run1", "run2"), cells, strict=True)
    }
    assert read(path, columns={"model": "run*"}).models == ("run1", "run2")


def test_a_column_of_names_is_proposed_with_them(tmp_path):
    path = write(tmp_path, "algorithm,env,seed_0,seed_1\nppo,hop,1,2\nppo,walk,3,4\nsac,hop,5,6\nsac,walk,7,8\n")
    with pytest.raises(ReadError) as caught:
        read(path)
    assert remedy(caught.value)["--map"] == "run=seed_*,model=algorithm"
    scores = obeyed(path, caught.value)
    assert (scores.models, scores.tasks) == (("ppo", "sac"), ("hop", "walk"))
    with pytest.raises(ReadError, match="'algorithm' tells the rows apart, and its header is not known"):
        read(path, columns={"run": "seed_*"})


def test_runs_of_several_models_are_turned_by_sql(tmp_path):
    path = write(tmp_path, 'item,gpt_run1,gpt_run2,"my model run 1","my model run 2"\na,1,0,0,0\nb,1,1,,1\n')
    with pytest.raises(ReadError, match="like runs of several models, which no mapping says") as caught:
        read(path)
    assert attempts(obeyed(path, caught.value)) == {
        ("gpt", "a", "1"): 1,
        ("gpt", "a", "2"): 0,
        ("my model", "a", "1"): 0,
        ("my model", "a", "2"): 0,
        ("gpt", "b", "1"): 1,
        ("gpt", "b", "2"): 1,
        ("my model", "b", "2"): 1,
    }


def transposed(headers, models=("gpt", "claude"), first="model"):
    rows = {
        model: [(place * (number + 2)) % 3 % 2 for place in range(len(headers))] for number, model in enumerate(models)
    }
    text = "\n".join(
        [",".join([first, *headers]), *(f"{m},{','.join(map(str, cells))}" for m, cells in rows.items()), ""]
    )
    return text, {(m, name): cell for m, cells in rows.items() for name, cell in zip(headers, cells, strict=True)}


@pytest.mark.parametrize(
    ("headers", "pattern"),
    [
        ([f"q{n}" for n in range(1, 51)], "item=q*"),
        (["Question 1", "Question 2"], "item=Question *"),
        (["Paris", "Rome", "Oslo"], "item=*"),
        ([f"task_{n}" for n in range(600)], "item=task_*"),
    ],
)
def test_columns_of_items_are_proposed_and_the_proposal_reads_them(tmp_path, headers, pattern):
    text, expected = transposed(headers)
    path = write(tmp_path, text)
    with pytest.raises(ReadError) as caught:
        read(path)
    assert remedy(caught.value)["--map"] == pattern
    tidy = obeyed(path, caught.value).tidy()
    assert dict(zip(zip(tidy["model"], tidy["item"], strict=True), tidy["score"], strict=True)) == expected


def test_a_pattern_leaves_other_columns_out(tmp_path):
    text, expected = transposed(["q1", "q2", "q12"])
    lines = text.splitlines()
    text = "\n".join([f"{lines[0]},quality", *(f"{line},nice {place}" for place, line in enumerate(lines[1:]))])
    path = write(tmp_path, f"{text}\n")
    with pytest.raises(ReadError) as caught:
        read(path)
    assert remedy(caught.value)["--map"] == "item=q1*+q2*"
    tidy = obeyed(path, caught.value).tidy()
    assert dict(zip(zip(tidy["model"], tidy["item"], strict=True), tidy["score"], strict=True)) == expected
    with pytest.raises(ReadError, match="'quality' was named among the columns of scores, one for each"):
        read(path, columns={"item": "q*"})


def test_items_in_columns_under_an_unknown_model(tmp_path):
    text, expected = transposed(["q1", "q2", "q3"], first="llm")
    path = write(tmp_path, text)
    with pytest.raises(ReadError, match="like items of one model, and may be models") as caught:
        read(path)
    tidy = obeyed(path, caught.value).tidy()
    assert dict(zip(zip(tidy["model"], tidy["item"], strict=True), tidy["score"], strict=True)) == expected


@pytest.mark.parametrize("headers", [("gpt3", "gpt4"), ("model_1", "model_2"), ("pass@1", "pass@5")])
def test_other_numbered_headers_stay_models(tmp_path, headers):
    path = write(tmp_path, f"item,{','.join(headers)}\na,1,0\nb,0,1\n")
    assert set(read(path).models) == set(headers)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("model,elo\nA,1251\nB,1239\n", "--map score=elo; one number says little of its error"),
        ("model,average\nA,0.8\nB,0.7\n", "--map score=average; one number says little of its error"),
        ("model,mmlu,gsm8k\nA,0.8,0.9\nB,0.7,0.6\n", "--map 'item=*'"),
        ("rank,model,mmlu,my eval,average\n1,A,80,1,40\n2,B,70,0,35\n", "--map 'item=mmlu*+my eval'"),
    ],
)
def test_leaderboards_without_a_known_score_are_averages(tmp_path, text, remedy):
    path = write(tmp_path, text)
    with pytest.raises(ReadError, match="it has one row a model and no item, as a table of averages has") as caught:
        read(path)
    assert remedy in str(caught.value)
    (mapping,) = shlex.split(remedy.partition(";")[0].removeprefix("--map "))
    assert read(path, columns=dict([mapping.split("=")])).models == ("A", "B")


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"run": "run*", "score": "acc"}, "the columns of 'run' hold scores"),
        ({"run": "run*", "item": "i*"}, "'run' and 'item' name some; give one of them"),
    ],
)
def test_scores_are_in_one_set_of_columns(tmp_path, columns, sentence):
    path = write(tmp_path, "model,run1,run2,i1,i2,acc\nA,1,0,1,0,1\n")
    with pytest.raises(ArgumentError, match=sentence):
        read(path, columns=columns)


def test_a_pattern_that_matches_nothing(tmp_path):
    path = write(tmp_path, "model,item,run1,run2\nA,x,1,0\n")
    with pytest.raises(ReadError, match=r"no column matches 'seed\*'"):
        read(path, columns={"run": "seed*"})


def test_a_pattern_of_one_column_is_that_column(tmp_path):
    path = write(tmp_path, 'model,item,"right, or not",other\nA,x,1,0\nA,y,0,0\n')
    assert [*read(path, columns={"score": "right*"}).tidy()["score"]] == [1.0, 0.0]


def test_parts_of_a_run_are_joined_where_a_score_is_known(tmp_path):
    path = write(tmp_path, "model,item,seed1,seed2,score\nA,x,5,6,1\nA,x,7,8,0\n")
    assert sorted(read(path, columns={"run": "seed1+seed2"}).tidy()["run"]) == ["5+6", "7+8"]


def test_names_are_grouped_by_what_stands_before_their_number():
    names = ["run1", "run2", "q1", "q2", "gpt4", "gpt5", "top1", "alone"]
    assert groups_of(names) == {"run": [("run1", "run2")], "item": [("q1", "q2")], "": [("gpt4", "gpt5")]}
    assert pattern_of(["run1", "run2"], [*names, "running"]) == "run1*+run2*"
    assert pattern_of(["gpt4", "q1"], names) == "gpt4*+q1"


@pytest.mark.parametrize("size", [1, 700])
def test_a_score_that_is_the_mean_of_the_runs_beside_it_is_asked_about(tmp_path, size):
    runs = ["101", "110", "100", "000"] * size
    rows = [f"A,{n},{','.join(cells)},{round(sum(map(int, cells)) / 3, 2)}" for n, cells in enumerate(runs)]
    path = write(tmp_path, "\n".join(["model,item,run1,run2,run3,accuracy", *rows, ""]))
    with pytest.raises(ReadError, match="'accuracy' is the mean of 'run1', 'run2', 'run3', which are called") as caught:
        read(path)
    assert len(obeyed(path, caught.value).tidy()["score"]) == 12 * size
    assert len(read(path, columns={"score": "accuracy"}).tidy()["score"]) == 4 * size
    other = write(tmp_path, "\n".join(["model,item,run1,run2,run3,accuracy", "A,x,1,1,1,0", *rows[1:], ""]), "b.csv")
    assert len(read(other).tidy()["score"]) == 4 * size


def test_a_comma_in_a_header_is_typed_as_any_text(tmp_path):
    path = write(tmp_path, 'model,item,"quality, judged"\nA,1,0.5\nA,2,0.25\n')
    with pytest.raises(ReadError) as caught:
        read(path)
    assert remedy(caught.value)["--map"] == "score=quality* judged"
    assert [*obeyed(path, caught.value).tidy()["score"]] == [0.5, 0.25]
    path = write(tmp_path, 'id,"a, new","b = old"\n1,1,0\n2,0,0\n', "wide.csv")
    (said,) = [note for note in read(path).cuts().notes if note.code == "wide-models"]
    mapping = shlex.split(said.message)[-1].removesuffix(")")
    assert mapping == "model=a* new+b = old"
    assert set(read(path, columns={"model": mapping.removeprefix("model=")}).models) == {"a, new", "b = old"}


RUNS = [("resnet", 0, 0.905, 0.91), ("resnet", 1, 0.915, 0.925), ("vit", 0, 0.88, 0.89), ("vit", 1, 0.9, 0.905)]


def test_a_row_a_run_of_a_model_is_no_row_a_model(tmp_path):
    rows = [f"{m}-{s},finished,360,{m},{s},0.001,{val},0.3,{test}" for m, s, val, test in RUNS]
    path = write(tmp_path, "\n".join(["Name,State,Runtime,model,seed,lr,val/acc,val/loss,test/acc", *rows, ""]))
    with pytest.raises(ReadError, match="no column is known to hold the score") as caught:
        read(path)
    assert remedy(caught.value)["--map"] == "score=test/acc"
    tidy = obeyed(path, caught.value).tidy()
    found = set(zip(*(tidy[name].tolist() for name in ("model", "run", "score")), strict=True))
    assert found == {(model, str(seed), test) for model, seed, _, test in RUNS}


def test_a_row_a_model_with_its_only_seed_is_one(tmp_path):
    path = write(tmp_path, "model,seed,mmlu,gsm8k\nA,0,0.91,0.5\nB,0,0.92,0.6\nC,0,0.93,0.7\n")
    with pytest.raises(ReadError, match="it has one row a model"):
        read(path)
