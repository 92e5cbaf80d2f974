"""The results file of an lm-evaluation-harness run: names, counts and averages that its samples files do not hold.

``results_<date>.json`` and ``samples_<task>_<date>.jsonl`` of one run share the date; runs of 0.4.0 wrote
``results.json`` beside ``<model arguments>_<task>.jsonl``; lmms-eval writes ``<date>_results.json`` and
``<date>_samples_<task>.jsonl``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.files import head_of, plain_bytes, shown, stem
from scorebars.readers.other_settings import flat

if TYPE_CHECKING:
    from pathlib import Path

    from scorebars.contracts import Settings

_STAMP: Final = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_LMMS_STAMP: Final = r"\d{8}_\d{6}"
_SAMPLES: Final = re.compile(rf"^samples_(?P<task>.+)_(?P<stamp>{_STAMP})$")
_RESULTS: Final = re.compile(rf"^(?:.*_)?(?P<stamp>{_STAMP})$")
_LMMS: Final = re.compile(rf"^(?P<stamp>{_LMMS_STAMP})_(?:results|samples_(?P<task>.+))$")
_DIGITS: Final = re.compile(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)")
_PRETRAINED: Final = re.compile(r"(?:^|,)(?:pretrained|model)=([^,]+)")


@dataclass(frozen=True, slots=True)
class Results:
    """What a results file says about its run."""

    path: Path
    model: str | None
    tasks: tuple[str, ...]
    counts: dict[str, tuple[int, int]]
    """Task -> (documents in the data set, documents evaluated)."""
    version: str
    """Of lm-eval, for messages."""
    values: dict[str, dict[str, Any]]
    """Task or group -> what the file says of it: "metric,filter" -> value, and more."""
    groups: dict[str, tuple[str, ...]]
    """Group -> its tasks."""
    aggregations: dict[tuple[str, str], str]
    """(task, metric) -> how documents are aggregated, where the configuration says so."""
    said: object
    """The version of lm-eval that it says it is of, if it says one."""
    settings: dict[str, Settings]
    """Task -> how its answers were made."""


def stamp_of(path: Path) -> str | None:
    """The date in the name of a samples or results file; None for the names of 0.4.0."""
    name = stem(path)
    found = _RESULTS.match(name) or _LMMS.match(name)
    return found["stamp"] if found else None


def created(path: Path) -> str | None:
    """The date in a file's name, as ISO 8601 has it."""
    stamp = stamp_of(path)
    if stamp is None:
        return None
    if digits := _DIGITS.fullmatch(stamp):
        year, month, date, hour, minute, second = digits.groups()
        return f"{year}-{month}-{date}T{hour}:{minute}:{second}"
    day, _, time = stamp.partition("T")
    return f"{day}T{time.replace('-', ':')}"


def load_results(path: Path) -> Results:
    """Read a results file.

    Raises:
        ReadError: No JSON, or no results file.
    """
    with plain_bytes(head_of(path)) as stream:
        data = stream.read()
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{shown(path)}: not valid JSON ({error}): truncated or damaged") from error
    found = content.get("results") if isinstance(content, dict) else None
    if not isinstance(found, dict | list):
        raise ReadError(f"{shown(path)}: no 'results' object: not a results file of lm-eval")
    values = _by_task(found)
    return Results(
        path=path,
        model=_model(content),
        tasks=tuple(values),
        counts=_counts(content.get("n-samples")),
        version=_version(content, values),
        said=content.get("lm_eval_version"),
        values=_by_task(content["groups"] if isinstance(content.get("groups"), dict) else {}) | values,
        groups=_groups(content.get("group_subtasks")),
        aggregations=_aggregations(content.get("configs")),
        settings={task: _settings(content, task) for task in values},
    )


def _by_task(found: dict[str, Any] | list[Any]) -> dict[str, dict[str, Any]]:
    """Task -> its values; BigScience's fork wrote a list of them, each with its prompt."""
    if isinstance(found, dict):
        return {task: values if isinstance(values, dict) else {} for task, values in found.items()}
    rows = [row for row in found if isinstance(row, dict)]
    return {f"{row.get('task_name')}+{row.get('prompt_name')}": row for row in rows}


def _version(content: dict[str, Any], values: dict[str, dict[str, Any]]) -> str:
    if content.get("lm_eval_version"):
        return str(content["lm_eval_version"])
    if "configs" in content:
        return "0.4"
    rows = [row for task in values.values() for row in (task, *task.values()) if isinstance(row, dict)]
    return "0.3, BigScience's fork" if any("prompt_name" in row for row in rows) else "0.3"


