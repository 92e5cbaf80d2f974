"""``scorebars formats``: what is recognised, how columns map, an example for each; and the names of methods."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final

import click

from scorebars.cli import options
from scorebars.cli.commands import Example
from scorebars.cli.output import print_text, width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorebars.readers import Entry

WIDTH: Final = 79
INDENT: Final = 19


def _completed(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    from scorebars.readers import READERS

    return [name for name in READERS if name.startswith(typed)]


@click.command(
    "formats",
    cls=Example,
    example="scorebars formats",
    also=("scorebars formats inspect",),
    short_help="What can be read, how columns map.",
)
@click.argument("name", required=False, shell_complete=_completed)
@options.debugging
def formats(name: str | None) -> None:
    """List the files that are recognised, how their columns map, and an example command for each.

    With NAME, that one format: what it is, how it is recognised, its options and its page.
    """
    lines = _every() if name is None else _one(name)
    print_text("\n".join(lines) + "\n")


def _every() -> list[str]:
    from scorebars.effects import SPELLINGS as EFFECTS
    from scorebars.estimators import SPELLINGS as ESTIMATORS
    from scorebars.intervals import INTERVALS
    from scorebars.readers import READERS
    from scorebars.significance import SPELLINGS as TESTS

    lines = ["Files are recognised by their content; their names do not matter.", ""]
    for name in READERS:
        lines += [*_entry(name, READERS[name].what), " " * INDENT + READERS[name].example, ""]
    lines += [*_headers(), "", "Names of methods:", ""]
    lines += [*_names("--estimator", ESTIMATORS), *_names("--effect", EFFECTS)]
    return [*lines, *_names("--test", TESTS), *_names("--interval", INTERVALS)]


def _headers() -> list[str]:
    from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS

    lines = ["Column headers of tables, in any case ('question-id' is question_id):", ""]
    others = {
        "item": f"; where none of these is there, {', '.join(SECOND_ITEMS)}",
        "score": f"; of a metric of that name, {', '.join(METRICS)}",
    }
    entries = {role: ", ".join(names) + others.get(role, "") for role, names in ALIASES.items()}
    return lines + [line for role, text in entries.items() for line in _entry(role, text)]


def _one(name: str) -> list[str]:
    """One format: what it is, how it is recognised, a command, its options, its page."""
    from scorebars.readers import READERS, without_score
    from scorebars.readers.asked import SPELLED

    key = name.lower()
    if key not in READERS:
        raise click.UsageError(f"there is no format '{name}'{_near(key)}")
    entry = READERS[key]
    asked = ", ".join(option for field, option in SPELLED.items() if field in entry.options)
    lines = [
        *_entry("format", key),
        *_entry("what it is", entry.what),
        *_entry("recognised", _signs(entry)),
        f"  {'example':<{INDENT - 2}}{entry.example}",
        *_entry("own options", asked or "none beyond those of every format (scorebars estimate --help)"),
        *_entry("errors", without_score(entry.on_error, entry.official)),
        *_entry("page", f"docs/formats/{key}.md"),
    ]
    return [*lines, "", *_headers()] if key == "table" else lines


def _near(key: str) -> str:
    """The format that is nearest by name, or those that speak of the word ('csv', 'terminal')."""
    from scorebars.errors import either, near_miss
    from scorebars.readers import READERS

    told = near_miss(key, READERS, limit=len(READERS))
    words = re.compile(rf"(?<![a-z0-9]){re.escape(key)}(?![a-z0-9])")
    found = [] if "did you mean" in told else [name for name in READERS if words.search(READERS[name].what.lower())]
    if not found:
        return told
    return f"; it is read by {either(list(map(repr, found)))}"


def _signs(entry: Entry) -> str:
    """By what a file is recognised, before the reader itself looks at its content."""
    told = [" and ".join(map(_sign, signs)) for signs in entry.signs if signs]
    if entry.start:
        return "by how its first line begins; then its content decides"
    if not told:
        return "by its content, where no other format claims it"
    ending = "".join(f", or a name that ends in {ending}" for ending in sorted(entry.endings))
    return f"by {', or '.join(told)} in its first 64 KiB{ending}; then its content decides"


def _sign(sign: bytes) -> str:
    known = {b"PK\x03\x04": "a Zip archive", b"PAR1": "a Parquet file", b"\x93NUMPY": "a NumPy array"}
    return known.get(sign) or " ".join(sign.decode("utf-8").split())


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
