"""The DeepMind Control Suite: every task pays at most 1 a step for 1,000 steps, so returns lie between 0 and 1,000.

Tassa et al. (2018), section 2: "all rewards are in [0, 1] … episodes last for 1000 steps". The LQR domain is not of
this form and has no place here.
"""

from __future__ import annotations

from typing import Final

SOURCE: Final = "returns of at most 1,000 (Tassa et al. 2018)"
LIMITS: Final = (0.0, 1000.0)
TASKS: Final[dict[str, tuple[str, ...]]] = {
    "acrobot": ("swingup", "swingup_sparse"),
    "ball_in_cup": ("catch",),
    "cartpole": ("balance", "balance_sparse", "swingup", "swingup_sparse", "two_poles", "three_poles"),
    "cheetah": ("run",),
    "dog": ("stand", "walk", "trot", "run", "fetch"),
    "finger": ("spin", "turn_easy", "turn_hard"),
    "fish": ("upright", "swim"),
    "hopper": ("stand", "hop"),
    "humanoid": ("stand", "walk", "run", "run_pure_state"),
    "humanoid_cmu": ("stand", "walk", "run"),
    "manipulator": ("bring_ball", "bring_peg", "insert_ball", "insert_peg"),
    "pendulum": ("swingup",),
    "point_mass": ("easy", "hard"),
    "quadruped": ("walk", "run", "escape", "fetch"),
    "reacher": ("easy", "hard"),
    "stacker": ("stack_2", "stack_4"),
    "swimmer": ("swimmer6", "swimmer15"),
    "walker": ("stand", "walk", "run"),
}
"""Domain -> tasks."""
NAMES: Final = frozenset(f"{domain}_{task}" for domain, tasks in TASKS.items() for task in tasks)
OTHER_NAMES: Final = frozenset({"cup_catch"})
"""DrQ's name of ball_in_cup_catch."""
