"""Rows that repeat their attempt: a column that tells them apart is asked about, attempts stay runs."""

from __future__ import annotations

import io
import random
import shlex

import pandas as pd
import pytest

from scorebars import Scores
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

MODELS = "AB"
METRICS = {"em": "01", "f1": "10"}
"""Scores of a model under each; item n has the (n mod 2)-th."""


def table(header, values, items=12, models=MODELS, write=str):
    """A row for each model, item and value of the column; its score is its place among the values (0 or 1)."""
    rows = (
        f"{model},q{item},{write(value)},{place % 2}"
        for place, value in enumerate(values)
        for model in models
        for item in range(items)
    )
    return "\n".join([f"model,item,{header},score", *rows, ""])


def refusal(path, **more):
    with pytest.raises(ReadError) as caught:
        read(path, **more)
    return str(caught.value), caught.value.__notes__[0].splitlines()[-1]


KINDS = [
    ("metric_name", ["em", "f1"], "metric=metric_name --metric em"),
    ("what", ["exact_match", "f1"], "metric=what --metric exact_match"),
    ("num_fewshot", [0, 5], "model=model+num_fewshot"),
    ("temperature", [0, 0.7], "model=model+temperature"),
    ("checkpoint", [1000, 2000, 3000], "model=model+checkpoint"),
    ("prompt_version", ["v1", "v2"], "model=model+prompt_version"),
    ("judge", ["gpt", "claude"], "run=judge"),
    ("judge_model", ["gpt", "claude"], "run=judge_model"),
    ("grader", ["g1", "g2"], "run=grader"),
    ("reasoning_effort", ["low", "high"], "model=model+reasoning_effort"),
    ("category", ["math", "law"], "task=category"),
    ("language", ["de", "en"], "task=language"),
    ("section", [1, 2], "task=section"),
    ("annotator", ["ann1", "ann2"], "run=annotator"),
    ("foo", ["x", "y"], "variant=foo --variant x"),
]


@pytest.mark.parametrize(("header", "values", "typed"), KINDS)
def test_a_column_that_tells_repeats_apart_is_asked_about(tmp_path, header, values, typed):
    path = tmp_path / "a.csv"
    path.write_text(table(header, values))
    said, command = refusal(path)
    assert f"rows repeat their item, and '{header}' ('{min(values)}'" in said
    assert "tells them apart: it is " in said
    assert command.endswith(f"--map {typed}")
    assert f"(--map {typed}" in said


@pytest.mark.parametrize(("header", "values", "typed"), KINDS)
def test_what_is_proposed_leaves_one_row_an_attempt(tmp_path, capsys, header, values, typed):
    path = tmp_path / "a.csv"
    path.write_text(table(header, values))
    _, command = refusal(path)
    assert main(shlex.split(command)[1:]) == 0
    assert "repeats-as-runs" not in capsys.readouterr().out


def test_each_role_that_is_named_can_be_typed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table("foo", ["x", "y"]))
    said, _ = refusal(path)
    found = [part.split(")")[0] for part in said.split("(--map ")[1:]]
    assert [one.partition("=")[0] for one in found] == ["variant", "task", "item", "metric", "model", "run"]
    for one in found:
        assert main(["estimate", str(path), "--map", *shlex.split(one)]) == 0


@pytest.mark.parametrize("size", [12, 6_000])
def test_in_small_and_large_files_in_any_order(tmp_path, size):
    path = tmp_path / "a.csv"
    header, *rows = table("metric_name", ["em", "f1"], items=size).splitlines()
    random.Random(1).shuffle(rows)
    path.write_text("\n".join([header, *rows, ""]))
    assert "'metric_name' ('em', 'f1') tells them apart" in refusal(path)[0]


def test_in_one_of_several_files(tmp_path):
    (tmp_path / "a.csv").write_text(table("metric_name", ["em", "f1"], models="A"))
    (tmp_path / "b.csv").write_text(table("metric_name", ["em"], models="B"))
    assert "'metric_name' ('em', 'f1') tells them apart" in refusal(tmp_path)[0]


def test_in_a_wide_table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,shots,A,B\n" + "".join(f"q{n},{k}-shot,{n % 2},1\n" for n in range(12) for k in (0, 5)))
    said, command = refusal(path)
    assert "'shots' ('0-shot', '5-shot') tells them apart" in said
    assert command.endswith("--map variant=shots --variant 0-shot")
    assert main(shlex.split(command)[1:]) == 0


