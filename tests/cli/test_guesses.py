"""What people type instead of the right word."""

from __future__ import annotations

import pytest
from tests.cli.tables import answers, trials, write


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("compare t.csv --interval wilson", "wilson: needs"),
        ("compare t.csv --interval wilson", "use auto or tango"),
        ("compare t.csv --interval agresti-coull", "one score, not of a difference; use auto or tango"),
        ("compare t.csv --model gpt-x", "'t.csv' holds 1 ('gpt-x'); choose with --a MODEL --b MODEL"),
        ("estimate t.csv --metric acc", "the files name no metric at all; leave --metric out"),
        ("estimate t.csv --interval bootstrap", "did you mean 'percentile'?"),
        ("estimate t.csv --interval x", "'tango'"),
        ("estimate t.csv --seed x", "'--seed': 'x' is not a valid whole number"),
        ("convert t.csv -o t.xlsx", "table format; known: '.csv', '.tsv', '.parquet', '.jsonl', '.ndjson'\n"),
        ("estimate t.csv --json", "did you mean '--format json'?"),
        ("estimate t.csv --confidence .9", "did you mean '--level'?"),
        ("estimate t.csv --alpha .1", "did you mean '--level (1 - alpha)'?"),
        ("estimate t.csv --ci .9", "did you mean '--level'?"),
        ("estimate t.csv -f json", "did you mean '--format'?"),
        ("estimate t.csv -help", "no option '-help'; did you mean '--help'?"),
        ("estimate t.csv --zzz", "'scorebars estimate --help' lists them"),
        ("estimate t.csv --level high", "--level high: give a confidence level such as 0.95 or 95%"),
        ("t.csv", "did you mean 'scorebars estimate t.csv'?"),
        ("t.csv t.csv", "did you mean 'scorebars compare t.csv t.csv'?"),
        ("check t.csv", "no command 'check'; did you mean 'doctor'?"),
        ("estimate t.csv --model gpt*", "repeat --model, once for each name: --model gpt-x --model gpt-y"),
        ("estimate t.csv --model gpt-x,gpt-y", "repeat --model, once for each name: --model gpt-x --model gpt-y"),
    ],
)
def test_guesses_are_answered_with_what_was_meant(refused, folder, arguments, sentence):
    write(
        "t.csv", *(f"{m},t,q{i},0,{(i * k) % 7 // 3 % 2}" for m, k in (("gpt-x", 2), ("gpt-y", 3)) for i in range(30))
    )
    assert sentence in refused(*arguments.split())


def test_every_guess_is_answered_with_a_spelling_that_exists():
    from scorebars.cli import guesses
    from scorebars.cli.commands import COMMANDS, root
    from scorebars.intervals import INTERVALS

    assert set(guesses.INTERVALS.values()) <= set(INTERVALS)
    assert not set(guesses.INTERVALS) & set(INTERVALS)
    options = {name for parameter in root().get_command(None, "estimate").params for name in parameter.opts} | {
        "--help"
    }
    assert {meant.split()[0] for meant in guesses.OPTIONS.values()} <= options
    assert not set(guesses.OPTIONS) & options
    assert set(guesses.COMMANDS.values()) <= set(COMMANDS)
    assert not set(guesses.COMMANDS) & set(COMMANDS)


def test_a_level_in_percent(results, folder):
    path = answers("a.csv", "gpt", 124, 200)
    assert results("estimate", path, "--level", "90%")[0]["level"] == 0.9
    assert results("estimate", path, "--level", "90%") == results("estimate", path, "--level", "0.9")


def test_questions_need_no_value(done, folder):
    path = trials()
    assert done("estimate", path, "--questions") == done("estimate", path, "--questions", "all")


def test_a_column_without_a_role_is_split_on_as_the_task(folder, refused, results):
    rows = [f"q{i},{'law' if i % 3 else 'art'},{i % 2}" for i in range(12)]
    (folder / "c.csv").write_text("\n".join(["item,category,score", *rows]) + "\n")
    said = refused("estimate", "c.csv", "--by", "category").rstrip()
    assert said.endswith("make it the task: --map task=category --by task")
    means = {
        row["task"]: row["value"] for row in results("estimate", "c.csv", "--map", "task=category", "--by", "task")
    }
    assert means == {"art": 0.5, "law": 0.5}
    assert "if column 'category' does, --map task=category, else" in refused("estimate", "c.csv", "--task", "law")
    (one,) = results("estimate", "c.csv", "--map", "task=category", "--task", "law")
    assert one["n_items"] == 8
    said = refused("estimate", "c.csv", "--map", "task=category", "--by", "category").rstrip()
    assert said.endswith("it is the task: --by task")
    assert "did you mean 'category'?" in refused("estimate", "c.csv", "--by", "categry")


def test_variants_of_one_table_are_compared_as_models(folder, refused, results):
    rows = [f"{arm},q{i},{int(i % 4 < 2 + (arm == 'new'))}" for arm in ("old", "new") for i in range(12)]
    (folder / "v.csv").write_text("\n".join(["variant,item,correct", *rows]) + "\n")
    said = refused("compare", "v.csv").rstrip()
    assert said.endswith("the variants 'new', 'old' in column 'variant': to compare these, --map model=variant")
    (one,) = results("compare", "v.csv", "--map", "model=variant")
    assert (one["value"], one["n_shared"]) == (pytest.approx(0.25), 12)
