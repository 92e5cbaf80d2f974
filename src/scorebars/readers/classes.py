"""Right answers beside predictions, or beside how sure they were: what precision, recall, F1 and AUROC are typed with.

These take two columns and no score, so that what is proposed for a mean (count what is equal) is no use to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapped, mapping_text, normal
from scorebars.engines.score_text import is_verdict
from scorebars.engines.unknown_headers import GOLD, PREDICTED
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.columns import JOINED
from scorebars.readers.scoreless import (
    FIRST_ROWS,
    MOST_WORDS,
    PROBABILITIES,
    VERDICTS,
    ScorelessError,
    in_sql,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.duckdb import Engine
    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout
    from scorebars.readers.sources import Source

_OF_PREDICTIONS: Final = ("f1", "precision", "recall")
_SURE: Final = (*PROBABILITIES, "score", "scores", "probability", "prob", "proba", "confidence", "logit", "logits")
_AS_DEFAULT: Final = {"f1": "label,prediction", "auroc": "label,score"}
_BINARY: Final = frozenset({"0", "1", "0.0", "1.0", "true", "false", "yes", "no"})
_POSITIVE: Final = ("positive", "pos", "yes", "true", "1", "spam", "toxic", "unsafe", "hate", "fraud", "relevant")

Instead = dict[str, tuple[str, dict[str, str]]]


def of_classes(source: Source, columns: Mapping[str, str], engine: Engine) -> Instead:
    """Estimator -> (what stands above the command, its options) of those that the columns serve.

    Args:
        source: The columns of the file.
        columns: What was typed with ``--map``.
        engine: What reads the cells.
    """
    names = {normal(name): name for name in source.names if name}
    gold = next((names[header] for header in GOLD if header in names), "")
    predicted = next((names[header] for header in PREDICTED if header in names and names[header] != gold), "")
    sure = next((names[header] for header in _SURE if header in names and names[header] != gold), "")
    found: Instead = {}
    if gold and predicted and (made := _options(source, columns, engine, [gold, predicted])):
        found |= {name: _named(name, made, gold, predicted) for name in _OF_PREDICTIONS}
    if gold and sure and (made := _options(source, columns, engine, [gold], sure)):
        found["auroc"] = _named("auroc", made, gold, sure)
    return found


def answers_and_sure(names: Sequence[str]) -> tuple[str, str] | None:
    """The column of right answers and that of how sure a model was, where there are both: neither is a score.

    >>> answers_and_sure(["id", "y_true", "y_score"]), answers_and_sure(["id", "confidence"])
    (('y_true', 'y_score'), None)
    """
    by_header = {normal(name): name for name in names if name}
    gold = next((by_header[header] for header in GOLD if header in by_header and header not in PREDICTED), "")
    sure = next((by_header[header] for header in _SURE if header in by_header), "")
    return (gold, sure) if gold and sure else None


def refuse_probabilities(layout: Layout, cells: Cells, *, likely: Sequence[str] = ()) -> None:
    """Raise a ScorelessError where right answers stand beside how sure a model was, and nothing says what it said.

    Args:
        layout: The roles of the columns.
        cells: The cells.
        likely: Columns that look like the score; another one than these two goes before them.
    """
    found = answers_and_sure(layout.ignored)
    if found is None or set(likely) - set(found):
        return
    gold, sure = found
    may_be_score = normal(gold) in VERDICTS and normal(sure) not in PROBABILITIES
    words = words_in(gold, cells) if may_be_score else []
    if (words and all(map(is_verdict, words))) or cells.score_like([sure]) != (sure,):
        return
    held = _held(cells.source, cells.engine, [gold]) or ()
    typed = {role: JOINED.join(layout.roles[role]) for role in layout.asked if role in layout.roles}
    made = _options(cells.source, typed, cells.engine, [gold], sure) if len(held) == 2 else None
    said = f"it holds no score, but right answers ('{gold}') and how sure a model was ('{sure}')"
    if made is None:
        raise ScorelessError(f"{said}: name the score (--map score=COLUMN), or add what was predicted", {})
    lead, options = _named("auroc", made, gold, sure)
    looked_for = lead.removeprefix("for auroc").removesuffix(":")
    right = f"; or '{gold}' says what was right ({mapped({'score': gold})})" if may_be_score and not looked_for else ""
    raise ScorelessError(f"{said}, of which AUROC is made{looked_for}{right}", {}, options=options)


def _named(name: str, made: tuple[str, dict[str, str]], *columns: str) -> tuple[str, dict[str, str]]:
    """With the estimator, and the columns behind it where they are not its own."""
    lead, options = made
    given = ",".join(columns)
    own = _AS_DEFAULT.get(name, _AS_DEFAULT["f1"])
    return f"for {name}{lead}:", {"--estimator": name if given == own else f"{name}:{given}", **options}


def _options(
    source: Source, columns: Mapping[str, str], engine: Engine, classes: Sequence[str], *more: str
) -> tuple[str, dict[str, str]] | None:
    """Which class counts, and the mapping and query; None where there are too many classes, or names with a sign."""
    if any(set(",+:") & set(name) for name in (*classes, *more)):
        return None
    mapping = {"--map": mapping_text({**columns, "score": "+".join((*classes, *more))})}
    held = _held(source, engine, classes)
    if held is None:
        return None
    if {text.lower() for text in held} <= _BINARY:
        return "", mapping
    one = next((text for word in _POSITIVE for text in held if text.lower() == word), held[-1])
    parts = ", ".join(f"({in_sql(name)}::VARCHAR = {literal(one)})::INT AS {in_sql(name)}" for name in classes)
    others = ", ".join(f"'{text}'" for text in held if text != one)
    from scorebars.readers.proposals import (
        queried,
    )  # only where something is to be proposed: tables of models pass here

    query = queried({"--sql": f"SELECT * REPLACE ({parts}) FROM data"}, source)
    return (f", with '{one}' as the class that is looked for (others: {others})", mapping | query) if query else None


def _held(source: Source, engine: Engine, names: Sequence[str]) -> list[str] | None:
    """The few different texts of columns; None where there are more, or fewer than two."""
    cells = ", ".join(trimmed_cells(len(names)))
    rows = f"SELECT unnest([{cells}]) AS cell FROM (SELECT * FROM ({source.scan(names)}) LIMIT {FIRST_ROWS})"
    found = engine.query(f"SELECT DISTINCT cell FROM ({rows}) WHERE cell <> '' ORDER BY cell LIMIT {MOST_WORDS + 1}")
    held: list[str] = found["cell"].tolist()
    return held if 2 <= len(held) <= MOST_WORDS else None
