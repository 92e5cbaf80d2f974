"""How many of n attempts at an item were right, as pass@k is often kept: columns n and c, or cells such as 5/10.

``--map score=c/n`` (of cells ``score=COLUMN/``) makes them n attempts, c of them right. Nothing is taken so unasked:
cells of that form may be points (5 of 10 stars), and c alone would count as a score of 5. Which of the attempts were
right is not known, so that they are dealt out: in one order for all items, the first would look better than the last.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped, normal
from scorebars.errors import typed as in_shell
from scorebars.readers.columns import UnclearError, column_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

OF: Final = "/"
"""Between the columns of a count and its total in a mapping: 'c/n'."""
MOST: Final = 100_000
"""Attempts of one row."""
TOTALS: Final = frozenset(
    {
        *(
            "n",
            "k",
            "total",
            "n_total",
            "num_total",
            "total_count",
            "n_samples",
            "num_samples",
            "samples",
            "n_attempts",
        ),
        *("num_attempts", "attempts", "total_attempts", "n_trials", "num_trials", "trials", "n_runs", "num_runs"),
        *("out_of", "n_rollouts", "num_rollouts", "n_questions", "num_questions", "count"),
    }
)
"""Headers of how many attempts there were."""
RIGHT: Final = frozenset(
    {
        *("c", "correct", "n_correct", "num_correct", "correct_count", "total_correct", "n_pass", "n_passed", "passes"),
        *("num_pass", "num_passed", "pass_count", "passed", "solved", "n_solved", "num_solved", "successes", "success"),
        *("n_success", "n_successes", "num_success", "num_successes", "success_count"),
    }
)
"""Headers of how many of them were right."""
MAXIMA: Final = frozenset(
    {
        *("max_score", "max_points", "max_marks", "max_grade", "max_reward", "max", "maximum", "maximum_score"),
        *("out_of", "possible", "possible_points", "points_possible", "total_points", "full_score", "full_marks"),
        *("score_max", "points_max", "max_possible", "max_possible_score"),
    }
)
"""Headers of the most points that there were."""
_CELL: Final = r"^[0-9]+\s*/\s*[1-9][0-9]*$"
_IN_TEXT: Final = re.compile(rb"[0-9]\s*/\s*[1-9]")


def with_counts(source: Source, kept: Mapping[str, str], typed: Mapping[str, str], path: Path) -> Source:
    """The source with the column 'c/n' that a mapping asks for, if it is none of its own: a list of 1 and 0 a row.

    Args:
        source: The cells.
        kept: The mapping that was saved.
        typed: The one that was typed, which goes before it.
        path: The file; the same rows of two files are not dealt out alike.

    Raises:
        ReadError: A column is not there.
    """
    score = typed.get("score", kept.get("score", ""))
    if OF not in score or score in source.names:
        return source
    columns = [column_named(part.strip(), source.names) for part in score.removesuffix(OF).split(OF, 1)]
    salt = literal("/".join(path.absolute().parts[-2:]))

    def scan(wanted: Sequence[str], *, hashed: bool = False) -> str:
        own = list(dict.fromkeys((*(name for name in wanted if name != score), *columns)))
        places = {name: f"w{own.index(name)}" for name in own}
        places[score] = _attempts(columns, [places[name] for name in columns], salt)
        chosen = [f"{places[name]} AS w{place}" for place, name in enumerate(wanted)] + ["row_hash"] * hashed
        inner = f"SELECT *, row_number() OVER () AS place FROM ({source.scan(own, hashed=hashed)})"
        return f"SELECT {', '.join(chosen)} FROM ({inner})"

    return replace(source, names=(*source.names, score), scan=scan, counted=score)


def _attempts(names: Sequence[str], cells: Sequence[str], salt: str) -> str:
    """The list of a row as text; a count that is none stops the query with its row."""
    if len(cells) == 1:
        shown, said = cells[0], f"'{names[0]}' is needed as 'right{OF}attempts' (5{OF}10)"
        cells = [f"split_part({cells[0]}, '{OF}', {place})" for place in (1, 2)]
    else:
        shown = f"concat_ws(' of ', {', '.join(cells)})"
        said = f"'{names[0]}' counts how many of '{names[1]}' attempts were right"
    # '1.0' is a whole number as a data frame writes it beside an empty cell; a cast alone would round '1.5'.
    whole = (f"regexp_extract(trim({cell}), '^([0-9]+)([.]0+)?$', 1)" for cell in cells)
    c, n = (f"try_cast({text} AS BIGINT)" for text in whole)
    turn = f"hash(place, {salt}) % {n}"
    dealt = f"list_transform(range({n}), lambda i: CASE WHEN (i + {turn}) % {n} < {c} THEN '1' ELSE '0' END)"
    said = literal(f"; {said}, of 1 to {MOST:,}")
    refusal = f"error(concat('row ', place, ' has ', {shown}, {said}))"
    empty = " AND ".join(f"coalesce(trim({cell}), '') = ''" for cell in cells)
    return (
        f"CASE WHEN {empty} THEN NULL WHEN {c} BETWEEN 0 AND {n} AND {n} BETWEEN 1 AND {MOST} "
        f"THEN '[' || array_to_string({dealt}, ',') || ']' ELSE CAST({refusal} AS VARCHAR) END"
    )


def may_be_counted(names: Sequence[str]) -> bool:
    """Whether one of the columns is called like a number of attempts, or of points."""
    return any(normal(name) in TOTALS or normal(name) in MAXIMA for name in names)


def refuse_counts(layout: Layout, cells: Cells, names: Sequence[str], likely: Sequence[str]) -> None:
    """Raise an error where one of the columns counts how many of another one's attempts, or points, were right.

    Args:
        layout: The roles of the columns.
        cells: The cells.
        names: The columns that may say how many attempts there were.
        likely: Those that may be the score.
    """
    totals = [name for name in names if normal(name) in TOTALS]
    right = [name for name in likely if normal(name) in RIGHT and name not in totals]
    pair = next(((c, n) for n in totals for c in right if _are_counts(c, n, cells)), None)
    if pair is None:
        _refuse_points(layout, cells, [name for name in names if normal(name) in MAXIMA])
        return
    from scorebars.readers.scoreless import ScorelessError, in_sql

    c, n = pair
    score = f"{c}{OF}{n}"
    if "item" in layout.roles:
        share = f"{in_sql(c)} / {in_sql(n)}"
        points = (
            f"SELECT *, {share} AS score" if c not in layout.scores else f"SELECT * REPLACE ({share} AS {in_sql(c)})"
        )
        raise UnclearError(
            f"'{c}' counts how many of '{n}' were right: attempts ({mapped({'score': score})}), or parts of one "
            f"attempt, such as tests ({in_shell('--sql', f'{points} FROM data')}); if it is a score as it stands: "
            f"{mapped({'score': c})}",
            {"score": score},
        )

    groups = [in_sql(name) for role in ("model", "task") for name in layout.roles.get(role, ())]
    item = f"concat_ws('-', {', '.join(['i', *groups])})"
    query = (
        f"SELECT * EXCLUDE ({in_sql(c)}, {in_sql(n)}, i), {item} AS item, (i <= {in_sql(c)})::INT AS score "
        f"FROM (SELECT *, unnest(range(1, {in_sql(n)} + 1)) AS i FROM data)"
    )
    raise ScorelessError(
        f"'{c}' counts how many of '{n}' items were right, but not which ones, so that models cannot be compared "
        "item by item: read the per-item files, or count each as an item of its own (--sql)",
        {},
        options={"--sql": query},
    )


def _refuse_points(layout: Layout, cells: Cells, maxima: Sequence[str]) -> None:
    """Raise an UnclearError where a score beside its maximum, which is not the same in every row, is not above it."""
    if len(layout.scores) != 1 or not maxima:
        return
    score, most = layout.scores[0], maxima[0]
    points, top = (f"try_cast(w{place} AS DOUBLE)" for place in range(2))
    found = cells.engine.query(
        f"SELECT coalesce(bool_and({points} <= {top} AND {top} > 0), false) AS fit, count(DISTINCT {top}) AS n "
        f"FROM (SELECT * FROM ({cells.source.scan([score, most])}) LIMIT 1000) WHERE {points} IS NOT NULL"
    )
    if not found["fit"][0] or found["n"][0] < 2:
        return
    from scorebars.readers.scoreless import in_sql

    column, whole = in_sql(score), in_sql(most)
    query = f"SELECT * EXCLUDE ({whole}) REPLACE ({column} / {whole} AS {column}) FROM data"
    raise UnclearError(
        f"'{score}' counts points of '{most}', which differs from row to row, so that an item of more points counts "
        f"for more: take the share of each ({in_shell('--sql', query)}); if the points count as they stand: "
        f"{mapped({'score': score})}",
        {},
        options={"--sql": query},
    )


def _are_counts(right: str, total: str, cells: Cells) -> bool:
    """Whether the first rows hold whole numbers, the one never above the other, and are no 0 and 1."""
    c, n = (f"try_cast(w{place} AS DOUBLE)" for place in range(2))
    found = cells.engine.query(
        f"SELECT coalesce(bool_and({c} = floor({c}) AND {n} = floor({n}) AND {c} BETWEEN 0 AND {n}), false) AS fit, "
        f"coalesce(max({c}), 0) AS most FROM (SELECT * FROM ({cells.source.scan([right, total])}) LIMIT 1000) "
        "WHERE trim(w0) <> '' OR trim(w1) <> ''"
    )
    return bool(found["fit"][0]) and found["most"][0] > 1


def may_hold_parts(head: bytes) -> bool:
    """Whether a cell of a text may be '5/10'."""
    return head.startswith(b"PAR1") or _IN_TEXT.search(head) is not None


def is_part(cell: str | None) -> bool:
    """Whether a cell is of the form 5/10."""
    return cell is not None and OF in cell and re.fullmatch(_CELL[1:-1], cell.strip()) is not None


_POINTS: Final = frozenset({"rating", "ratings", "grade", "grades", "points", "stars", "likert", "marks", "mark"})
"""Headers of what one attempt is given, on a scale that is the whole."""


def refuse_parts(scores: Sequence[str], cells: Cells) -> None:
    """Raise an UnclearError where the cells of the score are of the form 5/10: attempts, or points."""
    found = cells.mostly(_CELL, scores)
    if not found:
        return
    from scorebars.readers.scoreless import in_sql

    name, example = found[0]
    column = in_sql(name)
    c, n = (text.strip() for text in example.split(OF))
    parts = (f"split_part({column}::VARCHAR, '{OF}', {place})::DOUBLE" for place in (1, 2))
    points = f"SELECT * REPLACE ({' / '.join(parts)} AS {column}) FROM data"
    score = {"score": f"{name}{OF}"}
    are_attempts = f"{c} of {n} attempts ({mapped(score)})"
    are_points = f"{c} of {n} points of one attempt ({in_shell('--sql', points)})"
    start = f"'{name}' holds parts of a whole, such as '{example}': "
    if normal(name) in _POINTS:
        raise UnclearError(f"{start}{are_points}, or {are_attempts}", {}, options={"--sql": points})
    raise UnclearError(f"{start}{are_attempts}, or {are_points}", score)
