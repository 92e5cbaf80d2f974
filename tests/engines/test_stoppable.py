"""Work that a signal stops."""

import signal
import threading
import time

import pytest

from scorebars.engines.stoppable import stoppable


def test_the_result_is_handed_over():
    assert stoppable(threading.get_ident, lambda: None) != threading.get_ident()


def test_an_error_is_handed_over():
    with pytest.raises(ZeroDivisionError):
        stoppable(lambda: 1 / 0, lambda: None)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that signal here")
@pytest.mark.parametrize("deaf", [0, 3])
@pytest.mark.parametrize("attempt", range(5))
def test_a_signal_is_raised_once_the_work_has_ended(deaf, attempt):
    """Work that does not hear the first interrupts is interrupted again; it never runs on behind the caller's back."""
    asked, ended, may_end = [], [], threading.Event()

    def interrupt():
        asked.append(1)
        if len(asked) > deaf:
            may_end.set()

    def work():
        may_end.wait(30)
        time.sleep(0.02)
        ended.append(1)

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.03 + 0.017 * attempt)
    try:
        with pytest.raises(KeyboardInterrupt):
            stoppable(work, interrupt)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ended == [1]
    assert len(asked) > deaf
