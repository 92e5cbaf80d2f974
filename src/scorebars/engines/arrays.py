"""NumPy columns -> score table, without a database: what users hand over, and small files."""

from __future__ import annotations

from collections import Counter
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.coding import STATUS_WORDS, TEXT_ROLES, Coded, assemble, row_name
from scorebars.engines.score_text import conversion_note, has_sign, score_of
from scorebars.errors import ScoresError
from scorebars.sample import Column, Source, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from scorebars.notes import Note
    from scorebars.sample import FloatArray, IntArray, ScoreTable

NO_SOURCE: Final = (Source("", 0),)


class ArrayRows:
    """Rows held as codes in memory.

    >>> rows = ArrayRows.of({"model": np.array(["a", "a", "b"]), "score": np.array([1.0, 0.0, 1.0])})
    >>> rows.counts("model")
    {'a': 2, 'b': 1}
    """

    def __init__(self, table: ScoreTable) -> None:
        self._table = table

    @classmethod
    def of(cls, columns: Mapping[str, NDArray[Any] | Column], sources: tuple[Source, ...] = NO_SOURCE) -> ArrayRows:
        """Code columns under their role names; see :func:`encode`."""
        return cls(encode(columns, sources))

    def counts(self, role: str) -> dict[str, int]:
        """Number of rows of each text of a role, sorted by text; empty where the data do not have the role."""
        column: Column | None = getattr(self._table, role)
        if column is None:
            return {}
        found = np.bincount(column.codes, minlength=column.n_labels)
        used = np.flatnonzero(found)
        return dict(zip(column.labels[used].tolist(), found[used].tolist(), strict=True))

    def table(self, chosen: Mapping[str, str]) -> ScoreTable:
        """The rows with the chosen metric and variant, in file order."""
        table = self._table
        for role, text in chosen.items():
            column: Column | None = getattr(table, role)
            if column is not None and column.n_labels > 1:
                table = table.take(column.codes == int(np.flatnonzero(column.labels == text)[0]))
        return table


def encode(columns: Mapping[str, NDArray[Any] | Column], sources: tuple[Source, ...] = NO_SOURCE) -> ScoreTable:
    """A score table from equally long columns under their role names (``coding.ROLES``); ``score`` is needed."""
    score, note = scores(columns["score"], sources)
    weight, status, row_hash, file_row = (columns.get(role) for role in ("weight", "status", "row_hash", "source_row"))
    return assemble(
        Coded(
            columns={role: factorised(columns[role], role, sources) for role in TEXT_ROLES if role in columns},
            score=score,
            status=None if status is None else _statuses(_plain(status)),
            weight=None if weight is None else weights(_plain(weight), sources),
            fingerprint=None if row_hash is None else _fingerprints(_plain(row_hash)),
            file_row=None if file_row is None else _plain(file_row).astype(np.int64),
            percent=_signs(_plain(columns["score"])) if note is not None and note.data["percentages"] else None,
            sources=sources,
            notes=() if note is None else (note,),
        )
    )


def factorised(values: NDArray[Any] | Column, role: str = "id", sources: tuple[Source, ...] = NO_SOURCE) -> Column:
    """Ids as sorted texts and codes. Whole numbers lose their '.0', booleans are 'true' and 'false', text stays.

    Raises:
        ScoresError: More than one dimension.

    >>> factorised(np.array([10.0, 2.0, np.nan])).labels.tolist()
    ['10', '2']
    """
    if isinstance(values, Column):
        return values
    if values.ndim != 1:
        raise ScoresError(f"the {role} column has {values.ndim} dimensions; a column has one")
    if values.dtype.kind in "iu":
        return _whole_numbers(values)
    if values.dtype.kind == "M":
        return _texts(np.where(np.isnat(values), "", np.datetime_as_string(values)).astype(object), role, sources)
    return _texts(values, role, sources)


def joined(columns: Sequence[Column]) -> Column:
    """One id of several columns, their texts joined by '+'; empty where any of them is.

    Raises:
        ScoresError: Different ids that become the same text.
    """
    codes = np.stack([column.codes for column in columns], axis=1)
    tuples, inverse = np.unique(codes, axis=0, return_inverse=True)
    texts = [
        "" if min(row) < 0 else "+".join(str(column.labels[code]) for column, code in zip(columns, row, strict=True))
        for row in tuples.tolist()
    ]
    repeated = [text for text, count in Counter(texts).items() if text and count > 1]
    if repeated:
        raise ScoresError(f"joined by '+', different ids become the same '{repeated[0]}'; join other columns")
    return _ranked(texts, inverse.reshape(-1))


def scores(values: NDArray[Any] | Column, sources: tuple[Source, ...] = NO_SOURCE) -> tuple[FloatArray, Note | None]:
    """Scores as numbers, NaN where there is none, and the note on converted texts."""
    if isinstance(values, Column):
        return _scores_of_codes(values, sources)
    if values.dtype.kind in "fiub":
        return np.ascontiguousarray(values, dtype=np.float64), None
    cells = values.tolist()
    counted = _counted(cells, "score", sources)
    found = _numbers(
        counted, sources, lambda cell: next(i for i, each in enumerate(cells) if each is cell or each == cell)
    )
    return np.fromiter(map(found.__getitem__, cells), np.float64, len(cells)), _said(counted)


