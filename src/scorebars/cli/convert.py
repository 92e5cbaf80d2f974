"""``scorebars convert``: one tidy table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scorebars.cli import build, load, options
from scorebars.cli.commands import Example, Option
from scorebars.cli.output import Target


@click.command(
    "convert",
    cls=Example,
    example="scorebars convert logs/ -o scores.parquet",
    short_help="Write one tidy table.",
)
@options.reading
@options.item_list("--all-items", "--items")
@options.selecting
@options.destination
@click.option(
    "--explain", is_flag=True, cls=Option, section=options.WRITE, help="Say how each file was read, on stderr."
)
@options.debugging
def convert(paths: tuple[str, ...], **given: Any) -> None:
    """Write the scores of PATH... as one tidy table, one row an attempt: FILE.csv, .tsv, .parquet or .jsonl."""
    if given["output"] is None:
        raise click.UsageError("convert needs a file to write: -o scores.csv (or .tsv, .parquet, .jsonl)")
    paths = build.paths(paths, given["labels"])
    target = Target.checked(given["output"], force=given["force"])
    from scorebars.engines.tidy import kind_of, write_columns

    kind = kind_of(Path(given["output"]))
    scores = load.read_scores(paths, given, build.labels(given["labels"], paths))
    if given["explain"]:
        load.explain(scores)
    saving = load.saving([scores], given)
    scores = load.chosen(scores, given)
    columns = scores.tidy()
    with target.replaced() as temporary:
        write_columns(columns, temporary, kind)
    saving.write()
