"""What is wrong with a score table, before anyone believes a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from scorebars.outputs import numbers
from scorebars.outputs.view import Advice, Column, Fact, Grid, Row, View
from scorebars.results.printed import Printed

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_ROWS: Final = 24
"""Models or metrics that the table lists; the rest is counted."""
MOST_ALIKE: Final = 3
"""Findings of one code that are printed; JSON holds all."""
MOST_FILES: Final = 12
"""The same of files that cannot be read, each for a reason of its own."""
MOST_NAMES: Final = 6


class Severity(Enum):
    """What a finding means for a conclusion."""

    CHANGES = "would change a conclusion"
    KNOW = "worth knowing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found."""

    code: str
    """The stable name, with its paragraph in the docs."""
    severity: Severity
    message: str
    """One sentence with the numbers."""
    remedy: str
    """One sentence: what to do, with the option to type where there is one."""
    where: tuple[str, ...] = ()
    """The metrics and variants that it concerns; empty where it concerns all."""
    data: dict[str, object] = field(default_factory=dict, compare=False, hash=False)
    """The values behind the sentence, for programs."""

    @property
    def record(self) -> dict[str, object]:
        """The finding, flat."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "changes_a_conclusion": self.severity is Severity.CHANGES,
            "message": self.message,
            "remedy": self.remedy,
            "where": list(self.where),
            "data": self.data,
        }


@dataclass(frozen=True, slots=True)
class Holding:
    """What the table holds of one model in one metric and variant."""

    model: str
    metric: str
    variant: str
    n_tasks: int
    n_items: int
    n_runs: tuple[int, int]
    n_attempts: int
    """With a score."""
    n_missing: int
    """Without one."""
    value: float
    """The mean: of an item's runs, of a task's items, of the tasks."""
    score_range: tuple[float, float] | None

    @property
    def slice(self) -> str:
        """Metric and variant in one text."""
        return " / ".join(text for text in (self.metric, self.variant) if text)


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(Printed):
    """The findings of all checks, the gravest first, with what the table holds and what can be done with it."""

    findings: tuple[Finding, ...]
    holdings: tuple[Holding, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """(path, reader) of each file that was read."""
    tasks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    """What fits the table, ready to type."""

    @property
    def changes_a_conclusion(self) -> bool:
        """Whether any finding would change a conclusion."""
        return any(finding.severity is Severity.CHANGES for finding in self.findings)

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        said = {(finding.severity, finding.code, finding.message) for finding in self.findings}
        grave = sum(severity is Severity.CHANGES for severity, *_ in said)
        light = len(said) - grave
        if not grave:
            rest = f"; {_things(light)} worth knowing" if light else ""
            return f"nothing found that would change a conclusion{rest}"
        rest = f"; {_things(light, 'more ')} worth knowing" if light else ""
        return f"{_things(grave)} found that would change a conclusion{rest}"

    def view(self) -> View:
        """Everything that an output prints."""
        return View(
            kind="diagnosis",
            headline=self.headline,
            table=_table(self.holdings),
            axis=None,
            facts=tuple(self._facts()),
            advice=tuple(_advice(self.findings)),
            commands=self.commands,
            records=tuple(finding.record for finding in self.findings),
            extra={
                "changes_a_conclusion": self.changes_a_conclusion,
                "files": [{"path": path, "reader": reader} for path, reader in self.files],
                "holds": [_holding_record(one) for one in self.holdings],
                "commands": list(self.commands),
            },
        )

    def _facts(self) -> Iterable[Fact]:
        if self.files:
            readers = sorted({reader for _, reader in self.files})
            yield Fact("files", f"{numbers.count(len(self.files), 'file')}, read as {', '.join(readers)}")
        models = tuple(dict.fromkeys(one.model for one in self.holdings))
        for word, names in (
            ("model", models),
            ("task", self.tasks),
            ("metric", self.metrics),
            ("variant", self.variants),
        ):
            if names:
                yield Fact(f"{word}s", f"{len(names):,}: {_listed(names)}")
        if self.holdings:
            yield Fact("attempts", _attempts(self.holdings))


def _things(n: int, more: str = "") -> str:
    return f"{n} {more}thing" if n == 1 else f"{n} {more}things"


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _attempts(holdings: tuple[Holding, ...]) -> str:
    scored, missing = (sum(getattr(one, name) for one in holdings) for name in ("n_attempts", "n_missing"))
    low, high = min(one.n_runs[0] for one in holdings), max(one.n_runs[1] for one in holdings)
    rest = f", {missing:,} without a score" if missing else ""
    return f"{scored + missing:,}{rest}; {numbers.span(low, high, 'run')} an item"


def _table(holdings: tuple[Holding, ...]) -> Grid:
    """One row a model where there is one metric and variant, else one row for each of these."""
    slices: dict[str, list[Holding]] = {}
    for one in holdings:
        slices.setdefault(one.slice, []).append(one)
    if len(slices) > 1:
        rows = [_slice_row(name, alike) for name, alike in slices.items()]
        heads = [("metric", False), ("models", True), ("items", True), ("attempts", True), ("no score", True)]
        heads.append(("means", True))
    else:
        rows = [_model_row(one) for one in holdings]
        heads = [("model", False), ("tasks", True), ("items", True), ("runs", True), ("attempts", True)]
        heads += [("no score", True), ("mean", True)]
    shown = [Row(cells) for cells in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        shown.append(Row((f"and {len(rows) - MOST_ROWS:,} more", *[""] * (len(heads) - 1))))
    return Grid(tuple(Column(heading, numeric) for heading, numeric in heads), tuple(shown))


def _model_row(one: Holding) -> tuple[str, ...]:
    runs = "–".join(f"{n:,}" for n in dict.fromkeys(one.n_runs))
    counts = (f"{one.n_tasks:,}", f"{one.n_items:,}", runs, f"{one.n_attempts:,}", f"{one.n_missing:,}")
    return (one.model, *counts, mean_text(one.value, one.score_range))


def _slice_row(name: str, alike: list[Holding]) -> tuple[str, ...]:
    items = [one.n_items for one in alike]
    span = f"{min(items):,}" if min(items) == max(items) else f"{min(items):,}–{max(items):,}"
    counts = [sum(getattr(one, each) for one in alike) for each in ("n_attempts", "n_missing")]
    ends = [f(alike, key=lambda one: one.value) for f in (min, max)]
    means = dict.fromkeys(mean_text(one.value, one.score_range) for one in ends)
    return (name or "(no name)", f"{len(alike):,}", span, *(f"{n:,}" for n in counts), " to ".join(means))


def mean_text(value: float, score_range: tuple[float, float] | None) -> str:
    """A mean as text, in percent where the scores are fractions."""
    scale = numbers.choose_scale([], percent=numbers.is_fraction(score_range))
    return scale.number(value) + (" %" if scale.percent else "")


def _advice(findings: tuple[Finding, ...]) -> Iterable[Advice]:
    """The findings as people read them: those that say the same of several metrics are one, many alike are cut."""
    merged: dict[tuple[str, str, str, str], list[str]] = {}
    for one in findings:
        merged.setdefault((one.severity.value, one.code, one.message, one.remedy), []).extend(one.where)
    shown: dict[tuple[str, str], int] = {}
    for (severity, code, message, remedy), where in merged.items():
        key = (severity, code)
        shown[key] = shown.get(key, 0) + 1
        most = MOST_FILES if code == "unread" else MOST_ALIKE
        if shown[key] <= most:
            yield Advice(severity, code, message, remedy, tuple(dict.fromkeys(where)))
            continue
        if shown[key] == most + 1:
            n = sum(other[:2] == key for other in merged) - most
            yield Advice(severity, code, f"{n:,} more like these", "see them all with --format json", ())


def _holding_record(one: Holding) -> dict[str, object]:
    return {
        "model": one.model,
        "metric": one.metric or None,
        "variant": one.variant or None,
        "n_tasks": one.n_tasks,
        "n_items": one.n_items,
        "n_runs": {"min": one.n_runs[0], "max": one.n_runs[1]},
        "n_attempts": one.n_attempts,
        "n_missing": one.n_missing,
        "mean": one.value,
    }
