"""Columns whose headers name what is compared: the rows of several models are never one model's, whatever their ids."""

from __future__ import annotations

import json
import shlex

import pytest

from scorebars import Scores
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

HEADERS = [
    *("llm", "Model Used", "model_name_or_path", "metadata.model", "config", "experiment", "prompt_version", "algo"),
    *("checkpoint", "backbone", "base_model", "scaffold"),
]
CATEGORIES = [
    *("category", "difficulty", "language", "subject", "topic", "source", "section", "level", "type", "prompt_type"),
    *("model_answer", "model_output", "agent_steps", "judge_model", "reference_model", "model_latency", "template"),
]
LONG = 900


def rows(header, n=20):
    """Rows with ids of their own: A is right in all but each tenth, B wrong in all but each fifth."""
    first = ({"id": f"r{k}", header: "A", "passed": int(k % 10 > 0)} for k in range(n))
    return [*first, *({"id": f"r{n + k}", header: "B", "passed": int(k % 5 == 0)} for k in range(n))]


def written(path, records):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    else:
        lines = [",".join(records[0]), *(",".join(map(str, record.values())) for record in records)]
        path.write_text("\n".join([*lines, ""]))
    return path


def refusal(path, **more):
    with pytest.raises(ReadError) as caught:
        read(path, **more)
    return str(caught.value), caught.value.__notes__[0].splitlines()[-1]


def columns_of(records):
    return {name: [record[name] for record in records] for name in records[0]}


def means(scores):
    return {cut.sample.model: float(cut.sample.score.mean()) for cut in scores.cuts().cuts}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
@pytest.mark.parametrize("n", [20, LONG])
def test_several_of_what_is_compared_are_not_pooled_where_ids_do_not_repeat(tmp_path, name, header, n):
    path = written(tmp_path / name, rows(header, n))
    said, command = refusal(path)
    assert f"no column is the model, and rows have several '{header}' ('A', 'B'), which would be pooled" in said
    assert shlex.split(command)[-2:] == ["--map", f"model={header}"]
    assert means(read(path, columns={"model": header})) == {"A": 0.9, "B": 0.2}


@pytest.mark.parametrize("header", CATEGORIES)
@pytest.mark.parametrize("n", [20, LONG])
def test_categories_of_items_and_what_is_said_of_answers_are_left_alone(tmp_path, header, n):
    path = written(tmp_path / "a.csv", rows(header, n))
    assert read(path).models == ("a",)
    assert len(Scores(columns_of(rows(header, n))).models) == 1


def test_every_way_out_of_the_question_works(tmp_path, capsys):
    path = written(tmp_path / "a.csv", rows("llm"))
    said, _ = refusal(path)
    ways = ["--map" + part.split(")")[0] for part in said.split("(--map")[1:]] + ["--map 'file={model}'"]
    assert said.endswith(f"if all are of one, {ways[-1]}")
    for way in ways:
        assert main(["estimate", str(path), *shlex.split(way)]) == 0
    assert "pooled" not in capsys.readouterr().err


def nested(header="llm"):
    """Two versions of each provider, each with items of its own; their means are 1, 0, .5 and .25."""
    share = {("openai", "big"): 20, ("openai", "mini"): 0, ("meta", "l70"): 10, ("meta", "l8"): 5}
    return [
        {"provider": provider, header: llm, "item": f"{llm}-{k}", "score": int(k < right)}
        for (provider, llm), right in share.items()
        for k in range(20)
    ]


@pytest.mark.parametrize("header", ["llm", "prompt_version", "config"])
def test_versions_inside_a_known_model_are_not_its_runs(tmp_path, header):
    path = written(tmp_path / "a.csv", nested(header))
    said, command = refusal(path)
    assert f"rows of one 'provider' have several '{header}' ('big', 'l70', 'l8' and 1 more)" in said
    assert shlex.split(command)[-2:] == ["--map", f"model=provider+{header}"]
    joined = means(read(path, columns={"model": f"provider+{header}"}))
    assert sorted(joined.values()) == [0, 0.25, 0.5, 1]
    assert "if 'provider' alone is the model, --map model=provider" in said
    assert means(read(path, columns={"model": "provider"})) == {"meta": 0.375, "openai": 0.5}


