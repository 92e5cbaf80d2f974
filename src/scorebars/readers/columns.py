"""Which column of a table plays which role: the header aliases, and the choice between them.

A choice that is not the only possible one is not made: two columns for one role are an error that lists them and says
what to type. What was decided is said in :attr:`Layout.mapping`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.engines.headers import ALIASES, METRICS, SECOND_ITEMS, less_is_better, normal
from scorebars.engines.headers import claims as claims_of
from scorebars.errors import ArgumentError, ReadError, near_miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NO_MODELS: Final = frozenset(
    {
        *(
            "difficulty",
            "level",
            "year",
            "date",
            "tokens",
            "cost",
            "latency",
            "time",
            "duration",
            "length",
            "turn",
            "n",
        ),
        *(
            "step",
            "timestamp",
            "tstamp",
            "price",
            "seconds",
            "age",
            "rank",
            "size",
            "count",
            "version",
            "mean",
            "average",
        ),
        *("avg", "total", "sum"),
    }
)
"""Headers of number columns that are no model in a wide table."""

TRACKED: Final = ("params.", "tags.", "metrics.", "attributes.", "inputs.", "outputs.")
"""Beginnings of headers in tables of tracked runs (MLflow), a run a row."""
_MEASURES: Final = frozenset({"tokens", "cost", "latency", "duration", "seconds", "timestamp", "price"})
_MEASURED: Final = frozenset(
    {
        *("prob", "probs", "probability", "logprob", "logprobs", "logit", "logits", "loglik", "loglikelihood"),
        *("likelihood", "perplexity", "ppl", "entropy", "confidence", "conf", "time", "times", "ms", "sec", "secs"),
        *("token", "length", "len", "chars", "words", "count", "counts", "size", "rank", "year", "date", "difficulty"),
        *("usd", "flag", "flagged", "truncated", "contaminated", "timeout"),
    }
)
"""Last words of headers of measurements and flags: 'gpt_prob', 'wall_time', 'prompt_length'."""
_COUNTS_AND_FLAGS: Final = frozenset({"n", "num", "is", "has", "was", "are", "needs", "requires", "contains"})
"""First words, before others: 'n_words', 'is_hard', 'has_image'."""


SPLITS: Final = frozenset({"split", "data_split", "dataset_split", "partition", "fold", "cv_fold", "kfold"})
"""Headers of the split of the data set that a row is of; 'subset' may be one too."""


def may_be_model(header: str) -> bool:
    """Whether a number column of a wide table may be a model: 'prompt_tokens', 'gpt_prob', 'is_hard' are none."""
    name = normal(header)
    words = name.split("_")
    measured = words[-1] in _MEASURED or (len(words) > 1 and words[0] in _COUNTS_AND_FLAGS)
    known = name in NO_MODELS or name in SECOND_ITEMS or name in SPLITS or less_is_better(header)
    return not (known or measured or _MEASURES & set(words) or header.startswith(TRACKED))


ROLES: Final = tuple(ALIASES)
JOINED: Final = "+"
"""Between the column names of an explicit mapping: 'agent+model'."""


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
    lists: bool = False
    """Whether cells of the score are lists: one run an element."""
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
    def several(self) -> bool:
        """Whether the score columns are metrics."""
        return bool(self.metrics)

    @property
    def metric(self) -> str:
        """What the header of the only score column says that it measures ('accuracy'); "" if nothing."""
        named = self.several or self.wide or "metric" in self.roles or "score" in self.asked
        return "" if named or len(self.scores) != 1 else _metric_of(self.scores[0])


class UnclearError(ReadError):
    """Columns could be taken in more than one way; ``guess`` is the mapping that is proposed, role -> columns."""

    def __init__(self, sentence: str, guess: Mapping[str, str]) -> None:
        super().__init__(sentence)
        self.guess = dict(guess)


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
    """The user's own mapping, checked: role -> columns of this table."""
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


