"""JSON whose records lie below keys: lists under models and tasks, records in records, scores two levels down."""

from __future__ import annotations

import json

import pytest
from tests.readers.real import means
from tests.readers.test_scoreless import obeyed

from scorebars.errors import ReadError
from scorebars.readers.read import read

MODELS = {"gpt": [1, 0, 1, 1], "llama": [0, 0, 1, 0]}
"""Model -> its scores."""
EXPECTED = {"gpt": (4, 0.75), "llama": (4, 0.25)}


def write(folder, value, name="a.json"):
    path = folder / name
    path.write_text(json.dumps(value))
    return path


def records(scores, score="score"):
    return [{"qid": f"q{number}", score: value} for number, value in enumerate(scores)]


LISTS = {model: records(scores) for model, scores in MODELS.items()}


@pytest.mark.parametrize(
    "value",
    [
        {"config": {"temperature": 0.0}, "results": LISTS},
        {"config": {"temperature": 0.0}, "results": {"v1": {"all": LISTS}}},
        {"evals": {model: {"mmlu": {"results": some}} for model, some in LISTS.items()}},
        {"runs": [{"model": model, "samples": some} for model, some in LISTS.items()]},
        {"out": {"runs": [{"model": model, "when": 1, "samples": some} for model, some in LISTS.items()]}},
    ],
)
def test_lists_below_keys_are_those_of_models(tmp_path, value):
    assert means(read(write(tmp_path, value))) == EXPECTED


def test_lists_below_two_levels_of_keys_are_asked_about(tmp_path):
    value = {"evals": {model: {"a": some[:2], "b": some[2:]} for model, some in LISTS.items()}}
    path = write(tmp_path, value)
    with pytest.raises(ReadError, match="below two levels of keys") as caught:
        read(path)
    scores = obeyed(path, caught.value)
    assert means(scores) == EXPECTED
    assert scores.tasks == ("a", "b")


def test_a_score_of_an_unknown_name_in_lists_below_keys_is_asked_about(tmp_path):
    value = {"evals": {model: {"mmlu": {"results": records(map(bool, some), "ok")}} for model, some in MODELS.items()}}
    path = write(tmp_path, value)
    with pytest.raises(ReadError, match="--map score=ok") as caught:
        read(path)
    assert means(obeyed(path, caught.value)) == EXPECTED


@pytest.mark.parametrize(
    "value",
    [
        {"results": {"train": LISTS["gpt"], "test": LISTS["llama"]}, "x": {}},
        {"results": {"run1": LISTS["gpt"], "run2": LISTS["llama"]}, "x": {}},
        {"results": LISTS, "details": {"more": {"gpt": LISTS["gpt"]}}},
        {"model": "gpt", "results": LISTS},
        {"config": {"model": "gpt"}, "results": LISTS},
    ],
)
def test_lists_that_may_be_anything_are_refused_as_before(tmp_path, value):
    with pytest.raises(ReadError, match=r"several (places|lists)") as caught:
        read(write(tmp_path, value))
    assert "#" in str(caught.value)


def test_histories_below_keys_are_no_scores(tmp_path):
    value = {"log": {"history": [{"step": 1, "loss": 0.5, "lr": 0.1}, {"step": 2, "loss": 0.4, "lr": 0.1}]}, "a": 1}
    with pytest.raises(ReadError, match="in no shape"):
        read(write(tmp_path, value))


@pytest.mark.parametrize("names", [("gpt", "llama"), ("gpt-4.1", "llama, 70b")])
@pytest.mark.parametrize("lines", [False, True])
def test_models_two_levels_down_are_asked_about(tmp_path, names, lines):
    rows = [
        {
            "question": f"q{number}",
            "answers": {
                name: {"text": "x", "score": MODELS[model][number]} for name, model in zip(names, MODELS, strict=True)
            },
        }
        for number in range(4)
    ]
    path = write(tmp_path, rows) if not lines else tmp_path / "a.jsonl"
    if lines:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(
        ReadError, match=f"'answers' holds one 'score' for each of '{names[0]}', '{names[1]}'"
    ) as caught:
        read(path)
    found = means(obeyed(path, caught.value))
    assert found == {name: EXPECTED[model] for name, model in zip(names, MODELS, strict=True)}


