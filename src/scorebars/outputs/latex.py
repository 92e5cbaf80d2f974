r"""LaTeX: a ``table`` in booktabs style with a caption of one sentence; the facts and the notes are comments above it.

Needs ``\usepackage{booktabs}``; compiles with pdfLaTeX, XeLaTeX and LuaLaTeX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.outputs.characters import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.outputs.view import Advice, Fact, Grid, View

ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "−": "$-$",
        "–": "--",
        "∞": r"$\infty$",
        "→": r"$\to$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "…": r"\dots{}",
        "·": r"$\cdot$",
        "²": "$^2$",
        "ₑ": "$_e$",
        "√": r"$\surd$",
        "α": r"$\alpha$",
    }
)


def render(view: View) -> str:
    """The view as LaTeX."""
    lines = [r"% needs \usepackage{booktabs}", *map(_comment, (*view.facts, *view.notes))]
    lines += [r"\begin{table}", r"\centering", f"\\caption{{{_caption(view)}.}}", f"\\label{{tab:{view.kind}}}"]
    lines += _findings(view.advice) if view.advice else _tabular(view.table)
    if view.items is not None:
        lines += ["", r"\medskip", *_tabular(view.items)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def escape(text: str) -> str:
    """Text that LaTeX prints as it is; hyphens stay hyphens, where two would make a dash."""
    apart = re.sub("-(?=-)", "-\0", " ".join(visible(text).split()))
    return apart.translate(ESCAPES).replace("\0", "{}")


def _caption(view: View) -> str:
    """The verdict, or what the columns are; and what was redrawn, which gives the interval its meaning."""
    if view.headline:
        return escape(view.headline)
    columns = [column.heading for column in view.table.columns if column.numeric]
    redrawn = [fact.text for fact in view.facts if fact.name == "redrawn" and not fact.rows]
    text = " with ".join(columns[:2]).replace(", ", " in ", 1) + "".join(f" (redrawn: {text})" for text in redrawn)
    return escape(text[:1].upper() + text[1:])


def _comment(fact: Fact) -> str:
    return " ".join(f"% {fact.name}: {visible(fact.sentence)}".split())


def _findings(advice: Sequence[Advice]) -> list[str]:
    """The findings in place of the table: what was found and what to do, in paragraphs."""
    rows = [_row([escape(one.name), escape(one.sentence), escape(one.remedy)]) for one in advice]
    columns = r"p{0.17\linewidth}p{0.42\linewidth}p{0.33\linewidth}"
    heads = _row(["code", "finding", "what to do"])
    return [
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        heads,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _tabular(grid: Grid) -> list[str]:
    spec = "".join("r" if column.numeric else "l" for column in grid.columns)
    heads = [escape(column.heading) for column in grid.columns]
    rows = [_row([escape(cell) for cell in row.cells]) for row in grid.rows]
    return [
        f"\\begin{{tabular}}{{{spec}}}",
        r"\toprule",
        _row(heads),
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: list[str]) -> str:
    # A cell that begins with "[" would be read as the optional argument of the line break before it.
    guarded = [f"{{{cell}}}" if cell.startswith("[") else cell for cell in cells]
    return " & ".join(guarded) + r" \\"
