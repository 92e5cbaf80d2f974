"""What is remarked on an Inspect log: words read as numbers, runs that did not end, counts that disagree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import counted
from scorebars.notes import Note, note
from scorebars.readers.inspect_header import object_of, plain, results_of
from scorebars.readers.inspect_scores import MARKS, WORDS, MetricColumn
from scorebars.readers.totals import equal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorebars.readers.inspect_samples import RawLog

NEWEST: Final = 3
"""Of the versions of the log format that this reader was written for."""
_KEPT: Final = 1000
"""Characters of a text that a summary keeps."""
_SHOWN: Final = 40
"""Characters of a value that a note shows."""
_AVERAGES: Final = ("accuracy", "mean")
_MEANS: Final = (None, "mean", "mean_score")
"""Reducers of epochs whose averages are averages over all attempts of an item."""


def notes_on(log: RawLog, columns: Mapping[str, MetricColumn]) -> Iterator[Note]:
    """The notes on a log, from its usable metrics."""
    said = _converted(columns)
    if said:
        yield note("converted", detail=", ".join(said))
    if log.header.get("version", NEWEST) not in range(1, NEWEST + 1):
        said = log.header["version"]
        yield note("unknown-version", path=log.path.name, version=plain(said), newest=NEWEST, what="an Inspect log")
    if log.rewritten:
        copies = "1 older copy of a sample" if log.rewritten == 1 else f"{log.rewritten} older copies of samples"
        yield note("left-out", path=log.path.name, rows=copies, why="the log holds it again, and the last copy counts")
    yield from _partial(log)
    yield from _scored_errors(log, columns)
    yield from _invalidated(log)
    yield from _summaries(log)
    counts = list(_disagreement(log))
    yield from counts or _averages(log, columns)


def words_left_out(columns: Mapping[str, MetricColumn], unusable: Collection[str]) -> Iterator[Note]:
    """``left-out`` of each metric beside others whose values are words without numbers; all logs say it alike."""
    for name in unusable:
        why = columns[name].words_left_out if name in columns else ""
        if why:
            yield note("left-out", path=f"metric '{name}'", rows="its values", why=why, metric=name)


def _converted(columns: Mapping[str, MetricColumn]) -> list[str]:
    """Text values as numbers; all marks if there is any, so that logs say the same and it is printed once."""
    texts = {text for column in columns.values() for text in column.texts}
    given = {word: number for column in columns.values() for word, number in column.given.items() if word in texts}
    rest = texts - given.keys()
    shown = [f"{mark} as {number:g}" for mark, number in MARKS.items()] if rest & MARKS.keys() else []
    words = sorted({text.lower() for text in rest - MARKS.keys()} & WORDS.keys())
    said = [*shown, *(f"{word} as {WORDS[word]:g}" for word in words)]
    return [*said, *(f"{word} as {number:g}" for word, number in given.items())]


def unfinished(log: RawLog) -> str:
    """Why a log is not one of a whole run; '' where it is."""
    status = str(log.header.get("status", "success")) if log.complete else "started"
    return "" if status == "success" else f"the log's status is '{status}'"


def _partial(log: RawLog) -> Iterator[Note]:
    why = unfinished(log)
    if why:
        said = f"{log.path.name}: {why}, so the run is not complete"
        yield note("partial-log", detail=f"{said}: {counted(len(log.samples), 'sample')} so far")
    if all(attempt.failed for attempt in log.samples):
        yield note("partial-log", detail=f"{log.path.name}: {_every(len(log.samples))} ended in an error")


def _scored_errors(log: RawLog, columns: Mapping[str, MetricColumn]) -> Iterator[Note]:
    """Samples that ended in an error and were scored all the same, with the score either way."""
    failed = [attempt.failed for attempt in log.samples]
    for name, column in columns.items() if any(failed) else ():
        scored = [broke and not math.isnan(value) for broke, value in zip(failed, column.values, strict=True)]
        if any(scored):
            pairs = list(zip(scored, column.values, strict=True))
            yield note(
                "scored-errors",
                path=log.path.name,
                n=sum(scored),
                total=len(scored),
                metric=name,
                counted=_mean_over_items(log, column.values),
                dropped=_mean_over_items(log, [math.nan if is_error else value for is_error, value in pairs]),
                wrong=_mean_over_items(log, [0.0 if is_error else value for is_error, value in pairs]),
            )


def _summaries(log: RawLog) -> Iterator[Note]:
    """Scores of summaries.json that are not those of the samples, as in a log that was rewritten by hand."""
    attempts = {(attempt.item, attempt.run): attempt.values for attempt in log.samples}
    differing = [
        (key, odd)
        for key, values in log.summaries.items()
        if (odd := _odd(dict(attempts.get(key, values)), dict(values))) is not None
    ]
    if differing:
        (item, run), (metric, own, said) = differing[0]
        n = "1 sample" if len(differing) == 1 else f"{len(differing):,} samples"
        yield note(
            "header-disagrees",
            detail=f"{log.path.name}: summaries.json has other scores than the samples for {n} of {len(attempts):,}, "
            f"first sample '{item}', epoch {run}: '{metric}' is {said} there and {own} here; the samples are used",
        )


def _odd(own: dict[str, Any], said: dict[str, Any]) -> tuple[str, str, str] | None:
    """The first metric whose two values differ, with both as text; long texts are shortened in summaries."""
    for metric in sorted(own.keys() | said.keys()):
        one, other = _value_text(own.get(metric)), _value_text(said.get(metric))
        if one != other and not (len(other) >= _KEPT and one.startswith(other[:_KEPT])):
            return metric, one[:_SHOWN], other[:_SHOWN]
    return None


def _value_text(value: Any) -> str:
    """A score as JSON has it; what is not there is null; 1 and 1.0 are one number."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.9g}" if number else "none" if value is None else plain(value)


