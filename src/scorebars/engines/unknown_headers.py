"""What the words of an unknown header say: an item, a run, or neither. They never decide, they are only asked about."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from scorebars.engines.headers import SECOND_ITEMS, SPLITS, is_unnamed, may_be_model, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

_ITEMS: Final = frozenset(
    {
        *("prompt", "question", "query", "problem", "instruction", "exercise", "puzzle", "scenario", "case", "item"),
        *("input", "example", "utterance", "sentence", "frage", "aufgabe", "pregunta", "domanda", "pergunta"),
        *("題目", "题目", "問題", "问题", "質問", "문제", "вопрос", "задача"),
        *("q", "nr", "no", "num", "number", "qnum", "key", "uid", "uuid", "guid"),
    }
)
_QUESTIONS: Final = _ITEMS - {"q", "nr", "no", "num", "number", "key", "uid", "uuid", "guid", "item"}
_BESIDE: Final = frozenset(
    {"id", "idx", "index", "no", "nr", "num", "number", "name", "text", "hash", "str", "content"}
)
"""What stands behind the word of a question: 'question_text', 'prompt_hash'."""
_RUNS: Final = frozenset(
    {
        *("attempt", "trial", "epoch", "repeat", "repetition", "rep", "seed", "rollout", "try", "iteration", "iter"),
        *("run", "replica", "replicate", "sample", "generation"),
    }
)
_NUMBERS: Final = frozenset({"id", "no", "nr", "num", "number", "idx", "index", "n", "name"})
"""What stands behind the word of a run: 'attempt_no', 'seed_id'."""
OUTPUTS: Final = frozenset(
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
Kind = Literal["metric", "split", "task", "setting", "rater", "item", ""]
"""What a column that tells repeated rows apart may be of: the best guess by its header, '' for none."""
_WORDS: Final[dict[Kind, frozenset[str]]] = {
    "metric": frozenset(
        {
            *("metric", "measure", "scorer", "criterion", "criteria", "rubric", "aspect", "dimension", "indicator"),
            *("score", "evaluation"),
        }
    ),
    "split": SPLITS,
    "rater": frozenset(
        {
            *("rater", "annotator", "reviewer", "labeler", "labeller", "worker", "crowdworker", "assessor", "expert"),
            *("participant", "respondent", "judge", "grader", "listener", "viewer", "panelist"),
        }
    ),
    "setting": frozenset(
        {
            *("shot", "fewshot", "nshot", "temperature", "temp", "prompt", "template", "checkpoint", "ckpt", "step"),
            *("epoch", "iteration", "iter"),
            *("evaluator", "config", "configuration", "setting", "mode", "system", "variant"),
            *("scaffold", "harness", "strategy", "method", "decoding", "sampler", "effort", "thinking", "reasoning"),
            *("budget", "quantization", "quant", "precision", "dtype", "revision", "version", "adapter", "lora"),
            *("condition", "ablation", "arm", "experiment", "param", "hyperparameter", "top", "cot"),
        }
    ),
    "task": frozenset(
        {
            *("category", "categorie", "subject", "topic", "language", "lang", "locale", "suite", "section", "domain"),
            *("level", "difficulty", "hardness", "task", "subtask", "benchmark", "dataset", "subset", "collection"),
            *("chapter", "area", "field", "skill", "genre", "type", "kind", "group", "source", "site", "country"),
            *("region", "year", "exam", "test", "part", "turn", "hop", "length", "corpus", "tier", "stage", "modality"),
            *("class", "tag", "book", "repo", "repository", "database", "db", "config", "environment", "game"),
        }
    ),
}
"""Words of headers of such columns, by kind; the first kind with a word in the header is the guess."""
_JUDGES: Final = _WORDS["rater"] | {"evaluator"}
"""Words of who gave a grade; a judge that is a model is a setting too."""
_DOCUMENTS: Final = frozenset(
    {
        *("document", "doc", "article", "passage", "context", "story", "paragraph", "book", "text", "summary", "post"),
        *("dialog", "dialogue", "conversation", "page", "image", "video", "audio", "clip", "file", "report", "essay"),
    }
)
"""Words of what several items may share, and several people may grade."""
TIMES: Final = frozenset({"date", "day", "time", "timestamp", "created", "started", "finished", "updated", "at"})
_COUNTERS: Final = frozenset({"k", "n", "i", "j", "nr", "no", "num", "number", "idx", "index", "count", "counter"})
"""Whole headers of numbers that count attempts."""
MEASURED: Final = frozenset(
    {
        *("token", "latency", "cost", "second", "duration", "usd", "price", "ms", "sec", "prob", "probability"),
        *("logprob", "confidence", "perplexity", "loss", "hash", "uuid", "guid", "checksum", "sha", "elapsed"),
    }
)
_CONFIGURATIONS: Final = frozenset(
    {
        *(
            "model",
            "llm",
            "lm",
            "vlm",
            "backbone",
            "checkpoint",
            "ckpt",
            "algo",
            "algorithm",
            "config",
            "configuration",
        ),
        *("experiment", "system", "agent", "provider", "scaffold", "harness"),
        *("modell", "modelo", "modele", "modèle", "modello", "модель", "模型", "模型名称", "モデル", "모델"),
    }
)
"""Words of headers of what is compared."""
_NAMED: Final = frozenset(
    {
        *(
            "name",
            "id",
            "key",
            "tag",
            "slug",
            "path",
            "label",
            "alias",
            "no",
            "nr",
            "number",
            "version",
            "ver",
            "variant",
        ),
        *(
            "base",
            "target",
            "candidate",
            "tested",
            "evaluated",
            "used",
            "under",
            "test",
            "eval",
            "family",
            "size",
            "full",
        ),
        *("display", "or", "of", "the", "prompt", "template", "setup", "setting", "group", "type"),
    }
)
"""Words that may stand beside them, as in 'model_name_or_path'; 'model_answer' and 'agent_steps' have others."""
_COMPARED: Final = frozenset(
    {
        *("baseline", "cot", "finetuned", "sft", "dpo", "lora", "control", "treatment", "ours", "vanilla", "ablation"),
        *("gpt", "claude", "llama", "qwen", "gemini", "mistral", "deepseek", "opus", "sonnet", "haiku", "tuned"),
    }
)
"""Words of names of what is compared."""
_ARMS: Final = frozenset({"arm", "condition", "group", "treatment", "ablation", "intervention", "cohort", "bucket"})
"""Words of headers of what is compared in an experiment, or of anything else: what the values are called decides."""
_VERSIONS: Final = frozenset({"version", "ver", "variant", "template", "setup"})
"""Words that make one of a 'prompt'."""
_METHODS: Final = frozenset(
    {
        *("method", "approach", "policy", "pipeline", "architecture", "engine", "deployment", "assistant", "bot"),
        *("candidate", "solver", "strategy", "planner", "controller", "learner", "team", "technique", "framework"),
        *("condition", "baseline", "variant", "setup", "retriever", "reranker", "optimizer"),
        *("classifier", "clf", "estimator", "regressor", "detector", "chatbot", "network", "encoder", "ranker"),
        *("arch", "vendor", "contestant"),
    }
)
"""Words of what is tried out, which in other tables may be of anything."""
_OF_ITEMS: Final = frozenset(
    {
        *("status", "state", "reason", "verdict", "result", "outcome", "error", "flag", "comment", "note", "notes"),
        *("label", "choice", "option", "rating", "grade", "score", "sentiment", "color", "colour", "sex", "split"),
        *("attribute", "property", "feature", "relation", "role", "origin", "creator", "license", "entity", "concept"),
    }
)
"""Words of what is known of items or came of them, beside those of categories."""
_HYPERPARAMETERS: Final = frozenset(
    {
        *("lr", "learning", "batch", "gamma", "alpha", "beta", "epsilon", "eps", "optimizer", "decay", "dropout"),
        *("momentum", "warmup", "hidden", "layer", "estimator", "regularization", "hparam"),
    }
)
"""Words of what is set for a run, beside those of settings."""
_SETTINGS: Final = frozenset(
    {
        *(
            "effort",
            "budget",
            "max",
            "limit",
            "type",
            "kind",
            "category",
            "level",
            "mode",
            "metric",
            "format",
            "language",
        ),
        *("method", "strategy", "prompt", "template", "version", "judge", "config"),
    }
)
"""Words that make a setting of what would be an output or a measurement: 'reasoning_effort', 'answer_format'."""


GOLD: Final = (
    *("gold", "gold_answer", "gold_label", "ground_truth", "truth", "reference", "reference_answer", "expected"),
    *("expected_output", "expected_answer", "target", "correct_answer", "correct_option", "y_true", "y_test"),
    *("true_label", "true_class", "actual", "actual_label", "label", "labels", "answer"),
)
"""Headers of right answers, the surest first."""
PREDICTED: Final = (
    *("prediction", "pred", "predicted", "predicted_answer", "predicted_label", "pred_answer", "pred_label"),
    *("y_pred", "y_hat", "yhat", "predictions", "predicted_class", "pred_class"),
    *("model_answer", "model_output", "extracted_answer", "parsed_answer", "output", "response", "answer"),
)
"""Headers of what a model said."""


def predicted_among(names: Sequence[str]) -> list[str]:
    """The columns of what a model said, where none is of right answers: a score stands beside it, or those.

    >>> predicted_among(["predicted", "id"]), predicted_among(["predicted", "gold"])
    (['predicted'], [])
    """
    found = [name for name in names if normal(name) in PREDICTED]
    others = {normal(name) for name in names if name not in found[:1]}
    return found if len(found) == 1 and not others & set(GOLD) else []


def names_item(header: str) -> bool:
    """Whether a header has a word of an item, and none of what several items share: 'Question Number', 'prompt'."""
    words = words_of(header)
    return bool(words & _ITEMS) and not words & _CATEGORIES


def item_rank(header: str, *, counts_rows: bool) -> int:
    """How likely a column of other texts in each row is that of the items, the likeliest first.

    A reference, a source or an answer may differ from row to row too, and an id may number the rows of its data set.

    >>> item_rank("prompt", counts_rows=False), item_rank("segment_id", counts_rows=True)
    (0, 1)
    >>> item_rank("reference", counts_rows=False), item_rank("line", counts_rows=True)
    (2, 3)
    """
    is_id = normal(header).rpartition("_")[2] in {"id", "idx", "uid", "uuid", "guid"}
    if (is_id or names_item(header)) and not counts_rows:
        return 0
    return 1 if is_id else 2 + counts_rows


def names_question(header: str) -> bool:
    """Whether a header is that of what was asked, and of nothing about it: 'question', 'prompt_text', 'input'.

    >>> names_question("Question"), names_question("prompt_version"), names_question("num_questions")
    (True, False, False)
    """
    first, *rest = (word if word in _QUESTIONS else word.removesuffix("s") for word in normal(header).split("_"))
    return first in _QUESTIONS and set(rest) <= _QUESTIONS | _BESIDE


def names_run(header: str) -> bool:
    """Whether a header is the word of a run: 'attempt', 'Trial No', 'seeds'."""
    words = normal(header).split("_")
    first = words[0].removesuffix("s")
    return (first in _RUNS or words[0] in {"tries", "replicas"}) and set(words[1:]) <= _NUMBERS


def may_be_samples(header: str) -> bool:
    """Whether what is called a run may be the samples of a data set, where there are many: 'sample', 'sample_id'.

    >>> may_be_samples("sample_idx"), may_be_samples("seed")
    (True, False)
    """
    return normal(header).split("_")[0].removesuffix("s") == "sample"


@lru_cache(maxsize=4_096)
def names_configuration(header: str) -> bool:
    """Whether a header is of what is compared, by all of its words: rows of its values are not of one model.

    The answers are kept: it is asked of the headers of each file of a folder.

    >>> names_configuration("Model Used"), names_configuration("prompt_version"), names_configuration("model_answer")
    (True, True, False)
    """
    if is_unnamed(header):
        return False
    words = set(normal(header).rpartition(".")[2].split("_")) - {""}
    words = {word.removesuffix("s") if word.removesuffix("s") in _CONFIGURATIONS else word for word in words}
    known = words & _CONFIGURATIONS or ("prompt" in words and words & _VERSIONS)
    return bool(known) and words <= _CONFIGURATIONS | _NAMED


def names_arm(header: str) -> bool:
    """Whether a header may be of the arms of an experiment, if its values are called like some.

    >>> names_arm("Condition"), names_arm("test_group"), names_arm("group_score")
    (True, True, False)
    """
    words = set(normal(header).rpartition(".")[2].split("_")) - {""}
    words = {word.removesuffix("s") for word in words}
    return bool(words & _ARMS) and words <= _ARMS | _NAMED | {"ab", "experiment", "experimental"}


def names_method(header: str) -> bool:
    """Whether a header is of what is tried out, by all of its words: 'policy', 'Method Name'.

    >>> names_method("policy"), names_method("pipeline_id"), names_method("policy_area")
    (True, True, False)
    """
    words = {word.removesuffix("s") for word in normal(header).rpartition(".")[2].split("_")} - {""}
    return bool(words & _METHODS) and words <= _METHODS | _CONFIGURATIONS | _NAMED


def may_be_pooled(header: str) -> bool:
    """Whether rows of several values of a column may be of several models, as far as its header says.

    >>> may_be_pooled("version"), may_be_pooled("tool"), may_be_pooled("category"), may_be_pooled("gold")
    (True, True, False, False)
    """
    if is_unnamed(header) or normal(header) in GOLD or names_rater(header) or names_run(header):
        return False
    return may_be_method(header) and not words_of(header) & _OF_ITEMS


def may_be_method(header: str) -> bool:
    """Whether words under a header may be models, in a table without items: no categories, questions or answers."""
    if names_method(header) or names_configuration(header):
        return True
    words = words_of(header)
    return not (words & (_CATEGORIES | _ITEMS) or kind_of(header) in {"metric", "split", "task"}) and may_tell(header)


def names_setting(header: str) -> bool:
    """Whether a header is of what is set for a run: 'learning_rate', 'temperature'; 'step' counts how far it came."""
    words = words_of(header)
    settings = _WORDS["setting"] - {"step", "precision", "prompt", "epoch", "iteration", "iter"} | {"judge", "grader"}
    return bool(words & (settings | _HYPERPARAMETERS)) and may_tell(header)


def may_be_left_empty(header: str) -> bool:
    """Whether rows with nothing under a header may be an arm of their own: of a system or a setting, not of outputs.

    >>> may_be_left_empty("scaffold"), may_be_left_empty("thinking"), may_be_left_empty("reasoning")
    (True, True, False)
    """
    return names_configuration(header) or (kind_of(header) == "setting" and may_tell(header))


def are_configurations(texts: Sequence[str]) -> bool:
    """Whether texts are names of what is compared and no numbers of runs.

    >>> are_configurations(["baseline", "cot"]), are_configurations(["cot_1", "cot_2"]), are_configurations(["a", "b"])
    (True, False, False)
    """
    stems = {text.lower().rstrip("0123456789").rstrip("_- .#") for text in texts}
    return len(stems) > 1 and any(_COMPARED & set(re.split(r"[^a-z]+", stem)) for stem in stems)


def names_rater(header: str) -> bool:
    """Whether a header is of who gave a grade: 'annotator', 'Judge Model', 'rater_id'."""
    return bool(words_of(header) & _JUDGES)


def names_document(header: str) -> bool:
    """Whether a header is of a document: 'doc', 'article_id'."""
    return bool(words_of(header) & _DOCUMENTS)


def kind_of(header: str) -> Kind:
    """What a column that tells repeated rows apart may be of, by the words of its header.

    >>> kind_of("metric_name"), kind_of("num_fewshot"), kind_of("Category"), kind_of("foo")
    ('metric', 'setting', 'task', '')
    """
    words = words_of(header) | {normal(header)}
    return next((kind for kind, known in _WORDS.items() if words & known), "")


def may_tell(header: str) -> bool:
    """Whether a column may tell repeated rows apart: answers, measurements, times and numbers of attempts do not."""
    words = words_of(header)
    if is_unnamed(header) or names_run(header) or normal(header) in _COUNTERS:
        return False
    return bool(_SETTINGS & words) or not words & (OUTPUTS | MEASURED | TIMES)


@lru_cache(maxsize=4_096)
def may_be_item(header: str) -> bool:
    """Whether the texts under a header may be ids: 'latency', 'answer', 'topic', 'attempt' are none.

    The answers are kept: every question about a table asks it of all headers, and a folder has the same in each file.
    """
    if is_unnamed(header) or normal(header) in {"n", "sample", *SECOND_ITEMS}:
        return True
    if names_run(header) or words_of(header) & (OUTPUTS | _CATEGORIES):
        return False
    return may_be_model(header) or names_item(header)


def words_of(header: str) -> set[str]:
    """The words of a header, and each without an s at its end."""
    words = set(normal(header).replace(".", "_").split("_"))
    return words | {word.removesuffix("s") for word in words}
