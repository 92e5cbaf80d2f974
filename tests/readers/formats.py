"""A small file of every format, in the shape of the real thing: what the tests over all readers are run on.

A reader's fixture writes its file (with those that belong beside it) into a folder; ``test_every_reader.py`` reads it,
then damages it in every way that files are damaged.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tests.readers.event_files import events
from tests.readers.logs_by_hand import (
    BFCL,
    BFCL_IDS,
    DEEPEVAL,
    EVERY_EVAL_EVER,
    HAL,
    HELM,
    HELM_SPEC,
    MMLU_PRO,
    OPENAI_EVALS,
    OPENCOMPASS,
    PROMPTFOO,
    RAGAS,
    SIMPLE_EVALS,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Fixture:
    """How to make a file of a format, and what it holds."""

    write: Callable[[Path], Path]
    """Write it below the folder; the path that is read (a file)."""
    rows: int
    """Attempts in it, over all metrics."""
    models: tuple[str, ...]
    lines: str = ""
    """'json' or 'text' where each line stands for itself, so that a file cut between lines looks like a shorter one.

    A line of plain text cut in the middle may look whole too; one of JSON never does.
    """
    beside: tuple[str, ...] = ()
    """Files beside it that must be named too, to be read."""
    options: tuple[tuple[str, Any], ...] = ()
    """What ``read`` must be told, such as the metric where there are several."""


def write_bytes(name: str, data: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


def write_text(name: str, text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def write_json(name: str, value: Any, **others: Any) -> Callable[[Path], Path]:
    """The file, and others beside it (name with '__' for the dot)."""

    def write(folder: Path) -> Path:
        for other, content in others.items():
            (folder / other.replace("__", ".")).write_text(json.dumps(content), encoding="utf-8")
        path = folder / name
        path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        return path

    return write


def write_lines(name: str, values: list[Any]) -> Callable[[Path], Path]:
    return write_text(name, "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values))


def _inspect(folder: Path) -> Path:
    block = {"task": "sums", "model": "openai/gpt-4o", "created": "2026-01-01T00:00:00+00:00", "run_id": "r"}
    block |= {"task_id": "t", "dataset": {"name": "sums"}, "config": {"epochs": 1}}
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": block, "plan": {}}))
        for item, value in enumerate("CICC", start=1):
            sample = {"id": item, "epoch": 1, "input": "?", "scores": {"match": {"value": value}}, "metadata": {}}
            archive.writestr(f"samples/{item}_epoch_1.json", json.dumps(sample))
        top = {"version": 2, "status": "success", "eval": block, "plan": {}, "results": {"total_samples": 4}}
        archive.writestr("header.json", json.dumps(top))
    return path


def _lm_eval(folder: Path) -> Path:
    results = {"results": {"sums": {"acc,none": 0.75, "acc_stderr,none": 0.25}}, "configs": {"sums": {}}}
    results |= {"versions": {"sums": 1}, "n-samples": {"sums": {"original": 4, "effective": 4}}, "model_name": "m"}
    (folder / "results_2026-01-01T00-00-00.000000.json").write_text(json.dumps(results))
    lines = [
        {"doc_id": place, "doc": {}, "target": "1", "resps": [["1"]], "filtered_resps": ["1"], "filter": "none"}
        | {"metrics": ["acc"], "doc_hash": f"h{place}", "prompt_hash": "p", "target_hash": "t", "acc": float(value)}
        for place, value in enumerate((1, 0, 1, 1))
    ]
    return write_lines("samples_sums_2026-01-01T00-00-00.000000.jsonl", lines)(folder)


def swe_report(**ids: list[str]) -> dict[str, Any]:
    """A report of the harness; ``ids`` are its lists by their names without '_ids'."""
    names = ("completed", "incomplete", "empty_patch", "submitted", "resolved", "unresolved", "error")
    ids["completed"] = [*ids.get("resolved", []), *ids.get("unresolved", [])]
    ids["submitted"] = [*ids["completed"], *ids.get("empty_patch", []), *ids.get("error", [])]
    counts = {f"{name}_instances": len(ids.get(name, [])) for name in names}
    total = len({*ids["submitted"], *ids.get("incomplete", [])})
    lists = {f"{name}_ids": sorted(ids.get(name, [])) for name in {**dict.fromkeys(names), **ids}}
    return {"total_instances": total, **counts, **lists, "schema_version": 2}


def code_sample(task: str, passed: bool | None, result: str = "passed", **more: Any) -> dict[str, Any]:
    return {"task_id": task, "completion": "    return 1\n", "result": result, "passed": passed} | more


def evalplus_sample(task: str, base: str | None, plus: str | None) -> dict[str, Any]:
    sample = {"task_id": task, "solution": "def f(): …", "base_status": base, "plus_status": plus}
    return sample | {"base_fail_tests": [], "plus_fail_tests": []}


def evalplus_results(tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"date": "2024-02-20 16:09", "hash": "84f4b93a", "eval": tasks} | more


def bigcode_results(tasks: dict[str, list[str]]) -> dict[str, Any]:
    samples = {
        task: [{"task_id": task, "solution": "…", "status": status, "details": {}} for status in statuses]
        for task, statuses in tasks.items()
    }
    return {"date": "2024-06-20 16:09", "eval": samples}


def live_question(question: str, graded: list[Any], date: str = "2024-08-17", **more: Any) -> dict[str, Any]:
    facts = {"question_title": "t", "question_content": "…", "platform": "atcoder", "question_id": question}
    facts |= {"contest_id": question.partition("_")[0], "contest_date": f"{date}T00:00:00", "difficulty": "easy"}
    share = graded.count(True) / len(graded) if graded else 0.0
    return facts | {"output_list": [], "code_list": [], "graded_list": graded, "pass@1": share} | more


def harbor_trial(task: str, rewards: dict[str, Any] | None, name: str = "1", **more: Any) -> dict[str, Any]:
    """A trial in the shape that Harbor 0.26 writes; ``more`` replaces fields."""
    task_id = {"git_url": "https://example.org/tasks.git", "git_commit_id": "0", "path": f"tasks/{task}"}
    trial = {"schema_version": 1, "id": f"{task}-{name}", "task_name": task, "trial_name": f"{task[:32]}__{name}"}
    trial |= {"trial_uri": "file:///t"}
    trial |= {"task_id": task_id, "source": "terminal-bench", "task_checksum": "0", "config": {"agent": {}}}
    model = {"name": "claude-opus-4-8", "provider": "anthropic"}
    trial |= {"agent_info": {"name": "claude-code", "version": "2.1", "model_info": model}}
    used = {"n_input_tokens": 10, "n_cache_tokens": None, "n_output_tokens": None, "cost_usd": 0.01, "metadata": None}
    trial |= {"agent_result": used, "verifier_result": None if rewards is None else {"rewards": rewards}}
    begun = f"2026-01-0{name[-1]}T00:00:00Z"
    trial |= {"verifier_environment_mode": "shared", "exception_info": None, "started_at": begun, "finished_at": begun}
    phases = ("environment_setup", "agent_setup", "agent_execution", "verifier")
    trial |= {phase: {"started_at": begun, "finished_at": begun} for phase in phases}
    return trial | {"step_results": None, "reward_valid": bool(rewards)} | more


def _harbor(folder: Path) -> Path:
    """A trial below the result of its job."""
    job = {"id": "j", "started_at": "2026-01-01T00:00:00Z", "n_total_trials": 1, "stats": {"evals": {}}}
    (folder / "result.json").write_text(json.dumps(job))
    trial = folder / "b__1"
    trial.mkdir()
    return write_json("result.json", harbor_trial("b", {"reward": 1.0}))(trial)


def terminal_trial(task: str, resolved: bool | None, mode: str = "unset", name: str = "1-of-1.r") -> dict[str, Any]:
    verdicts = None if resolved is None else {"test_it": "passed" if resolved else "failed"}
    trial = {"id": f"{task}.{name}", "trial_name": f"{task}.{name}", "task_id": task, "instruction": "Do it."}
    trial |= {"is_resolved": resolved, "failure_mode": mode, "parser_results": verdicts, "recording_path": None}
    times = (f"{phase}_{end}_at" for phase in ("trial", "agent", "test") for end in ("started", "ended"))
    return (
        trial | {"total_input_tokens": 5, "total_output_tokens": 7} | dict.fromkeys(times, "2025-09-24T10:00:00+00:00")
    )


def terminal_run(trials: list[dict[str, Any]]) -> dict[str, Any]:
    done = [trial["task_id"] for trial in trials if trial["is_resolved"]]
    rest = [trial["task_id"] for trial in trials if not trial["is_resolved"]]
    counts = {"n_resolved": len(done), "n_unresolved": len(rest), "resolved_ids": done, "unresolved_ids": rest}
    return {"id": "0", "results": trials, "pass_at_k": {}, **counts, "accuracy": len(done) / max(1, len(trials))}


def terminal_metadata(model: str | None, agent: str = "terminus") -> dict[str, Any]:
    settings = {"run_id": "r", "dataset_name": "terminal-bench-core", "output_path": "runs", "agent_name": agent}
    return settings | {"n_concurrent_trials": 4, "n_attempts": 1, "accuracy": 0.5, "model_name": model}


def tau_attempt(task: int, trial: int, reward: float, **info: Any) -> dict[str, Any]:
    facts = {"task": {"user_id": f"user_{task // 2}", "actions": [], "instruction": "?"}, "source": "user"}
    facts |= {"user_cost": 0.001, "reward_info": {"reward": reward, "info": {}, "actions": []}}
    told = info.pop("instead", facts)
    return {"task_id": task, "reward": reward, "info": told | info, "traj": [], "trial": trial}


def tau2_simulation(task: str, trial: int, reward: float | None, reason: str = "user_stop") -> dict[str, Any]:
    verdict = None if reward is None else {"reward": reward, "reward_basis": ["DB", "COMMUNICATE"]}
    times = dict.fromkeys(("timestamp", "start_time", "end_time"), "2026-01-01T00:00:00")
    one = {"id": f"{task}-{trial}", "task_id": task, **times, "duration": 1.0, "termination_reason": reason}
    return one | {
        "agent_cost": 0.1,
        "user_cost": 0.1,
        "reward_info": verdict,
        "messages": [],
        "trial": trial,
        "seed": 1,
    }


def tau2_results(llm: str | None = "gpt-4.1", implementation: str = "llm_agent", **more: Any) -> dict[str, Any]:
    info = {"git_commit": "0", "num_trials": 2, "max_steps": 200, "max_errors": 10}
    info |= {"user_info": {"implementation": "user_simulator", "llm": "gpt-4.1"}}
    info |= {"agent_info": {"implementation": implementation, "llm": llm, "llm_args": {"temperature": 0.0}}}
    info |= {"environment_info": {"domain_name": "airline", "policy": "# Policy"}, "seed": 300}
    return {"timestamp": "2026-01-01T00:00:00", "info": info, "tasks": []} | more


def _annotation(item: int, preference: float | None) -> dict[str, Any]:
    texts = {"instruction": f"Question {item}?", "output_1": "a", "output_2": "b", "dataset": "koala"}
    names = {"generator_1": "text_davinci_003", "generator_2": "alpaca-7b", "annotator": "alpaca_eval_gpt4"}
    return texts | names | {"preference": preference}


def _battle(item: str, winner: str) -> dict[str, Any]:
    return {"question_id": item, "model_a": "A", "model_b": "B", "winner": winner, "judge": "u1", "language": "English"}


def _judgment(item: str, *verdicts: str | None) -> dict[str, Any]:
    games = [{"user_prompt": "?", "judgment": "…", "score": verdict} for verdict in verdicts]
    return {"question_id": item, "model": "m", "judge": "gpt-4-1106-preview", "games": games}


def _grade(question: int, turn: int, score: float) -> dict[str, Any]:
    judge = ["gpt-4", "single-v1" if turn == 1 else "single-v1-multi-turn"]
    said = {"user_prompt": "?", "judgment": f"Rating: [[{score}]]"}
    return {"question_id": question, "model": "m", "judge": judge, **said, "score": score, "turn": turn, "tstamp": 1.5}


def _mteb(folder: Path) -> Path:
    experiments = [{"accuracy": 0.5, "main_score": 0.5}, {"accuracy": 0.7, "main_score": 0.7}]
    subset = {"hf_subset": "de", "languages": ["deu-Latn"], "main_score": 0.6, "scores_per_experiment": experiments}
    test = [subset, {"hf_subset": "en", "languages": ["eng-Latn"], "main_score": 0.8, "pearson": [0.8, 0.01]}]
    value = {"dataset_revision": "0fd1", "task_name": "Massive", "mteb_version": "1.18.0", "scores": {"test": test}}
    value["scores"]["validation"] = [{"hf_subset": "en", "main_score": 0.1}]
    place = folder / "org__model" / "0fd1"
    place.mkdir(parents=True)
    return write_json("Massive.json", value)(place)


_TREC = """map                   \t301\t0.0324
num_ret               \t301\t500
relstring             \t301\t'0110'
map                   \t302\t0.5000
num_ret               \t302\t500
relstring             \t302\t'1010'
runid                 \tall\tSTANDARD
map                   \tall\t0.2662
"""


def _trec_run(folder: Path) -> Path:
    (folder / "a.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n")
    path = folder / "a.run"
    path.write_text("q1 Q0 d2 1 9.5 bm25\nq1 Q0 d1 2 8.5 bm25\nq2 Q0 d1 1 7.5 bm25\n")
    return path


_JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="1" tests="5">
<testcase classname="t" name="test_q[m-1]" time="0.1"><properties><property name="model" value="m" />
</properties></testcase>
<testcase classname="t" name="test_q[m-2]" time="0.1"><properties><property name="model" value="m" />
<property name="score" value="0.5" /></properties><failure message="no">assert 0</failure></testcase>
<testcase classname="t" name="test_q[m-3]" time="0.1"><properties><property name="model" value="m" /></properties>
<failure message="no">assert 0</failure></testcase>
<testcase classname="t" name="test_q[m-4]" time="0.1"><properties><property name="model" value="m" /></properties>
<skipped type="pytest.skip" message="slow" /></testcase>
<testcase classname="t" name="test_q[m-5]" time="0.1"><properties><property name="model" value="m" /></properties>
<error message="boom">Traceback</error></testcase>
</testsuite></testsuites>
"""


