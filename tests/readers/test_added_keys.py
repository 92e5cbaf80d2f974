"""Files into which results of several models or settings were put, with a key that the format does not write."""

from __future__ import annotations

import json
import re
import shlex

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scorebars.errors import ReadError
from scorebars.readers.read import read

N = 20
"""Items."""


def right(item, place):
    """Whether the item's attempt of that place is right, in a way that no setting follows."""
    return (item * 7 + place * 3 + item * place) % 5 < 2


def opencompass(folder, keys):
    path = folder / "m" / "gsm.json"
    details = {
        str(place * N + item): {
            "prompt": f"q{item}", "predictions": "a", "references": "b", "correct": right(item, place),
            **keys(place, item),
        }
        for place in (0, 1)
        for item in range(N)
    }  # fmt: skip
    return written(path, {"accuracy": 40.0, "details": {"type": "GEN", **details}})


def opencompass_list(folder, keys):
    details = [
        {"example_abbr": f"gsm_{item}", "pred": ["a"], "answer": ["b"], "correct": [right(item, place)]}
        | keys(place, item)
        for place in (0, 1)
        for item in range(N)
    ]
    return written(folder / "m" / "gsm.json", {"accuracy": 40.0, "details": details})


def helm(folder, keys):
    instances = [
        {
            "instance_id": f"id{item}",
            "train_trial_index": 0,
            "stats": [statistic(right(item, place))],
            **keys(place, item),
        }
        for place in (0, 1)
        for item in range(N)
    ]
    return written(folder / "mmlu:model=m" / "per_instance_stats.json", instances)


