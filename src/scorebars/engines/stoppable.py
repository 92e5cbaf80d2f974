"""Work that may take for ever, done on a thread of its own, so that a signal stops it at once and is not lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def stoppable(work: Callable[[], Result], interrupt: Callable[[], object]) -> Result:
    """The result of the work, or its error; where a signal comes first, ``interrupt`` must end it."""
    from threading import Thread

    done: list[Result] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            done.append(work())
        except Exception as error:  # noqa: BLE001 - handed over to the thread that waits
            failures.append(error)

    worker = Thread(target=run)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.1)
    except BaseException:
        interrupt()
        worker.join()
        raise
    if failures:
        raise failures[0]
    return done[0]
