"""RAGAS: the table that ``evaluate(…).to_pandas()`` saves (CSV, JSON records or JSON Lines), a row a sample.

A row has the fields of a sample (``user_input``, ``response``, ``reference`` …; ``question``, ``answer``, ``contexts``
before 0.2) and a number for each metric; it names neither item nor model. An empty cell is a metric that the judge did
not return: RAGAS averages over the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, is_unnamed, mapped, normal
from scorebars.errors import ReadError
from scorebars.notes import NAME_ITEM, note
from scorebars.readers.added_keys import MODELS, AddedKeys, telling
from scorebars.readers.columns import explicit
from scorebars.readers.delimited import delimited_source, delimiter_of, rows_of
from scorebars.readers.document import node
from scorebars.readers.faults import located
from scorebars.readers.files import names_for, shown, text_head
from scorebars.readers.json_table import json_source
from scorebars.readers.nul_bytes import refuse_nul_bytes
from scorebars.readers.records import Rows, each, in_unit
from scorebars.readers.sniff import kind_of, outline
from scorebars.readers.sources import NoScores, Scratch, Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.engines.duckdb import Engine

QUESTIONS: Final = frozenset({"user_input", "question"})
ANSWERS: Final = frozenset({"response", "answer", "retrieved_contexts", "contexts"})
SAMPLE: Final = (
    QUESTIONS
    | ANSWERS
    | {"reference", "reference_contexts", "ground_truth", "ground_truths", "multi_responses", "rubrics", "rubric"}
    | {"retrieved_context_ids", "reference_context_ids", "reference_tool_calls", "reference_topics"}
    | {"persona_name", "query_style", "query_length", "synthesizer_name", "episode_done", "evolution_type", "metadata"}
)
"""Columns of a sample: what was asked, answered and expected."""
UNIT: Final = frozenset(
    {"faithfulness", "faithfulness_with_hhem", "answer_relevancy", "response_relevancy", "context_precision"}
    | {"context_recall", "context_entity_recall", "context_relevancy", "context_utilization", "answer_correctness"}
    | {"answer_similarity", "semantic_similarity", "factual_correctness", "noise_sensitivity", "context_relevance"}
    | {"llm_context_precision_with_reference", "llm_context_precision_without_reference", "non_llm_context_recall"}
    | {"non_llm_context_precision_with_reference", "id_based_context_precision", "id_based_context_recall"}
    | {"nv_accuracy", "nv_context_relevance", "nv_response_groundedness", "bleu_score", "rouge_score", "chrf_score"}
    | {"string_present", "exact_match", "non_llm_string_similarity", "summary_score", "summarization_score"}
    | {"topic_adherence", "tool_call_accuracy", "tool_call_f1", "agent_goal_accuracy", "harmfulness", "maliciousness"}
    | {"multi_modal_faithfulness", "multi_modal_relevance", "answer_accuracy", "response_groundedness"}
)
"""Metrics of RAGAS between 0 and 1."""
TELLING: Final = (UNIT | {"instance_specific_rubrics", "domain_specific_rubrics", "rubrics_score", "aspect_critic"}) - {
    *("exact_match", "bleu_score", "rouge_score", "chrf_score", "string_present")
}
"""Metrics that show that RAGAS computed them; the others are everyone's."""
SHOWN: Final = 3
_ROLES: Final = ("model", "task", "item", "run", "cluster", "variant")


@dataclass(frozen=True, slots=True)
class RagasReader:
    """Reads what ``EvaluationResult.to_pandas()`` was saved as."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "ragas"

    def claims(self, head: FileHead) -> bool:
        """Columns of a sample beside a known metric, or a file of averages of known metrics."""
        names = _headers(head)
        metrics = [name for name in names if _metric(name) in TELLING]
        if names & QUESTIONS and names & ANSWERS and metrics:
            return True
        return len(metrics) >= 2 and len(metrics) == len(names) and _is_averages(head)

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a file; averages are an error."""
        models = names_for(head.path for head in heads)
        return each(heads, lambda head: _part(head, request, models[head.path]))


def _metric(header: str) -> str:
    """A metric without its mode: 'factual_correctness(mode=f1)' is factual_correctness."""
    return normal(header.partition("(")[0])


