"""Task names across spellings: ms_pacman, MsPacman, 'Ms. Pac-Man', ALE/MsPacman-v5 and atari_ms_pacman are one game."""

from __future__ import annotations

import re
from typing import Final

_BEFORE: Final = re.compile(
    r"^(ale/|(atari|ale|procgen|dmc|dm_control|control)([/_:\s-]+procgen)?[/_:\s-]+)", re.IGNORECASE
)
_AFTER: Final = re.compile(r"(-?ram)?[-_]?(NoFrameskip|Deterministic)?-v\d+$", re.IGNORECASE)
_OTHER: Final = {
    "montezumasrevenge": "montezumarevenge",
    "upanddown": "upndown",
    "cupcatch": "ballincupcatch",
}
"""Spellings that differ by more than signs and case."""


def plain(task: str) -> str:
    """A task's name without what benchmarks write around it: 'ms_pacman' of 'atari_ms_pacman', 'Pong' of 'ALE/Pong-v5'.

    >>> plain("ALE/MsPacman-v5"), plain("procgen:procgen-bigfish-v0"), plain("PongNoFrameskip-v4")
    ('MsPacman', 'bigfish', 'Pong')
    """
    return _AFTER.sub("", _BEFORE.sub("", task.strip()))


def key(task: str) -> str:
    """What two spellings of one name have in common.

    >>> {key(name) for name in ("ms_pacman", "MsPacman", "Ms. Pac-Man", "MsPacmanNoFrameskip-v4", "atari_ms_pacman")}
    {'mspacman'}
    """
    letters = re.sub(r"[^a-z0-9]", "", plain(task).lower())
    return _OTHER.get(letters, letters)
