"""What is proposed for F1, precision, recall and AUROC works as it is printed, and gives scikit-learn's numbers."""

import json
import random
import shlex

import pytest
from sklearn import metrics

from scorebars.cli.main import main

N = 60
WORDS = ("cat", "dog")


def rows(seed):
    drawn = random.Random(seed)
    truth = [drawn.randint(0, 1) for _ in range(N)]
    said = [one if drawn.random() < 0.75 else 1 - one for one in truth]
    sure = [round(0.4 * one + 0.5 * drawn.random(), 3) for one in said]
    return truth, said, sure


SIDES = {"A": rows(1), "B": rows(2)}
OF = {
    "f1": lambda truth, said, _: metrics.f1_score(truth, said),
    "precision": lambda truth, said, _: metrics.precision_score(truth, said),
    "recall": lambda truth, said, _: metrics.recall_score(truth, said),
    "auroc": lambda truth, _, sure: metrics.roc_auc_score(truth, sure),
}


def written(tmp_path, headers, spell, estimator):
    lines = [f"model,id,{headers}"]
    for model, (truth, said, sure) in SIDES.items():
        second = sure if estimator == "auroc" else [spell(one) for one in said]
        lines += [f"{model},{i},{spell(a)},{b}" for i, (a, b) in enumerate(zip(truth, second, strict=True))]
    (tmp_path / "t.csv").write_text("\n".join([*lines, ""]))


CASES = [
    *((name, "y_true,y_pred") for name in ("f1", "precision", "recall")),
    ("f1", "label,prediction"),
    ("f1", "gold,predicted"),
    ("auroc", "y_true,y_score"),
    ("auroc", "label,y_prob"),
]


@pytest.mark.parametrize("verb", ["estimate", "compare"])
@pytest.mark.parametrize("spell", [str, WORDS.__getitem__, ("no", "yes").__getitem__])
@pytest.mark.parametrize("case", CASES)
def test_the_printed_command_works(tmp_path, case, spell, verb, monkeypatch, capsys):
    estimator, headers = case
    written(tmp_path, headers, spell, estimator)
    monkeypatch.chdir(tmp_path)
    typed = [verb, "t.csv", "--estimator", estimator]
    assert main(typed) == 2
    *_, lead, command = capsys.readouterr().err.splitlines()
    assert lead.startswith(f"for {estimator}")
    assert ("'dog' as the class that is looked for (others: 'cat')" in lead) == (spell(1) == "dog")
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    expected = [OF[estimator](*SIDES[model]) for model in ("A", "B")]
    values = [one["value"] for one in found]
    assert values == pytest.approx(expected if verb == "estimate" else [expected[0] - expected[1]])


def test_a_mapping_that_was_typed_is_kept(tmp_path, monkeypatch, capsys):
    written(tmp_path, "y_true,y_pred", str, "f1")
    text = (tmp_path / "t.csv").read_text().replace("model,id", "who,id")
    (tmp_path / "t.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "t.csv", "--map", "model=who", "--estimator=f1"]) == 2
    command = capsys.readouterr().err.splitlines()[-1]
    assert command == ("  scorebars estimate t.csv --estimator f1:y_true,y_pred --map model=who,score=y_true+y_pred")
    assert main(shlex.split(command)[1:]) == 0
    assert "A" in capsys.readouterr().out


def test_without_such_an_estimator_the_share_of_right_ones_is_proposed(tmp_path, monkeypatch, capsys):
    written(tmp_path, "y_true,y_pred", str, "f1")
    monkeypatch.chdir(tmp_path)
    for more in ([], ["--estimator", "mean"]):
        assert main(["estimate", "t.csv", *more]) == 2
        command = capsys.readouterr().err.splitlines()[-1]
        assert "(y_pred = y_true)::INT AS score" in command
        assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
        values = [one["value"] for one in json.loads(capsys.readouterr().out)["results"]]
        assert values == pytest.approx([metrics.accuracy_score(*SIDES[model][:2]) for model in ("A", "B")])


def test_columns_that_a_mapping_calls_otherwise_are_named_behind_the_estimator(tmp_path, monkeypatch, capsys):
    written(tmp_path, "y_true,y_pred", str, "f1")
    monkeypatch.chdir(tmp_path)
    asked = ["estimate", "t.csv", "--map", "score=y_true+y_pred", "--estimator"]
    assert main([*asked, "f1"]) == 2
    assert "behind the estimator: NAME:COLUMN,COLUMN" in capsys.readouterr().err
    assert main([*asked, "f1:y_true,y_pred"]) == 0
    assert "F1, %" in capsys.readouterr().out
