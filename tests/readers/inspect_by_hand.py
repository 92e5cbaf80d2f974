"""Inspect logs in the shape of the real thing, small enough to read, for what the example logs do not show."""

from __future__ import annotations

import json
import zipfile

from backports import zstd

from scorebars.contracts import ReadOptions, Request
from scorebars.readers.files import head_of
from scorebars.readers.inspect_log import InspectReader


def sample(item, epoch=1, *, error=None, metadata=None, **scores):
    """One sample; each keyword is a scorer and its value."""
    fields = {"id": item, "epoch": epoch, "input": "?", "target": "!", "messages": [{"content": "x" * 50}]}
    fields["scores"] = {name: {"value": value, "answer": "a"} for name, value in scores.items()}
    fields["metadata"] = metadata or {}
    if error:
        fields["error"] = {"message": error, "traceback": "", "traceback_ansi": ""}
    return fields


def header(
    *,
    status="success",
    total=None,
    scores=None,
    scorers=None,
    model="openai/gpt-4o",
    task="sums",
    ids=None,
    created="2026-01-01T00:00:00+00:00",
    **block,
):
    block = {"task": task, "model": model, "created": created, "run_id": "r", "task_id": "t"} | block
    block |= {"dataset": {"name": task} | ({} if ids is None else {"sample_ids": ids}), "config": {"epochs": 1}}
    if scorers is not None:
        block["scorers"] = [{"name": name} for name in scorers]
    results = None
    if scores is not None or total is not None:
        results = {"total_samples": total, "completed_samples": total, "scores": scores or []}
    return {"version": 2, "status": status, "eval": block, "plan": {"steps": []}, "results": results}


def write_json(path, samples, **options):
    """A ``.json`` log; ``samples=None`` leaves the key out."""
    content = header(**options) | ({} if samples is None else {"samples": samples})
    path.write_text(json.dumps(content, indent=2))
    return path


def write_eval(path, samples, *, extra=None, start_only=False, **options):
    """A ``.eval`` log with deflate members; ``extra`` maps member names to content."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        top = header(**options)
        archive.writestr("_journal/start.json", json.dumps({key: top[key] for key in ("version", "eval", "plan")}))
        for fields in samples:
            archive.writestr(f"samples/{fields['id']}_epoch_{fields['epoch']}.json", json.dumps(fields))
        for name, content in (extra or {}).items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content))
        if not start_only:
            archive.writestr("header.json", json.dumps(top))
    return path


def write_pieces(path, samples, **options):
    """A ``.eval`` log whose samples lie in pieces, as newer Inspect can write large ones."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header(**options)))
        for fields in samples:
            folder = f"samples/{fields['id']}_epoch_{fields['epoch']}"
            shell = {key: value for key, value in fields.items() if key not in ("messages", "metadata")}
            archive.writestr(f"{folder}/sample.json", json.dumps(shell | {"message_refs": [[0, 1]]}))
            if fields["metadata"]:
                archive.writestr(f"{folder}/metadata.json", json.dumps(fields["metadata"]))
            archive.writestr(f"{folder}/skeleton.json", json.dumps({"id": "skeleton", "spans": []}))
            archive.writestr(f"{folder}/messages/0.json", json.dumps(fields["messages"]))
            archive.writestr(f"{folder}/events/stats.json", json.dumps([{"scores": 3}]))
    return path


def to_zstandard(source, target, frames=1):
    """The same members as zip method 93, each in one frame or several, as newer Inspect writes them."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            size = -(-len(data) // frames)
            packed = b"".join(zstd.compress(data[i : i + size]) for i in range(0, len(data), size))
            info = zipfile.ZipInfo(name)
            new.writestr(info, packed)  # stored; the directory is then told what the bytes really are
            info.compress_type, info.file_size, info.CRC = 93, len(data), zipfile.crc32(data)
    return target


def read_all(*paths, cluster=None, columns=None, **options):
    return list(
        InspectReader().read(
            [head_of(path) for path in paths], Request(columns or {}, cluster, None, ReadOptions(**options))
        )
    )


def read_one(path, **options):
    (part,) = read_all(path, **options)
    return part


def scores_of(part, metric):
    """(item, run) -> score of one metric."""
    rows = part.rows
    chosen = [i for i, name in enumerate(rows["metric"]) if name == metric]
    return {(rows["item"][i], rows["run"][i]): float(rows["score"][i]) for i in chosen}
