"""The data that both sides of a row are given, made anew from a seed each time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Data = dict[str, NDArray[Any]]


def binary(n: int) -> Data:
    """N scores of 0 and 1, 62 % of them 1."""
    return {"x": (np.random.default_rng(n).random(n) < 0.62).astype(np.float64)}


def graded_pair(n: int, grades: int | None = None) -> Data:
    """Scores in [0, 1] of two models on the same items, A's better on average; on so many grades, or any number."""
    rng = np.random.default_rng(n)
    ability = rng.beta(2.0, 1.5, n)
    pair = [np.clip(ability + shift + 0.15 * rng.standard_normal(n), 0.0, 1.0) for shift in (0.02, 0.0)]
    a, b = pair if grades is None else [np.round(x * grades) / grades for x in pair]
    return {"a": a, "b": b}


def graded_board(models: int, items: int) -> Data:
    """Scores in [0, 1] of many models on the same items, any numbers."""
    rng = np.random.default_rng(models)
    ability = rng.beta(2.0, 1.5, items)
    noise = 0.15 * rng.standard_normal((models, items))
    return {f"m{k:04d}": np.clip(ability + 0.12 * k / models + noise[k], 0.0, 1.0) for k in range(models)}


def graded(n: int) -> Data:
    """N scores, skewed, no two alike."""
    return {"x": np.random.default_rng(n).beta(3.0, 1.2, n)}


def algorithms(count: int, runs: int, tasks: int = 26) -> Data:
    """Human-normalised scores (runs, tasks) of several algorithms: tasks of very different level, skewed."""
    rng = np.random.default_rng(runs)
    level = rng.lognormal(-0.7, 1.1, tasks)
    return {
        f"algorithm {k}": level * (1.0 + 0.08 * k) * rng.lognormal(0.0, 0.4, (runs, tasks)) - 0.05 for k in range(count)
    }


def repeated(tasks: int, items: int, runs: int, *, binary: bool = False) -> Data:
    """Scores (tasks, items, runs) in [0, 1], tasks and items of very different difficulty; passes and fails of them."""
    rng = np.random.default_rng(tasks)
    chance = np.clip(rng.beta(2.0, 2.0, (tasks, 1, 1)) + 0.3 * rng.standard_normal((tasks, items, 1)), 0.02, 0.98)
    if binary:
        return {"x": (rng.random((tasks, items, runs)) < chance) * 1.0}
    return {"x": np.clip(chance + 0.1 * rng.standard_normal((tasks, items, runs)), 0.0, 1.0)}


def classified(n: int) -> Data:
    """Labels, predictions and decision scores of a classifier of ordinary quality."""
    rng = np.random.default_rng(n)
    label = (rng.random(n) < 0.3).astype(np.int64)
    decision = rng.standard_normal(n) + 1.2 * label
    return {"label": label, "decision": decision, "prediction": (decision > 0.7).astype(np.int64)}


def translations(segments: int) -> Data:
    """A reference and the output of two systems: the reference with words left out, doubled or exchanged."""
    rng = np.random.default_rng(segments)
    words = np.array([f"{a}{b}" for a in ("ba", "do", "ki", "lu", "me", "no", "ra", "su") for b in "dklmnprst"])
    often = 1.0 / np.arange(1, len(words) + 1)
    often /= often.sum()
    reference = [rng.choice(words, rng.integers(8, 35), p=often) for _ in range(segments)]

    def system(wrong: float) -> list[str]:
        lines = []
        for line in reference:
            fate = rng.random(len(line))
            other = rng.choice(words, len(line), p=often)
            kept = np.where(fate < wrong, other, line)[fate > wrong / 4]
            lines.append(" ".join(kept))
        return lines

    return {
        "reference": np.array([" ".join(line) for line in reference]),
        "a": np.array(system(0.20)),
        "b": np.array(system(0.22)),
    }


COUNTS = ("m1", "m2", "m3", "m4", "t1", "t2", "t3", "t4", "length", "reference_length")
"""What corpus BLEU is made of: matching and all n-grams of each order, and the lengths of both sides."""


def counted(texts: Data) -> dict[str, NDArray[np.float64]]:
    """:data:`COUNTS` of each segment of each system, shape (segments, 10)."""
    reference = [line.split() for line in texts["reference"].tolist()]
    made = {}
    for name in ("a", "b"):
        lines = [line.split() for line in texts[name].tolist()]
        rows = [_segment(line, right) for line, right in zip(lines, reference, strict=True)]
        made[name] = np.array(rows, dtype=np.float64)
    return made


def _segment(line: list[str], reference: list[str]) -> list[int]:
    grams = [(_grams(line, n), _grams(reference, n)) for n in range(1, 5)]
    matches = [(ours & theirs).total() for ours, theirs in grams]
    return [*matches, *(ours.total() for ours, _ in grams), len(line), len(reference)]


def _grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def leaderboard(models: int, items: int) -> Data:
    """0/1 scores (models, items), the models' rates from 0.4 to 0.8."""
    rng = np.random.default_rng(models)
    difficulty = rng.normal(0.0, 1.0, items)
    ability = np.linspace(-0.5, 1.6, models)
    chance = 1.0 / (1.0 + np.exp(difficulty - ability[:, np.newaxis]))
    return {"scores": (rng.random((models, items)) < chance).astype(np.int64)}


def write_csv(path: Path, scores: NDArray[np.int64]) -> None:
    """model,item,score, a row a score."""
    lines = ["model,item,score"]
    for model, row in enumerate(scores.tolist()):
        lines += [f"model-{model:02d},q{item:04d},{score}" for item, score in enumerate(row)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
