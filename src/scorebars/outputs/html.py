"""A small HTML fragment for notebooks: the verdict, the table, the facts, the notes. No style sheet, no script."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from scorebars.outputs.view import headed

if TYPE_CHECKING:
    from scorebars.outputs.view import Grid, View


def render(view: View) -> str:
    """The view as an HTML fragment."""
    parts = [f"<p><strong>{html.escape(view.headline)}</strong></p>"] if view.headline else []
    if view.table.rows or not view.headline:
        parts.append(_table(view.table))
    facts = "".join(f"<dt>{html.escape(f.name)}</dt><dd>{html.escape(f.sentence)}</dd>" for f in view.facts)
    parts.append(f"<dl>{facts}</dl>")
    if view.notes:
        notes = "".join(f"<li><code>{html.escape(n.name)}</code>: {html.escape(n.sentence)}</li>" for n in view.notes)
        parts.append(f"<ul>{notes}</ul>")
    for heading, advice in headed(view.advice):
        found = "".join(
            f"<li><code>{html.escape(one.name)}</code>: {html.escape(one.sentence)} → {html.escape(one.remedy)}</li>"
            for one in advice
        )
        parts.append(f"<p><strong>{html.escape(heading)}</strong></p><ul>{found}</ul>")
    if view.commands:
        parts.append(f"<pre>{html.escape(chr(10).join(view.commands))}</pre>")
    if view.items is not None:
        parts.append(_table(view.items))
    return "\n".join(parts) + "\n"


def _table(grid: Grid) -> str:
    aligns = ["right" if column.numeric else "left" for column in grid.columns]
    heads = "".join(
        f'<th style="text-align:{align}">{html.escape(column.heading)}</th>'
        for align, column in zip(aligns, grid.columns, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{align}">{html.escape(cell)}</td>'
            for align, cell in zip(aligns, row.cells, strict=True)
        )
        + "</tr>"
        for row in grid.rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
