"""Unknown headers: what the rows themselves say is proposed, never pooled; a single model without one is read."""

from __future__ import annotations

import re
import shlex

import pytest

from scorebars.errors import ReadError
from scorebars.readers.read import read


def crossed(header, models="AB", items=6):
    rows = [f"{model},q{item},{int(model == 'A')}" for model in models for item in range(items)]
    return "\n".join([header, *rows]) + "\n"


CASES = [
    (crossed("llm,qnum,points"), "each 'qnum' stands beside each 'llm'", "model=llm,item=qnum"),
    (crossed("llm,question,points"), "rows repeat their item, and 'llm' tells them apart", "model=llm"),
    (crossed("llm,item,score"), r"it is the model \(--map model=llm\) or the run \(--map run=llm\)", "model=llm"),
    (crossed("模型,題目,score"), "each '題目' stands beside each '模型'", "model=模型,item=題目"),
]


@pytest.mark.parametrize(("text", "sentence", "mapping"), CASES)
def test_models_under_an_unknown_header_are_never_pooled(tmp_path, text, sentence, mapping):
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(ReadError, match=sentence) as caught:
        read(path)
    assert mapping in caught.value.__notes__[0].replace("'", "")
    columns = dict(pair.split("=") for pair in mapping.split(","))
    scores = read(path, columns=columns)
    assert scores.models == ("A", "B")
    assert [cut.sample.score.mean() for cut in scores.cuts().cuts] == [1.0, 0.0]


@pytest.mark.parametrize("step", ["step", "timestep", "_step", "global_step", "epoch", "frames"])
def test_steps_beside_an_algorithm_are_points_of_curves(tmp_path, step):
    path = tmp_path / "a.csv"
    rows = [f"{name},{seed},{1000 * t},{t + seed}" for name in ("PPO", "SAC") for seed in range(3) for t in range(9)]
    path.write_text("\n".join([f"algo,seed,{step},reward", *rows]) + "\n")
    with pytest.raises(ReadError, match="as the points of learning curves do beside models") as caught:
        read(path)
    [command] = [note for note in caught.value.__notes__ if "scorebars estimate" in note]
    said = shlex.split(command.partition("scorebars estimate ")[2])
    assert said[1:3] == ["--map", "model=algo"]
    assert said[3] == "--sql"
    scores = read(path, columns={"model": "algo"}, sql=said[4])
    assert [cut.sample.score.tolist() for cut in scores.cuts().cuts] == [[8.0, 9.0, 10.0]] * 2


def test_in_a_large_table_too(tmp_path):
    path = tmp_path / "a.csv"
    for header, sentence in (
        ("llm,item,score", "and 'llm' tells them apart"),
        ("llm,qnum,score", "each 'qnum' stands"),
    ):
        path.write_text(header + "\n" + "".join(f"{name},q{n},1\n" for name in "AB" for n in range(120_000)))
        assert path.stat().st_size > 2 << 20  # no file that is read without the database
        with pytest.raises(ReadError, match=sentence):
            read(path)


