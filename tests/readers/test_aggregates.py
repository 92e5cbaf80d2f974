"""Summaries are refused with what is missing; what only looks like one is read."""

from __future__ import annotations

import re

import pytest
from tests.readers.test_table import read, rows, write

from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError
from scorebars.readers.read import read as read_all


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


@pytest.mark.parametrize(
    "cell",
    ["1428.55 ± 62.40", "nan ± nan", "(81.2 ± 0.4)", "81.2% ± 0.4%", "0.81 +/- 0.02", "-1.5e3 +- 12", "1,428 ± 3"],
)
@pytest.mark.parametrize("header", ["game,PPO,DQN", ",PPO,DQN", "model,score,note"])
def test_cells_with_their_errors(tmp_path, engine, cell, header):
    path = write(tmp_path, f'{header}\nAlien,"{cell}","{cell}"\nPong,"1.0 ± 0.1",\n')
    with pytest.raises(
        ReadError, match=r"a\.csv: its cells are means with their errors, such as '.*one row an attempt"
    ):
        read(path, engine)


@pytest.mark.parametrize(
    "header",
    ["standard_error", "stderr", "Std Dev", "acc_stderr", "CI", "ci_low", "rating_q025", "n_total", "score_std", "95%"],
)
def test_leaderboards(tmp_path, engine, header):
    cell = '"(-1.88, +1.97)"' if header == "95%" else "0.5"
    path = write(tmp_path, f"model,score,{header}\nA,82.6,{cell}\nB,79.4,{cell}\n")
    with pytest.raises(
        ReadError, match=rf"table of summed-up results: one row a model, with '{header}' beside 'score'"
    ):
        read(path, engine)
    assert rows(path, engine, {"score": "score"}, ("model", "score")) == [("A", "82.6"), ("B", "79.4")]


def test_a_leaderboard_whose_models_are_an_index(tmp_path, engine):
    path = write(tmp_path, ",win_rate,standard_error,n_total\ngpt,97.7,0.5,804\n")
    with pytest.raises(ReadError, match="'standard_error', 'n_total' beside 'win_rate'"):
        read(path, engine)


@pytest.mark.parametrize(
    "text",
    [
        "model,item,score,stderr\nA,1,1,0\nA,2,0,0\n",  # an item column: each row is an attempt, whatever stands beside
        "model,seed,score,std\nA,1,0.5,0.1\nA,2,0.6,0.1\n",
        "item,a,b,std\n1,1,0,0.5\n2,1,1,0.5\n",
        'item,score,note\n1,1,"± a bit"\n2,0,"(1, 2)"\n',
        "score,text\n1,error ± 3\n0,\n",
    ],
)
def test_what_only_looks_like_one(tmp_path, engine, text):
    found, _ = read(write(tmp_path, text), engine)
    assert "std" not in found["model"]
    assert set(found["score"]) <= {"0", "1", "0.5", "0.6"}


@pytest.mark.parametrize("text", ["item,text,more\n1,a,b\n", "instance_id,quality\nx,good\ny,poor\n"])
def test_tables_without_scores(tmp_path, engine, text):
    with pytest.raises(ReadError, match=r"a\.csv: it holds no scores: none of its columns has numbers, or words for"):
        read(write(tmp_path, text), engine)


def test_a_proposal_shows_an_example_of_each_column(tmp_path, engine):
    text = "agent,model,domain,task,n,reward\n,y,d,t 1,3,1\nx,y,d,t 2," + "long " * 30 + ",1\nx,z,d,t 1,3,1\n"
    path = write(tmp_path, text, "a b.csv")
    with pytest.raises(ReadError) as caught:
        read(path, engine)
    (said,) = caught.value.__notes__
    lines = said.splitlines()
    assert lines[0] == "columns, each with its first value:"
    assert [line.split()[0] for line in lines[1:7]] == ["agent", "model", "domain", "task", "n", "reward"]
    assert [line.split()[-1] for line in lines[1:5]] == ["model?", "model?", "task?", "item?"]
    assert lines[-1] == f"  scorebars estimate '{path}' --map model=agent+model,task=domain,item=task"
    assert max(map(len, lines[:-1])) < 80
    columns = dict(pair.split("=") for pair in ["model=agent+model", "task=domain", "item=task"])
    assert rows(path, engine, columns, ("model", "item"))[1] == ("x+y", "t 2")


