"""Stable-Baselines3: what ``Monitor`` and ``EvalCallback`` write, ``monitor.csv`` and ``evaluations.npz``.

Both are the curve of one training run. ``0.monitor.csv``, ``1.monitor.csv`` … of one folder are parallel environments
of one seed, not seeds: their episodes are put in the order in which they ended, as the library itself does. The
episodes of an evaluation are not seeds either: their mean is the value at that step.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ReadError
from scorebars.notes import note
from scorebars.readers.curves import Curve, curve_part
from scorebars.readers.document import fault, node
from scorebars.readers.files import bad_byte, plain_bytes, shown, stem
from scorebars.readers.last_line import unended_note
from scorebars.readers.nul_bytes import refuse_nul_bytes
from scorebars.readers.numpy_files import load_npz
from scorebars.readers.records import each, refuse_mapping
from scorebars.readers.sources import NoScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from scorebars.contracts import FileHead, Part, Request
    from scorebars.notes import Note
    from scorebars.sample import FloatArray

TRAINING: Final = "training"
EVALUATION: Final = "evaluation"
SUCCESS: Final = "evaluation success"
_ZOO: Final = re.compile(r"(?P<env>.+-v\d+)_(?P<run>\d+)")
"""A folder of rl-baselines3-zoo: environment and number of the run."""
_SEED: Final = re.compile(r"((seed|run|trial|s)[ _-]?)?\d+", re.IGNORECASE)
_PARALLEL: Final = re.compile(r"(\d+\.)?monitor")
_MEMBERS: Final = ("timesteps", "results")


class StableBaselinesReader:
    """Reads monitor files and evaluations."""

    @property
    def name(self) -> str:
        """As on the command line and in notes."""
        return "stable-baselines"

    def claims(self, head: FileHead) -> bool:
        """A first line that is a comment with t_start, or a zip file with timesteps."""
        if _is_monitor(head):
            return True
        return head.head.startswith(b"PK\x03\x04") and b"timesteps.npy" in head.head[:2000]

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """One part a run and metric; parallel environments are one run, whose part bears the first file's name."""
        refuse_mapping(request, "a log of Stable-Baselines3")
        groups: dict[tuple[Path, str], list[FileHead]] = {}
        for head in heads:
            groups.setdefault(_group(head), []).append(head)
        first = {group[0].path: group for group in groups.values()}
        return each([group[0] for group in groups.values()], lambda head: self._part(first[head.path], request))

    def _part(self, group: Sequence[FileHead], request: Request) -> Part:
        head = group[0]
        origin = _origin(head)
        cut: list[Note] = []
        if _is_monitor(head):
            logs = [_monitor(one) for one in group]
            cut = [unended_note(one, log.cut) for one, log in zip(group, logs, strict=True) if log.cut]
            curves = [_training(logs, origin)]
            several = f", of {len(group)} parallel environments by their end" if len(group) > 1 else ""
            said = {"score": f"r, the return of each episode{several}"}
            task = curves[0].task
        else:
            curves, episodes = _evaluations(head, origin)
            said = {"score": f"the mean of the {episodes} episodes of each evaluation"}
            task = origin.task
        mapping = {"model": f"the folder's name ('{origin.model}')", "run": f"the folder ('{origin.run}')"}
        mapping |= {"task": f"the environment '{task}'"} if task else {}
        part = curve_part(head, self.name, curves, request.options, mapping | said)
        return replace(part, notes=(*part.notes, *_half_notes(group), *cut))


@dataclass(frozen=True, slots=True)
class _Origin:
    """What the path says of a run."""

    model: str
    run: str
    task: str | None


@dataclass(frozen=True, slots=True, eq=False)
class _Monitor:
    """One environment's episodes: when each ended (seconds), its length and its return."""

    ended: FloatArray
    length: FloatArray
    score: FloatArray
    env: str | None
    cut: str
    """The last line, if it has no line break: the library writes one after each episode, so that it was cut short."""


def _is_monitor(head: FileHead) -> bool:
    first = head.head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return first.startswith(b"#{") and b'"t_start"' in first


def _group(head: FileHead) -> tuple[Path, str]:
    """Parallel environments share their folder; any other file is a run of its own."""
    name = stem(head.path)
    if _is_monitor(head) and _PARALLEL.fullmatch(name):
        return head.path.absolute().parent, "monitor"
    return head.path.absolute(), ""


def _half_notes(group: Sequence[FileHead]) -> tuple[Note, ...]:
    """``partial-log`` where other environments of the same run lie in the folder and are not read."""
    first = group[0].path
    if not _is_monitor(group[0]) or not _PARALLEL.fullmatch(stem(first)):
        return ()
    given = {head.path.name for head in group}
    others = sorted(path.name for path in first.absolute().parent.glob("[0-9]*.monitor.csv*") if path.name not in given)
    if not others:
        return ()
    detail = (
        f"{shown(first)} is one of several environments of its run, and '{others[0]}' beside it is not read: steps and "
        "episodes are those of a part of the run; read the folder"
    )
    return (note("partial-log", detail=detail),)


def _origin(head: FileHead) -> _Origin:
    """Model, run and task as the folders name them: 'a2c/Acrobot-v1_2/', 'ppo/seed3/', 'ppo/'."""
    folder = head.path.absolute().parent
    name = stem(head.path)
    named = None if _PARALLEL.fullmatch(name) or name == "evaluations" else name.removesuffix(".monitor")
    if found := _ZOO.fullmatch(folder.name):
        return _Origin(folder.parent.name, named or found["run"], found["env"])
    if _SEED.fullmatch(folder.name) and folder.parent.name:
        return _Origin(folder.parent.name, named or folder.name, None)
    return _Origin(folder.name or "model", named or "1", None)


