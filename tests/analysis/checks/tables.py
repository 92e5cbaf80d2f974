"""Score tables with one fault each, and clean ones of every kind, for the checks to be tried on."""

from __future__ import annotations

import zlib

import numpy as np
from tests.readers.inspect_by_hand import sample, write_json
from tests.readers.lm_eval_by_hand import line, write_results, write_samples

import scorebars as sb
from scorebars.readers.survey import survey

WORDS = [f"{a}{b}" for a in ("pear", "plum", "fig", "kiwi", "lime", "date") for b in ("tree", "leaf", "root", "seed")]


def rows(**columns):
    """A table of columns, shorter ones repeated."""
    n = max(len(column) for column in columns.values() if not isinstance(column, str))
    wide = {name: np.resize(np.array(column, dtype=object), n) for name, column in columns.items()}
    return sb.Scores({**wide, "score": wide["score"].astype(float)})


def luck(*names, share=0.5):
    """A 0/1 score that depends on nothing but these names: the same in every process."""
    return float(zlib.crc32("/".join(map(str, names)).encode()) % 1000 < 1000 * share)


def answers(models=("a", "b"), items=40, runs=1, task=None, share=0.5, spell=lambda _model, item: f"q{item}"):
    """One row an attempt, items of different difficulty, runs that differ."""
    columns = {"model": [], "item": [], "run": [], "score": []}
    for model in models:
        for item in range(items):
            for run in range(runs):
                hard = zlib.crc32(f"hard{item}".encode()) % 1000 / 1000
                columns["model"].append(model)
                columns["item"].append(spell(model, item))
                columns["run"].append(str(run))
                columns["score"].append(luck(model, item, run, share=share * (0.5 + hard)))
    if task is not None:
        columns["task"] = [task] * len(columns["item"])
    return columns


def doctor(scores):
    return sb.doctor(scores)


def from_files(*paths, **asked):
    found = survey([str(path) for path in paths], **asked)
    return sb.doctor(found.scores, unread=found.unread, published=found.published, waiting=found.waiting, paths="files")


def write(folder, name, *lines):
    path = folder / name
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def csv_of(folder, name, columns):
    heads = list(columns)
    return write(
        folder, name, ",".join(heads), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))
    )


