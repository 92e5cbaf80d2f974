"""Ids that are nearly the same: in case, blanks, hyphens or leading zeros, or but for what stands before or behind."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.distinct import distinct
from scorebars.notes import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.notes import Note
    from scorebars.sample import Cuts, Sample

MOST: Final = 50_000
"""Ids of both sides up to which a comparison looks; larger ones are left to ``doctor``."""
FEWEST: Final = 3
"""Ids that must agree but for one addition, and half of those of the smaller side."""
TRIED: Final = 5
"""Ids of one side that are looked for inside those of the other."""
LONGEST: Final = 60
_JOINS: Final = str.maketrans(dict.fromkeys("_ \t\u00a0", "-"))
_HYPHENS: Final = re.compile(r"-*\n-*|-{2,}")
_ZEROS: Final = re.compile(r"(?<![0-9.])0+(?=[0-9])")


def plain(labels: Sequence[str]) -> list[str]:
    """Texts that are equal where those are the same but for case, blanks, hyphens and leading zeros."""
    if any("\n" in label for label in labels):
        return [plain_text(label.replace("\n", " ")) for label in labels]
    # All at once: a million ids take a second one by one.
    return plain_text("\n".join(labels)).split("\n")


def plain_text(text: str) -> str:
    """The same of one text."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    joined = folded.casefold().translate(_JOINS)
    return _ZEROS.sub("", _HYPHENS.sub(lambda match: "\n" if "\n" in match[0] else "-", f"\n{joined}\n")[1:-1])


@dataclass(frozen=True, slots=True)
class Near:
    """Ids that one side alone has, and nearly the same ones of the other."""

    pairs: tuple[tuple[str, str], ...]
    how: str
    """'only in case', 'only in 'q_' before them'."""

    @property
    def example(self) -> str:
        """The first pair, as a sentence shows it."""
        a, b = self.pairs[0]
        return f"'{_short(a)}' and '{_short(b)}'"


def near(only_a: Sequence[str], only_b: Sequence[str]) -> Near | None:
    """The ids of A alone that are ids of B alone, spelled in another way; None where there are none.

    Args:
        only_a: Ids that B lacks.
        only_b: Ids that A lacks.
    """
    if not (only_a and only_b) or len(only_a) + len(only_b) > MOST:
        return None
    spelled = _spelled(only_a, only_b)
    if 2 * len(spelled) >= min(len(only_a), len(only_b)):
        return Near(tuple(spelled), _how(spelled))
    added = _added(only_a, only_b) or _turned(_added(only_b, only_a))
    if added is not None and len(added.pairs) > len(spelled):
        return added
    return Near(tuple(spelled), _how(spelled)) if spelled else None


def near_items(cuts: Cuts, a: Sample, b: Sample) -> list[Note]:
    """``near-items`` where items of two sides did not pair because their ids are spelled in two ways."""
    items_a, items_b = distinct(a.item), distinct(b.item)
    alone = [np.setdiff1d(one, other, assume_unique=True) for one, other in ((items_a, items_b), (items_b, items_a))]
    if sum(map(len, alone)) > MOST:
        return []
    tasks, _, texts = cuts.item_keys
    of_task: list[dict[str, list[str]]] = [{}, {}]
    for side, units in zip(of_task, alone, strict=True):
        for unit in units.tolist():
            side.setdefault(str(tasks[unit]), []).append(str(texts[unit]))
    found = [one for task, ids in of_task[0].items() if (one := near(ids, of_task[1].get(task, []))) is not None]
    if not found:
        return []
    most = max(found, key=lambda one: len(one.pairs))
    n = sum(len(one.pairs) for one in found)
    return [note("near-items", n=n, name_a=a.model, name_b=b.model, how=most.how, example=most.example)]


def _spelled(only_a: Sequence[str], only_b: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs that are the same but for their spelling, where neither side has two of one.

    Ids that are equal letter by letter did not pair for another reason: they stand in different clusters.
    """
    plain_a, plain_b = plain(only_a), plain(only_b)
    times = Counter(plain_a), Counter(plain_b)
    place = {text: label for text, label in zip(plain_b, only_b, strict=True) if times[1][text] == 1}
    return [
        (label, place[text])
        for text, label in zip(plain_a, only_a, strict=True)
        if times[0][text] == 1 and text in place and place[text] != label
    ]


def _how(pairs: Sequence[tuple[str, str]]) -> str:
    """In what the pairs differ, one word where it is one thing."""
    if all(a.casefold() == b.casefold() for a, b in pairs):
        return "only in case"
    if all("".join(a.split()) == "".join(b.split()) for a, b in pairs):
        return "only in blanks"
    if all(_ZEROS.sub("", a) == _ZEROS.sub("", b) for a, b in pairs):
        return "only in leading zeros"
    return "only in case, blanks, hyphens or leading zeros"


def _added(longer: Sequence[str], shorter: Sequence[str]) -> Near | None:
    """Whether the ids of one side are those of the other with one text before or behind them, a number never cut."""
    found: Counter[tuple[str, str]] = Counter()
    for text in islice(sorted(shorter, key=len, reverse=True), TRIED):
        for label in longer:
            before, inside, behind = label.partition(text)
            if inside and (before or behind) and _is_whole(before, text, behind):
                found[before, behind] += 1
    whole = set(longer)
    for (before, behind), _ in found.most_common(FEWEST):
        pairs = [(f"{before}{text}{behind}", text) for text in shorter if f"{before}{text}{behind}" in whole]
        if len(pairs) >= FEWEST and 2 * len(pairs) >= min(len(longer), len(shorter)):
            where = [f"'{before}' before them"] * bool(before) + [f"'{behind}' behind them"] * bool(behind)
            return Near(tuple(pairs), f"only in {' and '.join(where)}")
    return None


def _is_whole(before: str, text: str, behind: str) -> bool:
    """Whether no number goes on over the ends of the text: '1' and '12' are two ids, 'q_2' may be '2'."""
    return not (before[-1:].isdigit() and text[:1].isdigit()) and not (text[-1:].isdigit() and behind[:1].isdigit())


def _turned(found: Near | None) -> Near | None:
    return None if found is None else Near(tuple((a, b) for b, a in found.pairs), found.how)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
