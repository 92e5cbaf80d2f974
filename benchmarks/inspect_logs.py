"""Inspect logs in the exact layout of Inspect's own, and how long they take next to ``samples_df``.

``samples_df`` with its default columns opens the summaries of a log alone, never its samples. scorebars reads the
samples, because logs that were edited disagree with their summaries; the like peer is ``samples_df`` with one column of
the samples themselves. Both are shown, as whole processes.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement import Disagreement
from environments import environment
from processes import Program, in_turns
from table import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUMMARIES = """
import glob, sys
from inspect_ai.analysis import samples_df
table = samples_df(sorted(glob.glob(sys.argv[1] + "/*")), quiet=True)
print(len(table), round(float((table["score_match"] == "C").mean()), 12))
"""
SAMPLES = """
import glob, sys
from inspect_ai.analysis import SampleColumn, SampleSummary, samples_df
columns = [*SampleSummary, SampleColumn("steps", path=lambda sample: len(sample.messages), full=True)]
table = samples_df(sorted(glob.glob(sys.argv[1] + "/*")), columns=columns, quiet=True)
print(len(table), round(float((table["score_match"] == "C").mean()), 12))
"""
OURS = """
import sys
import scorebars
scores = scorebars.read(sys.argv[1])
rows = scores.tidy()["score"]
print(len(rows), round(float(rows.mean()), 12))
"""
INFLATE = """
import glob, sys, zipfile
for path in glob.glob(sys.argv[1] + "/*"):
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            archive.read(name)
"""
SIZES = {"inspect": (20, 100, 4_000, 3), "inspect-agents": (20, 100, 60_000, 3)}
"""Row -> logs, samples of each, bytes of a transcript, turns."""
LARGE = (10, 400, 250_000)
"""The same of the row on memory: 1 GB of JSON."""
LEAST, MOST_MB = 10.0, 300.0
"""How many times ``samples_df`` was promised to take, and the peak memory of ours on the large row."""


def small(cache: Path, name: str) -> Iterator[Line]:
    """Twenty logs of a model each: ours, and both ways of ``samples_df``."""
    logs, samples, size, turns = SIZES[name]
    peer = environment("inspect-ai", cache)
    with tempfile.TemporaryDirectory() as folder:
        total = write(Path(folder), logs, samples, size)
        what = f"`read`, {logs} Inspect logs of {samples} samples, {total / 1e6:,.0f} MB of JSON"
        if peer.why_not:
            yield Line.skipped(name, what, "samples_df", peer.why_not)
            return
        ours = Program("", [sys.executable, "-c", OURS, folder], repeat=turns)
        theirs = [
            Program(label, [peer.python, "-c", code, folder], peer.variables, turns)
            for label, code in (
                ("`samples_df`, one column of the samples", SAMPLES),
                ("`samples_df`, summaries", SUMMARIES),
            )
        ]
        in_turns([ours, *theirs])
    yield from _lines(name, what, ours, theirs)


def _lines(name: str, what: str, ours: Program, theirs: list[Program]) -> Iterator[Line]:
    for program in theirs:
        if program.output != ours.output:
            raise Disagreement(f"{ours.output.strip()} against {program.output.strip()} of {program.label}")
        peaks, goal = (ours.peak_mb, program.peak_mb), LEAST if program is theirs[0] else 0.0
        remark = "rows and mean equal" if program is theirs[0] else "rows and mean equal; opens no sample"
        yield Line(name, what, ours.median, program.label, program.median, goal, peak_mb=peaks, remark=remark)


def large(cache: Path) -> Iterator[Line]:
    """1 GB of JSON, next to Python's own decompression of the same members."""
    del cache
    with tempfile.TemporaryDirectory() as folder:
        total = write(Path(folder), *LARGE)
        ours = Program("", [sys.executable, "-c", OURS, folder], repeat=3)
        theirs = Program("decompressing them (`zipfile`)", [sys.executable, "-c", INFLATE, folder], repeat=3)
        in_turns([ours, theirs])
    if ours.peak_mb > MOST_MB:
        raise Disagreement(f"{ours.peak_mb:,.0f} MB at peak; {MOST_MB:,.0f} were promised")
    what = f"`read`, Inspect logs with {total / 1e9:.2g} GB of JSON"
    remark = f"{total / 1e6 / ours.median:,.0f} MB/s; never more than {MOST_MB:,.0f} MB"
    yield Line(
        "inspect-gb",
        what,
        ours.median,
        theirs.label,
        theirs.median,
        peak_mb=(ours.peak_mb, theirs.peak_mb),
        remark=remark,
    )


ROWS: dict[str, Callable[[Path], Iterator[Line]]] = {
    **{name: (lambda cache, name=name: small(cache, name)) for name in SIZES},
    "inspect-gb": large,
}


def write(folder: Path, logs: int, samples: int, size: int) -> int:
    """Write logs with a transcript of about ``size`` bytes for each sample; how many bytes of JSON that is."""
    return sum(log(folder / f"2026-01-01T00-00-{i:02d}_sums_{i}.eval", i, samples, size) for i in range(logs))


