from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest
from tests.outputs import output_samples as samples

from scorebars.cli import output
from scorebars.cli.output import Target, show
from scorebars.cli.progress import progress
from scorebars.errors import OutputError

VIEW = samples.comparison().view()


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def printed(monkeypatch):
    """What show prints on a terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def call(form: str | None = None, encoding: str = "utf-8") -> str:
        stream = Terminal()
        stream.encoding = encoding
        monkeypatch.setattr(sys, "stdout", stream)
        show(VIEW, Target(None), form)
        return stream.getvalue()

    return call


def test_the_ending_of_the_file_chooses_the_format():
    assert Target(None).format(None) == "table"
    assert Target(Path("x.JSON")).format(None) == "json"
    assert Target(Path("x.md")).format("latex") == "latex"
    assert Target(Path("x")).format(None) == "table"
    assert Target(Path("x.data")).format("csv") == "csv"
    with pytest.raises(OutputError, match="is the ending of no format; did you mean '"):
        Target(Path("x.jsn")).format(None)


def test_a_file_appears_whole(tmp_path):
    target = Target.checked(str(tmp_path / "a b [é].json"), force=False)
    show(VIEW, target, None)
    assert (tmp_path / "a b [é].json").read_text(encoding="utf-8").startswith("{")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "usual").write_text("")
    show(VIEW, Target.checked(str(tmp_path / "x.csv"), force=False), None)
    assert stat.S_IMODE((tmp_path / "x.csv").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


def test_force_replaces(tmp_path):
    (tmp_path / "x.csv").write_text("old")
    with pytest.raises(OutputError, match="exists and is kept"):
        Target.checked(str(tmp_path / "x.csv"), force=False)
    show(VIEW, Target.checked(str(tmp_path / "x.csv"), force=True), None)
    assert (tmp_path / "x.csv").read_text() != "old"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_nothing_is_left_behind(tmp_path, error):
    target = Target.checked(str(tmp_path / "x.csv"), force=False)

    def interrupted() -> None:
        with target.replaced() as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_appeared_meanwhile_is_kept(tmp_path):
    target = Target.checked(str(tmp_path / "x.csv"), force=False)
    (tmp_path / "x.csv").write_text("theirs")
    with pytest.raises(OutputError, match="exists and is kept"):
        target.write("mine")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]


def test_a_disk_error_is_a_sentence(tmp_path):
    target = Target.checked(str(tmp_path / "x.csv"), force=False)

    def full() -> None:
        with target.replaced():
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"cannot write .*No space left"):
        full()


def test_a_folder_without_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(output.os, "access", lambda *_: False)
    with pytest.raises(OutputError, match="no permission to write in the folder"):
        Target.checked(str(tmp_path / "x.csv"), force=False)


def test_a_pipe_gets_plain_text(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    show(VIEW, Target(None), None)
    out = capsys.readouterr().out
    assert out.isascii()
    assert "|---" in out


def test_a_terminal_gets_lines_and_colours(printed):
    out = printed()
    assert "\x1b[" in out
    assert "├" in out


def test_no_color(printed, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = printed()
    assert "\x1b[" not in out
    assert "├" in out


def test_an_old_terminal_gets_ascii(printed, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert printed(encoding="latin-1").isascii()


def test_other_formats_are_the_same_on_a_terminal(printed):
    assert printed("markdown") == samples.comparison().to_markdown()


def test_standard_output_may_be_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OutputError, match="standard output is closed"):
        show(VIEW, Target(None), "csv")


def test_no_progress_without_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress() as say:
        assert say is None


def test_progress_waits(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress() as say:
        say(0, 2, Path("a [b].csv"))
    assert stream.getvalue() == ""


def test_progress_appears_when_a_step_is_slow(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("scorebars.cli.progress.PATIENCE", 0.0)
    with progress() as say:
        for _ in range(200):
            say(0, 2, Path("a [b].csv"))
            if stream.getvalue():
                break
            __import__("time").sleep(0.02)
    assert "a [b].csv (0 of 2 files done)" in stream.getvalue()
