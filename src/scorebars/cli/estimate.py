"""``scorebars estimate``, alias ``show``: how sure is this score?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scorebars.cli import build, load, options
from scorebars.cli.commands import Example, Option
from scorebars.cli.output import Target, show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import Estimator
    from scorebars.resample import Resample
    from scorebars.scores import Scores


@click.command(
    "estimate",
    cls=Example,
    example="scorebars estimate results.csv",
    also=(
        "scorebars estimate results.csv --by task",
        "scorebars estimate results.csv --estimator pass^3",
        "scorebars estimate logs/ --metric match -o scores.json",
    ),
    short_help="How sure is this score?",
)
@options.reading
@options.item_list("--all-items", "--items")
@options.choosing
@click.option(
    "--by",
    cls=Option,
    section=options.CHOOSE,
    multiple=True,
    metavar="COL",
    shell_complete=options.completed("task", "cluster", "metric", "variant"),
    help="Rows by task, cluster, metric or variant.",
)
@options.computing
@click.option(
    "--questions",
    cls=Option,
    section=options.COMPUTE,
    is_flag=False,
    flag_value="all",
    type=click.Choice(["all"]),
    help="Show the intervals of all questions that the table can answer.",
)
@options.writing
@options.debugging
def estimate(paths: tuple[str, ...], **given: Any) -> None:
    """Print the score of every model in PATH... with an interval, and the question that the interval answers.

    PATH is a file, a folder or a glob (- for standard input); formats are recognised by their content.
    """
    paths = build.paths(paths, given["labels"])
    target = Target.of_result(given["output"], given["form"], force=given["force"])
    made = {
        "estimator": build.estimator(given["estimator"]),
        "interval": build.interval(given["interval"], given["n_boot"]),
        "side": build.side(given["side"]),
        "by": tuple(part for text in given["by"] for part in text.split(",")),
        "rng": given["seed"],
        **build.level(given["level"]),
    }
    resample = build.resample(given["resample"], paired=given["paired_runs"])
    scores = load.read_scores(paths, given, build.labels(given["labels"], paths))
    if given["explain"]:
        load.explain(scores)
    saving = load.saving([scores], given)
    scores = load.chosen(scores, given)
    from scorebars.analysis.estimate import estimate as verb

    found = verb(scores, resample=_questions(scores, given, resample, made["estimator"]), **made)
    show(found.view(), target, given["form"])
    saving.write()


def _questions(
    scores: Scores, given: Mapping[str, Any], resample: Resample | None, estimator: Estimator | None
) -> Resample | Sequence[Resample] | None:
    """All questions that the table can answer, or the one that was asked."""
    if given["questions"] is None:
        return resample
    if resample is not None:
        raise click.UsageError("--questions all shows every resampling; leave --resample out")
    from scorebars.analysis.estimate import possible_resamples

    cuts = scores.cuts() if estimator is None else scores.cuts(columns=estimator.columns)
    found = [possible_resamples(cut.sample) for cut in cuts.cuts]
    return tuple(one for one in found[0] if all(one in others for others in found)) if found else None
