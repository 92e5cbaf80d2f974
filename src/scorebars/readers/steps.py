"""Rewards of the steps of an episode, a row each or in a list: the episode is the attempt, and no step is one."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, is_unnamed, mapped, normal
from scorebars.errors import typed as in_shell
from scorebars.readers.columns import UnclearError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.readers.cells import Cells
    from scorebars.readers.columns import Layout

_STEPS: Final = frozenset({"step", "timestep", "time_step", "step_id", "step_idx", "step_index"})
_EPISODES: Final = frozenset(
    {"episode", "episode_id", "trajectory", "trajectory_id", "traj_id", "rollout", "rollout_id"}
)
_ROWS: Final = 10_000
"""Rows that are looked at."""
_REWARDS: Final = frozenset({"reward", "rewards"})
"""Headers of lists that are of steps where they are of many lengths."""
_OF_STEPS: Final = frozenset(
    {"step_rewards", "rewards_per_step", "reward_per_step", "turn_rewards", "per_step_rewards", "step_scores"}
)
"""Headers of lists that are of steps."""
_OF_STEPS_TOO: Final = frozenset(
    {"actions", "observations", "states", "steps", "turns", "obs", "trajectory", "dones", "next_observations", "infos"}
)
"""Headers of lists of what was done and seen in the steps."""
_ATTEMPTS: Final = frozenset(
    {"completions", "responses", "outputs", "samples", "generations", "answers", "predictions"}
)
"""Headers of lists of what was tried at one item: the numbers beside them are of runs."""
_LISTS: Final = 500
"""Lists that are looked at."""
_ENOUGH: Final = 5
"""Lists from which on their lengths say something."""
_BY_CHANCE: Final = 0.001
"""Below that chance it is none that all numbers of runs other than 0 stand last in their lists."""
_MOSTLY: Final = 0.8
"""Share of lists that are of one length where each is of runs, some of which are lacking."""


def refuse_steps(layout: Layout, cells: Cells) -> None:
    """Raise an UnclearError where rows of one episode are its steps and neither column has a role but that of the item.

    An episode a row, beside the step at which it ended, is a score of its own.
    """
    step = _named(_STEPS, layout.ignored)
    episode = _named(_EPISODES, (*layout.ignored, *layout.roles.get("item", ())))
    if not step or not episode or len(layout.scores) != 1 or layout.wide or layout.spread:
        return
    others = tuple(name for name in layout.roles.get("item", ()) if name != episode)
    groups = tuple(name for role in ("model", "task", "run") for name in layout.roles.get(role, ()))
    wanted = [*groups, *others, episode]
    key = ", ".join(f"w{place}" for place in range(len(wanted)))
    found = cells.engine.query(
        f"SELECT count(*) AS n, count(DISTINCT hash({key})) AS episodes FROM (SELECT * FROM "
        f"({cells.source.scan(wanted)}) LIMIT {_ROWS})"
    )
    if found["n"][0] < 2 * found["episodes"][0]:
        return
    from scorebars.readers.scoreless import in_sql

    kept = [*(in_sql(name) for name in (*groups, *others)), f"{in_sql(episode)} AS {'episode' if others else 'item'}"]
    score = in_sql(layout.scores[0])
    query = f"SELECT {', '.join(kept)}, sum({score}) AS {score} FROM data GROUP BY ALL"
    raise UnclearError(
        f"'{step}' numbers the rows of each '{episode}': steps of one attempt, whose rewards add up "
        f"({in_shell('--sql', query)})? If each is an attempt after all: {mapped({'item': episode, 'run': step})}",
        {},
        options={"--sql": query},
    )


def _named(headers: frozenset[str], names: Sequence[str]) -> str:
    return next((name for name in names if normal(name) in headers), "")


def refuse_step_lists(layout: Layout, listed: Sequence[str], cells: Cells) -> None:
    """Raise an UnclearError where a list of scores is of the steps of one attempt, and no mapping says what it is.

    That is so where it is called so; where lists of rewards are of many lengths, as episodes are; where as many actions
    or observations stand beside; and where only the last number of each list is ever other than 0.
    """
    if len(listed) != 1 or layout.wide or layout.spread:
        return
    name = listed[0]
    why = f"'{name}' holds lists" if normal(name) in _OF_STEPS else _why_steps(name, layout, cells)
    if not why:
        return
    from scorebars.readers.score_lists import remedy_of_runs
    from scorebars.readers.scoreless import in_sql

    column = in_sql(name)
    numbers = f"CAST({column} AS DOUBLE[])"
    known = "score" in layout.asked or normal(name) in ALIASES["score"]
    kept = f"* REPLACE ({{}} AS {column})" if known else f"* EXCLUDE ({column}), {{}} AS reward"
    total, last = (f"SELECT {kept.format(made)} FROM data" for made in (f"list_sum({numbers})", f"{numbers}[-1]"))
    raise UnclearError(
        f"{why}: is each list the rewards of the steps of one attempt, whose score is their sum "
        f"({in_shell('--sql', total)}) or the last ({in_shell('--sql', last)})? If each number is a run of the item: "
        f"{remedy_of_runs(layout)}",
        {},
        options={"--sql": total},
    )


def _why_steps(name: str, layout: Layout, cells: Cells) -> str:
    """What shows that the lists of a column are of steps; '' if nothing does."""
    beside = cells.lists([other for other in layout.ignored if normal(other) in _OF_STEPS_TOO | _ATTEMPTS])
    if any(normal(other) in _ATTEMPTS for other in beside):
        return ""
    if beside:
        return f"beside the lists of '{name}' stand those of '{beside[0]}'"
    found = cells.engine.query(f"SELECT * FROM ({cells.source.scan([name])}) LIMIT {_LISTS}")
    texts = (text.strip()[1:-1].split(",") for text in found["w0"].tolist() if text and text.strip().startswith("["))
    lists = [[number.strip() for number in numbers] for numbers in texts if len(numbers) > 1]
    lengths = Counter(map(len, lists))
    # Lists of unequally many items stand in rows that are all a model has.
    alone = not layout.has_item and not _named(_EPISODES, layout.ignored)
    uneven = not alone and len(lists) >= _ENOUGH and max(lengths.values()) < _MOSTLY * len(lists)
    if uneven and normal(name) in _REWARDS:
        return (
            f"the lists of '{name}' have {min(lengths):,} to {max(lengths):,} numbers, as many as an attempt has steps"
        )
    if all(_is_zero(number) for numbers in lists for number in numbers[:-1]):
        chance = math.prod(1 / len(numbers) for numbers in lists if not _is_zero(numbers[-1]))
        if chance < _BY_CHANCE:
            return f"in the lists of '{name}' only the last number is ever other than 0, as where an attempt ends"
    return ""


def _is_zero(number: str) -> bool:
    return number.strip("-0.") == "" or number.lower() in {"false", "null"}


def refuse_step_records(layout: Layout, cells: Cells) -> None:
    """Raise a ScorelessError where a column holds lists of steps, each an object with its reward."""
    for name in cells.lists([other for other in layout.ignored if not is_unnamed(other)]):
        found = cells.mostly(r"""^\[\s*\{.*['"]?reward['"]?\s*:\s*(-?\d|true|false|null)""", [name])
        if not found:
            continue
        from scorebars.readers.scoreless import ScorelessError, in_sql

        rewards = f"[CAST(step.reward AS DOUBLE) for step in {in_sql(name)}]"
        total, last = (f"SELECT *, {made} AS reward FROM data" for made in (f"list_sum({rewards})", f"{rewards}[-1]"))
        raise ScorelessError(
            f"no column is known to hold the score; '{name}' holds the steps of one attempt with the reward of each, "
            f"and its score may be their sum ({in_shell('--sql', total)}) or the last ({in_shell('--sql', last)})",
            {},
            options={"--sql": total},
        )
