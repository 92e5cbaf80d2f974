"""Items that sum up the others: one called 'average' whose score is the mean of the other items.

The check of ``doctor`` and the note of ``estimate`` and ``compare`` say what is found here. A name alone is no proof: a
question may be called 'total', so its score is held against those of the other items of its model. Where it is their
mean or sum in every model, by more than chance, it is no item at all: then these verbs refuse the table.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.repeated_ids import GLANCE, rows_that_sum_up, spelled_plainly, sums_up
from scorebars.errors import Remedy, ScoresError, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorebars.contracts import Part
    from scorebars.sample import Cuts, FloatArray, IntArray, Sample, TextArray

FEWEST: Final = 5
"""Other items beside which such a name is no item's."""
COMMON: Final = 0.2
"""A score that so many of the other items have says nothing: a wrong answer is 0, and so may the median be."""
CLOSE: Final = 1e-6
"""Relative rounding of numbers that were kept in four bytes."""
MOST_DIGITS: Final = 7
PROOF: Final = 0.05
"""How likely scores of items may be to hit the mean or sum of the others by chance, for the name to be proved."""

_STATISTICS: Final[Mapping[str, Callable[[FloatArray], float]]] = {
    "mean": lambda others: float(others.mean()),
    "sum": lambda others: float(others.sum()),
    "median": lambda others: float(np.median(others)),
    "standard deviation": lambda others: float(others.std(ddof=1)),
    "standard deviation of all": lambda others: float(others.std()),
    "standard error": lambda others: float(others.std(ddof=1) / np.sqrt(len(others))),
    "smallest": lambda others: float(others.min()),
    "largest": lambda others: float(others.max()),
    "number": lambda others: float(len(others)),
    "lower quartile": lambda others: float(np.quantile(others, 0.25)),
    "upper quartile": lambda others: float(np.quantile(others, 0.75)),
}
_DEVIATIONS: Final = ("standard deviation", "standard deviation of all")
_MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("average", "avg", "mean", "averages", "average_score", "mean_score", "accuracy"), ("mean",)),
    **dict.fromkeys(("pass_rate", "passrate", "success_rate", "percent_correct", "%_correct"), ("mean",)),
    **dict.fromkeys(("total", "overall", "aggregate", "summary", "all", "totals", "grand_total"), ("mean", "sum")),
    **dict.fromkeys(("total_score", "final_score"), ("mean", "sum")),
    "sum": ("sum",),
    "median": ("median",),
    "50%": ("median",),
    **dict.fromkeys(("std", "stddev", "stdev"), _DEVIATIONS),
    "stderr": ("standard error",),
    "min": ("smallest",),
    "max": ("largest",),
    "count": ("number",),
    "25%": ("lower quartile",),
    "75%": ("upper quartile",),
}
"""What each word may stand for. The words that are missing ('macro_avg') are no item's, whatever they average."""


@dataclass(frozen=True, slots=True)
class Summed:
    """What there is to say of items that sum up the others."""

    fact: str
    message: str
    """The same, and that they are counted."""
    remedy: str
    items: tuple[str, ...]
    proved: bool = False
    """Whether the score of one of them is the mean or the sum of the others in each model."""
    query: str = ""
    """What leaves them out of the only file; '' where no query is known to do it."""


@dataclass(slots=True)
class _Tally:
    """In how many models an item is each statistic of the others, of those where it could be told."""

    told: int = 0
    is_one: int = 0
    others: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    chance: float = 1.0
    """How likely scores of items would be the mean or sum of the others in every model where they could be told."""
    sums_all: bool = True

    @property
    def proved(self) -> bool:
        """Whether the score is the mean or the sum of the others in every model, and hardly by chance."""
        return self.sums_all and self.chance <= PROOF


def summed_up(slices: Sequence[Cuts], parts: tuple[Part, ...]) -> Summed | None:
    """The items that are the statistic of the others that they are called, in most models; None where there are none.

    Args:
        slices: the scores of each metric and variant.
        parts: the files.
    """
    tallies: dict[str, _Tally] = {}
    for cuts in slices:
        for label, scores in _named_scores(cuts, parts).items():
            tally = tallies.setdefault(label, _Tally())
            digits = max(_digits(value) for value, _ in scores)
            for value, others in scores:
                _count(tally, spelled_plainly(label), value, others, _rounding(value, digits))
                _weigh(tally, spelled_plainly(label), value, others, _rounding(value, digits))
    found = {label: tally for label, tally in tallies.items() if 2 * tally.is_one > tally.told}
    return _said(found, parts) if found else None


def _named_scores(cuts: Cuts, parts: tuple[Part, ...]) -> dict[str, list[tuple[float, FloatArray]]]:
    """Of each item with such a name: its score and those of the other items of its task, model by model."""
    tasks, _, texts = cuts.item_keys
    ids = {int(code): str(texts[code]) for code in np.flatnonzero(sums_up(texts.tolist()))}
    listed = {listing.model: rows for listing, rows in rows_that_sum_up(parts)}
    found: dict[str, list[tuple[float, FloatArray]]] = {}
    for cut in cuts.cuts:
        rows = listed.get(cut.sample.model, {})
        names = ids | (_of_rows(rows, tasks, texts) if rows else {})
        for code, value, others in _scores_of(cut.sample, np.array(list(names), np.int64)) if names else ():
            found.setdefault(names[code], []).append((value, others))
    return found


