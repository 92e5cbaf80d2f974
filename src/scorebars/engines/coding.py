"""Coded columns -> one score table: what every engine does after its ids have become integer codes.

A role that the data lack is filled here, the same way for files, frames and arrays; an id that is missing in some rows
only is an error that names the first of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np

from scorebars.errors import ScoresError
from scorebars.notes import NAME_ITEM, Note, note
from scorebars.sample import Column, ScoreTable, Source, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scorebars.sample import FloatArray, IntArray

_Code = TypeVar("_Code", bound=np.integer[Any])

TEXT_ROLES: Final = ("model", "task", "item", "run", "metric", "variant", "cluster")
"""Roles whose values are ids."""
ROLES: Final = (*TEXT_ROLES, "score", "status", "weight", "row_hash", "source_row")
"""All roles. Two only readers of files give: ``row_hash``, a hash of the whole row, to tell copies from repeats, and
``source_row``, the number of the row in the file, for errors."""
NO_MODEL: Final = "model"
"""Name of the only model of data that name none."""
STATUS_WORDS: Final[dict[str, Status]] = {
    "": Status.OK,
    "ok": Status.OK,
    "success": Status.OK,
    "completed": Status.OK,
    "complete": Status.OK,
    "done": Status.OK,
    "finished": Status.OK,
    "missing": Status.MISSING,
    "unscored": Status.UNSCORED,
}
"""Status texts in lower case; any other text, such as an exception's, is an error."""


class Rows(Protocol):
    """Something that holds the rows of a score table: arrays, or a relation of an engine."""

    def counts(self, role: str) -> dict[str, int]:
        """Number of rows of each text of a role, sorted by text; empty where the data do not have the role."""
        ...

    def table(self, chosen: Mapping[str, str]) -> ScoreTable:
        """The rows with the chosen metric and variant (``{"metric": "acc"}``), in file order."""
        ...


NO_CLUSTER: Final = ""
"""The cluster of the rows of a file that has none, beside files that have some; no other row has it."""
LARGEST: Final = 1e150
"""A score beyond this has a square that is no number."""


class NoRowsError(ScoresError):
    """A table without a row."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """What an engine hands over: codes and numbers of equal length; −1 and NaN where a cell is empty."""

    columns: Mapping[str, Column]
    score: FloatArray
    status: NDArray[np.int8] | None = None
    weight: FloatArray | None = None
    fingerprint: IntArray | None = None
    row: IntArray | None = None
    file_row: IntArray | None = None
    percent: NDArray[np.bool_] | None = None
    """Which scores had a percent sign; None if none had."""
    sources: tuple[Source, ...] = (Source("", 0),)
    notes: tuple[Note, ...] = ()


def row_name(sources: tuple[Source, ...], number: int, file_row: int | None = None) -> str:
    """A row as errors name it: "row 17 of a.csv", counted from 1."""
    source = [source for source in sources if source.first <= number][-1]
    place = f" of {source.name}" if source.name else ""
    return f"row {number - source.first + 1 if file_row is None else file_row}{place}"


def assemble(coded: Coded) -> ScoreTable:
    """The score table of coded columns: empty roles filled, ids and scores checked.

    Raises:
        NoRowsError: No row.
        ScoresError: A cell that must not be empty is, or an infinite number.
    """
    if not len(coded.score):
        raise NoRowsError("there are no rows; a score table needs at least one attempt")
    _refuse_infinite(coded)
    columns = {role: column for role, column in coded.columns.items() if not _is_empty(column)}
    notes = list(coded.notes)
    task = _filled(coded, columns, "task", "")
    if "item" not in columns:
        columns["item"] = _items_without_ids(coded, columns, notes)
    _refuse_holes(coded, columns, "item", "model")
    return ScoreTable(
        model=columns.get("model") or Column.constant(NO_MODEL, len(coded.score)),
        task=task,
        item=columns["item"],
        score=coded.score,
        status=_status(coded),
        run=_runs(coded, columns),
        cluster=_clusters(coded, columns),
        weight=coded.weight,
        metric=_filled(coded, columns, "metric", None),
        variant=_filled(coded, columns, "variant", None),
        fingerprint=coded.fingerprint,
        row=coded.row,
        file_row=coded.file_row,
        percent=coded.percent,
        sources=coded.sources,
        notes=tuple(notes),
    )


def running_number(key: NDArray[np.integer]) -> IntArray:
    """Of each element, how many equal ones stand before it: ``[7, 7, 3, 7] -> [0, 1, 0, 2]``."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    within = np.arange(len(key)) - np.repeat(starts, np.diff(np.append(starts, len(key))))
    number = np.empty(len(key), np.int64)
    number[order] = within
    return number