def _scores_of_codes(column: Column, sources: tuple[Source, ...]) -> tuple[FloatArray, Note | None]:
    """The same of few texts, each of them looked at once."""
    codes, texts = column.codes, column.labels.tolist()
    counts = np.bincount(codes + 1, minlength=len(texts) + 1).tolist()
    first = np.full(len(texts) + 1, len(codes))
    first[codes[::-1] + 1] = np.arange(len(codes))[::-1]  # what is written last stays
    cells = {code - 1: texts[code - 1] if code else None for code in np.argsort(first, kind="stable").tolist()}
    counted = {cell: counts[code + 1] for code, cell in cells.items() if counts[code + 1]}
    found = _numbers(counted, sources, lambda cell: int(first[texts.index(cell) + 1]))
    number = np.array([found.get(cell, np.nan) for cell in (*texts, None)])  # the code of no text is -1, the last
    return number[codes], _said(counted)


def _numbers(counted: Mapping[Any, int], sources: tuple[Source, ...], place: Callable[[Any], int]) -> dict[Any, float]:
    """The score that each cell stands for; an error names its first row, which ``place`` tells."""
    found: dict[Any, float] = {}
    for cell in counted:
        try:
            found[cell] = _score(cell)
        except ScoresError:
            where = row_name(sources, place(cell))
            found[cell] = score_of(_cell_text(cell), where, [each for each in counted if isinstance(each, str)])
    return found


def _said(counted: Mapping[Any, int]) -> Note | None:
    """The note on texts that were converted."""
    return conversion_note({cell: count for cell, count in counted.items() if isinstance(cell, str)})


def _signs(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which cells have a percent sign."""
    return np.fromiter(map(has_sign, values.tolist()), np.bool_, len(values))


def weights(values: NDArray[Any], sources: tuple[Source, ...] = NO_SOURCE) -> FloatArray:
    """Weights as numbers; a text that is no number is an error that names its row."""
    if values.dtype.kind in "fiub":
        return np.ascontiguousarray(values, dtype=np.float64)
    result = np.empty(len(values))
    for index, cell in enumerate(values.tolist()):
        try:
            result[index] = np.nan if cell is None or cell == "" else float(cell)
        except (TypeError, ValueError):
            raise ScoresError(f"weight '{cell}' in {row_name(sources, index)} is not a number") from None
    return result


def status_of(text: object) -> Status:
    """The status that a text stands for; texts that are not known, such as an exception's, are errors."""
    return STATUS_WORDS.get("" if _is_missing(text) else str(text).strip().lower(), Status.ERROR)


def _plain(values: NDArray[Any] | Column) -> NDArray[Any]:
    return values.labels[values.codes] if isinstance(values, Column) else values


def _counted(cells: list[Any], role: str, sources: tuple[Source, ...]) -> Counter[Any]:
    try:
        return Counter(cells)
    except TypeError:
        index = next(i for i, cell in enumerate(cells) if not _is_hashable(cell))
        kind = type(cells[index]).__name__
        raise ScoresError(f"the {role} in {row_name(sources, index)} is a {kind}; a {role} is one value") from None


def _is_hashable(cell: object) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True


def _is_missing(cell: object) -> bool:
    """None, NaN, NaT and pandas.NA, without importing pandas: the last is not equal to itself, or not a truth."""
    if cell is None:
        return True
    if isinstance(cell, (str, bool, int)):
        return cell == ""
    if isinstance(cell, (float, np.floating)):
        return bool(cell != cell)  # noqa: PLR0124 - NaN
    return str(cell) in {"NaT", "<NA>", "nan", "NaN"}


def _cell_text(cell: object) -> str:
    """An id as text: '1' for 1 and 1.0, 'true' for True, text untouched."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (float, np.floating)):
        number = float(cell)
        return str(int(number)) if number.is_integer() else repr(number)
    return str(cell)


def _score(cell: object) -> float:
    if _is_missing(cell):
        return float("nan")
    return float(cell) if isinstance(cell, Real) else score_of(_cell_text(cell))


def _whole_numbers(values: NDArray[Any]) -> Column:
    numbers, inverse = np.unique(values, return_inverse=True)
    texts = numbers.astype("U")
    order = np.argsort(texts)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Column.of(rank[inverse], texts[order].astype(object))


def _texts(values: NDArray[Any], role: str, sources: tuple[Source, ...]) -> Column:
    cells = values.tolist()
    seen = list(_counted(cells, role, sources))
    texts = ["" if _is_missing(cell) else _cell_text(cell) for cell in seen]
    labels = sorted(set(texts) - {""})
    position = {label: code for code, label in enumerate(labels)}
    code_of = {cell: position.get(text, -1) for cell, text in zip(seen, texts, strict=True)}
    codes = np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells))
    return Column.of(codes, _objects(labels))


def _ranked(texts: Sequence[str], inverse: IntArray) -> Column:
    """A column whose row i has the text ``texts[inverse[i]]``."""
    labels = sorted(set(texts) - {""})
    position = {label: code for code, label in enumerate(labels)}
    rank = np.array([position.get(text, -1) for text in texts], dtype=np.int32)
    return Column.of(rank[inverse], _objects(labels))


def _objects(labels: Iterable[str]) -> NDArray[np.object_]:
    kept = list(labels)
    result = np.empty(len(kept), dtype=object)
    result[:] = kept
    return result


def _statuses(values: NDArray[Any]) -> NDArray[np.int8]:
    cells = values.tolist()
    code_of = {cell: int(status_of(cell)) for cell in set(cells)}
    return np.fromiter(map(code_of.__getitem__, cells), np.int8, len(cells))


def _fingerprints(values: NDArray[Any]) -> IntArray:
    if values.dtype.kind in "iu":
        return values.astype(np.int64)
    return np.fromiter(map(hash, values.tolist()), np.int64, len(values))
