"""Two score tables -> one, with codes that mean the same in both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.contracts import renamed, with_models
from scorebars.engines.coding import combined, numbered_labels, running_number
from scorebars.engines.headers import METRICS, mapped, normal
from scorebars.engines.units import unit_codes
from scorebars.errors import ScoresError, counted
from scorebars.kernels.distinct import distinct
from scorebars.notes import note
from scorebars.sample import Column, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scorebars.contracts import Listing, Part
    from scorebars.notes import Note
    from scorebars.sample import CodeArray, TextArray


@dataclass(frozen=True, slots=True)
class Side:
    """One of two tables that are to be compared, and what is known of its files without their rows."""

    table: ScoreTable
    parts: tuple[Part, ...]
    listings: tuple[Listing, ...]

    def labelled(self, model: str, label: str) -> Side:
        """The same with another name of its only model."""
        names = {model: label}
        parts = tuple(with_models(part, names) for part in self.parts)
        return Side(renamed_models(self.table, names), parts, renamed(self.listings, names))


def refuse_shared_models(first: ScoreTable, second: ScoreTable) -> None:
    """Raise a ScoresError where both sides have a model of the same name."""
    both = {*used_texts(first.model)} & {*used_texts(second.model)}
    if both:
        raise ScoresError(f"both sides have a model '{min(both)}'; give the two sides different labels")


def renamed_models(table: ScoreTable, names: Mapping[str, str]) -> ScoreTable:
    """The same table with other model names; two models cannot become one.

    Raises:
        ScoresError: Two would have one name.
    """
    labels = [names.get(label, label) for label in table.model.labels.tolist()]
    used = [labels[code] for code in distinct(table.model.codes)]
    if len(set(used)) < len(used):
        raise ScoresError(f"two models would both be called '{next(name for name in used if used.count(name) > 1)}'")
    return replace(table, model=relabelled(table.model, labels))


def relabelled(column: Column, labels: list[str]) -> Column:
    """The same column with other texts, in the order of the old ones."""
    texts, rank = np.unique(np.array(labels, dtype=object), return_inverse=True)
    return Column.of(rank.reshape(-1).astype(np.int32)[column.codes], texts)


def joined_tables(first: ScoreTable, second: ScoreTable) -> ScoreTable:
    """The rows of the second table after those of the first."""
    said = _metrics_apart(first, second)
    start = max(int(_rows(first).max(initial=0)), first.sources[-1].first) + 1
    first, second = (_one_name(table, other) for table, other in ((first, second), (second, first)))
    merged: dict[str, Any] = {
        name: _joined_columns(getattr(first, name), getattr(second, name))
        for name in ("model", "task", "item", "metric", "variant")
    }
    return ScoreTable(
        **merged,
        run=None if first.run is None and second.run is None else _joined_columns(_runs(first), _runs(second)),
        score=np.concatenate((first.score, second.score)),
        status=np.concatenate((first.status, second.status)),
        cluster=_joined_clusters(first, second),
        values=_joined_values(first, second),
        weight=_joined_weights(first, second),
        fingerprint=_joined_fingerprints(first, second),
        file_row=_both(first.file_row, second.file_row),
        percent=_joined_signs(first, second),
        row=np.concatenate((_rows(first), _rows(second) + start)),
        sources=first.sources + tuple(replace(source, first=source.first + start) for source in second.sources),
        notes=(*first.notes, *second.notes, *said),
    )


def _joined_fingerprints(first: ScoreTable, second: ScoreTable) -> NDArray[np.int64] | None:
    """What tells copies; rows of a side that has no copies are all different."""
    if first.fingerprint is None and second.fingerprint is None:
        return None
    sides = (np.arange(one.n_rows) if one.fingerprint is None else one.fingerprint for one in (first, second))
    return np.concatenate(tuple(sides))


def _metrics_apart(first: ScoreTable, second: ScoreTable) -> tuple[Note, ...]:
    """What to say of two sides with one metric each, of different names; an error where they are known to differ."""
    found = [used_texts(table.metric) for table in (first, second)]
    if any(len(texts) != 1 for texts in found) or found[0] == found[1] or [""] in found:
        return ()
    one, other = (texts[0] for texts in found)
    if {normal(one), normal(other)} <= set(METRICS) and normal(one) != normal(other):
        raise ScoresError(
            f"one side is scored by '{one}', the other by '{other}': their difference says nothing of the models; "
            f"score both by the same metric, or name both columns if they mean the same ({mapped({'score': one})})"
        )
    return (note("different-metrics", a=one, b=other),)


def _joined_values(first: ScoreTable, second: ScoreTable) -> dict[str, NDArray[np.float64]] | None:
    """The value columns that both have; a side without any has its score alone."""
    if first.values is None and second.values is None:
        return None
    one, other = ({"score": table.score} if table.values is None else table.values for table in (first, second))
    return {name: np.concatenate((one[name], other[name])) for name in one if name in other}


def _one_name(table: ScoreTable, other: ScoreTable) -> ScoreTable:
    """Two sides with one metric (or variant) each are of one metric, also where they call it by different names."""
    named: dict[str, Column] = {}
    for role in ("metric", "variant"):
        own, others = used_texts(getattr(table, role)), used_texts(getattr(other, role))
        if len(own) == len(others) == 1 and own != others:
            named[role] = Column.constant(" / ".join(sorted({*own, *others} - {""})), table.n_rows)
    return replace(table, metric=named.get("metric", table.metric), variant=named.get("variant", table.variant))


def used_texts(column: Column | None) -> list[str]:
    """The texts that stand in some row, sorted; none of a column that the data do not have."""
    return [] if column is None else [str(text) for text in column.labels[distinct(column.codes)]]


def _rows(table: ScoreTable) -> NDArray[np.int64]:
    return np.arange(table.n_rows) if table.row is None else table.row


def _both(first: NDArray[Any] | None, second: NDArray[Any] | None) -> NDArray[Any] | None:
    return None if first is None or second is None else np.concatenate((first, second))


def _joined_signs(first: ScoreTable, second: ScoreTable) -> NDArray[np.bool_] | None:
    if first.percent is None and second.percent is None:
        return None
    return np.concatenate([_signs(first), _signs(second)])


def _signs(table: ScoreTable) -> NDArray[np.bool_]:
    return np.zeros(table.n_rows, dtype=bool) if table.percent is None else table.percent


def _runs(table: ScoreTable) -> Column:
    """Run ids; running numbers within the item where a table has none."""
    if table.run is not None:
        return table.run
    units = unit_codes(table)
    key = combined(table.model.codes, units.codes, units.n_units)
    number = running_number(key)
    return Column.of(number.astype(np.int32), numbered_labels(int(number.max(initial=0)) + 1, start=1))


def _joined_columns(one: Column | None, other: Column | None) -> Column | None:
    """One column of two."""
    if one is None or other is None:
        return None
    if one.origin is not None and one.origin == other.origin:
        longer = max(one, other, key=lambda column: column.n_labels)
        return Column(np.concatenate((one.codes, other.codes)), longer.n_labels, lambda: longer.labels, one.origin)
    labels, of_one, of_other = _merged_labels(one.labels, other.labels)
    return Column.of(np.concatenate((of_one[one.codes], of_other[other.codes])), labels)


def _merged_labels(one: TextArray, other: TextArray) -> tuple[TextArray, CodeArray, CodeArray]:
    """All texts of both, sorted, and the new code of each old one."""
    texts = sorted({*one.tolist(), *other.tolist()})
    position = {text: code for code, text in enumerate(texts)}
    labels = np.empty(len(texts), dtype=object)
    labels[:] = texts
    of_one, of_other = (
        np.fromiter(map(position.__getitem__, old.tolist()), np.int32, len(old)) for old in (one, other)
    )
    return labels, of_one, of_other


def _joined_clusters(first: ScoreTable, second: ScoreTable) -> Column | None:
    if (first.cluster is None) != (second.cluster is None):
        lacking, n = ("first", first.n_rows) if first.cluster is None else ("second", second.n_rows)
        raise ScoresError(
            f"the {lacking} of the two has no clusters ({counted(n, 'row')}) and the other has; leave them out "
            "(--cluster none), or give both theirs (a column named cluster, or the one that --cluster names)"
        )
    return _joined_columns(first.cluster, second.cluster)


def _joined_weights(first: ScoreTable, second: ScoreTable) -> NDArray[np.float64] | None:
    if (first.weight is None) != (second.weight is None):
        raise ScoresError("only one of the two has item weights; name the weight column for both, or for neither")
    return _both(first.weight, second.weight)
