"""The options that commands share, in sections. Every string that people type is explained here and parsed in build."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from scorebars.cli.commands import Option

if TYPE_CHECKING:
    from collections.abc import Callable

READ: Final = "What to read"
SOME: Final = "What only some formats need"
CHOOSE: Final = "What to count"
COMPUTE: Final = "What to compute"
WRITE: Final = "What to write"


def _files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """The shell completes names of files and folders itself; 'file.json#key' and '-' are no paths, so no click.Path."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


class _Whole(click.IntRange):
    """A whole number from some on; what is none is called so."""

    name = "whole number"


def reading(function: Any) -> Any:
    """Which files, columns and rows."""
    return _all(
        function,
        click.argument("paths", nargs=-1, metavar="PATH...", shell_complete=_files),
        _option("--metric", READ, metavar="NAME", help="The metric to use where a file has several."),
        _option("--variant", READ, metavar="NAME", help="The variant (lm-eval filter) to use where there are several."),
        _option(
            "--cluster",
            READ,
            metavar="COL",
            help="Column (or metadata field) of items that share a cause; none: they share none.",
        ),
        _option(
            "--map",
            READ,
            "columns",
            multiple=True,
            metavar="ROLE=COL,...",
            help="Which column is what: item=qid,model=agent+model ('+' joins columns, '*' is any text); "
            "file={model}_{run}: what the names of files say.",
        ),
        _option(
            "--save-map",
            READ,
            is_flag=True,
            help="Keep what --map and --category say beside the file (FILE.scorebars.toml); it is used from then on.",
        ),
        _option(
            "--sql",
            READ,
            metavar="SELECT",
            help="Read the rows of one SELECT: a file is the table 'data', several go by their names without ending.",
        ),
        _which_files,
        _option("--range", READ, "score_range", metavar="LOW,HIGH", help="Lowest and highest possible score: 1,10."),
        _option(
            "--on-error",
            READ,
            type=click.Choice(["wrong", "drop", "fail"]),
            help="Attempts without a score: count as wrong, drop, or refuse. Default: as their producer does.",
        ),
        _option(
            "--duplicates",
            READ,
            type=click.Choice(["first", "last", "fail"]),
            help="Which of several scores of one attempt to keep. Default: refuse.",
        ),
        _for_some_formats,
    )


def _which_files(function: Any) -> Any:
    """Names of files, and files that are left out."""
    return _all(
        function,
        _option(
            "--label",
            READ,
            "labels",
            multiple=True,
            metavar="NAME=PATH",
            help="Read this file and call its model NAME. Repeatable.",
        ),
        _option(
            "--without",
            READ,
            multiple=True,
            metavar="PATH",
            help="Leave this file of a folder or glob out. Repeatable.",
        ),
    )


def _for_some_formats(function: Any) -> Any:
    """Choices that only some formats know."""
    return _all(
        function,
        _option("--split", SOME, metavar="NAME", help="The split that counts (HELM, MTEB, tables): test, valid."),
        _option("--dates", SOME, metavar="FIRST..LAST", help="Only items of these days: 2024-05-01..2024-08-31."),
        _option(
            "--normalize",
            SOME,
            metavar="NAME",
            help="Raw RL scores by ale57, dmc, procgen-easy (or -hard), or a file.",
        ),
        _option("--at", SOME, metavar="POINT", help="The point of a learning curve: final, mean:10, step:1e6."),
        _option(
            "--category",
            SOME,
            "categories",
            multiple=True,
            metavar="WORD=NUMBER",
            help="The number of a score that is a word: partial=0.5. Repeatable.",
        ),
        _option("--latest", SOME, is_flag=True, help="Of several logs of a model and task, only the newest."),
        _option("--repeats-as-runs", SOME, is_flag=True, help="Several logs of a model and task are runs of it."),
    )


def item_list(*names: str) -> Callable[[Any], Any]:
    """The option that names the file with all item ids."""
    return click.option(
        *names,
        "items",
        cls=Option,
        section=SOME,
        metavar="FILE",
        shell_complete=_files,
        help="All item ids, one a line, where files list only the solved ones (SWE-bench).",
    )


