"""What the words of an unknown header say: an item, a run, or neither. They never decide, they are only asked about."""

from __future__ import annotations

from typing import Final

from scorebars.engines.headers import SECOND_ITEMS, normal
from scorebars.readers.columns import may_be_model
from scorebars.readers.sources import is_unnamed

_ITEMS: Final = frozenset(
    {
        *("prompt", "question", "query", "problem", "instruction", "exercise", "puzzle", "scenario", "case", "item"),
        *("input", "example", "utterance", "sentence", "frage", "aufgabe", "pregunta", "domanda", "pergunta"),
        *("題目", "题目", "問題", "问题", "質問", "문제", "вопрос", "задача"),
        *("q", "nr", "no", "num", "number", "qnum", "key", "uid", "uuid", "guid"),
    }
)
_RUNS: Final = frozenset(
    {
        *("attempt", "trial", "epoch", "repeat", "repetition", "rep", "seed", "rollout", "try", "iteration", "iter"),
        *("run", "replica", "replicate", "sample", "generation"),
    }
)
_NUMBERS: Final = frozenset({"id", "no", "nr", "num", "number", "idx", "index", "n", "name"})
"""What stands behind the word of a run: 'attempt_no', 'seed_id'."""
_OUTPUTS: Final = frozenset(
    {
        *("answer", "answers", "prediction", "predictions", "pred", "predicted", "response", "responses", "output"),
        *("outputs", "completion", "completions", "generation", "generated", "reply", "reasoning", "rationale"),
        *("explanation", "thought", "thoughts", "trace", "transcript", "trajectory", "feedback", "justification"),
    }
)
"""Words of what a model said."""
_CATEGORIES: Final = frozenset(
    {
        *("subject", "topic", "category", "categories", "language", "lang", "locale", "difficulty", "level", "type"),
        *("kind", "domain", "source", "country", "region", "gender", "format", "tag", "tags", "class", "section"),
        *("chapter", "author", "skill", "field", "area", "genre", "style", "mode", "setting", "settings", "template"),
        *("system", "judge", "grader", "annotator", "rater", "evaluator", "modality", "hardness", "tier", "stage"),
        *("dataset", "benchmark", "suite", "group", "cluster", "passage", "context", "document", "doc", "article"),
        *("repo", "repository", "book", "story", "paragraph", "image", "db", "database", "temperature", "config"),
    }
)
"""Words of what several items share."""


def names_item(header: str) -> bool:
    """Whether a header has a word of an item, and none of what several items share: 'Question Number', 'prompt'."""
    words = _words(header)
    return bool(words & _ITEMS) and not words & _CATEGORIES


def names_run(header: str) -> bool:
    """Whether a header is the word of a run: 'attempt', 'Trial No', 'seeds'."""
    words = normal(header).split("_")
    first = words[0].removesuffix("s")
    return (first in _RUNS or words[0] in {"tries", "replicas"}) and set(words[1:]) <= _NUMBERS


def may_be_item(header: str) -> bool:
    """Whether the texts under a header may be ids: 'latency', 'answer', 'topic', 'attempt' are none."""
    if is_unnamed(header) or normal(header) in {"n", "sample", *SECOND_ITEMS}:
        return True
    if names_run(header) or _words(header) & (_OUTPUTS | _CATEGORIES):
        return False
    return may_be_model(header) or names_item(header)


def _words(header: str) -> set[str]:
    words = set(normal(header).replace(".", "_").split("_"))
    return words | {word.removesuffix("s") for word in words}
