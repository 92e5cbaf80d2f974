"""Every command and code block of the README and the docs runs, and prints what is shown."""

from __future__ import annotations

import re
import subprocess

import pytest
from tests.docs.documented import PAGES, ROOT, blocks, commands, matches, prepare, run, run_python


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page_runs_as_written(path, tmp_path, monkeypatch):
    environment = prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "documented_page"}
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.kind == "python":
            run_python(block, path.name, namespace)
        elif block.kind == "console":
            for command, expected in commands(block.text):
                got = run(command, tmp_path, environment)
                assert matches(expected, got), f"{path.name}:{block.line} `{command}` prints\n{got}\nnot\n{expected}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_fences_are_whole(path):
    page = path.read_text(encoding="utf-8")
    assert page.count("```") == 2 * len(blocks(page)), "a fence is open, or a block names no language"
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_two_commands_to_paste_stand_first_and_are_one_line_each():
    shown = [block for block in blocks((ROOT / "README.md").read_text(encoding="utf-8")) if block.kind == "bash"]
    first, second = (block.text.strip() for block in shown)
    assert "\n" not in first + second
    assert "scorebars compare examples/classifiers" in first
    assert second.endswith("-m pytest -n auto")


def test_the_main_job_of_the_first_command_runs(tmp_path):
    first = next(b.text for b in blocks((ROOT / "README.md").read_text(encoding="utf-8")) if b.kind == "bash")
    job = re.search(r"scorebars compare .*", first)[0]
    assert "svm" in run(job, tmp_path, prepare(tmp_path))


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [("a\nb\n", "a\nb", True), ("a\n…\nd", "a\nb\nc\nd", True), ("0.9… here", "0.98 here", True), ("a", "b", False)],
)
def test_matching_of_output(expected, got, same):
    assert matches(expected, got) is same


def test_commands_of_a_block():
    assert commands("$ one \\\n  two\nout\n$ three\n") == [("one   two", "out\n"), ("three", "")]


def test_continuous_integration_takes_the_second_command_from_the_readme():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    take = re.search(r"^second=\$\((awk .*)\)$", script, flags=re.MULTILINE)[1]
    taken = subprocess.run(["bash", "-c", take], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout
    assert taken.strip().endswith("-m pytest -n auto")
    assert taken.count("\n") == 1
