"""The effect of A against B, with its interval and its verdict in words."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Reading
from scorebars.outputs import numbers
from scorebars.outputs.view import Column, Fact, Grid, Row, View
from scorebars.results import describe
from scorebars.results import effect_words as words
from scorebars.results.answered import Answered
from scorebars.results.later import NOT_THERE, Later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.notes import Note
    from scorebars.outputs.numbers import Scale
    from scorebars.results.answer import Answer


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Answered):
    """The effect of A against B, with its interval."""

    a: str
    b: str
    answer: Answer
    effect: str
    value_a: float
    value_b: float
    paired: bool
    n_shared: int
    """Items that both sides have."""
    n_dropped: tuple[int, int]
    """Items that only A, only B has."""
    p_value: float
    """From the interval's own family; NaN where the family has none."""
    metric: str | None = None
    group: tuple[tuple[str, str], ...] = ()
    reading: Reading = Reading.DIFFERENCE
    """How the effect is put into words."""
    test: str = ""
    """The test that the p-value comes from, where one was asked for."""
    decision: str = ""
    """What the effect's paper concludes from the bounds; '' where it has no rule."""
    decision_rule: str = ""
    """What the best of its conclusions takes."""
    side_range: tuple[float, float] | None = None
    """Range of the values of A and B, where it is known."""
    null: float = 0.0
    """The effect's value where A and B are alike."""
    unpaired: Later = NOT_THERE
    """Makes ``unpaired_width``, which may take longer than all the rest."""
    disagreements: Sequence[tuple[str, str, float, float]] = ()
    """(task, item, score of A, score of B) of the items on which the sides differ."""

    @property
    def unpaired_width(self) -> float:
        """Width of the interval had the pairing been thrown away: what pairing bought. NaN where it cannot be made."""
        return self.unpaired.number

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks on this comparison."""
        return self.answer.notes

    @property
    def significant(self) -> bool:
        """Whether the shown interval excludes the effect's null value; a bound at it, or NaN: False."""
        shown = self.answer.shown
        if math.isnan(shown.low) or math.isnan(shown.high):
            return False
        return bool(shown.low > self.null or shown.high < self.null)

    def view(self, *, items: bool = False) -> View:
        """Everything that an output prints; with ``items`` also the items on which the sides disagree."""
        scale = words.effect_scale(self)
        bar = describe.bar(self.answer)
        every_note = describe.note_facts([("", self.answer.notes)], n_rows=1, by_side=True)
        return View(
            kind="comparison",
            headline=_verdict(self, scale),
            table=_table(self, scale),
            axis=describe.axis([bar], scale, mark=self.null),
            facts=(*_facts(self, scale), *(_items_facts(self) if items else ())),
            notes=describe.few_notes(every_note, 1),
            every_note=every_note,
            items=_items(self, words.side_scale(self, scale)) if items else None,
            item_records=_item_records(self) if items else (),
            records=(self.record,),
        )

    @property
    def record(self) -> dict[str, object]:
        """The comparison in full precision, nested."""
        answer = self.answer
        each = [side.items for side in answer.each] if answer.each else [answer.n_items] * 2
        return {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            "group": dict(self.group),
            "effect": self.effect,
            **describe.bounds_record(self.answer),
            "value_a": self.value_a,
            "value_b": self.value_b,
            "significant": self.significant,
            "p_value": self.p_value,
            "test": self.test,
            "decision": self.decision,
            "paired": self.paired,
            "n_shared": self.n_shared,
            "n_compared": {"a": each[0], "b": each[1]},
            "n_dropped": {"a": self.n_dropped[0], "b": self.n_dropped[1]},
            "unpaired_width": self.unpaired_width,
            **describe.answer_record(self.answer),
        }


def _verdict(comparison: Comparison, scale: Scale) -> str:
    """The first line: how much, how sure, and whether the sides were paired."""
    sentence = f"{words.sentence(comparison, scale)}{_how_sure(comparison, scale)}"
    if comparison.n_shared == 0:
        return f"nothing shared, compared as unrelated samples: {sentence}"
    shared = numbers.count(comparison.n_shared, "shared item")
    return f"{sentence} ({'paired on' if comparison.paired else 'unpaired, over'} {shared})"


def _how_sure(comparison: Comparison, scale: Scale) -> str:
    answer = comparison.answer
    low, high = answer.shown.low, answer.shown.high
    if math.isnan(low) or math.isnan(high):
        return f": no interval ({answer.reason}), so chance cannot be ruled out"
    level = numbers.percent_text(answer.level)
    if math.isinf(low):
        bounds = f"{level} upper bound {scale.number(high)}"
    elif math.isinf(high):
        bounds = f"{level} lower bound {scale.number(low)}"
    else:
        bounds = f"{level} interval {scale.number(low)} to {scale.number(high)}"
    return f", {bounds}: {words.verdict(comparison)}"


