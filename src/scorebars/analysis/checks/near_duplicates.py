"""Ids that differ only in case, blanks, hyphens or leading zeros: one item, task or model under two names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.analysis.near_ids import plain, plain_text
from scorebars.engines.file_runs import crossed_files, files_as_runs, folders_as_runs, says_nothing, without_tail
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.analysis.checks.evidence import Evidence
    from scorebars.sample import Column, ScoreTable

ROLES: Final = ("model", "task", "cluster", "item")
SHORTEST: Final = 4
"""Letters of an id behind its last slash, at least; shorter ones agree by chance."""
_BY_NAME: Final = "the file's name ('"
"""How the reader of tables begins to say that a model is called by its file."""
_ONE: Final = {"model": "a model", "task": "a task", "cluster": "a cluster", "item": "an item"}
_WHAT: Final = {
    "model": "its results are split in two",
    "task": "models that have one do not pair with those that have the other, and means over tasks count it twice",
    "cluster": "it counts as two clusters",
    "item": "models that have one do not pair with those that have the other",
}


def near_duplicates(evidence: Evidence) -> Iterator[Finding]:
    """For each role, the ids that are nearly the same; grave where no model has both, for then they do not pair."""
    table = evidence.table
    if table is None:
        return
    for role in ROLES:
        column: Column | None = getattr(table, role)
        if column is not None and column.n_labels > 1:
            yield from _spellings(table, role, column)
            if role in ("task", "item"):
                yield from _prefixes(table, role, column)
    if not (files_as_runs(evidence.parts) or folders_as_runs(evidence.parts) or crossed_files(evidence.parts)):
        yield from _same_model_elsewhere(table.model, _by_folder(evidence))


def _spellings(table: ScoreTable, role: str, column: Column) -> Iterator[Finding]:
    """Ids that differ in case, blanks, hyphens or leading zeros."""
    groups = _used(alike(column.labels.tolist()), column)
    together = set() if role == "model" else _in_one_model(table, column, groups)
    apart = [group for place, group in enumerate(groups) if place not in together]
    for some, severity in ((apart, Severity.CHANGES), ([groups[place] for place in sorted(together)], Severity.KNOW)):
        if some:
            several = f"{len(some):,} {role}s have" if len(some) > 1 else f"{_ONE[role]} has"
            effect = _WHAT[role] if severity is Severity.CHANGES else "one model has both, so they may be two"
            yield Finding(
                f"near-duplicate-{role}s",
                severity,
                f"{several} several spellings that differ in case, blanks, hyphens or leading zeros"
                f"{_such(some, column)}: {effect}",
                f"if each is one {role}, spell it alike in all files",
                data=_data(some, column),
            )


def _prefixes(table: ScoreTable, role: str, column: Column) -> Iterator[Finding]:
    """Ids that differ in what stands before their last slash, where no model has both."""
    labels = [str(label) for label in column.labels.tolist()]
    if not any("/" in label for label in labels):
        return
    ends = [label.rpartition("/")[2] for label in labels]
    groups: dict[str, list[int]] = {}
    for place, end in enumerate(ends):
        if len(end) >= SHORTEST and not end.isdigit():
            groups.setdefault(end, []).append(place)
    several = _used([group for group in groups.values() if len(group) > 1], column)
    together = _in_one_model(table, column, several)
    apart = [group for place, group in enumerate(several) if place not in together]
    if apart:
        one = f"{len(apart):,} {role}s have" if len(apart) > 1 else f"{_ONE[role]} has"
        yield Finding(
            f"near-duplicate-{role}s",
            Severity.CHANGES,
            f"{one} several ids that differ only before the last slash{_such(apart, column)}: {_WHAT[role]}",
            f"if each is one {role}, give it one id in all files",
            data=_data(apart, column),
        )


def _such(groups: Sequence[Sequence[int]], column: Column) -> str:
    first = named([str(column.labels[code]) for code in groups[0]])
    return f", such as {first}" if len(groups) > 1 else f", {first}"


def _data(groups: Sequence[Sequence[int]], column: Column) -> dict[str, object]:
    return {"groups": [[str(column.labels[code]) for code in group] for group in groups[:100]]}


def _used(groups: Sequence[Sequence[int]], column: Column) -> list[list[int]]:
    """The groups without labels that no row has."""
    if not groups:
        return []
    used = np.zeros(column.n_labels, dtype=bool)
    used[column.codes] = True
    kept = [[code for code in group if used[code]] for group in groups]
    return [group for group in kept if len(group) > 1]


def alike(labels: Sequence[str]) -> list[list[int]]:
    """Groups of places whose texts are the same but for case, blanks, hyphens and leading zeros."""
    texts = plain(labels)
    if len(set(texts)) == len(labels):
        return []
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        groups.setdefault(text, []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _in_one_model(table: ScoreTable, column: Column, groups: Sequence[Sequence[int]]) -> set[int]:
    """The places of groups of which some model has more than one spelling."""
    if not groups:
        return set()
    group_of = np.full(column.n_labels, -1)
    for place, group in enumerate(groups):
        group_of[list(group)] = place
    rows = group_of[column.codes] >= 0
    code, model = column.codes[rows].astype(np.int64), table.model.codes[rows].astype(np.int64)
    pairs = np.unique(model * column.n_labels + code)
    model, code = np.divmod(pairs, column.n_labels)
    both, times = np.unique(model * len(groups) + group_of[code], return_counts=True)
    return {int(place) for place in both[times > 1] % len(groups)}


def _by_folder(evidence: Evidence) -> set[str]:
    """The models of which only the folder is the name: 'gpt/results', where that is the path of a file, and 'gpt'."""
    said = (where for part in evidence.parts for role, where in part.mapping if role == "model")
    names = {where[len(_BY_NAME) : -2] for where in said if where.startswith(_BY_NAME)}
    found = {name for name in names if says_nothing(name.rpartition("/")[2])}
    return found | set(without_tail(sorted(found))[0]) if found else found


def _same_model_elsewhere(column: Column, by_folder: set[str]) -> Iterator[Finding]:
    """Models whose names agree after their last slash: 'gpt-5' and 'openai/gpt-5'; joined names are left alone.

    So are those whose folders are their names.
    """
    names = [str(column.labels[code]) for code in np.unique(column.codes)]
    groups: dict[str, list[str]] = {}
    for name in names:
        if "+" not in name:
            groups.setdefault(plain_text(name.rpartition("/")[2]), []).append(name)
    alike = [group for group in groups.values() if len(group) > 1 and not set(group) <= by_folder]
    found = [group for group in alike if len({name.rpartition("/")[0] for name in group}) == len(group)]
    if found:
        more = f"{len(found) - 1:,} more groups" if len(found) > 2 else "another group"
        rest = f", and so do those of {more}" if len(found) > 1 else ""
        yield Finding(
            "same-model-name",
            Severity.KNOW,
            f"the models {named(found[0])} differ only in what stands before the slash{rest}",
            "if they are one model, read each file under one name (--label NAME=PATH)",
            data={"groups": found},
        )
