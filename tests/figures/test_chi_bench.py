"""CHI-Bench over its published trials: point values and computed intervals of the 29 cells with three trials."""

import csv
from pathlib import Path

import pytest

from scorebars.analysis.estimate import estimate
from scorebars.estimators import Mean, PassAtK, PassHatK
from scorebars.intervals import Percentile
from scorebars.readers.read import read

TRIALS = Path(__file__).parents[3] / "shared/data/chi_bench/chi_bench_trials.csv"
PAPER = "chi-bench-leaderboard-2026-05-15-"
ONE_TRIAL = "claude-code+anthropic/claude-opus-4-6"

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not TRIALS.exists(), reason="the trials of CHI-Bench are not beside the project (shared/data)"),
]

# agent model | tasks with 0, 1, 2, 3 passes | pass@1, interval | pass^3, interval: the published values and the
# computed bootstrap (the 2.5 % and 97.5 % points of the exact distribution of 75 redrawn tasks).
CELLS = """
claude-code claude-haiku-4-5 | 67,4,2,2 | .0622 .0222 .1111 | .0267 0 .0667
claude-code claude-opus-4-7 | 44,15,8,8 | .2444 .1689 .3244 | .1067 .0400 .1867
claude-code claude-sonnet-4-6 | 44,12,10,9 | .2622 .1822 .3467 | .1200 .0533 .2000
codex gpt-5-4 | 56,8,5,6 | .1600 .0933 .2356 | .0800 .0267 .1467
codex gpt-5-4-mini | 60,11,4,0 | .0844 .0444 .1289 | 0 0 0
codex gpt-5-5 | 52,6,10,7 | .2089 .1333 .2889 | .0933 .0400 .1600
deepagents deepseek-v4-pro | 61,6,6,2 | .1067 .0533 .1644 | .0267 0 .0667
deepagents kimi-k2-6 | 69,5,1,0 | .0311 .0089 .0578 | 0 0 0
deepagents qwen3-6-max-preview | 63,6,3,3 | .0933 .0444 .1511 | .0400 0 .0933
deepagents grok-4-3 | 71,3,1,0 | .0222 .0044 .0489 | 0 0 0
deepagents glm-5-1 | 62,5,4,4 | .1111 .0533 .1778 | .0533 .0133 .1067
gemini-cli gemini-3-flash-preview | 62,4,3,6 | .1244 .0622 .1956 | .0800 .0267 .1467
gemini-cli gemini-3-pro-preview | 65,5,4,1 | .0711 .0311 .1200 | .0133 0 .0400
hermes deepseek-v4-pro | 58,9,2,6 | .1378 .0756 .2089 | .0800 .0267 .1467
hermes kimi-k2-6 | 57,6,7,5 | .1556 .0889 .2267 | .0667 .0133 .1333
hermes qwen3-6-max-preview | 54,9,8,4 | .1644 .1022 .2356 | .0533 .0133 .1067
hermes grok-4-3 | 69,3,2,1 | .0444 .0133 .0844 | .0133 0 .0400
hermes glm-5-1 | 54,8,5,8 | .1867 .1156 .2667 | .1067 .0400 .1867
openai-agents deepseek-v4-pro | 58,9,1,7 | .1422 .0800 .2133 | .0933 .0400 .1600
openai-agents kimi-k2-6 | 58,6,5,6 | .1511 .0844 .2267 | .0800 .0267 .1467
openai-agents qwen3-6-max-preview | 58,6,4,7 | .1556 .0889 .2311 | .0933 .0400 .1600
openai-agents grok-4-3 | 67,4,3,1 | .0578 .0222 .1022 | .0133 0 .0400
openai-agents glm-5-1 | 55,7,4,9 | .1867 .1111 .2667 | .1200 .0533 .2000
openclaw claude-opus-4-7 | 47,20,5,3 | .1733 .1156 .2356 | .0400 0 .0933
openclaw deepseek-v4-pro | 57,12,5,1 | .1111 .0622 .1644 | .0133 0 .0400
openclaw kimi-k2-6 | 61,7,5,2 | .1022 .0533 .1600 | .0267 0 .0667
openclaw qwen3-6-max-preview | 67,5,3,0 | .0489 .0178 .0844 | 0 0 0
openclaw grok-4-3 | 74,1,0,0 | .0044 0 .0133 | 0 0 0
openclaw glm-5-1 | 52,13,5,5 | .1689 .1067 .2400 | .0667 .0133 .1333
"""


def cells():
    for line in CELLS.strip().splitlines():
        name, passes, mean, all_three = (part.strip() for part in line.split("|"))
        yield (
            name.replace(" ", "+"),
            [int(n) for n in passes.split(",")],
            [float(x) for x in mean.split()],
            [float(x) for x in all_three.split()],
        )


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    with TRIALS.open(newline="", encoding="utf-8") as file:
        trials = [row for row in csv.DictReader(file) if row["submission"].startswith(PAPER)]
    for row in trials:  # the route of the provider is no part of the model's name
        row["model"] = row["model"].rpartition("/")[2].replace(".", "-")
    path = tmp_path_factory.mktemp("chi") / "paper.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(trials[0]))
        table.writeheader()
        table.writerows(trials)
    columns = {"model": "agent+model", "task": "domain", "item": "task", "score": "reward"}
    return read(path, columns=columns, on_error="wrong")


def answers(scores, estimator):
    found = estimate(scores, estimator=estimator, interval=Percentile())
    return {row.model: row.answer for row in found}


def three_trials(scores):
    return scores.select(model=[name for name in scores.models if not name.endswith("claude-opus-4-6")])


def test_every_cell_with_three_trials(scores):
    pooled = three_trials(scores).pooled()
    mean, any_of_three, all_three = (answers(pooled, e) for e in (Mean(), PassAtK(3), PassHatK(3)))
    assert sorted(mean) == sorted(name for name, *_ in cells())
    for name, passes, expected_mean, expected_all in cells():
        h0, h1, h2, h3 = passes
        assert mean[name].value == pytest.approx((h1 + 2 * h2 + 3 * h3) / 225, abs=1e-12)
        assert any_of_three[name].value == pytest.approx(1 - h0 / 75, abs=1e-12)
        assert all_three[name].value == pytest.approx(h3 / 75, abs=1e-12)
        for found, expected in ((mean[name], expected_mean), (all_three[name], expected_all)):
            assert [found.value, found.low, found.high] == pytest.approx(expected, abs=5.1e-5), name
            assert found.distribution.value == "computed"


def test_the_cell_with_one_trial(scores):
    found = answers(scores.select(model="claude-code+claude-opus-4-6").pooled(), Mean())
    [answer] = found.values()
    assert [answer.value, answer.low, answer.high] == pytest.approx([0.28, 0.1867, 0.3867], abs=5.1e-5)


def test_stratifying_by_domain_changes_21_of_29_cells(scores):
    pooled = answers(three_trials(scores).pooled(), Mean())
    by_domain = answers(three_trials(scores), Mean())
    moved = [name for name in pooled if abs(pooled[name].low - by_domain[name].low) > 1e-9
             or abs(pooled[name].high - by_domain[name].high) > 1e-9]  # fmt: skip
    assert len(moved) == 21


def test_nulls_counted_wrong_are_said(scores):
    found = estimate(scores.pooled())
    notes = [note for row in found for note in row.answer.notes if note.code in {"missing-scores", "error-rows"}]
    assert sum(note.data["n"] for note in notes) == 33
