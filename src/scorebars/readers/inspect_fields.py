"""The few fields of an Inspect sample that scores need, out of its JSON text, without building the rest.

A sample carries its whole transcript, and Python builds every string and object of it before one field can be looked
at. DuckDB's parser reads the same text to its end about ten times as fast and hands back the named fields alone. What
it refuses (and what it would answer differently from Python) is read by Python, so the rows do not depend on which of
the two did the work.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.duckdb import literal
from scorebars.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine

FIELDS: Final = ("id", "epoch", "scores", "score", "error", "invalidation")
"""What every sample is asked for; ``metadata`` comes on top where it names the cluster."""
LEAST: Final = 256 * 1024
"""Bytes of JSON below which Python is as fast as handing them over."""
IMPORT: Final = 24 * 1024**2
"""Bytes of JSON, over all logs, that Python reads in the time of importing and opening DuckDB."""


@dataclass(slots=True)
class Picker:
    """Takes the wanted fields out of samples; None for the engine: Python does all the work."""

    engine: Engine | None
    fields: tuple[str, ...] = FIELDS
    read: int = 0
    """Bytes that Python was left with so far."""

    def pick(self, samples: Sequence[bytes]) -> list[dict[str, Any] | None]:
        """The wanted fields of each sample that has them; None for a sample that has to be read by Python."""
        size = sum(map(len, samples))
        if self.engine is None or size < LEAST or (self.read + size < IMPORT and "duckdb" not in sys.modules):
            self.read += size
            return [None] * len(samples)
        try:
            columns = _columns(self.engine, samples, self.fields)
        except ReadError:  # one of them is damaged or odd: which, and how, is Python's to say
            return [None] * len(samples)
        return [_object(dict(zip(self.fields, texts, strict=True))) for texts in zip(*columns, strict=True)]


def _columns(engine: Engine, samples: Sequence[bytes], fields: Sequence[str]) -> list[list[str | None]]:
    """The JSON text of each field of each sample; None where a sample lacks it."""
    paths = ", ".join(literal(f"$.{field}") for field in fields)
    picked = ", ".join(f"found[{place}] AS f{place}" for place in range(1, len(fields) + 1))
    # decode() takes the bytes as they are and refuses what is no UTF-8; text would be copied and converted.
    each = f"SELECT json_extract(decode(sample), [{paths}]) AS found FROM (SELECT unnest(?) AS sample)"
    return [column.tolist() for column in engine.query(f"SELECT {picked} FROM ({each})", [list(samples)]).values()]


def _object(texts: dict[str, str | None]) -> dict[str, Any] | None:
    """The fields as Python has them; None where the sample has no id, so that its own reader says what is wrong."""
    if texts["id"] is None:
        return None
    try:
        return {field: json.loads(text) for field, text in texts.items() if text is not None}
    except (ValueError, RecursionError):  # a number that only DuckDB knows, such as 'nan'
        return None
