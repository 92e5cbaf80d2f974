"""A test run that DeepEval itself writes, here and now, with a metric that fails on one test case."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

import scorebars as sb

pytestmark = [
    pytest.mark.producer,
    pytest.mark.skipif(importlib.util.find_spec("deepeval") is None, reason="deepeval is not installed"),
]

SCRIPT = """
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

class Length(BaseMetric):
    threshold, async_mode = 0.5, False

    def measure(self, test_case, *args, **kwargs):
        if test_case.actual_output == "broken":
            raise ValueError("the judge did not answer")
        self.score = min(1.0, len(test_case.actual_output) / 10)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return bool(self.success)

    @property
    def __name__(self):
        return "Length"

outputs = ["short", "a longer answer", "broken", "abc"]
evaluate(
    [LLMTestCase(input=f"question {n}", actual_output=text) for n, text in enumerate(outputs)],
    [Length()],
    hyperparameters={"model": "gpt-4o"},
    async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(print_results=False, show_indicator=False, results_folder="results"),
    error_config=ErrorConfig(ignore_errors=True),
)
"""


def test_the_mean_and_the_pass_rate_are_deepevals_own(tmp_path):
    (tmp_path / "run.py").write_text(SCRIPT)
    (tmp_path / "home").mkdir()
    settings = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "run.py"], cwd=tmp_path, env=settings, check=True, capture_output=True, timeout=120)
    [path] = (tmp_path / "results").glob("test_run_*.json")
    written = json.loads(path.read_text())
    [own] = written["metricsScores"]

    scores = sb.read(path)

    assert scores.models == ("gpt-4o",)
    [mean] = sb.estimate(scores.select(metric="Length"))
    assert mean.value == pytest.approx(sum(own["scores"]) / len(own["scores"]))
    assert (mean.n_items, own["errors"]) == (3, 1)
    [passed] = sb.estimate(scores.select(metric="success").with_options(on_error="wrong"))
    assert passed.value == pytest.approx(written["testPassed"] / (written["testPassed"] + written["testFailed"]))