def write_npz(name: str, **arrays: Any) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        np.savez(path, **{member: np.array(values, dtype=float) for member, values in arrays.items()})
        return path

    return write


def _monitor(folder: Path) -> Path:
    (folder / "ppo").mkdir()
    lines = "".join(f"{number}.5,{number},{number}.25\n" for number in range(9, 13))
    start = '#{"t_start": 1614619328.33, "env_id": "CartPole-v1"}\nr,l,t\n'
    return write_text("0.monitor.csv", start + lines)(folder / "ppo")


def _lighteval(folder: Path) -> Path:
    """Columns of structs, as ``--save-details`` writes them."""
    below = folder / "details" / "org" / "model" / "2025-01-02T03-04-05.678901"
    below.mkdir(parents=True)
    path = below / "details_lighteval|sums|0_2025-01-02T03-04-05.678901.parquet"
    documents = [{"id": str(place), "query": "?", "choices": ["2"]} for place in range(4)]
    table = {"__doc__": documents, "__metric__": [{"em": float(place != 1)} for place in range(4)]}
    pq.write_table(pa.table(table | {"__model_response__": [{"text": ["2"]}] * 4}), path)
    return path


def _opencompass(folder: Path) -> Path:
    below = folder / "results" / "qwen2-7b"
    below.mkdir(parents=True)
    return write_json("gsm8k.json", OPENCOMPASS)(below)