def _table(comparison: Comparison, scale: Scale) -> Grid:
    answer = comparison.answer
    sides = words.side_scale(comparison, scale)
    heading = f"{answer.estimator}, {sides.unit}" if sides.unit else answer.estimator
    columns = (
        Column(""),
        Column(heading, numeric=True),
        Column(f"{numbers.percent_text(answer.level)} interval", numeric=True),
    )
    value = scale.number(answer.value, signed=words.is_signed(comparison))
    effect = (words.heading(comparison, scale), value, describe.interval_cell(answer, scale))
    return Grid(
        columns,
        (
            Row((comparison.a, sides.number(comparison.value_a), "")),
            Row((comparison.b, sides.number(comparison.value_b), "")),
            Row(effect, describe.bar(answer)),
        ),
    )


def _facts(comparison: Comparison, scale: Scale) -> tuple[Fact, ...]:
    facts = [Fact("metric", comparison.metric)] if comparison.metric else []
    facts += [Fact(key, text) for key, text in comparison.group]
    facts.append(Fact("pairing", _pairing(comparison, scale)))
    facts += describe.common_facts([("", comparison.answer)], [scale], counts=True)
    if not math.isnan(comparison.p_value):
        told = [comparison.test] if comparison.test else []
        told += ["two-sided"] if math.isinf(comparison.answer.low) or math.isinf(comparison.answer.high) else []
        source = f" ({', '.join(told)})" if told else ""
        facts.append(Fact("p-value", numbers.p_value(comparison.p_value) + source))
    if comparison.decision:
        facts.append(Fact("decision", f"{comparison.a}: {comparison.decision} (needs: {comparison.decision_rule})"))
    return tuple(facts)


def _pairing(comparison: Comparison, scale: Scale) -> str:
    if comparison.n_shared == 0:
        return "none: no item is shared"
    only_a, only_b = (numbers.count(n, "item") for n in comparison.n_dropped)
    by = "row by row" if any(note.code == "rows-as-items" for note in comparison.answer.notes) else "by item"
    text = f"{by if comparison.paired else 'none'}: {numbers.count(comparison.n_shared, 'item')} shared, "
    if any(comparison.n_dropped):
        text += f"dropped {only_a} that only {comparison.a} has and {only_b} that only {comparison.b} has"
    else:
        text += "none dropped"
    shown = comparison.answer.shown
    # A one-sided interval has no width to speak of.
    if not comparison.paired or not all(map(math.isfinite, (comparison.unpaired_width, shown.low, shown.high))):
        return text
    width = scale.small(shown.high - shown.low)
    return f"{text}; the interval is {width} wide, unpaired it would be {scale.small(comparison.unpaired_width)}"


def _items_facts(comparison: Comparison) -> tuple[Fact, ...]:
    """How many of the items on which the sides differ go to each."""
    higher = sum(a > b for _, _, a, b in comparison.disagreements)
    lower = sum(a < b for _, _, a, b in comparison.disagreements)
    scores = {x for *_, a, b in comparison.disagreements for x in (a, b)}
    word = "alone right" if scores <= {0.0, 1.0} else "higher"
    on_a, on_b = numbers.count(higher, "item"), numbers.count(lower, "item")
    return (Fact("items", f"{comparison.a} {word} on {on_a}, {comparison.b} on {on_b}"),)


def _items(comparison: Comparison, scale: Scale) -> Grid:
    """The items on which the sides differ; a column of tasks where there are tasks."""
    rows = [(task, item, scale.number(a), scale.number(b)) for task, item, a, b in _in_order(comparison)]
    columns = (Column("task"), Column("item"), Column(comparison.a, numeric=True), Column(comparison.b, numeric=True))
    first = 0 if any(task for task, *_ in rows) else 1
    return Grid(columns[first:], tuple(Row(row[first:]) for row in rows))


def _item_records(comparison: Comparison) -> tuple[dict[str, object], ...]:
    return tuple({"task": task, "item": item, "a": a, "b": b} for task, item, a, b in _in_order(comparison))


def _in_order(comparison: Comparison) -> list[tuple[str, str, float, float]]:
    """The items by task and name, q9 before q10."""
    return sorted(comparison.disagreements, key=lambda row: (_natural(row[0]), _natural(row[1])))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """A key that orders the numbers within names by their size."""
    parts = re.split(r"([0-9]+)", name)
    return [(place % 2 == 0, int(part) if place % 2 else 0, part) for place, part in enumerate(parts)]
