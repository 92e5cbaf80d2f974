"""Right answers beside predictions, or beside how sure they were: what precision, recall, F1 and AUROC are typed with.

These take two columns and no score, so that what is proposed for a mean (count what is equal) is no use to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal
from scorebars.engines.headers import mapping_text, normal
from scorebars.engines.unknown_headers import GOLD, PREDICTED
from scorebars.readers.cells import trimmed_cells
from scorebars.readers.proposals import queried
from scorebars.readers.scoreless import FIRST_ROWS, MOST_WORDS, PROBABILITIES, in_sql

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.engines.duckdb import Engine
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
    query = queried({"--sql": f"SELECT * REPLACE ({parts}) FROM data"}, source)
    return (f", with '{one}' as the class that is looked for (others: {others})", mapping | query) if query else None


def _held(source: Source, engine: Engine, names: Sequence[str]) -> list[str] | None:
    """The few different texts of columns; None where there are more, or fewer than two."""
    cells = ", ".join(trimmed_cells(len(names)))
    rows = f"SELECT unnest([{cells}]) AS cell FROM (SELECT * FROM ({source.scan(names)}) LIMIT {FIRST_ROWS})"
    found = engine.query(f"SELECT DISTINCT cell FROM ({rows}) WHERE cell <> '' ORDER BY cell LIMIT {MOST_WORDS + 1}")
    held: list[str] = found["cell"].tolist()
    return held if 2 <= len(held) <= MOST_WORDS else None
