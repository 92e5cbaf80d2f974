"""Score text -> number, here alone, so that a CSV, a log and a frame read the same cell the same way.

Understood: numbers; yes-or-no words as 1 and 0; percentages as fractions; empty cells as missing. Anything else is
refused, because a guess would be a wrong score that nobody sees.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from scorebars.errors import ScoresError, typed
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

NUMBER: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""A number, as a pattern that Python and DuckDB read alike: no separators, no infinity, ASCII digits."""

_PAIRS: Final = (
    ("true", "false"),
    ("yes", "no"),
    ("pass", "fail"),
    ("passed", "failed"),
    ("correct", "incorrect"),
    ("c", "i"),
    ("resolved", "unresolved"),
    ("success", "failure"),
    *(("✓", "✗"), ("✔", "✘"), ("✅", "❌"), ("☑", "✖")),
    *(("✔\ufe0f", "✖\ufe0f"), ("☑\ufe0f", "❌\ufe0f")),  # as emoji are drawn
)
WORDS: Final[dict[str, float]] = {word: value for pair in _PAIRS for word, value in zip(pair, (1.0, 0.0), strict=True)}
"""Words in lower case that mean right or wrong."""
MARKS: Final[dict[str, float]] = {"c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "y": 1.0}
"""Inspect's letters (correct, partial, incorrect, no answer), and Y with N: only where no other word than one for right
or wrong stands beside them. Among A, B and D, C is a grade, and what it counts has to be said."""
_INSPECT: Final = frozenset({"c", "i"})
_YES_NO: Final = frozenset({"y", "n"})
TRUTHS: Final = frozenset({"true", "false"})
"""Words whose reading needs no note."""
GRADES: Final[dict[str, float]] = {
    **dict.fromkeys(("good", "excellent", "great", "perfect", "very good", "right", "full", "fully", "complete"), 1.0),
    **dict.fromkeys(
        ("accept", "accepted", "acceptable", "satisfied", "strong", "high", "positive", "win", "better"), 1.0
    ),
    **dict.fromkeys(("partial", "partially", "partially correct", "partly", "ok", "okay", "fair", "mixed"), 0.5),
    **dict.fromkeys(("partially right", "partly correct", "partly right", "half"), 0.5),
    **dict.fromkeys(("medium", "average", "moderate", "neutral", "borderline", "tie", "draw", "same", "equal"), 0.5),
    **dict.fromkeys(("poor", "bad", "very bad", "wrong", "terrible", "not", "not at all", "incomplete", "error"), 0.0),
    **dict.fromkeys(("reject", "rejected", "unacceptable", "weak", "low", "negative", "loss", "lose", "worse"), 0.0),
}
"""Words in lower case -> the number that is proposed for them, and never taken without being said."""
FAILED: Final = frozenset({"error", "incomplete"})
"""Those of them that are no grade: an attempt that ended so is worth nothing, like one that was graded worst."""
LADDERS: Final = tuple(
    tuple(ladder.split(", "))
    for ladder in (
        "excellent, good, poor",
        "excellent, good, fair, poor",
        "excellent, good, average, poor",
        "excellent, good, partial, poor",
        "very good, good, fair, poor",
        "very good, good, partial, poor",
        "very good, good, average, poor",
        "excellent, good, acceptable, poor",
        "excellent, very good, good, fair, poor",
        "excellent, good, fair, poor, very poor",
        "very good, good, bad, very bad",
        "very good, good, fair, bad, very bad",
        "very good, good, neutral, bad, very bad",
        "great, good, ok, bad",
        "great, good, bad, terrible",
        "great, good, ok, bad, terrible",
        "perfect, good, fair, poor",
        "perfect, good, partial, bad",
        "perfect, excellent, good, fair, bad",
        "agree, neutral, disagree",
        "strongly agree, agree, neutral, disagree, strongly disagree",
        "strongly agree, agree, disagree, strongly disagree",
        "very high, high, medium, low, very low",
        "much better, better, same, worse, much worse",
        "fully correct, mostly correct, partially correct, incorrect",
        "correct, mostly correct, partially correct, incorrect",
        "correct, mostly correct, mostly incorrect, incorrect",
        "very satisfied, satisfied, neutral, dissatisfied, very dissatisfied",
        "very helpful, helpful, neutral, unhelpful, very unhelpful",
        "completely, mostly, partially, not at all",
        "always, often, sometimes, rarely, never",
    )
)
"""Words of one scale, the best first: even steps are proposed for them, where all that a column has are of one."""
MISSING: Final = frozenset({"", "nan", "null", "none", "n/a", "na", "-", "<na>"})
"""Texts in lower case that mean that there is no score."""
MOST_CATEGORIES: Final = 13
"""Words that an example of --category lists."""
UNDERSTOOD: Final = (
    "understood are numbers, True/False, yes/no, pass/fail, passed/failed, correct/incorrect, C/I, "
    "resolved/unresolved, success/failure, Y/N, ✓/✗, '85%', and empty, NaN, null, None, N/A or - for a missing score"
)

_number = re.compile(NUMBER)
_percent = re.compile(rf"({NUMBER})\s*%")
_separated = re.compile(r"([+-]?[0-9]+),([0-9]+)")
_infinite = re.compile(r"[+-]?inf(inity)?")
_FINITE: Final = "a score is a finite number (leave the cell empty if there is none)"


def score_of(text: str, where: str = "", beside: Collection[str] = ()) -> float:
    """The score that a text stands for; NaN for a missing one.

    ``where`` ("row 17 of a.csv") goes into the error, as do those of the texts ``beside`` it that are words too.

    >>> score_of("85%"), score_of("Pass"), score_of("n/a")
    (0.85, 1.0, nan)
    """
    stripped = text.strip()
    word = stripped.lower()
    if word in MISSING:
        return float("nan")
    if word in WORDS:
        return WORDS[word]
    if word in MARKS and not words_to_number((text, *beside)):
        return MARKS[word]
    if percent := _percent.fullmatch(stripped):
        return _finite(float(percent[1]) / 100.0, text, where)
    if _number.fullmatch(stripped):
        return _finite(float(stripped), text, where)
    raise ScoresError(_refusal(text, where, beside))


def grade_of(word: str) -> float | None:
    """The number that is proposed for a word; None for a word that says nothing of how good it is.

    >>> grade_of("Partially"), grade_of("pass"), grade_of("blue")
    (0.5, 1.0, None)
    """
    return {**GRADES, **WORDS}.get(_plain(word))


def is_verdict(word: str) -> bool:
    """Whether a word means right or wrong, or is one of Inspect's letters."""
    lower = word.strip().lower()
    return lower in WORDS or lower in MARKS


def words_to_number(texts: Iterable[str]) -> list[str]:
    """The words of one column that count nothing until their numbers are given.

    Inspect's letters are among them once another word stands beside them, and P and N where neither C nor I does; Y and
    N once a third letter does.

    >>> words_to_number(["A", "C", "pass", "85%"]), words_to_number(["C", "P", "pass"]), words_to_number(["P", "pass"])
    (['A', 'C'], [], ['P'])
    """
    words = [word for text in texts if is_word(word := text.strip()) and word.lower() not in MISSING]
    are_marks = all(map(is_verdict, words)) and _are_marks(words, _INSPECT)
    return [word for word in words if not (are_marks if word.lower() in MARKS else is_verdict(word))]


def categories_of(words: Iterable[str], given: Mapping[str, float] | None = None) -> str:
    """Words with their numbers as ``--category`` takes them, the best first; ``NUMBER`` where none can be proposed.

    Numbers that are ``given`` stand. Among other letters, Inspect's are letters. No two grades get one number: those of
    a known scale get even steps, others none.

    >>> print(categories_of(["poor", "good"]), categories_of(["blue"]), categories_of(["B", "C"]), sep="; ")
    good=1,poor=0; blue=NUMBER; B=NUMBER,C=NUMBER
    >>> print(categories_of(["good", "poor", "fair", "excellent"]), categories_of(["bad", "poor", "good"]), sep="; ")
    excellent=1,good=0.67,fair=0.33,poor=0; good=1,bad=NUMBER,poor=NUMBER
    """
    grades = _grades([*words, *(given or ())])
    sides = any(word.lower() == "left" for word in grades)
    if sides:
        grades |= {word: None for word in grades if word.lower() == "right"}
    ranks = {word: 0.0 if sides else GRADES.get(_plain(word), 0.0) for word in grades}
    letters = [word for word in grades if len(word) == 1 or word.endswith(("+", "-"))]
    are_marks = all(map(is_verdict, letters)) and _are_marks(letters, frozenset({"c"}))  # not I, II, III
    grades |= {word: MARKS[word.lower()] if are_marks else None for word in letters if is_verdict(word)}
    grades |= given or {}
    ordered = sorted(grades, key=lambda word: (-(grades[word] or ranks[word]), word))
    return ",".join(f"{word}={_spelled(grades[word])}" for word in ordered)


def _grades(words: Sequence[str]) -> dict[str, float | None]:
    """The number that is proposed for each word, None for none: of a scale, or of its own if no other has the same."""
    plain = {word: _plain(word) for word in words}
    steps = _steps(frozenset(plain.values()) - FAILED)
    if steps:
        return {word: steps.get(text, 0.0) for word, text in plain.items()}
    numbers = {word: grade_of(word) for word in words}
    texts = {text: grade_of(text) for text in plain.values() if text not in FAILED}
    twice = {number for number, count in Counter(texts.values()).items() if count > 1}
    return {word: None if number in twice and plain[word] not in FAILED else number for word, number in numbers.items()}


def _steps(texts: frozenset[str]) -> dict[str, float]:
    """Even steps from 1 to 0 of the shortest scale that has all of these words; empty where there is none.

    The numbers of two or three words that stand for themselves ('good', 'fair', 'poor') are left as they are.
    """
    numbers = [grade_of(text) for text in texts]
    if len(texts) < 2 or (None not in numbers and len(set(numbers)) == len(numbers)):
        return {}
    fitting = [ladder for ladder in LADDERS if texts <= set(ladder)]
    if not fitting:
        return {}
    ladder = min(fitting, key=len)
    return {text: round(1.0 - place / (len(ladder) - 1), 2) for place, text in enumerate(ladder)}


def _plain(word: str) -> str:
    """A word in lower case, with one blank between its parts."""
    return " ".join(re.split(r"[\s_-]+", word.strip().lower()))


def _are_marks(words: Iterable[str], sure: frozenset[str]) -> bool:
    """Whether the letters among some words are Inspect's, which one of the sure ones says, or Y and N."""
    letters = {word.lower() for word in words} & MARKS.keys()
    return letters <= _YES_NO if "y" in letters else not letters.isdisjoint(sure)


def letters_beside(given: Mapping[str, float], words: Iterable[str]) -> str:
    """Why Inspect's letters among the words of a column are none beside those with a given number; '' if they are.

    Args:
        given: Words and their numbers, as the caller typed them.
        words: The words that scores of one column are, those with a given number spelled as there.
    """
    words = list(words)
    others = [word for word in words if word in given and not is_verdict(word)]
    letters = [word for word in words if word not in given and word.strip().lower() in MARKS]
    if not others or not letters:
        return ""
    option = typed("--category", categories_of(letters, {word: given[word] for word in words if word in given}))
    listed = ", ".join(f"'{word}'" for word in letters)
    alike, them = ("is a category", "it its number") if len(letters) == 1 else ("are categories", "them their numbers")
    return f"{listed} beside '{others[0]}' {alike} too, not right or wrong: give {them} ({option})"


def _spelled(grade: float | None) -> str:
    return "NUMBER" if grade is None else f"{grade:g}"


def has_sign(text: object) -> bool:
    """Whether a cell is a percentage with its sign, which is read as a fraction.

    >>> has_sign(" 85 % "), has_sign("85"), has_sign(85)
    (True, False, False)
    """
    return isinstance(text, str) and _percent.fullmatch(text.strip()) is not None


def conversion_note(counts: Mapping[str, int]) -> Note | None:
    """The note ``converted`` on texts that were words or percentages, with how many rows each; None if there are none.

    Where true and false are all the words, which are right and wrong in any language, there is nothing to say.

    Args:
        counts: Each text that is not a plain number -> its number of rows.
    """
    words: dict[str, int] = {}
    percent, beyond = 0, dict[str, int]()
    for text, count in counts.items():
        stripped = text.strip()
        if is_verdict(stripped):
            words[stripped] = words.get(stripped, 0) + count
        elif match := _percent.fullmatch(stripped):
            percent += count
            if not 0.0 <= float(match[1]) <= 100.0:
                beyond[stripped] = count
    if {word.lower() for word in words} <= TRUTHS and not percent:
        return None
    values = MARKS | WORDS
    said = [
        f"'{word}' as {values[word.lower()]:g} ({_rows(count)})"
        for word, count in sorted(words.items(), key=lambda each: (-values[each[0].lower()], each[0]))
    ]
    if percent:
        outside = f"; {_rows(sum(beyond.values()))} below 0 or above 100 %: '{min(beyond)}'" if beyond else ""
        said.append(f"percentages as fractions ({_rows(percent)}{outside})")
    return note("converted", detail=", ".join(said), words=words, percentages=percent, beyond=sum(beyond.values()))


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _finite(value: float, text: str, where: str) -> float:
    if value in (float("inf"), float("-inf")):
        raise ScoresError(_refusal(text, where))
    return value


def _refusal(text: str, where: str, beside: Collection[str] = ()) -> str:
    """Why a text is no score, with both readings where there are two."""
    shown = text if len(text) <= 60 else text[:57] + "…"
    place = f" in {where}" if where else ""
    stripped = text.strip()
    if separated := _separated.fullmatch(stripped):
        whole, part = separated.groups()
        if whole.lstrip("+-").startswith("0"):  # no thousands begin with 0
            return f"score '{shown}'{place} has a decimal comma; write {whole}.{part}"
        return f"score '{shown}'{place} has two readings, {whole}{part} or {whole}.{part}; write one of them"
    if _infinite.fullmatch(stripped.lower()):
        return f"score '{shown}'{place} is infinite; {_FINITE}"
    if _number.fullmatch(stripped) or _percent.fullmatch(stripped):
        return f"score '{shown}'{place} is infinite, or too large for a number; {_FINITE}"
    category = f" (for categories say what each counts: {_categories(stripped, beside)})" if is_word(stripped) else ""
    return f"score '{shown}'{place} is not a score; {UNDERSTOOD}{category}"


def _categories(word: str, beside: Collection[str]) -> str:
    """The option for a word and the others of its column that need a number too."""
    words = list(dict.fromkeys(words_to_number((word, *beside))))
    return typed("--category", categories_of(words[:MOST_CATEGORIES])) + (" …" if len(words) > MOST_CATEGORIES else "")


def is_word(text: str) -> bool:
    """Whether a text looks like one of a few categories, not like an answer."""
    return len(text) <= 30 and text.replace("_", " ").replace("-", " ").replace("+", " ").replace(" ", "").isalpha()
