"""Human-normalised Atari 100k scores, shape (runs, 26 games), games in alphabetical order."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[3] / "shared/data/atari_100k"
needs_atari = pytest.mark.skipif(not FOLDER.exists(), reason="../shared/data/atari_100k is absent")


@cache
def runs_of(name):
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    if isinstance(data, list):
        games = sorted({row["game"] for row in data})
        return np.array([[row["HNS"] for row in data if row["game"] == game] for game in games]).T
    table = json.loads((FOLDER / "random_human.json").read_text(encoding="utf-8"))
    human, random = table["HUMAN_SCORES"], table["RANDOM_SCORES"]
    return np.array([(np.array(data[game]) - random[game]) / (human[game] - random[game]) for game in sorted(data)]).T