def _headers(head: FileHead) -> frozenset[str]:
    """The columns of a table, or the keys of records or of one object, as far as the head shows them."""
    kind = kind_of(head)
    if kind == "json":
        return outline(head).top
    if kind != "delimited":
        return frozenset()
    rows = _first_rows(head)
    return frozenset(cell.strip() for cell in rows[0] if cell.strip()) if rows else frozenset()


def _first_rows(head: FileHead) -> list[list[str]]:
    text = text_head(head)
    return rows_of(text.lstrip("\r\n"), delimiter_of(text, head.suffixes))


def _is_averages(head: FileHead) -> bool:
    """Whether a file whose columns are all metrics holds one number of each."""
    if kind_of(head) == "json":
        return not outline(head).is_list
    return len(_first_rows(head)) == 2


def _part(head: FileHead, request: Request, model: str) -> Part:
    if not _headers(head) & QUESTIONS:
        raise NoScores(
            f"{shown(head.path)} holds averages of RAGAS metrics, no score of a sample; save the table of samples: "
            "result.to_pandas().to_csv('samples.csv', index=False)"
        )
    with Scratch() as scratch:
        try:
            source = _source(head, request.engine, scratch)
            given = explicit(request.columns, request.cluster, source.names)
            table = _table(source, request.engine)
        except ReadError as error:
            raise located(error, head) from error
    return _rows(head, table, _roles(given, source.names), model)


def _source(head: FileHead, engine: Engine, scratch: Scratch) -> Source:
    if kind_of(head) == "json":
        return json_source(head, engine)
    refuse_nul_bytes(head)
    return delimited_source(head, scratch)


def _table(source: Source, engine: Engine) -> dict[str, list[str | None]]:
    """All columns as text; None where a cell is empty."""
    found = engine.query(source.scan(source.names))
    return {
        name: [cell.strip() or None if isinstance(cell, str) else None for cell in found[f"w{place}"].tolist()]
        for place, name in enumerate(source.names)
    }


