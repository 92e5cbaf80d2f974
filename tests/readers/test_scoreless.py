"""Tables without a score: answers beside predictions, grades in words, tracked runs. What is proposed reads them."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.readers.test_spread import obeyed, remedy
from tests.readers.test_table import write

from scorebars.cli.build import categories
from scorebars.errors import ReadError, Remedy, ScoresError
from scorebars.readers.read import read

GOLD = ["A", "B", "C", "A", "D"]
SAID = ["A", "C", "C", "B", "D"]
RIGHT = [1.0, 0.0, 1.0, 0.0, 1.0]


def answers(gold, said, pairs=None):
    pairs = pairs or zip(GOLD, SAID, strict=True)
    return "\n".join([f"id,{gold},{said}", *(f"{n},{a},{b}" for n, (a, b) in enumerate(pairs)), ""])


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ("gold", "prediction"),
        ("label", "pred"),
        ("target", "response"),
        ("answer", "output"),
        ("gold", "answer"),
        ("Ground Truth", "Model Answer"),
        ("expected", "predicted-label"),
        ("y_true", "y_pred"),
        ("y_test", "y_hat"),
        ("Actual", "Predictions"),
    ],
)
def test_answers_beside_predictions_are_scored_by_a_query(tmp_path, gold, said):
    path = write(tmp_path, answers(gold, said))
    with pytest.raises(ReadError, match=f"no score, but right answers \\('{gold}'\\) and predictions") as caught:
        read(path)
    assert obeyed(path, caught.value).tidy()["score"].tolist() == RIGHT


def test_numbers_and_texts_are_compared_as_texts_and_numbers_as_numbers(tmp_path):
    mixed = write(tmp_path, answers("gold", "pred", [("1", "1"), ("2", "two"), ("3", "4")]), "mixed.csv")
    with pytest.raises(ReadError) as caught:
        read(mixed)
    assert obeyed(mixed, caught.value).tidy()["score"].tolist() == [1.0, 0.0, 0.0]
    numbers = write(tmp_path, answers("gold", "pred", [("1", "1.0"), ("0", "1.5"), ("0", "0")]), "numbers.csv")
    with pytest.raises(ReadError, match="'gold' is called like the right answers") as caught:
        read(numbers)
    assert obeyed(numbers, caught.value).tidy()["score"].tolist() == [1.0, 0.0, 1.0]


def test_predictions_of_several_models(tmp_path):
    text = "\n".join(
        ["id,target,gpt_prediction,my model prediction"]
        + [f"{n},{a},{b},{a}" for n, (a, b) in enumerate(zip(GOLD, SAID, strict=True))]
    )
    path = write(tmp_path, text + "\n")
    with pytest.raises(ReadError) as caught:
        read(path)
    tidy = obeyed(path, caught.value).tidy()
    assert [s for m, s in zip(tidy["model"], tidy["score"], strict=True) if m == "gpt"] == RIGHT
    assert [s for m, s in zip(tidy["model"], tidy["score"], strict=True) if m == "my model"] == [1.0] * 5


CLASSES = [0, 1, 2, 1, 0, 2, 1, 0]
FOREST = [0, 1, 1, 1, 0, 2, 0, 0]
BOOST = [1, 1, 2, 1, 2, 2, 1, 1]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("index", ["", "id"])
def test_classes_beside_their_predictions_are_no_scores(tmp_path, n_classes, index):
    rows = [[min(n_classes - 1, c) for c in row] for row in zip(CLASSES, FOREST, BOOST, strict=True)]
    lines = [f"{n},{','.join(map(str, row))}" for n, row in enumerate(rows)]
    path = write(tmp_path, "\n".join([f"{index},y_true,y_pred_forest,y_pred_boost", *lines, ""]))
    with pytest.raises(ReadError, match="'y_true' is called like the right answers, so that 'y_pred_forest'") as caught:
        read(path)
    tidy = obeyed(path, caught.value).tidy()
    scores = {model: [] for model in ("forest", "boost")}
    for model, score in zip(tidy["model"], tidy["score"], strict=True):
        scores[model].append(score)
    assert scores == {
        "forest": [float(truth == forest) for truth, forest, _ in rows],
        "boost": [float(truth == boost) for truth, _, boost in rows],
    }


def test_the_probability_beside_a_predicted_class_is_no_prediction(tmp_path):
    path = write(tmp_path, "id,y_true,y_pred,y_score\n1,1,1,0.9\n2,0,1,0.6\n3,0,0,0.2\n")
    with pytest.raises(ReadError, match=r"so that 'y_pred' may be predictions \(score them with --sql\)") as caught:
        read(path)
    assert obeyed(path, caught.value).tidy()["score"].tolist() == [1.0, 0.0, 1.0]


def test_predictions_of_measured_numbers_are_scored_by_their_distance(tmp_path):
    path = write(tmp_path, "id,y_true,y_pred\n1,2.5,2.75\n2,3.25,3.0\n3,4.125,4.125\n")
    with pytest.raises(ReadError, match="here as minus their distance") as caught:
        read(path)
    assert obeyed(path, caught.value).tidy()["score"].tolist() == [-0.25, -0.25, 0.0]


def test_labels_are_no_model(tmp_path):
    path = write(tmp_path, "id,label,gpt,claude\n1,0,1,0\n2,1,1,1\n3,1,0,1\n")
    with pytest.raises(ReadError, match=r"or scores of models \(--map model=gpt\+claude\)") as caught:
        read(path)
    tidy = obeyed(path, caught.value).tidy()
    assert dict(zip(zip(tidy["model"], tidy["item"], strict=True), tidy["score"], strict=True)) == {
        ("gpt", "1"): 0, ("gpt", "2"): 1, ("gpt", "3"): 0, ("claude", "1"): 1, ("claude", "2"): 1, ("claude", "3"): 1,
    }  # fmt: skip
    assert set(read(path, columns={"model": "gpt+claude"}).models) == {"gpt", "claude"}


def test_another_column_that_looks_like_the_score_goes_before_them(tmp_path):
    path = write(tmp_path, "id,answer,output,quality\n1,a,b,0.5\n2,a,a,0.25\n")
    with pytest.raises(ReadError, match="no column is known to hold the score") as caught:
        read(path)
    assert remedy(caught.value)["--map"] == "score=quality"


VERDICTS = ["good", "partial", "poor", "good", "partial", "good"]
NUMBERS = {"good": 1.0, "partial": 0.5, "poor": 0.0}


def graded(name="verdict", words=VERDICTS):
    return [{"model": "A", "id": f"q{n}", name: word} for n, word in enumerate(words)]


@pytest.mark.parametrize("name", ["verdict", "Judgement", "how_it_went"])
@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
def test_grades_in_words_are_proposed_with_their_numbers(tmp_path, name, ending):
    records = graded(name)
    text = {
        "csv": "\n".join([f"model,id,{name}", *(",".join(record.values()) for record in records), ""]),
        "json": json.dumps(records),
        "jsonl": "".join(json.dumps(record) + "\n" for record in records),
    }[ending]
    path = write(tmp_path, text, f"a.{ending}")
    with pytest.raises(
        ReadError, match=f"'{name}' holds 'good', 'partial', 'poor': say that it is the score"
    ) as caught:
        read(path)
    found = remedy(caught.value)
    assert found == {"--map": f"score={name}", "--category": "good=1,partial=0.5,poor=0"}
    scores = read(path, columns={"score": name}, categories=categories([found["--category"]]))
    assert scores.tidy()["score"].tolist() == [NUMBERS[word] for word in VERDICTS]


def test_words_that_say_nothing_are_listed_and_get_no_number(tmp_path):
    rows = [f"A,{n},{word},x{n}" for n, word in enumerate(["blue", "red", "good", "blue", "red"])]
    path = write(tmp_path, "\n".join(["model,id,verdict,note", *rows, ""]))
    with pytest.raises(ReadError, match="--category good=1,blue=NUMBER,red=NUMBER") as caught:
        read(path)
    assert not any(isinstance(said, Remedy) for said in caught.value.__notes__)


@pytest.mark.parametrize(("right", "wrong"), [("CORRECT", "NOT_ATTEMPTED"), ("Correct ", "Wrong")])
def test_a_word_that_comes_late_is_asked_for_at_once(tmp_path, right, wrong):
    rows = [f"A,{n},{wrong if n > 15 and n % 5 == 0 else right}" for n in range(60)]
    path = write(tmp_path, "\n".join(["model,id,verdict", *rows, ""]))
    with pytest.raises(ReadError, match=rf"'verdict' holds '{wrong}': say .*--category {wrong}=(0|NUMBER)"):
        read(path)
    scores = read(path, columns={"score": "verdict"}, categories={wrong: 0.25})
    assert scores.tidy()["score"].tolist() == [0.25 if n > 15 and n % 5 == 0 else 1.0 for n in range(60)]


def test_a_status_of_verdicts_is_proposed_where_there_is_no_score(tmp_path):
    words = ["pass", "fail", "timeout", "error"] * 3
    path = write(tmp_path, "\n".join(["model,id,status", *(f"A,{n},{word}" for n, word in enumerate(words)), ""]))
    with pytest.raises(ReadError, match="--map score=status --category error=0,timeout=NUMBER"):
        read(path)
    scores = read(path, columns={"score": "status"}, categories={"error": 0, "timeout": 0.25})
    assert scores.tidy()["score"].tolist() == [1.0, 0.0, 0.25, 0.0] * 3
    rows = [f"A,{n},{n / 8},{word}" for n, word in enumerate(["pass", "fail"] * 4)]
    path = write(tmp_path, "\n".join(["model,id,latency_ms,status", *rows, ""]), "b.csv")
    with pytest.raises(ReadError, match=r"say that it is the score \(--map score=status\)") as caught:
        read(path)
    assert remedy(caught.value) == {"--map": "score=status"}
    path = write(tmp_path, path.read_text().replace("pass", "success").replace("fail", "error"), "c.csv")
    with pytest.raises(ReadError, match="no column is known to hold the score"):
        read(path)


def test_letter_grades_are_proposed_with_all_their_letters(tmp_path):
    path = write(tmp_path, "\n".join(["model,id,grade", *(f"A,{n},{'ABCD'[n % 4]}" for n in range(8)), ""]))
    with pytest.raises((ReadError, ScoresError), match="--category A=NUMBER,B=NUMBER,C=NUMBER,D=NUMBER"):
        read(path).cuts()


def test_texts_are_no_grades(tmp_path):
    rows = [f"A,{n},text number {n},topic {n % 2}" for n in range(6)]
    path = write(tmp_path, "\n".join(["model,id,response,topic", *rows, ""]))
    with pytest.raises(ReadError, match="none of its columns has numbers, or words for right and wrong; columns"):
        read(path)


@pytest.mark.parametrize("size", [1, 400])
def test_words_of_a_known_score_are_all_named_at_once(tmp_path, size):
    rows = [f"A,{n},{word}" for n, word in enumerate(["very good", *VERDICTS, "", "pass"] * size)]
    path = write(tmp_path, "\n".join(["model,id,score", *rows, ""]))
    with pytest.raises(ScoresError) as caught:
        read(path).cuts()
    option = str(caught.value).partition("say what each counts: ")[2].removesuffix(")")
    words = shlex.split(option)
    assert words == ["--category", "very good=1,good=0.67,partial=0.33,poor=0"]
    assert read(path, categories=categories(words[1:])).cuts().cuts


@pytest.mark.parametrize("header", ["Frage;Modell A;Modell B", "id;A;B"])
def test_decimal_commas_are_named_where_no_column_is_the_score(tmp_path, header):
    rows = [("0,53", "0,5"), ("0,58", "1,0"), ("1", "0,25"), ("0,75", "0,625")]
    path = write(tmp_path, "\n".join([header, *(f"q{n};{a};{b}" for n, (a, b) in enumerate(rows)), ""]))
    models = header.split(";")[1:]
    for columns in ({}, {"model": "+".join(models)}):
        with pytest.raises(
            ReadError, match=r"hold numbers with a decimal comma, such as '0,53'; write 0\.53, or"
        ) as caught:
            read(path, columns=columns)
    tidy = obeyed(path, caught.value).tidy()
    expected = {(models[0], x) for x in (0.53, 0.58, 1.0, 0.75)} | {(models[1], x) for x in (0.5, 1.0, 0.25, 0.625)}
    assert set(zip(tidy["model"], tidy["score"], strict=True)) == expected


COMMAS = ["0,53", "1", "0,5", "0", "0,25", "1"]


@pytest.mark.parametrize("size", [1, 4_000])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json", "held.json", "beside.json"])
@pytest.mark.parametrize("percent", ["", "%"])
def test_decimal_commas_of_a_known_score_are_turned_by_the_query(tmp_path, name, size, percent):
    """Also where the records stand under a key, with the model beside them."""
    cells = [cell + percent for cell in COMMAS * size]
    records = [
        {"id": f"q{n}", "score": cell} | ({} if "beside" in name else {"model": "m"}) for n, cell in enumerate(cells)
    ]
    path = tmp_path / name
    if name.endswith("csv"):
        path.write_text("model;id;score\n" + "".join(f"m;{one['id']};{one['score']}\n" for one in records))
    elif name.endswith("jsonl"):
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
    else:
        whole = {
            "a.json": records,
            "held.json": {"results": records},
            "beside.json": {"model": "m", "results": records},
        }
        path.write_text(json.dumps(whole[name]))
    with pytest.raises(
        ReadError, match=r"'score' holds numbers with a decimal comma, such as '0,53%?'; write 0\.53"
    ) as told:
        read(path)
    tidy = obeyed(path, told.value).tidy()
    assert set(tidy["model"]) == {"m"}
    expected = [float(cell.rstrip("%").replace(",", ".")) / (100 if percent else 1) for cell in cells]
    assert dict(zip(tidy["item"], tidy["score"], strict=True)) == pytest.approx(
        {f"q{n}": score for n, score in enumerate(expected)}
    )


def test_a_query_is_proposed_where_it_finds_the_records_alone(tmp_path):
    """Further down none is."""
    rows = [{"id": f"q{n}", "prediction": "x", "gold": "xy"[n % 2]} for n in range(8)]
    path = tmp_path / "a.json"
    for whole in ({"results": rows}, {"model": "m", "results": rows}):
        path.write_text(json.dumps(whole))
        with pytest.raises(ReadError, match="it holds no score, but right answers") as told:
            read(path)
        assert obeyed(path, told.value).tidy()["score"].mean() == 0.5
    path.write_text(json.dumps({"run": {"output": rows}}))
    with pytest.raises(ReadError, match="it holds no score, but right answers") as told:
        read(path)
    assert not any(getattr(said, "options", {}) for said in told.value.__notes__)


def test_thousands_are_no_decimals(tmp_path):
    path = write(tmp_path, "id;A;B\n1;1,234;2,345\n2;3,456;4,567\n")
    with pytest.raises(ReadError, match="it holds no scores"):
        read(path)
