"""Whether two samples files of one task mean the same document by the same ``doc_id``: their ``doc_hash`` says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scorebars.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.lm_eval_table import SampleTable


@dataclass(slots=True)
class Texts:
    """The first file of each task, which the others are held against."""

    engine: Engine
    first: dict[str, tuple[Path, SampleTable]] = field(default_factory=dict)

    def compared(self, path: Path, task: str, table: SampleTable) -> Iterator[Note]:
        """A note where documents of the same id have another text than in the first file of the task."""
        if task not in self.first:
            self.first[task] = (path, table)
            return
        before, other = self.first[task]
        both = " JOIN ".join(
            f"(SELECT DISTINCT item, text_hash FROM {one.name} WHERE text_hash IS NOT NULL) AS {alias}"
            for one, alias in ((table, "a"), (other, "b"))
        )
        found = self.engine.query(
            "SELECT count(*) AS shared, count(*) FILTER (a.text_hash <> b.text_hash) AS differ "
            f"FROM {both} ON a.item = b.item"
        )
        if differ := int(found["differ"][0]):
            shared = int(found["shared"][0])
            yield note("different-documents", n=differ, shared=shared, task=task, a=str(before), b=str(path))
