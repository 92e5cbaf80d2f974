"""Scores of reinforcement learning as JSON dictionaries: game -> one score a run, as rliable's users keep them.

``{"Alien": [536.8, 823.0, …], …}`` is one model, named by the file (a number in place of a list is one run);
``{"DER": {"Alien": […]}}`` names its models; ``{"DER": [[…], …]}`` holds arrays of runs × tasks. A list of records
with ``game``, ``seed`` and ``HNS`` (as CURL's scores are published) is human-normalised already. Run 3 of one game and
run 3 of another are not the same seed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.contracts import Part
from scorebars.engines.coding import numbered_labels
from scorebars.errors import ReadError
from scorebars.readers.array_axes import array_part
from scorebars.readers.document import Node, id_text, kind, load, node, records
from scorebars.readers.files import names_for, shown, text_head
from scorebars.readers.normalisation import HUMAN_NORMALISED, on_one_scale, suite_of
from scorebars.readers.normalisation.own_file import looks_like_reference
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.contracts import FileHead, Request

MAX_NORMALISED: Final = "Max HNS"
"""The best of ten evaluations, which a record may have beside the last one."""
_RUNS_BY_TASKS: Final = 2
_NAME: Final = r'"((?:[^"\\]|\\.)*)"\s*:\s*'
_NUMBER: Final = r"(-?\d|NaN|null)"
_RUNS: Final = re.compile(rf"{_NAME}\[\s*(?:{_NUMBER}|\])")
"""A list of numbers, also an empty one: that a game has no run does not make the others another format."""
_GAMES: Final = re.compile(rf"^\s*\{{\s*{_RUNS.pattern}")
_MODELS: Final = re.compile(rf"^\s*\{{\s*{_NAME}\{{\s*{_RUNS.pattern}")
_ARRAYS: Final = re.compile(rf"^\s*\{{\s*{_NAME}\[\s*\[[\[\s]*{_NUMBER}")
_SINGLE: Final = re.compile(rf"{_NAME}{_NUMBER}")
_ONE_RUN: Final = re.compile(rf"^\s*\{{\s*{_SINGLE.pattern}")
_REFERENCE: Final = re.compile(rf"^\s*\{{\s*{_NAME}\{{\s*{_NAME}{_NUMBER}")
_RECORDS: Final = re.compile(r'^\s*\[\s*\{[^}]*"HNS"')


class RunsReader:
    """Reads game -> runs dictionaries, and lists of human-normalised scores."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "rl-runs"

    def claims(self, head: FileHead) -> bool:
        """Whether the keys are games of a known benchmark, or the values arrays of numbers."""
        text = head.head.decode("utf-8-sig", errors="replace")
        if _RECORDS.match(text):
            return '"game"' in text[:500]
        if _GAMES.match(text) or _MODELS.match(text):
            return _are_tasks([match[1] for match in _RUNS.finditer(text)])
        if _ONE_RUN.match(text):
            return (
                "[" not in text and "{" not in text[1:] and _are_tasks([match[1] for match in _SINGLE.finditer(text)])
            )
        if _ARRAYS.match(text):
            return head.explicit
        return _is_reference(text)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file."""
        names = names_for(head.path for head in heads)
        if request.options.normalize is not None and all(_RECORDS.match(text_head(head)) for head in heads):
            raise ReadError(f"{shown(heads[0].path)} is human-normalised already; leave --normalize out")
        return each(heads, lambda head: self._part(head, request, names[head.path]))

    def _part(self, head: FileHead, request: Request, model: str) -> Part:
        value = load(head, unique=True)
        path = shown(head.path)
        if isinstance(value, list):
            refuse_mapping(request, "a list of normalised scores")
            refuse_point(request, path)
            return _normalised_records(records(value, path), head, self.name, model)
        whole = node(value, path)
        if looks_like_reference(whole.value) and not _holds_lists(whole):
            raise NoScores(f"{path} holds reference scores, not those of a model; give it as --normalize {path}")
        if _is_arrays(whole):
            arrays = _arrays(whole)
            if any(array.ndim > _RUNS_BY_TASKS for array in arrays.values()):
                raise ReadError(f"{path} holds arrays with checkpoints; save them as .npz, of which --at takes one")
            return array_part(head, self.name, arrays, request)
        refuse_mapping(request, "a dictionary of runs")
        refuse_point(request, path)
        models, said = _models(whole, model)
        rows = rows_of(models)
        mapping = {"model": said, "task": "the keys", "run": "the position in the list", "score": "the lists"}
        return on_one_scale(Part(head.path, self.name, rows, tuple(mapping.items())), request.options)


@dataclass(frozen=True, slots=True)
class TaskRuns:
    """The scores of a model in a task, one a run."""

    model: str
    name: str
    scores: Sequence[float]


def refuse_point(request: Request, path: str) -> None:
    """One score a run is the final one: it may stand beside curves taken at their end, and at no other point.

    Raises:
        ReadError: Another point was asked for.
    """
    if request.options.at not in (None, "final"):
        raise ReadError(
            f"{path} holds one score a run and no learning curves, so there is no '{request.options.at}' in it; "
            "only --at final fits"
        )


def _are_tasks(names: list[str]) -> bool:
    """Whether all keys are tasks of known benchmarks, or at least two and half of them: a name may be misspelt."""
    known = sum(suite_of([name]) != "" for name in names)
    return known > 0 and (known == len(names) or (known > 1 and 2 * known >= len(names)))


def _is_reference(text: str) -> bool:
    """Whether an object of two objects of numbers holds low and high scores of games, not a model called 'random'."""
    found = _REFERENCE.match(text)
    if found is None:
        return False
    outer = [found[1], *re.findall(rf"\}}\s*,\s*{_NAME}\{{", text)]
    said = all(name.lower().endswith("scores") for name in outer)
    return looks_like_reference(outer) and (said or suite_of([found[2]]) != "")


def _holds_lists(whole: Node) -> bool:
    objects = [games for games in whole.value.values() if isinstance(games, dict)]
    return len(objects) < len(whole.value) or any(
        isinstance(runs, list) for games in objects for runs in games.values()
    )


def _is_arrays(whole: Node) -> bool:
    values = list(whole.value.values())
    return any(isinstance(value, list) and value and isinstance(value[0], list) for value in values)


def _arrays(whole: Node) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    return {id_text(name, whole.where): _array(whole.value[name], f"{whole.where}: '{name}'") for name in whole.value}


def _array(value: Any, where: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Nested lists as an array; unequal lengths are refused, since what is missing could be any of them."""
    depth, inner = 0, value
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0] if inner else None
    flat = _leaves(value, depth, where)
    try:
        shape = np.shape(value)
    except ValueError:
        shape = ()
    if len(shape) != depth or not depth:
        raise ReadError(
            f"{where} has rows of unequal length, so it is not clear which score is missing; "
            "fill them with null, or save {task: [one score a run]}"
        )
    return np.array(flat, dtype=np.float64).reshape(shape)