def test_beside_several_score_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,foo,em,f1\n" + "".join(f"A,q{n},{k},{n % 2},1\n" for n in range(12) for k in "xy"))
    said, command = refusal(path)
    assert "'foo' ('x', 'y') tells them apart: it is the variant" in said
    assert "--map metric" not in said
    assert command.endswith("--map variant=foo --variant x")


def test_with_attempts_that_have_no_column(tmp_path):
    path = tmp_path / "a.csv"
    text = table("metric_name", ["em", "f1"])
    path.write_text(text + "\n".join(text.splitlines()[1:]).replace(",1\n", ",0\n") + "\n")
    said, command = refusal(path)
    assert "'metric_name' ('em', 'f1') takes the same values in each: it is the metric" in said
    assert "--map run" not in said
    assert command.endswith("--map metric=metric_name --metric em")


def test_with_attempts_that_are_numbered_under_an_unknown_header(tmp_path):
    path = tmp_path / "a.csv"
    rows = (f"A,q{n},{metric},{k},{n % 2}" for n in range(12) for metric in ("em", "f1") for k in range(3))
    path.write_text("\n".join(["model,item,metric_name,attempt,score", *rows, ""]))
    said, command = refusal(path)
    assert "'metric_name' ('em', 'f1') tells them apart beside 'attempt'" in said
    assert command.endswith("--map metric=metric_name,run=attempt --metric em")


@pytest.mark.parametrize("sizes", [(10, 10, 10), (40, 12, 7), (30, 30, 1)])
@pytest.mark.parametrize("trial", ["", "trial,"])
def test_items_that_start_again_in_each_category_are_not_one(tmp_path, sizes, trial):
    path = tmp_path / "a.csv"
    rows = (
        f"{model},{category},{n},{f'{k},' if trial else ''}{(n + k + place) % 2}"
        for model in MODELS
        for place, (category, size) in enumerate(zip(("bio", "law", "math"), sizes, strict=True))
        for n in range(size)
        for k in (range(2) if trial else [0])
    )
    path.write_text("\n".join([f"model,category,question_id,{trial}correct", *rows, ""]))
    said, command = refusal(path)
    assert f"rows repeat their item{' and run' if trial else ''}, and 'category' ('bio', 'law', 'math')" in said
    assert "it is the task (--map task=category), a part of the item (--map item=category+question_id)" in said
    assert command.endswith("--map task=category")
    for typed in ({"task": "category"}, {"item": "category+question_id"}):
        cuts = read(path, columns=typed).cuts().cuts
        assert [len(cut.sample.score) for cut in cuts] == [sum(sizes) * (2 if trial else 1)] * 2


def test_without_a_model_the_category_is_the_task_first(tmp_path):
    path = tmp_path / "a.csv"
    rows = (f"{category},{n},{n % 2}" for category in ("bio", "law") for n in range(12))
    path.write_text("\n".join(["category,question_id,correct", *rows, ""]))
    said, command = refusal(path)
    assert "it is the task (--map task=category), the model (--map model=category)" in said
    assert command.endswith("--map task=category")
    path.write_text(path.read_text().replace("category", "llm"))
    assert refusal(path)[1].endswith("--map model=llm")


def test_one_split_may_count(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table("split", ["test", "train"]))
    said, command = refusal(path)
    assert "it is the split (--split test), the task (--map task=split)" in said
    assert command.endswith("--split test")
    assert [cut.sample.score.tolist() for cut in read(path, split="test").cuts().cuts] == [[0.0] * 12] * 2


def test_a_benchmark_whose_items_are_numbered_is_proposed_with_them(tmp_path):
    path = tmp_path / "a.csv"
    rows = (f"{m},mmlu_{t},{n},{(n + t) % 2}" for m in MODELS for t in range(3) for n in range(12))
    path.write_text("\n".join(["model,task_id,doc,score", *rows, ""]))
    said, command = refusal(path)
    assert "it may be the benchmark, and 'doc' the item (--map task=task_id,item=doc)" in said
    assert command.endswith("--map task=task_id,item=doc")
    assert [cut.sample.n_attempts for cut in read(path, columns={"task": "task_id", "item": "doc"}).cuts().cuts] == [
        36
    ] * 2
    rows = (f"{m},{t},{n},{(n + t) % 2}" for m in MODELS for t in range(12) for n in range(3))
    path.write_text("\n".join(["model,task_id,k,score", *rows, ""]))  # attempts at the items
    assert refusal(path)[1].endswith("--map item=task_id")


