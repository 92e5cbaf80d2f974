"""Tests that a file numbers one after the other though they are the same: repeats of one item, told by their content.

Tools that can repeat a run (``--repeat``) give each repeat a number of its own. Taken for items, three repeats of ten
tests would be thirty items, and the interval too narrow.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class Repeats:
    """The tests of one file: which item and run each number is."""

    _places: dict[str, tuple[str, int]] = field(default_factory=dict)
    _names: dict[str, list[str]] = field(default_factory=dict)
    found: bool = False
    """Whether any test is there more than once."""

    def add(self, number: str, content: Any) -> None:
        """A test by its number, in their order; content that is empty says nothing, so that the test is an item.

        A number that is known already (the test under another prompt or model) changes nothing.
        """
        if number in self._places:
            return
        key = f"{number} alone" if not content else json.dumps(content, sort_keys=True)
        same = self._names.setdefault(key, [])
        same.append(number)
        self.found = self.found or len(same) > 1
        self._places[number] = (same[0], len(same))

    def item(self, number: str) -> str:
        """The number of the first test with the same content."""
        return self._places[number][0]

    def run(self, number: str) -> str | None:
        """The how-many-th of its repeats a test is; None where no test of the file is repeated."""
        return str(self._places[number][1]) if self.found else None


def repeats(tests: Iterable[tuple[str, Any]]) -> Repeats:
    """The repeats among (number, content)."""
    found = Repeats()
    for number, content in tests:
        found.add(number, content)
    return found
