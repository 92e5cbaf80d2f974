r"""LaTeX: a ``table`` in booktabs style whose caption carries the facts and the notes.

Needs ``\usepackage{booktabs}``; compiles with pdfLaTeX, XeLaTeX and LuaLaTeX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scorebars.outputs.view import Fact, Grid, View

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
    lines = [r"% needs \usepackage{booktabs}", r"\begin{table}", r"\centering", f"\\caption{{{_caption(view)}}}"]
    lines += _tabular(view.table)
    if view.items is not None:
        lines += ["", r"\medskip", *_tabular(view.items)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def escape(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return " ".join(text.split()).translate(ESCAPES)


def _caption(view: View) -> str:
    head = [escape(view.headline) + "."] if view.headline else []
    return "\n  ".join(head + [_sentence(fact) for fact in (*view.facts, *view.notes)])


def _sentence(fact: Fact) -> str:
    text = escape(f"{fact.name}: {fact.sentence}")
    return text if text.endswith(("?", ".")) else f"{text}."


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