def _leaves(value: Any, depth: int, where: str) -> list[float]:
    if depth == 0:
        return [_number(value, where)]
    if not isinstance(value, list):
        raise ReadError(f"{where} has {kind(value)} where the other rows have a list")
    return [leaf for each_value in value for leaf in _leaves(each_value, depth - 1, where)]


def _number(value: Any, where: str) -> float:
    return Node({"score": value}, where).number("score")


def _models(whole: Node, model: str) -> tuple[list[TaskRuns], str]:
    """The tasks of all models, and where the models' names come from."""
    if any(isinstance(value, dict) for value in whole.value.values()):
        return [
            task
            for name, games in whole.members()
            for task in _tasks(games, name)
        ], "the outer keys"  # fmt: skip
    return _tasks(whole, model), f"the file's name ('{model}')"


def _tasks(games: Node, model: str) -> list[TaskRuns]:
    found = []
    for name, value in games.value.items():
        where = f"{games.where}: '{name}'"
        scores = [value] if isinstance(value, int | float) and not isinstance(value, bool) else value
        if not isinstance(scores, list) or not scores:
            what = "an empty list" if isinstance(scores, list) else kind(scores)
            advice = " (leave the task out if it was not run)" if isinstance(scores, list) else ""
            raise ReadError(f"{where} is {what}; a list with one score a run is needed{advice}")
        numbers = [_number(score, f"{where}, run {place}") for place, score in enumerate(scores)]
        found.append(TaskRuns(model, id_text(name, games.where), numbers))
    return found


def rows_of(tasks: Sequence[TaskRuns]) -> dict[str, np.ndarray[Any, Any]]:
    """Columns of all tasks; runs are numbered from 0 in text of equal width, as for arrays in memory.

    Raises:
        NoScores: No task.
    """
    if not tasks:
        raise NoScores("it holds no task")
    labels = numbered_labels(max(len(task.scores) for task in tasks))
    lengths = [len(task.scores) for task in tasks]
    return {
        "model": np.repeat(_objects([task.model for task in tasks]), lengths),
        "task": np.repeat(_objects([task.name for task in tasks]), lengths),
        "run": np.concatenate([labels[:length] for length in lengths]),
        "score": np.concatenate([np.array(task.scores, dtype=np.float64) for task in tasks]),
    }


def _objects(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.object_]]:
    result = np.empty(len(texts), dtype=object)
    result[:] = texts
    return result


def _normalised_records(found: Sequence[Node], head: FileHead, reader: str, model: str) -> Part:
    """A list of {game, seed, HNS, Max HNS}; each of the two is a metric."""
    rows = Rows()
    for record in found:
        for metric in (HUMAN_NORMALISED, MAX_NORMALISED):
            if metric in record.value:
                rows.add(
                    model=record.text("model", model), task=record.text("game"), item="", run=record.text("seed"),
                    metric=metric, score=record.number(metric),
                )  # fmt: skip
    mapping = {"model": f"the file's name ('{model}')", "task": "'game'", "run": "'seed'"}
    mapping |= {"metric": "HNS and Max HNS, both human-normalised already"}
    return rows.part(head.path, reader, mapping)
