"""Which of a kernel's two versions runs: plain NumPy, which is the truth, or the same loops compiled by numba.

Both give the same result to the last bit, so the choice is one of time alone. numba (the extra ``fast``) costs half a
second to import and a second or more to compile a kernel, which is then kept in a cache on disk. So work is done by
NumPy until the process has spent as long on the same as it takes to load the compiled version from the cache; and a
compilation is waited for by work, or after work, that takes NumPy as long, never by small work.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

THREADS: Final = "SCOREBARS_NUM_THREADS"
"""Environment variable: how many threads the drawing of resamples may use; all CPUs by default."""
MOST_THREADS: Final = 16
"""More do not help: one thread makes the random numbers for all."""

PLAIN_SECONDS: Final = 7e-9
"""What the plain versions take for one cell (one count of one resample), roughly."""
TINY: Final = 20_000
"""Cells below which calling a compiled function gains nothing."""


@dataclass(frozen=True, slots=True)
class _Worth:
    """Seconds of plain work that make up for getting compiled kernels."""

    cached: float
    """From the cache on disk."""
    compiled: float
    """By compiling them."""


COLD: Final = _Worth(0.6, 3.5)
"""With importing numba, which takes about a second until the first kernel runs."""
WARM: Final = _Worth(0.01, 1.0)
"""With numba imported already."""
SMALL: Final = 0.3
"""Work of fewer seconds never waits for a compilation, however often it comes."""
_spent: Final[dict[Kernel, float]] = {}
"""Seconds that NumPy has spent in this process on what a compiled version would have done sooner."""


@dataclass(frozen=True, eq=False)
class Kernel:
    """A function of arrays in two versions of one signature and one result."""

    plain: Callable[..., Any]
    """NumPy. It defines the result, and so the order in which numbers are added."""
    loops: Callable[..., Any]
    """The same written as loops, for the compiler. Without it they run too, slowly."""

    def __call__(self, *arrays: Any, fast: bool) -> Any:
        """The result; ``fast`` as :func:`choose` says."""
        return self.compiled(*arrays) if fast else self.plain(*arrays)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The loops under numba, which compiles them (or reads them from its cache) when they are first called."""
        numba = importlib.import_module("numba")
        options = {"nogil": True, "error_model": "numpy"}
        try:
            function = numba.njit(cache=True, **options)(self.loops)
        except RuntimeError:  # no folder that can be written to: compiled anew by each process
            function = numba.njit(**options)(self.loops)
        return function  # type: ignore[no-any-return]

    @property
    def is_ready(self) -> bool:
        """Whether a compiled version has been made or loaded in this process."""
        return "compiled" in self.__dict__ and bool(self.compiled.signatures)  # type: ignore[attr-defined]

    @property
    def is_cached(self) -> bool:
        """Whether a compiled version seems to lie in the cache, younger than the source. Imports numba."""
        source = Path(self.loops.__code__.co_filename)
        folder = getattr(getattr(self.compiled, "stats", None), "cache_path", None)
        if folder is None or not source.exists():
            return False
        found = Path(folder).glob(f"{source.stem}.{self.loops.__qualname__}-*.nbi")
        return any(index.stat().st_mtime >= source.stat().st_mtime for index in found)


def choose(kernels: Sequence[Kernel], cells: float) -> bool:
    """Whether the compiled versions of these kernels should do this work.

    Args:
        kernels: what runs.
        cells: counts of all resamples together, the size of the work.
    """
    if cells < TINY:
        return False
    waiting = [kernel for kernel in kernels if not kernel.is_ready]
    if not waiting:
        return True
    seconds = cells * PLAIN_SECONDS
    for kernel in waiting:
        _spent[kernel] = _spent.get(kernel, 0.0) + seconds
    spent, worth = min(_spent[kernel] for kernel in waiting), WARM if "numba" in sys.modules else COLD
    if spent < worth.cached or not has_compiler():
        return False
    return all(kernel.is_cached for kernel in waiting) or (seconds >= SMALL and spent >= worth.compiled)


def has_compiler() -> bool:
    """Whether numba is installed. Nothing is imported."""
    return importlib.util.find_spec("numba") is not None


def n_threads() -> int:
    """Threads that drawing may use: what ``SCOREBARS_NUM_THREADS`` says, else the CPUs of this process.

    Raises:
        ArgumentError: the variable is no whole number of at least 1.
    """
    told = os.environ.get(THREADS, "").strip()
    if told:
        if not told.isdecimal() or int(told) < 1:
            raise ArgumentError(f"{THREADS}={told!r}: must be a whole number of threads, 1 or more; try 1, or unset it")
        return int(told)
    allowed = getattr(os, "sched_getaffinity", None)
    cpus = len(allowed(0)) if allowed is not None else os.cpu_count() or 1
    return min(cpus, MOST_THREADS)
