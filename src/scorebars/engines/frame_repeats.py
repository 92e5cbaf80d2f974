"""Rows of a frame that repeat their attempt, and an unknown column that tells them apart; scores that are answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.coding import combined
from scorebars.engines.frame_cells import APART, Cells, is_few, keys_of, repeat, shown_values, ways_of
from scorebars.engines.headers import METRICS
from scorebars.engines.telling import tells, together
from scorebars.engines.training import in_strides, names_epoch
from scorebars.engines.unknown_headers import Kind, kind_of, may_tell, names_item, names_run, predicted_among
from scorebars.errors import ScoresError, either
from scorebars.sample import Column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.sample import IntArray, ScoreTable

ROWS: Final = 200_000
"""Rows that say what tells attempts apart; of more, those of some attempts."""
COLUMNS: Final = 10
"""Columns that are looked at."""


def refuse_told_apart(
    unknown: Sequence[str], mapping: Mapping[str, tuple[str, ...]], table: ScoreTable, cells: Cells
) -> None:
    """Raise a ScoresError where rows repeat their attempt and an unknown column tells them apart."""
    trained = [name for name in unknown if names_epoch(name) and _in_strides(cells.of(name))]
    names = [name for name in unknown if may_tell(name) or name in trained]
    if not names:
        return
    keys = keys_of(table, ("item", *APART))
    if not repeat(keys):
        return
    attempts = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    rows = None
    if table.n_rows > ROWS:
        rows = np.flatnonzero(attempts % (1 + table.n_rows // ROWS) == 0)
        attempts = np.unique(attempts[rows], return_inverse=True)[1].astype(np.int64)
    runs = [] if "run" in mapping else [name for name in unknown if names_run(name) and name not in trained]
    run = next((name for name in runs if is_few(name, cells)), "")
    beside = cells.of(run, rows) if run else None
    if beside is not None:
        attempts = combined(attempts, beside.codes, beside.n_labels)
        attempts = np.unique(attempts, return_inverse=True)[1].astype(np.int64)
    items = table.item.codes if rows is None else table.item.codes[rows]
    models = (table.model.codes if rows is None else table.model.codes[rows]).astype(np.int64)
    n_items = len(np.unique(items))
    maybe = {name: column for name in names if is_few(name, cells) and (column := cells.of(name, rows)) is not None}
    few = [_Few(name, column, _within_models(column, models)) for name, column in list(maybe.items())[:COLUMNS]]
    found = []
    for each in few:
        one = _counted(attempts, each.alike, n_items)
        kind = _kind(each.name, each.column, one)
        if tells(one, known=bool(kind)):
            found.append((_order(each, kind, apart=one["most"] == 1), each, kind))
    if all(order[0] for order, *_ in found):
        for some in together([each.name for each in few]):
            _refuse_together([each for each in few if each.name in some], attempts, n_items, run, mapping)
    if found:
        order, each, kind = min(found, key=lambda one: one[0])
        raise _told_apart(each, kind, run, mapping, apart=not order[0])


@dataclass(frozen=True, slots=True, eq=False)
class _Few:
    """A column of few values."""

    name: str
    column: Column
    ranked: Column | None
    """The places of values that belong to one model each, as versions do."""

    @property
    def alike(self) -> Column:
        """What is the same of all models."""
        return self.ranked or self.column


def _order(each: _Few, kind: Kind, *, apart: bool) -> tuple[bool, bool, bool, int]:
    return not apart, kind != "metric", not kind, each.alike.n_labels


def _refuse_together(
    some: Sequence[_Few], attempts: IntArray, n_items: int, run: str, mapping: Mapping[str, tuple[str, ...]]
) -> None:
    """Raise a ScoresError where columns tell rows of an attempt apart together, of which none does alone."""
    values = combined(some[0].alike.codes.astype(np.int64), some[1].alike.codes, some[1].alike.n_labels)
    for each in some[2:]:
        values = combined(values, each.alike.codes, each.alike.n_labels)
    labels, codes = np.unique(values, return_inverse=True)
    one = _counted(attempts, Column.of(codes.astype(np.int32), labels.astype(object)), n_items)
    kinds = [_kind(each.name, each.column, one) for each in some]
    if (one["most"] > 1 and one["evenly"]) or not tells(one, known=all(kinds)):
        return
    each, kind = min(zip(some, kinds, strict=True), key=lambda pair: _order(*pair, apart=False))
    others = [other.name for other in some if other is not each]
    raise _told_apart(each, kind, run, mapping, apart=False, others=others)


def _in_strides(column: Column | None) -> bool:
    return column is not None and in_strides(column.labels.tolist())


def _within_models(column: Column, models: IntArray) -> Column | None:
    """The places of values among those of their model, where each stands beside one and models have several."""
    pairs = np.unique(np.stack([models, column.codes]), axis=1)
    _, first, n_values = np.unique(pairs[0], return_index=True, return_counts=True)
    if not 1 < len(first) < pairs.shape[1] or len(np.unique(pairs[1])) < pairs.shape[1]:
        return None
    place = np.zeros(column.n_labels, np.int64)
    place[pairs[1]] = np.arange(pairs.shape[1]) - np.repeat(first, n_values)
    return Column.of(place[column.codes].astype(np.int32), np.array(list(map(str, range(n_values.max()))), object))


def _counted(attempts: IntArray, column: Column, items: int) -> dict[str, float]:
    """How the values of a column stand in attempts: what :func:`scorebars.engines.telling.tells` asks for."""
    values, n_values = np.unique(column.codes, return_inverse=True)[1].astype(np.int64), column.n_labels
    pairs, times = np.unique(attempts * n_values + values, return_counts=True)
    rows = np.bincount(attempts).astype(np.float64)
    seen = np.bincount(values).astype(np.float64)
    return {
        "attempts": float(len(rows)),
        "pairs": float(np.sum(rows * (rows - 1) / 2)),
        "n_pairs": float(len(pairs)),
        "same": float(np.sum(times * (times - 1) / 2)),
        "evenly": float(times.max() == times.min()),
        "most": float(times.max()),
        "n_values": float(n_values),
        "common": float(np.bincount(pairs % n_values).max()),
        "alike": float(np.sum(seen**2) / np.sum(seen) ** 2),
        "items": float(items),
    }


def _kind(name: str, column: Column, one: Mapping[str, float]) -> Kind:
    if names_item(name) and one["n_values"] >= max(one["items"], 3):
        return "item"
    texts = (str(label).lower().replace("-", "_").replace(" ", "_") for label in column.labels)
    return "metric" if all(text in METRICS or text == "exact_match" for text in texts) else kind_of(name)


def _told_apart(
    each: _Few,
    kind: Kind,
    run: str,
    mapping: Mapping[str, tuple[str, ...]],
    *,
    apart: bool,
    others: Sequence[str] = (),
) -> ScoresError:
    named = {"run": run} if run else {}
    nested = each.ranked is not None and kind != "item"
    ways = ways_of(each.name, kind, each.column, mapping, named, apart=apart, nested=nested)
    names = [*others, *named.values()]
    beside = f" beside {' and '.join(map(repr, names))}" if names else ""
    tell = f"tells them apart{beside}" if apart or others else "takes the same values in each"
    what = "item and run" if "run" in mapping else "item"
    shown = shown_values(each.column)
    return ScoresError(f"rows repeat their {what}, and '{each.name}' ({shown}) {tell}: it is {either(ways)}")


def refuse_right_answers(score: str, unknown: Sequence[str], cells: Cells) -> None:
    """Raise a ScoresError where the score may be the right answer: what was predicted holds the same words."""
    for name in predicted_among(unknown):
        gold, said = cells.first(score), cells.first(name)
        if gold is None or said is None or gold.n_labels < 2:
            continue
        words = [{str(label).strip().lower() for label in column.labels} for column in (gold, said)]
        if words[0] == words[1]:
            raise ScoresError(
                f"'{score}' and '{name}' hold the same words ({shown_values(gold)}): '{score}' is the right answer to "
                f"what '{name}' predicts (add a column that is 1 where the two are equal, and name it as the score), "
                f"or says whether that was right (score={score!r})"
            )