@pytest.mark.parametrize("header", ["llm", "checkpoint", "config"])
def test_what_is_the_same_in_all_rows_of_a_model_adds_nothing(tmp_path, header):
    records = [{"model": m, header: m.upper(), "item": f"q{k}", "score": k % 2} for m in "ab" for k in range(20)]
    assert read(written(tmp_path / "a.csv", records)).models == ("a", "b")
    assert Scores(columns_of(records)).models == ("a", "b")


def runs(header, **more):
    """Two values of a column, each with three runs whose numbers are its own, of ten items each."""
    return [
        {**more, header: value, "run": run, "id": k, "score": int(k < right)}
        for value, numbers, right in (("base", (0, 1, 2), 2), ("tuned", (10, 11, 12), 9))
        for run in numbers
        for k in range(10)
    ]


@pytest.mark.parametrize("header", ["config", "experiment", "algo"])
@pytest.mark.parametrize("more", [{}, {"model": "m"}])
def test_configurations_with_runs_of_their_own_are_not_pooled(tmp_path, header, more):
    path = written(tmp_path / "a.csv", runs(header, **more))
    said, command = refusal(path)
    assert f"several '{header}' ('base', 'tuned'), which would be pooled" in said
    assert shlex.split(command)[-1] == f"model={'+'.join([*more, header])}"
    found = means(read(path, columns={"model": header}))
    assert (found["base"], found["tuned"]) == pytest.approx((0.2, 0.9))


def trained(header, checkpoint, seeds=(0, 1, 2)):
    """Two models, a checkpoint a seed, ten items each of which a model has as many right as its seed says."""
    return [
        {"model": m, "seed": s, header: checkpoint(m, s), "item": f"q{k}", "score": int(k < 3 + n)}
        for m in ("bert", "t5")
        for n, s in enumerate(seeds)
        for k in range(10)
    ]


@pytest.mark.parametrize("header", ["checkpoint", "ckpt_path"])
@pytest.mark.parametrize("seeds", [(0, 1, 2), (7, 42, 1337)])
def test_a_checkpoint_of_each_seed_by_its_number_is_no_model(tmp_path, header, seeds):
    records = trained(header, lambda m, s: f"out/{m}-s{s}/checkpoint-{500 + 100 * (s % 5)}", seeds)
    for scores in (read(written(tmp_path / "a.csv", records)), Scores(columns_of(records))):
        assert means(scores) == pytest.approx({"bert": 0.4, "t5": 0.4})
        assert set(scores.tidy()["run"]) == set(map(str, seeds))


@pytest.mark.parametrize(
    ("header", "checkpoint"),
    [
        ("checkpoint", lambda _m, s: f"step-{500 + 100 * s}"),
        ("checkpoint", lambda m, s: f"{m}-best-{s // 2}"),
        ("config", lambda _m, s: f"config-{s}"),
    ],
    ids=["of no seed", "of two seeds", "a config"],
)
def test_other_checkpoints_are_asked_about(tmp_path, header, checkpoint):
    records = trained(header, checkpoint)
    assert f"several '{header}'" in refusal(written(tmp_path / "a.csv", records))[0]
    with pytest.raises(ScoresError, match=f"several '{header}'"):
        Scores(columns_of(records))


def test_a_setting_of_several_runs_each_is_asked_about(tmp_path):
    path = written(tmp_path / "a.csv", runs("learning_rate"))
    said, command = refusal(path)
    assert "each 'learning_rate' ('base', 'tuned') has 'run's of its own, which would be pooled" in said
    assert command.endswith("--map model=learning_rate")
    assert said.endswith("if all are runs of one model, --map run=run")
    assert means(read(path, columns={"run": "run"})) == {"a": pytest.approx(0.55)}


@pytest.mark.parametrize("header", ["host", "started", "commit", "step"])
def test_what_else_is_said_of_runs_is_left_alone(tmp_path, header):
    assert read(written(tmp_path / "a.csv", runs(header))).models == ("a",)


@pytest.mark.parametrize("records", [rows("llm"), nested(), runs("config"), runs("learning_rate")])
def test_frames_are_asked_about_too(records):
    with pytest.raises(ScoresError, match=r"which would be pooled: '\w+' is "):
        Scores(columns_of(records))


def test_a_frame_with_an_answer_is_read():
    assert means(Scores(columns_of(rows("llm")), model="llm")) == {"A": 0.9, "B": 0.2}
    assert Scores(columns_of(rows("llm")), constants={"model": "m"}).models == ("m",)
    assert Scores(columns_of(nested()), model="provider").models == ("meta", "openai")
    assert len(Scores(columns_of(runs("learning_rate")), run="run").models) == 1


