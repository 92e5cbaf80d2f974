"""τ²-bench: one results file with all simulations in it, or a ``results.json`` beside a folder of ``simulations``.

model = the agent's language model (with the agent's implementation before it where it is not the standard one), task =
the domain, item = ``task_id``, run = ``trial``, score = the reward. In the folder layout the rewards are taken from the
index in ``results.json`` if it has one, after a check that the folder holds the simulations that the index names.
The file names its tasks and the number of trials: what was to be tried and was not is a missing attempt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.cut_short import in_words, lacking
from scorebars.readers.document import load, node
from scorebars.readers.files import head_of, shown, stem
from scorebars.readers.other_settings import flat
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.sniff import kind_of, outline
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request, Settings
    from scorebars.notes import Note
    from scorebars.readers.document import Node

FOLDER: Final = "simulations"
STANDARD: Final = "llm_agent"
"""The implementation of an agent that needs no mention."""
INFRASTRUCTURE: Final = "infrastructure_error"
"""Termination reason of a simulation that never ran; τ²-bench leaves it out of every metric."""
MOST_TRIALS: Final = 10_000
"""Trials a task beyond which the number is a mistake."""
_CLOSE: Final = 1e-6
_RESULTS: Final = frozenset({"num_trials", "user_info", "agent_info"})
_SIMULATION: Final = frozenset({"id", "task_id", "trial", "termination_reason"})
_ENTRY: Final = frozenset({"submission_date", "submitting_organization"})


@dataclass(frozen=True, slots=True)
class Tau2BenchReader:
    """Reads what ``tau2 run`` writes, in both layouts."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "tau2-bench"

    def claims(self, head: FileHead) -> bool:
        """A results file, one simulation of the folder layout, or an entry of the leaderboard (to refuse it)."""
        return _is_results(head) or _is_simulation(head) or outline(head).top >= _ENTRY

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a results file; simulations that no results file holds give their own."""
        refuse_mapping(request, "a τ²-bench file")
        beside = _simulations(heads)
        homes = {head.path.absolute().parent for head in heads if _is_results(head)}
        return each(heads, lambda head: _part(head, beside, homes))


def _is_results(head: FileHead) -> bool:
    keys = outline(head)
    return not keys.is_list and "info" in keys.top and keys.anywhere >= _RESULTS


def _is_simulation(head: FileHead) -> bool:
    keys = outline(head)
    return not keys.is_list and keys.top >= _SIMULATION


def _simulations(heads: Iterable[FileHead]) -> dict[Path, list[FileHead]]:
    """Folder -> the simulations among the files whose results file would stand there."""
    found: dict[Path, list[FileHead]] = {}
    for head in heads:
        if _is_simulation(head):
            found.setdefault(_home(head.path), []).append(head)
    return found


def _home(simulation: Path) -> Path:
    """Where the results file of a simulation stands: above its folder, or beside it where it was moved."""
    folder = simulation.absolute().parent
    return folder.parent if folder.name == FOLDER else folder


def _part(head: FileHead, beside: Mapping[Path, list[FileHead]], homes: Collection[Path]) -> Part | None:
    if _is_results(head):
        return _results_part(head, beside)
    if _is_simulation(head):
        if _home(head.path) in homes:
            return None
        raise NoScores(
            f"{shown(head.path)} is one simulation of τ²-bench; its model is named in the results.json above its "
            "folder: read that file, or the whole folder that 'tau2 run' wrote"
        )
    raise NoScores(
        f"{shown(head.path)} is an entry of the τ²-bench leaderboard: averages of each domain, without the attempts; "
        "read the files of 'trajectory_files' that it names"
    )


def _results_part(head: FileHead, beside: Mapping[Path, list[FileHead]]) -> Part:
    whole = node(load(head), shown(head.path))
    info = whole.node("info")
    model, origin = _model(info)
    environment = info.node("environment_info")
    domain = environment.text("domain_name") if environment.has("domain_name") else None
    rows = Rows()
    for attempt, reward in _attempts(whole, head, beside):
        score, status = _outcome(attempt, reward)
        rows.add(
            model=model,
            task=domain,
            item=attempt.text("task_id"),
            run=attempt.text("trial", "0"),
            score=score,
            status=status,
        )
    if not len(rows):
        raise NoScores(
            f"{shown(head.path)} is a results file of τ²-bench without a simulation, and there is no folder "
            f"'{FOLDER}' with any beside it; read the folder that 'tau2 run' wrote"
        )
    if all(map(math.isnan, rows.cells["score"])):
        raise NoScores(f"{shown(head.path)}: {_none(len(rows))}: nothing was evaluated")
    notes = list(_cut_short(whole, head, rows))
    mapping = {"model": origin, "task": "info.environment_info.domain_name", "item": "task_id", "run": "trial"}
    mapping |= {"score": "reward_info.reward, or the reward of the index", "status": "termination_reason"}
    part = in_unit(rows.part(head.path, "tau2-bench", mapping, notes=notes))
    return replace(part, settings=(((model, domain or ""), _settings(info)),))


def _settings(info: Node) -> Settings:
    """The arguments of the agent's language model, who plays the user, and when an attempt ends."""
    user = info.node("user_info").value
    said = {"agent.llm_args": info.node("agent_info").value.get("llm_args")}
    said |= {f"user.{key}": user.get(key) for key in ("implementation", "llm", "llm_args")}
    return flat(said | {key: info.value.get(key) for key in ("max_steps", "max_errors")})