NUMBERED: Final = "number"
"""First part of the origin of a column whose texts are running numbers."""


def numbered_labels(n: int, start: int = 0) -> NDArray[np.object_]:
    """Running numbers as text of equal width, so that their order as text is their order as numbers."""
    width = len(str(start + n - 1))
    return np.array([f"{number:0{width}d}" for number in range(start, start + n)], dtype=object)


def combined(first: NDArray[np.integer], second: NDArray[np.integer], n_second: int) -> IntArray:
    """One number for each pair of codes, ordered as the pairs are."""
    if first.strides == (0,) and len(first):  # the same in every row
        offset = int(first[0]) * n_second
        return second.astype(np.int64) + offset if offset else second.astype(np.int64, copy=False)
    result: IntArray = first.astype(np.int64) * n_second + second
    return result


def picked(codes: NDArray[_Code], rows: slice | IntArray | None) -> NDArray[_Code]:
    """The codes of some rows (None: of all); a code that is the same in every row takes no memory for them."""
    if rows is None:
        return codes
    if codes.strides == (0,) and len(codes) and not isinstance(rows, slice):
        return np.broadcast_to(codes[:1], len(rows))
    return codes[rows]


def _is_empty(column: Column) -> bool:
    return not column.n_labels or bool(np.all(column.codes < 0))


def _refuse_infinite(coded: Coded) -> None:
    """Squares of scores must be numbers too, so that those near the largest float are refused with infinity."""
    beyond = np.abs(coded.score) > LARGEST
    if not beyond.any():
        return
    number = int(np.argmax(beyond))
    if np.isinf(coded.score[number]):
        what = "is infinite, or too large for a number"
    else:
        what = f"is too large to compute with (scores lie between -{LARGEST:g} and {LARGEST:g})"
    raise ScoresError(
        f"score '{coded.score[number]:g}' in {_name(coded, number)} {what}; a score is a finite number "
        "(leave the cell empty if there is none)"
    )


def _name(coded: Coded, index: int) -> str:
    number = index if coded.row is None else int(coded.row[index])
    return row_name(coded.sources, number, None if coded.file_row is None else int(coded.file_row[index]))


def _refuse_holes(coded: Coded, columns: Mapping[str, Column], *roles: str) -> None:
    """An id that some rows lack is an error: those rows cannot be told apart from a damaged file."""
    for role in roles:
        column = columns.get(role)
        if column is not None and (column.codes < 0).any():
            holes = column.codes < 0
            raise ScoresError(
                f"{_name(coded, int(np.argmax(holes)))} has no {role} ({np.count_nonzero(holes)} of {len(holes)} rows "
                f"have none); every row needs its {role}, so fill the cells or leave the rows out"
            )


def _source_codes(coded: Coded) -> IntArray:
    """Which source each row came from."""
    rows = np.arange(len(coded.score)) if coded.row is None else coded.row
    firsts = np.array([source.first for source in coded.sources])
    return np.searchsorted(firsts, rows, side="right") - 1


def _rows_without(coded: Coded, columns: Mapping[str, Column], role: str) -> NDArray[np.bool_] | None:
    """The rows of sources that lack a role altogether; a role that a source has in some rows only is an error."""
    holes = columns[role].codes < 0
    if not holes.any():
        return None
    source = _source_codes(coded)
    n = len(coded.sources)
    whole = np.bincount(source, weights=holes, minlength=n) == np.bincount(source, minlength=n)
    if not whole[source[holes]].all():
        _refuse_holes(coded, columns, role)
    return holes


