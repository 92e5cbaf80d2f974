"""The items on which two sides differ: written out when somebody asks, since there may be millions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from scorebars.sample import FloatArray, IntArray, TextArray

Disagreement: TypeAlias = "tuple[str, str, float, float]"
"""(task, item, score of A, score of B)."""


@dataclass(frozen=True, eq=False)
class Disagreements(Sequence[Disagreement]):
    """The items whose values differ, in the order of the units; a tuple for all that one can see."""

    item: NDArray[np.integer[Any]]
    """Unit code of each shared item."""
    a: FloatArray
    b: FloatArray
    texts: Callable[[], tuple[TextArray, TextArray, TextArray]]
    """Makes task, cluster and item text of each unit code."""

    @cached_property
    def rows(self) -> IntArray:
        """Which of the shared items differ."""
        return np.flatnonzero(self.a != self.b)

    @cached_property
    def _written(self) -> tuple[Disagreement, ...]:
        tasks, _, items = self.texts()
        code, a, b = (column[self.rows].tolist() for column in (self.item, self.a, self.b))
        return tuple((str(tasks[i]), str(items[i]), x, y) for i, x, y in zip(code, a, b, strict=True))

    @overload
    def __getitem__(self, index: int) -> Disagreement: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Disagreement, ...]: ...
    def __getitem__(self, index: int | slice) -> Disagreement | tuple[Disagreement, ...]:
        """One of them, or several."""
        return self._written[index]

    def __len__(self) -> int:
        """How many items differ."""
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        """Whether the same items differ in the same way."""
        return isinstance(other, Sequence) and self._written == tuple(other)

    def __hash__(self) -> int:
        """That of the tuple."""
        return hash(self._written)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are plain tuples."""
        return tuple, (self._written,)

    def __repr__(self) -> str:
        """That of the tuple."""
        return repr(self._written)
