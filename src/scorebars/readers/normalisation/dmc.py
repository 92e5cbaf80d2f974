"""The DeepMind Control Suite: every task pays at most 1 a step for 1,000 steps, so returns lie between 0 and 1,000.

Tassa et al. (2018), section 2: "all rewards are in [0, 1] … episodes last for 1000 steps". The LQR domain is not of
this form and has no place here.
"""

from __future__ import annotations

from typing import Final

SOURCE: Final = "returns of at most 1,000 (Tassa et al. 2018)"
LIMITS: Final = (0.0, 1000.0)
DOMAINS: Final = (
    *("acrobot", "ball_in_cup", "cup", "cartpole", "cheetah", "dog", "finger", "fish", "hopper", "humanoid"),
    *("humanoid_cmu", "manipulator", "pendulum", "point_mass", "quadruped", "reacher", "stacker", "swimmer", "walker"),
)
"""First words of task names: 'walker' of 'walker_walk'."""
