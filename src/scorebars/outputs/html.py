"""A small HTML fragment for notebooks: the verdict, the table, the facts, the notes. No style sheet, no script."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from scorebars.outputs.characters import visible
from scorebars.outputs.view import headed

if TYPE_CHECKING:
    from scorebars.outputs.view import Grid, View


def render(view: View) -> str:
    """The view as an HTML fragment."""
    parts = [f"<p><strong>{_escape(view.headline)}</strong></p>"] if view.headline else []
    if view.table.rows or not view.headline:
        parts.append(_table(view.table))
    facts = "".join(f"<dt>{_escape(f.name)}</dt><dd>{_escape(f.sentence)}</dd>" for f in view.facts)
    parts.append(f"<dl>{facts}</dl>")
    if view.notes:
        notes = "".join(f"<li><code>{_escape(n.name)}</code>: {_escape(n.sentence)}</li>" for n in view.notes)
        parts.append(f"<ul>{notes}</ul>")
    for heading, advice in headed(view.advice):
        found = "".join(
            f"<li><code>{_escape(one.name)}</code>: {_escape(one.sentence)} → {_escape(one.remedy)}</li>"
            for one in advice
        )
        parts.append(f"<p><strong>{_escape(heading)}</strong></p><ul>{found}</ul>")
    if view.commands:
        parts.append(f"<pre>{chr(10).join(map(_escape, view.commands))}</pre>")
    if view.items is not None:
        parts.append(_table(view.items))
    return "\n".join(parts) + "\n"


def _escape(text: str) -> str:
    """Text that HTML shows as it is, control characters by their escapes."""
    return html.escape(visible(text))


def _table(grid: Grid) -> str:
    aligns = ["right" if column.numeric else "left" for column in grid.columns]
    heads = "".join(
        f'<th style="text-align:{align}">{_escape(column.heading)}</th>'
        for align, column in zip(aligns, grid.columns, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{align}">{_escape(cell)}</td>'
            for align, cell in zip(aligns, row.cells, strict=True)
        )
        + "</tr>"
        for row in grid.rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