def _named(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that 'agent+model' names; a header that has a plus itself is meant as it stands."""
    if text in names:
        return (text,)
    parts = tuple(part.strip() for part in text.split(JOINED))
    return tuple(_column(part, names) for part in parts)


def _column(part: str, names: Sequence[str]) -> str:
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
    tasks = layout.roles.get("task", ())
    subsets = [name for name in tasks if len(tasks) == 1 and normal(name) == "subset" and "task" not in layout.asked]
    return next(iter((*free, *subsets)), "")


def arrange(names: Sequence[str], given: Mapping[str, tuple[str, ...]], defaults: Mapping[str, str]) -> Layout:
    """Give each role its columns: what the user said, then what the shape of the file says, then the aliases.

    Args:
        names: Headers, in order.
        given: The explicit mapping (:func:`explicit`).
        defaults: Role -> column that the shape of the file gives (the keys of a JSON object are its models).

    Raises:
        ReadError: Two columns claim one role.
    """
    taken = {column for columns in given.values() for column in columns}
    free = [name for name in names if name and name not in taken]
    roles: dict[str, tuple[str, ...]] = {r: c for r, c in given.items() if r not in {"score", "status"}}
    said = [(role, _shown(columns) + ", as asked") for role, columns in given.items()]
    for role, column in defaults.items():
        if column in free and role not in given:
            roles[role] = (column,)
            free.remove(column)
            said.append((role, _DEFAULTS.get(column, f"column '{column}'")))
    clashes = []
    for role in ROLES:
        if role in roles or role in {"score", "status"}:
            continue
        claims = claims_of(role, free)
        if len(claims) > 1:
            clashes.append((role, claims))
        elif claims:
            roles[role] = (claims[0],)
            said.append((role, _why(role, claims[0])))
    if clashes:
        raise UnclearError(_clash_text(clashes), _guess(clashes, free))
    free = [name for name in free if (name,) not in roles.values()]
    scores = given.get("score") or tuple(name for name in free if is_score(name))
    statuses = given.get("status") or tuple(name for name in free if normal(name) in ALIASES["status"])
    said += [("status", f"column '{name}'") for name in statuses if "status" not in given]
    rest = tuple(name for name in free if name not in scores and name not in statuses)
    return Layout(roles, scores, statuses, said=tuple(said), ignored=rest, asked=frozenset(given))


def check_levels(layout: Layout, levels: Sequence[str]) -> None:
    """Raise an UnclearError where the keys of nested objects have no role: rows would look like repeats."""
    used = {name for names in layout.roles.values() for name in names}
    if set(levels) <= used:
        return
    last = len(levels) - 1
    guess = {"model": levels[0], "item": levels[last]} | ({"task": JOINED.join(levels[1:last])} if last > 1 else {})
    numbers = {2: "two", 3: "three", 4: "four"}
    listed = ", ".join(f"'{name}'" for name in levels)
    raise UnclearError(
        f"its scores stand below {numbers.get(len(levels), len(levels))} levels of keys ({listed}); "
        "say what each is (--map model=…,task=…,item=…, or cluster=…)",
        guess,
    )


_DEFAULTS = {"key": "the keys of the object", "inner_key": "the keys inside", "position": "the position in the list"}


def _shown(columns: Iterable[str]) -> str:
    listed = list(columns)
    return f"column '{listed[0]}'" if len(listed) == 1 else "columns " + JOINED.join(f"'{name}'" for name in listed)


def _why(role: str, name: str) -> str:
    if role == "item" and normal(name) == "task_id":
        return f"column '{name}' (no other column is an item; if it is the benchmark: --map task={name})"
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
        f"columns {listed} could each be the {role}: choose one (--map {role}={names[0]}) "
        f"or join them (--map {role}={JOINED.join(names)})"
    )
    if role == "task":  # often the other one is the item's id
        text += f"; if '{names[-1]}' names the single items: --map task={names[0]},item={names[-1]}"
    if role == "item" and any(normal(name) == "task_id" for name in names):
        text += "; if 'task_id' is the benchmark: --map task=task_id"
    return text
