"""The results file of an lm-evaluation-harness run: names and counts that its samples files do not hold.

``results_<date>.json`` and ``samples_<task>_<date>.jsonl`` of one run share the date; runs of 0.4.0 wrote
``results.json`` beside ``<model arguments>_<task>.jsonl``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError
from scorebars.readers.files import head_of, plain_bytes, shown, stem

if TYPE_CHECKING:
    from pathlib import Path

_STAMP: Final = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_SAMPLES: Final = re.compile(rf"^samples_(?P<task>.+)_(?P<stamp>{_STAMP})$")
_RESULTS: Final = re.compile(rf"^(?:.*_)?(?P<stamp>{_STAMP})$")
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


def stamp_of(path: Path) -> str | None:
    """The date in the name of a samples or results file; None for the names of 0.4.0."""
    found = _RESULTS.match(stem(path))
    return found["stamp"] if found else None


def created(path: Path) -> str | None:
    """The date in a file's name, as ISO 8601 has it."""
    stamp = stamp_of(path)
    if stamp is None:
        return None
    day, _, time = stamp.partition("T")
    return f"{day}T{time.replace('-', ':')}"


def load_results(path: Path) -> Results:
    """Read a results file."""
    with plain_bytes(head_of(path)) as stream:
        data = stream.read()
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{shown(path)}: not valid JSON ({error}): truncated or damaged") from error
    if not isinstance(content, dict) or not isinstance(content.get("results"), dict):
        raise ReadError(f"{shown(path)}: no 'results' object: not a results file of lm-eval")
    return Results(
        path=path,
        model=_model(content),
        tasks=tuple(content["results"]),
        counts=_counts(content.get("n-samples")),
        version=str(content.get("lm_eval_version") or ("0.4" if "configs" in content else "0.3")),
    )


def sibling(samples: Path, known: dict[Path, Results]) -> Results | None:
    """The results file of the run that wrote a samples file: same folder, same date; read once."""
    stamp = stamp_of(samples)
    names = ["results.json"] if stamp is None else [f"results_{stamp}.json", f"*_{stamp}.json"]
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
    return sorted(results.parent.glob(f"samples_*_{stamp}.json*"))


def task_of(samples: Path, results: Results | None) -> str:
    """The task of a samples file: from its name; in 0.4.0 the known task that the name ends with."""
    name = stem(samples)
    found = _SAMPLES.match(name)
    if found:
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
