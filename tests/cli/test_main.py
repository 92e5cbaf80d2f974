"""Help, near misses and endings. What needs scores is in test_commands."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from scorebars.cli import main as entry
from scorebars.cli.commands import ALIASES, COMMANDS, Commands, root
from scorebars.errors import ScoresError

HEAVY = ("numpy", "scipy", "duckdb", "rich", "narwhals", "pandas", "polars")


def failing_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every command raise this error."""

    def fail() -> None:
        raise error

    command = click.Command("fail", callback=fail)
    monkeypatch.setattr(Commands, "get_command", lambda *_: command)


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ()])
def test_help_starts_with_an_example_and_lists_all_commands(run, arguments):
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Example: scorebars estimate ")
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert "(or: show)" in done.stdout


@pytest.mark.parametrize("command", [*COMMANDS, *ALIASES])
def test_help_of_every_command_starts_with_an_example(command, capsys):
    assert entry.main([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Example: ")
    assert "scorebars" in out.splitlines()[0]
    assert "--debug" in out


@pytest.mark.parametrize("arguments", [["--help"], *([command, "--help"] for command in COMMANDS), ["--version"]])
def test_help_loads_nothing_heavy(arguments, environment):
    code = (
        "import sys; from scorebars.cli.main import main; main(sys.argv[1:]); "
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr.strip() == "[]"


def test_help_of_options_names_no_interval_that_does_not_exist():
    pytest.importorskip("scorebars.intervals", reason="the intervals are not there yet")
    from scorebars.intervals import INTERVALS

    option = next(p for p in root().get_command(None, "estimate").params if p.name == "interval")
    named = option.help.partition(";")[0].replace("(default)", "").replace("...", "").split(",")
    assert {name.strip() for name in named} - {""} <= set(INTERVALS)


def test_version(run):
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("scorebars ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["estimat", "a.csv"], "no command 'estimat'; did you mean 'estimate'?"),
        (["sho", "a.csv"], "no command 'sho'; did you mean 'show'?"),
        (["--versoin"], "no option '--versoin'; did you mean '--version'?"),
        (["estimate", "a.csv", "--modle", "x"], "no option '--modle'; did you mean '--model'?"),
        (["estimate", "a.csv", "--on-error", "wrng"], "'wrng' is not one of 'wrong', 'drop', 'fail'"),
        (["estimate", "a.csv", "--level", "high"], "give a confidence level such as 0.95"),
        (["estimate", "a.csv", "--n-boot", "0"], "0 is not in the range x>=1"),
        (["estimate", "a.csv", "--metric"], "Option '--metric' requires an argument"),
        (["estimate"], "no file given"),
        (["compare", "a", "b", "c"], "compare takes two sides and got 3 paths"),
        (["convert", "a.csv"], "convert needs a file to write: -o scores.csv"),
        (["estimate", "a.csv", "--range", "1"], "--range 1: give the lowest and highest possible score"),
        (["estimate", "a.csv", "--map", "item"], "--map item: say which column is what"),
        (["estimate", "a.csv", "--label", "x=b.csv"], "'b.csv' is not among the paths"),
        (["estimate", "a.csv", "--estimator", "meen"], "there is no estimator 'meen'; did you mean 'mean'?"),
        (["estimate", "a.csv", "-o", "no/such/x.json"], "the folder 'no/such' of 'no/such/x.json' does not exist"),
        (["estimate", "a.csv", "-o", "/dev/null"], "'/dev/null' is not a regular file"),
        (["estimate", "a.csv", "-o", "/"], "'/' is a folder"),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments, sentence, capsys):
    code = entry.main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("scorebars: ")
    assert captured.err.count("\n") == 1
    assert sentence in captured.err


def test_an_existing_output_is_refused_before_anything_is_read(run, tmp_path):
    (tmp_path / "out.json").write_text("mine")
    done = run("estimate", "no-such-file.csv", "-o", "out.json")
    assert done.returncode == 2
    assert "'out.json' exists and is kept" in done.stderr
    assert (tmp_path / "out.json").read_text() == "mine"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, capsys):
    assert entry.main(["completion", shell]) == 0
    assert "_SCOREBARS_COMPLETE" in capsys.readouterr().out


def test_completion_answers(run):
    env = {"_SCOREBARS_COMPLETE": "bash_complete", "COMP_WORDS": "scorebars est", "COMP_CWORD": "1"}
    done = run(env=env)
    assert done.stdout.split() == ["plain,estimate"]
    env = {"_SCOREBARS_COMPLETE": "bash_complete", "COMP_WORDS": "scorebars estimate --est", "COMP_CWORD": "2"}
    assert run(env=env).stdout.split() == ["plain,--estimator"]
    env = {"_SCOREBARS_COMPLETE": "bash_complete", "COMP_WORDS": "scorebars formats ta", "COMP_CWORD": "2"}
    assert run(env=env).stdout.split() == ["plain,tau-bench", "plain,tau2-bench", "plain,table"]


@pytest.mark.parametrize("words", ["estimate fiv", "compare a.csv fiv", "doctor fiv", "estimate a.csv -o fiv"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_leaves_files_to_the_shell(run, words, shell):
    env = {"_SCOREBARS_COMPLETE": f"{shell}_complete", "COMP_WORDS": f"scorebars {words}"}
    env["COMP_CWORD"] = "fiv" if shell == "fish" else str(len(words.split()))
    said = run(env=env).stdout
    assert said.split() == {"bash": ["file,fiv"], "zsh": ["file", "fiv", "_"], "fish": ["file,fiv"]}[shell]


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (ScoresError("two\nlines"), 2, "scorebars: two lines\n"),
        (KeyError("x"), 2, "scorebars: this is a bug in scorebars (KeyError: 'x'); please report it"),
        (RecursionError("deep"), 2, "scorebars: this is a bug"),
        (MemoryError(), 2, "scorebars: out of memory"),
        (OSError(28, "No space left on device"), 2, "scorebars: cannot write to standard output: No space left"),
        (KeyboardInterrupt(), 130, "scorebars: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 0, ""),
        (click.Abort(), 130, "scorebars: interrupted\n"),
    ],
)
def test_endings(error, code, sentence, monkeypatch, capsys):
    failing_with(error, monkeypatch)
    assert entry.main(["fail"]) == code
    captured = capsys.readouterr()
    assert captured.err.startswith(sentence)
    assert bool(captured.err) == bool(sentence)
    assert "Traceback" not in captured.err


def test_debug_shows_the_traceback(monkeypatch, capsys):
    command = click.Command(
        "fail", callback=lambda: 1 / 0, params=[click.Option(["--debug"], is_flag=True, expose_value=False)]
    )
    monkeypatch.setattr(Commands, "get_command", lambda *_: command)
    assert entry.main(["fail", "--debug"]) == 2
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("scorebars: this is a bug")


def test_no_standard_streams(monkeypatch):
    failing_with(KeyError("x"), monkeypatch)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert entry.main(["fail"]) == 2


def test_a_closed_pipe_is_no_error(environment):
    code = (
        "import sys, time; from scorebars.cli.main import main; from scorebars.cli import output; "
        "time.sleep(0.3); sys.exit(main(['completion', 'bash']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/dev/full is a device of Linux")
def test_a_full_disk_is_an_error(environment):
    with Path("/dev/full").open("w") as full:
        code = "import sys; from scorebars.cli.main import main; sys.exit(main(['completion', 'bash']))"
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
    assert done.returncode == 2
    assert done.stderr == "scorebars: cannot write to standard output: No space left on device\n"


def test_a_name_that_the_encoding_lacks_is_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    command = click.Command("say", callback=lambda: sys.stdout.write("é\udcff"))
    monkeypatch.setattr(Commands, "get_command", lambda *_: command)
    assert entry.main(["say"]) == 0
    assert raw.getvalue() == rb"\xe9\udcff"


@pytest.mark.parametrize(
    ("command", "typed", "found"),
    [
        ("estimate", "--interval wil", {"wilson", "wild-cluster"}),
        ("estimate", "--resample ", {"item", "cluster", "run", "task", "item,run"}),
        ("estimate", "--by ", {"task", "cluster", "metric", "variant"}),
        ("estimate", "--estimator pass", {"pass@", "pass^"}),
        ("compare", "--effect rel", {"relative"}),
        ("compare", "--test mcn", {"mcnemar", "mcnemar-mid-p"}),
    ],
)
def test_values_of_options_are_completed(command, typed, found):
    from click.shell_completion import BashComplete

    from scorebars.cli.commands import root

    *words, last = typed.split(" ")
    done = BashComplete(root(), {}, "scorebars", "_SCOREBARS_COMPLETE").get_completions([command, *words], last)
    assert {item.value for item in done} == found


@pytest.mark.parametrize("command", ["estimate", "compare", "convert", "formats"])
def test_help_names_the_exit_codes_and_breaks_no_word(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert entry.main([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Exit codes: 0 done, 2 an error" in " ".join(out.split())
    monkeypatch.setenv("COLUMNS", "100")
    assert entry.main([command, "--help"]) == 0
    wide = set(capsys.readouterr().out.split())
    assert set(out.split()) <= wide


def test_help_shows_what_people_look_for(capsys):
    assert entry.main(["compare", "--help"]) == 0
    out = capsys.readouterr().out
    assert "--a new --b old" in out
    assert "--items" in out
    assert "--estimator pass^3" in out
    assert entry.main(["convert", "--help"]) == 0
    out = capsys.readouterr().out
    assert ".tsv" in out
    assert "--pool-tasks" not in out
    assert "--run-crosses-items" not in out


def test_formats_fit_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert entry.main(["formats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    prose = [
        line for line in lines if "scorebars " not in line and not line.startswith(("Files are", "Column headers"))
    ]
    assert max(map(len, prose)) <= 50  # commands are not broken, so that they can be copied


def test_an_error_in_an_old_encoding_has_no_escapes(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stderr", stream)
    failing_with(ScoresError("name their column (cluster=…) − now"), monkeypatch)
    assert entry.main(["formats"]) == 2
    stream.flush()
    assert stream.buffer.getvalue() == b"scorebars: name their column (cluster=...) - now\n"


SIGNALS = [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code", "word"), SIGNALS)
@pytest.mark.parametrize("repeats", [1, 3])
def test_a_signal_leaves_no_folder_behind(tmp_path, number, code, word, repeats):
    (tmp_path / "work").mkdir()
    (tmp_path / "go.py").write_text(
        "import sys, time\n"
        "from scorebars.cli import main\n"
        "from scorebars.engines.duckdb import Engine\n"
        "def run(given):\n"
        "    with open('ready', 'w'), Engine() as engine:\n"
        "        engine.query('SELECT 1')\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(30)\n"
        "main._run = run\n"
        "sys.exit(main.main())\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path / "work"), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "go.py"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert list((tmp_path / "work").iterdir())
        for _ in range(repeats):
            process.send_signal(number)
        _, said = process.communicate(timeout=20)
    assert list((tmp_path / "work").iterdir()) == []
    if repeats == 1:
        assert (process.returncode, said) == (code, f"scorebars: {word}\n")
