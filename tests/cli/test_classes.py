"""What is proposed for F1, precision, recall and AUROC works as it is printed, and gives scikit-learn's numbers."""

import json
import random
import shlex

import pytest
from sklearn import metrics

import scorebars as sb
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


def sure_of(tmp_path, headers, spell=str, *, said=False, models=tuple(SIDES)):
    """Right answers beside how sure each model was, with the predictions between them or without."""
    lines = [headers]
    for model in models:
        truth, predicted, sure = SIDES[model]
        for i in range(N):
            answer = [spell(truth[i]), *([spell(predicted[i])] if said else []), str(sure[i])]
            named = {"model": model, "id": str(i)}
            lines.append(",".join([*(named[name] for name in headers.split(",") if name in named), *answer]))
    (tmp_path / "t.csv").write_text("\n".join([*lines, ""]))


@pytest.mark.parametrize(
    ("headers", "spell"),
    [
        ("model,id,y_true,y_score", str),
        ("id,y_true,y_score", str),
        ("y_true,y_score", str),
        ("id,y_true,y_prob", ("no", "yes").__getitem__),
        ("id,label,y_prob", ("no", "yes").__getitem__),
        ("id,label,probability", str),
        ("id,label,probability", WORDS.__getitem__),
        ("model,id,target,confidence", str),
    ],
)
def test_right_answers_and_how_sure_a_model_was_are_no_scores(tmp_path, headers, spell, monkeypatch, capsys):
    models = tuple(SIDES) if "model" in headers else ("A",)
    sure_of(tmp_path, headers, spell, models=models)
    monkeypatch.chdir(tmp_path)
    gold, sure = headers.split(",")[-2:]
    assert main(["estimate", "t.csv"]) == 2
    first, *_, command = capsys.readouterr().err.splitlines()
    assert f"it holds no score, but right answers ('{gold}') and how sure a model was ('{sure}'), of which" in first
    assert ("or 'label' says what was right (--map score=label)" in first) == (
        headers == "id,label,probability" and spell is str
    )
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    found = [one["value"] for one in json.loads(capsys.readouterr().out)["results"]]
    assert found == pytest.approx([OF["auroc"](*SIDES[model]) for model in models])


@pytest.mark.parametrize(
    "headers", ["y_true,y_pred,y_score", "id,y_true,y_pred,y_score", "model,id,label,pred,probability"]
)
def test_predictions_beside_how_sure_they_were_are_scored_by_a_query(tmp_path, headers, monkeypatch, capsys):
    models = tuple(SIDES) if "model" in headers else ("A",)
    sure_of(tmp_path, headers, said=True, models=models)
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "t.csv"]) == 2
    *_, command = capsys.readouterr().err.splitlines()
    assert "--sql" in command
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    found = [one["value"] for one in json.loads(capsys.readouterr().out)["results"]]
    assert found == pytest.approx([metrics.accuracy_score(*SIDES[model][:2]) for model in models])


def test_where_there_are_three_classes_nothing_is_proposed_and_words_of_a_judge_are_its_grades(tmp_path):
    (tmp_path / "three.csv").write_text("id,label,probability\n" + "".join(f"{i},{i % 3},0.{i}\n" for i in range(1, 9)))
    with pytest.raises(sb.ReadError, match=r"name the score \(score='COLUMN'\)|name the score \(columns=") as caught:
        sb.read(tmp_path / "three.csv")
    assert "sb.read(" not in "".join(caught.value.__notes__)
    sure_of(tmp_path, "id,label,confidence", ("incorrect", "correct").__getitem__, models=("A",))
    with pytest.raises(sb.ReadError, match="'label' holds 'correct', 'incorrect': say that it is the score"):
        sb.read(tmp_path / "t.csv")


def test_in_python_the_proposal_is_a_call(tmp_path, monkeypatch):
    sure_of(tmp_path, "model,id,y_true,y_score")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sb.ReadError) as caught:
        sb.read("t.csv")
    call = "".join(caught.value.__notes__).splitlines()[-1].strip()
    assert call.startswith("sb.estimate(sb.read('t.csv', ")
    found = eval(call, {"sb": sb})  # noqa: S307 - what was proposed
    assert [one.value for one in found.rows] == pytest.approx([OF["auroc"](*SIDES[model]) for model in SIDES])
