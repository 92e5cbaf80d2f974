"""Reference scores that bring raw returns of several tasks to one scale: (score − low) / (high − low).

The built-in tables are here, one a file; a table of one's own is read by :mod:`.own_file`. Task names are matched
across spellings (:mod:`.names`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.errors import ArgumentError, ReadError, near_miss
from scorebars.notes import note
from scorebars.readers.files import shown
from scorebars.readers.normalisation import ale57, dmc, procgen
from scorebars.readers.normalisation.names import key, plain
from scorebars.readers.normalisation.own_file import own_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorebars.contracts import Part, ReadOptions
    from scorebars.notes import Note

HUMAN_NORMALISED: Final = "HNS"
"""The metric's name once Atari scores are human-normalised."""
SPELLINGS: Final = ("ale57", "procgen-easy", "procgen-hard", "dmc")
_RAW_FROM: Final = {
    "ale57": (100.0, "ale57"),
    "procgen": (1.5, "procgen-easy or procgen-hard"),
    "gym": (100.0, "FILE"),
}
"""Benchmark -> (from which size on a score of it is raw, what normalises it). Normalised scores stay below."""
_GYM: Final = re.compile(
    r"(HalfCheetah|Hopper|Walker2d|Walker2D|Ant|Humanoid|HumanoidStandup|Swimmer|Reacher|Pusher|InvertedPendulum|"
    r"InvertedDoublePendulum|CartPole|Acrobot|MountainCar|MountainCarContinuous|Pendulum|LunarLander|"
    r"LunarLanderContinuous|BipedalWalker|BipedalWalkerHardcore|CarRacing|FrozenLake|CliffWalking|Taxi)(BulletEnv)?-v\d+"
)
"""Environments of Gym: names of models end in a version too."""
_TABLES: Final[dict[str, tuple[Mapping[str, tuple[float, float]], str]]] = {
    "ale57": (ale57.GAMES, ale57.SOURCE),
    "procgen-easy": (procgen.EASY, procgen.SOURCE),
    "procgen-hard": (procgen.HARD, procgen.SOURCE),
}


@dataclass(frozen=True, slots=True)
class Reference:
    """Low and high score of each task."""

    name: str
    """As it was asked for."""
    source: str
    bounds: Mapping[str, tuple[float, float]]
    """Key of a task's name -> (low, high)."""
    tasks: tuple[str, ...]
    """Names as the table spells them."""

    def of(self, task: str) -> tuple[float, float]:
        """Low and high score of a task, under any of its spellings.

        Raises:
            ReadError: A task that it does not have.
        """
        if self.name == "dmc" and is_dmc(task):
            return dmc.LIMITS
        found = self.bounds.get(key(task))
        if found is None:
            raise ReadError(
                f"the reference scores '{self.name}' have no task '{task}'{near_miss(plain(task), self.tasks)}; "
                "give a file with its low and high score (--normalize FILE with the columns task,low,high)"
            )
        return found

    def knows(self, task: str) -> bool:
        """Whether it has the low and high score of a task."""
        return key(task) in self.bounds or (self.name == "dmc" and is_dmc(task))

    def shared_names(self, tasks: Sequence[str]) -> dict[str, str]:
        """Task -> its name as the table spells it, so that files with other spellings have the same tasks.

        Two tasks of one table that would become one ('Pong-v4' and 'ALE/Pong-v5') keep their names.
        """
        spelled = {key(name): name for name in self.tasks}
        found = {task: spelled.get(key(task), task) for task in tasks}
        counts = Counter(found.values())
        return {task: name if counts[name] == 1 else task for task, name in found.items()}


def reference(name: str) -> Reference:
    """The table of that name, or in a file of that path.

    Raises:
        ArgumentError: Neither a table's name nor a file.
        ReadError: The file is no table of low and high scores.
    """
    if name in _TABLES:
        bounds, source = _TABLES[name]
        return Reference(name, source, {key(task): each for task, each in bounds.items()}, tuple(bounds))
    if name == "dmc":
        return Reference(name, dmc.SOURCE, {}, tuple(sorted(dmc.NAMES)))
    if name == "procgen":
        raise ArgumentError(
            "Procgen has other reference scores in each difficulty; choose --normalize procgen-easy or procgen-hard"
        )
    table = own_table(name, SPELLINGS)
    keys = {key(task): task for task in table}
    if len(keys) < len(table):
        one = next(task for task in table if keys[key(task)] != task)
        raise ReadError(f"{name} has '{one}' and '{keys[key(one)]}', two spellings of one task; give each task once")
    return Reference(name, f"the file {name}", {key(task): each for task, each in table.items()}, tuple(table))


