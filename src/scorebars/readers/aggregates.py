"""Tables of results that are summed up already: recognised, and refused with what is missing.

Means with their errors ('1428.55 ± 62.40'), leaderboards with a standard error or an interval a row: error bars of
their own can only be copied, not computed, and a comparison needs the items or runs behind them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

NUMBER: Final = r"[+-]?(?:nan|inf|[0-9][0-9,]*\.?[0-9]*(?:e[+-]?[0-9]+)?)"
_WITH_ERROR: Final = rf"(?i)^\(?\s*{NUMBER}\s*%?\s*(?:±|\+/-|\+-|\\pm)\s*{NUMBER}.*$"
_INTERVAL: Final = rf"(?i)^[(\[]\s*{NUMBER}\s*%?\s*[,;]\s*{NUMBER}\s*%?\s*[)\]]$"
_ERRORS: Final = frozenset(
    {
        *("standard_error", "std_error", "stderr", "std_err", "se", "sem", "std", "stddev", "std_dev", "stdev"),
        *("ci", "ci95", "ci_95", "confidence_interval", "lower", "upper", "lower_bound", "upper_bound", "margin"),
        *("n_total", "n_wins", "num_samples", "n_samples", "sample_len", "variance"),
    }
)
MOST_COLUMNS: Final = 100
_STARTS: Final = ("ci_", "ci95_", "std_", "stderr_")
_ENDS: Final = re.compile(
    r"_(stderr|std_err|std_error|standard_error|sem|std|ci|q0?25|q975|lower|upper|ci_low|ci_high)$"
)
_NEEDED: Final = (
    "one row an attempt (columns model, item, score) is needed, as the program that made this table had it; "
    "ask it for its samples, or read its per-item files"
)


def is_error_header(header: str) -> bool:
    """Whether a column is called as a standard error, a bound of an interval or a number of samples."""
    name = normal(header)
    return name in _ERRORS or name.startswith(_STARTS) or _ENDS.search(name) is not None


def aggregated(layout: Layout, cells: Cells) -> str:
    """Why a table is a summary, '' if it is none; a user who names the score column has said that it is none."""
    if "score" in layout.asked:
        return ""
    names = [name for name in cells.source.names if name][:MOST_COLUMNS]
    found = [(name, "error", example) for name, example in cells.mostly(_WITH_ERROR, names)]
    found += [(name, "interval", example) for name, example in cells.mostly(_INTERVAL, names)]
    if sentence := _cells_with_errors(layout, found):
        return sentence
    if not layout.scores or layout.wide or {"item", "run"} & set(layout.roles):
        return ""
    intervals = {name for name, kind, _ in found if kind == "interval"}
    errors = [name for name in layout.ignored if is_error_header(name) or name in intervals]
    if not errors:
        return ""
    score = layout.scores[0]
    return (
        f"it is a table of summed-up results: one row a model, with {_listed(errors)} beside '{score}' and no item; "
        f"{_NEEDED} (if each row is an item after all: --map score={score})"
    )


def _cells_with_errors(layout: Layout, found: Sequence[tuple[str, str, str]]) -> str:
    """The refusal where the cells are numbers with their errors, and no other score is there."""
    hit = {name: example for name, kind, example in found if kind == "error"}
    if not hit or set(layout.scores) - set(hit):
        return ""
    name = next(iter(hit))
    return (
        f"its cells are means with their errors, such as '{hit[name]}' in {_listed(list(hit))}: the runs behind them "
        f"are gone; {_NEEDED}"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:4]) + (" …" if len(names) > 4 else "")
