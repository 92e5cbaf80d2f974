from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import scorebars
from scorebars.cli.main import main


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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


@pytest.fixture
def call(folder, capsys):
    """The command in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def done(call):
    """The standard output of a command that must succeed."""

    def run(*arguments: object) -> str:
        code, out, err = call(*arguments)
        assert (code, err) == (0, "")
        return out

    return run


@pytest.fixture
def results(done):
    """The results of a command that must succeed, from its JSON."""
    return lambda *arguments: json.loads(done(*arguments, "--format", "json"))["results"]


@pytest.fixture
def refused(call, folder):
    """The sentence of a command that must fail, and write nothing."""

    def run(*arguments: object) -> str:
        before = sorted(folder.rglob("*"))
        code, out, err = call(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("scorebars: ")
        assert err.count("\n") == 1
        assert "bug in scorebars" not in err
        assert sorted(folder.rglob("*")) == before
        return err

    return run
