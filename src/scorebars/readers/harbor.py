"""Harbor (Terminal-Bench 2, CHI-Bench and others): ``result.json`` of each trial.

model = agent and model, task = the data set it was taken from, item = ``task_name``, metric = the key of ``rewards``,
run = the number of the trial among those of its task in the order of their start. A trial without a reward, or whose
reward Harbor itself calls invalid, has no score; nor has one that left no result, or an empty one. The ``result.json``
of a job holds averages and only checks the count.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import FileHead
from scorebars.errors import ReadError, counted
from scorebars.notes import MORE_FILES, Note, note
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import shown
from scorebars.readers.harbor_unfinished import RESULT, unfinished
from scorebars.readers.other_settings import APART
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.sources import NoScores
from scorebars.readers.unfinished import is_blank, named
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import Part, Request

REWARD: Final = "reward"
"""The metric of a model that never got a reward."""
NEWEST: Final = 1
"""Newest ``schema_version`` of a trial that is known."""
MANY: Final = 0.2
"""From this share of a model's trials on, those that crashed are noted."""
TIMEOUT: Final = "AgentTimeoutError"
_TRIAL: Final = (b'"task_name"', b'"trial_name"')
_VERDICT: Final = (b'"task_checksum"', b'"verifier_result"')
"""Only a trial's result has both names and one of these, and inside a text the quotes would be escaped."""
_JOB: Final = frozenset({"n_total_trials", "stats"})


@dataclass(frozen=True, slots=True)
class _Trial:
    """What counts of a trial."""

    path: Path
    key: str
    """What no other trial has; a copy of a trial has it too."""
    model: str
    source: str | None
    item: str
    order: tuple[str, str]
    """When it started, and its name."""
    rewards: Mapping[str, float]
    """Empty where there is none, or none that is valid."""
    error: str
    """Type of the exception that it ended in; '' where there was none."""
    version: int
    """Of the format."""
    settings: str
    """The agent's version and arguments."""

    @property
    def place(self) -> tuple[str, str | None]:
        """Trials of one model and data set have the same metrics."""
        return self.model, self.source


@dataclass(frozen=True, slots=True)
class _Trials:
    """All trials of a call, without copies, and what only all of them together say."""

    own: Mapping[Path, _Trial]
    runs: Mapping[Path, str]
    metrics: Mapping[tuple[str, str | None], Iterable[str]]
    notes: Mapping[Path, Sequence[Note]]
    score_range: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class HarborReader:
    """Reads what ``harbor run`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "harbor"

    def claims(self, head: FileHead) -> bool:
        """The result of a trial, or of a job."""
        is_object = head.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        named = all(key in head.head for key in _TRIAL) and any(key in head.head for key in _VERDICT)
        return is_object and (named or _is_job(head))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a trial; jobs give none. All trials are looked at before the first part, to number them."""
        refuse_mapping(request, "a Harbor trial")
        jobs = [head for head in heads if _is_job(head)]
        of_trials = [head for head in heads if head not in jobs]
        trials = _bare({head.path: _trial(head) for head in of_trials if not is_blank(head)})
        lost = _lost(of_trials, jobs, trials)
        trials |= {trial.path: trial for trial in lost}
        first = {trial.key: path for path, trial in reversed(trials.items())}
        own = {path: trial for path, trial in trials.items() if first[trial.key] == path}
        told: dict[Path, list[Note]] = {}
        said_of_jobs = (one for head in jobs for one in _job_note(head, trials))
        for path, said in (*_told(own.values()), *said_of_jobs, *_copies(trials, first), *_lost_notes(lost)):
            told.setdefault(path, []).append(said)
        unit = all(0.0 <= reward <= 1.0 for trial in own.values() for reward in trial.rewards.values())
        job = _Trials(own, _numbered(own.values()), _metrics(own.values()), told, (0.0, 1.0) if unit else None)
        met = {head.path for head in heads}
        begun = [FileHead(trial.path, (".json",), b"", 0, None, False) for trial in lost if trial.path not in met]
        return each(
            [*heads, *begun], lambda head: _part(trials[head.path], job) if head.path in trials else _none(head, trials)
        )


def _is_job(head: FileHead) -> bool:
    return b'"n_total_trials"' in head.head and outline(head).top >= _JOB


def _below(job: FileHead, trials: Iterable[Path]) -> list[Path]:
    """The trials below a job's folder."""
    folder = f"{job.path.absolute().parent}{os.sep}"
    return [path for path in trials if str(path.absolute()).startswith(folder)]


