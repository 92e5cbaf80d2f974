"""The point of a learning curve that is its score. A curve has no one score, so nobody but the user can choose it.

* ``final``: each run's own last value;
* ``mean:K``: the mean of each run's last K values;
* ``step:X``: the value at step X, which is the last one logged at or before it. A run that stopped more than one
  logging interval (its own longest) before X never got there and has no value.

Points without a value (null, NaN, an empty cell) are left out before anything else.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ReadError, counted, either
from scorebars.notes import Note, note
from scorebars.readers.document import kind
from scorebars.readers.files import shown
from scorebars.readers.normalisation import on_one_scale
from scorebars.readers.records import Rows
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Part, ReadOptions
    from scorebars.sample import FloatArray

ALIKE: Final = 0.95
"""Runs whose last steps are within this share of each other end at the same step for all that matters."""
_MEAN: Final = 10
_RARE: Final = 0.25
"""Share of points without a value from which on a metric is logged more rarely than others, and has no gaps."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One run's values over its steps."""

    model: str
    run: str
    xs: FloatArray
    ys: FloatArray
    """NaN where a point has no value."""
    task: str | None = None
    metric: str | None = None
    variant: str | None = None
    item: str = ""
    until: float = math.nan
    """The last step at which the run logged anything, where that is known."""

    @property
    def name(self) -> str:
        """As messages name it."""
        roles = (("task", self.task), ("run", self.run), ("metric", self.metric))
        return ", ".join(f"{role} '{text}'" for role, text in roles if text)


@dataclass(frozen=True, slots=True)
class _Value:
    """A run's score, and the step that it was logged at; NaN and the reason where there is none."""

    score: float
    step: float = math.nan
    lacks: str = ""


def curve_part(
    head: FileHead,
    reader: str,
    curves: Sequence[Curve],
    options: ReadOptions,
    mapping: Mapping[str, str],
    *,
    unit: str = "step",
) -> Part:
    """The part that holds one score a curve, at the point that was asked for, on the scale that was asked for.

    Args:
        head: The file.
        reader: Its reader's name.
        curves: All curves of it.
        options: ``at`` and ``normalize`` decide.
        mapping: Where each role came from; the score's is added.
        unit: What the curves' x is: 'step', 'iteration'.

    Raises:
        NoScores: No point was asked for (what each choice would take is said), or no curve has a value there.
        ReadError: The steps of a curve go back.
    """
    if not curves:
        raise NoScores(f"{shown(head.path)} holds no learning curve; no scores are in it")
    kept = [_checked(curve, head, unit) for curve in curves]
    if options.at is None:
        raise NoScores(_choices(kept, head, unit))
    values = [_value(curve, options.at, unit) for curve in kept]
    rows = Rows()
    for curve, value in zip(kept, values, strict=True):
        rows.add(
            model=curve.model, task=curve.task, item=curve.item, run=curve.run, metric=curve.metric,
            variant=curve.variant, score=value.score,
        )  # fmt: skip
    _refuse_nothing(kept, values, head, options.at, unit)
    notes = (*_end_notes(kept, options.at, unit), *_lack_notes(kept, values), *_stale_notes(kept, values, unit))
    notes += tuple(_gap_notes(curves, values, options.at, unit))
    part = rows.part(head.path, reader, {**mapping, "point": _told(options.at, unit)}, notes=notes)
    return on_one_scale(part, options)


def numbers(values: object, where: str) -> FloatArray:
    """A JSON list of numbers as an array; null is NaN.

    Raises:
        ReadError: No list, or something else in it.
    """
    if not isinstance(values, list):
        raise ReadError(f"{where} is {kind(values)}, not a list of numbers")
    if set(map(type, values)) <= _NUMBERS:
        found = np.array(values, dtype=np.float64)
        if not np.isinf(found).any():
            return found
    place, value = next((place, value) for place, value in enumerate(values, start=1) if not _is_finite(value))
    what = kind(value) if type(value) not in _NUMBERS else "infinite"
    raise ReadError(f"{where}, value {place} is {what}, not a number")


