"""Readers of other packages, by the entry point group ``scorebars.readers``; asked when no reader here knows a file.

The entry point's name is the reader's; it leads to a class without arguments that keeps the contract
:class:`scorebars.contracts.Reader`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers.files import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.metadata import EntryPoints

    from scorebars.contracts import FileHead, Part, Request

GROUP: Final = "scorebars.readers"


def _offered() -> EntryPoints:
    """The entry points; the module that finds them is a tenth of a start, and few files need it."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


@cache
def names() -> tuple[str, ...]:
    """Names of the readers that installed packages offer, sorted."""
    return tuple(sorted(point.name for point in _offered()))


@dataclass(frozen=True, slots=True)
class Offered:
    """A reader of another package; what goes wrong in it is said of that package, with the file."""

    reader: Any
    """What the entry point leads to: it claims and reads, as the contract says."""
    name: str
    package: str

    @property
    def official(self) -> str:
        """What its tool does with attempts without a score, if it says that."""
        return str(getattr(self.reader, "official", ""))

    def claims(self, head: FileHead) -> bool:
        """Whether the file is in its format."""
        with self._blamed(head):
            return bool(self.reader.claims(head))

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """Its parts."""
        from scorebars.contracts import Part

        with self._blamed(*heads):
            for part in self.reader.read(heads, request):
                if not isinstance(part, Part):
                    raise TypeError(f"it gives a {type(part).__name__} where a Part is due")
                yield part

    @contextmanager
    def _blamed(self, *heads: FileHead) -> Iterator[None]:
        """Turn an exception that is no sentence about the file into one about the package."""
        try:
            yield
        except (ScorebarsError, MemoryError):
            raise
        except Exception as error:
            more = f" and {len(heads) - 1:,} more" if len(heads) > 1 else ""
            raise ReadError(
                f"{shown(heads[0].path)}{more}: the reader '{self.name}' of the package {self.package} failed "
                f"({type(error).__name__}: {error}); report it to that package, or uninstall it"
            ) from error


@cache
def loaded(name: str) -> Offered:
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
    return Offered(reader, name, package)


def claimant(head: FileHead) -> str:
    """The name of the first such reader that knows the file; "" if there is none."""
    return next((name for name in names() if loaded(name).claims(head)), "")