def _every(n: int) -> str:
    return "its only sample" if n == 1 else f"every one of the {n:,} samples"


def _invalidated(log: RawLog) -> Iterator[Note]:
    """Samples, or the log as a whole, that somebody marked invalid after the run."""
    marked = sum(attempt.invalidated for attempt in log.samples)
    if marked or log.header.get("invalidated") is True:
        what = (
            f"{marked} of {counted(len(log.samples), 'sample')} {'was' if marked == 1 else 'were'}"
            if marked
            else "the log was"
        )
        yield note(
            "partial-log",
            detail=f"{log.path.name}: {what} marked invalid after the run; their scores count here, as in Inspect, "
            "until they are run again (inspect eval-retry)",
        )


def _disagreement(log: RawLog) -> Iterator[Note]:
    """The header's count of samples against those that are kept."""
    total = object_of(log.header, "results").get("total_samples")
    source = "the header counts"
    if not isinstance(total, int) or total <= 0:
        total, source = _planned(log), "the run was to have"
    if total is not None and total != len(log.samples):
        yield note(
            "header-disagrees",
            detail=f"{log.path.name}: {source} {counted(total, 'sample')}, the log holds {len(log.samples)}; these "
            "are used",
        )


def _planned(log: RawLog) -> int | None:
    """Items × epochs, from the header's configuration."""
    block = object_of(log.header, "eval")
    ids = object_of(block, "dataset").get("sample_ids")
    epochs = object_of(block, "config").get("epochs") or 1
    return len(ids) * epochs if isinstance(ids, list) and isinstance(epochs, int) else None


def _averages(log: RawLog, columns: Mapping[str, MetricColumn]) -> Iterator[Note]:
    """The header's averages against those of the samples: logs that were edited by hand disagree with themselves."""
    said = []
    for score in results_of(log):
        name = next((name for name in _names(score) if name in columns), None)
        if name is None or score.get("reducer") not in _MEANS:
            continue
        own = _mean_over_items(log, columns[name].values)
        for metric in _AVERAGES:
            value = object_of(object_of(score, "metrics"), metric).get("value")
            if isinstance(value, int | float) and not _equal(value, own):
                said.append(f"{metric} of '{name}' is {value:.6g} in the header, and {own:.6g} by its samples")
    if said:
        yield note("header-disagrees", detail=f"{log.path.name}: {'; '.join(said)}; the samples are used")


def _equal(one: float, other: float) -> bool:
    return equal(one, other) or (math.isnan(one) and math.isnan(other))


def _names(score: dict[str, Any]) -> tuple[str, ...]:
    """What a score of the header may be called here: by itself, or by the key of its scorer's dict."""
    name, scorer = str(score.get("name")), str(score.get("scorer"))
    return (name, f"{scorer}.{name}") if name != scorer else (name,)


def _mean_over_items(log: RawLog, values: Sequence[float]) -> float:
    """As Inspect has it: epochs averaged within an item, then items; NaN where nothing was scored."""
    items: dict[str, list[float]] = {}
    for attempt, value in zip(log.samples, values, strict=True):
        if not math.isnan(value):
            items.setdefault(attempt.item, []).append(value)
    means = [math.fsum(runs) / len(runs) for runs in items.values()]
    return math.fsum(means) / len(means) if means else math.nan
