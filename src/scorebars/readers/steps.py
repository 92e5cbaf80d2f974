"""Rewards of the steps of an episode, a row each: the episode is what was attempted, and no step is an attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import mapped, normal
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
