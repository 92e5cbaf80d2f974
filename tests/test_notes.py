"""The sentences of notes."""

from __future__ import annotations

import re

import pytest

from scorebars.errors import ArgumentError
from scorebars.notes import TEMPLATES, note


def test_words_agree_with_their_numbers():
    said = [note("few-discordant", n=n, limit=10).message.partition(";")[0] for n in (0, 1, 2000)]
    assert said == [f"the two sides differ on {many}" for many in ("no item", "1 item", "2,000 items")]
    assert note("few-runs", n="2 to 3", limit=5).message.startswith("2 to 3 runs an item")


def test_no_template_has_a_plural_of_its_own():
    for code, text in TEMPLATES.items():
        assert not re.search(r"\{n\} (items|attempts|runs|rows|clusters|documents)\b", text), code


def test_unknown_code():
    with pytest.raises(ArgumentError, match="did you mean 'few-runs'"):
        note("few-run")
