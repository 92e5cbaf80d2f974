"""Run the code blocks of the README and the docs, and rewrite the printed output after a change that is meant.

A ``console`` block holds commands after ``$ `` and what they print; a line of ``…`` stands for any lines, ``…`` in a
line for any text. A ``python`` block runs as it stands, or as a doctest where it has ``>>>``. The blocks of a page run
in order, in one empty folder with ``examples`` in it. ``bash`` blocks are for pasting and are not run here.

    python tests/docs/documented.py        # rewrites the output of every console block that has no … in it
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ANY = "…"
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: what kind, its text, and where it starts."""

    kind: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    return [Block(m["kind"], m["text"], page.count("\n", 0, m.start()) + 1) for m in BLOCK.finditer(page)]


def commands(text: str) -> list[tuple[str, str]]:
    """(command, expected output) of a console block; a command goes on after a backslash."""
    joined = re.sub(r"\\\n", "", text)
    parts = re.split(r"^\$ (.*)\n?", joined, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def prepare(folder: Path) -> dict[str, str]:
    """Put ``examples`` into the folder and a ``scorebars`` that runs this checkout on the path."""
    (folder / "examples").symlink_to(ROOT / "examples")
    shims = folder / ".bin"
    shims.mkdir()
    for name, module in {"scorebars": "-m scorebars", "python": ""}.items():
        shim = shims / name
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {module} "$@"\n', encoding="utf-8")
        shim.chmod(0o755)
    return os.environ | {
        "PATH": f"{shims}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def run(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What the command prints, errors included; it must exit 0 (write ``; echo $?`` to show another code)."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"`{command}` exited {done.returncode}:\n{done.stdout}"
    return tidy(done.stdout)


def tidy(text: str) -> str:
    """Without spaces at the ends of lines and blank lines at the end."""
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def matches(expected: str, got: str) -> bool:
    """Whether the output is as documented; ``…`` stands for anything."""
    pattern = "".join(".*" if part == ANY else re.escape(part) for part in re.split(f"({ANY})", tidy(expected)))
    return re.fullmatch(pattern, got, re.DOTALL) is not None


def run_python(block: Block, name: str, namespace: dict[str, object]) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, f"{name}:{block.line}", "exec"), namespace)  # noqa: S102 - our own documentation
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(block.text, namespace, name, name, block.line)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not report, "".join(report)


def rewrite(path: Path) -> None:
    """Put what the commands print today into the console blocks of a page."""
    page = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = prepare(folder)

        def fresh(match: re.Match[str]) -> str:
            if match["kind"] != "console":
                return match[0]
            outputs = [run(command, folder, environment) for command, _ in commands(match["text"])]
            if ANY in match["text"]:
                return match[0]
            shown = re.findall(r"^\$ (?:.*\\\n)*.*\n", match["text"], flags=re.MULTILINE)
            text = "".join(c + (f"{out}\n" if out else "") for c, out in zip(shown, outputs, strict=True))
            return f"```console\n{text}```"

        path.write_text(BLOCK.sub(fresh, page), encoding="utf-8")


if __name__ == "__main__":
    for page in [Path(argument).resolve() for argument in sys.argv[1:]] or PAGES:
        rewrite(page)
