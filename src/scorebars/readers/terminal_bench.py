"""Terminal-Bench 1: ``results.json`` of a run (all trials), and those of single trials where a run has no other.

item = ``task_id``, run = the attempt in ``trial_name`` (``task.2-of-5.run``), or the file where each run is a file of
its own; score = ``is_resolved``. The model is named by ``run_metadata.json`` beside it, else by a submission's folder
(``20250924_droid_gpt-5``). Null is an attempt without a verdict, which Terminal-Bench counts as not resolved; so is a
trial's folder without a result. Attempts that were never begun are only said.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError, counted
from scorebars.notes import Note, note
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import head_of, shown
from scorebars.readers.naming import FROM_FOLDER, FROM_NAME, NOWHERE, from_path
from scorebars.readers.other_settings import APART
from scorebars.readers.records import Rows, each, empty_part, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.terminal_bench_unfinished import ATTEMPT, Below, below, notes_below, planned_note
from scorebars.readers.totals import Total, disagreements, mean
from scorebars.readers.unfinished import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request

METADATA: Final = "run_metadata.json"
UNHARMED: Final = frozenset({"unset", "none"})
"""Failure modes of an attempt that ended by itself."""
TIMEOUTS: Final = frozenset({"agent_timeout", "test_timeout"})
MANY: Final = 0.2
"""From this share of attempts on, those that crashed are noted; running out of time is common, and the agent's own."""
_SUBMISSION: Final = re.compile(r"^\d{8}_(?P<name>.+)$")


@dataclass(slots=True)
class _Runs:
    """What the files of one call say together."""

    names: Mapping[Path, tuple[str, str]]
    """Run -> its model, and where the name came from."""
    numbers: Mapping[Path, str]
    """Run -> its number among the runs of its model, where the model has several."""
    files: Mapping[Path, Sequence[FileHead]]
    """Run -> its results, or those of its trials."""
    seen: dict[str, tuple[Path, object]] = field(default_factory=dict)
    """Trial id, or all trials of a file without ids, -> the file that had it first, and its outcome."""


@dataclass(frozen=True, slots=True)
class TerminalBenchReader:
    """Reads what ``tb run`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "terminal-bench"

    def claims(self, head: FileHead) -> bool:
        """A run's results, a trial's, or the metadata that name the model."""
        return _is_run(head) or _is_trial(head) or _is_metadata(head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; trials that the results of their run hold, and metadata, give none."""
        refuse_mapping(request, "a Terminal-Bench file")
        whole = {_home(head) for head in heads if _is_run(head)}
        folders = {home if home.is_dir() else home.parent for home in whole}
        taken = [head for head in heads if _is_run(head) or (_is_trial(head) and not _covered(head, folders))]
        _check_broken(heads, folders)
        runs = _numbered(taken)
        return each(heads, lambda head: _part(head, runs, taken))


def _check_broken(heads: Sequence[FileHead], covered: set[Path]) -> None:
    """Raise a ReadError for results that are empty or damaged, but for those of trials that are looked at later."""
    for head in heads:
        if _is_run(head) or _is_trial(head) or _is_metadata(head):
            continue
        if is_blank(head) and not ATTEMPT.search(head.path.absolute().parent.name):
            raise ReadError(f"{shown(head.path)} is empty: {_rest(head, heads)}")
        if not is_blank(head) and (_is_of_run(head) or not _covered(head, covered)):
            load(head)


def _is_of_run(head: FileHead) -> bool:
    """Whether the metadata of a run stand beside a file, so that the results of no other run hold what it held."""
    return head.path.with_name(METADATA).is_file()


def _rest(empty: FileHead, heads: Sequence[FileHead]) -> str:
    """What is left of a run whose results are empty: those of its trials, if they were met too."""
    home = empty.path.absolute().parent
    n = sum(_home(head) == home for head in heads if _is_trial(head))
    if not n:
        return "nothing of its run was written; run it again"
    trials = counted(n, "trial")
    return f"nothing of its run was written but the results of {trials} below it; remove the file to read those"


def _is_run(head: FileHead) -> bool:
    keys = outline(head)
    return not keys.is_list and (
        ("results" in keys.top and {"task_id", "is_resolved"} <= keys.member)
        or {"results", "n_resolved", "accuracy"} <= keys.top
    )


def _is_trial(head: FileHead) -> bool:
    return {"trial_name", "task_id", "is_resolved"} <= outline(head).top


def _is_metadata(head: FileHead) -> bool:
    return {"run_id", "agent_name", "n_concurrent_trials"} <= outline(head).top


