"""Results and samples in the shape that lm-evaluation-harness writes, for what the example files do not show."""

from __future__ import annotations

import json

from scorebars.contracts import Request
from scorebars.engines.duckdb import Engine
from scorebars.readers.files import head_of
from scorebars.readers.lm_eval import LmEvalReader

STAMP = "2026-01-21T03-44-18.458309"


def line(doc_id, *, filter="none", doc=None, doc_hash=None, listed=None, **metrics):  # noqa: A002  # the file's word
    """One line of a samples file; each keyword is a metric and its value."""
    content = {"doc_id": doc_id, "doc": doc or {"question": "?"}, "target": "1", "arguments": {}}
    content |= {"resps": [["lol"]], "filtered_resps": ["lol"], "filter": filter}
    content["metrics"] = list(metrics) if listed is None else listed
    content |= {"doc_hash": doc_hash or f"h{doc_id}", "prompt_hash": "p", "target_hash": "t"}
    return content | metrics


def write_samples(folder, lines, task="toy", stamp=STAMP, suffix=".jsonl"):
    path = folder / f"samples_{task}_{stamp}{suffix}"
    path.write_text("".join(json.dumps(content) + "\n" for content in lines), encoding="utf-8")
    return path


def write_results(folder, *, model="EleutherAI/pythia-160m", counts=None, tasks=("toy",), stamp=STAMP, **extra):
    path = folder / f"results_{stamp}.json"
    content = {"results": {task: {"alias": task, "acc_stderr,none": "N/A"} for task in tasks}}
    content |= {
        "configs": {},
        "versions": {},
        "n-samples": counts or {},
        "model_name": model,
        "lm_eval_version": "0.4.9",
    }
    path.write_text(json.dumps(content | extra, indent=2))
    return path


def read_all(*paths, cluster=None, columns=None):
    """The parts, and the rows of each that has some, as lists of tuples (model, task, item, variant, metric, score)."""
    engine = Engine()
    parts = list(LmEvalReader().read([head_of(path) for path in paths], Request(columns or {}, cluster, engine)))
    return parts, [rows_of(part, engine) for part in parts if isinstance(part.rows, str)]


def read_one(path, **options):
    parts, rows = read_all(path, **options)
    assert len(parts) == 1
    return parts[0], rows[0]


def rows_of(part, engine):
    """The rows as one dict of columns; scores as floats, None where there is none."""
    columns = {name: column.tolist() for name, column in engine.query(part.rows).items()}
    columns["score"] = [None if text is None else float(text) for text in columns["score"]]
    return columns
