"""Work that may take for ever, done on a thread of its own, so that a signal stops it at once and is not lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def stoppable(work: Callable[[], Result], interrupt: Callable[[], object]) -> Result:
    """The result of the work, or its error; where a signal comes first, ``interrupt`` must end it."""
    from _thread import start_new_thread
    from threading import Event

    done: list[Result] = []
    failures: list[Exception] = []
    finished = Event()

    def run() -> None:
        try:
            done.append(work())
        except Exception as error:  # noqa: BLE001 - handed over to the thread that waits
            failures.append(error)
        finally:
            finished.set()

    start_new_thread(run, ())
    try:  # not Thread.join: a signal there makes Python 3.11 take a thread that runs for one that has stopped
        while not finished.wait(0.1):
            pass
    except BaseException:
        interrupt()
        while not finished.wait(0.1):
            interrupt()  # the first may have come before the work could be interrupted
        raise
    if failures:
        raise failures[0]
    return done[0]