def log(path: Path, number: int, samples: int, size: int) -> int:
    """One ``.eval`` log, member for member as Inspect 0.3 writes it."""
    written = [sample(i, number, size) for i in range(samples)]
    summaries = [_summary(fields) for fields in written]
    total = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, content: object) -> None:
            nonlocal total
            text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
            total += len(text.encode())
            archive.writestr(name, text)

        top = header(number, [fields["scores"]["match"]["value"] == "C" for fields in written])
        put("_journal/start.json", {key: top[key] for key in ("version", "eval", "plan")})
        for fields in written:
            put(f"samples/{fields['id']}_epoch_1.json", fields)
        put("_journal/summaries/1.json", summaries)
        put("summaries.json", summaries)
        put("header.json", top)
    return total


def header(number: int, correct: list[bool]) -> dict[str, Any]:
    """``header.json``."""
    stamp = "2026-01-01T00:00:00+00:00"
    mean = sum(correct) / len(correct)
    score = {
        "name": "match",
        "scorer": "match",
        "params": {},
        "metrics": {"accuracy": {"name": "accuracy", "value": mean, "params": {}}},
    }
    block = {
        "eval_id": f"eval{number}",
        "run_id": f"run{number}",
        "created": stamp,
        "task": "sums",
        "task_id": f"task{number}",
        "task_version": 0,
        "task_args": {},
        "dataset": {"name": "sums", "samples": len(correct), "sample_ids": list(range(len(correct)))},
        "model": f"mockllm/model-{number}",
        "model_generate_config": {},
        "model_args": {},
        "config": {"epochs": 1},
        "packages": {"inspect_ai": "0.3.285"},
        "scorers": [{"name": "match", "options": {}, "metrics": [{"name": "inspect_ai/accuracy", "options": {}}]}],
    }
    return {
        "version": 2,
        "status": "success",
        "eval": block,
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": len(correct), "completed_samples": len(correct), "scores": [score]},
        "stats": {"started_at": stamp, "completed_at": stamp, "model_usage": {}},
    }


WORDS = [
    f"{a}{b}{c}" for a in ("re", "un", "", "over") for b in ("think", "read", "count", "move") for c in ("ing", "s", "")
]


def sample(i: int, number: int, size: int) -> dict[str, Any]:
    """One sample: a conversation of tool calls, told twice (messages and events), as agents' logs are."""
    rng = random.Random(1000 * number + i)  # noqa: S311 - text of a transcript
    turns = [_turn(rng, turn) for turn in range(max(1, size // 2_900))]
    correct = (i * 2_654_435_761 + number * 40_503) % 10 < 6
    return {
        "id": i,
        "epoch": 1,
        "input": f"What is {i} + {i}?",
        "target": str(2 * i),
        "messages": [message for turn in turns for message in turn],
        "output": {"model": "model", "choices": [{"message": turns[-1][0], "stop_reason": "stop"}]},
        "scores": {
            "match": {"value": "C" if correct else "I", "answer": str(2 * i), "explanation": "…", "history": []}
        },
        "metadata": {"passage": f"p{i // 4}"},
        "store": {},
        "events": [_event(i, place, turn[0]) for place, turn in enumerate(turns)],
        "model_usage": {},
        "started_at": "2026-01-01T00:00:00+00:00",
        "completed_at": "2026-01-01T00:00:01+00:00",
        "total_time": 1.0,
        "working_time": 1.0,
        "uuid": f"sample-{number}-{i}",
        "error_retries": [],
        "attachments": {},
    }


def _turn(rng: random.Random, place: int) -> list[dict[str, Any]]:
    """A call and its answer; text of chance words and numbers, which compresses about as well as real transcripts."""
    code = "".join(f'def {rng.choice(WORDS)}(x):\n    return {{"x": x + {rng.random():.4f}}}\n' for _ in range(6))
    call = {"id": f"call{place}", "function": "python", "arguments": {"code": code}}
    return [
        {
            "id": f"{rng.getrandbits(64):x}",
            "content": " ".join(rng.choices(WORDS, k=60)),
            "source": "generate",
            "role": "assistant",
            "tool_calls": [call],
            "model": "model",
        },
        {
            "id": f"{rng.getrandbits(64):x}",
            "content": "\n".join(f"{rng.random():.3f} Ω" for _ in range(30)),
            "role": "tool",
            "tool_call_id": call["id"],
            "function": "python",
        },
    ]


def _event(i: int, place: int, message: dict[str, Any]) -> dict[str, Any]:
    return {
        "uuid": f"e{place}",
        "span_id": "s",
        "timestamp": f"2026-01-01T00:00:{place % 60:02d}.{i:06d}+00:00",
        "working_start": place * 0.25,
        "event": "model",
        "model": "model",
        "input": [],
        "tools": [],
        "tool_choice": "auto",
        "config": {},
        "output": {
            "model": "model",
            "choices": [{"message": message, "stop_reason": "tool_calls"}],
            "completion": "",
            "usage": {"input_tokens": 100 + place, "output_tokens": 20, "total_tokens": 120 + place},
            "time": 0.5,
        },
    }


def _summary(fields: dict[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "target", "metadata", "scores", "model_usage", "total_time", "working_time", "uuid")
    return {key: fields[key] for key in kept} | {"completed": True}