def _roles(given: Mapping[str, tuple[str, ...]], names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Role -> columns: what was asked, else the only column with a header of that role."""
    refused = sorted(set(given) - set(_ROLES))
    if refused:
        raise ReadError(f"'{refused[0]}' cannot be mapped in a RAGAS table: its metrics are its scores (--metric)")
    roles = dict(given)
    for role in _ROLES:
        found = [name for name in names if normal(name) in ALIASES[role]]
        if role not in roles and len(found) == 1:
            roles[role] = (found[0],)
    return roles


def _rows(
    head: FileHead, table: Mapping[str, list[str | None]], roles: Mapping[str, tuple[str, ...]], model: str
) -> Part:
    taken = {name for columns in roles.values() for name in columns}
    free = [name for name in table if name not in taken and normal(name) not in SAMPLE and not is_unnamed(name)]
    _refuse_settings(head, table, free, roles)
    usable, unusable = _sorted_out({name: table[name] for name in free})
    total = len(next(iter(table.values())))
    if not total:
        raise NoScores(f"{shown(head.path)} has a header and no rows; no scores are in it")
    if not usable:
        listed = "; ".join(f"'{name}': {reason}" for name, reason in unusable.items())
        raise NoScores(
            f"{shown(head.path)} has no metric with a score ({listed or 'all its columns are of the sample'})"
        )
    rows = Rows()
    every = [{role: _joined(table, columns, place, head) for role, columns in roles.items()} for place in range(total)]
    numbers, asked = _numbers(table, every)
    for place, cells in enumerate(every):
        for metric, scores in usable.items():
            rows.add(
                model=cells.get("model", model), item=cells.get("item", numbers[place]), task=cells.get("task"),
                run=cells.get("run"), cluster=cells.get("cluster"), variant=cells.get("variant"), metric=metric,
                score=scores[place],
            )  # fmt: skip
    mapping = {role: " + ".join(f"'{name}'" for name in columns) for role, columns in roles.items()}
    mapping.setdefault("model", f"the file's name ('{model}')")
    mapping.setdefault("item", f"the number of the '{asked}' in it" if asked else "the row's number")
    mapping |= {"metric": "the headers " + ", ".join(f"'{name}'" for name in usable), "score": "the cells below them"}
    part = rows.part(
        head.path, "ragas", mapping, on_error="drop", unusable=unusable,
        notes=[] if asked or "item" in roles else [note("rows-as-items", n=total, remedy=NAME_ITEM)],
    )  # fmt: skip
    return in_unit(part) if all(_metric(name) in UNIT for name in usable) else part


def _numbers(table: Mapping[str, list[str | None]], rows: Sequence[Mapping[str, str]]) -> tuple[list[str], str]:
    """The item of each row, where no column is its id, and the column of questions that says it.

    Rows of several models, or runs, are of one item where each has every question once; else a row is an item.
    """
    asked = next((name for name in table if normal(name) in QUESTIONS), "")
    texts = table[asked] if asked else []
    groups = [tuple(sorted(cells.items())) for cells in rows]
    if len(set(zip(groups, texts, strict=True))) == len(rows) > len(set(texts)) and None not in texts:
        number = {text: str(place) for place, text in enumerate(dict.fromkeys(texts), start=1)}
        return [number[text] for text in texts], asked
    return [str(place) for place in range(1, len(rows) + 1)], ""


def _refuse_settings(
    head: FileHead, table: Mapping[str, list[str | None]], free: Sequence[str], roles: Mapping[str, tuple[str, ...]]
) -> None:
    """Raise a ReadError where a column that is no metric of RAGAS tells the rows of a question apart."""
    asked = next((name for name in table if normal(name) in QUESTIONS), None)
    names = [name for name in free if _metric(name) not in UNIT | TELLING]
    if asked is None or not names:
        return
    added = AddedKeys(())
    for place in range(len(table[asked])):
        added.add(node({name: table[name][place] for name in names}, f"{shown(head.path)}: row {place + 1}"))
    model = [str([table[name][place] for name in roles.get("model", ())]) for place in range(added.n)]
    if "model" not in roles and (key := next((key for key in MODELS if key in added.values), None)) is not None:
        found, apart = (key, False) if len(added.texts(key)) > 1 else ("", False)
    else:
        found, apart = telling(added, list(zip(model, map(str, table[asked]), strict=True))) or ("", False)
    if found:
        values = ", ".join(f"'{text}'" for text in added.texts(found)[:SHOWN])
        ways = [mapped({"model": "+".join((*roles.get("model", ()), found))}), mapped({"variant": found})]
        ways += [mapped({"run": found})] * apart
        raise ReadError(
            f"{shown(head.path)}: '{found}' ({values}) tells rows of one question apart, which would all be of one "
            f"model; say what it is: {' or '.join(ways)}"
        )


def _joined(table: Mapping[str, list[str | None]], columns: Sequence[str], place: int, head: FileHead) -> str:
    found = [table[name][place] for name in columns]
    if any(cell is None for cell in found):
        raise ReadError(f"{shown(head.path)}: row {place + 1} has an empty cell in {', '.join(columns)}")
    return "+".join(str(cell) for cell in found)


def _sorted_out(columns: Mapping[str, list[str | None]]) -> tuple[dict[str, list[float]], dict[str, str]]:
    """The metrics with their scores, and why the other columns have none."""
    usable: dict[str, list[float]] = {}
    unusable: dict[str, str] = {}
    for name, cells in columns.items():
        scores = []
        try:
            for cell in cells:
                scores.append(_number(cell))  # noqa: PERF401 - its length says where it stopped
        except ValueError as error:
            unusable[name] = f"it has cells that are no numbers ({error} in row {len(scores) + 1:,})"
            continue
        if any(not math.isnan(score) for score in scores):
            usable[name] = scores
        else:
            where = "the only row" if len(cells) == 1 else f"all {len(cells)} rows"
            unusable[name] = f"it is empty in {where}: the judge returned nothing (time-outs become NaN)"
    return usable, unusable


def _number(cell: str | None) -> float:
    if cell is None:
        return math.nan
    if cell.lower() in {"true", "false"}:
        return float(cell.lower() == "true")
    try:
        number = float(cell)
    except ValueError:
        raise ValueError(f"'{cell[:30]}'") from None
    if math.isinf(number):
        raise ValueError(f"'{cell}'")
    return number
