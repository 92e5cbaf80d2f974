"""Readers of other packages, by the entry point group ``scorebars.readers``; asked when no reader here knows a file.

The entry point's name is the reader's; it leads to a class without arguments that keeps the contract
:class:`scorebars.contracts.Reader`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

    from scorebars.contracts import FileHead, Reader

GROUP: Final = "scorebars.readers"


def _offered() -> EntryPoints:
    """The entry points; the module that finds them is a tenth of a start, and few files need it."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


@cache
def names() -> tuple[str, ...]:
    """Names of the readers that installed packages offer, sorted."""
    return tuple(sorted(point.name for point in _offered()))


@cache
def loaded(name: str) -> Reader:
    """The reader of that name; one that cannot be imported, or is none, is an error that names its package."""
    point = next(point for point in _offered() if point.name == name)
    package = point.dist.name if point.dist is not None else point.value
    try:
        reader: Any = point.load()()
    except Exception as error:
        raise ReadError(
            f"the reader '{name}' of the package {package} cannot be loaded ({type(error).__name__}: {error}); "
            "mend or uninstall that package"
        ) from error
    lacking = [part for part in ("claims", "read") if not callable(getattr(reader, part, None))]
    if lacking:
        raise ReadError(f"the reader '{name}' of the package {package} has no '{lacking[0]}'; mend that package")
    found: Reader = reader
    return found


def claimant(head: FileHead) -> str:
    """The name of the first such reader that knows the file; "" if there is none."""
    return next((name for name in names() if loaded(name).claims(head)), "")
