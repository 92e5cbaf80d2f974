"""Columns of which less is better are the last to be proposed as the score, and what the user maps is said."""

from __future__ import annotations

import shlex

import pytest
from tests.readers.test_table import write

import scorebars as sb
from scorebars.cli.main import main
from scorebars.engines.headers import less_is_better
from scorebars.errors import ReadError
from scorebars.readers.read import read


def said(scores):
    return [note.message for note in scores.cuts().notes if note.code == "less-is-better"]


@pytest.mark.parametrize("name", [
    "incorrect", "Wrong", "error_rate", "errorRate", "word error rate", "val/loss", "WER", "n_errors", "gpt_loss",
    "failed", "latency_ms", "perplexity", "ter",
])  # fmt: skip
def test_names_of_which_less_is_better(name):
    assert less_is_better(name)


@pytest.mark.parametrize("name", [
    "score", "correct", "accuracy", "no_error", "error-free", "neg_loss", "win_loss", "fail_to_pass", "terminal",
    "glosses", "lossless", "terms", "", "not_wrong",
])  # fmt: skip
def test_names_of_which_more_is_better(name):
    assert not less_is_better(name)


def run(call_line):
    return main(shlex.split(call_line)[1:])


@pytest.mark.parametrize("name", ["incorrect", "Wrong", "has failed", "error_rate", "loss", "wer"])
def test_such_a_column_may_be_mapped_with_a_note(tmp_path, name):
    path = write(tmp_path, f"model,item,{name}\nA,1,1\nA,2,0\n", "a.csv")
    with pytest.raises(ReadError, match=f"; '{name}' says by name that less is better; columns"):
        read(path)
    for paths in (path, [path, write(tmp_path, f"model,item,{name}\nB,1,1\n", "b.csv")]):
        (message,) = said(read(paths, columns={"score": name}))
        assert message.startswith(f"the name of '{name}' says that less is better, and more counts as better here")


@pytest.mark.parametrize("name", ["wer", "CER", "ter", "eval_loss", "perplexity", "latency_ms", "word error rate"])
@pytest.mark.parametrize("ids", ["item", "utt_id"])
def test_the_only_measure_is_proposed_as_it_stands_and_a_note_says_how_to_read_it(tmp_path, capsys, name, ids):
    values = [0.1 * (7 * n % 10) for n in range(12)]
    path = write(tmp_path, f"{ids},{name}\n" + "".join(f"q{n},{value}\n" for n, value in enumerate(values)), "a.csv")
    with pytest.raises(ReadError, match=f"'{name}' says by name that less is better; columns") as caught:
        read(path)
    command = caught.value.__notes__[0].splitlines()[-1]
    assert shlex.split(command)[-2:] == ["--map", f"score={name}"]
    assert run(command) == 0
    assert "less-is-better" in capsys.readouterr().out
    assert sb.estimate(read(path, columns={"score": name}))[0].value == pytest.approx(sum(values) / 12)


@pytest.mark.parametrize("name", ["incorrect", "Wrong", "has failed", "n_errors"])
def test_right_and_wrong_are_turned_round_by_a_query(tmp_path, capsys, name):
    rows = "".join(f"q{n},{int(n % 3 == 0)}\n" for n in range(10))  # 0, 3, 6 and 9 are wrong
    path = write(tmp_path, f"item,{name}\n{rows}", "a.csv")
    with pytest.raises(ReadError, match="less is better") as caught:
        read(path)
    command = caught.value.__notes__[0].splitlines()[-1]
    assert run(command) == 0
    assert "less-is-better" not in capsys.readouterr().out
    assert sb.estimate(read(path, sql=shlex.split(command)[-1]))[0].value == pytest.approx(0.6)


def test_of_several_one_is_named(tmp_path):
    path = write(tmp_path, "model,item,wer,cer\nA,1,0.5,0.25\nA,2,0.25,0.5\n", "a.csv")
    with pytest.raises(ReadError, match=r"'wer', 'cer' say by name .* \(--map score=wer or another\)") as caught:
        read(path)
    assert "scorebars estimate" not in caught.value.__notes__[0]