def _none(n: int) -> str:
    return "its only simulation has no reward" if n == 1 else f"none of its {n:,} simulations has a reward"


def _cut_short(whole: Node, head: FileHead, rows: Rows) -> Iterator[Note]:
    """Add the attempts that the run was to make and that are not there, as missing; a note with both counts."""
    if not whole.node("info").has("num_trials"):
        return
    n_trials = whole.node("info").whole("num_trials")
    if not 0 < n_trials <= MOST_TRIALS:
        raise ReadError(f"{shown(head.path)}: 'info': 'num_trials' is {n_trials}, which no run has; correct it")
    made: dict[str, list[str]] = {}
    for item, run in zip(rows.cells["item"], rows.cells["run"], strict=True):
        made.setdefault(item, []).append(run)
    tasks = [task.text("id") for task in whole.nodes("tasks")] or list(made)
    absent = lacking(tasks, [str(trial) for trial in range(n_trials)], made)
    if not absent:
        return
    there, planned = len(rows), len(tasks) * n_trials
    model, domain = rows.cells["model"][0], rows.cells["task"][0]
    for task, trials in absent.items():
        for trial in trials:
            rows.add(model=model, task=domain, item=task, run=trial, score=math.nan)
    detail = (
        f"{shown(head.path)}: the run was to have {planned:,} attempts ({len(tasks):,} × {n_trials}), {there:,} are "
    )
    yield note("header-disagrees", detail=f"{detail}there; {in_words(absent, made)}; those are missing attempts")


def _model(info: Node) -> tuple[str, str]:
    """The language model; another agent than the standard one is another thing that is scored."""
    agent = info.node("agent_info")
    implementation = agent.text("implementation", STANDARD)
    if not agent.has("llm"):
        return implementation, "info.agent_info.implementation"
    if implementation == STANDARD:
        return agent.text("llm"), "info.agent_info.llm"
    return f"{implementation}+{agent.text('llm')}", "info.agent_info.implementation and .llm"


def _attempts(whole: Node, head: FileHead, beside: Mapping[Path, list[FileHead]]) -> Iterator[tuple[Node, float]]:
    """(simulation or its entry in the index, reward) of each attempt."""
    index = whole.nodes("simulation_index")
    inside = whole.nodes("simulations")
    if index and not inside:
        _check_index(index, head)
        yield from ((entry, entry.number("reward")) for entry in index)
    else:
        yield from ((one, _reward(one)) for one in inside or _from_folder(head, beside))


def _from_folder(head: FileHead, beside: Mapping[Path, list[FileHead]]) -> Iterator[Node]:
    """The simulations of the folder layout without an index: read from the folder, or from those that were given."""
    home = head.path.absolute().parent
    found = [head_of(path) for path in sorted((home / FOLDER).glob("*.json"))] or beside.get(home, [])
    for each_head in found:
        yield node(load(each_head), shown(each_head.path))


def _check_index(index: Sequence[Node], head: FileHead) -> None:
    """The folder must hold, whole, what the index names and nothing else, as τ²-bench demands; it may be left out."""
    folder = head.path.absolute().parent / FOLDER
    if not folder.is_dir():
        return
    named = {entry.text("id") for entry in index}
    there = {stem(path) for path in folder.glob("*.json")}
    for wrong, what in ((named - there, "names {0}, which '{1}' does not hold"), (there - named, "lacks {0} of '{1}'")):
        if wrong:
            listed = f"simulation '{min(wrong)}'" + (f" and {len(wrong) - 1:,} more" if len(wrong) > 1 else "")
            raise ReadError(
                f"{shown(head.path)}: its index {what.format(listed, FOLDER)}: the folder is not whole; copy it again"
            )
    for path in sorted(folder.glob("*.json")):
        _check_simulation(head_of(path))


def _check_simulation(head: FileHead) -> None:
    """A simulation whose reward is in the index must be whole all the same: which of the two is right is not known."""
    from scorebars.readers.damaged import damage

    said = "is empty" if not head.head.strip() else damage(head)
    if not said and kind_of(head) != "json":
        said = "is no JSON"
    if said:
        raise ReadError(
            f"{shown(head.path)} {said}; its reward in the index is not taken for it: copy the folder again"
        )


def _reward(simulation: Node) -> float:
    return simulation.node("reward_info").number("reward")


def _outcome(attempt: Node, reward: float) -> tuple[float, str | None]:
    """(score, status); a reward within 1e-6 of 1 is a success, as τ²-bench counts it."""
    if attempt.text("termination_reason", "") == INFRASTRUCTURE:
        return math.nan, "error"
    return (1.0 if abs(reward - 1.0) <= _CLOSE else reward), None