FIXTURES: dict[str, Fixture] = {
    "inspect": Fixture(_inspect, 4, ("openai/gpt-4o",)),
    "lm-eval": Fixture(_lm_eval, 4, ("m",), lines="json"),
    "promptfoo": Fixture(
        write_json("results.json", PROMPTFOO), 12, ("openai:gpt-4.1",), options=(("metric", "success"),)
    ),
    "deepeval": Fixture(
        write_json("test_run.json", DEEPEVAL), 12, ("test_run",), options=(("metric", "Faithfulness"),)
    ),
    "ragas": Fixture(
        write_text("samples.csv", RAGAS), 6, ("samples",), lines="text", options=(("metric", "faithfulness"),)
    ),
    "lighteval": Fixture(_lighteval, 4, ("org/model",)),
    "opencompass": Fixture(_opencompass, 4, ("qwen2-7b",)),
    "mmlu-pro": Fixture(write_json("model_outputs_gpt-4o.json", MMLU_PRO), 4, ("gpt-4o",)),
    "bfcl": Fixture(
        write_lines("BFCL_v3_simple_score.json", list(BFCL)),
        4,
        ("gpt-4o-FC",),
        lines="json",
        options=(("items", BFCL_IDS),),
    ),
    "hal": Fixture(write_json("taubench_UPLOAD.json", HAL), 4, ("Tool Calling (gpt-4o)",)),
    "simple-evals": Fixture(
        write_json("healthbench_gpt-4.1_20250507_061412_allresults.json", SIMPLE_EVALS), 4, ("gpt-4.1",)
    ),
    "openai-evals": Fixture(write_lines("log.jsonl", OPENAI_EVALS), 4, ("gpt-4",), lines="json"),
    "helm": Fixture(write_json("per_instance_stats.json", HELM, run_spec__json=HELM_SPEC), 3, ("openai/gpt2",)),
    "every-eval": Fixture(write_lines("1_samples.jsonl", EVERY_EVAL_EVER), 4, ("org/model",), lines="json"),
    "swe-bench": Fixture(
        write_json(
            "gpt-4o.try1.json",
            swe_report(
                resolved=["django__django-1", "django__django-2"],
                unresolved=["sympy__sympy-1"],
                error=["sympy__sympy-2"],
                empty_patch=["astropy__astropy-1"],
                incomplete=["astropy__astropy-2"],
            ),
        ),
        6,
        ("gpt-4o.try1",),
    ),
    "humaneval": Fixture(
        write_lines(
            "gpt-4.jsonl_results.jsonl", [code_sample(f"HumanEval/{n}", n % 2 == 0) for n in (0, 0, 1, 1, 2, 2)]
        ),
        6,
        ("gpt-4",),
        lines="json",
    ),
    "evalplus": Fixture(
        write_json(
            "gpt-4_temp_0.0_eval_results.json",
            evalplus_results(
                {f"Mbpp/{n}": [evalplus_sample(f"Mbpp/{n}", "pass", ("pass", "fail")[n % 2])] for n in range(4)}
            ),
        ),
        8,
        ("gpt-4_temp_0.0",),
        options=(("metric", "plus"),),
    ),
    "bigcodebench": Fixture(
        write_json(
            "gpt-4--bigcodebench-instruct--openai-0-1-sanitized_eval_results.json",
            bigcode_results({"BigCodeBench/0": ["pass"], "BigCodeBench/1": ["fail"], "BigCodeBench/2": ["timeout"]}),
        ),
        3,
        ("gpt-4",),
    ),
    "livecodebench": Fixture(
        write_json(
            "codegeneration_output_eval_all.json",
            [live_question("abc1_a", [True, False]), live_question("abc1_b", [False, False])],
        ),
        4,
        ("codegeneration_output_eval_all",),
    ),
    "harbor": Fixture(_harbor, 1, ("claude-code+anthropic/claude-opus-4-8",)),
    "terminal-bench": Fixture(
        write_json(
            "results.json",
            terminal_run([*(terminal_trial(task, task in "ad") for task in "abcd"), terminal_trial("e", None)]),
            run_metadata__json=terminal_metadata("gpt-5"),
        ),
        5,
        ("terminus+gpt-5",),
    ),
    "tau-bench": Fixture(
        write_json(
            "gpt-4o-airline.json",
            [
                *(tau_attempt(0, 0, 1.0), tau_attempt(1, 0, 0.0), tau_attempt(2, 0, 1.0)),
                *(tau_attempt(0, 1, 0.0), tau_attempt(1, 1, 0.0), tau_attempt(2, 1, 1.0)),
            ],
        ),
        6,
        ("gpt-4o",),
    ),
    "tau2-bench": Fixture(
        write_json(
            "run.json",
            tau2_results(
                simulations=[tau2_simulation(task, trial, float(task == "0")) for task in "012" for trial in (0, 1)]
            ),
        ),
        6,
        ("gpt-4.1",),
    ),
    "alpaca-eval": Fixture(
        write_json("annotations.json", [_annotation(place, each) for place, each in enumerate((1, 2, 1.5, None))]),
        4,
        ("alpaca-7b",),
    ),
    "arena": Fixture(
        write_lines("battles.jsonl", [_battle("q1", "model_a"), _battle("q2", "tie"), _battle("q3", "model_b")]),
        6,
        ("A", "B"),
        lines="json",
        options=(("variant", "vs A"),),
    ),
    "arena-hard": Fixture(
        write_lines("m.jsonl", [_judgment("q1", "B>A", "A>B"), _judgment("q2", "A=B", None)]), 4, ("m",), lines="json"
    ),
    "mt-bench": Fixture(
        write_lines("gpt-4_single.jsonl", [_grade(81, 1, 9), _grade(81, 2, 4), _grade(82, 1, -1), _grade(82, 2, 7.5)]),
        4,
        ("m",),
        lines="json",
    ),
    "mteb": Fixture(_mteb, 3, ("org/model",)),
    "trec-eval": Fixture(write_text("bm25.eval", _TREC), 2, ("STANDARD",), lines="text", options=(("metric", "map"),)),
    "trec-run": Fixture(_trec_run, 14, ("bm25",), lines="text", options=(("metric", "AP"),), beside=("a.qrels",)),
    "sacrebleu": Fixture(write_text("sys.txt", "29.1\n13.3\n0.0\n100.0\n"), 4, ("sys",), lines="text"),
    "wmt-mqm": Fixture(
        write_text("x.avg_seg_scores.tsv", "system mqm_avg_score seg_id\nA\t-1.0 1\nA\tNone 2\nref-A\t-0.0 1\n"),
        3,
        ("A", "ref-A"),
        lines="text",
    ),
    "wmt-ratings": Fixture(
        write_text(
            "mqm.tsv",
            "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
            "A\td1\t1\t1\tr1\tx\ty\tStyle/Awkward\tMinor\t\nA\td1\t1\t1\tr1\tx\ty\tFluency/Grammar\tMajor\t\n"
            "A\td1\t2\t2\tr1\tx\ty\tNo-error\tNo-error\t\nB\td1\t1\t1\tr1\tx\ty\tNo-error\tNo-error\t\n",
        ),
        3,
        ("A", "B"),
        lines="text",
    ),
    "junit": Fixture(write_text("report.xml", _JUNIT), 5, ("m",)),
    "rl-runs": Fixture(write_json("DER.json", {"Alien": [227.8, 7127.7], "Pong": [-20.7, 14.6]}), 4, ("DER",)),
    "stable-baselines": Fixture(_monitor, 1, ("ppo",), lines="text", options=(("at", "final"),)),
    "rl-arrays": Fixture(write_npz("scores.npz", A=[[1, 2], [3, 4]], B=[[1, 1], [0.5, 2]]), 8, ("A", "B")),
    "dreamer": Fixture(
        write_json(
            "curves.json",
            [
                {
                    "task": "atari_pong",
                    "method": "dreamerv3",
                    "seed": seed,
                    "xs": [100, 200, 300],
                    "ys": [None, -20.5, seed],
                }
                for seed in range(4)
            ],
        ),
        4,
        ("dreamerv3",),
        options=(("at", "final"),),
    ),
    "dopamine": Fixture(
        write_json(
            "pong.json",
            [
                {"Iteration": iteration, "Value": -20.5 + iteration + run, "Agent": agent}
                for agent in ("DQN", "C51")
                for iteration in range(3)
                for run in range(2)
            ],
        ),
        4,
        ("C51", "DQN"),
        options=(("at", "final"),),
    ),
    "wandb": Fixture(
        write_text(
            "ppo.csv",
            "eval/return,_step,_runtime,train/loss\n" + "".join(f"{row}.5,{row},{row}.1,\n" for row in range(5)),
        ),
        1,
        ("ppo",),
        lines="text",
        options=(("at", "final"),),
    ),
    "tensorboard": Fixture(
        write_text(
            "run-PPO_1-tag-rollout_ep_rew_mean.csv",
            "Wall time,Step,Value\n" + "".join(f"1654943296.2{row},{row},{row}.5\n" for row in range(5)),
        ),
        1,
        ("PPO_1",),
        lines="text",
        options=(("at", "final"),),
    ),
    "tfevents": Fixture(
        write_bytes("PPO_1/events.out.tfevents.1.vm.0", events([(10 * n, n + 0.5) for n in range(9)])),
        1,
        ("PPO_1",),
        lines="text",
        options=(("at", "final"),),
    ),
    "drqv2": Fixture(
        write_text(
            "dmc_walker_walk.csv",
            ",agent,task,seed,frame,episode_reward,hour\n"
            + "".join(
                f"{row},DrQ-v2,walker_walk,{seed},{20000 * row},{25.5 * (row + seed)},0.5\n"
                for seed in (1, 2)
                for row in range(3)
            ),
        ),
        2,
        ("DrQ-v2",),
        lines="text",
        options=(("at", "final"),),
    ),
    "training-log": Fixture(
        write_text(
            "small.csv",
            "epoch,step,val_acc,train_loss\n" + "".join(f"{row},{row}0,0.{row}5,\n" for row in range(5)),
        ),
        1,
        ("small",),
        lines="text",
        options=(("at", "final"),),
    ),
    "table": Fixture(
        write_text("scores.csv", "model,item,score\nA,1,1\nA,2,0\nB,1,1\nB,2,1\n"), 4, ("A", "B"), lines="text"
    ),
}
"""One fixture a reader, in the order of the family's list."""