def test_as_runs_where_the_user_says_so(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(crossed("judge,item,score"))
    (cut,) = read(path, columns={"run": "judge"}).cuts().cuts
    assert sorted(cut.sample.score.tolist()) == [0] * 6 + [1] * 6


def test_a_second_file_does_not_make_them_repeats(tmp_path):
    (tmp_path / "a.csv").write_text(crossed("llm,item,score"))
    (tmp_path / "b.csv").write_text("model,item,score\nC,q1,1\n")
    with pytest.raises(ReadError, match="'llm' tells them apart"):
        read(tmp_path)


def test_task_id_that_repeats_is_asked_for(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,task_id,score\n" + "".join(f"A,{name},{n % 2}\n" for name in ("x", "y") for n in range(6)))
    with pytest.raises(ReadError, match="'task_id' repeats, and may be the item with several attempts") as caught:
        read(path)
    offered = re.findall(r"--map (\w+)=(\w+)", str(caught.value))
    assert [role for role, _ in offered] == ["item", "task"]
    for role, column in offered:
        (cut,) = read(path, columns={role: column}).cuts().cuts
        assert len(set(cut.sample.item.tolist())) == (2 if role == "item" else 12)
    path.write_text("model,task_id,score\nA,x,1\nA,y,0\nB,x,0\nB,y,1\n")
    assert read(path).models == ("A", "B")


@pytest.mark.parametrize(
    "text",
    [
        "prompt,category,score\n" + "".join(f"text {n},{'xyz'[n % 3]},{n % 2}\n" for n in range(12)),
        "item,score,attempt_no\n" + "".join(f"q{n % 4},{n % 2},{n // 4}\n" for n in range(12)),
        "item,score,answer\n" + "".join(f"q{n % 4},{n % 2},answer {n}\n" for n in range(12)),
        "level,topic,score\n" + "".join(f"{'ab'[n % 2]},{'xyz'[n % 3]},{n % 2}\n" for n in range(24)),
    ],
)
def test_columns_that_need_not_be_models_are_left_alone(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert read(path).models == ("a",)


def rows_of(header, *, models=("A", "B"), attempt="try {}", items=8, k=3):
    lines = []
    for model in models:
        for item in range(items):
            for run in range(k):
                cells = dict.fromkeys(("llm", "agent"), model) | dict.fromkeys(("prompt", "item"), f"q{item}")
                cells |= dict.fromkeys(("attempt", "rollout", "Trial No", "seed", "tries"), attempt.format(run))
                lines.append(",".join([cells[name] for name in header] + [str((item + run) % 2)]))
    return "\n".join([",".join([*header, "score"]), *lines]) + "\n"


RUNS = [
    (("prompt", "attempt"), ("A",), {"item": "prompt", "run": "attempt"}),
    (("rollout", "prompt"), ("A",), {"item": "prompt", "run": "rollout"}),
    (("item", "Trial No"), ("A",), {"run": "Trial No"}),
    (("llm", "prompt", "tries"), ("A", "B"), {"model": "llm", "item": "prompt", "run": "tries"}),
    (("llm", "item", "attempt"), ("A", "B"), {"model": "llm", "run": "attempt"}),
    (("llm", "item", "seed"), ("A", "B"), {"model": "llm"}),
]


@pytest.mark.parametrize(("header", "models", "expected"), RUNS)
@pytest.mark.parametrize("attempt", ["try {}", "{}"])
def test_what_is_called_an_attempt_is_proposed_as_the_run(tmp_path, header, models, expected, attempt):
    path = tmp_path / "a.csv"
    path.write_text(rows_of(header, models=models, attempt=attempt))
    if header == ("item", "Trial No") and attempt == "{}":  # numbers beside an item may be anything; repeats are runs
        assert [note.code for note in read(path).cuts().notes] == ["repeats-as-runs"]
        return
    with pytest.raises(ReadError) as caught:
        read(path)
    typed = shlex.split(caught.value.__notes__[0].splitlines()[-1])[-1]
    assert dict(pair.split("=") for pair in typed.split(",")) == expected
    cuts = read(path, columns=expected).cuts().cuts
    assert [len(set(cut.sample.item.tolist())) for cut in cuts] == [8] * len(models)
    assert [cut.sample.n_attempts for cut in cuts] == [24] * len(models)


def test_models_of_a_table_with_several_metrics_are_not_pooled(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("llm,item,accuracy,f1\n" + "".join(f"{m},q{n},1,0.{n}\n" for m in "AB" for n in range(8)))
    with pytest.raises(ReadError, match=r"it is the model \(--map model=llm\)"):
        read(path)


def test_models_whose_items_start_again_in_each_task(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{task},{model},{n},{n % 2}\n" for task in "xy" for model in "AB" for n in range(8))
    path.write_text("task,llm,qnum,score\n" + rows)
    with pytest.raises(ReadError, match=r"--map model=llm,item=qnum\)"):
        read(path)


@pytest.mark.parametrize(("header", "rows", "mapping"), [
    ("llm,item,score", "{m},q{n},{s}", {"model": "llm"}),
    ("llm,item,k,score", "{m},q{n},{k},{s}", {"model": "llm"}),
    ("llm,Question Number,score", "{m},{n},{s}", {"model": "llm", "item": "Question Number"}),
    ("llm,nr,k,score", "{m},{n},{k},{s}", {"model": "llm", "item": "nr", "run": "k"}),
    ("llm,was,k,score", "{m},w{n},{k},{s}", {"model": "llm", "item": "was", "run": "k"}),
])  # fmt: skip
def test_models_with_several_attempts_are_not_pooled(tmp_path, header, rows, mapping):
    path = tmp_path / "a.csv"
    lines = (rows.format(m=model, n=n, k=k, s=(n + k) % 2) for model in "AB" for k in range(3) for n in range(8))
    path.write_text("\n".join([header, *lines, ""]))
    with pytest.raises(ReadError) as caught:
        read(path)
    assert shlex.split(caught.value.__notes__[0].splitlines()[-1])[-1] == (
        ",".join(f"{role}={name}" for role, name in mapping.items())
    )
    assert [cut.sample.n_attempts for cut in read(path, columns=mapping).cuts().cuts] == [24, 24]


@pytest.mark.parametrize("items", [3, 5, 12, 40])
@pytest.mark.parametrize(
    "headers", ["模型,題目,分數", "Modell,Aufgabe,Punktzahl", "m,q,s", "My Model,Question Nr,My Points"]
)
@pytest.mark.parametrize("item", ["{}", "q{}"])
@pytest.mark.parametrize("score", ["{}", "0.{}{}5"])
def test_a_long_table_without_a_known_header_gets_the_whole_mapping(tmp_path, headers, items, item, score):
    path = tmp_path / "a.csv"
    cells = {m: [score.format((n + (m == "A")) % 3 % 2, n % 10) for n in range(items)] for m in "AB"}
    rows = (f"{m},{item.format(n)},{cells[m][n]}" for m in "AB" for n in range(items))
    path.write_text("\n".join([headers, *rows, ""]), encoding="utf-8-sig")
    with pytest.raises(ReadError, match="no column is known to hold the score; each '") as caught:
        read(path)
    typed = shlex.split(caught.value.__notes__[0].splitlines()[-1])[-1]
    columns = dict(pair.split("=") for pair in typed.split(","))
    assert columns == dict(zip(("model", "item", "score"), headers.split(","), strict=True))
    scores = read(path, columns=columns)
    made = scores.tidy()
    found = {
        key: score
        for *key, score in zip(made["model"], made["item"], made["score"], strict=True)
        for key in [tuple(key)]
    }
    assert found == {(m, item.format(n)): float(cells[m][n]) for m in "AB" for n in range(items)}
    for cut in scores.cuts().cuts:
        assert cut.sample.score.mean() == pytest.approx(sum(map(float, cells[cut.sample.model])) / items)


def test_a_run_is_proposed_with_it(tmp_path):
    path = tmp_path / "a.csv"
    rows = (f"{m},{n},{k},{(n + k) % 2}" for m in "AB" for n in range(12) for k in range(3))
    path.write_text("\n".join(["模型,題目,次,分數", *rows, ""]), encoding="utf-8")
    with pytest.raises(ReadError, match=r"\(--map 'model=模型,item=題目,run=次,score=分數'\)"):
        read(path)


def test_headers_that_differ_in_case_alone_are_two_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("\ufeffmodel,Nr,nr,score\n" + "".join(f"A,{n},{11 - n},{n % 2}\n" for n in range(12)))
    for name in ("Nr", "nr"):
        scores = read(path, columns={"item": name})
        assert dict(scores.columns)["item"] == f"column '{name}', as asked"
        assert dict(scores.columns)["model"] == "column 'model'"
    path.write_text("model,Item,item,score\n" + "".join(f"A,{n},{11 - n},{n % 2}\n" for n in range(12)))
    with pytest.raises(
        ReadError, match=r"columns 'Item', 'item' could each be the item: choose one \(--map item=Item\)"
    ):
        read(path)


@pytest.mark.parametrize(("header", "item"), [
    ("Question Number,k,score", "Q {}"), ("was,k,score", "w{}"), ("was,k,score", "What is {} and {}, if I may ask?"),
])  # fmt: skip
def test_more_questions_than_runs_are_no_models(tmp_path, header, item):
    path = tmp_path / "a.csv"
    rows = (f'"{item.format(n, n)}",{k},{(n + k) % 2}' for n in range(8) for k in range(3))
    path.write_text("\n".join([header, *rows, ""]))
    with pytest.raises(ReadError, match=r"each 'k' stands beside each '.*', as runs do beside items"):
        read(path)
    path.write_text("llm,qnum,score\n" + "".join(f"llm {m},{n},{(n + m) % 2}\n" for n in range(3) for m in range(8)))
    with pytest.raises(ReadError, match=r"--map model=llm,item=qnum\)"):
        read(path)


@pytest.mark.parametrize("header", ["llm,Question Number,k,score", "llm,was,k,score"])
def test_two_columns_of_words_beside_numbered_items(tmp_path, header):
    path = tmp_path / "a.csv"
    rows = (f"{m},{n},try {k},{(n + k) % 2}" for m in "AB" for n in range(6) for k in range(3))
    path.write_text("\n".join([header, *rows, ""]))
    item = header.split(",")[1]
    with pytest.raises(ReadError) as caught:
        read(path)
    assert shlex.split(caught.value.__notes__[0].splitlines()[-1])[-1] == f"model=llm,item={item},run=k"