def _home(head: FileHead) -> Path:
    """What tells a run from others: its folder, or its file where several stand in one folder.

    A trial's file is at RUN/TASK/TRIAL/results.json.
    """
    path = head.path.absolute()
    if _is_trial(head):
        return path.parents[min(2, len(path.parents) - 1)]
    return path.parent if path.name.startswith("results.json") else path


def _covered(head: FileHead, folders: set[Path]) -> bool:
    """Whether the results of the run that a trial belongs to are read too."""
    return bool(folders & set(head.path.absolute().parents[:5]))


def _numbered(heads: Sequence[FileHead]) -> _Runs:
    """The models of all runs, and a number for each run of a model that has several."""
    files: dict[Path, list[FileHead]] = {}
    for head in heads:
        files.setdefault(_home(head), []).append(head)
    names = {home: _model(home) for home in files}
    totals = Counter(name for name, _ in names.values())
    count: Counter[str] = Counter()
    numbers: dict[Path, str] = {}
    for home, (name, _) in names.items():
        count[name] += 1
        if totals[name] > 1:
            numbers[home] = str(count[name])
    return _Runs(names, numbers, files)


def _model(home: Path) -> tuple[str, str]:
    """'agent+model' of the metadata; else the submission's folder; else the run's, which no two runs share."""
    folder = home if home.is_dir() else home.parent
    if shown(home) != str(home):
        return "standard input", NOWHERE
    metadata = folder / METADATA
    if home.is_dir() and metadata.is_file():
        found = node(load(head_of(metadata)), shown(metadata))
        for key in ("model_name", "model"):
            if found.has(key):
                return f"{found.text('agent_name')}+{found.text(key)}", f"agent_name and {key} in {METADATA}"
    for place in (folder, folder.parent):
        submission = _SUBMISSION.match(place.name)
        if submission:
            return submission["name"], "the submission's folder"
    return (folder.name, FROM_FOLDER) if home.is_dir() else (home.name, FROM_NAME)


def _part(head: FileHead, runs: _Runs, taken: Sequence[FileHead]) -> Part | None:
    if not any(head is other for other in taken):
        if head.explicit and _is_metadata(head) and not taken:
            raise NoScores(f"{shown(head.path)} describes a run of Terminal-Bench; read the results.json beside it")
        return None
    whole = node(load(head), shown(head.path))
    trials = [whole] if _is_trial(head) else whole.nodes("results")
    home = _home(head)
    model, origin = runs.names[home]
    rows, modes, copies = Rows(), Counter[str](), 0
    for trial, key in zip(trials, _keys(trials), strict=True):
        first, outcome = runs.seen.setdefault(key, (head.path, trial.value.get("is_resolved")))
        if first != head.path:
            if outcome != trial.value.get("is_resolved"):
                raise ReadError(
                    f"{trial.where}: trial '{trial.text('id', key[:40])}' is in {shown(first)} too, with another "
                    "outcome; leave out the file that is wrong"
                )
            copies += 1
            continue
        mode = trial.text("failure_mode", "unset")
        modes[mode] += 1
        _add(rows, trial, model, runs.numbers.get(home), mode)
    if copies and not len(rows):
        return empty_part(head.path, "terminal-bench", f"it is a copy: all its trials are in {shown(first)} too")
    rest = _below(head, runs.files[home], trials)
    for task, name in rest.begun:
        _add(rows, Node({"task_id": task, "trial_name": name}, name), model, runs.numbers.get(home), "unset")
    mapping = {"model": origin, "item": "task_id", "run": _run_words(home in runs.numbers), "score": "is_resolved"}
    mapping |= {"status": f"failure_mode ({_counted(modes)})"}
    return rows.part(
        head.path,
        "terminal-bench",
        mapping,
        on_error="wrong",
        score_range=(0.0, 1.0),
        dropped={"trials that an earlier file holds too": copies},
        notes=[
            *_header_note(whole, trials, head.path),
            *notes_below(rest, shown(head.path)),
            *_planned(head, home, trials, rest),
            *_mode_note(modes, head.path),
            *_settings_note(model, home, runs),
            *_named_note(model, origin),
        ],
    )


def _named_note(model: str, origin: str) -> Iterator[Note]:
    """``model-from-path`` where neither the metadata nor the folder of a submission name agent and model."""
    if origin in (FROM_FOLDER, FROM_NAME):
        where = "its folder" if origin == FROM_FOLDER else "its file"
        yield from_path(model, where, f"no {METADATA} with agent and model is beside it")


