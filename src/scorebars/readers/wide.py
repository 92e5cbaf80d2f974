"""Wide tables: an item a row, a column of scores a model. Which columns are models, and when that is not clear.

A number column with an unknown header may be a model, a measurement (length, probability) or a flag. Those with the
name of a measurement or flag are left out, and a note lists what was taken and what not. Columns that are left and do
not hold scores of one kind (True and False beside 0 and 1, 0 and 1 beside lengths) are refused with what to type.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, is_unnamed, mapped, may_be_model, normal
from scorebars.notes import note
from scorebars.readers.aggregates import is_error_header
from scorebars.readers.classes import refuse_probabilities
from scorebars.readers.columns import JOINED, UnclearError
from scorebars.readers.scoreless import refuse_answers_among
from scorebars.readers.sources import NoScores, is_number
from scorebars.readers.spread import refuse_spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.notes import Note
    from scorebars.readers.cells import Cells, Held
    from scorebars.readers.columns import Layout

CURVES: Final = frozenset({"step", "_step", "timestamp", "_timestamp", "frame", "timesteps", "global_step", "steps"})
MOST_TYPED: Final = 6
"""Columns that an example of a mapping names."""
MANY_ROWS: Final = 10
"""Rows from which on a model with graded scores has some between 0 and 1."""
CONSTANT_ROWS: Final = 5
"""Rows from which on one number in all of them, other than 0 and 1, is no model's scores."""
FRACTION_TOP: Final = 2.0
"""Scores of one scale where some model stays within 0 and 1 do not reach this."""
APART: Final = 10.0
"""Largest scores of two models on one scale are within this factor."""
_SPLIT: Final = re.compile(r"split[0-9]+_test_(.+)")
"""Headers of the scores of one split of a grid search, by their scorer."""


def wide_layout(layout: Layout, cells: Cells) -> Layout | None:
    """Several number columns that play no role are models, unless a model column says that they are not.

    Raises:
        UnclearError: The columns do not hold scores of one kind.
        NoScores: The header is data.
    """
    asked = _asked(layout, cells)
    if asked is not None:
        return asked
    names = [name for name in layout.ignored if not is_unnamed(name)]
    # A table of runs without items (game, seed, two numbers) has metrics, which its headers do not say are such.
    runs_alone = "run" in layout.roles and "item" not in layout.roles
    if "model" in layout.roles or runs_alone or CURVES & {normal(name) for name in cells.source.names}:
        return None
    _refuse_grid_search(cells.source.names, names)
    numbers = cells.score_like(names)
    models = tuple(name for name in numbers if may_be_model(name) and not is_error_header(name))
    listed = set(cells.lists(models))  # parallel lists hold answers and the like: no models
    models = tuple(name for name in models if name not in listed)
    if len(models) < 2:
        return None
    held = [one for one in cells.held(models) if not one.counts_rows]
    models = tuple(one.name for one in held)
    if len(models) < 2:
        return None
    if "item" in layout.roles and [*map(str.strip, models)] in _counted(len(models)):
        columns = JOINED.join(models)
        ways = f"the runs ({mapped({'run': columns})}) or the models ({mapped({'model': columns})})"
        first = ", ".join(f"'{name}'" for name in models[:4]) + (" …" if len(models) > 4 else "")
        raise UnclearError(
            f"columns {first} are numbered, as a pivot table numbers what it spreads over columns: they are {ways}",
            {"run": columns},
        )
    if any(is_number(name) for name in models):
        raise NoScores(
            f"its first line looks like data, not like a header ({_quoted(cells.source.names)}); name the columns"
        )
    refuse_answers_among(models, cells, free=layout.ignored)
    refuse_probabilities(layout, cells, likely=models)
    refuse_spread(layout, models, cells)
    _refuse_unlike(held, layout)
    return _with_models(layout, models, tuple(name for name in numbers if name not in models), cells)


def _counted(n: int) -> list[list[str]]:
    """Headers that count from 0 or 1."""
    return [[str(number) for number in range(first, first + n)] for first in (0, 1)]


def _asked(layout: Layout, cells: Cells) -> Layout | None:
    """The columns that the user joined as the model, if they hold the scores: their headers are the models."""
    columns = layout.roles.get("model", ())
    known = any(normal(name) in ALIASES["model"] for name in columns)
    if "model" not in layout.asked or len(columns) < 2 or known or set(cells.score_like(columns)) != set(columns):
        return None
    roles = {role: names for role, names in layout.roles.items() if role != "model"}
    said = tuple(pair for pair in layout.said if pair[0] != "model")
    made = _with_models(replace(layout, roles=roles, said=said), columns, (), cells)
    return replace(made, models=_bare(columns))


def _bare(paths: Sequence[str]) -> tuple[str, ...]:
    """Fields without the first and last steps that all share: the models of 'answers.gpt-4o.score'."""
    steps = [path.split(".") for path in paths]
    first = 0
    while all(len(each) > first + 1 and each[first] == steps[0][first] for each in steps):
        first += 1
    last = 0
    while all(len(each) > first + last + 1 and each[-1 - last] == steps[0][-1 - last] for each in steps):
        last += 1
    bare = [".".join(each[first : len(each) - last]) for each in steps]
    return tuple(bare) if first and last and len(set(bare)) == len(bare) else tuple(paths)


