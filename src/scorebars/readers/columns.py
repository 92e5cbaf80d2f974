"""Which column of a table plays which role: the header aliases, and the choice between them.

A choice that is not the only possible one is not made: two columns for one role are an error that lists them and says
what to type. What was decided is said in :attr:`Layout.mapping`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, BESIDE_METRIC, METRICS, SPLITS, is_unnamed, mapped, normal
from scorebars.engines.headers import claims as claims_of
from scorebars.errors import ArgumentError, ReadError, near_miss

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

ROLES: Final = tuple(ALIASES)
_SPREAD: Final = ("run", "item")
"""Roles that headers may have, each above a column of scores of its own."""
JOINED: Final = "+"
"""Between the column names of an explicit mapping: 'agent+model'."""
ANY: Final = "*"
"""For any text in a column name of an explicit mapping: 'run*'."""
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each role comes from."""

    roles: Mapping[str, tuple[str, ...]]
    """Role -> columns (several are joined), for all roles but score and status."""
    scores: tuple[str, ...]
    """The score columns (or fields in columns, 'result.f1'): one, or several that are metrics, models or both."""
    statuses: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """The model of each score column, in a wide table."""
    metrics: tuple[str, ...] = ()
    """The metric of each score column, where there are several."""
    runs: tuple[str, ...] = ()
    """The run of each score column, where the headers are runs."""
    items: tuple[str, ...] = ()
    """The item of each score column, where the headers are items."""
    lists: bool = False
    """Whether cells of the score are lists: one run, or item, an element."""
    listed: tuple[str, ...] = ()
    """The columns of lists whose elements count as runs, although nobody said so."""
    placed: str = ""
    """The role that the user's own mapping gave the place in a list: 'item' or 'run'."""
    said: tuple[tuple[str, str], ...] = ()
    """(role, where it came from), for the user."""
    ignored: tuple[str, ...] = ()
    no_models: tuple[str, ...] = ()
    """Further columns of numbers in a wide table, whose names say that they are no models."""
    only: tuple[str, str] | None = None
    """(column, text) of the rows that count: those of one split; None: all."""
    asked: frozenset[str] = frozenset()
    """Roles that the user's own mapping gave."""

    @property
    def wide(self) -> bool:
        """Whether the score columns are models."""
        return bool(self.models)

    @property
    def spread(self) -> bool:
        """Whether the score columns are runs or items, so that the attempts of one model stand in a row."""
        return bool(self.runs or self.items)

    @property
    def has_item(self) -> bool:
        """Whether an attempt has an item by its column or by its header."""
        return "item" in self.roles or bool(self.items) or self.placed == "item"

    @property
    def several(self) -> bool:
        """Whether the score columns are metrics."""
        return bool(self.metrics)

    @property
    def metric(self) -> str:
        """What the header of the only score column says that it measures ('accuracy'); "" if nothing."""
        named = self.several or self.wide or self.spread or "metric" in self.roles or "score" in self.asked
        return "" if named or len(self.scores) != 1 else _metric_of(self.scores[0])


