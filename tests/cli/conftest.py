from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scorebars


@pytest.fixture
def environment():
    """Variables under which a new process finds the package, whether it is installed or not."""
    clean = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "NO_COLOR"}}
    return {**clean, "PYTHONPATH": str(Path(scorebars.__file__).parent.parent), "PYTHONUTF8": "1"}


@pytest.fixture
def run(tmp_path, environment):
    """The command in a process of its own, in an empty folder."""

    def call(*arguments: str, env: dict[str, str] | None = None, **options):
        return subprocess.run(
            [sys.executable, "-m", "scorebars", *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**environment, **(env or {})},
            timeout=60,
            check=False,
            **options,
        )

    return call