def attempts(header, cell, items=60, k=4, models=MODELS):
    """Attempts without a run column, beside a column that says nothing of them."""
    draw = random.Random(7)
    rows = (f"{m},q{n},{cell(draw, n, j)},{draw.randrange(2)}" for m in models for n in range(items) for j in range(k))
    return "\n".join([f"model,item,{header},score", *rows, ""])


NO_TELLERS = [
    ("answer", lambda draw, _n, _k: draw.choice("ABCD")),
    ("choice", lambda draw, _n, _k: draw.choice("ABCDEFGHIJ")),
    ("answer", lambda _draw, _n, k: "ABCD"[k]),
    ("latency_ms", lambda draw, _n, _k: draw.randrange(100, 300)),
    ("words", lambda draw, _n, _k: draw.randrange(100, 300)),
    ("cost", lambda draw, _n, _k: round(draw.random(), 2)),
    ("x", lambda draw, _n, _k: draw.random()),
    ("category", lambda _draw, n, _k: f"c{n % 5}"),
    ("difficulty", lambda _draw, n, _k: n % 3),
    ("timestamp", lambda _draw, _n, k: f"2025-01-0{k + 1}"),
    ("attempt", lambda _draw, _n, k: k),
    ("k", lambda _draw, _n, k: k + 1),
    ("worker", lambda _draw, n, k: (4 * n + k) % 16),
    ("hash", lambda draw, _n, _k: f"{draw.getrandbits(32):x}"),
    ("note", lambda _draw, _n, k: "" if k else "again"),
    ("temperature", lambda _draw, _n, _k: 0.7),
    ("flag", lambda draw, _n, _k: draw.randrange(2)),
]


@pytest.mark.parametrize(("header", "cell"), NO_TELLERS)
@pytest.mark.parametrize("size", [{"items": 5, "k": 3}, {"items": 60, "k": 4}, {"items": 1_000, "k": 8}])
def test_attempts_stay_runs(tmp_path, header, cell, size):
    if header == "answer" and size["k"] == 8:
        cell = NO_TELLERS[0][1]
    path = tmp_path / "a.csv"
    path.write_text(attempts(header, cell, **size))
    notes = [note.code for note in read(path).cuts().notes]
    assert notes == ["repeats-as-runs"] if header != "note" else "repeats-as-runs" in notes
    (tmp_path / "b.csv").write_text("model,item,score\nC,q1,1\n")  # with another file, by the other way
    assert [cut.sample.n_attempts for cut in read(tmp_path).cuts().cuts][:2] == [size["items"] * size["k"]] * 2


def test_a_few_attempts_that_were_made_again_are_asked_about(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table("version", ["v1"], items=200) + "".join(f"A,q{n},v2,1\n" for n in range(40)))
    assert "'version' ('v1', 'v2') tells them apart" in refusal(path)[0]


def test_rows_that_are_told_apart_by_known_columns_are_not_asked_about(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table("metric_name", ["em", "f1"]).replace("metric_name", "metric"))
    assert len(read(path).metrics) == 2
    path.write_text(table("category", ["a", "b"]).replace(",q", ",r", 0).replace("item", "seed"))
    read(path)


SIZES = {"llama": ["llama-7b", "llama-13b", "llama-70b"], "qwen": ["qwen-7b", "qwen-72b"]}
"""Values of a column, each of one model."""


def sizes(items=15):
    """The rows of five sizes of two models, and their means by hand."""
    rows, means = [], {}
    for model, names in SIZES.items():
        for place, size in enumerate(names):
            rows += [(model, f"q{k}", size, int(k < 3 * place)) for k in range(items)]
            means[f"{model}+{size}"] = 3 * place / items
    return rows, means