def _trial(head: FileHead) -> _Trial:
    whole = node(load(head), shown(head.path))
    name = whole.text("trial_name")
    return _Trial(
        path=head.path,
        key=whole.text("id", str(head.path)),
        model=_model(whole),
        source=_source(whole),
        item=whole.text("task_name"),
        order=(whole.text("started_at", ""), name),
        rewards=_rewards(whole),
        error=_error(whole),
        version=whole.whole("schema_version", NEWEST),
        settings=_settings(whole),
    )


def _lost(heads: Sequence[FileHead], jobs: Sequence[FileHead], trials: Mapping[Path, _Trial]) -> list[_Trial]:
    """The trials without a result, as attempts of the model that their configuration names, or the only one beside."""
    made: list[_Trial] = []
    for one in unfinished(heads, jobs) if trials else ():
        folder = one.path.absolute().parent.parent
        beside = [trial for path, trial in trials.items() if path.absolute().parent.parent == folder]
        models = {trial.model: trial for trial in (beside or trials.values())}
        like = next(iter(models.values())) if len(models) == 1 else models.get(one.agent)
        if like is None:
            raise ReadError(
                f"{shown(one.path.parent)} is a trial of Harbor without a result ({RESULT}), and nothing says of which "
                f"of {len(models)} models ('{min(models)}', …); move the folder away, or run the trial again"
            )
        item = one.item(trial.item for trial in trials.values())
        order = ("~", one.path.parent.name)  # after all that have a date
        made.append(replace(like, path=one.path, key=str(one.path), item=item, order=order, rewards={}, error=""))
    return made


def _lost_notes(lost: Iterable[_Trial]) -> Iterator[tuple[Path, Note]]:
    """One note on all trials without a result."""
    by_model: dict[str, list[_Trial]] = {}
    for trial in lost:
        by_model.setdefault(trial.model, []).append(trial)
    for model, own in by_model.items():
        n = len(own)
        folders = named([str(trial.path.absolute().parent.name) for trial in own])
        what = "1 trial has no result, or an empty one" if n == 1 else f"{n:,} trials have no result, or an empty one"
        detail = f"'{model}': {what} ({folders} in {shown(own[0].path.absolute().parent.parent)})"
        yield own[0].path, note("partial-log", detail=f"{detail}: each is an attempt without a score")


def _bare(trials: dict[Path, _Trial]) -> dict[Path, _Trial]:
    """Items without their organisation ('org/task' of a registry is 'task' of a folder), unless two would be one."""
    names = {(trial.model, trial.item) for trial in trials.values()}
    if len({(model, item.rsplit("/", 1)[-1]) for model, item in names}) < len(names):
        return trials
    return {path: replace(trial, item=trial.item.rsplit("/", 1)[-1]) for path, trial in trials.items()}


def _model(whole: Node) -> str:
    """'claude-code+anthropic/claude-opus-4-8': the agent and the model, with its provider where it is known.

    Where the agent did not tell its model, it is the one that the job's settings gave it.
    """
    agent, given = whole.node("agent_info"), whole.node("config").node("agent")
    model = agent.node("model_info")
    if not model.has("name"):
        return f"{agent.text('name')}+{given.text('model_name')}" if given.has("model_name") else agent.text("name")
    name = model.text("name")
    if model.has("provider"):
        name = f"{model.text('provider')}/{name}"
    return f"{agent.text('name')}+{name}"


def _error(whole: Node) -> str:
    """The exception of the trial; of one with steps the first that one of them ended in, which only it records."""
    steps = whole.nodes("step_results") if whole.has("step_results") else []
    found = (one.node("exception_info").text("exception_type", "") for one in (whole, *steps))
    return next((error for error in found if error), "")


def _settings(whole: Node) -> str:
    """'version 2.1, {"reasoning_effort": "high"}'."""
    agent, kwargs = whole.node("agent_info"), whole.node("config").node("agent").value.get("kwargs")
    arguments = f", {json.dumps(kwargs, sort_keys=True, ensure_ascii=True)}" if kwargs else ""
    return f"version {agent.text('version', '?')}{arguments}"


def _source(whole: Node) -> str | None:
    """The data set; of tasks that lie in a local folder nothing, since that folder may have another name each time."""
    task = whole.node("task_id")
    named = task.has("git_url") or task.has("org") or task.has("name")
    return whole.text("source") if named and whole.has("source") else None


def _rewards(whole: Node) -> dict[str, float]:
    """Metric -> reward; nothing where Harbor says that the reward is not valid."""
    if whole.value.get("reward_valid") is False:
        return {}
    rewards = whole.node("verifier_result").node("rewards")
    return {key: rewards.number(key) for key in rewards.value if rewards.has(key)}


