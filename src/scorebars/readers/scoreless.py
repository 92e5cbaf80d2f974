"""Tables in which no column is known as the score, and none looks like it: what there may be in its place.

Answers beside predictions, which are scored by a query; words for grades, of which each needs its number; tracked runs
(MLflow), whose columns are called ``metrics.…``, ``params.…`` and ``tags.…``. All are proposed, none is guessed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scorebars.engines.duckdb import literal, quote
from scorebars.engines.headers import is_unnamed, less_is_better, mapped, normal
from scorebars.engines.score_text import categories_of, grade_of, is_verdict, words_to_number
from scorebars.engines.unknown_headers import GOLD, PREDICTED, predicted_among
from scorebars.errors import typed
from scorebars.readers.columns import JOINED, UnclearError
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

_PARTS: Final = ("prediction", "pred", "output", "response", "answer")
"""Ends of headers of what several models said: 'gpt_prediction'."""
_BEGINNINGS: Final = ("y_pred", "y_hat", "pred", "prediction")
"""Beginnings of such headers: 'y_pred_forest'."""
_WORDS: Final = (*((-1, part) for part in _PARTS), *((0, part) for part in _BEGINNINGS))
PROBABILITIES: Final = frozenset({"y_score", "y_scores", "y_prob", "y_proba", "y_probs"})
"""Headers of how sure a classifier was, which is neither a score nor a prediction."""
VERDICTS: Final = frozenset(
    {
        *("verdict", "grade", "judgement", "judgment", "rating", "result", "outcome", "assessment", "evaluation"),
        *("quality", "correctness", "decision", "label", "judge", "eval"),
    }
)
"""Headers of grades in words."""
MOST_WORDS: Final = 7
"""Words of a column that may be grades."""
LONGEST_WORD: Final = 30
COLUMNS: Final = 20
"""Columns that are looked at for grades."""
FIRST_ROWS: Final = 20_000


class ScorelessError(NoScores, UnclearError):
    """No column holds a score; what would make one is proposed."""


def refuse_predictions(layout: Layout, cells: Cells, *, likely: Sequence[str] = ()) -> None:
    """Raise a ScorelessError where right answers stand beside what was predicted.

    Args:
        layout: The roles of the columns.
        cells: The cells.
        likely: Columns that look like the score; another one than these two goes before them.
    """
    free = {normal(name): name for name in layout.ignored if not is_unnamed(name)}
    gold = next((free[header] for header in GOLD if header in free), "")
    predicted = next((free[header] for header in PREDICTED if header in free and free[header] != gold), "")
    several = [] if predicted or "model" in layout.roles else _of_several(free, gold)
    if not gold or not (predicted or len(several) > 1):
        return
    said = several or [predicted]
    others = set(likely) - {gold, *said}
    _refuse_verdicts(gold, said, layout.ignored, cells, others)
    if others:
        return
    raise ScorelessError(
        f"it holds no score, but right answers ('{gold}') and predictions ({_listed(said)}): score them, with --sql "
        "where a prediction is right if it is the same text, else with a judge or a metric of your own",
        {},
        options={"--sql": _by_model(gold, several, cells) if several else _by_row(gold, predicted, cells)},
    )


def refuse_right_answers(layout: Layout, cells: Cells) -> None:
    """Raise an UnclearError where the score, by its header 'correct', may be the right answer beside what was said.

    Both hold the same words; a column of right answers besides says that it is not.
    """
    gold = layout.scores[0]
    for predicted in predicted_among(layout.ignored):
        words = cells.words_of([predicted, gold], MOST_WORDS)
        if len(words[gold]) < 2 or {word.lower() for word in words[gold]} != {
            word.lower() for word in words[predicted]
        }:
            continue
        right = _scored(gold, [predicted], in_sql(predicted), cells)
        if words[gold] != words[predicted]:
            right = f"(lower({in_sql(predicted)}::VARCHAR) = lower({in_sql(gold)}::VARCHAR))::INT"
        raise UnclearError(
            f"'{gold}' and '{predicted}' hold the same words ({_listed(sorted(words[gold]))}): '{gold}' is the right "
            f"answer to what '{predicted}' predicts (score it, with --sql), or says whether that was right "
            f"({mapped({'score': gold})})",
            {},
            options={"--sql": f"SELECT * EXCLUDE ({in_sql(gold)}), {right} AS score FROM data"},
        )


def refuse_answers_among(models: Sequence[str], cells: Cells, *, free: Sequence[str] = ()) -> None:
    """Raise an UnclearError where one of the columns that may be models is called like the right answers.

    A column that says whether predictions were right, of these or among the ``free`` ones, goes before them.
    """
    by_header = {normal(name): name for name in models}
    gold = next((by_header[header] for header in GOLD if header in by_header), "")
    others = [name for name in models if name != gold and normal(name) not in PROBABILITIES]
    if not gold or not others:
        return
    predicted = [by_header[header] for header in PREDICTED if by_header.get(header) in others]
    if predicted:
        _refuse_verdicts(gold, predicted[:1], free, cells)
    sql = _by_row(gold, predicted[0], cells) if len(others) == len(predicted) == 1 else _by_model(gold, others, cells)
    as_models = "" if len(others) < 2 else f", or scores of models ({mapped({'model': JOINED.join(others)})})"
    raise UnclearError(
        f"'{gold}' is called like the right answers, so that {_listed(others)} may be predictions (score them with "
        f"--sql{_how(sql)}){as_models}",
        {},
        options={"--sql": sql},
    )


def _refuse_verdicts(
    gold: str, predicted: Sequence[str], free: Sequence[str], cells: Cells, likely: Collection[str] = ()
) -> None:
    """Raise a ScorelessError where a column says whether the predictions were right: a query would say it otherwise.

    Nothing where another column is ``likely`` the score.
    """
    from scorebars.readers.verdicts import as_score, verdicts_beside

    found = verdicts_beside(gold, predicted, free, cells)
    if found and set(likely) <= set(found):
        raise ScorelessError(
            f"no column is known to hold the score; beside right answers ('{gold}') and predictions "
            f"({_listed(predicted)}), {as_score(found)}",
            {"score": found[0]} if len(found) == 1 else {},
        )


def _how(sql: str) -> str:
    """What a query counts where it is not what is equal."""
    return ", here as minus their distance, the nearer the better" if "-abs(" in sql else ""


def _of_several(free: Mapping[str, str], gold: str) -> list[str]:
    """The columns that end in one word for predictions, or begin with it; the rest of the header is the model."""
    others = [name for name in free.values() if name != gold]
    for place, part in _WORDS:
        found = [name for name in others if _has(name, place, part)]
        if len(found) > 1:
            return found
    return []


def _has(name: str, place: int, part: str) -> bool:
    """Whether a header begins (0) or ends (-1) with a word, and has another one."""
    header = normal(name)
    return header.startswith(f"{part}_") if place == 0 else header.endswith(f"_{part}")


def _model_of(predicted: Sequence[str]) -> str:
    """The model that a header names, in SQL: what is left without the word for predictions."""
    words = [(place, part) for place, part in _WORDS if all(_has(name, place, part) for name in predicted)]
    if not words:
        return "header"
    place, part = words[0]
    pattern = part.replace("_", "[^a-zA-Z0-9]*")
    pattern = f"^{pattern}[^a-zA-Z0-9]*" if place == 0 else f"[^a-zA-Z0-9]*{pattern}"
    return f"regexp_replace(header, '{pattern}', '', 'i')"


def _by_row(gold: str, predicted: str, cells: Cells) -> str:
    return f"SELECT *, {_scored(gold, [predicted], in_sql(predicted), cells)} AS score FROM data"


def _by_model(gold: str, predicted: Sequence[str], cells: Cells) -> str:
    columns = ", ".join(map(in_sql, predicted))
    return (
        f"SELECT * EXCLUDE (header, said), {_model_of(predicted)} AS model, "
        f"{_scored(gold, predicted, 'said', cells)} AS score "
        f"FROM data UNPIVOT INCLUDE NULLS (said FOR header IN ({columns}))"
    )


def _scored(gold: str, predicted: Sequence[str], said: str, cells: Cells) -> str:
    """The score of a prediction: 1 where it is equal, of numbers as numbers, of texts as texts, of both as texts.

    A measured number is never hit; how far off a prediction is counts against it.
    """
    numbers = _are_numbers([gold, *predicted], cells)
    if all(numbers) and _is_measured(gold, cells):
        return f"-abs({said} - {in_sql(gold)})"
    if len(set(numbers)) == 1:
        return f"({said} = {in_sql(gold)})::INT"
    return f"({said}::VARCHAR = {in_sql(gold)}::VARCHAR)::INT"


def _is_measured(gold: str, cells: Cells) -> bool:
    """Whether right answers are measured numbers, not classes: most of them have a fraction."""
    found = cells.engine.query(
        f"SELECT count(*) AS n, count(*) FILTER (x <> round(x)) AS parts FROM (SELECT try_cast(w0 AS DOUBLE) AS x FROM "
        f"({cells.source.scan([gold])}) LIMIT {FIRST_ROWS}) WHERE x IS NOT NULL"
    )
    return 2 * int(found["parts"][0]) > int(found["n"][0])


def _are_numbers(names: Sequence[str], cells: Cells) -> list[bool]:
    """Whether all filled cells of each column are numbers, as far as a look at the first rows goes."""
    tests = ", ".join(
        f"coalesce(bool_and(try_cast(w{place} AS DOUBLE) IS NOT NULL) FILTER (trim(w{place}) <> ''), false) AS n{place}"
        for place in range(len(names))
    )
    found = cells.engine.query(f"SELECT {tests} FROM (SELECT * FROM ({cells.source.scan(names)}) LIMIT {FIRST_ROWS})")
    return [bool(found[f"n{place}"][0]) for place in range(len(names))]


def in_sql(name: str) -> str:
    """A column as people type it in SQL: in quotes only where it needs them."""
    return name if name.isidentifier() and name.isascii() else quote(name)


COMMAS: Final = re.compile(rb"""["';\t|]\s*[+-]?\d+,\d+\s*%?\s*["';\t|\r\n]""")
"""A cell that may be a number with a decimal comma, in the bytes of a file."""
_DECIMAL_COMMA: Final = r"^[+-]?(0,[0-9]+|[0-9]+,([0-9]{1,2}|[0-9]{4,})) ?%?$"
"""A number with a comma before its fraction; '1,234' may also be a thousand."""


def refuse_decimal_commas(layout: Layout, cells: Cells, *, scores: Sequence[str] = ()) -> None:
    """Raise a ScorelessError where columns hold numbers with a decimal comma, which are no numbers as they stand.

    Of known ``scores`` these alone are looked at: two such cells are enough, beside whole numbers.
    """
    asked = [name for role in layout.asked for name in layout.roles.get(role, ())]
    free = [name for name in dict.fromkeys(scores or (*layout.ignored, *asked)) if not is_unnamed(name)][:COLUMNS]
    found = cells.mostly(_DECIMAL_COMMA, free, least=2 if scores else None)
    if not found:
        return
    names = [name for name, _ in found]
    turned = ", ".join(f"replace({in_sql(name)}::VARCHAR, ',', '.') AS {in_sql(name)}" for name in names)
    raise ScorelessError(
        f"{_listed(names[:6])} {'hold numbers' if len(names) > 1 else 'holds numbers'} with a decimal comma, such as "
        f"'{found[0][1]}'; write {found[0][1].replace(',', '.')}, or turn them with --sql",
        {},
        options={"--sql": f"SELECT * REPLACE ({turned}) FROM data"},
    )


def refuse_words(layout: Layout, cells: Cells, *, among: Sequence[str] = ()) -> None:
    """Raise a ScorelessError where one column, or one ``among`` these, holds a few words that may be grades."""
    free = [name for name in among or layout.ignored if not is_unnamed(name)]
    free.sort(key=lambda name: normal(name) not in VERDICTS)
    held = {name: words for name in free[:COLUMNS] if (words := words_in(name, cells))}
    named = [name for name in held if normal(name) in VERDICTS]
    known = [name for name, words in held.items() if all(grade_of(word) is not None for word in words)]
    better = [name for name in known if not less_is_better(name)]
    chosen = next((some for some in (named, better, known) if len(some) == 1), [])
    if not chosen:
        return
    none = "it holds no scores: none of its columns has numbers, or words for right and wrong"
    if less_is_better(chosen[0]):
        raise _turned(chosen[0], held[chosen[0]])
    unknown = "no column is known to hold the score"
    verdicts = all(map(is_verdict, held[chosen[0]]))
    raise _worded(chosen[0], held[chosen[0]], unknown if among or verdicts else none)


def _turned(name: str, held: Sequence[str]) -> ScorelessError:
    """The error that a column counts what is wrong, with the query that turns it round, where its words are known."""
    said = f"no column is known to hold the score; '{name}' holds {_listed(held)}, and says by name that less is better"
    wrong = [word for word in held if grade_of(word) == 0.0]
    if len(held) != 2 or len(wrong) != 1:
        return ScorelessError(said, {})
    # A query reads words for yes and no as booleans.
    none = ", ".join(map(literal, dict.fromkeys((wrong[0].lower(), "false"))))
    query = f"SELECT * EXCLUDE ({in_sql(name)}), (lower({in_sql(name)}::VARCHAR) IN ({none}))::INT AS score FROM data"
    return ScorelessError(f"{said}: turn it round, with --sql", {}, options={"--sql": query})


def refuse_status(layout: Layout, cells: Cells) -> None:
    """Raise a ScorelessError where the status says pass or fail; a run that is a success may have a wrong answer."""
    for name in layout.statuses:
        words = words_in(name, cells)
        if any(is_verdict(word) and word.lower() != "success" for word in words):
            raise _worded(name, words, "no column is known to hold the score")


def _worded(name: str, held: Sequence[str], start: str) -> ScorelessError:
    """The error that a column of words may be the score, with the number of each word that is not known."""
    words = words_to_number(held)
    numbers = categories_of(words)
    mapping = mapped({"score": name})
    said = f"it is the score, and the number of each word ({mapping} {typed('--category', numbers)})"
    said = said if words else f"it is the score ({mapping})"
    sentence = f"{start}; '{name}' holds {_listed(words or held)}: say that {said}"
    if "=NUMBER" in numbers:
        return ScorelessError(sentence, {})
    return ScorelessError(sentence, {"score": name}, options={"--category": numbers} if words else {})


def words_in(name: str, cells: Cells) -> list[str]:
    """The few different words of a column, which repeat; nothing where it holds anything else."""
    rows = f"SELECT trim(w0) AS cell FROM ({cells.source.scan([name])}) LIMIT {FIRST_ROWS}"
    found = cells.engine.query(
        f"SELECT cell, count(*) AS n FROM ({rows}) WHERE cell <> '' GROUP BY cell ORDER BY n DESC, cell "
        f"LIMIT {MOST_WORDS + 1}"
    )
    words = found["cell"].tolist()
    fit = 1 < len(words) <= MOST_WORDS and all(map(_is_word, words)) and int(found["n"].sum()) > len(words)
    return words if fit else []


def _is_word(text: str) -> bool:
    return len(text) <= LONGEST_WORD and any(map(str.isalpha, text)) and not set(",=") & set(text)


def tracked(layout: Layout, numbers: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """The mapping that a table of tracked runs may need: a metric, the model's tag or parameter, the run's id."""
    metrics = [name for name in numbers if name.startswith("metrics.")]
    if not metrics:
        return {}
    by_name = {normal(name): name for name in names}
    model = next((by_name[header] for header in _MODELS if header in by_name), "")
    run = next((by_name[header] for header in _RUN_IDS if header in by_name), "")
    guess = {"model": model, "run": run}
    return {role: name for role, name in guess.items() if name and role not in layout.roles}


_MODELS: Final = tuple(
    f"{group}.{name}"
    for name in ("model", "model_name", "model_id", "llm", "model_name_or_path", "mlflow.run_name")
    for group in ("tags", "params")
)
_RUN_IDS: Final = ("run_id", "run_uuid", "attributes.run_id")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