def _joined(*parts):
    """The columns of several tables one below the other."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: [cell for part in parts for cell in part.get(name, [""] * len(part["score"]))] for name in names}


def _unread(folder):
    csv_of(folder, "good.csv", answers())
    write(folder, "torn.json", '[{"model": "c", "item": "q1", "score": 1}, {"mod')
    return from_files(folder)


def _choice_needed(folder):
    rows = [f"{i},DQN,walk,{seed},{step},{10 * step + seed}" for i, (seed, step) in enumerate(np.ndindex(7, 20))]
    write(folder, "walk.csv", ",agent,task,seed,frame,episode_reward", *rows)
    return from_files(folder)


def _identical_files(folder):
    columns = answers(models=("a",))
    csv_of(folder, "falcon-7b.csv", {name: columns[name] for name in ("item", "score")})
    csv_of(folder, "falcon-40b.csv", {name: columns[name] for name in ("item", "score")})
    return from_files(folder)


def _refused(folder):
    columns = answers()
    return doctor(
        rows(**_joined(columns, {name: column[:3] for name, column in columns.items()} | {"score": [0.25] * 3}))
    )


def _mixed_scale(folder):
    columns = answers(items=60)
    columns["score"] = [100 * s if m == "a" else s for m, s in zip(columns["model"], columns["score"], strict=True)]
    return doctor(rows(**columns))


def _strays(_folder):
    columns = answers()
    columns["score"][3] = 2.0
    return doctor(rows(**columns))


def _sentinels(folder):
    columns = answers(items=60)
    columns["score"] = [-999 if i < 5 else 0.8 * s + 0.1 for i, s in enumerate(columns["score"])]
    return doctor(rows(**columns))


def _swapped(folder):
    rng = np.random.default_rng(1)
    right = rng.normal(rng.normal(0.5, 0.3, 26), 0.1, (12, 26))
    return doctor(sb.Scores.from_arrays({"dqn": right.T, "ppo": right.T + 0.2}))


def _repeats_as_items(folder):
    columns = {"model": [], "item": [], "score": []}
    for question in range(15):
        for repeat in range(4):
            for model in "ab":
                columns["model"].append(model)
                columns["item"].append(f"{question}.{repeat}" if repeat else str(question))
                columns["score"].append(luck(question, model) if repeat < 3 else luck(question, model, repeat))
    return doctor(rows(**columns))


def _repeats_as_models(folder):
    names = [f"{model}{repeat}" for model in ("gpt", "llama") for repeat in ("", ".1", ".2")]
    return doctor(rows(**answers(models=names)))


def _tasks_as_models(folder):
    for model in ("gpt", "llama"):
        for task in ("mmlu", "gsm8k"):
            rows = {"item": range(40), "score": [int(luck(i, model, task)) for i in range(40)]}
            csv_of(folder, f"{model}_{task}.csv", rows)
    return from_files(folder)


def _rows_as_items(folder):
    csv_of(folder, "a.csv", {"score": [luck(i) for i in range(30)]})
    csv_of(folder, "b.csv", {"score": [luck(i, "b") for i in range(29)]})
    return from_files(folder)


def _one_score_a_model(folder):
    return doctor(rows(model=["a", "b", "c"], item=["", "", ""], task=["t"] * 3, score=[0.4, 0.5, 0.6]))


def _one_score_a_task(folder):
    tasks = [f"task{i % 8}" for i in range(16)]
    return doctor(rows(model=["a"] * 8 + ["b"] * 8, task=tasks, item=["all"] * 16, score=np.linspace(0.1, 0.9, 16)))


def _near_items(folder):
    return doctor(rows(**answers(spell=lambda model, item: f"{'Q' if model == 'a' else 'q'}{item}")))


def _near_tasks(folder):
    parts = [answers(models=(m,), task=t) for m, t in (("a", "article_tracking"), ("b", "article-tracking"))]
    return doctor(rows(**_joined(*parts)))


def _near_models(folder):
    return doctor(rows(**answers(models=("GPT-4o", "gpt-4o"))))


def _near_clusters(folder):
    columns = answers()
    columns["cluster"] = [
        f"{'Passage' if m == 'a' else 'passage'} {i[1:]}"[:-1]
        for m, i in zip(columns["model"], columns["item"], strict=True)
    ]
    return doctor(rows(**columns))


def _same_model_name(folder):
    return doctor(rows(**answers(models=("gpt-5", "openai/gpt-5"))))


def _nothing_shared(folder):
    return doctor(rows(**answers(spell=lambda model, item: WORDS[item % 24] + model * 3 + str(item))))


def _missing_tasks(folder):
    parts = [answers(task="arc"), answers(models=("a",), task="mmlu")]
    return doctor(rows(**_joined(*parts)))


def _attrition(folder):
    columns = answers(items=60)
    keep = [not (m == "b" and int(i[1:]) >= 55) for m, i in zip(columns["model"], columns["item"], strict=True)]
    return doctor(
        rows(**{name: [c for c, k in zip(column, keep, strict=True) if k] for name, column in columns.items()})
    )


def _with_missing(n, **more):
    columns = answers(items=50, share=0.8) | more
    columns["score"] = [np.nan if i < n else s for i, s in enumerate(columns["score"])]
    return columns


def _missing_scores(folder):
    return doctor(rows(**_with_missing(12)))


def _error_rows(folder):
    columns = _with_missing(12)
    columns["error"] = ["timeout" if i < 12 else "" for i in range(100)]
    csv_of(folder, "a.csv", columns | {"score": ["" if s != s else s for s in columns["score"]]})  # noqa: PLR0124 - NaN
    return from_files(folder)


def _crossed_runs(folder):
    columns = answers(models=("a",), items=300, runs=4)
    luck_of_run = {"0": 0.9, "1": 0.5, "2": 0.6, "3": 0.4}
    columns["score"] = [
        luck(i, r, share=luck_of_run[r] * (0.5 + zlib.crc32(i.encode()) % 100 / 100))
        for i, r in zip(columns["item"], columns["run"], strict=True)
    ]
    return doctor(rows(**columns))


def _identical_runs(folder):
    columns = answers(runs=3)
    columns["score"] = [luck(m, i) for m, i in zip(columns["model"], columns["item"], strict=True)]
    return doctor(rows(**columns))


def _copied_runs(folder):
    rng = np.random.default_rng(2)
    scores = rng.normal(rng.normal(0.5, 0.3, 20), 0.1, (6, 20))
    scores[4] = scores[1]
    return doctor(sb.Scores.from_arrays({"dqn": scores}))


def _unequal_runs(folder):
    return doctor(rows(**_joined(answers(models=("a",), runs=6), answers(models=("b",), runs=1))))


def _few_items(folder):
    return doctor(rows(**answers(items=5)))


def _few_runs(folder):
    rng = np.random.default_rng(3)
    return doctor(sb.Scores.from_arrays({"dqn": rng.normal(rng.normal(0.5, 0.3, 20), 0.1, (3, 20))}))


def _clustered(cluster):
    columns = answers(items=60)
    columns["cluster"] = [cluster(int(item[1:])) for item in columns["item"]]
    return doctor(rows(**columns))


def _crossing_ids(folder):
    spell = lambda _model, item: WORDS[item % 24]  # noqa: E731
    return doctor(rows(**_joined(*(answers(items=24, task=t, spell=spell) for t in ("english", "french")))))


def _task_weights(folder):
    return doctor(
        rows(**_joined(answers(items=200, task="long", share=0.2), answers(items=20, task="short", share=1.0)))
    )


def _summary_rows(folder):
    write(folder, "sums.csv", "model,item,score", *(f"a,q{i},{i % 2}" for i in range(20)), "a,Average,0.5")
    return from_files(folder)


def _constant_scores(folder):
    columns = answers()
    columns["score"] = [0.0 if m == "a" else s for m, s in zip(columns["model"], columns["score"], strict=True)]
    return doctor(rows(**columns))


def _averages(folder):
    write(
        folder,
        "board.csv",
        "name,score,score_stderr",
        *(f"m{i},{0.4 + i / 100},{0.01 + i / 1000}" for i in range(12)),
    )
    return from_files(folder / "board.csv", columns={"score": "score"})


def _results(folder, **results):
    write_samples(folder, [line(i, acc=luck(i)) for i in range(30)])
    write_results(folder, results={"toy": {"acc,none": 0.5} | results})
    return from_files(folder)


def _zero_stderr(folder):
    return _results(folder, **{"acc_stderr,none": 0.0})


def _no_stderr(folder):
    return _results(folder, **{"acc_stderr,none": "N/A"})


def _several_metrics(folder):
    write_samples(folder, [line(i, acc=luck(i), acc_norm=luck(i, "n")) for i in range(30)])
    write_results(folder)
    return from_files(folder)


def _several_variants(folder):
    lines = [line(i, filter=name, acc=luck(i, name)) for i in range(30) for name in ("strict", "flexible")]
    write_samples(folder, lines)
    write_results(folder)
    return from_files(folder)


def _header_disagrees(folder):
    write_samples(folder, [line(i, acc=luck(i)) for i in range(30)])
    write_results(folder, counts={"toy": {"original": 900, "effective": 900}})
    return from_files(folder)


def _logs(folder, **options):
    write_json(folder / "a.json", [sample(f"q{i}", match=luck(i)) for i in range(30)], scorers=["match"])
    write_json(folder / "b.json", **({"samples": [sample(f"q{i}", match=luck(i, "b")) for i in range(30)]} | options))
    return from_files(folder)


def _header_only(folder):
    return _logs(folder, samples=None, model="openai/gpt-5", scorers=["match"])


def _partial_log(folder):
    return _logs(folder, status="cancelled", model="openai/gpt-5", scorers=["match"])


def _split_items(folder):
    columns = answers(items=60)
    columns["cluster"] = [
        f"c{int(i[1:]) % 20}" if m == "a" or i != "q7" else "other"
        for m, i in zip(columns["model"], columns["item"], strict=True)
    ]
    return doctor(rows(**columns))


def _raw_scores(folder):
    rng = np.random.default_rng(4)
    size = 10.0 ** rng.uniform(0, 5, 26)
    return doctor(sb.Scores.from_arrays({name: rng.gamma(3.0, size, (10, 26)) for name in ("dqn", "ppo")}))


def _duplicate_attempts(folder):
    columns = answers()
    twice = [f"{m},{i},{s}" for m, i, s in zip(columns["model"], columns["item"], columns["score"], strict=True)] * 2
    return from_files(write(folder, "a.csv", "model,item,score", *twice))


def _repeats_as_runs(folder):
    columns = answers(runs=3)
    return from_files(csv_of(folder, "a.csv", {name: columns[name] for name in ("model", "item", "score")}))


def _converted(folder):
    columns = answers()
    return from_files(
        csv_of(folder, "a.csv", columns | {"score": [["fail", "pass"][int(s)] for s in columns["score"]]})
    )


def _duplicate_documents(folder):
    write_samples(folder, [line(i, acc=luck(i), doc_hash=f"h{i // 2}") for i in range(30)])
    write_results(folder)
    return from_files(folder)


def _skipped(folder):
    csv_of(folder, "good.csv", answers())
    write(folder, "config.json", '{"args": 1}')
    return from_files(folder)


FAULTY = {
    "unread": _unread,
    "choice-needed": _choice_needed,
    "identical-files": _identical_files,
    "refused": _refused,
    "mixed-scale": _mixed_scale,
    "sentinel-scores": _sentinels,
    "stray-scores": _strays,
    "swapped-axes": _swapped,
    "repeats-as-items": _repeats_as_items,
    "repeats-as-models": _repeats_as_models,
    "tasks-as-models": _tasks_as_models,
    "rows-as-items": _rows_as_items,
    "one-score-a-model": _one_score_a_model,
    "one-score-a-task": _one_score_a_task,
    "near-duplicate-items": _near_items,
    "near-duplicate-tasks": _near_tasks,
    "near-duplicate-models": _near_models,
    "near-duplicate-clusters": _near_clusters,
    "same-model-name": _same_model_name,
    "nothing-shared": _nothing_shared,
    "missing-tasks": _missing_tasks,
    "attrition": _attrition,
    "missing-scores": _missing_scores,
    "error-rows": _error_rows,
    "crossed-runs": _crossed_runs,
    "identical-runs": _identical_runs,
    "copied-runs": _copied_runs,
    "unequal-runs": _unequal_runs,
    "few-items": _few_items,
    "few-runs": _few_runs,
    "one-cluster": lambda _folder: _clustered(lambda _item: "all"),
    "lone-clusters": lambda _folder: _clustered(lambda item: f"c{item}"),
    "big-cluster": lambda _folder: _clustered(lambda item: f"c{item}" if item < 25 else "django"),
    "few-clusters": lambda _folder: _clustered(lambda item: f"c{item % 5}"),
    "crossing-ids": _crossing_ids,
    "task-weights": _task_weights,
    "summary-rows": _summary_rows,
    "constant-scores": _constant_scores,
    "averages-as-items": _averages,
    "zero-stderr": _zero_stderr,
    "no-stderr": _no_stderr,
    "several-metrics": _several_metrics,
    "several-variants": _several_variants,
    "header-disagrees": _header_disagrees,
    "header-only": _header_only,
    "partial-log": _partial_log,
    "split-items": _split_items,
    "raw-scores": _raw_scores,
    "duplicate-attempts": _duplicate_attempts,
    "duplicate-documents": _duplicate_documents,
    "repeats-as-runs": _repeats_as_runs,
    "converted": _converted,
    "skipped-file": _skipped,
}
"""Code -> a table (or a folder of files) with that fault."""


def _clean_files(folder):
    for model in ("gpt", "llama"):
        columns = answers(models=(model,), items=60)
        csv_of(folder, f"{model}.csv", {name: columns[name] for name in ("item", "score")})
    return from_files(folder)


def _clean_lm_eval(folder):
    scores = [luck(i) for i in range(30)]
    write_samples(folder, [line(i, acc=score) for i, score in enumerate(scores)])
    error = float(np.std(scores, ddof=1) / np.sqrt(30))
    averages = {"acc,none": float(np.mean(scores)), "acc_stderr,none": error}
    write_results(folder, counts={"toy": {"original": 30, "effective": 30}}, results={"toy": averages})
    return from_files(folder)


def _clean_clusters(folder):
    columns = answers(items=120)
    columns["cluster"] = [f"passage{int(item[1:]) % 20:02d}" for item in columns["item"]]
    return doctor(rows(**columns))


def _clean_returns(folder):
    rng = np.random.default_rng(4)
    size = rng.uniform(0.1, 0.7, 26)
    return doctor(sb.Scores.from_arrays({name: rng.gamma(3.0, size, (10, 26)) for name in ("dqn", "ppo")}))


CLEAN = {
    "one model": lambda _folder: doctor(rows(**answers(models=("a",)))),
    "two models": lambda _folder: doctor(rows(**answers())),
    "runs": lambda _folder: doctor(rows(**answers(runs=8, items=60))),
    "tasks": lambda _folder: doctor(rows(**_joined(*(answers(task=t, items=50) for t in ("arc", "mmlu"))))),
    "clusters": _clean_clusters,
    "returns": _clean_returns,
    "files": _clean_files,
    "lm-eval": _clean_lm_eval,
    "numbered passages": lambda _folder: doctor(rows(**answers(items=60, spell=lambda _m, i: f"{i // 4}_{i % 4}"))),
    "repositories": lambda _folder: doctor(rows(**answers(items=60, spell=lambda _m, i: f"{WORDS[i % 24]}__x-{i}"))),
    "versions": lambda _folder: doctor(rows(**answers(models=("gpt-4", "gpt-4.1", "llama-3", "llama-3.1", "o3")))),
    "graded": lambda _folder: doctor(
        rows(**(answers(items=60) | {"score": [1.0 + zlib.crc32(str(i).encode()) % 10 for i in range(120)]}))
    ),
}
"""Tables without a fault: nothing is to be found."""
