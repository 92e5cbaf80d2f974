"""Small files for the commands to read."""

from __future__ import annotations

from pathlib import Path

HEADER = "model,task,item,run,score"


def write(name: str, *rows: str, header: str = HEADER) -> str:
    Path(name).write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return name


def answers(name: str, model: str, right: int, total: int, *, task: str = "t", first: int = 0) -> str:
    """A file in which a model has the first ``right`` of ``total`` items right."""
    return write(name, *(f"{model},{task},q{first + i},0,{int(i < right)}" for i in range(total)))


def trials(name: str = "a.csv") -> str:
    return write(name, *(f"m,t,q{i},{run},{int((i + run) % 4 > 0)}" for i in range(12) for run in range(3)))
