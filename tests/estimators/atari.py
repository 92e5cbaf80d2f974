"""The Atari 100k scores, human-normalised: 26 games in alphabetical order, 100 runs each (SimPLe: 5)."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[3] / "shared/data/atari_100k"
FILES = {
    "DER": "DER", "OTR": "OTRainbow", "CURL": "CURL_10_evals", "DrQ": "DrQ", "DrQ(eps)": "DrQ(eps)", "SPR": "SPR",
    "SimPLe": "SimPLe",
}  # fmt: skip
needs_atari = pytest.mark.skipif(not FOLDER.exists(), reason="../shared/data/atari_100k is absent")


@cache
def scores(name):
    """Shape (runs, games)."""
    data = json.loads((FOLDER / f"{FILES[name]}.json").read_text(encoding="utf-8"))
    if isinstance(data, list):
        games = sorted({row["game"] for row in data})
        return np.array([[row["HNS"] for row in data if row["game"] == game] for game in games]).T
    table = json.loads((FOLDER / "random_human.json").read_text(encoding="utf-8"))
    human, random = table["HUMAN_SCORES"], table["RANDOM_SCORES"]
    return np.array([(np.array(data[game]) - random[game]) / (human[game] - random[game]) for game in sorted(data)]).T
