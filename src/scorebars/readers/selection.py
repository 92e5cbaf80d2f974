"""The SELECT that brings a table under our names: renames, joins, numbers, turns columns and lists into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

JOINER: Final = "+"
"""Between the values of joined columns, as in Scores: 'claude-code+claude-opus-4-8'."""
OTHER_WORDS: Final = 50
"""Words without a number that are looked at for what a misspelt category may mean."""
FINE: Final = (
    "",
    "false",
    "0",
    "none",
    "null",
    "nan",
    "no",
    "{}",
    "[]",
    "ok",
    "success",
    "completed",
    "passed",
    "finished",
)
"""What stands, in lower case, in the error column of a row that is no error."""


def plain_selection(layout: Layout, source: Source, model: str) -> tuple[str, list[str]]:
    """The SELECT that only renames and joins, for one score column and an item in every row; and its roles."""
    wanted, place = _wanted(layout)
    columns = _columns(layout, place, model)
    return f"SELECT {_listed(columns)} FROM ({source.scan(wanted)})", list(columns)


def selection(layout: Layout, source: Source, model: str) -> tuple[str, list[str]]:
    """The SELECT that renames, joins, and turns several score columns into rows; and the roles that it has."""
    wanted, place = _wanted(layout)
    columns = _columns(layout, place, model)
    filled = f"coalesce({', '.join(place.values())}) IS NOT NULL"
    rows = _rows(layout, source, wanted)
    if not layout.wide and not layout.several and set(wanted) == set(layout.scores):
        # A row that is nothing but its score is a place: without one it is missing, and the next keep theirs.
        last = f"QUALIFY source_row <= max(source_row) FILTER (WHERE {filled}) OVER ()"
        kept = last if source.blank_lines else ""
    else:
        kept = f"WHERE {filled}"
    selected = f"SELECT {_listed(columns)}, row_hash, source_row FROM ({rows}) {kept}"
    roles = [*dict.fromkeys((*columns, "item", "row_hash"))]
    if (
        layout.wide or layout.several or layout.spread or layout.lists or layout.only
    ):  # a row of the file is several here, or none
        roles.append("source_row")
    numbered = _numbered(selected, columns, layout)
    if not layout.lists:
        return numbered, roles
    role = layout.placed or "run"
    return _exploded(numbered, role, is_joined=role in columns), [*dict.fromkeys((*roles, role))]


def _rows(layout: Layout, source: Source, wanted: Sequence[str]) -> str:
    """The cells of the wanted columns with the number of each row in the file; of one split, if only that counts."""
    more = [layout.only[0]] if layout.only else []
    rows = f"SELECT *, row_number() OVER () AS source_row FROM ({source.scan([*wanted, *more], hashed=True)})"
    if layout.only is None:
        return rows
    place = f"w{len(wanted)}"
    return f"SELECT * EXCLUDE ({place}) FROM ({rows}) WHERE trim({place}) = {literal(layout.only[1])}"


def _wanted(layout: Layout) -> tuple[list[str], dict[str, str]]:
    """The columns that play a role, and the name of each in a scan."""
    wanted = list(dict.fromkeys((*(name for names in layout.roles.values() for name in names), *layout.scores)))
    wanted += [name for name in layout.statuses if name not in wanted]
    return wanted, {name: f"w{number}" for number, name in enumerate(wanted)}


def _listed(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{sql} AS {role}" for role, sql in columns.items())


def _columns(layout: Layout, place: Mapping[str, str], model: str) -> dict[str, str]:
    """Role -> SQL over a scan."""
    columns = {role: _joined([place[name] for name in names]) for role, names in layout.roles.items()}
    if "weight" in columns:
        number = f"coalesce(try_cast({columns['weight']} AS DOUBLE), 'nan'::DOUBLE)"  # which is refused with its row
        columns["weight"] = f"CASE WHEN {columns['weight']} IS NOT NULL THEN {number} END"
    labels = {"model": layout.models, "metric": layout.metrics, "run": layout.runs, "item": layout.items}
    columns |= {role: f"unnest([{', '.join(map(literal, texts))}])" for role, texts in labels.items() if texts}
    if layout.several or layout.wide or layout.spread:
        columns["score"] = f"unnest([{', '.join(place[name] for name in layout.scores)}])"
    else:
        columns["score"] = place[layout.scores[0]]
    columns.setdefault("model", literal(model))
    if layout.metric:
        columns["metric"] = literal(layout.metric)
    if layout.statuses:
        columns["status"] = _status([place[name] for name in layout.statuses])
    return columns


def numbered_words(categories: Mapping[str, float]) -> str:
    """The score column, its categories as their numbers; capitals do not matter."""
    if not categories:
        return "score"
    cases = " ".join(f"WHEN {literal(word.strip().lower())} THEN '{value!r}'" for word, value in categories.items())
    return f"CASE lower(trim(score)) {cases} ELSE score END AS score"


def words_of(table: str, categories: Mapping[str, float], engine: Engine) -> tuple[str, ...]:
    """The words that scores of a table are: the categories among them as they were typed, and some of the others.

    Of these the shortest go first, since a letter may need a number too.
    """
    typed = {word.strip().lower(): word for word in categories}
    given = ", ".join(map(literal, typed))
    found = engine.query(
        f"SELECT DISTINCT lower(trim(score)) AS word FROM {table} WHERE word IN ({given}) "
        f"UNION ALL (SELECT min(trim(score)) AS word FROM {table} "
        f"WHERE lower(trim(score)) NOT IN ({given}) AND try_cast(trim(score) AS DOUBLE) IS NULL "
        f"GROUP BY lower(trim(score)) ORDER BY length(word), word LIMIT {OTHER_WORDS})"
    )
    return tuple(typed.get(word, word) for word in found["word"].tolist())


def _exploded(rows: str, role: str, *, is_joined: bool) -> str:
    """One row an element of the list in a score cell, numbered as its run or item; an empty list is one row without.

    Args:
        rows: The rows.
        role: 'run' or 'item'.
        is_joined: Whether a column gives the role as well: the number stands behind its text.
    """
    elements = (
        "CASE WHEN trim(score) = '[]' THEN [NULL] WHEN trim(score) LIKE '[%]' THEN list_transform("
        f"string_split(trim(score)[2:-2], ','), lambda cell: {_bare('trim(cell)')}) "
        "ELSE [score] END"
    )
    position = "CAST(position AS VARCHAR)"
    number = f"concat_ws({literal(JOINER)}, {role}, {position})" if is_joined else position
    left = f"score, {role}" if is_joined else "score"
    return (
        f"SELECT * EXCLUDE ({left}, cells, position), cells[position] AS score, {number} AS {role} FROM (SELECT *, "
        f"unnest(range(1, len(cells) + 1)) AS position FROM (SELECT *, {elements} AS cells FROM ({rows}))) "
        "ORDER BY source_row, position"
    )


def _bare(cell: str) -> str:
    """A text without the quotes around it."""
    for sign in ('"', "'"):
        cell = f"regexp_replace({cell}, {literal(f'^{sign}(.*){sign}$')}, '\\1')"
    return cell


def _joined(places: Sequence[str]) -> str:
    """One trimmed text; NULL only if every part is."""
    trimmed = [_trimmed(place) for place in places]
    return trimmed[0] if len(trimmed) == 1 else f"nullif(concat_ws({literal(JOINER)}, {', '.join(trimmed)}), '')"


def _trimmed(place: str) -> str:
    """A text without blanks around it; NULL if none is left. Most have none, which is told from their ends."""
    bare = f"strlen({place}) = length({place}) AND {place} >= '!' AND NOT ends_with({place}, ' ')"
    return f"CASE WHEN {bare} THEN {place} ELSE nullif(trim({place}), '') END"


def _status(places: Sequence[str]) -> str:
    fine = ", ".join(literal(word) for word in FINE)
    said = " OR ".join(f"coalesce(lower(trim({place})), '') NOT IN ({fine})" for place in places)
    return f"CASE WHEN {said} THEN 'error' ELSE 'ok' END"


def _numbered(selected: str, columns: Mapping[str, str], layout: Layout) -> str:
    """Give rows without an item their number: of the row (wide), or within model, task, run, metric and variant.

    Beside a run, the rows of a wide table are told apart by it: a seed's row is no item.
    """
    if "item" in columns or layout.placed == "item":
        return selected
    if layout.wide and "run" not in columns:
        return f"SELECT *, CAST(source_row AS VARCHAR) AS item FROM ({selected})"
    groups = ", ".join(role for role in ("model", "task", "run", "metric", "variant") if role in columns)
    number = f"row_number() OVER (PARTITION BY {groups} ORDER BY source_row)"
    return f"SELECT *, CAST({number} AS VARCHAR) AS item FROM ({selected}) ORDER BY source_row"