def _filled(coded: Coded, columns: Mapping[str, Column], role: str, default: str | None) -> Column:
    """A role that whole files may lack: they take the only text of the others, else ``default``.

    Without a default, and if no file has the role, the text is ''.
    """
    column = columns.get(role)
    if column is None:
        return Column.constant("", len(coded.score))
    holes = _rows_without(coded, columns, role)
    if holes is None:
        return column
    if default is None and column.n_labels == 1:
        return Column.of(np.zeros_like(column.codes), column.labels)
    labels = np.concatenate((np.array([""], dtype=object), column.labels))
    return Column.of((column.codes + 1).astype(np.int32), labels)


def _items_without_ids(coded: Coded, columns: Mapping[str, Column], notes: list[Note]) -> Column:
    """Without item ids: one item a task where runs have ids (an RL table), else each row is an item, in file order."""
    n = len(coded.score)
    if "run" in columns:
        return Column.constant("", n)
    key = np.zeros(n, np.int64)
    for role in ("model", "task", "metric", "variant", "cluster"):
        if role in columns:
            key = combined(key, columns[role].codes + 1, columns[role].n_labels + 1)
    number = running_number(key)
    notes.append(note("rows-as-items", n=n, remedy=NAME_ITEM))
    return Column.of(number.astype(np.int32), numbered_labels(int(number.max()) + 1, start=1))


def _runs(coded: Coded, columns: Mapping[str, Column]) -> Column | None:
    """Run ids; files without a run column beside files with one get running numbers."""
    column = columns.get("run")
    holes = None if column is None else _rows_without(coded, columns, "run")
    if column is None or holes is None:
        return column
    key = _source_codes(coded)
    for role in ("model", "task", "item", "metric", "variant"):
        if role in columns:
            key = combined(key, columns[role].codes + 1, columns[role].n_labels + 1)
    texts = column.labels[column.codes]
    texts[holes] = (running_number(key)[holes] + 1).astype("U").astype(object)
    labels, codes = np.unique(texts, return_inverse=True)
    return Column.of(codes.astype(np.int32), labels)


def _clusters(coded: Coded, columns: Mapping[str, Column]) -> Column | None:
    """Clusters; rows of files without any have the text for none, which is judged metric by metric."""
    column = columns.get("cluster")
    holes = None if column is None else column.codes < 0
    if column is None or holes is None or not holes.any():
        return column
    source, n = _source_codes(coded), len(coded.sources)
    whole = np.bincount(source, weights=holes, minlength=n) == np.bincount(source, minlength=n)
    if not whole[source[holes]].all():
        name = _name(coded, int(np.argmax(holes & ~whole[source])))
        raise ScoresError(cluster_refusal(name, int(np.count_nonzero(holes)), len(holes)))
    labels = np.concatenate((np.array([NO_CLUSTER], dtype=object), column.labels))
    return Column.of((column.codes + 1).astype(np.int32), labels)


def cluster_refusal(name: str, n: int, total: int, alone: str = "") -> str:
    """The sentence on rows without a cluster beside others, the first of them by its name."""
    return (
        f"{name} has no cluster ({n} of {total} rows have none, the others have one); leave the clusters out "
        f"(--cluster none){alone}, or give every row its cluster (an item that is related to no other is a cluster of "
        "its own)"
    )


def _status(coded: Coded) -> NDArray[np.int8]:
    """Status of each row: a scored row is settled by its score; an unscored row that claims to be well is missing."""
    missing = np.isnan(coded.score)
    if coded.status is None:
        return np.where(missing, np.int8(Status.MISSING), np.int8(Status.OK)).astype(np.int8)
    unexplained = missing & (coded.status == Status.OK)
    return np.where(unexplained, np.int8(Status.MISSING), coded.status).astype(np.int8)