def statistic(value):
    return {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": float(value), "mean": float(value)}


def promptfoo(folder, keys):
    results = [
        {
            "provider": {"id": "openai:gpt", "label": ""}, "promptIdx": 0, "testIdx": item, "promptId": "a" * 64,
            "testCase": {"vars": {"q": f"q{item}"}}, "vars": {"q": f"q{item}"}, "success": right(item, place),
            "score": float(right(item, place)), "gradingResult": {"reason": "r"}, "namedScores": {},
            **keys(place, item),
        }
        for place in (0, 1)
        for item in range(N)
    ]  # fmt: skip
    return written(folder / "results.jsonl", results)


def openai_evals(folder, keys):
    spec = {"spec": {"completion_fns": ["gpt"], "eval_name": "e", "run_id": "r"}}
    events = [
        {
            "run_id": "r",
            "event_id": 0,
            "sample_id": f"e.{item}",
            "type": "match",
            "data": {"correct": right(item, place)},
        }
        | keys(place, item)
        for place in (0, 1)
        for item in range(N)
    ]
    return written(folder / "log.jsonl", [spec, *events])


def simple_evals(folder, keys):
    listed = [
        {"score": float(right(item, place)), "prompt_id": f"p{item}", **keys(place, item)}
        for place in (0, 1)
        for item in range(N)
    ]
    whole = {"score": 0.4, "metrics": {}, "htmls": [], "metadata": {"example_level_metadata": listed}}
    return written(folder / "healthbench_gpt_20250507_061412_allresults.json", whole)


def deepeval_case(item, place):
    passed = right(item, place)
    metric = {"name": "Acc", "score": float(passed), "success": passed}
    return {"name": f"test_case_{item}", "input": f"q{item}", "success": passed, "metricsData": [metric]}


def deepeval(folder, keys):
    cases = [deepeval_case(item, place) | keys(place, item) for place in (0, 1) for item in range(N)]
    return written(folder / "run.json", {"testCases": cases})


def deepeval_metadata(folder, keys):
    cases = [
        deepeval_case(item, place) | {"additionalMetadata": keys(place, item)} for place in (0, 1) for item in range(N)
    ]
    return written(folder / "run.json", {"testCases": cases})


def evalplus(folder, keys):
    samples = {
        f"HumanEval/{item}": [
            {"task_id": f"HumanEval/{item}", "base_status": status(item, place), "plus_status": status(item, place)}
            | keys(place // 2, item)
            for place in range(4)
        ]
        for item in range(164)
    }
    return written(folder / "a_eval_results.json", {"date": "2024", "hash": "x", "eval": samples})


def bigcodebench(folder, keys):
    samples = {
        f"BigCodeBench/{item}": [
            {"task_id": f"BigCodeBench/{item}", "status": status(item, place), **keys(place, item)} for place in (0, 1)
        ]
        for item in range(N)
    }
    return written(folder / "a--bigcodebench-instruct--x_eval_results.json", {"date": "2024", "eval": samples})


def status(item, place):
    return "pass" if right(item, place) else "fail"


def lighteval(folder, keys):
    path = folder / "details" / "m" / "2025-01-02T03-04-05" / "details_arc_2025-01-02T03-04-05.parquet"
    path.parent.mkdir(parents=True)
    rows = [
        {"__doc__": {"id": str(item)}, "__metric__": {"em": float(right(item, place))}, **keys(place, item)}
        for place in (0, 1)
        for item in range(N)
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def written(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value)
    if path.suffix == ".jsonl":
        text = "".join(json.dumps(each) + "\n" for each in value)
    path.write_text(text)
    return path


FORMATS = [
    opencompass, opencompass_list, helm, promptfoo, openai_evals, simple_evals, deepeval, deepeval_metadata, evalplus,
    bigcodebench, lighteval,
]  # fmt: skip
EVERY = pytest.mark.parametrize("make", FORMATS)


@EVERY
def test_several_models_in_one_file_are_refused(tmp_path, make):
    path = make(tmp_path, lambda place, _: {"model": ("gpt", "llama")[place]})
    with pytest.raises(ReadError, match=r"names several models \('gpt', 'llama'\), and all would count as one; write"):
        read(path)


@EVERY
def test_several_settings_in_one_file_are_refused(tmp_path, make):
    path = make(tmp_path, lambda place, _: {"temperature": float(place)})
    with pytest.raises(ReadError, match=r"several records of an item, and 'temperature' \('0(\.0)?', '1(\.0)?'\) t"):
        read(path)


# Where attempts have no number of their own, the second one of an item is refused as it is.
@pytest.mark.parametrize("make", [make for make in FORMATS if make not in (helm, opencompass_list)])
def test_keys_that_tell_nothing_apart_are_no_matter(tmp_path, make):
    path = make(tmp_path, lambda _, item: {"temperature": 0.5, "model": "gpt", "category": "ab"[item % 2]})
    scores = read(path)
    metric = {"metric": scores.metrics[0]} if len(scores.metrics) > 1 else {}
    (model,) = scores.models
    assert scores.select(**metric).tidy()["score"].mean() == pytest.approx(own_mean(make), abs=1e-12), model


def own_mean(make):
    n, places = (164, range(4)) if make is evalplus else (N, (0, 1))
    return sum(right(item, place) for item in range(n) for place in places) / (n * len(places))


def test_events_of_several_runs_are_refused(tmp_path):
    path = openai_evals(tmp_path, lambda place, _: {"run_id": f"r{place}"})
    with pytest.raises(
        ReadError, match=r"events of 2 runs \(run_id 'r0', 'r1'\), and all would count as runs of one mo"
    ):
        read(path)


def lm_eval(folder, keys, *, listed=True):
    lines = [
        {"doc_id": item, "doc": {"q": item}, "target": "a", "resps": [["x"]], "filter": "none", "doc_hash": f"h{item}"}
        | ({"metrics": ["acc"]} if listed else {})
        | {"acc": float(right(item, place)), **keys(place, item)}
        for place in (0, 1)
        for item in range(N)
    ]
    return written(folder / "m" / "samples_arc_2024-01-01T00-00-00.000000.jsonl", lines)


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("model", [{}, {"model": "gpt"}])
def test_settings_of_lm_eval_are_refused_with_a_query(tmp_path, listed, model):
    path = lm_eval(tmp_path, lambda place, _: {"temperature": float(place), **model}, listed=listed)
    with pytest.raises(
        ReadError, match=r"'temperature' \('0.0', '1.0'\) tells them apart: read it as a table"
    ) as caught:
        read(path)
    query = next(query for query in re.findall(r"--sql '(.*?)'\)", str(caught.value)) if "AS model" in query)
    scores = read(path, sql=query)
    assert scores.models == ("0.0", "1.0")
    tidy = scores.tidy()
    for place, model_name in enumerate(scores.models):
        own = [score for name, score in zip(tidy["model"], tidy["score"], strict=True) if name == model_name]
        assert own == [float(right(item, place)) for item in range(N)]


def test_two_models_and_two_settings_of_lm_eval_are_refused(tmp_path):
    lines = [
        {"doc_id": item, "doc": {}, "target": "a", "resps": [], "filter": "none", "metrics": ["acc"], "model": model}
        | {"acc": float(right(item, place)), "temperature": float(place)}
        for model in ("gpt", "llama")
        for place in (0, 1)
        for item in range(N)
    ]
    path = written(tmp_path / "samples_arc_2024-01-01T00-00-00.000000.jsonl", lines)
    with pytest.raises(ReadError, match=r"SELECT concat\(model, .*, temperature\) AS model") as caught:
        read(path)
    query = shlex.split(str(caught.value).partition("(--sql ")[2])[0].removesuffix("),")
    assert len(read(path, sql=query).models) == 4


def test_keys_of_lm_eval_that_tell_nothing_are_no_matter(tmp_path):
    path = lm_eval(tmp_path, lambda _, item: {"temperature": 0.5, "subject": "ab"[item % 2], "note": f"{item}"})
    assert read(path).tidy()["score"].mean() == pytest.approx(own_mean(lm_eval))


def ragas(folder, keys, times=2):
    rows = [
        {
            "user_input": f"question {item}?",
            "response": "x",
            "faithfulness": right(item, place) / 2,
            **keys(place, item),
        }
        for place in range(times)
        for item in range(N)
    ]
    return written(folder / "ragas.json", rows)


@pytest.mark.parametrize(
    ("key", "values"), [("llm", ("gpt", "llama")), ("temperature", (0.0, 1.0)), ("config", ("a", "b"))]
)
def test_settings_of_ragas_are_asked_about(tmp_path, key, values):
    path = ragas(tmp_path, lambda place, _: {key: values[place]})
    with pytest.raises(ReadError, match=rf"'{key}' \(.*\) tells rows of one question apart") as caught:
        read(path)
    assert f"--map model={key} or --map variant={key}" in str(caught.value)
    scores = read(path, columns={"model": key}, metric="faithfulness")
    assert scores.models == tuple(map(str, values))
    tidy = scores.tidy()
    assert (len(tidy["score"]), len(set(tidy["item"]))) == (2 * N, N)
    scores = read(path, columns={"run": key}, metric="faithfulness").cuts().cuts[0].sample
    assert (len(scores.score), len(set(scores.item.tolist()))) == (2 * N, N)


def test_models_of_ragas_are_of_the_same_questions(tmp_path):
    scores = read(ragas(tmp_path, lambda place, _: {"model": "ab"[place]}))
    assert (scores.models, len(set(scores.tidy()["item"]))) == (("a", "b"), N)
    assert "rows-as-items" not in {note.code for note in scores.cuts().notes}


def test_a_question_twice_is_still_two_rows_of_ragas(tmp_path):
    scores = read(ragas(tmp_path, lambda _, item: {"difficulty": item % 3}), metric="faithfulness")
    assert len(set(scores.cuts().cuts[0].sample.item.tolist())) == 2 * N