def selecting(function: Any) -> Any:
    """Which rows of the table count."""
    return _all(
        function,
        _option("--model", CHOOSE, "models", multiple=True, metavar="NAME", help="Only this model. Repeatable."),
        _option("--task", CHOOSE, "tasks", multiple=True, metavar="NAME", help="Only this task. Repeatable."),
    )


def choosing(function: Any) -> Any:
    """Which rows of the table count, and how they hang together."""
    return _all(
        function,
        selecting,
        _option("--pool-tasks", CHOOSE, is_flag=True, help="Forget tasks: every item counts the same."),
        _option("--cluster-crosses-tasks", CHOOSE, is_flag=True, help="A cluster id is the same cluster in all tasks."),
        _option("--run-crosses-items", CHOOSE, is_flag=True, help="A run is one seed, evaluated on every item."),
    )


def computing(function: Any) -> Any:
    """Estimator, resampling, interval."""
    return _all(
        function,
        _option(
            "--estimator",
            COMPUTE,
            metavar="NAME",
            shell_complete=spellings("scorebars.estimators", "SPELLINGS"),
            help="mean (default), pass^3, iqm, median …; scorebars formats lists them.",
        ),
        _option(
            "--resample",
            COMPUTE,
            metavar="LEVEL,...",
            shell_complete=completed("item", "cluster", "run", "task", "item,run"),
            help="What is redrawn: item, cluster, run or task, or two: item,run. Default: by the data.",
        ),
        _option("--paired-runs", COMPUTE, is_flag=True, help="Run k of both sides is the same seed: redraw it once."),
        _option(
            "--interval",
            COMPUTE,
            metavar="NAME",
            shell_complete=spellings("scorebars.intervals", "INTERVALS"),
            help="auto (default), percentile, wilson, student-t, cluster-robust, ...; 'scorebars formats' lists all.",
        ),
        _option("--level", COMPUTE, metavar="L", help="Confidence level: 0.95 (default) or 95%."),
        _option(
            "--side",
            COMPUTE,
            type=click.Choice(["two", "lower", "upper"]),
            default="two",
            help="Two bounds, or just one.",
        ),
        _option("--n-boot", COMPUTE, type=_Whole(min=1), metavar="N", help="Draw N resamples instead of computing."),
        _option(
            "--seed",
            COMPUTE,
            type=_Whole(min=0),
            metavar="N",
            help="Seed of what is drawn; most answers draw nothing.",
        ),
    )


def writing(function: Any) -> Any:
    """Format and destination."""
    return _all(
        function,
        _option(
            "--format",
            WRITE,
            "form",
            type=click.Choice(["table", "json", "csv", "markdown", "latex", "html"]),
            help="Default: by the ending of -o, else a table.",
        ),
        destination,
        _option("--explain", WRITE, is_flag=True, help="Say how each file was read and what was dropped, on stderr."),
    )


def destination(function: Any) -> Any:
    """-o and --force."""
    return _all(
        function,
        _option(
            "-o",
            WRITE,
            "output",
            metavar="FILE",
            shell_complete=_files,
            help="Write to this file; an existing one is kept.",
        ),
        _option("--force", WRITE, is_flag=True, help="Replace an existing file."),
    )


def debugging(function: Any) -> Any:
    """--debug, which the entry point reads."""
    return _option("--debug", WRITE, is_flag=True, expose_value=False, help="Show the traceback of an error.")(function)


Completion: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[str]]"


def completed(*values: str) -> Completion:
    """What a shell completes an option's value to."""
    return lambda _context, _parameter, typed: [value for value in values if value.startswith(typed)]


def spellings(module: str, name: str) -> Completion:
    """Completion from a family's list of spellings, which is imported when a shell asks."""

    def complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
        return [word for word in map(_fixed, getattr(import_module(module), name)) if word.startswith(typed)]

    return complete


def _fixed(spelling: str) -> str:
    """What a shell can type of a spelling: of 'pass@K' and 'quantile:Q' all but the value."""
    word, found, _ = spelling.partition(":")
    return word.removesuffix("K") + found


def _option(name: str, section: str, *args: str, **kwargs: Any) -> Callable[[Any], Any]:
    return click.option(name, *args, cls=Option, section=section, **kwargs)


def _all(function: Any, *decorators: Callable[[Any], Any]) -> Any:
    """Apply so that help lists them in the order given."""
    for decorate in reversed(decorators):
        function = decorate(function)
    return function