def named_runs(*names):
    """Ten items a run; run n is right in all but the first n."""
    return [
        {"run": run, "id": f"q{k}", "note": k, "correct": int(k >= n)} for n, run in enumerate(names) for k in range(10)
    ]


@pytest.mark.parametrize("names", [("baseline", "cot", "cot-sc"), ("gpt-4o", "claude-3"), ("control 1", "other 1")])
def test_runs_with_names_of_what_is_compared_are_asked_about(tmp_path, names):
    path = written(tmp_path / "a.csv", named_runs(*names))
    said, command = refusal(path)
    assert "no column is the model, and 'run' holds names of what is compared" in said
    assert command.endswith("--map model=run")
    assert means(read(path, columns={"model": "run"})) == {name: 1 - n / 10 for n, name in enumerate(names)}
    assert read(path, columns={"run": "run"}).models == ("a",)
    with pytest.raises(ScoresError, match=r"it is the model \(model='run'\)"):
        Scores(columns_of(named_runs(*names)))


@pytest.mark.parametrize("names", [("0", "1"), ("glad-frost-1", "misty-sea-2"), ("gpt_run1", "gpt_run2"), ("a", "b")])
def test_runs_with_other_names_are_runs(tmp_path, names):
    assert read(written(tmp_path / "a.csv", named_runs(*names))).models == ("a",)
    assert len(Scores(columns_of(named_runs(*names))).models) == 1


def partly(header, blank="", shared=20, **more):
    """Twenty items with a value in a column, right in all but each tenth; twenty without, shared or not, all wrong."""
    with_value = ({**more, "id": f"q{k}", header: "react", "score": int(k % 10 > 0)} for k in range(20))
    return [*with_value, *({**more, "id": f"q{k + 20 - shared}", header: blank, "score": 0} for k in range(20))]


@pytest.mark.parametrize("header", ["scaffold", "config", "llm", "prompt_version", "thinking", "agent"])
def test_rows_with_a_setting_and_rows_without_are_not_pooled(tmp_path, header):
    path = written(tmp_path / "a.csv", partly(header, model="m"))
    said, command = refusal(path)
    assert shlex.split(command)[-1] == f"model=model+{header}"
    assert means(read(path, columns={"model": f"model+{header}"})) == pytest.approx({"m+react": 0.9, "m": 0.0})
    assert means(read(path, columns={"model": "model"})) == {"m": pytest.approx(0.45)}
    if header != "agent":
        assert f"rows of one 'model' and item have '{header}' ('react') or none, which would be pooled" in said
    for blank in ("", None):
        frame = columns_of(partly(header, blank, model="m"))
        with pytest.raises(ScoresError, match=f"rows of one item have '{header}' or none"):
            Scores(frame)
        filled = frame | {header: [cell or "none" for cell in frame[header]]}
        assert means(Scores(filled, model=("model", header))) == pytest.approx({"m+react": 0.9, "m+none": 0.0})
        assert means(Scores(frame, model="model")) == {"m": pytest.approx(0.45)}


def test_the_model_of_rows_without_a_name_is_asked_for(tmp_path):
    path = written(tmp_path / "a.csv", partly("llm"))
    with pytest.raises(
        ReadError, match=r"rows of one item have 'llm' \('react'\) or none, .* write a name where there"
    ):
        read(path)
    assert means(read(path, columns={"file": "{model}"})) == {"a": pytest.approx(0.45)}
    with pytest.raises(ScoresError, match="rows of one item have 'llm' or none"):
        Scores(columns_of(partly("llm")))


@pytest.mark.parametrize(
    "records",
    [
        partly("scaffold", model="m", shared=0),
        partly("scaffold", model="m", shared=4),
        partly("latency", model="m"),
        partly("scaffold", "react", model="m"),
        partly("reasoning", model="m"),
        [one | {"config": one["config"] and one["id"]} for one in partly("config", model="m", shared=20)] * 1
        + [
            {"model": "m", "id": "q99", "config": "", "score": 1},
            {"model": "m", "id": "q98", "config": "x", "score": 1},
        ],
    ],
    ids=["other items", "a few lost values", "a measurement", "all filled", "an output", "of each item"],
)
def test_empty_cells_that_say_nothing_are_left_alone(tmp_path, records):
    assert read(written(tmp_path / "a.csv", records)).models == ("m",)
    assert Scores(columns_of(records)).models == ("m",)