def is_dmc(task: str) -> bool:
    """Whether a name is that of a DeepMind Control task: 'walker_walk', 'dmc_cup_catch', 'Walker Walk'.

    Tasks that others have added to its domains are known by the prefix 'dmc' only.
    """
    name = plain(task)
    words = re.sub(r"[\s-]+", "_", name).lower()
    has_prefix = name != task.strip() and task.strip().lower().startswith("dm")
    return words in dmc.NAMES | dmc.OTHER_NAMES or (
        has_prefix and any(words.startswith(f"{domain}_") for domain in dmc.TASKS)
    )


def suite_of(tasks: Iterable[str]) -> str:
    """The benchmark that all of these tasks are of: 'ale57', 'procgen', 'dmc' or 'gym'; "" if there is none such."""
    names = list(tasks)
    if not names:
        return ""
    if all(is_dmc(name) for name in names):
        return "dmc"
    keys = {key(name) for name in names}
    suites = {"ale57": ale57.GAMES, "procgen": procgen.HARD}
    found = next((suite for suite, games in suites.items() if keys <= {key(game) for game in games}), "")
    return found or ("gym" if all(_GYM.fullmatch(name) for name in names) else "")


def on_one_scale(part: Part, options: ReadOptions) -> Part:
    """The part with its raw returns normalised as asked; else with what is known of their scales.

    Args:
        part: Columns with the role task, and raw returns as scores.
        options: ``normalize`` decides.
    """
    rows = part.rows
    if isinstance(rows, str) or "task" not in rows:
        return part if options.normalize is None else _nameless(part, options.normalize)
    tasks = list(dict.fromkeys(rows["task"].tolist()))
    if options.normalize is not None:
        return _normalised(part, rows, tasks, reference(options.normalize))
    suite = suite_of(tasks)
    if suite == "dmc":
        return replace(part, score_range=dmc.LIMITS if _within(rows["score"], dmc.LIMITS) else None, suite=suite)
    raw = looks_raw(tasks, float(np.nanmax(np.abs(rows["score"]), initial=0.0)))
    return replace(part, own_scales=raw, suite=suite)


def looks_raw(tasks: Iterable[str], largest: float) -> str:
    """What brings scores of these tasks to one scale, if they are raw for all that their size says; else ""."""
    suite = suite_of(tasks)
    if suite not in _RAW_FROM or largest < _RAW_FROM[suite][0]:
        return ""
    return f"bring them to one scale (--normalize {_RAW_FROM[suite][1]})"


def _nameless(part: Part, name: str) -> Part:
    raise ReadError(
        f"{shown(part.path)} does not say which task its scores are of, so they cannot be normalised by '{name}'; "
        "normalise them before they are saved"
    )


def _normalised(part: Part, rows: Mapping[str, Any], tasks: list[str], table: Reference) -> Part:
    try:
        bounds = {task: table.of(task) for task in tasks}
    except ReadError as error:
        raise ReadError(f"{shown(part.path)}: {error}") from error
    low, high = np.array([bounds[task] for task in rows["task"].tolist()]).reshape(-1, 2).T
    score = (rows["score"] - low) / (high - low)
    if table.name == "dmc" and not _within(score, (0.0, 1.0)):
        beyond = rows["score"][int(np.nanargmax(np.abs(score - 0.5)))]
        raise ReadError(
            f"{shown(part.path)} has the score {beyond:g}, but returns of the DeepMind Control Suite lie between "
            "0 and 1,000; they are no raw returns of it, so leave out --normalize dmc"
        )
    names = table.shared_names(tasks)
    renamed = np.empty(len(score), dtype=object)
    renamed[:] = [names[task] for task in rows["task"].tolist()]
    changed = dict(rows) | {"score": score, "task": renamed}
    if table.name == "ale57" and "metric" not in rows:
        changed["metric"] = np.full(len(score), HUMAN_NORMALISED, dtype=object)
    said = ("normalised", f"(score - low) / (high - low) by '{table.name}': {table.source}")
    notes = disputed(names.values()) if table.name == "ale57" else ()
    known = (0.0, 1.0) if table.name == "dmc" else None
    return replace(
        part, rows=changed, mapping=(*part.mapping, said), notes=(*part.notes, *notes), score_range=known, own_scales=""
    )


def disputed(tasks: Iterable[str]) -> tuple[Note, ...]:
    """``reference-scores`` where the game on whose random score published tables differ is there."""
    low = ale57.GAMES[ale57.DISPUTED][0]
    found = [task for task in tasks if key(task) == key(ale57.DISPUTED)]
    return tuple(note("reference-scores", task=task, low=low, other=ale57.OTHER_LOW) for task in found)


def _within(scores: Any, limits: tuple[float, float]) -> bool:
    known = scores[~np.isnan(scores)]
    return bool(np.all((known >= limits[0]) & (known <= limits[1])))
