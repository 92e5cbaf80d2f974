"""Harbor's trials that left no result: which they are, and whose.

A trial writes its ``config.json`` first and its ``result.json`` last; where the process was killed in between, or the
disk was full, the folder has no result or an empty one. The folder's name and the configuration say which task it was;
the agent is that of the trials beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.readers.unfinished import asked_for, folders_in, is_blank, settings, without_result

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead
    from scorebars.readers.document import Node

RESULT: Final = "result.json"
CONFIG: Final = "config.json"
_NAME: Final = re.compile(r"^(?P<task>.+)__[A-Za-z0-9]{7}$")
_MEMBERS: Final = ("trial.log", "exception.txt", "agent", "verifier")
"""What a trial leaves in its folder beside configuration and result."""
_CUT: Final = 32
"""Characters of a task that the name of a trial begins with."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A trial without a result."""

    path: Path
    """Its result, which is empty or not there."""
    task: str
    """The task by its configuration; else as the folder's name begins, which may be cut off."""
    agent: str
    """'agent+model' of its configuration; '' where it has none."""

    def item(self, known: Iterable[str]) -> str:
        """The task as the results of others call it."""
        bare = {name.rsplit("/", 1)[-1]: name for name in known}
        if self.task in bare:
            return bare[self.task]
        begun = [name for short, name in bare.items() if short[:_CUT] == self.task]
        return begun[0] if len(begun) == 1 else self.task


def unfinished(trials: Sequence[FileHead], jobs: Sequence[FileHead]) -> list[Unfinished]:
    """The trials with an empty result among the files, and the folders beside trials that have no result.

    Args:
        trials: All results but those of jobs; empty ones too.
        jobs: Results of jobs, whose trials are the folders beside them.
    """
    folders = {head.path.absolute().parent: head.root for head in trials}
    homes = {head.path.absolute().parent: head.root for head in jobs}
    homes |= {folder.parent: root for folder, root in folders.items()}
    found = [_trial(head.path) for head in trials if is_blank(head) and head.path.absolute().parent not in homes]
    for home, root in homes.items():
        if root is not None and asked_for(home, root):
            found += [_trial(_below(folder, root) / RESULT) for folder in _begun(home, folders)]
    return found


def _below(folder: Path, root: Path) -> Path:
    """The folder as the user would spell it."""
    return root / folder.relative_to(root.absolute())


def _begun(job: Path, read: Collection[Path]) -> Iterator[Path]:
    folders = (folder for folder in folders_in(job) if folder not in read)
    return (folder for folder in without_result(folders, RESULT) if _is_trial(folder))


def _is_trial(folder: Path) -> bool:
    """Whether a folder without a result is a trial's: by its name, its configuration or what a trial leaves there."""
    if _NAME.match(folder.name) or any((folder / member).exists() for member in _MEMBERS):
        return True
    return settings(folder / CONFIG).has("trial_name")


def _trial(path: Path) -> Unfinished:
    config = settings(path.with_name(CONFIG))
    folder = path.absolute().parent.name
    named = _NAME.match(folder)
    return Unfinished(path, _task(config) or (named["task"] if named else folder.partition("__")[0]), _agent(config))


def _task(config: Node) -> str:
    """The task's name in a trial's configuration: that of a registry, or of its folder; '' where it is not told."""
    task = config.value.get("task")
    if not isinstance(task, dict):
        return ""
    told = next((task[key] for key in ("name", "path") if isinstance(task.get(key), str) and task[key]), "")
    return str(told).rstrip("/").rsplit("/", 1)[-1]


def _agent(config: Node) -> str:
    agent = config.value.get("agent")
    if not isinstance(agent, dict) or not isinstance(agent.get("name"), str):
        return ""
    model = agent.get("model_name")
    return f"{agent['name']}+{model}" if isinstance(model, str) else agent["name"]
