"""Commands that the pages show for pasting, and those of ``scorebars formats``: the command line takes each of them.

They name files of the reader's own, so they are parsed and not run; console blocks are run by ``test_documented.py``.
"""

from __future__ import annotations

import re
import shlex
from importlib import import_module

import pytest
from tests.docs.documented import PAGES, ROOT, blocks

from scorebars.cli.commands import ALIASES, COMMANDS
from scorebars.readers import READERS

PASTED = {
    (str(page.relative_to(ROOT)), line)
    for page in PAGES
    for block in blocks(page.read_text(encoding="utf-8"))
    if block.kind in {"bash", "sh"}
    for line in re.sub(r"\\\n", "", block.text).splitlines()
    if line.startswith("scorebars ")
} | {(f"scorebars formats: {name}", entry.example) for name, entry in READERS.items()}


def test_there_are_commands():
    assert len(PASTED) > len(READERS) + 30


@pytest.mark.parametrize(("place", "line"), sorted(PASTED))
def test_the_command_line_takes_it(place, line):
    _, name, *arguments = shlex.split(line.partition(" | ")[0], comments=True)
    module, _, attribute = COMMANDS[ALIASES.get(name, name)].partition(":")
    command = getattr(import_module(module), attribute)
    context = command.make_context(name, arguments)  # raises click's UsageError for what it does not know
    assert context.params, place
