"""Errors: one base class, one subclass a family; each message shows the value, the rule, the near miss, the remedy."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self


class ScorebarsError(Exception):
    """Base of every error that scorebars raises on purpose. The command line prints it as one line, exit code 2."""


class ArgumentError(ScorebarsError, ValueError):
    """An argument is outside its rule (a level of 1.5, an unknown level name, n = 0)."""


class ReadError(ScorebarsError, ValueError):
    """A file cannot be read as scores: missing, truncated, not the format it claims, nothing known in it."""


class ScoresError(ScorebarsError, ValueError):
    """The rows are readable but do not form one score table: conflicts, mixed scales, a choice that is not made."""


class MethodError(ScorebarsError, ValueError):
    """An interval, estimator, effect or resampling cannot serve this problem; the message says which can."""


class UndefinedError(MethodError):
    """A statistic or an effect does not exist for some resample, so that it has no bootstrap interval."""


class OutputError(ScorebarsError, OSError):
    """A result cannot be written: the file exists, the folder does not, the disk is full."""


class Remedy(str):
    """Lines below an error that say what to type instead.

    As text they hold the command for the file alone. The command line, which knows what was typed, repeats that with
    the options changed (:meth:`retyped`), so that a comparison stays one.
    """

    __slots__ = ("alone", "instead", "lead", "options")
    alone: str
    lead: str
    options: dict[str, str]
    instead: dict[str, tuple[str, dict[str, str]]]
    """Estimator -> (lead, options) where it was typed: those of two columns need others."""

    def __new__(cls, lead: str, path: str, options: Mapping[str, str]) -> Self:
        """Put the lines together.

        Args:
            lead: What stands above the command.
            path: The file.
            options: Option with its dashes -> what it is given; without any there is no command, but ``instead``.
        """
        alone = typed("scorebars", "estimate", path, *_flat(options)) if options else ""
        made = super().__new__(cls, f"{lead}\n  {alone}" if options else lead)
        made.lead, made.alone, made.options, made.instead = lead, alone, dict(options), {}
        return made

    def said(self, text: str) -> Self:
        """The same in other words."""
        made = super().__new__(type(self), text)
        made.lead, made.alone, made.options = self.lead, self.alone, self.options
        return made

    def retyped(self, given: Sequence[str]) -> str:
        """The same lines with what was typed: ``given`` (without the program's name) with the options in it."""
        kept: list[str] = []
        lead, options = self._fitting(given)
        if not options:
            return lead
        rest = iter(given)
        for word in rest:
            name, joined, _ = word.partition("=")
            if name not in options:
                kept.append(word)
            elif not joined:
                next(rest, None)
        return f"{lead}\n  {typed('scorebars', *kept, *_flat(options))}"

    def _fitting(self, given: Sequence[str]) -> tuple[str, dict[str, str]]:
        """The lead and the options for the estimator that was typed."""
        words = [*given, ""]
        for word, following in pairwise(words):
            name, joined, value = word.partition("=")
            estimator = (value if joined else following).partition(":")[0] if name == "--estimator" else ""
            if estimator in self.instead:
                lead, options = self.instead[estimator]
                above = self.lead.split("\n")[:-1] if self.options else [self.lead]
                return "\n".join((*above, lead)), options
        return self.lead, self.options


def _flat(options: Mapping[str, str]) -> list[str]:
    return [word for pair in options.items() for word in pair]


def typed(*words: str) -> str:
    """Words as they are typed in a shell, with quotes where they need them."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """A word in double quotes where it has single ones, as SQL does, and nothing that a shell looks at in them."""
    import shlex

    return f'"{word}"' if "'" in word and not set('"$`!\\') & set(word) else shlex.quote(word)


def either(ways: Sequence[str]) -> str:
    """What something may be, in one sentence.

    >>> either(["x", "y", "z"]), either(["x"])
    ('x, y or z', 'x')
    """
    return " or ".join(filter(None, [", ".join(ways[:-1]), ways[-1]]))


def counted(n: int, word: str) -> str:
    """'1 item', '2,000 items'."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def near_miss(value: str, known: Iterable[str], *, limit: int = 12) -> str:
    """The phrase "; did you mean 'model'?" for the closest known name, or the list of names where none is close."""
    names = [str(name) for name in known]
    lowered = {name.lower(): name for name in names}
    from difflib import get_close_matches

    close = get_close_matches(value.lower(), list(lowered), n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{lowered[close[0]]}'?"
    if not names:
        return ""
    shown = ", ".join(f"'{name}'" for name in names[:limit])
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"; known: {shown}{more}"
