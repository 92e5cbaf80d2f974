"""Which headers are taken for which role, in files and in frames alike."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from scorebars.errors import typed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "model": ("model", "model_name", "model_id", "agent", "system", "provider"),
    "task": ("task", "benchmark", "dataset", "subset", "subject", "domain", "env", "game"),
    "item": (
        *("item", "item_id", "id", "question_id", "doc_id", "instance_id", "sample_id", "qid"),
        *("example_id", "prompt_id", "problem_id"),
    ),
    "run": ("run", "seed", "trial", "epoch", "repeat", "rep"),
    "score": ("score", "correct", "passed", "success", "reward", "is_correct", "resolved", "acc", "exact_match"),
    "cluster": ("cluster", "group", "passage", "repo", "document"),
    "metric": ("metric", "scorer"),
    "variant": ("variant", "filter"),
    "weight": ("weight", "item_weight"),
    "status": ("status", "error", "exception"),
}
"""Role -> the headers that are taken for it, in any case, with blanks or hyphens for underscores.
"""
WEIGHT: Final = "weight"
"""The header of the weight of items that may be something else, such as what a patient weighs."""

_MAY_WEIGH: Final = frozenset(
    {
        *("sample_weight", "sample_weights", "survey_weight", "sampling_weight", "case_weight", "design_weight"),
        *("weights", "item_weights", "question_weight", "wt", "wgt", "pweight", "weighting", "weight_factor"),
    }
)
"""Headers that may be those of weights, and are not taken for them."""

SECOND_ITEMS: Final = ("task_id", "question", "index")
"""Taken for the item only where no first alias is there: 'task_id' is the benchmark in some files."""

METRICS: Final = (
    *(
        "accuracy",
        "acc_norm",
        "f1",
        "f1_score",
        "em",
        "bleu",
        "sacrebleu",
        "chrf",
        "rouge",
        "rouge1",
        "rouge2",
        "rougel",
    ),
    *("bertscore", "meteor", "comet", "precision", "recall", "win", "winrate", "win_rate", "rating", "grade", "points"),
    *("faithfulness", "answer_relevancy", "answer_relevance", "answer_correctness", "context_precision"),
    *("context_recall", "pass_at_1", "pass1", "correctness"),
)
"""Further headers that are scores: each is a metric of its own name."""

BESIDE_METRIC: Final = "value"
"""A header that is the score where another column says which metric it is of."""

_LESS: Final = frozenset(
    {
        *("incorrect", "wrong", "error", "errors", "err", "loss", "losses", "mistake", "mistakes", "fail", "failed"),
        *("failure", "failures", "penalty", "penalties", "regret", "distance", "violation", "violations", "toxicity"),
        *("hallucination", "hallucinations", "hallucinated", "perplexity", "ppl", "nll", "bpb", "bpc", "wer", "cer"),
        *("ter", "mae", "mse", "rmse", "brier", "ece", "fid", "misses", "latency", "latencies", "runtime", "ttft"),
    }
)
"""Words of headers and metrics of which less is better."""
_TURNED: Final = frozenset(
    {"no", "not", "non", "without", "free", "neg", "negative", "minus", "inverse", "win", "pass"}
)
"""Words beside them that say otherwise: 'no_error', 'neg_loss', 'win_loss', 'fail_to_pass'."""


@lru_cache(maxsize=4_096)
def less_is_better(name: str) -> bool:
    """Whether the name of a column or metric says that less is better.

    The answers are kept: each question about a table asks it of the same few names.

    >>> less_is_better("error_rate"), less_is_better("error-free"), less_is_better("accuracy")
    (True, False, False)
    """
    words = set(normal(name).replace(".", "_").replace("/", "_").split("_"))
    return bool(words & _LESS) and not words & _TURNED


def names_key(header: str) -> bool:
    """Whether a header is of ids or numbers of rows, which are no scores.

    >>> names_key("utt_id"), names_key("ID"), names_key("valid")
    (True, True, False)
    """
    return normal(header).rpartition("_")[2] in {"id", "ids", "idx", "index", "uid", "uuid", "guid"}


_BESIDE: Final = re.compile(
    r"(?<=\w)\s*(?:[?？]+|\((?:%|percent|(?:out )?of \d+|/ ?\d+|\d+ ?(?:-|–|to|/|,|\.\.) ?\d+)\))$", re.IGNORECASE
)
"""What may stand behind a header: a question mark, or the scale of its numbers."""


@lru_cache(maxsize=65_536)
def normal(header: str) -> str:
    """A header as the aliases spell it: 'Question ID', 'question-id' and 'questionId' are 'question_id'.

    A question mark at the end says nothing, nor does a scale: 'Correct?' is 'correct', 'Score (1-5)' is 'score'.
    The answers are kept: each key of each record of a file is looked up so, and most files have the same few.
    """
    bare = _BESIDE.sub("", header.strip().lstrip("\ufeff"))
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare)
    return re.sub(r"[\s\-]+", "_", snake).lower()


def names_role(role: str, header: str) -> bool:
    """Whether a header is one of those that are first taken for a role.

    >>> names_role("item", "Question ID"), names_role("item", "question")
    (True, False)
    """
    return normal(header) in ALIASES[role]


def claims(role: str, free: Sequence[str]) -> list[str]:
    """Columns that an alias makes candidates; the second aliases of the item only where there is no first."""
    found = [name for name in free if names_role(role, name)]
    if role != "item":
        return found
    tasks = [name for name in free if normal(name) == "task_id"]
    if found:
        return [*found, *tasks]
    for alias in SECOND_ITEMS:
        found = [name for name in free if normal(name) == alias]
        if found:
            return found
    return []


def may_weigh(header: str) -> bool:
    """Whether a column that plays no role may hold the weights of items by its name."""
    return normal(header) in _MAY_WEIGH


def mapped(mapping: Mapping[str, str]) -> str:
    """The option that gives these roles their columns, as it is typed.

    A comma ends a column in the option, so that in a header ``*``, which is any text, stands for it.

    >>> print(mapped({"item": "Question Number"}), mapped({"item": "nr"}), mapped({"item": "nr, new"}), sep="; ")
    --map 'item=Question Number'; --map item=nr; --map 'item=nr* new'
    """
    return typed("--map", mapping_text(mapping))


def mapping_text(mapping: Mapping[str, str]) -> str:
    """What stands behind ``--map``."""
    return ",".join(f"{role}={name.replace(',', '*')}" for role, name in mapping.items())


_UNNAMED: Final = re.compile(r"^(column|Unnamed:) \d+$")


def is_unnamed(name: str) -> bool:
    """Whether a column had no header (a data frame's index, mostly), here or when pandas read it: 'Unnamed: 0'."""
    return bool(_UNNAMED.match(name))


NO_MODELS: Final = frozenset(
    {
        *(
            "difficulty",
            "level",
            "year",
            "date",
            "tokens",
            "cost",
            "latency",
            "time",
            "duration",
            "length",
            "turn",
            "n",
        ),
        *(
            "step",
            "timestamp",
            "tstamp",
            "price",
            "seconds",
            "age",
            "rank",
            "size",
            "count",
            "version",
            "mean",
            "average",
        ),
        *("avg", "total", "sum", "weight"),
    }
)
"""Headers of number columns that are no model in a wide table."""

TRACKED: Final = ("params.", "tags.", "metrics.", "attributes.", "inputs.", "outputs.")
"""Beginnings of headers in tables of tracked runs (MLflow), a run a row."""
_MEASURES: Final = frozenset({"tokens", "cost", "latency", "duration", "seconds", "timestamp", "price"})
_MEASURED: Final = frozenset(
    {
        *("prob", "probs", "probability", "logprob", "logprobs", "logit", "logits", "loglik", "loglikelihood"),
        *("likelihood", "perplexity", "ppl", "entropy", "confidence", "conf", "time", "times", "ms", "sec", "secs"),
        *("token", "length", "len", "chars", "words", "count", "counts", "size", "rank", "year", "date", "difficulty"),
        *("usd", "flag", "flagged", "truncated", "contaminated", "timeout"),
    }
)
"""Last words of headers of measurements and flags: 'gpt_prob', 'wall_time', 'prompt_length'."""
_COUNTS_AND_FLAGS: Final = frozenset({"n", "num", "is", "has", "was", "are", "needs", "requires", "contains"})
"""First words, before others: 'n_words', 'is_hard', 'has_image'."""


SPLITS: Final = frozenset({"split", "data_split", "dataset_split", "partition", "fold", "cv_fold", "kfold"})
"""Headers of the split of the data set that a row is of; 'subset' may be one too."""


def may_be_model(header: str) -> bool:
    """Whether a number column of a wide table may be a model: 'prompt_tokens', 'gpt_prob', 'is_hard' are none."""
    name = normal(header)
    words = name.split("_")
    measured = words[-1] in _MEASURED or (len(words) > 1 and words[0] in _COUNTS_AND_FLAGS)
    known = name in NO_MODELS or name in SECOND_ITEMS or name in SPLITS or less_is_better(header)
    return not (known or measured or _MEASURES & set(words) or header.startswith(TRACKED))
