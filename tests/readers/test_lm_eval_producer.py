"""Samples written by lm-evaluation-harness here and now: the example is made again and read."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys

import pytest
from tests.readers.test_lm_eval import EXAMPLES, agree

pytestmark = [
    pytest.mark.producer,
    pytest.mark.skipif(importlib.util.find_spec("lm_eval") is None, reason="lm-eval is not installed"),
]


def test_the_example_can_be_made_again_and_agrees_with_lm_eval(tmp_path):
    shutil.copytree(EXAMPLES / "tasks", tmp_path / "tasks")
    shutil.copy(EXAMPLES / "make.py", tmp_path)
    subprocess.run([sys.executable, "make.py"], cwd=tmp_path, check=True, capture_output=True, timeout=300)

    assert [agree(tmp_path / model) for model in ("careful", "hasty")] == [6, 6]
    for path in (tmp_path / "tasks").glob("*.jsonl"):
        assert path.read_bytes() == (EXAMPLES / "tasks" / path.name).read_bytes()
