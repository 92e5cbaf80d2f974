"""Which columns hold the scores where the headers leave it open: metrics, models, members of objects, lists."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import (
    ALIASES,
    METRICS,
    SPLITS,
    TRACKED,
    is_unnamed,
    less_is_better,
    mapped,
    may_be_model,
    names_key,
    normal,
)
from scorebars.engines.training import names_step
from scorebars.readers.aggregates import aggregated, is_error_header
from scorebars.readers.cells import Cells
from scorebars.readers.columns import JOINED, Layout, UnclearError, is_score
from scorebars.readers.counts import may_be_counted, may_hold_parts, refuse_counts, refuse_parts
from scorebars.readers.numbered import runs_among
from scorebars.readers.score_lists import with_lists
from scorebars.readers.sources import MANY_COLUMNS, NoScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorebars.contracts import FileHead, Request
    from scorebars.readers.sources import Source

_HOLDERS: Final = frozenset({"scores", "metrics", "results", "rewards"})
"""Columns of objects whose members are all metrics."""
_LISTS: Final = frozenset({"scores", "rewards", "results", "outcomes", "grades", "passes", "verdicts", "corrects"})
"""Headers of lists of scores, one an attempt; a single cell under them may be anything."""
_LIKELY: Final = re.compile(
    r"(score|reward|correct|acc|rate|pass|grade|value|quality|result|success|solved|(?<![a-z])right)"
)
MOST_MODELS: Final = 6
"""Columns of numbers beside a run that are proposed as models."""
OBJECTS: Final = r"^\[\s*\{"
"""The beginning of a list of objects."""
_OWN: Final = frozenset({"value", "score"})
"""Members of a score that is an object, which are most likely it."""
GOLD_SCORE: Final = "correct"
"""The header of a score that may be the right answer too."""
SUMMED: Final = (b"\xc2\xb1", b"+/-", b"+-", b'"(', b'"[')
"""Bytes without which no cell is a number with its error or an interval."""


class NoScoreColumnError(NoScores, UnclearError):
    """No column is known to hold the score; a mapping may say which one does."""


def with_scores(layout: Layout, source: Source, head: FileHead, request: Request) -> Layout:
    """Decide which columns are scores where the headers leave it open.

    Raises:
        NoScores: There are none, or the table is a summary of results.
        UnclearError: Several could be the one.
    """
    cells = Cells(source, request.engine, tuple(word.strip().lower() for word in request.options.categories or ()))
    try:
        decided = _decided(_of_metric(layout, request.metric, cells), cells, head)
    except UnclearError as error:
        if sentence := aggregated(layout, cells):  # a summary is none however its columns are read
            raise NoScores(sentence) from error
        raise
    if decided is not None:
        _refuse_commas(decided, cells, head)
    if decided is not None and "score" not in decided.asked:
        _refuse_counts(decided, cells, head)
        if len(decided.scores) == 1 and normal(decided.scores[0]) == GOLD_SCORE and decided.ignored:
            from scorebars.readers.scoreless import refuse_right_answers

            refuse_right_answers(decided, cells)
    summed = any(sign in head.head for sign in SUMMED) or any(map(is_error_header, layout.ignored))
    if sentence := aggregated(decided or layout, cells) if summed or decided is None else "":
        raise NoScores(sentence)
    if decided is None:
        raise _no_score(layout, cells)
    if runs_among(decided.ignored):
        from scorebars.readers.spread import refuse_mean_of_runs

        refuse_mean_of_runs(decided, cells)
    if any("step" in name.lower() for name in decided.ignored):
        from scorebars.readers.steps import refuse_steps

        refuse_steps(decided, cells)
    return with_lists(decided, cells, head)


def _refuse_commas(layout: Layout, cells: Cells, head: FileHead) -> None:
    """Raise an error with the query that turns them where known scores are numbers with a decimal comma."""
    from scorebars.readers.scoreless import COMMAS, refuse_decimal_commas

    if COMMAS.search(head.head):
        refuse_decimal_commas(layout, cells, scores=layout.scores)


def _refuse_counts(layout: Layout, cells: Cells, head: FileHead) -> None:
    """Raise an error where the score is how many of n attempts were right, in a column of its own or a cell '5/10'."""
    if not layout.wide and not layout.spread and may_be_counted(layout.ignored):
        refuse_counts(layout, cells, layout.ignored, layout.scores)
    if may_hold_parts(head.head):
        refuse_parts(layout.scores[:MANY_COLUMNS], cells)


def _decided(layout: Layout, cells: Cells, head: FileHead) -> Layout | None:
    if layout.spread:
        from scorebars.readers.spread import checked

        return checked(layout, cells)
    if "score" in layout.asked:
        return replace(layout, metrics=layout.scores) if len(layout.scores) > 1 else layout
    if len(layout.scores) == 1:
        return layout if layout.several else _with_member(layout, cells, head)
    if not layout.scores:
        from scorebars.readers.passed_failed import verdict_layout
        from scorebars.readers.wide import wide_layout

        held = _nested(layout, cells) or _named_lists(layout, cells)
        return held or verdict_layout(layout, cells) or wide_layout(layout, cells)
    numeric = cells.score_like(layout.scores) or layout.scores
    if len(numeric) > 1 and "metric" in layout.roles:
        listed = ", ".join(f"'{name}'" for name in numeric)
        raise UnclearError(
            f"columns {listed} could each be the score: choose one ({mapped({'score': numeric[0]})})",
            {"score": numeric[0]},
        )
    dropped = tuple(name for name in layout.scores if name not in numeric)
    metrics = numeric if len(numeric) > 1 else ()
    return replace(layout, scores=numeric, metrics=metrics, ignored=layout.ignored + dropped)


def _of_metric(layout: Layout, metric: str | None, cells: Cells) -> Layout:
    """The layout whose score is the column that was asked for as the metric, where that is no known score."""
    if metric is None or "score" in layout.asked or "metric" in layout.roles or layout.spread:
        return layout
    known = {normal(name) for name in layout.scores}
    named = [name for name in layout.ignored if name == metric]
    named = named or [name for name in layout.ignored if normal(name) == normal(metric)]
    if len(named) != 1 or normal(metric) in known or not cells.score_like(named):
        return layout
    rest = tuple(name for name in (*layout.ignored, *layout.scores) if name != named[0])
    said = (*layout.said, ("score", f"column '{named[0]}', as asked"))
    return replace(layout, scores=(named[0],), metrics=(metric,), said=said, ignored=rest)


def _with_member(layout: Layout, cells: Cells, head: FileHead) -> Layout:
    """A score whose cells are objects: the member that holds it, {'value': 1, 'reason': …}.

    Raises:
        UnclearError: Several of them could be the score.
    """
    (name,) = layout.scores
    if not re.search(rb'"' + re.escape(name.encode()) + rb'"\s*:\s*\{', head.head):
        return layout
    members = cells.source.fields().get(name, ())
    paths = cells.score_like([f"{name}.{member}" for member in members])
    if not paths:
        return layout
    from scorebars.readers.objects_and_scores import refuse_mixed

    refuse_mixed([name], cells, known=True)
    if len(paths) > 1:
        likely = next((path for path in paths if normal(path.rpartition(".")[2]) in _OWN), paths[0])
        listed = ", ".join(f"'{path}'" for path in paths[:6])
        raise UnclearError(
            f"'{name}' holds objects, of which {listed} could each be the score: choose one "
            f"({mapped({'score': likely})})",
            {"score": likely},
        )
    said = ("score", f"the member '{paths[0].rpartition('.')[2]}' of '{name}'")
    return replace(layout, scores=paths, said=(*layout.said, said))


def _nested(layout: Layout, cells: Cells) -> Layout | None:
    """Columns of objects with scores in them: one is a result (or a set of metrics), several are models."""
    members = cells.source.fields()
    asked = layout.roles.get("model", ()) if "model" in layout.asked else ()
    if len(asked) > 1 and all(_score_fields(name, members.get(name, ())) for name in asked):
        rest = tuple(pair for pair in layout.said if pair[0] != "model")
        roles = {role: names for role, names in layout.roles.items() if role != "model"}
        return _nested_in(asked, replace(layout, roles=roles, said=rest), cells)
    return _nested_in(layout.ignored, layout, cells)


def _nested_in(names: Sequence[str], layout: Layout, cells: Cells) -> Layout | None:
    members = cells.source.fields()
    found = {name: fields for name in names if (fields := _score_fields(name, members.get(name, ())))}
    if any(map(_holds_scores, found)):  # beside which 'metrics' are tokens and seconds
        found = {name: fields for name, fields in found.items() if _holds_scores(name) or any(map(is_score, fields))}
    fine = set(cells.score_like([f"{name}.{field}" for name, fields in found.items() for field in fields]))
    paths = [(name, field) for name, fields in found.items() for field in fields if f"{name}.{field}" in fine]
    columns = list(dict.fromkeys(name for name, _ in paths))
    if not paths:
        return None
    several = len({field for _, field in paths}) > 1
    if len(columns) > 1 and ("model" in layout.roles or not all(map(may_be_model, columns))):
        listed = ", ".join(f"'{name}.{field}'" for name, field in paths[:6])
        raise UnclearError(
            f"{listed} could each be the score: choose one ({mapped({'score': '.'.join(paths[0])})})",
            {"score": ".".join(paths[0])},
        )
    from scorebars.readers.objects_and_scores import refuse_mixed

    refuse_mixed(columns, cells, known=False)
    said = [("score", "the members " + ", ".join(dict.fromkeys(f"'{field}'" for _, field in paths)))]
    said += [("model", "the headers of " + _listed(columns))] if len(columns) > 1 else []
    return replace(
        layout,
        scores=tuple(f"{name}.{field}" for name, field in paths),
        models=tuple(name for name, _ in paths) if len(columns) > 1 else (),
        metrics=tuple(field for _, field in paths) if several else (),
        said=(*layout.said, *said),
        ignored=tuple(name for name in layout.ignored if name not in columns),
    )


def _score_fields(column: str, fields: Sequence[str]) -> tuple[str, ...]:
    """The members that are scores by their name, or all in a column 'scores'."""
    if _holds_scores(column):
        return tuple(fields)
    known = tuple(field for field in fields if is_score(field))
    return known or (tuple(fields) if normal(column) in _HOLDERS else ())


def _holds_scores(column: str) -> bool:
    """Whether a column of objects holds scores by its name, and all of them are."""
    return normal(column) == "scores"


def _named_lists(layout: Layout, cells: Cells) -> Layout | None:
    """A column called 'scores' or 'rewards' whose cells are lists."""
    named = [name for name in layout.ignored if normal(name) in _LISTS]
    lists = cells.lists(named)
    if len(lists) != 1:
        return None
    if cells.mostly(OBJECTS, lists):
        from scorebars.readers.named_values import refuse_named_values

        refuse_named_values(lists[0], cells)
    rest = tuple(name for name in layout.ignored if name != lists[0])
    return replace(layout, scores=(lists[0],), ignored=rest)


def _no_score(layout: Layout, cells: Cells) -> NoScores:
    """The error that no column holds the score, with the columns of numbers that might."""
    if {"model_a", "model_b"} <= set(cells.source.names):
        return NoScores(
            "it holds battles of two models ('model_a', 'model_b'), which are read from JSON, JSON Lines, "
            "CSV and Parquet; write it as CSV"
        )
    free = [name for name in layout.ignored if not is_unnamed(name)]
    from scorebars.readers.held_models import refuse_held_models
    from scorebars.readers.scoreless import refuse_decimal_commas, refuse_status, tracked
    from scorebars.readers.steps import refuse_step_records

    refuse_decimal_commas(layout, cells)
    if not free:
        refuse_status(layout, cells)
        return NoScores(
            "no column is known to hold the score; the file holds no scores, or under another name; columns: "
            + _listed(cells.source.names)
        )
    filled = cells.score_like(free)
    if may_be_counted(filled):
        refuse_counts(layout, cells, filled, filled)
    numbers = [name for name in filled if not is_error_header(name)]
    if not numbers:
        refuse_step_records(layout, cells)
        refuse_held_models(layout, cells)
        _refuse_answers(layout, cells)
        _refuse_words(layout, cells, {})
        return NoScores(
            "it holds no scores: none of its columns has numbers, or words for right and wrong; "
            f"columns: {_listed(cells.source.names)}"
        )
    counted = [one.name for one in cells.held(numbers) if one.counts_rows]
    numbers = [name for name in numbers if name not in counted] or numbers
    numbers = [name for name in numbers if not names_key(name)] or numbers
    folds = [name for name in numbers if normal(name) in SPLITS]
    numbers = [name for name in numbers if not (names_step(name) or name in folds)] or numbers
    _refuse_answers(layout, cells, numbers)
    if "model" in layout.roles:
        from scorebars.readers.spread import refuse_rows_of_models

        refuse_rows_of_models(layout, [name for name in numbers if may_be_model(name)] or numbers, cells)
    guess = dict(_guessed(numbers)) or _of_outputs(numbers) or _as_models(numbers, layout, folds)
    _refuse_words(layout, cells, guess)
    runs = tracked(layout, numbers, cells.source.names)
    options: Mapping[str, str] = {}
    if runs:
        guess = {"score": next(name for name in numbers if name.startswith("metrics."))} | guess | runs
    else:
        guess, options = (guess, options) if guess else _of_less(numbers, cells)
        if guess and len(counted) == 1 and "item" not in layout.roles and not counted[0].startswith(TRACKED):
            guess["item"] = counted[0]
    models = _or_models(numbers, layout) if set(guess) <= {"model"} else ""
    return NoScoreColumnError(
        f"no column is known to hold the score; name it with --map score=COLUMN{models}{_turned(numbers)}; "
        f"columns: {_listed(cells.source.names)}; "
        f"known headers: {', '.join(ALIASES['score'])}, and names of metrics ({', '.join(METRICS[:3])} …)",
        guess,
        options=options,
    )


def _refuse_answers(layout: Layout, cells: Cells, numbers: Sequence[str] = ()) -> None:
    """Raise an error where right answers stand beside predictions, or how sure they were, and no number but these."""
    from scorebars.readers.classes import answers_and_sure, refuse_probabilities
    from scorebars.readers.scoreless import refuse_predictions

    neither = answers_and_sure(layout.ignored) or ()
    likely = list(_guessed([name for name in numbers if name not in neither]).values())
    refuse_predictions(layout, cells, likely=likely)
    refuse_probabilities(layout, cells, likely=likely)


def _of_less(numbers: Sequence[str], cells: Cells) -> tuple[dict[str, str], Mapping[str, str]]:
    """The mapping of the only column of which less is better; of right and wrong, the query that turns it round."""
    less = [name for name in numbers if less_is_better(name) and not names_key(name)]
    if len(less) != 1:
        return {}, {}
    if all(one.is_01 for one in cells.held(less)):
        from scorebars.readers.scoreless import in_sql

        column = in_sql(less[0])
        return {}, {"--sql": f"SELECT * EXCLUDE ({column}), 1 - {column} AS score FROM data"}
    return {"score": less[0]}, {}


def _refuse_words(layout: Layout, cells: Cells, guess: Mapping[str, str]) -> None:
    """Raise an error where words may be the scores: beside no column of numbers that is guessed, or among these."""
    from scorebars.readers.scoreless import refuse_status, refuse_words
    from scorebars.readers.won_sides import refuse_sides

    if set(guess) <= {"score"}:
        refuse_sides(layout, cells)
    if not guess:
        refuse_words(layout, cells)
        refuse_status(layout, cells)
    elif set(guess) == {"score"}:
        refuse_words(layout, cells, among=[guess["score"]])


def _turned(numbers: Sequence[str]) -> str:
    """Which columns say that less of them is better, and which of several may be named."""
    less = [name for name in numbers if less_is_better(name)]
    if not less:
        return ""
    several = f" ({mapped({'score': less[0]})} or another)" if len(less) > 1 else ""
    return f"; {_listed(less)} {'say' if len(less) > 1 else 'says'} by name that less is better{several}"


def _or_models(numbers: Sequence[str], layout: Layout) -> str:
    """What to type where each of several columns may be a model's scores."""
    several = len(numbers) > 1 and "model" not in layout.roles
    return f" (a column a model: {mapped({'model': JOINED.join(numbers[:2])})})" if several else ""