def test_metrics_two_levels_down_are_no_models(tmp_path):
    rows = [{"model": "a", "id": n, "judges": {"j1": {"score": 1}, "j2": {"score": 0}}} for n in range(3)]
    with pytest.raises(ReadError) as caught:
        read(write(tmp_path, rows))
    assert "model=" not in str(caught.value)


RESULTS = [[{"id": item, "score": score} for item, score in enumerate(scores)] for scores in ((1, 0, 1), (0, 0, 1))]


@pytest.mark.parametrize(
    "value",
    [
        {"model": "gpt", "runs": [{"seed": seed, "results": one} for seed, one in enumerate(RESULTS)]},
        [{"model": "gpt", "epoch": epoch, "results": one} for epoch, one in enumerate(RESULTS)],
        [{"config": {"model": "gpt", "seed": seed}, "results": one} for seed, one in enumerate(RESULTS)],
    ],
)
def test_records_under_each_seed_are_its_runs(tmp_path, value):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value))
    tidy = read(path).tidy()
    found = list(zip(*(tidy[role].tolist() for role in ("model", "item", "run", "score")), strict=True))
    assert sorted(found) == sorted(
        ("gpt", str(row["id"]), str(run), row["score"]) for run, one in enumerate(RESULTS) for row in one
    )


@pytest.mark.parametrize(
    ("beside", "answer"),
    [
        (lambda name: {"config": {"model": "gpt", "prompt": name}}, "model=model+prompt"),
        (lambda name: {"name": name}, "model=name"),
        (lambda name: {"model": "gpt", "temperature": name}, "model=model+temperature"),
    ],
)
def test_records_under_each_setting_are_asked_about_with_a_mapping_that_works(tmp_path, beside, answer):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([beside(name) | {"results": one} for name, one in zip("xy", RESULTS, strict=True)]))
    with pytest.raises(ReadError, match="tells them apart") as caught:
        read(path)
    assert f"--map {answer}" in "".join(caught.value.__notes__)
    tidy = read(path, columns={"model": answer.removeprefix("model=")}).tidy()
    assert sorted(zip(tidy["model"].tolist(), tidy["score"].tolist(), strict=True)) == sorted(
        (f"gpt+{name}" if "+" in answer else name, row["score"])
        for name, one in zip("xy", RESULTS, strict=True)
        for row in one
    )


TASKS = {"gsm8k": records([1, 0, 1, 1]), "our_questions": records([0, 0, 1, 0, 0])}


@pytest.mark.parametrize(
    "value",
    [
        {"model": "M", "date": "2026-05-01", "results": TASKS},
        {"config": {"model": "M", "seed": 1}, "results": TASKS},
        {"model": "M", "results": {"v1": {"all": TASKS}}},
        {"model": "M", "results": {"one": TASKS["gsm8k"], "two": TASKS["our_questions"]}},
    ],
)
def test_a_model_above_lists_makes_their_keys_tasks(tmp_path, value):
    scores = read(write(tmp_path, value))
    assert scores.models == ("M",)
    assert len(scores.tasks) == 2
    by_task = dict.fromkeys(scores.tasks, 0)
    for task, score in zip(scores.tidy()["task"], scores.tidy()["score"], strict=True):
        by_task[task] += score
    assert list(by_task.values()) == [3, 1]


def test_a_key_that_is_called_like_the_model_above_it_is_no_task(tmp_path):
    with pytest.raises(ReadError, match="several places"):
        read(write(tmp_path, {"model": "gpt", "results": LISTS}))
    with pytest.raises(ReadError, match="several places"):
        read(write(tmp_path, {"model": "M", "task": "T", "results": LISTS}))


