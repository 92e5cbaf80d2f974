"""Answers in words and rounded numbers: the pieces that the views of estimates and comparisons share."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from scorebars.notes import is_lost, n_files
from scorebars.outputs import numbers
from scorebars.outputs.view import Axis, Bar, Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorebars.notes import Note
    from scorebars.outputs.numbers import Scale
    from scorebars.results.answer import Answer

Told = tuple[str, str]
"""(which row, what is to be said of it)"""

MANY: Final = 3
"""More different sentences than this are merged, where numbers are all that differs."""
SKIPPED: Final = "skipped-file"
NUMBER: Final = re.compile(r"\S*[^\W\d]\S*|((?:(?<![^\s(\[±=])[-−])?\d+(?:,\d{3})*(?:\.\d+)?)")
"""A number with its sign, which is its group, or a word: the digits of 'gpt-4.1' or '2026-01-02' are no numbers."""

_ERROR: Final = re.compile(r"(?<=±)\d[\d.,]*")
DRAWN: Final = "monte-carlo"

REPLACED: Final = "*"
"""Marks an interval that stands in the place of one without width."""


def interval_cell(answer: Answer, scale: Scale) -> str:
    """'[55.0, 68.5]', '[92.9, 100.0]*' in place of one without width, '– (few-items)' where there is none."""
    shown = answer.shown
    text = scale.interval(shown.low, shown.high)
    if text == numbers.NO_NUMBER:
        return f"{text} ({answer.reason})"
    return f"{text}{REPLACED}" if answer.instead else text


def bar(answer: Answer) -> Bar:
    """The bar of the shown interval."""
    return Bar(answer.shown.low, answer.value, answer.shown.high)


def axis(bars: Sequence[Bar], scale: Scale, *, mark: float | None = None, also: Sequence[float] = ()) -> Axis | None:
    """An axis that holds all bars, the mark, and what else must be on it (one bar alone would fill its own axis)."""
    ends = [x for b in bars for x in (b.low, b.value, b.high) if math.isfinite(x)]
    if not ends:
        return None
    ends += [*also] if mark is None else [*also, mark]
    low, high = min(ends), max(ends)
    return Axis(low, high, scale.number(low), scale.number(high), mark)


def grouped(name: str, told: Sequence[Told]) -> list[Fact]:
    """One fact where all rows say the same, else one for each thing said, with its rows."""
    by_text: dict[str, list[str]] = {}
    for row, text in _merged(told):
        if text:
            by_text.setdefault(text, []).append(row)
    if len(by_text) == 1 and len(next(iter(by_text.values()))) == len(told):
        return [Fact(name, next(iter(by_text)))]
    return [Fact(name, text, tuple(rows)) for text, rows in by_text.items()]


def _merged(told: Sequence[Told]) -> list[Told]:
    """The same, with '70 to 75 items' for sentences that differ in their numbers alone, where those are many."""
    if len({text for _, text in told}) <= MANY:
        return list(told)
    alike: dict[str, list[str]] = {}
    for _, text in told:
        alike.setdefault(_skeleton(text), []).append(text)
    merged = {skeleton: _with_ranges(texts) for skeleton, texts in alike.items()}
    return [(row, merged[_skeleton(text)]) for row, text in told]


def _with_errors(told: Sequence[Told]) -> list[Told]:
    """The same, with '±0.1 to 0.2' for sentences that differ in the error of their bounds alone."""
    alike: dict[str, list[str]] = {}
    for _, text in told:
        alike.setdefault(_ERROR.sub("#", text), []).append(text)
    merged = {rest: _with_ranges(texts) for rest, texts in alike.items()}
    return [(row, merged[_ERROR.sub("#", text)]) for row, text in told]


def _skeleton(text: str) -> str:
    """A sentence without its numbers."""
    return NUMBER.sub(lambda found: "#" if found[1] else found[0], text)


def _with_ranges(texts: Sequence[str]) -> str:
    """One sentence of several that differ in their numbers alone."""
    columns = iter(zip(*(filter(None, NUMBER.findall(text)) for text in texts), strict=True))
    return NUMBER.sub(lambda found: _range_of(next(columns)) if found[1] else found[0], texts[0])


def _range_of(found: Sequence[str]) -> str:
    ordered = sorted(set(found), key=lambda text: float(text.replace(",", "").replace("−", "-")))
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"


def common_facts(answers: Sequence[tuple[str, Answer]], scales: Sequence[Scale], *, counts: bool) -> list[Fact]:
    """What every output prints: question, what was redrawn, what the numbers rest on, how they were got."""
    facts = grouped("question", [(row, a.question) for row, a in answers])
    facts += grouped("redrawn", [(row, a.redrawn) for row, a in answers])
    if counts:
        facts += grouped("rests on", [(row, rests_on(a)) for row, a in answers])
    facts += grouped("noise", [(row, noise(a)) for row, a in answers])
    facts += grouped("dropped", [(row, dropped(a)) for row, a in answers])
    facts += grouped("interval", [(row, method(a)) for row, a in answers])
    facts += grouped("instead", [(row, replaced(a, scale)) for (row, a), scale in zip(answers, scales, strict=True)])
    how = [(row, distribution(a, scale)) for (row, a), scale in zip(answers, scales, strict=True)]
    return facts + grouped("distribution", _with_errors(how))


def rests_on(answer: Answer) -> str:
    """'200 items, 3 runs each, weights 1 to 10, 20 clusters'; '150 and 200 items, …' of unrelated samples."""
    items = [side.items for side in answer.each] if answer.each else [answer.n_items]
    clusters = [side.clusters for side in answer.each] if answer.each else [answer.n_clusters]
    parts = [numbers.counts(items, "item"), f"{numbers.span(*answer.n_runs, 'run')} each"]
    if answer.weights is not None:
        parts.append(f"weights {answer.weights[0]:g} to {answer.weights[1]:g}")
    if None not in clusters:
        parts.append(numbers.counts([n for n in clusters if n is not None], "cluster"))
    if answer.n_tasks > 1:
        parts.append(numbers.count(answer.n_tasks, "task"))
    return ", ".join(parts)


def noise(answer: Answer) -> str:
    """'71 % of the variance from the choice of items, 29 % from their runs'; '' where it cannot be told."""
    if answer.variance_split is None or not sum(answer.variance_split) > 0.0:
        return ""
    items, runs = (numbers.share(part / sum(answer.variance_split)) for part in answer.variance_split)
    return f"{items} of the variance from the choice of items, {runs} from their runs"


def dropped(answer: Answer) -> str:
    """'nothing', or how many attempts do not count and why."""
    parts = [f"{numbers.count(n, 'attempt')} ({why})" for why, n in answer.dropped if n]
    return ", ".join(parts) or "nothing"


def method(answer: Answer) -> str:
    """'Blaker, 95 %', with the degrees of freedom where the method has them."""
    if not answer.interval:
        return f"none ({answer.reason})"
    side = {"two": "", "lower": ", lower bound", "upper": ", upper bound"}[answer.side.value]
    degrees = "" if answer.degrees is None else f", {numbers.degrees(answer.degrees)}"
    return f"{answer.interval}, {numbers.percent_text(answer.level)}{side}{degrees}"


def replaced(answer: Answer, scale: Scale) -> str:
    """Why ``instead`` is shown; '' where it is not, or where a note says it."""
    if answer.instead is None or any(note.code == "all-equal" for note in answer.notes):
        return ""
    own = scale.interval(answer.low, answer.high)
    return f"{answer.interval} gives {own}, which has no width; {answer.instead.method} is shown in its place"


def distribution(answer: Answer, scale: Scale) -> str:
    """How the bootstrap distribution was got, and that a seed was given for nothing."""
    text = _distribution(answer, scale)
    return f"{text}; {answer.idle_seed} changes nothing" if text and answer.idle_seed else text


def _distribution(answer: Answer, scale: Scale) -> str:
    how = answer.distribution.value
    if how == "none":
        return "none needed: the interval is a formula" if answer.interval else ""
    if how == DRAWN:
        seed = f", {answer.seed}" if answer.seed else ""
        error = (
            "" if math.isnan(answer.error) else f", Monte Carlo error of each bound about ±{scale.small(answer.error)}"
        )
        return f"Monte Carlo, {answer.n_boot or 0:,} resamples{seed}{error}"
    error = "" if how == "computed" else f", error of each bound at most {scale.small(answer.error)}"
    return f"computed, no random draws (n_boot = ∞){error}"


def note_facts(told: Iterable[tuple[str, Sequence[Note]]], *, n_rows: int, by_side: bool = False) -> tuple[Fact, ...]:
    """The notes of all rows, each once, with its rows; a row named '' stands for the whole table.

    ``by_side``: rows have two sides, and what is said of one of them is led by its model in the row's place.
    """
    rows: dict[tuple[str, str, bool], dict[str, None]] = {}
    for row, notes in told:
        for note in dict.fromkeys(notes):
            side = note.model if by_side else ""
            rows.setdefault((note.code, note.message, bool(side)), {})[side or row] = None
    return tuple(
        Fact(code, message, () if "" in where or (len(where) == n_rows and not sided) else tuple(where))
        for (code, message, sided), where in rows.items()
    )


def few_notes(notes: Sequence[Fact], n_rows: int) -> tuple[Fact, ...]:
    """The notes as people read them: many of one code become few, files that were passed over one line."""
    by_code: dict[str, list[Fact]] = {}
    for note in notes:
        by_code.setdefault(note.name, []).append(note)
    return tuple(fact for code, alike in by_code.items() for fact in _few(code, alike, n_rows))


def _few(code: str, notes: list[Fact], n_rows: int) -> list[Fact]:
    if code == SKIPPED and len(notes) > 1:
        lost = [said for said in notes if is_lost(said.text)][:MANY]  # these are said one by one
        rest = [said for said in notes if said not in lost]
        n = sum(n_files(said.text) for said in rest)
        return [*lost, Fact(code, f"{n:,} other files were skipped (--explain lists them)")] if len(rest) > 1 else notes
    if len(notes) <= (1 if code == DRAWN else MANY):
        return notes
    merged: dict[str, list[str]] = {}
    told = [(row, note.text) for note in notes for row in note.rows or ("",)]
    for row, text in _merged(_with_errors(told) if code == DRAWN else told):
        merged.setdefault(text, []).append(row)
    facts = [
        Fact(code, text, () if "" in rows or len(rows) == n_rows else tuple(dict.fromkeys(rows)))
        for text, rows in merged.items()
    ]
    if len(facts) <= MANY:
        return facts
    return [*facts[: MANY - 1], Fact(code, f"{len(facts) - MANY + 1:,} more like these (--format json lists all)")]


def answer_record(answer: Answer) -> dict[str, object]:
    """The answer in full precision, nested, for JSON and CSV."""
    instead = answer.instead
    score_range, split = answer.score_range, answer.variance_split
    return {
        "standard_error": answer.standard_error,
        "variance_split": split and {"items": split[0], "runs": split[1]},
        "n_items": answer.n_items,
        "n_runs": {"min": answer.n_runs[0], "max": answer.n_runs[1]},
        "n_clusters": answer.n_clusters,
        "weights": answer.weights and {"min": answer.weights[0], "max": answer.weights[1]},
        "n_tasks": answer.n_tasks,
        "n_attempts": answer.n_attempts,
        "estimator": answer.estimator,
        "resample": list(answer.resample),
        "interval": answer.interval,
        "degrees": answer.degrees,
        "distribution": answer.distribution.value,
        "step": answer.step,
        "n_boot": answer.n_boot,
        "error": answer.error,
        "seed": answer.seed,
        "question": answer.question,
        "redrawn": answer.redrawn,
        "score_range": score_range and {"low": score_range[0], "high": score_range[1]},
        "instead": instead and {"low": instead.low, "high": instead.high, "method": instead.method},
        "dropped": dict(answer.dropped),
        "missing": missing(answer),
        "notes": [{"code": n.code, "message": n.message, "data": n.data} for n in answer.notes],
    }


def bounds_record(answer: Answer) -> dict[str, object]:
    """Value and bounds, which come first in a record."""
    return {
        "value": answer.value,
        "low": answer.low,
        "high": answer.high,
        "level": answer.level,
        "side": answer.side.value,
    }


def missing(answer: Answer) -> dict[str, str]:
    """Which numbers do not exist, and why: a note's code, 'one-sided' or 'formula'."""
    why: dict[str, str] = {}
    for name, x in (("low", answer.low), ("high", answer.high)):
        if math.isnan(x):
            why[name] = answer.reason
        elif math.isinf(x):
            why[name] = "one-sided"
    if math.isnan(answer.value):
        why["value"] = answer.reason or "undefined"
    if math.isnan(answer.standard_error):
        why["standard_error"] = answer.reason or "undefined"
    if math.isnan(answer.error):
        why["error"] = "formula"
    return why