def _with_models(layout: Layout, models: tuple[str, ...], left: tuple[str, ...], cells: Cells) -> Layout:
    roles = dict(layout.roles)
    said = list(layout.said)
    if "item" not in roles and is_unnamed(cells.source.names[0]):
        roles["item"] = (cells.source.names[0],)
        said.append(("item", "the unnamed first column"))
    said += [("model", "the headers of " + _quoted(models)), ("score", "the cells of these columns")]
    rest = tuple(name for name in layout.ignored if name not in models and (name,) not in roles.values())
    return replace(layout, roles=roles, scores=models, models=models, said=tuple(said), ignored=rest, no_models=left)


def _refuse_grid_search(names: Sequence[str], free: Sequence[str]) -> None:
    """Raise an UnclearError for scikit-learn's ``cv_results_``: a row a setting, a column of scores a split."""
    scorers = dict.fromkeys(match[1] for name in free if (match := _SPLIT.fullmatch(name)))
    settings = [name for name in names if name.startswith("param_")]
    if not scorers or not settings:
        return
    guess = {"run": f"split*_test_{next(iter(scorers))}", "model": JOINED.join(settings)}
    raise UnclearError(
        f"it has the scores of each split of a grid search, a row a setting: the splits may count as runs of it "
        f"({mapped(guess)}); their training data overlap, so that the intervals are too narrow",
        guess,
    )


def wide_notes(layout: Layout) -> tuple[Note, ...]:
    """``wide-models``: what was taken for a model; nothing where the user said it."""
    models = tuple(dict.fromkeys(layout.models))
    if not models or "model" in layout.asked:
        return ()
    left = f" (not {_quoted(layout.no_models)})" if layout.no_models else ""
    remedy = mapped({"model": JOINED.join(models[:2])})
    return (note("wide-models", taken=_quoted(models), left=left, remedy=remedy),)


def _refuse_unlike(held: Sequence[Held], layout: Layout) -> None:
    """Raise an UnclearError where the columns cannot all be scores of models on one scale."""
    returns = "task" in layout.roles and "item" not in layout.roles  # each task has a scale of its own
    groups = _groups(held, scales=not returns)
    if len(groups) < 2:
        return
    told = "; ".join(f"{_quoted([one.name for one in some], 4)} {_holds(kind, some)}" for kind, some in groups.items())
    most = [one.name for one in max(groups.values(), key=len)]
    clear = len(most) > 1 and sum(len(some) == len(most) for some in groups.values()) == 1
    example = _example(most if clear else [one.name for one in held])
    raise UnclearError(
        f"the columns that may be models do not hold scores of one kind: {told}; name those that are models "
        f"({mapped({'model': example})}), or the only score ({mapped({'score': most[0]})}), or bring all to one scale",
        {"model": JOINED.join(most)} if clear else {},
    )


def _example(names: Sequence[str]) -> str:
    return JOINED.join(names) if len(names) <= MOST_TYPED else f"{names[0]}{JOINED}{names[1]}{JOINED}…"


def _groups(held: Sequence[Held], *, scales: bool) -> dict[str, list[Held]]:
    """The columns by what they hold: those in one group may be scores of one kind."""
    numbers = [one for one in held if not one.words and not one.signed]  # signs are judged with the scores
    groups: dict[str, list[Held]] = {}
    for one in held:
        kind = one.words or (_scale(one, numbers) if scales and not one.signed else "")
        groups.setdefault(kind, []).append(one)
    return groups


def _scale(one: Held, numbers: Sequence[Held]) -> str:
    """The scale of a column of numbers beside others; "" where it may be that of all."""
    top = max(other.size for other in numbers)
    if _is_constant(one) and not all(map(_is_constant, numbers)):
        return "constant"
    if one.size > 1.0 and one.size * APART <= top:
        return "low"
    binary = any(other.is_01 for other in numbers)
    if one.is_01 and (top > 1.0 or _graded_beside(numbers)):
        return "0 and 1"
    if one.size <= 1.0 and not one.is_01 and (top >= FRACTION_TOP or (binary and _graded_beside(numbers))):
        return "fractions"
    return ""


def _graded_beside(numbers: Sequence[Held]) -> bool:
    """Whether many scores of a column are 0 and 1 alone, and another has some between."""
    return any(one.is_01 and one.n >= MANY_ROWS for one in numbers) and not all(one.is_01 for one in numbers)


def _is_constant(one: Held) -> bool:
    return one.different == 1 and one.n >= CONSTANT_ROWS and not one.is_01


def _holds(kind: str, some: Sequence[Held]) -> str:
    """What a group of columns holds, in words."""
    low, high = min(one.low for one in some), max(one.high for one in some)
    if kind in {"", "low", "fractions"}:
        return f"numbers from {low:g} to {high:g}"
    return f"{some[0].high:g} in every row" if kind == "constant" else kind


def _quoted(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more
