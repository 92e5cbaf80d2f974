"""One step ahead: what an iterator makes next is made on a thread while its last value is being used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from scorebars.engines.duckdb import allowed_threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


def ahead(values: Iterable[T]) -> Iterator[T]:
    """The same values in the same order; errors too come where they would. At most two values exist at a time.

    Worth it where making a value spends its time outside Python, as decompression does.
    """
    if allowed_threads() < 2:
        yield from values
        return
    source = iter(values)
    end = object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, source, end)
        while (value := coming.result()) is not end:
            coming = pool.submit(next, source, end)
            yield value  # type: ignore[misc]  # next() may also return the sentinel, which is not yielded
