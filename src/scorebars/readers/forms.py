"""What ``read`` takes, for people: one entry a format, with how its columns map and one command to try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scorebars.readers.columns import ALIASES, SECOND_ITEMS
from scorebars.readers.detect import KNOWN


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of input."""

    name: str
    files: str
    """What such files are called."""
    recognised: str
    """By what content it is known."""
    mapping: tuple[tuple[str, str], ...]
    """(role, where it comes from)."""
    example: str
    """One command."""


def _aliases() -> tuple[tuple[str, str], ...]:
    """Role -> the headers that are taken for it."""
    extra = {
        "model": "; else the file's name, or the headers of a wide table",
        "item": f"; else {', '.join(SECOND_ITEMS)}; else the row's number",
        "score": "; several of them are several metrics",
    }
    return tuple((role, ", ".join(headers) + extra.get(role, "")) for role, headers in ALIASES.items())


FORMS: Final[tuple[Form, ...]] = (
    Form(
        "inspect",
        "*.eval, *.json",
        "an Inspect AI log: a zip with header.json or _journal/, or JSON with eval and samples",
        (
            ("model", "eval.model"),
            ("task", "eval.task"),
            ("item", "sample id"),
            ("run", "epoch"),
            ("metric", "scorer, or scorer.key where a score has several values"),
            ("cluster", "a field of the sample's metadata (--cluster metadata.passage)"),
        ),
        "scorebars estimate logs/",
    ),
    Form(
        "lm-eval",
        "samples_*.jsonl beside results_*.json",
        "a log of lm-evaluation-harness with --log_samples: lines with doc_id and filtered_resps",
        (
            ("model", "model_name of the results file beside it"),
            ("task", "the results file, or the file's name"),
            ("item", "doc_id"),
            ("metric", "each name in metrics"),
            ("variant", "filter"),
            ("cluster", "a field of doc (--cluster doc.subject)"),
        ),
        "scorebars estimate results/my_model/",
    ),
    Form(
        "table, long",
        "*.csv, *.tsv, *.json, *.jsonl, *.parquet, plain or .gz, .zst",
        "one row an attempt; headers in any case, with blanks or hyphens for underscores",
        _aliases(),
        "scorebars estimate scores.csv --map item=qid,model=agent+model",
    ),
    Form(
        "table, wide",
        "*.csv, *.tsv, *.json, *.jsonl, *.parquet, plain or .gz, .zst",
        "one row an item, one number column a model, no column that is known to hold the score",
        (("model", "the headers of the number columns"), ("item", "as in a long table"), ("score", "their cells")),
        "scorebars compare matrix.csv --a gpt-4 --b claude-3",
    ),
    Form(
        "JSON object",
        "*.json",
        "a list of records under a key; lists as columns; model -> {item -> score}; model -> list of scores; "
        "item -> record",
        (
            ("model", "the keys (column 'key'), or a member 'model' beside the list of records"),
            ("item", "the keys inside (column 'inner_key'), or the position in the list (column 'position')"),
            ("score", "the values (column 'score'), or the fields of the records"),
        ),
        "scorebars estimate runs.json --map task=key,run=position",
    ),
)
"""All kinds of input that are read."""

UNREAD: Final[tuple[str, ...]] = tuple(what for what, _, _ in KNOWN)
"""Formats that are recognised, to say that they are not read yet."""