def _numbered(trials: Iterable[_Trial]) -> dict[Path, str]:
    """Trial -> its number among the trials of its model and task."""
    count: Counter[tuple[str, str | None, str]] = Counter()
    found: dict[Path, str] = {}
    for trial in sorted(trials, key=lambda one: one.order):
        count[*trial.place, trial.item] += 1
        found[trial.path] = str(count[*trial.place, trial.item])
    return found


def _metrics(trials: Iterable[_Trial]) -> dict[tuple[str, str | None], dict[str, None]]:
    """(model, data set) -> the metrics that any of its trials has, so that a trial without one lacks all of them."""
    found: dict[tuple[str, str | None], dict[str, None]] = {}
    for trial in trials:
        found.setdefault(trial.place, {}).update(dict.fromkeys(trial.rewards))
    every = dict.fromkeys(key for keys in found.values() for key in keys) or {REWARD: None}
    return {place: keys or every for place, keys in found.items()}


def _told(trials: Iterable[_Trial]) -> Iterator[tuple[Path, Note]]:
    """Notes at the first trial of a model: many crashed, other settings, a version that is not known."""
    by_model: dict[str, list[_Trial]] = {}
    for trial in trials:
        by_model.setdefault(trial.model, []).append(trial)
    newest = max((trial for own in by_model.values() for trial in own), key=lambda one: one.version, default=None)
    if newest is not None:
        for remark in newer_version(shown(newest.path), newest.version, str(NEWEST), "a trial of Harbor"):
            yield newest.path, remark
    for model, own in by_model.items():
        settings = list(dict.fromkeys(trial.settings for trial in own))
        if len(settings) > 1:
            detail = " and ".join(settings[:2])
            yield own[0].path, note("other-settings", where=f"'{model}'", n=len(settings), detail=detail, remedy=APART)
        errors = Counter(trial.error for trial in own if trial.error not in {"", TIMEOUT})
        n = sum(errors.values())
        if n >= MANY * len(own):
            modes = ", ".join(f"{mode} {times}" for mode, times in errors.most_common())
            yield own[0].path, note("failed-attempts", where=f"'{model}'", n=n, total=len(own), modes=modes)


def _job_note(head: FileHead, trials: Mapping[Path, _Trial]) -> Iterator[tuple[Path, Note]]:
    """A note where a job says that it has another number of trials than lie below it."""
    below = _below(head, trials)
    if below:
        said = node(load(head), shown(head.path)).whole("n_total_trials")
        if said != len(below):
            there = f"{len(below)} {'lies' if len(below) == 1 else 'lie'} below it"
            detail = f"{shown(head.path)} speaks of {counted(said, 'trial')}, {there}; these are used"
            yield below[0], note("header-disagrees", detail=detail)


def _copies(trials: Mapping[Path, _Trial], first: Mapping[str, Path]) -> Iterator[tuple[Path, Note]]:
    """One note on all trials that lie in two folders."""
    twice = [trial for path, trial in trials.items() if first[trial.key] != path]
    if twice:
        original = first[twice[0].key]
        more = f"{MORE_FILES}{len(twice) - 1:,} more)" if len(twice) > 1 else ""
        reason = f"it is a copy of {shown(original)}: the same trial{more}"
        yield original, note("skipped-file", path=shown(twice[0].path), reason=reason)


def _none(head: FileHead, trials: Mapping[Path, _Trial]) -> Part | None:
    """Nothing of a job whose trials are read; alone it is no table of attempts."""
    if _below(head, trials):
        return None
    raise NoScores(
        f"{shown(head.path)} is the result of a Harbor job, averages of its trials; the reward of each trial is in the "
        "folders beside it: read the job's folder"
    )


def _part(trial: _Trial, job: _Trials) -> Part | None:
    if trial.path not in job.own:
        return None
    rows = Rows()
    for metric in job.metrics[trial.place]:
        rows.add(
            model=trial.model,
            task=trial.source,
            item=trial.item,
            run=job.runs[trial.path],
            metric=metric,
            score=trial.rewards.get(metric, math.nan),
            status="error" if trial.error else None,
        )
    mapping = {
        "model": "agent_info",
        "item": "task_name without its organisation",
        "run": "trials of the task in the order of started_at",
    }
    mapping |= {"task": "source"} if trial.source else {}
    mapping |= {"metric": "the key in verifier_result.rewards", "score": "its value", "status": "exception_info"}
    return rows.part(
        trial.path,
        "harbor",
        mapping,
        on_error="wrong",
        score_range=job.score_range,
        notes=job.notes.get(trial.path, ()),
    )
