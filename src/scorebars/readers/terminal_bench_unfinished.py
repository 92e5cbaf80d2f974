"""Terminal-Bench attempts that are not in the results of their run: begun and not ended, never begun, or not listed.

A trial's folder is RUN/TASK/TRIAL. The metadata beside the results of a run say its tasks and the attempts at each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.notes import Note, note
from scorebars.readers.cut_short import in_words, lacking
from scorebars.readers.document import load
from scorebars.readers.files import head_of
from scorebars.readers.unfinished import asked_for, folders_in, is_blank, named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.readers.document import Node

RESULTS: Final = "results.json"
ATTEMPT: Final = re.compile(r"\.(?P<number>\d+)-of-(?P<total>\d+)(?:\.|$)")
_MOST: Final = 10_000
"""Attempts a task beyond which the metadata are not believed."""


@dataclass(frozen=True, slots=True)
class Below:
    """The trial folders of a run that its results do not list."""

    begun: tuple[tuple[str, str], ...] = ()
    """(task, trial's name) of those without a result of their own, or with an empty one."""
    unlisted: tuple[str, ...] = ()
    """Names of those that have a result."""


def below(home: Path, root: Path | None, listed: Collection[str]) -> Below:
    """What the folder of a run holds beside the trials that are read.

    Raises:
        ReadError: The result of such a trial is damaged.
    """
    if not home.is_dir() or not asked_for(home, root):
        return Below()
    begun, unlisted = [], []
    for task in folders_in(home):
        for trial in folders_in(task):
            if trial.name in listed or not ATTEMPT.search(trial.name.removeprefix(task.name)):
                continue
            if _is_there(trial / RESULTS):
                unlisted.append(trial.name)
            else:
                begun.append((task.name, trial.name))
    return Below(tuple(begun), tuple(unlisted))


def _is_there(path: Path) -> bool:
    """Whether there is a result, which must be whole."""
    if not path.is_file():
        return False
    head = head_of(path)
    if is_blank(head):
        return False
    load(head)
    return True


def notes_below(found: Below, where: str) -> Iterator[Note]:
    """What is said of those folders."""
    n = len(found.begun)
    if n:
        what = "1 trial has no result, or an empty one" if n == 1 else f"{n:,} trials have no result, or an empty one"
        names = named([name for _, name in found.begun])
        yield note("partial-log", detail=f"{where}: {what} ({names}): each is an attempt without a score")
    if found.unlisted:
        detail = f"{where}: {len(found.unlisted):,} of the trials below have a result that it does not list "
        yield note("header-disagrees", detail=f"{detail}({named(list(found.unlisted))}); those that it lists are used")


def planned_note(metadata: Node, made: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """A note where the metadata name more attempts than there are."""
    n_attempts, tasks = metadata.value.get("n_attempts"), metadata.value.get("task_ids")
    size, there = metadata.value.get("dataset_size"), sum(map(len, made.values()))
    if isinstance(n_attempts, bool) or not isinstance(n_attempts, int) or not 0 < n_attempts <= _MOST:
        return
    if isinstance(tasks, list) and tasks:
        names = [str(task) for task in tasks]
        absent = lacking(names, [str(number + 1) for number in range(n_attempts)], made)
        planned, said = len(names) * n_attempts, f"; {in_words(absent, made)}" if absent else ""
    elif isinstance(size, int) and not isinstance(size, bool) and size > 0:
        planned, said = size * n_attempts, ""
    else:
        return
    if planned > there:
        detail = (
            f"{metadata.where}: the run was to have {planned:,} attempts ({planned // n_attempts:,} × {n_attempts})"
        )
        yield note("header-disagrees", detail=f"{detail}, {there:,} are there{said}; only those count")
