"""Formats: a view in, text out. ``FORMATS`` lists them by the spelling used on the command line."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from scorebars.errors import ArgumentError, near_miss

if TYPE_CHECKING:
    from scorebars.outputs.view import View

FORMATS: Final = {
    "table": "scorebars.outputs.text",
    "json": "scorebars.outputs.json",
    "csv": "scorebars.outputs.csv",
    "markdown": "scorebars.outputs.markdown",
    "latex": "scorebars.outputs.latex",
    "html": "scorebars.outputs.html",
}


class Render(Protocol):
    """A format: one function."""

    def __call__(self, view: View) -> str:
        """The view as text that ends with a line break."""
        ...


def render_with(name: str) -> Render:
    """The format of this name, imported when it is asked for.

    Raises:
        ArgumentError: no format of that name, with the nearest.
    """
    if name not in FORMATS:
        raise ArgumentError(f"no output format '{name}'{near_miss(name, FORMATS)}")
    return cast("Render", import_module(FORMATS[name]).render)