def test_values_of_one_model_each_are_parts_of_the_model(tmp_path):
    rows, means = sizes()
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,id,size,correct", *(",".join(map(str, row)) for row in rows), ""]))
    said, command = refusal(path)
    assert "'size' ('llama-13b', 'llama-70b', 'llama-7b' and 2 more) tells them apart" in said
    assert said.endswith("it is a part of the model (--map model=model+size) or the run (--map run=size)")
    assert command.endswith("--map model=model+size")
    cuts = read(path, columns={"model": "model+size"}).cuts().cuts
    assert {cut.sample.model: cut.sample.score.mean() for cut in cuts} == pytest.approx(means)
    frame = dict(zip(("model", "id", "size", "correct"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(ScoresError, match=r"a part of the model \(model=\('model', 'size'\)\) or the run"):
        Scores(frame)


def test_what_two_models_are_served_from_by_chance_stays_out_of_it(tmp_path):
    drawn = random.Random(1)
    rows = [(m, f"q{k}", f"{m}-host{drawn.randrange(3)}", 1) for m in "ab" for k in range(30) for _ in range(4)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,id,host,correct", *(",".join(map(str, row)) for row in rows), ""]))
    assert read(path).models == ("a", "b")


@pytest.mark.parametrize("header", ["category", "section", "language"])
def test_small_categories_of_unequal_size_are_asked_about(tmp_path, header):
    rows = [(f"q{k}", value, k % 2) for value, n in (("en", 15), ("de", 9), ("fr", 4)) for k in range(n)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join([f"id,{header},correct", *(",".join(map(str, row)) for row in rows), ""]))
    said, command = refusal(path)
    assert f"'{header}' ('de', 'en', 'fr') tells them apart: it is the task" in said
    assert command.endswith(f"--map task={header}")
    with pytest.raises(ScoresError, match=f"'{header}' .* tells them apart"):
        Scores(dict(zip(("id", header, "correct"), map(list, zip(*rows, strict=True)), strict=True)))


JUDGES = [
    ("item,model,judge,score", {"run": "judge"}),
    ("question,judge,model,rating", {"run": "judge"}),
    ("item,judge,score", {"run": "judge"}),
    ("id,llm,judge,rating", {"model": "llm", "run": "judge"}),
    ("item,agent,model,judge,score", {"run": "judge"}),
    ("item,model,judge,criterion,score", {"run": "judge", "metric": "criterion"}),
]


@pytest.mark.parametrize(("header", "mapping"), JUDGES)
@pytest.mark.parametrize("models", ["AB", "A"])
def test_grades_of_several_judges_are_their_runs_first_and_the_whole_command_works(tmp_path, header, mapping, models):
    names = header.split(",")
    values = {"item": range(12), "question": range(12), "id": range(12), "judge": ["j1", "j2", "j3"], "agent": ["x"]}
    values |= {"model": models, "llm": models, "criterion": ["tone", "truth"]}
    rows = [{}]
    for name in names[:-1]:
        rows = [{**row, name: value} for row in rows for value in values[name]]
    lines = (",".join([*map(str, row.values()), str(number * 7 % 5 + 1)]) for number, row in enumerate(rows))
    path = tmp_path / "a.csv"
    path.write_text("\n".join([header, *lines, ""]))
    said, command = refusal(path)
    words = shlex.split(command)
    wanted = {role: name for role, name in mapping.items() if name != "llm" or len(models) > 1}
    assert dict(pair.split("=") for pair in words[words.index("--map") + 1].split(",")) == wanted
    assert main(words[1:]) == 0
    if mapping == {"run": "judge"}:
        offered = said.split("(--map ")[1:]
        assert offered
        for part in offered:
            role, _, column = shlex.split(part.split(")")[0])[0].partition("=")
            assert read(path, columns={role: column}).models


def test_what_is_asked_next_is_asked_at_once_beside_a_metric(tmp_path):
    rows = [f"q{k},{m},{j},{c},{(k + len(c)) % 5}" for k in range(12) for m in "AB" for j in "xy" for c in ("ab", "c")]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["item,model,judge,criterion,score", *rows, ""]))
    said, command = refusal(path)
    assert "it is the metric (--map metric=criterion --metric ab)" in said
    assert "; if so, rows repeat their item, and 'judge' ('x', 'y') tells them apart: it is the run" in said
    assert shlex.split(command)[-4:] == ["--map", "metric=criterion,run=judge", "--metric", "ab"]
    cells = zip(*(row.split(",") for row in rows), strict=True)
    frame = dict(zip(["item", "model", "judge", "criterion", "score"], map(list, cells), strict=True))
    with pytest.raises(ScoresError, match=r"'criterion' .* tells them apart beside 'judge': it is the metric"):
        Scores(frame | {"score": list(map(float, frame["score"]))})


CROSSED = [
    (("criterion", "rater"), (("fluency", "accuracy"), ("r1", "r2")), "metric=criterion,run=rater --metric accuracy"),
    (("temperature", "prompt"), ((0, 0.7), ("p1", "p2", "p3")), "model=model+temperature+prompt"),
    (("judge", "rubric"), (("j1", "j2", "j3"), ("help", "harm")), "metric=rubric,run=judge --metric harm"),
    (("shots", "lang"), ((0, 5), ("en", "de")), "model=model+shots,task=lang"),
]


def grid(headers, values, gaps, items=12):
    """A row for each model, item and pair of values, but for some; the score is the place of the first value."""
    rows = [
        f"{model},q{item},{one},{other},{values[0].index(one)}"
        for model in MODELS
        for item in range(items)
        for one in values[0]
        for other in values[1]
    ]
    for _ in range(gaps):
        rows.pop(gaps * 7 % len(rows))
    return "\n".join([",".join(["model", "item", *headers, "score"]), *rows, ""])


@pytest.mark.parametrize("gaps", [0, 1, 4, 20])
@pytest.mark.parametrize(("headers", "values", "typed"), CROSSED)
def test_two_columns_that_tell_rows_apart_together_are_asked_about(tmp_path, headers, values, typed, gaps):
    path = tmp_path / "a.csv"
    path.write_text(grid(headers, values, gaps))
    said, command = refusal(path)
    assert f"rows repeat their item, and '{headers[0] if headers[0] != 'judge' else 'rubric'}' (" in said
    assert f"--map {typed.partition(',')[0].partition('+prompt')[0]}" in said
    assert all(f"'{header}'" in said for header in headers)
    if headers[1] != "lang":  # which may be a task beside the items, or another part of the model
        assert command.endswith(f"--map {typed}")


@pytest.mark.parametrize("gaps", [1, 4])
def test_in_a_frame_too(gaps):
    frame = pd.read_csv(io.StringIO(grid(*CROSSED[0][:2], gaps)))
    with pytest.raises(ScoresError, match=r"'criterion' \('accuracy', 'fluency'\).*the metric \(metric='criterion'"):
        Scores(frame)


def test_a_missing_row_does_not_make_a_mean_of_criteria(tmp_path):
    """Each grade of one criterion is 5 and of the other 1, so that 3 is the score of nothing."""
    rows = [
        f"{model},{item},{criterion},{rater},{5 if criterion == 'fluency' else 1}"
        for model in "ab" for item in range(6) for criterion in ("fluency", "accuracy") for rater in ("r1", "r2")
    ]  # fmt: skip
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,item,criterion,rater,rating", *rows[:-1], ""]))
    said, command = refusal(path)
    assert "'criterion' ('accuracy', 'fluency') tells them apart beside 'rater': it is the metric" in said
    assert command.endswith("--map metric=criterion,run=rater --metric accuracy")


def test_three_columns_too(tmp_path):
    rows = [
        f"{model},q{item},{shots},{language},{judge},{item % 2}"
        for model in MODELS for item in range(12) for shots in (0, 5) for language in ("en", "de") for judge in "xyz"
    ]  # fmt: skip
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,item,shots,lang,judge,score", *rows[:100], *rows[101:], ""]))
    said, _ = refusal(path)
    assert "'shots' ('0', '5')" in said


@pytest.mark.parametrize("seed", range(6))
def test_two_columns_that_agree_by_chance_are_not_asked_about(tmp_path, seed):
    draw = random.Random(seed)
    rows = [
        f"{model},q{item},{draw.choice(['node1', 'node2'])},{draw.choice(['eu', 'us', 'ap'])},{draw.randint(0, 1)}"
        for model in MODELS for item in range(40) for _ in range(4)
    ]  # fmt: skip
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,item,host,zone,score", *rows, ""]))
    assert read(path)
