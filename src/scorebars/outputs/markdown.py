"""GitHub-flavoured Markdown: the verdict, the table, the facts as a list, the notes as a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorebars.outputs.characters import visible
from scorebars.outputs.view import headed

if TYPE_CHECKING:
    from scorebars.outputs.view import Grid, View


def render(view: View) -> str:
    """The view as Markdown."""
    blocks = [f"**{escape(view.headline)}**"] if view.headline else []
    if view.table.rows or not view.headline:
        blocks.append(_table(view.table))
    blocks.append("\n".join(f"- **{escape(fact.name)}**: {escape(fact.sentence)}" for fact in view.facts))
    if view.notes:
        blocks.append("\n".join(f"- `{note.name}`: {escape(note.sentence)}" for note in view.notes))
    for heading, advice in headed(view.advice):
        blocks.append(f"**{escape(heading)}**")
        blocks.append("\n".join(f"- `{one.name}`: {escape(one.sentence)} → {escape(one.remedy)}" for one in advice))
    if view.commands:
        blocks.append(_console([visible(command) for command in view.commands]))
    if view.items is not None:
        blocks.append(_table(view.items))
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape(text: str) -> str:
    """Text that Markdown prints as it is, on one line; an ampersand is escaped where it would begin an entity."""
    return re.sub(r"([\\`*_|<>\[\]#~]|&(?=#?\w+;))", r"\\\1", " ".join(visible(text).split()))


def _console(commands: list[str]) -> str:
    """A block of commands, its fence longer than any row of backticks in them."""
    longest = max((len(ticks) for command in commands for ticks in re.findall("`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}console", *(f"$ {command}" for command in commands), fence])


def _table(grid: Grid) -> str:
    heads = [escape(column.heading) for column in grid.columns]
    rules = ["---:" if column.numeric else ":---" for column in grid.columns]
    rows = [[escape(cell) for cell in row.cells] for row in grid.rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *rows])
