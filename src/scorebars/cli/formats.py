"""``scorebars formats``: what is recognised, how columns map, an example for each; and the names of methods."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

import click

from scorebars.cli import options
from scorebars.cli.commands import Example
from scorebars.cli.output import print_text, width

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH: Final = 79
INDENT: Final = 19


@click.command("formats", cls=Example, example="scorebars formats", short_help="What can be read, how columns map.")
@options.debugging
def formats() -> None:
    """List the files that are recognised, how their columns map, and an example command for each."""
    from scorebars.effects import SPELLINGS as EFFECTS
    from scorebars.engines.headers import ALIASES
    from scorebars.estimators import SPELLINGS as ESTIMATORS
    from scorebars.intervals import INTERVALS
    from scorebars.readers import READERS
    from scorebars.significance import SPELLINGS as TESTS

    lines = ["Files are recognised by their content; their names do not matter.", ""]
    for name in READERS:
        lines += [*_entry(name, READERS[name].what), " " * INDENT + READERS[name].example, ""]
    lines += ["Column headers of tables, in any case ('question-id' is question_id):", ""]
    for role, names in ALIASES.items():
        lines += _entry(role, ", ".join(names))
    lines += ["", "Names of methods:", "", *_names("--estimator", ESTIMATORS), *_names("--effect", EFFECTS)]
    lines += [*_names("--test", TESTS), *_names("--interval", INTERVALS)]
    print_text("\n".join(lines) + "\n")


def _names(option: str, spellings: Iterable[str]) -> list[str]:
    return _entry(option, ", ".join(spellings))


def _entry(name: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        min(WIDTH, max(width() - 1, 2 * INDENT)),
        initial_indent=f"  {name:<{INDENT - 2}}",
        subsequent_indent=" " * INDENT,
        break_on_hyphens=False,
        break_long_words=False,
    )
