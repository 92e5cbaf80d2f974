"""A table of reference scores of one's own: CSV with the columns task, low, high, or JSON in one of four shapes.

``{"Pong": [-20.7, 14.6]}``, ``{"Pong": {"low": -20.7, "high": 14.6}}``, a list of records with task, low and high, or
two objects, one of low and one of high scores (``{"RANDOM_SCORES": {…}, "HUMAN_SCORES": {…}}``).
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.headers import normal
from scorebars.errors import ArgumentError, ReadError, near_miss
from scorebars.readers.document import Node, kind, load, node, records
from scorebars.readers.files import head_of, plain_bytes, shown, text_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.contracts import FileHead

Bounds = tuple[float, float]

TASK: Final = ("task", "game", "env", "environment", "env_id", "name")
LOW: Final = ("low", "random", "min", "lower", "random_score", "random_scores", "r_min", "rmin")
HIGH: Final = ("high", "human", "max", "upper", "human_score", "human_scores", "r_max", "rmax", "expert")


def own_table(name: str, spellings: Sequence[str]) -> dict[str, Bounds]:
    """Task -> (low, high), as they stand in a file.

    Raises:
        ArgumentError: No such file, or name of a table.
        ReadError: No scores in it, or two that are equal.
    """
    path = Path(name)
    if not path.is_file():
        listed = ", ".join(spellings)
        raise ArgumentError(
            f"no reference scores are called '{name}', and there is no such file{near_miss(name, spellings)}; "
            f"give one of {listed}, or a file with the columns task,low,high"
        )
    head = head_of(path)
    is_json = text_head(head).lstrip().startswith(("{", "["))
    table = _from_json(load(head, unique=True), shown(path)) if is_json else _from_csv(head)
    if not table:
        raise ReadError(f"{shown(path)} holds no reference score; give each task its low and high score")
    for task, (low, high) in table.items():
        if not (math.isfinite(low) and math.isfinite(high)) or low == high:
            raise ReadError(
                f"{shown(path)}: the low and high score of '{task}' are {low:g} and {high:g}; two different numbers "
                "are needed"
            )
    return table


def looks_like_reference(keys: Iterable[str]) -> bool:
    """Whether the keys of an object are those of two groups of reference scores, low and high."""
    names = {normal(name) for name in keys}
    return len(names) == 2 and bool(names & set(LOW)) and bool(names & set(HIGH))


def _from_json(value: Any, where: str) -> dict[str, Bounds]:
    if isinstance(value, list):
        return dict(_of_record(each) for each in records(value, where))
    whole = node(value, where)
    if looks_like_reference(whole.value):
        return _of_groups(whole)
    return {task: _of_task(whole, task) for task in whole.value}


def _of_groups(whole: Node) -> dict[str, Bounds]:
    low, high = (whole.node(_named(whole.value, names, whole.where)) for names in (LOW, HIGH))
    both = [task for task in low.value if task in high.value]
    alone = sorted(set(low.value) ^ set(high.value))
    if alone:
        raise ReadError(f"{whole.where}: '{alone[0]}' has only one of its low and high score; give both")
    return {task: (low.number(task), high.number(task)) for task in both}


def _of_task(whole: Node, task: str) -> Bounds:
    value = whole.value[task]
    where = f"{whole.where}: '{task}'"
    if isinstance(value, dict):
        return _bounds(Node(value, where))
    if not isinstance(value, list) or len(value) != 2 or any(isinstance(each, bool | str | None) for each in value):
        raise ReadError(f"{where} is {kind(value)}; its low and high score are needed, as [low, high]")
    pair = Node({"low": value[0], "high": value[1]}, where)
    return pair.number("low"), pair.number("high")


def _of_record(record: Node) -> tuple[str, Bounds]:
    return record.text(_named(record.value, TASK, record.where)), _bounds(record)


def _bounds(record: Node) -> Bounds:
    low, high = (record.number(_named(record.value, names, record.where)) for names in (LOW, HIGH))
    return low, high


def _named(names: Iterable[str], wanted: Sequence[str], where: str) -> str:
    found = [name for name in names if normal(name) in wanted]
    if len(found) != 1:
        what = f"{len(found)} of them" if found else "none"
        raise ReadError(f"{where}: one of {', '.join(wanted[:4])} is needed, and there is {what}")
    return found[0]


def _from_csv(head: FileHead) -> dict[str, Bounds]:
    text_head(head)  # refuses other encodings with the byte
    with plain_bytes(head) as stream:
        rows = list(csv.reader(io.StringIO(stream.read().decode("utf-8-sig", errors="replace"))))
    path = shown(head.path)
    if not rows:
        raise ReadError(f"{path} is empty; give the columns task,low,high")
    columns = [rows[0].index(_named(rows[0], names, f"{path}: the header")) for names in (TASK, LOW, HIGH)]
    table: dict[str, Bounds] = {}
    for number, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row):
            found = _of_line(row, columns, f"{path}: line {number}")
            _refuse_second(table, found, f"{path}: line {number}")
            table |= found
    return table


def _refuse_second(table: Mapping[str, Bounds], found: Mapping[str, Bounds], where: str) -> None:
    for task, bounds in found.items():
        if table.get(task, bounds) != bounds:
            raise ReadError(f"{where} gives '{task}' other scores than a line before; give each task once")


def _of_line(row: Sequence[str], columns: Sequence[int], where: str) -> Mapping[str, Bounds]:
    try:
        task, low, high = (row[column].strip() for column in columns)
        return {task: (float(low), float(high))}
    except (IndexError, ValueError) as error:
        raise ReadError(f"{where} has no task with a low and a high number: {','.join(row)[:60]}") from error
