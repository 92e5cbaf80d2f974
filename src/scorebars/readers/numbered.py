"""Headers that differ in a number alone (run1, run2; q1, q2): what they are called, how a mapping names them all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, normal
from scorebars.errors import ReadError
from scorebars.readers.columns import ANY, JOINED, Pattern, explicit, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RUNS: Final = frozenset(
    {
        *(*ALIASES["run"], "attempt", "repetition", "replicate", "iteration", "iter", "try", "rollout"),
        *("score", "scores", "correct", "result", "reward", "accuracy", "acc"),
    }
)
"""Words before the number in the header of a run: 'run1', 'acc_seed_2', 'score 3'."""
ITEMS: Final = frozenset({"q", "question", "item", "problem", "prompt", "ex", "example", "instance", "case"})
"""Words before the number in the header of an item."""

Group = tuple[str, ...]


def groups_of(names: Sequence[str]) -> dict[str, list[Group]]:
    """Groups of two and more such headers, by what they are called: 'run', 'item', or '' for another word."""
    stems: dict[str, list[str]] = {}
    for name in names:
        if stem := numbered((name,)):
            stems.setdefault(stem, []).append(name)
    found: dict[str, list[Group]] = {}
    for group in stems.values():
        if len(group) > 1:
            word = word_of(group[0])
            called = "run" if word in RUNS else "item" if word in ITEMS else ""
            found.setdefault(called, []).append(tuple(group))
    return found


def runs_among(names: Sequence[str]) -> list[Group]:
    """The groups of such headers that are called like runs."""
    if not any(sign.isdigit() for name in names for sign in name):
        return []
    return groups_of(names).get("run", [])


def word_of(name: str) -> str:
    """The last word before the number of such a header, in lower case: 'run' of 'gpt_run1'."""
    words = re.findall(r"[a-z]+", normal(numbered((name,)).partition(ANY)[0]))
    return words[-1] if words else ""


def pattern_of(group: Sequence[str], names: Sequence[str]) -> str:
    """A text that names exactly these of all columns in a mapping, short where it can be."""
    return next((text for text in _patterns(group) if _is_exact(text, group, names)), JOINED.join(group))


def _patterns(group: Sequence[str]) -> Iterator[str]:
    """'q*'; 'q1*+q2*' where others begin with a q; '*'; each by its name, one of them with a star."""
    if whole := numbered(group):
        yield whole
        before = whole.partition(ANY)[0]
        firsts = sorted({name[len(before)] for name in group})
        yield JOINED.join(whole.replace(ANY, f"{digit}{ANY}", 1) for digit in firsts)
    yield ANY
    for place, name in enumerate(group[:20]):
        yield JOINED.join((*group[:place], f"{name}{ANY}", *group[place + 1 :]))


def _is_exact(text: str, group: Sequence[str], names: Sequence[str]) -> bool:
    try:
        found = explicit({"run": text}, None, names)["run"]
    except ReadError:
        return False
    return isinstance(found, Pattern) and set(found) == set(group)