def _of_rows(rows: Mapping[tuple[str, str], str], tasks: TextArray, texts: TextArray) -> dict[int, str]:
    """Code -> name of the items that are rows with such a name; of a table without tasks, a row has none either."""
    named = {
        code: rows.get((str(tasks[code]), str(texts[code])), rows.get(("", str(texts[code]))))
        for code in np.flatnonzero(np.isin(texts, [place for _, place in rows])).tolist()
    }
    return {code: name for code, name in named.items() if name is not None}


def _scores_of(sample: Sample, codes: IntArray) -> Iterator[tuple[int, float, FloatArray]]:
    start = np.flatnonzero(np.diff(sample.item, prepend=-1))
    item, task = sample.item[start], sample.task[start]
    values = np.add.reduceat(sample.score, start) / np.diff(np.append(start, sample.n_attempts))
    named = np.isin(item, codes)
    for place in np.flatnonzero(named).tolist():
        others = values[~named & (task == task[place])]
        if len(others) < FEWEST:
            others = values[~named]
        if len(others) >= FEWEST:
            yield int(item[place]), float(values[place]), others


def _count(tally: _Tally, word: str, value: float, others: FloatArray, rounding: float) -> None:
    if np.mean(np.abs(others - value) <= CLOSE * max(1.0, abs(value))) > COMMON:
        return
    tally.told += 1
    tally.others = max(tally.others, len(others))
    kinds = _MEANT.get(word, ())
    kind = next((kind for kind in kinds if abs(_STATISTICS[kind](others) - value) <= rounding), None)
    if kind is not None:
        tally.kinds["standard deviation" if kind in _DEVIATIONS else kind] += 1
    tally.is_one += kind is not None or not kinds or _is_no_answer(value, others)


def _weigh(tally: _Tally, word: str, value: float, others: FloatArray, rounding: float) -> None:
    """Whether a score is the mean or sum of the others, and how many of the scores around it are so near to that."""
    kinds = set(_MEANT.get(word, ("mean",))) & {"mean", "sum"}
    if not any(abs(_STATISTICS[kind](others) - value) <= rounding for kind in kinds):
        tally.sums_all = False
    elif np.mean(np.abs(others - value) <= CLOSE * max(1.0, abs(value))) <= COMMON:
        step = max(2.0 * rounding, 10.0 ** -max(map(_digits, (value, *others[:GLANCE].tolist()))))
        between = bool(np.all(others == np.round(others))) and value != round(value)
        beyond = not others.min() <= value <= others.max()
        tally.chance *= 0.0 if between or beyond else step / max(float(np.ptp(others)), step)


def _is_no_answer(value: float, others: FloatArray) -> bool:
    """Whether all other items are right or wrong and this one is neither: the mean of some of them, or an old one."""
    return value not in (0.0, 1.0) and bool(np.all((others == 0.0) | (others == 1.0)))


def _digits(value: float) -> int:
    """Digits behind the point that a score was written with."""
    near = CLOSE / 10.0 * max(1.0, abs(value))
    return next((n for n in range(MOST_DIGITS) if abs(round(value, n) - value) <= near), MOST_DIGITS)


def _rounding(value: float, digits: int) -> float:
    """How far a statistic may be from a score that was written with so many digits; 3 is no rounded 2.7, 57 may be."""
    exact = CLOSE * max(1.0, abs(value))
    return exact if digits == 0 and abs(value) < 10.0 else 0.5 * 10.0**-digits + exact


def _said(found: Mapping[str, _Tally], parts: tuple[Part, ...]) -> Summed:
    from scorebars.analysis.checks.evidence import named
    from scorebars.analysis.joined_repeats import query_without

    items = tuple(found)
    kinds = dict.fromkeys(max(tally.kinds, key=tally.kinds.__getitem__) for tally in found.values() if tally.kinds)
    which = f" ({', '.join(kinds)})" if kinds else ", by name and score"
    n = max(tally.others for tally in found.values())
    query = query_without(parts, items) or ""
    option = f", or with {typed('--sql', query)}" if query else ""
    place = ("data", "file")[len(parts)] if len(parts) < 2 else "files"
    proved = any(tally.proved for tally in found.values())
    if len(items) > 1:
        fact, them = f"items {named(items)} sum up the other {n:,} items of their model{which}", "them"
        return Summed(
            fact, f"{fact} and are counted as well", f"leave {them} out of the {place}{option}", items, proved, query
        )
    fact = f"item '{items[0]}' sums up the other {n:,} items of its model{which}"
    return Summed(fact, f"{fact} and is counted as well", f"leave it out of the {place}{option}", items, proved, query)


def refusal(found: Summed, parts: tuple[Part, ...]) -> ScoresError:
    """The error that items are no items, with the command that leaves them out where one is known."""
    if not found.query:
        return ScoresError(f"{found.fact}, in every model, and would be counted as well: {found.remedy}")
    them = "them" if len(found.items) > 1 else "it"
    error = ScoresError(f"{found.fact}, in every model, and would be counted as well: leave {them} out")
    error.add_note(Remedy(f"without {them}:", str(parts[0].path), {"--sql": found.query}))
    return error
