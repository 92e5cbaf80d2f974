"""From paths and options to scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorebars.cli import build, guesses
from scorebars.cli.progress import progress
from scorebars.errors import ArgumentError
from scorebars.outputs import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.readers.saved_map import Saving
    from scorebars.scores import Scores


def read_scores(paths: Sequence[str], options: Mapping[str, Any], labels: Mapping[str, str] | None = None) -> Scores:
    """Read the files as the options say; ``labels`` maps names of models to paths."""
    wanted = asked(paths, options)
    from scorebars.readers.read import read

    with progress() as say:
        return read(list(paths), labels=labels or None, progress=say, **wanted)


def asked(paths: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """What ``read`` is asked by the options; a UsageError where no file is named."""
    if not paths:
        raise click.UsageError("no file given; name files, folders or globs, or - for standard input")
    _refuse_input_as_output(paths, options.get("output"))
    asked = {name: options[name] for name in ("metric", "variant", "cluster", "on_error", "duplicates")}
    asked |= {
        name: options[name] for name in ("items", "normalize", "at", "dates", "split", "latest", "repeats_as_runs")
    }
    asked["categories"] = build.categories(options["categories"])
    asked["columns"] = build.columns(options["columns"])
    asked["sql"] = options["sql"]
    if options["save_map"]:
        from scorebars.readers.saved_map import check_asked

        check_asked(asked["columns"], asked["categories"], asked["sql"])
    asked["range"] = build.score_range(options["score_range"])
    asked["without"] = list(options["without"])
    return asked


def saving(tables: Sequence[Scores], options: Mapping[str, Any]) -> Saving:
    """What ``--save-map`` is to write, checked, when all else is done; nothing where it was not given."""
    from scorebars.readers.saved_map import Saved, Saving, columns_typed
    from scorebars.readers.saved_map import saving as planned
    from scorebars.readers.unclustered import NO_CLUSTER

    if not options["save_map"]:
        return Saving()
    columns, categories = build.columns(options["columns"]), build.categories(options["categories"])
    cluster = None if options["cluster"] == NO_CLUSTER else options["cluster"]
    typed = Saved(columns_typed(columns, cluster), categories or {})
    parts = [part for scores in tables for part in scores.parts]
    return planned(parts, typed, force=options["force"])


def _refuse_input_as_output(paths: Sequence[str], output: str | None) -> None:
    """Scores are not replaced by what is made of them, whatever --force says."""
    if output is None or not Path(output).exists():
        return
    target = Path(output).resolve()
    for path in paths:
        source = Path(path).resolve()
        if target == source or source in target.parents:
            raise ArgumentError(f"-o {output} is one of the inputs ('{path}'); write the result to another file")


def chosen(scores: Scores, options: Mapping[str, Any], models: Sequence[str] = ()) -> Scores:
    """The part of the scores that counts, with what was declared about it."""
    wanted = list(models or options.get("models", ()))
    if wanted:
        _refuse_several("model", wanted, scores.models)
        scores = scores.select(model=wanted)
    if options["tasks"]:
        _refuse_several("task", options["tasks"], scores.tasks)
        scores = scores.select(task=list(options["tasks"]))
    if options.get("pool_tasks"):
        scores = scores.pooled()
    if options.get("cluster_crosses_tasks"):
        scores = scores.with_options(cluster_crosses_tasks=True)
    if options.get("run_crosses_items"):
        scores = scores.with_options(run_crosses_items=True)
    return scores


def _refuse_several(role: str, wanted: Sequence[str], available: Sequence[str]) -> None:
    """Raise an ArgumentError for a pattern or a list where one name must stand."""
    for name in wanted:
        sentence = "" if name in available else guesses.several(role, name, available)
        if sentence:
            raise ArgumentError(sentence)


def explain(scores: Scores) -> None:
    """Which reader took each file, how columns were mapped, what was dropped and why: on standard error."""
    from scorebars.outputs.characters import visible

    if sys.stderr is not None:
        print("\n".join(map(visible, _told(scores.explain()))), file=sys.stderr)


def _alike(files: Sequence[Mapping[str, Any]]) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    """Files of which the same is to be said, such as the trials of a job, with their paths."""
    groups: dict[str, tuple[list[str], Mapping[str, Any]]] = {}
    for file in files:
        said = repr([value for name, value in file.items() if name != "path"])
        groups.setdefault(said, ([], file))[0].append(file["path"])
    yield from groups.values()


def _several(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {numbers.count(len(paths) - 1, 'more file')}"


def _told(found: Mapping[str, Any]) -> Iterator[str]:
    from scorebars.readers import without_score

    for paths, file in _alike(found["files"]):
        yield f"{_several(paths)}: read by '{file['reader']}'"
        for role, origin in file["columns"]:
            yield f"  {role:<8} from {origin}"
        for why, n in file["dropped"]:
            yield f"  dropped  {numbers.count(n, 'row')}: {why}"
        reasons: dict[str, list[str]] = {}
        for metric, why in file["unusable"]:
            reasons.setdefault(why, []).append(metric)
        for why, metrics in reasons.items():
            yield f"  no score {', '.join(filter(None, metrics))}: {why}"
        yield f"  {without_score(file['on_error'], file['official'], found['options']['on_error'])}"
        for note in file["notes"]:
            yield f"  note     {note}"
    for name in ("models", "tasks", "metrics", "variants"):
        if found[name]:
            yield f"{name}: {', '.join(found[name])}"
    options = {name: value for name, value in found["options"].items() if value not in (None, False)}
    yield f"rules: {', '.join(f'{name}={value}' for name, value in options.items())}"
