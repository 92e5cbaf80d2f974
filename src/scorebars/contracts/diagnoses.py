"""What a diagnosis is told about files beside their scores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or several together, that gave no scores."""

    path: str
    """As given."""
    reason: str
    """One sentence with the remedy, which names the file."""
    others: tuple[str, ...] = ()
    """Further files that it holds for."""
    typed: str = ""
    """A command that reads it, if that is what it is."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A choice that the files need and that nobody made."""

    sentence: str
    """What ``read`` says, with the options."""
    option: str
    """The argument of ``read``."""
    assumed: str
    """Its value here."""
    typed: str
    """The same as it is typed."""

    @property
    def choice(self) -> dict[str, str]:
        """The choice as a keyword."""
        return {self.option: self.assumed}


@dataclass(frozen=True, slots=True)
class PublishedErrors:
    """The standard errors that a file of results prints: it has averages; and those that cannot be right."""

    path: str
    total: int
    """How many standard errors the file has."""
    zero: tuple[tuple[str, float], ...]
    """(name, score) of those that are exactly 0; the score is NaN where none stands beside it."""
    undefined: tuple[str, ...] = ()
    """Names of those that are no number, such as 'N/A'."""