def _guessed(numbers: Sequence[str]) -> Mapping[str, str]:
    """The likeliest mapping, if one is likely: the only column of numbers, or the only one that is called so."""
    numbers = [name for name in numbers if not (less_is_better(name) or names_key(name))]
    named = [name for name in numbers if _LIKELY.search(normal(name))]
    tested = [name for name in named if "test" in re.split(r"[^a-z]+", normal(name))]
    named = tested if len(tested) == 1 else named  # beside those of training and validation
    likely = named if len(named) == 1 else [name for name in numbers if may_be_model(name)]
    return {"score": likely[0]} if len(likely) == 1 else {}


def _of_outputs(numbers: Sequence[str]) -> dict[str, str]:
    """The score of an evaluator whose outputs stand beside the inputs: 'outputs.groundedness.groundedness'."""
    steps = {name: name.split(".") for name in numbers if name.startswith("outputs.")}
    own = [name for name, parts in steps.items() if len(parts) == 3 and parts[1] == parts[2]]
    return {"score": own[0]} if len(own) == 1 else {}


def _as_models(numbers: Sequence[str], layout: Layout, folds: Sequence[str]) -> dict[str, str]:
    """All columns of numbers as models, where only a run stands beside them, and none is called like a metric.

    A fold of a seed has other samples than that of another seed: both together say which item a row is.
    """
    alone = "run" in layout.roles and not {"model", "item", "metric"} & set(layout.roles)
    plain = all(may_be_model(name) and not _LIKELY.search(normal(name)) for name in numbers)
    if not (alone and plain and 1 < len(numbers) <= MOST_MODELS):
        return {}
    item = {"item": JOINED.join((*layout.roles["run"], *folds))} if folds else {}
    return {"model": JOINED.join(numbers)} | item


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more
