"""Logs of one model and task that were made with other settings: said, and repeats of one setting are repeats."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.readers.formats import FIXTURES, tau2_results, tau2_simulation
from tests.readers.inspect_by_hand import header, sample
from tests.readers.lm_eval_by_hand import line, write_results, write_samples
from tests.readers.logs_by_hand import (
    DEEPEVAL,
    HAL,
    HELM,
    HELM_SPEC,
    OPENAI_EVALS,
    deepeval_case,
    promptfoo_file,
    promptfoo_result,
)
from tests.readers.test_lighteval import details
from tests.readers.test_lighteval import write as write_details

from scorebars.readers.other_settings import differing, flat
from scorebars.readers.read import read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Log:
    """How to make a log of items from ``first`` on with a temperature, and what ``read`` must be told."""

    write: Callable[[Path, int, float, int], Path]
    """(folder, first item, temperature, seed) -> the path that is read."""
    options: tuple[tuple[str, Any], ...] = ()


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def inspect(folder: Path, first: int, temperature: float, seed: int) -> Path:
    made = header()
    made["eval"]["model_generate_config"] = {"temperature": temperature, "seed": seed, "max_connections": seed}
    return write(folder / "log.json", made | {"samples": [sample(item, match="C") for item in range(first, first + 4)]})


def tau2(folder: Path, first: int, temperature: float, seed: int) -> Path:
    one = tau2_results(simulations=[tau2_simulation(str(item), 0, 1.0) for item in range(first, first + 4)])
    one["info"] |= {"num_trials": 1, "seed": seed}
    one["info"]["user_info"]["llm_args"] = {"temperature": temperature}
    return write(folder / "run.json", one)


def lm_eval(folder: Path, first: int, temperature: float, seed: int) -> Path:
    config = {"model_args": "pretrained=m,device=cuda:0", "gen_kwargs": {"temperature": temperature}, "seed": seed}
    write_results(folder, config=config | {"random_seed": seed}, stamp=f"2026-01-2{seed}T03-44-18.458309")
    lines = [line(item, acc=1.0) for item in range(first, first + 4)]
    write_samples(folder, lines, stamp=f"2026-01-2{seed}T03-44-18.458309")
    return folder


def lighteval(folder: Path, first: int, temperature: float, seed: int) -> Path:
    date = f"2025-01-0{seed}T03-04-05.678901"
    write_details(folder, details([{"em": 1.0}] * 4, ids=range(first, first + 4)), date=date)
    beside = folder / "results" / "org" / "model" / f"results_{date}.json"
    beside.parent.mkdir(parents=True)
    generation = {"temperature": temperature, "seed": seed}
    general = {"model_name": "org/model", "model_config": {"generation_parameters": generation}}
    write(beside, {"config_general": general, "results": {}, "versions": {}})
    return folder


def helm(folder: Path, first: int, temperature: float, seed: int) -> Path:
    adapter = HELM_SPEC["adapter_spec"] | {"temperature": temperature, "random": str(seed)}
    write(folder / "run_spec.json", HELM_SPEC | {"adapter_spec": adapter})
    return write(
        folder / "per_instance_stats.json", [one | {"instance_id": f"{first}{one['instance_id']}"} for one in HELM]
    )


def hal(folder: Path, first: int, temperature: float, seed: int) -> Path:
    config = HAL["config"] | {"agent_args": {"temperature": temperature, "seed": seed}, "run_id": f"r{seed}"}
    raw = {f"{first}.{item}": one for item, one in HAL["raw_eval_results"].items()}
    return write(folder / "run_UPLOAD.json", HAL | {"config": config, "raw_eval_results": raw, "results": {}})


def openai(folder: Path, first: int, temperature: float, seed: int) -> Path:
    spec, report, *events = OPENAI_EVALS
    run = {"seed": seed, "command": f"oaieval gpt-4 sums --completion_args temperature={temperature}"}
    lines = [{"spec": spec["spec"] | {"run_config": run}}, report]
    lines += [event | {"sample_id": f"sums.dev.{first + place}"} for place, event in enumerate(events)]
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def promptfoo(folder: Path, first: int, temperature: float, seed: int) -> Path:
    provider = {"id": "openai:gpt-4.1", "config": {"temperature": temperature, "seed": seed}}
    results = [promptfoo_result(item) for item in range(first, first + 4)]
    return write(folder / "results.json", promptfoo_file(*results, config={"providers": [provider]}))


LOGS = {
    "inspect": Log(inspect),
    "tau2-bench": Log(tau2),
    "lm-eval": Log(lm_eval),
    "lighteval": Log(lighteval),
    "helm": Log(helm),
    "hal": Log(hal),
    "openai-evals": Log(openai),
    "promptfoo": Log(promptfoo, (("metric", "score"),)),
}


def said_of(paths: Any, **options: Any) -> list[str]:
    """The notes on other settings."""
    cuts = read(paths, **options).cuts()
    return [one.message for one in (*cuts.notes, *cuts.cuts[0].notes) if one.code == "other-settings"]


def two(tmp_path: Path, log: Log, temperatures: tuple[float, float]) -> list[Path]:
    paths = []
    for number, temperature in enumerate(temperatures, start=1):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        paths.append(log.write(folder, 100 * number, temperature, number))
    return paths


@pytest.mark.parametrize("name", LOGS)
def test_other_settings_are_said_once_and_labels_keep_them_apart(tmp_path, name):
    log = LOGS[name]
    options = dict(log.options)
    paths = two(tmp_path, log, (0.0, 1.0))
    (message,) = said_of(paths, **options)
    assert "run with 2 settings" in message
    assert "temperature" in message
    assert "seed" not in message
    assert len(read(paths, **options).models) == 1

    assert said_of({"cold": paths[0], "warm": paths[1]}, **options) == []
    assert read({"cold": paths[0], "warm": paths[1]}, **options).models == ("cold", "warm")


@pytest.mark.parametrize("name", LOGS)
def test_repeats_with_other_seeds_are_repeats(tmp_path, name):
    log = LOGS[name]
    assert said_of(two(tmp_path, log, (0.5, 0.5)), **dict(log.options)) == []


def test_another_prompt_of_one_promptfoo_provider_is_another_variant_in_another_file_too(tmp_path):
    for name, prompt, tests in (("a", 0, (0, 1)), ("b", 1, (2, 3))):
        results = [promptfoo_result(test, promptId=f"{prompt:x}" * 64) for test in tests]
        write(tmp_path / f"{name}.json", promptfoo_file(*results))
    scores = read(tmp_path, metric="score")
    assert scores.variants == ("00000000", "11111111")
    assert read(tmp_path / "a.json", metric="score").variants == ()


def test_a_setting_that_is_part_of_the_model_or_the_variant_is_no_other_setting(tmp_path):
    paths = two(tmp_path, LOGS["inspect"], (0.0, 1.0))
    field = "eval.model_generate_config.temperature"
    assert said_of(paths, columns={"model": f"eval.model+{field}"}) == []
    assert said_of(paths, columns={"variant": field}, variant="0.0") == []


def test_settings_are_flat_texts_without_what_a_repeat_may_have_otherwise():
    assert flat({"a": {"temperature": 0, "seed": 1}, "stop": ["x"], "top_p": None}, {"stop"}) == (
        ("a.temperature", "0"),
    )


def test_long_texts_are_shown_where_they_differ():
    same = "x" * 100
    said = differing([{"prompt": f"{same} one", "n": "1"}, {"prompt": f"{same} two", "n": "1"}])
    assert said == f"(prompt …{'x' * 19} one) and (prompt …{'x' * 19} two)"


def test_hyperparameters_of_deepeval_are_settings_but_for_the_model(tmp_path):
    for name, temperature in (("a", 0), ("b", 1)):
        cases = [deepeval_case(place, 0.5, name=f"{name}{place}") for place in range(3)]
        hyper = {"model": "gpt-4.1", "temperature": temperature}
        write(tmp_path / f"{name}.json", DEEPEVAL | {"testCases": cases, "hyperparameters": hyper})
    (message,) = said_of(tmp_path, metric="Faithfulness")
    assert "'gpt-4.1' were run with 2 settings, such as (temperature 0) and (temperature 1)" in message


@pytest.mark.parametrize("name", ["deepeval", "mmlu-pro", "trec-eval"])
def test_files_of_one_name_in_two_folders_are_two_models(tmp_path, name):
    for folder in ("claude", "gpt"):
        (tmp_path / folder).mkdir()
        made = FIXTURES[name].write(tmp_path / folder)
        lines = made.read_text().splitlines(keepends=True)
        made.with_name(f"result{made.suffix}").write_text("".join(line for line in lines if "runid" not in line))
    scores = read(sorted(tmp_path.glob("*/result.*")), **dict(FIXTURES[name].options))
    assert [model.split("/")[0] for model in scores.models] == ["claude", "gpt"]
