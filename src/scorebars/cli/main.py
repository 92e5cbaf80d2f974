"""The entry point: runs a command and turns every ending into the fixed exit code.

0 done, or the reader of a pipe went away; 2 an error, a bug or no memory left, one line on standard error; 130 Ctrl-C;
143 the kill signal that can be caught, after which temporary folders are removed as well. (1 is kept for verdicts, 3
for undecided gates.) Nothing heavy is imported here, so that an early Ctrl-C meets these handlers too.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

NAME: Final = "scorebars"
DONE: Final = 0
FAILED: Final = 2
INTERRUPTED: Final = 130
TERMINATED: Final = 143
COMPLETE: Final = "_SCOREBARS_COMPLETE"
"""Variable by which a shell asks for completions."""


class _Terminated(BaseException):
    """The process was asked to end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``scorebars`` with these arguments (those of the process by default) and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if arguments is None:
            signal.signal(signal.SIGTERM, _terminate)
        code = _run(given)
        _flush()
    except BrokenPipeError:
        code = _reader_left()
    except KeyboardInterrupt:
        _complain("interrupted")
        code = INTERRUPTED
    except _Terminated:
        _complain("terminated")
        code = TERMINATED
    except Exception as error:  # noqa: BLE001 - the last line of defence: a traceback is never shown unasked
        if "--debug" in given:
            _trace()
        _complain(_sentence(error))
        _propose(error, given)
        code = FAILED
    if arguments is None:
        _finish_undisturbed()
    return code


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise _Terminated


def _finish_undisturbed() -> None:
    """From here on only temporary folders are removed, which another Ctrl-C must not stop."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _run(given: list[str]) -> int:
    import click

    from scorebars.cli.commands import root

    _never_fail_to_encode()
    if COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(root(), {}, NAME, COMPLETE, os.environ[COMPLETE])
    try:
        command = root()
        with command.make_context(NAME, given or ["--help"]) as context:
            command.invoke(context)
    except click.exceptions.Exit as end:
        return int(end.exit_code)
    except click.exceptions.Abort as end:
        raise KeyboardInterrupt from end
    return DONE


def _sentence(error: Exception) -> str:
    """One line that says what went wrong and what to do."""
    import click

    from scorebars.errors import MethodError, ScorebarsError

    if isinstance(error, MethodError):
        text = _spelled(str(error))
    elif isinstance(error, ScorebarsError):
        text = str(error)
    elif isinstance(error, click.ClickException):
        text = error.format_message()
    elif isinstance(error, MemoryError):
        text = "out of memory; read fewer files at once, or choose what is needed with --model, --task or --metric"
    elif isinstance(error, OSError) and error.filename is None and error.strerror:
        text = f"cannot write to standard output: {error.strerror}"
    else:
        what = f"{type(error).__name__}: {error}"
        text = f"this is a bug in scorebars ({what}); please report it with what --debug prints"
    return " ".join(text.split())


def _spelled(sentence: str) -> str:
    """The sentence with the names of interval classes as they are typed after --interval."""
    from scorebars.intervals import INTERVALS

    spellings = {place.partition(":")[2]: spelling for spelling, place in INTERVALS.items()}
    pattern = rf"(?<![\w'-])({'|'.join(spellings)})(\(\))?(?![\w'-])"
    return re.sub(pattern, lambda match: spellings[match[1]], sentence)


def _complain(sentence: str) -> None:
    if sys.stderr is not None:
        print(f"{NAME}: {_printable(sentence, sys.stderr.encoding)}", file=sys.stderr)


def _propose(error: Exception, given: Sequence[str]) -> None:
    """What to type instead, below the sentence: what was typed, with what it lacks."""
    from scorebars.errors import Remedy, ScorebarsError

    if isinstance(error, ScorebarsError) and sys.stderr is not None:
        notes = [said.retyped(given) if isinstance(said, Remedy) else said for said in getattr(error, "__notes__", ())]
        for line in (line for said in notes for line in said.split("\n")):
            print(_printable(line, sys.stderr.encoding), file=sys.stderr)


def _printable(sentence: str, encoding: str | None) -> str:
    """The sentence without control characters of names, its typography made ASCII where the encoding lacks it."""
    if not sentence.isprintable():
        from scorebars.outputs.characters import visible

        sentence = visible(sentence)
    try:
        sentence.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        from scorebars.outputs.text import plain

        return plain(sentence, unicode=False)
    return sentence


def _trace() -> None:
    import traceback

    traceback.print_exc()


def _never_fail_to_encode() -> None:
    """A name that the output's encoding lacks is escaped, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _reader_left() -> int:
    """The other end of the pipe is closed: that is no error, and the flush at exit must not make it one."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass  # standard output is not a file of this process (a test, a notebook)
    return DONE
