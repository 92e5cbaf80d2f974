"""What a message says to type can be typed: headers with blanks are quoted, and mappings name existing columns."""

from __future__ import annotations

import re
import shlex

import pytest

TABLES = {
    "order": ("compare", "My Model,Question Number,score", "{model},Q {shuffled},{bit}", ("--map", "model=My Model")),
    "attempts": ("estimate", "Question Number,score", "Q {n},{bit}", ()),
    "crossed": ("estimate", "My Model,Question Number,score", "{model},Q {n},{bit}", ()),
    "with runs": ("estimate", "My Model,Question Number,Try No,score", "{model},Q {n},{k},{bit}", ()),
    "repeated": ("estimate", "My Model,item,score", "{model},Q {n},{bit}", ()),
    "no score": ("estimate", "My Model,Question Number,My Points", "{model},{n},{bit}", ()),
    "two models": ("estimate", "model name,agent,item,score", "x{bit},{model},Q {n},{bit}", ()),
    "two items": ("estimate", "item id,doc id,score", "Q {n},{n},{bit}", ()),
    "wide": ("estimate", "item,GPT 4,Claude 3,Hard Ness", "Q {n}{k}{model},{bit},{bit},{n}", ()),
    "twice": ("estimate", "My Model,Question Number,score", "{model},Q {n},{bit}",
              ("--map", "model=My Model,model=Question Number")),
}  # fmt: skip


def rows(pattern, *, models="AB", attempts=1):
    for model in models:
        for k in range(attempts):
            for n in range(8):
                shuffled = (3 * n + 5 * (model == "A")) % 8
                yield pattern.format(model=model, n=n, k=k, shuffled=shuffled, bit=(n + k + (model == "A")) % 3 % 2)


@pytest.mark.parametrize("name", TABLES)
def test_every_mapping_that_is_printed_can_be_typed(folder, call, name):
    verb, header, pattern, options = TABLES[name]
    attempts = 3 if name in {"attempts", "with runs", "wide"} else 1
    models = "A" if name in {"attempts", "two items"} else "AB"
    text = "\n".join([header, *rows(pattern, models=models, attempts=attempts), ""])
    (folder / "my table.csv").write_text(text, encoding="utf-8")
    code, _, err = call(verb, "my table.csv", *options)
    assert code == 2
    printed = re.findall(r"--map ('[^']+'|[^\s);]+=[^\s);]+)", err)
    assert printed
    for word in printed:
        (mapping,) = shlex.split(word)
        for pair in mapping.split(","):
            columns = pair.partition("=")[2]
            assert set(columns.split("+")) <= set(header.split(",")), err
    for line in err.splitlines():
        if line.startswith("  scorebars "):
            code, _, again = call(*shlex.split(line)[1:])
            assert code == 0 or "no column" not in again