@pytest.mark.parametrize("words", [("False", "True"), ("no", "yes")])
@pytest.mark.parametrize("name", ["failed", "has_errors"])
def test_words_are_turned_round_by_a_query(tmp_path, name, words):
    rows = "".join(f"q{n},{words[n % 3 == 0]}\n" for n in range(10))  # 0, 3, 6 and 9 are wrong
    path = write(tmp_path, f"id,{name}\n{rows}", "a.csv")
    with pytest.raises(ReadError, match=f"'{name}' holds .*, and says by name that less is better: turn it") as caught:
        read(path)
    (proposal,) = caught.value.__notes__
    assert "?" not in proposal
    assert "--map" not in proposal
    found = sb.estimate(read(path, sql=proposal.partition('--sql "')[2].removesuffix('"')))[0]
    assert found.value == pytest.approx(0.6)
    both = "".join(f"q{n},{words[n % 3 == 0]},{words[n % 2]}\n" for n in range(10))
    with pytest.raises(ReadError, match=r"--map score=fine"):
        read(write(tmp_path, f"id,{name},fine\n{both}", "b.csv"))


@pytest.mark.parametrize("key", ["utt_id", "Row Index", "uid", "runId"])
def test_ids_are_not_proposed_in_its_place(tmp_path, key):
    rows = "".join(f"{model},{n},{0.1 * (7 * n % 10)}\n" for model in "AB" for n in (3, 8, 5, 1))
    path = write(tmp_path, f"model,{key},wer\n{rows}", "a.csv")
    with pytest.raises(ReadError, match="'wer' says by name that less is better") as caught:
        read(path)
    assert "--map score=wer" in caught.value.__notes__[0]
    path = write(tmp_path, f"model,{key},value\n{rows}", "b.csv")
    with pytest.raises(ReadError) as caught:
        read(path)
    assert "--map score=value" in caught.value.__notes__[0]


def test_another_column_is_proposed_in_its_place(tmp_path):
    path = write(tmp_path, "model,item,error_rate,verdict\nA,1,0.2,1\nA,2,0.4,0\n", "a.csv")
    with pytest.raises(ReadError, match="'error_rate' says by name") as caught:
        read(path)
    assert caught.value.__notes__[0].endswith("--map score=verdict")


def test_they_are_no_models_of_a_wide_table_unless_named(tmp_path):
    path = write(tmp_path, "item,gpt,claude,loss\n1,1,0,0.5\n2,0,1,0.7\n", "a.csv")
    assert read(path).models == ("claude", "gpt")
    assert said(read(path)) == []
    both = write(tmp_path, "item,gpt_error,claude_error\n1,1,0\n2,0,1\n", "b.csv")
    with pytest.raises(ReadError, match=r"--map model=gpt_error\+claude_error"):
        read(both)
    (message,) = said(read(both, columns={"model": "gpt_error+claude_error"}))
    assert "'gpt_error', 'claude_error'" in message


@pytest.mark.parametrize(
    "text", ['{"loss": [0.5, 0.4], "val_loss": [1, 2]}', '{"model": "cnn", "loss": [1], "mae": [2]}']
)
def test_lists_of_losses_are_neither_models_nor_tasks(tmp_path, text):
    with pytest.raises(ReadError, match="'loss'"):
        read(write(tmp_path, text, "a.json"))


def test_a_metric_of_which_less_is_better_is_said_where_it_is_chosen(tmp_path):
    path = write(tmp_path, "model,item,metric,score\nA,1,wer,0.1\nA,1,acc,1\nA,2,wer,0.2\nA,2,acc,0\n", "a.csv")
    assert len(said(read(path, metric="wer"))) == 1
    assert said(read(path, metric="acc")) == []
    several = write(tmp_path, "model,item,wer,acc\nA,1,0.1,1\nA,2,0.2,0\n", "b.csv")
    assert len(said(read(several, columns={"score": "wer+acc"}, metric="wer"))) == 1
