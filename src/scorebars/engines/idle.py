"""Rules that a table gives nothing to do: said, because a choice without effect looks like one that was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorebars.engines.cutting import Rules, Sheet
    from scorebars.sample import ScoreTable


def idle_notes(table: ScoreTable, rules: Rules, sheets: Sequence[Sheet]) -> Iterator[Note]:
    """One note for each rule that changes nothing, whatever is estimated.

    Args:
        table: The rows, their tasks without labels that no row has.
        rules: What was asked for.
        sheets: The settled table of each metric and variant.
    """
    one_task = table.task.n_labels == 1
    if rules.duplicates != "fail" and all(sheet.attempts.copies is None for sheet in sheets):
        option = f"choosing among duplicates (--duplicates {rules.duplicates})"
        yield note("no-effect", option=option, why="no attempt is there twice")
    if rules.pooled and one_task:
        yield note("no-effect", option="pooling tasks (--pool-tasks)", why="there is only one task")
    if rules.cluster_crosses_tasks and (table.cluster is None or one_task):
        why = "the table has no clusters" if table.cluster is None else "there is only one task"
        yield note("no-effect", option="clusters across tasks (--cluster-crosses-tasks)", why=why)
    if rules.run_crosses_items and all(_one_run(sheet) for sheet in sheets):
        yield note("no-effect", option="runs across items (--run-crosses-items)", why="every item has the same one run")


def _one_run(sheet: Sheet) -> bool:
    run = sheet.attempts.run
    return run.strides == (0,) or not len(run) or bool(np.all(run == run[0]))
