"""Rows that claim the same attempt: copies, conflicts, or repeats that are runs.

With run ids, a repeated (model, item, run) is a copy if its scores are equal (kept once) and a conflict if they are
not (refused, unless the caller says which one counts). Without run ids, repeats are runs in file order: two rows with
the same 0/1 score are two attempts that ended alike. Only where *every* repeated item consists of rows that are equal
byte for byte (which a reader of files can tell) are they copies; item means, and so scores, are then the same in both
readings. One attempt in two files is refused: nobody can tell two results from one result given twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from scorebars.engines.coding import combined
from scorebars.engines.file_runs import FILE, run_pattern
from scorebars.engines.headers import mapped
from scorebars.errors import ScoresError, counted
from scorebars.kernels.ordering import ascending
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scorebars.sample import CodeArray, IntArray, ScoreTable

LONGEST_ID: Final = 80
"""Characters of an id that errors show."""
DUPLICATES: Final = ("fail", "first", "last")
"""What to do with different scores of one attempt."""


@dataclass(frozen=True, slots=True, eq=False)
class Attempts:
    """Run codes, and which rows are copies."""

    run: CodeArray
    order: IntArray | None
    """Row numbers sorted by model, unit and run; None where the rows are in that order."""
    copies: NDArray[np.bool_] | None = None
    """Rows to leave out; None if there are none."""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Rows that share a key, one group after the other, file order within."""

    order: IntArray
    is_sorted: bool
    first: IntArray
    """Position in ``order`` of the first row of the group each row belongs to."""

    @property
    def firsts(self) -> IntArray:
        """The row that heads the group of each row of ``order``."""
        return self.order[self.first]

    @property
    def repeats(self) -> NDArray[np.bool_]:
        """Which rows of ``order`` are not the first of their group."""
        repeats: NDArray[np.bool_] = self.first != np.arange(len(self.first))
        return repeats

    @property
    def sorting(self) -> IntArray | None:
        """The order, where the rows are not in it."""
        return None if self.is_sorted else self.order


def settled(table: ScoreTable, unit: NDArray[np.integer], n_units: int, duplicates: str) -> Attempts:
    """Tell copies from runs in a table of one metric and variant."""
    _refuse_ids_beside_places(table)
    model = table.model.codes
    # One model's units are a key as they stand; widening millions of codes takes longer than all else here.
    key = cast("IntArray", unit) if model.strides == (0,) else combined(model, unit, n_units)
    if table.run is not None:
        key = combined(key, table.run.codes, table.run.n_labels)
    none = np.broadcast_to(np.zeros(1, np.int32), len(key)) if table.run is None else table.run.codes
    order, ordered = _sorted(key)
    starts = ordered[1:] != ordered[:-1]
    if starts.all():
        return Attempts(none, order)
    groups = _groups(order, starts)
    if duplicates == "fail":
        _refuse_two_sources(table, groups)
    if table.run is None and duplicates == "fail":
        return _without_run_ids(table, groups)
    return _with_run_ids(table, groups, none, duplicates)


def _sorted(key: IntArray) -> tuple[IntArray | None, IntArray]:
    """The order that sorts the keys, None if they are sorted; and the sorted keys."""
    if np.all(key[1:] >= key[:-1]):
        return None, key
    order = ascending(key)
    return order, key[order]


def _groups(order: IntArray | None, starts: NDArray[np.bool_]) -> _Groups:
    """Groups of rows; ``starts`` says of each but the first whether a group begins with it."""
    places = np.arange(len(starts) + 1)
    first = np.maximum.accumulate(np.where(np.concatenate(([True], starts)), places, 0))
    return _Groups(places if order is None else order, order is None, first)


def _with_run_ids(table: ScoreTable, groups: _Groups, run: CodeArray, duplicates: str) -> Attempts:
    score = table.score
    same = (score[groups.order] == score[groups.firsts]) | (
        np.isnan(score[groups.order]) & np.isnan(score[groups.firsts])
    )
    if duplicates == "fail" and not same.all():
        _refuse_conflict(table, int(groups.firsts[np.argmin(same)]), int(groups.order[np.argmin(same)]))
    copies = np.zeros(len(score), dtype=bool)
    if duplicates == "last":
        is_last = np.append(np.diff(groups.first) > 0, True)
        copies[groups.order[~is_last]] = True
    else:
        copies[groups.order[groups.repeats]] = True
    done = "each is kept once" if same.all() else f"the {duplicates} of each is kept"
    detail = "" if same.all() else " with different scores"
    return Attempts(run, groups.sorting, copies, (_copies_note(copies, detail, done),))


def _without_run_ids(table: ScoreTable, groups: _Groups) -> Attempts:
    n_rows = table.n_rows
    if table.fingerprint is not None and np.array_equal(
        table.fingerprint[groups.order], table.fingerprint[groups.firsts]
    ):
        copies = np.zeros(n_rows, dtype=bool)
        copies[groups.order[groups.repeats]] = True
        run = np.broadcast_to(np.zeros(1, np.int32), n_rows)
        how = ", byte for byte" if any(source.name for source in table.sources) else ", equal in every column"
        return Attempts(run, groups.sorting, copies, (_copies_note(copies, how, "each is kept once"),))
    run = np.empty(n_rows, np.int32)
    run[groups.order] = np.arange(n_rows) - groups.first
    repeated = len(np.unique(groups.first[groups.repeats]))
    remedy = "name the column with --map run=COLUMN if there is one"
    if all(source.fixed for source in table.sources):
        remedy = "check that they are attempts of their own, and not one that was written twice"
    return Attempts(run, groups.sorting, None, (note("repeats-as-runs", n=repeated, remedy=remedy),))