@pytest.mark.parametrize("value", [TASKS, {"results": TASKS}, {"gsm8k": [1, 0, 1, 1], "ours": [0, 0, 1, 0, 0]}])
def test_known_benchmarks_are_no_models(tmp_path, value):
    scores = read(write(tmp_path, value))
    assert (scores.models, len(scores.tasks)) == (("a",), 2)


@pytest.mark.parametrize("value", [LISTS, {"results": LISTS}])
def test_lists_of_records_under_names_of_models_need_no_note(tmp_path, value):
    scores = read(write(tmp_path, value))
    assert (scores.models, scores.cuts().notes) == (("gpt", "llama"), ())


def test_keys_of_lists_of_records_that_may_be_tasks_are_said(tmp_path):
    path = write(tmp_path, {"results": {"astronomy": records([1, 0]), "biology": records([1, 1])}})
    (said,) = read(path).cuts().notes
    assert said.code == "keys-as-models"
    assert str(said).endswith("if they are tasks: --map task=key")
    scores = read(path, columns={"task": "key"})
    assert (scores.models, scores.tasks, scores.cuts().notes) == (("a",), ("astronomy", "biology"), ())


def attempted(key="attempts", lists=([1, 0, 1], [0, 0, 1], [1, 1, 1]), **more):
    return [
        {"model": model, "id": f"q{n}", key: [{"correct": bool(c), "tokens": 5} for c in some], **more}
        for model in ("gpt", "llama")
        for n, some in enumerate(lists)
    ]


@pytest.mark.parametrize("key", ["attempts", "trials", "runs", "rollouts"])
@pytest.mark.parametrize("form", ["list", "lines", "under a key"])
def test_attempts_inside_the_records_of_items_are_runs(tmp_path, key, form):
    value = attempted(key)
    path = write(tmp_path, {"date": "now", "results": value} if form == "under a key" else value)
    if form == "lines":
        path = tmp_path / "a.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in value))
    scores = read(path)
    assert scores.models == ("gpt", "llama")
    tidy = scores.tidy()
    found = list(zip(tidy["model"], tidy["item"], map(str, tidy["run"]), tidy["score"], strict=True))
    assert sorted(found) == sorted(
        (one["model"], one["id"], str(n), float(each["correct"]))
        for one in value
        for n, each in enumerate(one[key], start=1)
    )


@pytest.mark.parametrize("value", [attempted("samples"), attempted("steps"), attempted("iterations")])
def test_lists_that_may_be_anything_but_attempts_are_refused(tmp_path, value):
    with pytest.raises(ReadError, match="no scores"):
        read(write(tmp_path, value))


def test_attempts_beside_a_score_of_the_item_are_left_alone(tmp_path):
    assert means(read(write(tmp_path, attempted(score=0)))) == {"gpt": (3, 0.0), "llama": (3, 0.0)}


def test_a_record_without_attempts_is_named(tmp_path):
    value = attempted()
    value[2]["attempts"] = []
    with pytest.raises(ReadError, match="record 3 has no list of attempts with scores under 'attempts'"):
        read(write(tmp_path, value))


def test_retries_until_one_is_right_are_no_repeats(tmp_path):
    path = write(tmp_path, attempted(lists=[[0, 1], [1], [0, 0, 0]]))
    with pytest.raises(ReadError, match="end with the first attempt that was right") as caught:
        read(path)
    first, last = [part.split("'")[0].replace('\\"', '"') for part in str(caught.value).split("--sql '")[1:]]
    assert means(read(path, sql=first)) == {"gpt": (3, pytest.approx(1 / 3)), "llama": (3, pytest.approx(1 / 3))}
    assert means(read(path, sql=last)) == {"gpt": (3, pytest.approx(2 / 3)), "llama": (3, pytest.approx(2 / 3))}
