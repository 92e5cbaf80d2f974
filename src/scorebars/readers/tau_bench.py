"""τ-bench (the first one): a list of attempts, ``{task_id, reward, info, traj, trial}``, one file a model and domain.

item = ``task_id``, run = ``trial``, score = ``reward``, cluster = the user of the task. The model stands in the file's
name, unless the attempts name several, and the domain there or in its folder's; task ids start at 0 in each domain, so
that a domain that is named is the task.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import counted
from scorebars.notes import note
from scorebars.readers.added_keys import AddedKeys, told_by_records
from scorebars.readers.cut_short import in_words, lacking
from scorebars.readers.document import load, records
from scorebars.readers.files import shown, stem
from scorebars.readers.naming import model_names
from scorebars.readers.records import Rows, each, in_unit, refuse_mapping
from scorebars.readers.sniff import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.readers.document import Node

_DOMAIN: Final = re.compile(r"(?:^|[-_. /])(airline|retail)(?=$|[-_. /])")
"""The two domains that there are, as a word of a name."""
_WRITTEN: Final = frozenset({"task_id", "reward", "info", "traj", "trial"})
_AS_TABLE: Final = {"item": "task_id", "run": "trial", "score": "reward"}
_FOLDERS: Final = 2
"""Folders above a file, whose names may be the domain's."""


@dataclass(frozen=True, slots=True)
class TauBenchReader:
    """Reads what τ-bench's ``run.py`` writes."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "tau-bench"

    def claims(self, head: FileHead) -> bool:
        """A list of records with a task, a reward and what the environment told."""
        keys = outline(head)
        return keys.is_list and {"task_id", "reward", "info"} <= keys.top and bool(keys.top & {"traj", "trial"})

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        refuse_mapping(request, "a τ-bench file")
        names = model_names([head.path for head in heads], "")
        return each(heads, lambda head: _part(head, names[head.path], heads))


def _part(head: FileHead, named: tuple[str, str], heads: Sequence[FileHead]) -> Part:
    attempts = records(load(head), shown(head.path))
    model, domain = _split(named[0])
    in_name = domain is not None
    domain = domain or _domain_of(head.path)
    users = _users(attempts)
    if users and not users.keys() >= {attempt.text("task_id") for attempt in attempts}:
        users = _users_elsewhere(domain, head, heads) | users
    rows, added = Rows(), AddedKeys(_WRITTEN)
    for attempt in attempts:
        added.add(attempt)
        item = attempt.text("task_id")
        score, status = _outcome(attempt)
        rows.add(
            model=model,
            task=domain,
            item=item,
            run=attempt.text("trial"),
            score=score,
            status=status,
            cluster=users.get(item, f"task {item}") if users else None,
        )
    mapping = {"model": named[1]} | (
        {"task": f"the domain in the {'file' if in_name else 'folder'}'s name"} if domain else {}
    )
    mapping |= {"item": "task_id", "run": "trial", "score": "reward", "status": "info.error, info.reward_info"}
    mapping |= {"cluster": "info.task.user_id"} if users else {}
    mapping |= told_by_records(added, rows, head.path, _AS_TABLE)
    notes = list(_cut_short(head, rows))
    return in_unit(rows.part(head.path, "tau-bench", mapping, on_error="wrong", notes=notes))


def _cut_short(head: FileHead, rows: Rows) -> Iterator[Note]:
    """A note where tasks lack trials that others have: all that tells a run that was cut short, as no header does."""
    made: dict[str, list[str]] = {}
    for item, run in zip(rows.cells["item"], rows.cells["run"], strict=True):
        made.setdefault(item, []).append(run)
    trials = list(dict.fromkeys(rows.cells["run"]))
    absent = lacking(made, trials, made)
    if absent:
        each = counted(len(trials), "trial")
        planned = f"{counted(len(made), 'task')} with {each} each are {len(made) * len(trials):,} attempts"
        detail = f"{shown(head.path)}: {planned}, {len(rows):,} are there; {in_words(absent, made)}"
        yield note("partial-log", detail=f"{detail}; only those that are there count")


def _split(name: str) -> tuple[str, str | None]:
    """('gpt-4o', 'airline') of 'gpt-4o-airline'; without a domain in it the whole name is the model's."""
    found = _DOMAIN.search(name)
    model = name[: found.start()] + name[found.end() :] if found else ""
    return (model.lstrip("-_. /"), found[1]) if found and model.strip("-_. /") else (name, None)


def _domain_of(path: Path) -> str | None:
    """The domain in the name of a file, else in that of the nearest of its folders."""
    if shown(path) != str(path):
        return None
    folders = [folder.name for folder in path.absolute().parents[:_FOLDERS]]
    found = (match[1] for name in folders if (match := _DOMAIN.search(name)) is not None)
    return _split(stem(path))[1] or next(found, None)


def _users(attempts: Sequence[Node]) -> dict[str, str]:
    """Task id -> its user, from any attempt that got far enough to say it."""
    found: dict[str, str] = {}
    for attempt in attempts:
        task = attempt.node("info").node("task")
        if task.has("user_id"):
            found.setdefault(attempt.text("task_id"), task.text("user_id"))
    return found


def _users_elsewhere(domain: str | None, head: FileHead, heads: Sequence[FileHead]) -> dict[str, str]:
    """The users that other models' files of the same domain know, so that an item has one cluster in all of them."""
    found: dict[str, str] = {}
    for other in heads:
        if other is not head and _domain_of(other.path) == domain:
            found |= _users(records(load(other), shown(other.path)))
    return found


def _outcome(attempt: Node) -> tuple[float, str | None]:
    """(score, status): the 0.0 that an exception was given, or an attempt that never ended, is no verdict."""
    info = attempt.node("info")
    if info.has("error"):
        return math.nan, "error"
    if "reward_info" in info.value and not info.has("reward_info"):
        return math.nan, "missing"
    return attempt.number("reward"), None