def _monitor(head: FileHead) -> _Monitor:
    path = shown(head.path)
    refuse_nul_bytes(head)
    with plain_bytes(head) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ReadError(bad_byte(head) or f"{path} is not UTF-8") from error
    first, _, rest = text.partition("\n")
    try:
        top = node(json.loads(first.removeprefix("#")), f"{path}: line 1")
    except (json.JSONDecodeError, RecursionError) as error:
        why = fault(error) if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise ReadError(f"{path}: line 1 is not the JSON comment of a monitor file ({why})") from error
    rest, cut = _without_cut(rest)
    table = _episodes(rest, path)
    start = top.number("t_start")
    if np.isnan(start):
        raise ReadError(f"{path}: line 1: 't_start' is null; the start of the run is needed")
    env = top.text("env_id", "") if top.has("env_id") and top.value["env_id"] != "None" else ""
    return _Monitor(table["t"] + start, table["l"], table["r"], env or None, cut)


def _without_cut(text: str) -> tuple[str, str]:
    """All lines that end, and the last one if it does not; the line of the columns always stays."""
    kept, end, last = text.rpartition("\n")
    return (kept + end, last) if kept and last and not last.endswith("\r") else (text, "")


def _episodes(text: str, path: str) -> dict[str, FloatArray]:
    """The columns r, l and t."""
    rows = csv.reader(io.StringIO(text), strict=True)
    try:
        header = next(rows, [])
        if not {"r", "l", "t"} <= set(header):
            raise ReadError(f"{path}: line 2 names the columns {', '.join(header) or 'nothing'}; r, l and t are needed")
        places = [header.index(name) for name in ("r", "l", "t")]
        found = [_episode(row, places, len(header), f"{path}: line {rows.line_num + 1}") for row in rows if row]
    except csv.Error as error:
        raise ReadError(f"{path}: line {rows.line_num + 1} is no CSV ({error})") from error
    if not found:
        raise NoScores(f"{path} holds no episode; no scores are in it")
    columns = np.array(found, dtype=np.float64).T
    return dict(zip(("r", "l", "t"), columns, strict=True))


def _episode(row: Sequence[str], places: Sequence[int], width: int, where: str) -> list[float]:
    if len(row) != width:
        raise ReadError(f"{where} has {len(row)} cells, the header has {width}")
    try:
        cells = [float(row[place]) for place in places]
    except ValueError as error:
        raise ReadError(
            f"{where}: '{','.join(row)}' is no episode; a return, a length and a time are needed"
        ) from error
    if not np.isfinite(cells).all():
        raise ReadError(f"{where}: '{','.join(row)}' has a number that is not finite")
    return cells


def _training(logs: Sequence[_Monitor], origin: _Origin) -> Curve:
    """Episodes of all environments in the order in which they ended; the step is the sum of the lengths so far."""
    order = np.argsort(np.concatenate([log.ended for log in logs]), kind="stable")
    steps = np.cumsum(np.concatenate([log.length for log in logs])[order])
    scores = np.concatenate([log.score for log in logs])[order]
    task = next((log.env for log in logs if log.env), origin.task)
    return Curve(origin.model, origin.run, steps, scores, task, TRAINING)


def _evaluations(head: FileHead, origin: _Origin) -> tuple[list[Curve], int]:
    """The curves of an evaluations.npz, of returns and, where they are kept, of successes; and the episodes of each."""
    arrays = load_npz(head)
    path = shown(head.path)
    for name in _MEMBERS:
        if name not in arrays:
            raise ReadError(f"{path} has no array '{name}', as evaluations of Stable-Baselines3 have")
    steps = arrays["timesteps"]
    found: list[Curve] = []
    for name, metric in (("results", EVALUATION), ("successes", SUCCESS)):
        if name in arrays:
            values = _means(steps, arrays[name], f"{path}: '{name}'")
            task = origin.task or _beside(head)
            found.append(Curve(origin.model, origin.run, steps.astype(np.float64), values, task, metric))
    shape = arrays["results"].shape
    return found, shape[1] if len(shape) > 1 else 1


def _means(steps: NDArray[Any], values: NDArray[Any], where: str) -> FloatArray:
    """Mean over the episodes of each evaluation."""
    if steps.ndim != 1 or values.ndim not in (1, 2) or len(values) != len(steps) or not values.size:
        raise ReadError(
            f"{where} has the shape {values.shape}, and there are {steps.shape} timesteps; evaluations × episodes are "
            "needed, with a timestep for each evaluation"
        )
    means: FloatArray = values.astype(np.float64).reshape(len(values), -1).mean(axis=1)
    return means


def _beside(head: FileHead) -> str | None:
    """The environment, from a monitor file in the same folder."""
    for path in sorted(head.path.absolute().parent.glob("*monitor.csv"))[:1]:
        with path.open("rb") as stream:
            first = stream.readline(10_000).decode("utf-8", errors="replace").lstrip("\ufeff#")
        try:
            found = json.loads(first).get("env_id")
        except (ValueError, AttributeError, RecursionError):
            return None
        return found if isinstance(found, str) and found != "None" else None
    return None
