"""MTEB results: ``<model>/<revision>/<task>.json``, one main score a task, split and subset; no score of one text.

There is nothing to redraw within a task but its experiments (classification tasks train on ten bootstraps of the
training set, and test on one test set), so that an interval over MTEB redraws tasks or subsets: what would the mean be
on other tasks of this kind?
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.errors import ReadError, near_miss, typed
from scorebars.notes import note
from scorebars.readers.document import Node, load, node
from scorebars.readers.files import shown
from scorebars.readers.records import Rows, each, refuse_mapping
from scorebars.readers.sniff import outline
from scorebars.readers.totals import Total, disagreements, equal, mean
from scorebars.readers.versions import newer_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note

KEYS: Final = frozenset({"dataset_revision", "scores", "task_name"})
DEFAULT_SPLIT: Final = "test"
METRIC: Final = "main_score"
EXTERNAL: Final = "external"
"""The revision of results that were imported."""
EXPERIMENTS: Final = "scores_per_experiment"
DIGITS: Final = 6
"""Decimals to which MTEB rounds."""
_SEPARATOR: Final = "__"
"""In place of the slash of a model's name, in the name of its folder."""


NEWEST: Final = "2"
"""Newest version of MTEB whose results are known."""


@dataclass(frozen=True, slots=True)
class MtebReader:
    """Reads what ``mteb`` writes for each task."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "mteb"

    def claims(self, head: FileHead) -> bool:
        """An object with the task's name, its data's revision and scores."""
        keys = outline(head)
        return not keys.is_list and keys.top >= KEYS

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; of several splits the one that was asked for, else test."""
        refuse_mapping(request, "an MTEB result")
        return each(heads, lambda head: _part(head, request.options.split))


def model_of(path: Path) -> tuple[str, str]:
    """The model's name and where it came from: the nearest folder whose name is one ('BAAI__bge-small-en')."""
    folders = path.absolute().parent
    named = [folder for folder in (folders, *folders.parents)[:4] if _SEPARATOR in folder.name]
    if named:
        return named[0].name.replace(_SEPARATOR, "/", 1), f"the folder '{named[0].name}'"
    return folders.name, f"the folder '{folders.name}'"


def _part(head: FileHead, split: str | None) -> Part:
    top = node(load(head), shown(head.path))
    splits = top.node("scores")
    chosen = _split(splits, split)
    model, source = model_of(head.path)
    subsets = splits.nodes(chosen)
    main = _main_of(subsets)
    rows = Rows()
    for subset in subsets:
        item = subset.text("hf_subset", "default")
        for run, score in enumerate(_scores(subset, main), start=1):
            rows.add(model=model, task=top.text("task_name"), item=item, run=str(run), metric=METRIC, score=score)
    mapping = {
        "model": source,
        "task": "task_name",
        "item": "hf_subset",
        "run": "scores_per_experiment, else one",
        "metric": METRIC,
        "score": f"{METRIC} of the split '{chosen}'" + (f", which is '{main}' of the experiments" if main else ""),
    }
    totals = [
        Total(f"{METRIC} of '{subset.text('hf_subset', 'default')}'", subset.value.get(METRIC), own)
        for subset in subsets
        if not math.isnan(own := mean(_scores(subset, main)))
    ]
    others = {f"of the split '{name}'": _count(splits, name) for name in splits.value if name != chosen}
    notes = [*_left_out(head, chosen, others), *disagreements(shown(head.path), totals)]
    notes += newer_version(shown(head.path), top.value.get("mteb_version"), NEWEST, "a result of MTEB")
    if "mteb_version" in top.value and not top.has("mteb_version"):
        where = f", in a folder '{EXTERNAL}'" if EXTERNAL in head.path.absolute().parent.parts else ""
        notes.append(note("external-results", model=model, where=where))
    return rows.part(head.path, "mteb", mapping, dropped=others, notes=notes)


def _left_out(head: FileHead, chosen: str, others: Mapping[str, int]) -> Iterator[Note]:
    """A note on the main scores of other splits, which the mean of this one does not hold."""
    listed = ", ".join(f"{n:,} main {'score' if n == 1 else 'scores'} {what}" for what, n in others.items() if n)
    if listed:
        why = f"the split '{chosen}' counts; choose with --split NAME"
        yield note("left-out", path=shown(head.path), rows=listed, why=why)


def _count(splits: Node, name: str) -> int:
    return len(splits.nodes(name))


def _experiments(subset: Node) -> list[Node]:
    """The results of each experiment; MTEB 1.0 kept no list."""
    return [] if isinstance(subset.value.get(EXPERIMENTS), dict) else subset.nodes(EXPERIMENTS)


def _scores(subset: Node, main: str) -> list[float]:
    """The main score of each experiment that has one; without any, the subset's own."""
    found = [one.number(main or METRIC) for one in _experiments(subset) if one.has(main or METRIC)]
    if not found:
        subset.get(METRIC)  # one that is not there is damage, null a task without a result
    return found or [subset.number(METRIC)]


def _main_of(subsets: Sequence[Node]) -> str:
    """The metric that is the main score, where experiments name theirs only by itself (MTEB 2); '' where they do not.

    It is the one whose mean over experiments is the main score of every subset; of several, which in all experiments
    are the same number (accuracy and weighted recall), the first, and none where they are not.
    """
    lists = [_experiments(subset) for subset in subsets]
    if not lists or not all(lists) or any(one.has(METRIC) for listed in lists for one in listed):
        return ""
    fit = [
        key
        for key in lists[0][0].value
        if all(_is_mean(subset, listed, key) for subset, listed in zip(subsets, lists, strict=True))
    ]
    same = {tuple(one.number(key) for listed in lists for one in listed) for key in fit}
    return fit[0] if len(same) == 1 else ""


def _is_mean(subset: Node, listed: Sequence[Node], key: str) -> bool:
    """Whether a metric of every experiment has the main score as its mean; MTEB rounds both to six digits."""
    values = [one.value.get(key) for one in listed]
    if not all(isinstance(value, int | float) for value in values):
        return False
    said = subset.value.get(METRIC)
    return isinstance(said, int | float) and equal(said, mean(one.number(key) for one in listed), DIGITS)


def _split(splits: Node, asked: str | None) -> str:
    names = list(splits.value)
    if asked is not None:
        if asked not in names:
            raise ReadError(f"{splits.where} has no split '{asked}'{near_miss(asked, names)}")
        return asked
    if DEFAULT_SPLIT in names:
        return DEFAULT_SPLIT
    if len(names) == 1:
        return names[0]
    listed = ", ".join(f"'{name}'" for name in names)
    remedy = f"choose one ({typed('--split', names[0])})" if names else "a result has at least one"
    raise ReadError(f"{splits.where} has {len(names)} splits ({listed}): {remedy}")
