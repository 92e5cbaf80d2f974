"""``scorebars compare``: is A really better than B?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from scorebars.cli import build, load, options
from scorebars.cli.commands import Example, Option
from scorebars.cli.output import Target, show
from scorebars.errors import ArgumentError, ReadError, Remedy, ScorebarsError, typed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.results import Comparison
    from scorebars.scores import Scores

_MAPPED: Final = {"--map": "columns", "--category": "categories", "--metric": "metric", "--variant": "variant"}
"""Options that proposals name, and what they are called here."""
_LISTED: Final = frozenset({"--map", "--category"})
"""Those that may be given more than once."""
_OWN_MAPPING: Final = "or, where each file needs one of its own, keep it beside this one, and compare takes both:"


@click.command(
    "compare",
    cls=Example,
    example="scorebars compare a.csv b.csv",
    also=(
        "scorebars compare results.csv --a new --b old",
        "scorebars compare a.csv b.csv --items",
        "scorebars compare a.csv b.csv --estimator pass^3 --format json",
    ),
    short_help="Is A really better than B?",
)
@options.reading
@options.item_list("--all-items")
@click.option("--a", "a", cls=Option, section=options.CHOOSE, metavar="MODEL", help="The model that is side A.")
@click.option("--b", "b", cls=Option, section=options.CHOOSE, metavar="MODEL", help="The model that is side B.")
@options.choosing
@click.option(
    "--effect",
    cls=Option,
    section=options.COMPUTE,
    metavar="NAME",
    shell_complete=options.spellings("scorebars.effects", "SPELLINGS"),
    help="difference (default), relative, odds-ratio, outperforming (pairs of runs) or improvement (all runs).",
)
@options.computing
@click.option(
    "--test",
    cls=Option,
    section=options.COMPUTE,
    metavar="NAME",
    shell_complete=options.spellings("scorebars.significance", "SPELLINGS"),
    help="p-value by mcnemar, mcnemar-mid-p, sign-flip, sign, wilcoxon or randomization. Default: the interval's own.",
)
@options.writing
@click.option(
    "--items",
    "list_items",
    cls=Option,
    section=options.WRITE,
    is_flag=True,
    help="List the items on which they disagree.",
)
@options.debugging
def compare(paths: tuple[str, ...], **given: Any) -> None:
    """Print the difference A - B with an interval, paired on the items that both sides have.

    Two PATHs are the two sides, one model each. One PATH holds both: choose with --a MODEL --b MODEL, needed unless
    it holds exactly two.
    """
    paths = build.paths(paths, given["labels"])
    target = Target.of_result(given["output"], given["form"], force=given["force"])
    made = {
        "effect": build.effect(given["effect"]),
        "estimator": build.estimator(given["estimator"]),
        "resample": build.resample(given["resample"], paired=given["paired_runs"]),
        "test": build.test(given["test"]),
        "interval": build.interval(given["interval"], given["n_boot"]),
        "side": build.side(given["side"]),
        "rng": given["seed"],
        **build.level(given["level"]),
    }
    given["all_paths"] = paths
    if len(paths) > 2:
        raise click.UsageError(
            f"compare takes two sides and got {len(paths)} paths; put one side's files in a folder, or all in one "
            "folder whose models you name (compare FOLDER --a MODEL --b MODEL)"
        )
    tables = _each(paths, given) if len(paths) == 2 else [_alone(paths, given)]
    saving = load.saving(tables, given)
    found = _two_paths(tables, paths, given, made) if len(paths) == 2 else _one_path(tables[0], paths, given, made)
    show(found.view(items=given["list_items"]), target, given["form"])
    saving.write()


def _one_path(scores: Scores, paths: tuple[str, ...], given: Mapping[str, Any], made: Mapping[str, Any]) -> Comparison:
    """Two models of one table."""
    scores = load.chosen(scores, given)
    from scorebars.analysis.compare import compare as verb
    from scorebars.analysis.compare import with_scores

    if (given["a"] is None) != (given["b"] is None):
        missing = "--b" if given["b"] is None else "--a"
        raise ArgumentError(f"one model and one side; name the other one with {missing} MODEL")
    if given["a"] is None and len(with_scores(scores)[0].models) != 2:
        raise ArgumentError(
            f"a comparison needs two models, and '{paths[0] if paths else ''}' holds {len(scores.models)}"
            f"{_listed(scores)}; {_other(scores, paths, given)}{_as_runs(scores)}{_as_models(scores)}"
        )
    return verb(scores, given["a"], given["b"], **made)


def _two_paths(
    tables: list[Scores], paths: tuple[str, ...], given: Mapping[str, Any], made: Mapping[str, Any]
) -> Comparison:
    """One table a side; labelled by its model, or by its path where the models are the same."""
    sides = [
        load.chosen(scores, given, () if model is None else (model,))
        for scores, model in zip(tables, (given["a"], given["b"]), strict=True)
    ]
    for letter, path, scores in zip("ab", paths, sides, strict=True):
        if len(scores.models) != 1:
            raise ArgumentError(
                f"'{path}' holds {len(scores.models)} models; choose one with --{letter} MODEL{_listed(scores)}"
                f"{', or the one of both sides with --model MODEL' if _shared(sides) else ''}"
                f"{_as_runs(scores)}"
            )
    from scorebars.analysis.compare import compare as verb

    if sides[0].models == sides[1].models:
        a, b = paths if paths[0] != paths[1] else (f"{paths[0]} (A)", f"{paths[1]} (B)")
        return verb(sides[0], sides[1], labels=(a, b), **made)
    return verb(sides[0], sides[1], **made)


def _other(scores: Scores, paths: Sequence[str], given: Mapping[str, Any]) -> str:
    """Where two models can come from: of one file with one model, there is none to choose."""
    if given.get("models") and len(scores.models) == 1:
        return "choose with --a MODEL --b MODEL in the place of --model, or give two files"
    if len(scores.models) > 1:
        return "choose with --a MODEL --b MODEL, or give two files"
    alone = f"; the score of this one: {typed('scorebars', 'estimate', *paths)}" if paths else ""
    return f"give the file of the other one too{alone}"


def _shared(sides: Sequence[Scores]) -> bool:
    """Whether a model stands on both sides."""
    return bool(set(sides[0].models) & set(sides[1].models))


def _as_runs(scores: Scores) -> str:
    """What to type where the models are tables, or logs of training, with the names of runs."""
    from scorebars.engines.file_runs import FILE, files_as_runs, folders_as_runs
    from scorebars.engines.headers import mapped

    found = files_as_runs(scores.parts)
    if logs := folders_as_runs(scores.parts):
        return f"; if they are runs{'' if '/' in logs[0] else ' of one'}: {mapped({'model': 'folder'})}"
    if found is None:
        return ""
    return f"; if they are runs{'' if '{model}' in found[0] else ' of one'}: {mapped({FILE: found[0]})}"


def _as_models(scores: Scores) -> str:
    """What to type where the one model of a table has several variants, which may be what is to be compared."""
    from scorebars.engines.headers import mapped

    said = {
        text.removesuffix(", as asked") for part in scores.parts for role, text in part.mapping if role == "variant"
    }
    names = [text[8:-1] for text in said if text.startswith("column '")]
    if len(scores.models) != 1 or len(scores.variants) < 2 or not len(said) == len(names) == 1:
        return ""
    listed = ", ".join(f"'{variant}'" for variant in scores.variants[:3]) + (", …" if len(scores.variants) > 3 else "")
    return f"; it has the variants {listed} in column '{names[0]}': to compare these, {mapped({'model': names[0]})}"


def _each(paths: tuple[str, ...], given: Mapping[str, Any]) -> list[Scores]:
    """The table of each side; a category may be a word of one side alone, and a column one of one side alone."""
    from scorebars.readers.asked import UnmetWordError

    found, unmet = [], []
    missing: list[dict[str, Exception]] = []
    for path in paths:
        missing.append({})
        try:
            found.append(_side(path, given, missing[-1]))
        except UnmetWordError as error:
            if error.scores is None:
                raise
            found.append(error.scores)
            unmet.append(error)
    if len(unmet) == len(paths) and frozenset.intersection(*(error.words for error in unmet)):
        raise unmet[0]
    for role in set.intersection(*map(set, missing)):
        raise missing[0][role]
    return found


def _alone(paths: tuple[str, ...], given: Mapping[str, Any]) -> Scores:
    """The table of one path. What an error proposes is completed: two models of several, or a score of the only one."""
    try:
        return _read(paths, given)
    except ReadError as error:
        if given["a"] is None and given["b"] is None:
            said = getattr(error, "__notes__", ())
            error.__notes__ = [_completed(one, paths, given) if isinstance(one, Remedy) else one for one in said]
        raise


def _completed(said: Remedy, paths: tuple[str, ...], given: Mapping[str, Any]) -> str:
    """A proposal with the two models that it leaves to be compared; as it is where these are two, or not known yet."""
    from scorebars.readers.proposals import ASKED_BYTES

    path = Path(paths[0] if paths else "")
    if (
        (given["estimator"] and said.instead)
        or not set(said.options) <= set(_MAPPED)
        or not path.is_file()
        or path.stat().st_size > ASKED_BYTES
    ):
        return said
    asked = {_MAPPED[option]: (text,) if option in _LISTED else text for option, text in said.options.items()}
    try:
        models = load.chosen(_read(paths, {**given, **asked, "explain": False}), given).models
    except ScorebarsError:
        return said
    if len(models) == 2:
        return said
    lead = said.lead.removesuffix(":")
    if len(models) == 1:
        return f"{lead}, it is one model, which has a score and nothing to be compared with:\n  {said.alone}"
    return Remedy(
        f"{lead}, of {len(models)} models these two, or others:",
        paths[0],
        {**said.options, "--a": models[0], "--b": models[1]},
    )


def _side(path: str, given: Mapping[str, Any], missing: dict[str, Exception]) -> Scores:
    """The table of one side. What ``--map`` says of a column that it lacks is for the other side: its headers decide.

    Args:
        path: The side.
        given: The options.
        missing: Gets the roles whose column is not there, with the error that says so.
    """
    from scorebars.engines.choosing import UnknownNameError
    from scorebars.readers.columns import NoColumnError

    columns = build.columns(given["columns"]) or {}
    while True:
        rest = tuple(f"{role}={column}" for role, column in columns.items() if role not in missing)
        try:
            return _read((path,), {**given, "columns": rest})
        except UnknownNameError as error:  # which the other side may have
            raise UnknownNameError(f"{path}: {error}") from error
        except NoColumnError as error:
            if error.role not in columns or given["save_map"]:
                raise
            missing[error.role] = error
        except ReadError as error:
            for said in tuple(getattr(error, "__notes__", ())):
                if isinstance(said, Remedy) and "--map" in said.options:
                    error.add_note(f"{_OWN_MAPPING}\n  {said.alone} --save-map")
            raise


def _read(paths: tuple[str, ...], given: Mapping[str, Any]) -> Scores:
    labels = build.labels(given["labels"], given["all_paths"])
    scores = load.read_scores(paths, given, build.labels_of(labels, paths))
    if given["explain"]:
        load.explain(scores)
    return scores


def _listed(scores: Scores) -> str:
    names = ", ".join(f"'{name}'" for name in scores.models[:12])
    return f" ({names})"
