"""Tables of results that are summed up already: recognised, and refused with what is missing.

Means with their errors ('1428.55 ± 62.40'), leaderboards with a standard error or an interval a row: error bars of
their own can only be copied, not computed, and a comparison needs the items or runs behind them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import METRICS, mapped, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

NUMBER: Final = r"[+-]?(?:nan|inf|[0-9][0-9,]*(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)"
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
_SHARES: Final = frozenset(
    {"accuracy", "acc", "acc_norm", "exact_match", "em", "win_rate", "winrate", "pass_at_1", "pass1"}
)
"""Metrics that are 0 or 1 for a single attempt: anything else is an average."""
_BENCHMARKS: Final = frozenset(
    {
        *("mmlu", "mmlu_pro", "gsm8k", "math", "math_500", "hellaswag", "arc", "arc_challenge", "arc_easy", "arc_c"),
        *("arc_e", "winogrande", "truthfulqa", "truthfulqa_mc2", "humaneval", "human_eval", "mbpp", "gpqa", "bbh"),
        *("gpqa_diamond", "ifeval", "drop", "piqa", "boolq", "openbookqa", "commonsenseqa", "triviaqa", "agieval"),
        *("swe_bench", "swe_bench_verified", "livecodebench", "aime", "aime24", "aime25", "aime_2024", "aime_2025"),
        *("mt_bench", "musr", "mmmu", "average", "avg", "mean", "overall", "total"),
    }
)
"""Names that are whole benchmarks, or averages over several, and never one item."""
_MOST_NAMES: Final = 60
_AN_ATTEMPT = "if each row is an attempt after all: {}; one number says little of its error"
NEEDED: Final = (
    "one row an attempt (columns model, item, score) is needed, as the program that made this table had it; "
    "ask it for its samples, or read its per-item files"
)


def names_benchmark(name: str) -> bool:
    """Whether a name is that of a well-known benchmark, so neither a model nor an item.

    >>> names_benchmark("GSM8K"), names_benchmark("gpt-4o")
    (True, False)
    """
    return normal(name) in _BENCHMARKS


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
    if not layout.scores or layout.wide or layout.spread or {"item", "run"} & set(layout.roles):
        return ""
    intervals = {name for name, kind, _ in found if kind == "interval"}
    errors = [name for name in layout.ignored if is_error_header(name) or name in intervals]
    if not errors:
        return ""
    score = layout.scores[0]
    return (
        f"it is a table of summed-up results: one row a model, with {_listed(errors)} beside '{score}' and no item; "
        f"{NEEDED} (if each row is an item after all: {mapped({'score': score})})"
    )


def _cells_with_errors(layout: Layout, found: Sequence[tuple[str, str, str]]) -> str:
    """The refusal where the cells are numbers with their errors, and no other score is there."""
    hit = {name: example for name, kind, example in found if kind == "error"}
    if not hit or set(layout.scores) - set(hit):
        return ""
    name = next(iter(hit))
    return (
        f"its cells are means with their errors, such as '{hit[name]}' in {_listed(list(hit))}: the runs behind them "
        f"are gone; {NEEDED}"
    )


def one_number_a_group(layout: Layout, source: Source, table: str, engine: Engine) -> str:
    """Why the rows of a table are averages over items that are not there, '' if they may be attempts.

    A user who names the score column (and, for the keys of an object, the item) has said that they are attempts.
    """
    if "score" in layout.asked or layout.wide or layout.spread or layout.placed:
        return ""
    if "item" not in layout.roles and "run" not in layout.roles:
        return _one_row_a_group(layout, table, engine)
    item = source.defaults.get("item", "")
    if layout.roles.get("item") != (item,) or "item" in layout.asked:
        return ""
    if item == "key":
        return _share_a_key(layout, table, engine)
    return _benchmark_a_key(table, engine) if item == "inner_key" else ""


def averages(layout: Layout, names: Sequence[str], pattern: str) -> str:
    """The refusal of columns of numbers beside a model, with one row a model.

    Args:
        layout: The roles of the columns.
        names: The columns of numbers.
        pattern: What names them all in a mapping.
    """
    whole = f"{' and '.join(role for role in ('model', 'task') if role in layout.roles)} and no item"
    after_all = (
        f"if each of {_listed(names)} is a single item after all: {mapped({'item': pattern})}"
        if pattern
        else _AN_ATTEMPT.format(mapped({"score": names[0]}))
    )
    return f"it has one row a {whole}, as a table of averages has: {NEEDED} ({after_all})"


def _one_row_a_group(layout: Layout, table: str, engine: Engine) -> str:
    """Rows without an id of their own, of which no model (or model and task) has two."""
    found = engine.query(f"SELECT count(DISTINCT item) AS n, count(DISTINCT source_row) AS rows FROM {table}")
    if found["n"][0] > 1:
        return ""
    groups = [role for role in ("model", "task") if role in layout.roles]
    what = f"one row a {' and '.join(groups)}" if groups and found["rows"][0] > 1 else "a single row"
    return (
        f"it has {what} and no item, as a table of averages has: {NEEDED} "
        f"({_AN_ATTEMPT.format(mapped({'score': layout.scores[0]}))})"
    )


def _share_a_key(layout: Layout, table: str, engine: Engine) -> str:
    """Keys with one number each, a fraction of something that is right or wrong: models with their accuracies."""
    names = layout.metrics or tuple(layout.scores[:1])
    shares = [name for name in names if normal(name.rpartition(".")[2]) in _SHARES]
    if not shares:
        return ""
    of = f"metric IN ({', '.join(map(literal, shares))})" if layout.metrics else "true"
    found = engine.query(
        f"SELECT item, score FROM (SELECT item, score, try_cast(score AS DOUBLE) AS value FROM {table} WHERE {of}) "
        "WHERE value NOT IN (0, 1) LIMIT 1"
    )
    if not len(found["item"]):
        return ""
    return (
        f"its keys have one {shares[0]} each, such as {found['score'][0]} for '{found['item'][0]}', which is an "
        f"average over items: {NEEDED} (if each key is an item after all: --map item=key)"
    )


def _benchmark_a_key(table: str, engine: Engine) -> str:
    """Models with one number for each of several benchmarks."""
    found = engine.query(f"SELECT DISTINCT item FROM {table} ORDER BY item LIMIT {_MOST_NAMES}")
    names = found["item"].tolist()
    if not all(normal(name) in _BENCHMARKS or normal(name) in METRICS for name in names):
        return ""
    return (
        f"it has one number for each of {_listed(names)}, which are averages over items: {NEEDED} "
        "(if each is an item after all: --map item=inner_key)"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:4]) + (" …" if len(names) > 4 else "")