def _copies_note(copies: NDArray[np.bool_], detail: str, done: str) -> Note:
    return note("duplicate-attempts", n=int(np.count_nonzero(copies)), detail=detail, done=done)


def attempt_name(table: ScoreTable, row: int) -> str:
    """An attempt as errors name it: "model 'm', task 't', item 'q1', run '2'"."""
    parts = [("model", table.model), ("task", table.task), ("item", table.item), ("run", table.run)]
    named = [(role, column.labels[column.codes[row]]) for role, column in parts if column is not None]
    return ", ".join(f"{role} '{_short(str(text))}'" for role, text in named if text != "")


def _short(text: str) -> str:
    """A text that an error names; prompts that serve as ids are cut."""
    return text if len(text) <= LONGEST_ID else f"{text[:LONGEST_ID]}…"


def _refuse_conflict(table: ScoreTable, first: int, second: int) -> None:
    source, number = table.source_of(first)
    _, other = table.source_of(second)
    place = f" of {source.name}" if source.name else ""
    other_way = "or name the column that tells them apart (--map run=COLUMN)"
    if source.fixed:
        other_way = "or leave one of them out of the file"
    twice = (
        f"{attempt_name(table, first)} is there twice with different scores, {_shown(table.score[first])} and "
        f"{_shown(table.score[second])} (rows {number} and {other}{place})"
    )
    if table.item.labels.tolist() == [""] and not source.fixed:  # one row of each run would be all that counts
        raise ScoresError(f"{twice}, and no column is known as the item: name it (--map item=COLUMN), {other_way}")
    raise ScoresError(f"{twice}; say which one counts (--duplicates first|last), {other_way}")


def _refuse_two_sources(table: ScoreTable, groups: _Groups) -> None:
    """One attempt in two files."""
    if len(table.sources) == 1:
        return
    rows = np.arange(table.n_rows) if table.row is None else table.row
    source = np.searchsorted([each.first for each in table.sources], rows, side="right") - 1
    across = source[groups.order] != source[groups.firsts]
    if not across.any():
        return
    where = int(np.argmax(across))
    both = [table.sources[source[rows[where]]] for rows in (groups.firsts, groups.order)]
    names = [f"{each.name} (of {each.created})" if each.created else each.name for each in both]
    if all(each.created for each in both):
        others = "take the newest (--latest), or count them as further runs (--repeats-as-runs)"
    else:
        others = "else give one of them"
        if pattern := "" if any(each.fixed for each in table.sources) else _runs_by_name([each.name for each in both]):
            others = f"count them as runs by their names ({mapped({FILE: pattern})}), or give one of them"
            if _may_be_tasks(table, [each.name for each in both]):
                others = f"say that their names are tasks ({mapped({FILE: pattern.replace('run', 'task')})}), {others}"
    raise ScoresError(
        f"{names[0]} and {names[1]} both have {attempt_name(table, int(groups.firsts[where]))} "
        f"({counted(int(np.count_nonzero(across)), 'attempt')} in common); if they are two results, label them "
        f"(--label NAME=PATH), {others}"
    )


def _runs_by_name(paths: Sequence[str]) -> str:
    """The pattern by which two tables are runs of one model: their names or their folders'; '' for no files."""
    if not all(paths) or any("#" in path for path in paths):
        return ""
    return "{run}" if len({Path(path).name for path in paths}) > 1 else "{run}/*"


def _may_be_tasks(table: ScoreTable, paths: Sequence[str]) -> bool:
    """Whether names of files may be those of tasks ('gsm8k', 'math'): nothing else says it, and they do not count."""
    names = list(dict.fromkeys(_bare(path) for path in paths))
    if len(names) < 2:
        names = [Path(path).parent.name for path in paths]
    if table.task.labels.tolist() != [""] or any(name.isdigit() for name in names):
        return False
    return run_pattern(names) is None and run_pattern(names, worded=False) is None


def _bare(path: str) -> str:
    """A file's name without its endings."""
    return Path(path).name.partition(".")[0]


def _refuse_ids_beside_places(table: ScoreTable) -> None:
    """One model and task in a file whose items have ids and in one whose items are places: added up, not repeated."""
    by_place = np.array([source.by_place for source in table.sources])
    if by_place.all() or not by_place.any():
        return
    rows = np.arange(table.n_rows) if table.row is None else table.row
    source = np.searchsorted([each.first for each in table.sources], rows, side="right") - 1
    group = combined(table.model.codes, table.task.codes, table.task.n_labels)
    both = np.intersect1d(group[by_place[source]], group[~by_place[source]])
    if not len(both):
        return
    import shlex

    where = [int(np.argmax((group == both[0]) & (by_place[source] == placed))) for placed in (True, False)]
    placed, named = (table.sources[source[row]].name for row in where)
    model, task = (column.labels[column.codes[where[0]]] for column in (table.model, table.task))
    of_task = f", task '{task}'" if task else ""
    typed = shlex.quote(placed)
    raise ScoresError(
        f"model '{model}'{of_task} is in {placed}, whose items are places in it, and in {named}, whose items have ids, "
        "so that nobody can tell whether they are the same items; label one of the files "
        f"(--label NAME={typed}), leave one out (--without {typed}), or name the column of its ids if it has one "
        "(--map item=COLUMN)"
    )


def _shown(score: float) -> str:
    return "none" if np.isnan(score) else f"{score:g}"