def _keys(trials: Sequence[Node]) -> list[str]:
    """What tells each trial from those of other files: its id; without any id, all that the file says of its trials."""
    if any(trial.has("id") for trial in trials):
        return [trial.text("id", f"{trial.where} without an id") for trial in trials]
    return [json.dumps([trial.value for trial in trials], sort_keys=True)] * len(trials)


def _below(head: FileHead, of_run: Sequence[FileHead], trials: Sequence[Node]) -> Below:
    """What lies in a run's folder beside what is read; asked of its results, or of its first trial."""
    if head is not of_run[0]:
        return Below()
    if _is_trial(head):
        return below(_home(head), head.root, {other.path.absolute().parent.name for other in of_run})
    return below(_home(head), head.root, {trial.text("trial_name", "") for trial in trials})


def _planned(head: FileHead, home: Path, trials: Sequence[Node], rest: Below) -> Iterator[Note]:
    """What the metadata of a run say that it was to do; single trials are of a run that is known to have stopped."""
    metadata = home / METADATA
    if _is_trial(head) or not home.is_dir() or not metadata.is_file():
        return
    made: dict[str, list[str]] = {}
    begun = (Node({"task_id": task, "trial_name": name}, name) for task, name in rest.begun)
    for trial in (*trials, *begun):
        own = made.setdefault(trial.text("task_id"), [])
        own.append(_attempt(trial)[0] or str(len(own) + 1))
    yield from planned_note(node(load(head_of(metadata)), shown(metadata)), made)


def _settings_note(model: str, home: Path, runs: _Runs) -> Iterator[Note]:
    """A note at the first run of a model whose runs say that their settings differ."""
    same = [place for place, (name, _) in runs.names.items() if name == model]
    if home != same[0]:
        return
    settings = list(dict.fromkeys(said for place in same if (said := _settings(place))))
    if len(settings) > 1:
        detail = " and ".join(settings[:2])
        yield note("other-settings", where=f"'{model}'", n=len(settings), detail=detail, remedy=APART)


def _settings(home: Path) -> str:
    """The data set's version and the agent's arguments; "" where no metadata says them."""
    metadata = home / METADATA
    if not home.is_dir() or not metadata.is_file():
        return ""
    found = node(load(head_of(metadata)), shown(metadata))
    kept = {key: found.value[key] for key in ("dataset_version", "agent_kwargs") if found.has(key)}
    return json.dumps(kept, sort_keys=True, ensure_ascii=True) if kept else ""


def _add(rows: Rows, trial: Node, model: str, run: str | None, mode: str) -> None:
    number, total = _attempt(trial)
    if run is not None and number is not None:
        number = f"{run}.{number}" if total > 1 else run
    score = trial.truth("is_resolved")
    harmed = mode not in UNHARMED
    status = "error" if harmed else None
    rows.add(model=model, item=trial.text("task_id"), run=number or run, score=score, status=status)


def _attempt(trial: Node) -> tuple[str | None, int]:
    """(attempt, attempts a task) of a trial's name; (None, 1) for a name of another shape."""
    found = ATTEMPT.search(trial.text("trial_name", "").removeprefix(trial.text("task_id")))
    return (found["number"], int(found["total"])) if found else (None, 1)


def _run_words(several: bool) -> str:
    return "the file, and the attempt in trial_name" if several else "the attempt in trial_name"


def _counted(modes: Counter[str]) -> str:
    return ", ".join(f"{mode} {n}" for mode, n in modes.most_common())


def _header_note(whole: Node, trials: Sequence[Node], path: Path) -> Iterator[Note]:
    """A note where a run's counts and its accuracy are not those of its trials; null is not resolved, as there."""
    verdicts = [0.0 if math.isnan(score) else score for score in (trial.truth("is_resolved") for trial in trials)]
    resolved = sum(verdicts)
    totals = [
        Total("n_resolved", whole.value.get("n_resolved"), resolved),
        Total("n_unresolved", whole.value.get("n_unresolved"), len(verdicts) - resolved),
        Total("accuracy", whole.value.get("accuracy"), mean(verdicts)),
    ]
    return disagreements(shown(path), totals)


def _mode_note(modes: Counter[str], path: Path) -> Iterator[Note]:
    harmed = Counter({mode: n for mode, n in modes.items() if mode not in UNHARMED | TIMEOUTS})
    n, total = sum(harmed.values()), sum(modes.values())
    if total > 1 and n >= MANY * total:
        yield note("failed-attempts", where=shown(path), n=n, total=total, modes=_counted(harmed))