_NUMBERS: Final = frozenset({int, float, type(None)})


def _is_finite(value: object) -> bool:
    """Whether a cell is a number or null; NaN is null."""
    return value is None or (type(value) in _NUMBERS and isinstance(value, int | float) and not math.isinf(value))


def _checked(curve: Curve, head: FileHead, unit: str) -> Curve:
    """The curve without the points that have no value."""
    back = np.flatnonzero(np.diff(curve.xs) < 0)
    if len(back):
        first, second = curve.xs[back[0]], curve.xs[back[0] + 1]
        raise ReadError(
            f"{shown(head.path)}: the {unit}s of {curve.name} go back from {_number(first)} to {_number(second)}, as "
            "those of a restarted run do; keep one of the two"
        )
    has = ~np.isnan(curve.ys)
    return replace(curve, xs=curve.xs[has], ys=curve.ys[has])


def _value(curve: Curve, at: str, unit: str) -> _Value:
    if not len(curve.ys):
        return _Value(math.nan, lacks="has no value at all")
    if at == "final":
        return _Value(float(curve.ys[-1]), float(curve.xs[-1]))
    how, _, amount = at.partition(":")
    return _mean_of_last(curve, int(amount)) if how == "mean" else _at_step(curve, float(amount), unit)


def _mean_of_last(curve: Curve, count: int) -> _Value:
    if len(curve.ys) < count:
        return _Value(math.nan, lacks=f"has {counted(len(curve.ys), 'value')}, not {count}")
    return _Value(float(curve.ys[-count:].mean()), float(curve.xs[-1]))


def _at_step(curve: Curve, step: float, unit: str) -> _Value:
    last = float(curve.xs[-1])
    longest = float(np.diff(curve.xs).max(initial=0.0))
    if last + longest < step:
        return _Value(math.nan, lacks=f"stops at {unit} {_number(last)}")
    place = int(np.searchsorted(curve.xs, step, side="right")) - 1
    if place < 0:
        return _Value(math.nan, lacks=f"begins at {unit} {_number(curve.xs[0])}")
    return _Value(float(curve.ys[place]), float(curve.xs[place]))


def _told(at: str, unit: str) -> str:
    how, _, amount = at.partition(":")
    if how == "step":
        return f"the last value at or before {unit} {_number(float(amount))}"
    return "each run's last value" if how == "final" else f"the mean of each run's last {amount} values"


def _ends(curves: Sequence[Curve]) -> list[float]:
    return [float(curve.xs[-1]) for curve in curves if len(curve.xs)]


def _choices(curves: Sequence[Curve], head: FileHead, unit: str) -> str:
    """The sentence for a curve without a point: what can be chosen, and what each would take."""
    ends = _ends(curves)
    path = shown(head.path)
    if not ends:
        return f"{path} holds learning curves without a single value"
    low, high = _number(min(ends)), _number(max(ends))
    where = f"{unit} {low}" if low == high else f"{unit}s {low} to {high}"
    shortest = min(len(curve.ys) for curve in curves if len(curve.ys))
    several = f"learning curves of {_counted(curves)}, which have" if len(curves) > 1 else "a learning curve, which has"
    mean = min(_MEAN, shortest)
    choices = [f"--at final (the last value of each run, at {where})"]
    if mean > 1:
        more = " or more" if len(curves) > 1 else ""
        choices.append(f"--at mean:{mean} (the mean of its last {mean} of {shortest:,}{more})")
    choices.append(f"--at step:{_bare(min(ends))} (the last {unit} that every run reached)")
    return f"{path} holds {several} no one score; choose the point: {either(choices)}"


def _counted(curves: Sequence[Curve]) -> str:
    """How many runs, and how many metrics where there are several."""
    runs = len({(curve.model, curve.task, curve.run, curve.item, curve.variant) for curve in curves})
    metrics = len({curve.metric for curve in curves})
    said = f"{runs:,} runs" if runs > 1 else "1 run"
    return said if metrics < 2 else f"{said} in {metrics} metrics"