class UnclearError(ReadError):
    """Columns could be taken in more than one way; ``guess`` is the mapping that is proposed, role -> columns."""

    def __init__(self, sentence: str, guess: Mapping[str, str], *, options: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.guess = dict(guess)
        self.options = dict(options or {})
        """Options beside the mapping; a query goes in its place."""


class NoColumnError(ReadError):
    """The mapping gives a role what the file does not have, or what its format fixes; another file may need it."""

    def __init__(self, sentence: str, role: str) -> None:
        super().__init__(sentence)
        self.role = role


def _metric_of(header: str) -> str:
    """The metric that a header names, "" for 'score', 'correct' and their like."""
    name = header.rpartition(".")[2]
    return name if normal(name) in METRICS else ""


def is_score(header: str) -> bool:
    """Whether a header is one of a score."""
    return normal(header) in ALIASES["score"] or normal(header) in METRICS


def explicit(columns: Mapping[str, str], cluster: str | None, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The user's own mapping, checked: role -> columns of this table.

    Raises:
        ArgumentError: No such role.
        NoColumnError: No such column.
    """
    wanted = dict(columns)
    if cluster is not None:
        wanted["cluster"] = cluster
    chosen: dict[str, tuple[str, ...]] = {}
    for role, text in wanted.items():
        if role not in ALIASES:
            raise ArgumentError(f"'{role}' is no role of a score table{near_miss(role, ALIASES)}")
        try:
            chosen[role] = _named(text, names)
        except ReadError as error:
            raise NoColumnError(str(error), role) from error
    return chosen


class Pattern(tuple[str, ...]):
    """Columns that were named by a pattern ('run*'), two or more."""

    __slots__ = ()


def _named(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that 'agent+model' or 'run*' names; a header that has such a sign itself is meant as it stands."""
    if text in names:
        return (text,)
    parts = tuple(part.strip() for part in text.split(JOINED))
    if ANY not in text:
        return tuple(column_named(part, names) for part in parts)
    found = tuple(dict.fromkeys(name for part in parts for name in _matching(part, names)))
    return Pattern(found) if len(found) > 1 else found


def _matching(part: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns whose headers a pattern matches, capitals or not; those without a header are none."""
    if ANY not in part or part in names:
        return (column_named(part, names),)
    pattern = re.compile(".*".join(map(re.escape, part.lower().split(ANY))), re.DOTALL)
    found = tuple(name for name in names if not is_unnamed(name) and pattern.fullmatch(name.lower()))
    if not found:
        raise ReadError(f"no column matches '{part}'{near_miss(part, (name for name in names if name))}")
    return found


def column_named(part: str, names: Sequence[str]) -> str:
    """The column that a part of a mapping names, capitals and signs or not, or the field in one.

    Raises:
        ReadError: There is none, with the nearest.
    """
    if part in names or _field_of(part, names):
        return part
    same = [name for name in names if normal(name) == normal(part)]
    if len(same) == 1:
        return same[0]
    raise ReadError(f"no column '{part}'{near_miss(part, (name for name in names if name))}")


def _field_of(part: str, names: Sequence[str]) -> bool:
    """Whether it is a field inside a nested column ('info.task.user_id')."""
    return any(part.startswith(f"{name}.") for name in names if name)


def split_column(layout: Layout) -> str:
    """The column of the data set's splits, '' if there is none: one without a role, or a 'subset' that is the task."""
    free = [name for name in (*layout.ignored, *layout.no_models) if normal(name) in SPLITS]
    free.sort(key=lambda name: "fold" in normal(name))  # of train and test in each fold, one is asked for
    tasks = layout.roles.get("task", ())
    subsets = [name for name in tasks if len(tasks) == 1 and normal(name) == "subset" and "task" not in layout.asked]
    return next(iter((*free, *subsets)), "")


def arrange(
    names: Sequence[str],
    given: Mapping[str, tuple[str, ...]],
    defaults: Mapping[str, str],
    idle: Collection[str] = (),
) -> Layout:
    """Give each role its columns: what the user said, then what the shape of the file says, then the aliases.

    Args:
        names: Headers, in order.
        given: The explicit mapping (:func:`explicit`).
        defaults: Role -> column that the shape of the file gives (the keys of a JSON object are its models).
        idle: Columns that claim no role by their headers.

    Raises:
        ReadError: Two columns claim one role.
    """
    given, spread = _spread(given, names)
    taken = {column for columns in given.values() for column in columns}
    free = [name for name in names if name and name not in taken]
    roles: dict[str, tuple[str, ...]] = {r: c for r, c in given.items() if r not in {"score", "status", spread}}
    said = [(role, _origin(role, columns, is_spread=role == spread)) for role, columns in given.items()]
    for role, column in defaults.items():
        if column in free and role not in given:
            roles[role] = (column,)
            free.remove(column)
            said.append((role, _DEFAULTS.get(column, f"column '{column}'")))
    clashes = []
    for role in ROLES:
        if role in roles or role in {"score", "status", spread}:
            continue
        claims = [name for name in claims_of(role, free) if name not in idle]
        if len(claims) > 1:
            clashes.append((role, claims))
        elif claims:
            roles[role] = (claims[0],)
            said.append((role, _why(role, claims[0])))
    if clashes:
        raise UnclearError(_clash_text(clashes), _guess(clashes, free))
    free = [name for name in free if (name,) not in roles.values()]
    scores = given.get(spread or "score") or tuple(name for name in free if is_score(name))
    if not scores and "metric" in roles:
        scores = tuple(name for name in free if normal(name) == BESIDE_METRIC)
    statuses = given.get("status") or tuple(name for name in free if normal(name) in ALIASES["status"])
    said += [("status", f"column '{name}'") for name in statuses if "status" not in given]
    rest = tuple(name for name in free if name not in scores and name not in statuses)
    return Layout(
        roles,
        scores,
        statuses,
        runs=scores if spread == "run" else (),
        items=scores if spread == "item" else (),
        said=tuple(said),
        ignored=rest,
        asked=frozenset(given),
    )


def _spread(given: Mapping[str, tuple[str, ...]], names: Sequence[str]) -> tuple[Mapping[str, tuple[str, ...]], str]:
    """The mapping, its patterns without the columns that other roles take; and the role whose columns hold scores.

    ``run=run*`` and ``item=q*`` name columns of scores; so does ``run=run1+run2``, where nothing else is the score.
    """
    mapping = dict(given)
    for role, columns in given.items():
        if isinstance(columns, Pattern):
            others = {name for other, some in given.items() if other != role for name in some}
            claimed = {name for other in ROLES if other != role for name in claims_of(other, names)}
            left = tuple(name for name in columns if name not in others)
            mapping[role] = tuple(name for name in left if name not in claimed) or left
    patterns = [role for role in _SPREAD if isinstance(given.get(role), Pattern)]
    runs = given.get("run", ())
    if not patterns and len(runs) > 1 and numbered(runs) and not any(map(is_score, set(names) - set(runs))):
        patterns = ["run"] if "score" not in given else []
    if patterns and "score" in given:
        raise ArgumentError(
            f"the columns of '{patterns[0]}' hold scores ({_listed(mapping[patterns[0]])}), and 'score' names another "
            "column; give one of them"
        )
    if len(patterns) > 1:
        raise ArgumentError("columns of scores are runs or items, and 'run' and 'item' name some; give one of them")
    return mapping, next(iter(patterns), "")


def check_levels(layout: Layout, levels: Sequence[str]) -> None:
    """Raise an UnclearError where the keys of nested objects have no role: rows would look like repeats."""
    used = {name for names in layout.roles.values() for name in names}
    if set(levels) <= used:
        return
    last = len(levels) - 1
    guess = {"model": levels[0], "item": levels[last]} | ({"task": JOINED.join(levels[1:last])} if last > 1 else {})
    if "item" in layout.roles and layout.roles["item"][0] not in levels:  # records have ids of their own
        guess = {"model": levels[0], "task": JOINED.join(levels[1:])}
    numbers = {2: "two", 3: "three", 4: "four"}
    listed = ", ".join(f"'{name}'" for name in levels)
    raise UnclearError(
        f"its scores stand below {numbers.get(len(levels), len(levels))} levels of keys ({listed}); "
        "say what each is (--map model=…,task=…,item=…, or cluster=…)",
        guess,
    )


_DEFAULTS = {"key": "the keys of the object", "inner_key": "the keys inside", "position": "the position in the list"}


def _origin(role: str, columns: Sequence[str], *, is_spread: bool) -> str:
    if len(columns) == 1 and columns[0] == f"{{{role}}}":
        return "the file's name, as asked"
    return f"the headers of {_listed(columns)}, as asked" if is_spread else f"{_shown(columns)}, as asked"


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


def numbered(names: Sequence[str]) -> str:
    """What headers have in common that differ in one number alone, as a pattern ('run*'); '' for others."""
    parts = [_NUMBERED.fullmatch(name) for name in names]
    stems = {(part[1], part[3]) for part in parts if part}
    if not all(parts) or len(stems) != 1:
        return ""
    ((before, after),) = stems
    return f"{before}{ANY}{after}"


def _shown(columns: Iterable[str]) -> str:
    listed = list(columns)
    return f"column '{listed[0]}'" if len(listed) == 1 else "columns " + JOINED.join(f"'{name}'" for name in listed)


def _why(role: str, name: str) -> str:
    if role == "item" and normal(name) == "task_id":
        return f"column '{name}' (no other column is an item; if it is the benchmark: {mapped({'task': name})})"
    return f"column '{name}'"


def _clash_text(clashes: Sequence[tuple[str, Sequence[str]]]) -> str:
    """One sentence a role with several columns, with what to type."""
    return "; ".join(_clash(role, names) for role, names in clashes)


def _guess(clashes: Sequence[tuple[str, Sequence[str]]], free: Sequence[str]) -> dict[str, str]:
    """A mapping that may be meant: a model of several parts, the task before the item that stands in it."""
    guess: dict[str, str] = {}
    for role, names in clashes:
        if role == "model":
            guess["model"] = JOINED.join(names)
        elif role == "task" and not claims_of("item", free) and "item" not in guess:
            guess |= {"task": names[0], "item": names[-1]}
        elif role == "item" and normal(names[-1]) == "task_id":
            guess["item"] = names[0]
            guess.setdefault("task", names[-1])
        else:
            guess.setdefault(role, names[0])
    return guess


def _clash(role: str, names: Sequence[str]) -> str:
    listed = ", ".join(f"'{name}'" for name in names)
    text = (
        f"columns {listed} could each be the {role}: choose one ({mapped({role: names[0]})}) "
        f"or join them ({mapped({role: JOINED.join(names)})})"
    )
    if role == "task":  # often the other one is the item's id
        text += f"; if '{names[-1]}' names the single items: {mapped({'task': names[0], 'item': names[-1]})}"
    if role == "item" and any(normal(name) == "task_id" for name in names):
        text += "; if 'task_id' is the benchmark: --map task=task_id"
    return text