def _groups(block: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(block, dict):
        return {}
    return {str(group): tuple(map(str, tasks)) for group, tasks in block.items() if isinstance(tasks, list) and tasks}


def _aggregations(block: Any) -> dict[tuple[str, str], str]:
    found = {}
    for task, config in block.items() if isinstance(block, dict) else ():
        listed = config.get("metric_list") if isinstance(config, dict) else None
        for metric in listed if isinstance(listed, list) else ():
            if isinstance(metric, dict) and "aggregation" in metric:
                found[str(task), str(metric.get("metric"))] = str(metric["aggregation"])
    return found


def _settings(content: dict[str, Any], task: str) -> Settings:
    """How the answers of a task were made: arguments of the model, examples in the prompt, generation, the prompt."""
    run, own = _object(content, "config"), _object(_object(content, "configs"), task)
    prompt = own.get("doc_to_text")
    found: dict[str, Any] = {
        "version": _object(content, "versions").get(task),
        "num_fewshot": _object(content, "n-shot").get(task, own.get("num_fewshot")),
        "model_args": _arguments(run.get("model_args")),
        "gen_kwargs": _arguments(run.get("gen_kwargs")),
        "generation_kwargs": own.get("generation_kwargs"),
        "description": own.get("description") or None,
        "doc_to_text": prompt if isinstance(prompt, str) and not prompt.startswith("<function") else None,
        "system_instruction": content.get("system_instruction") or None,
        "chat_template_sha": content.get("chat_template_sha"),
        "fewshot_as_multiturn": content.get("fewshot_as_multiturn") or None,
    }
    return flat(found, {"pretrained", "model", "trust_remote_code"})


def _object(parent: dict[str, Any], key: str) -> dict[str, Any]:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def _arguments(given: Any) -> dict[str, Any] | None:
    """Arguments as lm-eval has them, an object or 'dtype=float,revision=main'."""
    if not isinstance(given, str):
        return given if isinstance(given, dict) else None
    return {name: value for name, sign, value in (one.partition("=") for one in given.split(",")) if sign}


def sibling(samples: Path, known: dict[Path, Results]) -> Results | None:
    """The results file of the run that wrote a samples file: same folder, same date; read once."""
    stamp = stamp_of(samples)
    names = ["results.json"] if stamp is None else [f"results_{stamp}.json", f"*_{stamp}.json", f"{stamp}_results.json"]
    for name in names:
        for path in sorted(samples.parent.glob(name)):
            if path not in known:
                known[path] = load_results(path)
            return known[path]
    return None


def samples_beside(results: Path) -> list[Path]:
    """The samples files of the same run, by date."""
    stamp = stamp_of(results)
    if stamp is None:
        return [path for path in sorted(results.parent.glob("*.jsonl*")) if stamp_of(path) is None]
    patterns = (f"samples_*_{stamp}.json*", f"{stamp}_samples_*.json*")
    return sorted(path for pattern in patterns for path in results.parent.glob(pattern))


def task_of(samples: Path, results: Results | None) -> str:
    """The task of a samples file: from its name; in 0.4.0 the known task that the name ends with."""
    name = stem(samples)
    found = _SAMPLES.match(name) or _LMMS.match(name)
    if found and found["task"]:
        return found["task"]
    endings = [task for task in (results.tasks if results else ()) if name == task or name.endswith(f"_{task}")]
    return max(endings, key=len, default=name.removeprefix("samples_"))


def _model(content: dict[str, Any]) -> str | None:
    """``model_name``; before it was written, the ``pretrained=`` or ``model=`` argument."""
    name = content.get("model_name")
    config = content.get("config")
    if not name and isinstance(config, dict):
        arguments = config.get("model_args")
        if isinstance(arguments, dict):
            name = arguments.get("pretrained") or arguments.get("model")
        elif isinstance(arguments, str) and (found := _PRETRAINED.search(arguments)):
            name = found[1]
        name = name or config.get("model")
    return str(name) if name else None


def _counts(block: Any) -> dict[str, tuple[int, int]]:
    """``n-samples``: task -> (original, effective), where both are whole numbers."""
    if not isinstance(block, dict):
        return {}
    pairs = {task: (n.get("original"), n.get("effective")) for task, n in block.items() if isinstance(n, dict)}
    return {task: (a, b) for task, (a, b) in pairs.items() if isinstance(a, int) and isinstance(b, int)}