def _refuse_nothing(curves: Sequence[Curve], values: Sequence[_Value], head: FileHead, at: str, unit: str) -> None:
    if any(not value.lacks for value in values):
        return
    ends = _ends(curves)
    last = f"; the last {unit} that every run reached is {_bare(min(ends))}" if ends else ""
    raise NoScores(
        f"{shown(head.path)}: no run has a value at '{at}': {curves[0].name or 'the run'} {values[0].lacks}{last}"
    )


def _by_metric(curves: Sequence[Curve]) -> dict[str | None, list[int]]:
    """Metric -> the places of its curves; a note on a metric that is not chosen concerns nobody."""
    places: dict[str | None, list[int]] = defaultdict(list)
    for place, curve in enumerate(curves):
        places[curve.metric].append(place)
    return places


def _of(metric: str | None) -> dict[str, object]:
    return {} if metric is None else {"metric": metric}


def _end_notes(curves: Sequence[Curve], at: str, unit: str) -> Iterator[Note]:
    """``curve-ends`` where runs of one metric stop early, and each is taken at its own end."""
    if at.startswith("step"):
        return
    for metric, places in _by_metric(curves).items():
        ends = _ends([curves[place] for place in places])
        if ends and 0 <= min(ends) < ALIKE * max(ends):
            yield note("curve-ends", unit=unit, low=min(ends), high=max(ends), **_of(metric))


def _lack_notes(curves: Sequence[Curve], values: Sequence[_Value]) -> Iterator[Note]:
    """``curve-without-value`` for runs that have none at the point."""
    for metric, places in _by_metric(curves).items():
        lacking = [f"{curves[place].name} ({values[place].lacks})" for place in places if values[place].lacks]
        if lacking:
            yield note("curve-without-value", n=len(lacking), example=lacking[0], **_of(metric))


def _gap_notes(curves: Sequence[Curve], values: Sequence[_Value], at: str, unit: str) -> Iterator[Note]:
    """``curve-gap`` where points without a value stand among those asked for, in curves that have few such points."""
    for metric, places in _by_metric(curves).items():
        gaps = [(curves[place], gap) for place in places if (gap := _gap(curves[place], values[place], at)) is not None]
        if gaps:
            curve, step = gaps[0]
            said = curve.name or f"run '{curve.run}'"
            yield note("curve-gap", n=len(gaps), unit=unit, example=f"{said} ({unit} {_number(step)})", **_of(metric))


def _gap(curve: Curve, value: _Value, at: str) -> float | None:
    """The step of the first point without a value among those asked for; None where there is none."""
    has = np.flatnonzero(~np.isnan(curve.ys))
    if value.lacks or not len(has) or len(curve.ys) - has[0] == len(has):
        return None
    n = len(curve.ys) - int(has[0])
    if n - len(has) > _RARE * n or (at == "final" and not math.isnan(curve.until)):
        return None
    how, _, amount = at.partition(":")
    end = len(curve.xs) if how != "step" else int(np.searchsorted(curve.xs, float(amount), side="right"))
    used = has[has < end]
    first = int(used[-int(amount) if how == "mean" else -1])
    empty = np.flatnonzero(np.isnan(curve.ys[first:end]))
    return float(curve.xs[first + int(empty[0])]) if len(empty) else None


def _stale_notes(curves: Sequence[Curve], values: Sequence[_Value], unit: str) -> Iterator[Note]:
    """``curve-stale`` where a run went on long after the value that counts, as with metrics that are logged rarely."""
    for curve, value in zip(curves, values, strict=True):
        last = float(curve.xs[-1]) if len(curve.xs) else math.nan
        if value.step == last and 0 <= last < ALIKE * curve.until:
            said = curve.name or f"run '{curve.run}'"
            yield note("curve-stale", name=said, unit=unit, step=last, until=curve.until, **_of(curve.metric))


def _number(step: float) -> str:
    return f"{step:,.10g}"


def _bare(step: float) -> str:
    return f"{step:.10g}"
