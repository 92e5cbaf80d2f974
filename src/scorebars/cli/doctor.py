"""``scorebars doctor``: what is wrong with this file, before I believe any number?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

import click

from scorebars.cli import build, load, options
from scorebars.cli.commands import Example, Option
from scorebars.cli.output import Target, show
from scorebars.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.errors import ReadError
    from scorebars.readers.survey import NothingReadError, Survey

FOUND: Final = 1
"""Exit code where a finding would change a conclusion."""
MOST_LEFT_OUT: Final = 5
CARRIED: Final = (options.READ, options.SOME, options.CHOOSE)
"""Sections whose options the proposed commands need too."""


@click.command(
    "doctor",
    cls=Example,
    example="scorebars doctor results.csv",
    also=(
        "scorebars doctor logs/",
        "scorebars doctor base.jsonl candidate.jsonl",
        "scorebars doctor results.csv --format json -o findings.json",
    ),
    exit_codes="Exit codes: 0 nothing found, or only what is worth knowing; 1 something would change a conclusion; "
    "2 an error, or nothing can be read; 130 interrupted.",
    short_help="What is wrong with these files?",
)
@options.reading
@options.item_list("--all-items", "--items")
@options.choosing
@options.writing
@options.debugging
@click.pass_context
def doctor(context: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Look at PATH... before any number is believed: what would change a conclusion, and what to do about it.

    Swapped axes, repeats counted as items, ids that nearly match, the same result under two names, models on different
    items, missing scores, scales, clusters, runs. Several metrics and variants are all looked at, and a file that
    cannot be read does not stop the others.
    """
    paths = build.paths(paths, given["labels"])
    target = Target.of_result(given["output"], given["form"], force=given["force"])
    from scorebars.readers.survey import NothingReadError

    try:
        found = _surveyed(paths, given)
    except NothingReadError as error:
        raise _reported(error, target, given["form"]) from error
    if given["explain"]:
        load.explain(found.scores)
    saving = load.saving([found.scores], given)
    scores = load.chosen(found.scores, given)
    from scorebars.analysis.doctor import doctor as verb

    typed = _typed(context, paths, found)
    diagnosis = verb(scores, unread=found.unread, published=found.published, waiting=found.waiting, paths=typed)
    show(diagnosis.view(), target, given["form"])
    saving.write()
    if diagnosis.changes_a_conclusion:
        context.exit(FOUND)


def _reported(error: NothingReadError, target: Target, form: str | None) -> ReadError:
    """Print why each file cannot be read, and give the sentence with which the command fails."""
    from scorebars.analysis.doctor import nothing_read
    from scorebars.errors import ReadError

    show(nothing_read(error.unread).view(), target, form)
    n = sum(1 + len(file.others) for file in error.unread)
    return ReadError(f"not one of the {n:,} files can be read, such as: {error}")


def _surveyed(paths: Sequence[str], given: Mapping[str, Any]) -> Survey:
    from scorebars.readers.survey import survey

    asked = load.asked(paths, given)
    with progress() as say:
        return survey(list(paths), labels=build.labels(given["labels"], paths), progress=say, **asked)


def _typed(context: click.Context, paths: Sequence[str], found: Survey) -> str:
    """The paths, and the options without which they would be read differently, as they would be typed."""
    unread = [path for file in found.unread for path in (file.path, *file.others)]
    words = [path for path in paths if path not in unread]
    left_out = [path for path in unread if path not in paths]
    if len(left_out) > MOST_LEFT_OUT:  # shorter the other way round
        words = list(dict.fromkeys(str(part.path) for part in found.scores.parts))
    else:
        words += [word for path in left_out for word in ("--without", path)]
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and isinstance(parameter, Option) and parameter.section in CARRIED:
            option, value = parameter.opts[0], context.params[name]
            values = value if parameter.multiple else (value,)
            words += [option] if parameter.is_flag else [word for each in values for word in (option, str(each))]
    return " ".join((shlex.join(words), *(choice.typed for choice in found.waiting)))
