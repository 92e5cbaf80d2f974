"""Attempts that a run was to make and that its file does not hold: which they are, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SHOWN: Final = 4
"""Tasks that are named before '… more' follows."""


def lacking(tasks: Iterable[str], trials: Sequence[str], made: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Task -> its trials that are not there, for the tasks that lack any.

    Args:
        tasks: All tasks of the run, in order.
        trials: The names of the trials of each.
        made: Task -> the trials that are there; trials of another name take the place of one each.
    """
    found: dict[str, list[str]] = {}
    for task in tasks:
        there = made.get(task, ())
        absent = [trial for trial in trials if trial not in there]
        n_absent = max(0, len(trials) - len(set(there)))
        if n_absent:
            found[task] = absent[:n_absent]
    return found


def in_words(absent: Mapping[str, Sequence[str]], made: Mapping[str, Sequence[str]]) -> str:
    """'no trial of tasks 3, 7; task 5 lacks trial 2', the first few of each."""
    never = [task for task in absent if not made.get(task)]
    partly = [f"task {task} lacks {_trials(trials)}" for task, trials in absent.items() if made.get(task)]
    said = [f"no trial of {'task' if len(never) == 1 else 'tasks'} {_listed(never)}"] if never else []
    return "; ".join([*said, _listed(partly, "; ")] if partly else said)


def _trials(names: Sequence[str]) -> str:
    return f"{'trial' if len(names) == 1 else 'trials'} {_listed(names)}"


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = f"{between}and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return between.join(names[:_SHOWN]) + more
