"""The 16 Procgen games: lowest score worth counting and highest possible one, in each of the two difficulties.

(R − Rmin) / (Rmax − Rmin), with the constants of Cobbe et al. (2020), Leveraging Procedural Generation to Benchmark
Reinforcement Learning, Appendix C: Rmin is what an agent without observations gets, Rmax the maximum, or where there
is none what the best agents reach.
"""

from __future__ import annotations

from typing import Final

SOURCE: Final = "Rmin and Rmax of Cobbe et al. (2020)"

EASY: Final[dict[str, tuple[float, float]]] = {
    "coinrun": (5.0, 10.0),
    "starpilot": (2.5, 64.0),
    "caveflyer": (3.5, 12.0),
    "dodgeball": (1.5, 19.0),
    "fruitbot": (-1.5, 32.4),
    "chaser": (0.5, 13.0),
    "miner": (1.5, 13.0),
    "jumper": (3.0, 10.0),
    "leaper": (3.0, 10.0),
    "maze": (5.0, 10.0),
    "bigfish": (1.0, 40.0),
    "heist": (3.5, 10.0),
    "climber": (2.0, 12.6),
    "plunder": (4.5, 30.0),
    "ninja": (3.5, 10.0),
    "bossfight": (0.5, 13.0),
}
"""Game -> (Rmin, Rmax), distribution mode 'easy'."""

HARD: Final[dict[str, tuple[float, float]]] = {
    "coinrun": (5.0, 10.0),
    "starpilot": (1.5, 35.0),
    "caveflyer": (2.0, 13.4),
    "dodgeball": (1.5, 19.0),
    "fruitbot": (-0.5, 27.2),
    "chaser": (0.5, 14.2),
    "miner": (1.5, 20.0),
    "jumper": (1.0, 10.0),
    "leaper": (1.5, 10.0),
    "maze": (4.0, 10.0),
    "bigfish": (0.0, 40.0),
    "heist": (2.0, 10.0),
    "climber": (1.0, 12.6),
    "plunder": (3.0, 30.0),
    "ninja": (2.0, 10.0),
    "bossfight": (0.5, 13.0),
}
"""Game -> (Rmin, Rmax), distribution mode 'hard'."""