def test_task_id_is_the_benchmark_or_the_item(tmp_path, engine):
    path = write(tmp_path, "model,id,task_id,score\nA,1,2,1\n")
    with pytest.raises(ReadError) as caught:
        read(path, engine)
    assert caught.value.__notes__[0].endswith("--map item=id,task=task_id")


def test_the_only_column_of_numbers_is_proposed_as_the_score(tmp_path, engine):
    with pytest.raises(ReadError) as caught:
        read(write(tmp_path, "model,item,quality,verdict\nA,1,0.5,fine\n"), engine)
    assert caught.value.__notes__[0].endswith("--map score=quality")
    with pytest.raises(ReadError) as caught:
        read(write(tmp_path, "model,item,one,two\nA,1,0.5,3\n"), engine)
    assert "if that is what they are" not in caught.value.__notes__[0]


ONE_NUMBER = [
    ("model,score\nA,0.8\nB,0.7\n", "it has one row a model and no item, as a table of averages has", "score=score"),
    (
        "model,benchmark,accuracy\nA,x,80\nA,y,70\nB,x,60\nB,y,50\n",
        "it has one row a model and task and",
        "score=accuracy",
    ),
    ("accuracy\n0.8\n", "it has a single row and no item", "score=accuracy"),
    ("model,metric,score\nA,f1,0.8\nA,em,0.7\n", "it has one row a model and no item", "score=score"),
    ('[{"model": "A", "accuracy": 0.8, "n": 100}, {"model": "B", "accuracy": 0.7, "n": 100}]', "one row a model", ""),
    (
        '{"A": {"accuracy": 0.8, "f1": 0.5}, "B": {"accuracy": 1, "f1": 1}}',
        "its keys have one accuracy each, such as 0.8 for 'A', which is an average over items",
        "item=key",
    ),
    ('{"A": {"mmlu": 0.8, "gsm8k": 1}, "B": {"mmlu": 0.5}}', "it has one number for each of 'gsm8k', 'mmlu'", "item="),
]


@pytest.mark.parametrize(("text", "sentence", "remedy"), ONE_NUMBER)
def test_one_number_a_model_is_an_average(tmp_path, text, sentence, remedy):
    path = tmp_path / ("a.json" if text.startswith(("[", "{")) else "a.csv")
    path.write_text(text)
    with pytest.raises(ReadError, match=sentence) as caught:
        read_all(path)
    assert f"--map {remedy}" in str(caught.value)
    role, column = re.search(r"--map (\w+)=(\w+)", str(caught.value)).groups()
    assert read_all(path, columns={role: column}).models


@pytest.mark.parametrize(
    "text",
    [
        "model,score\nA,0.8\nA,0.7\nB,1\n",
        "game,seed,score\nPong,1,0.8\n",
        '{"q1": {"accuracy": 1}, "q2": {"accuracy": 0}}',
        '{"q1": {"f1": 0.5}, "q2": {"f1": 0.7}}',
        '{"A": {"q1": 0.8, "q2": 1}}',
    ],
)
def test_rows_that_may_be_attempts_are_read(tmp_path, text):
    path = tmp_path / ("a.json" if text.startswith("{") else "a.csv")
    path.write_text(text)
    assert read_all(path).models


def test_a_folder_of_means_with_errors_says_what_they_are(tmp_path):
    rows = "Pong,20.5 ± 0.3,19.1 ± 0.2\nQbert,15.5 ± 4.3,11.1 ± 0.2\n"
    (tmp_path / "table.csv").write_text(f"Environment,one,two\n{rows}")
    with pytest.raises(ReadError, match=r"'table.csv' holds means with their errors \('±'\) and not the attempts"):
        read_all(tmp_path)
