"""Summaries are refused with what is missing; what only looks like one is read."""

from __future__ import annotations

import pytest
from tests.readers.test_table import read, rows, write

from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError


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
    path = write(
        tmp_path, "agent,model,domain,task,n,reward\n,y,d,t 1,3,1\nx,y,d,t 2," + "long " * 30 + ",1\n", "a b.csv"
    )
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
