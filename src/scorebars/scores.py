"""Scores: named columns over files, arrays or a frame, and the choices that turn them into samples. No statistics."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scorebars.contracts import renamed, with_models
from scorebars.engines.arrays import ArrayRows
from scorebars.engines.attempts import DUPLICATES
from scorebars.engines.choosing import (
    check_groups,
    check_one_of,
    checked_range,
    concerns,
    joint_rules,
    known_names,
    listed,
    parts_of,
    refuse_unusable,
)
from scorebars.engines.cutting import GROUPS, Rules, cut
from scorebars.engines.missing import POLICIES
from scorebars.engines.python_words import in_python
from scorebars.engines.selecting import CHOICES, View, of_models, selected
from scorebars.engines.value_columns import ONE, pivoted
from scorebars.engines.weighing import without_false_pairs
from scorebars.errors import ArgumentError, ScoresError, counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from types import EllipsisType

    from numpy.typing import NDArray

    from scorebars.contracts import Listing, Part
    from scorebars.engines.coding import Rows
    from scorebars.engines.duckdb import Engine
    from scorebars.engines.joining import Side
    from scorebars.notes import Note
    from scorebars.sample import Cuts, ScoreTable


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    rows: Rows
    view: View
    tables: dict[tuple[str, ...], ScoreTable] = field(default_factory=dict)
    cuts: dict[tuple[tuple[str, ...], tuple[str, ...]], Cuts] = field(default_factory=dict)


class Scores:
    """A score table: one row an attempt, one score an attempt. Never changed; every choice returns a new one.

    Args:
        frame: A dict of columns (arrays or lists), or any frame that narwhals takes (pandas, Polars eager or lazy,
            PyArrow, a DuckDB relation …). Named levels of a pandas index are columns. Of the columns without a role
            some are looked at, as in files, where rows repeat or have no item of their own.
        model: Column of the model; a tuple of columns is joined by '+'. Columns that bear the name of their role, or a
            header by which files know it ('question_id', 'correct', 'seed'), need not be named.
        task: Column of the benchmark, domain or game that an item belongs to.
        item: Column of the item (question, task instance) that all models face. Ids are text: 1 and 1.0 are '1',
            '1.10' stays '1.10'.
        run: Column of the attempt (seed, epoch, trial). Without it, rows that repeat an item are its runs.
        score: Column of the score: numbers, or text such as 'pass', 'C' or '85%'.
        cluster: Column of what related items share (passage, repository).
        weight: Column of the item's weight.
        metric: Column that says which metric a row holds, in long tables.
        variant: Column that says how the score was got (a filter, a prompt), where there are several.
        status: Column that says how the attempt ended ('ok', 'error', 'missing', 'unscored').
        range: Lowest and highest possible score.
        constants: One text for a role in all rows, such as ``{"model": "gpt"}``.
        values: Columns of further values of an attempt under the names that estimators ask for, such as
            ``{"label": "y", "prediction": "p"}``; a score is then not needed.

    >>> scores = Scores({"model": ["a", "a", "b", "b"], "item": [1, 2, 1, 2], "score": [1, 0, 1, 1]})
    >>> scores.models
    ('a', 'b')
    >>> [cut.sample.score.tolist() for cut in scores.cuts().cuts]
    [[1.0, 0.0], [1.0, 1.0]]
    """

    __slots__ = ("_state",)
    _state: _State

    def __init__(  # noqa: PLR0913 - one argument a role
        self,
        frame: Any,
        *,
        model: str | tuple[str, ...] | None = None,
        task: str | tuple[str, ...] | None = None,
        item: str | tuple[str, ...] | None = None,
        run: str | tuple[str, ...] | None = None,
        score: str | None = None,
        cluster: str | tuple[str, ...] | None = None,
        weight: str | None = None,
        metric: str | tuple[str, ...] | None = None,
        variant: str | tuple[str, ...] | None = None,
        status: str | None = None,
        range: tuple[float, float] | None = None,  # noqa: A002 - the public name of a score's range
        constants: Mapping[str, str] | None = None,
        values: Mapping[str, str] | None = None,
    ) -> None:
        from scorebars.engines.from_frame import from_frame

        named: dict[str, Any] = {
            "model": model, "task": task, "item": item, "run": run, "score": score, "cluster": cluster,
            "weight": weight, "metric": metric, "variant": variant, "status": status,
        }  # fmt: skip
        try:
            rows, columns, listings = from_frame(frame, named, constants or {}, values or {})
        except ScoresError as error:
            if in_python(str(error)) == str(error):
                raise
            raise ScoresError(in_python(str(error))) from None
        self._state = _State(rows, View(Rules(range=checked_range(range)), columns=columns, listings=listings))

    @classmethod
    def from_arrays(
        cls,
        data: Mapping[str, Any],
        axes: Sequence[str] = ("run", "task"),
        *,
        range: tuple[float, float] | None = None,  # noqa: A002
    ) -> Scores:
        """Scores from one array a model, as rliable takes them: ``{"DQN": array of shape (runs, tasks)}``.

        Args:
            data: An array, nested lists (also of unequal length) or a dict {task: array} for each model; NaN is a
                missing score.
            axes: What each axis of the arrays is, out of 'task', 'item' and 'run', in their order.
            range: Lowest and highest possible score.

        >>> scores = Scores.from_arrays({"A": [1, 0, 1, 1], "B": [0, 0, 1, 1]}, axes=("item",))
        >>> scores.cuts().cuts[0].sample.score.tolist()
        [1.0, 0.0, 1.0, 1.0]
        """
        from scorebars.engines.axes import from_axes

        given = (axes,) if isinstance(axes, str) else tuple(axes)
        columns = tuple((axis, f"axis {number}") for number, axis in enumerate(given))
        rules = Rules(range=checked_range(range))
        return cls._made(ArrayRows(from_axes(data, axes)), View(rules, columns=columns))

    @classmethod
    def from_parts(cls, parts: Sequence[Part], engine: Engine | None = None) -> Scores:
        """Scores from what readers found, in file order. The engine is needed if any part is SQL, and stays open.

        Raises:
            ScoresError: No part.
        """
        if not parts:
            raise ScoresError("no scores were found")
        rows: Rows
        if engine is not None and any(isinstance(part.rows, str) for part in parts):
            from scorebars.engines.relation import RelationRows

            rows = RelationRows(engine, parts)
        else:
            from scorebars.engines.gathering import gathered

            rows = ArrayRows(gathered(parts))
        columns = tuple(dict.fromkeys(pair for part in parts for pair in part.mapping))
        kept = tuple(replace(part, rows={}) for part in parts)
        return cls._made(rows, View(columns=columns, parts=kept))

    @classmethod
    def concat(
        cls, a: Scores, b: Scores, labels: tuple[str, str] | None = None, *, every_metric: bool = False
    ) -> Scores:
        """One table of two, to compare them: units with the same ids are shared.

        Args:
            a: The first table.
            b: The second table.
            labels: New names of the two, each of which must then hold one model; None keeps the names of all models.
            every_metric: All metrics are joined, to be put side by side; else each table must have one.
        """
        from scorebars.engines.joining import joined_tables, refuse_shared_models

        several = ("metric",) if every_metric else ()
        sides = [scores._side(several) for scores in (a, b)]  # noqa: SLF001 - of the same class
        if labels is not None:
            sides = [
                side.labelled(_only_model(scores), label)
                for scores, side, label in zip((a, b), sides, labels, strict=True)
            ]
        first, second = sides
        refuse_shared_models(first.table, second.table)
        view = View(
            joint_rules(a._state.view.rules, b._state.view.rules),
            columns=a.columns,
            parts=(*first.parts, *(part for part in second.parts if all(part is not other for other in first.parts))),
            listings=(*first.listings, *second.listings),
            is_read_in_python=a._state.view.is_read_in_python or b._state.view.is_read_in_python,
        )
        return cls._made(ArrayRows(joined_tables(first.table, second.table)), view)

    @classmethod
    def _made(cls, rows: Rows, view: View) -> Scores:
        made = object.__new__(cls)
        object.__setattr__(made, "_state", _State(rows, view))
        return made

    def __repr__(self) -> str:
        tasks = f", {counted(len(self.tasks), 'task')}" if self.tasks else ""
        return f"Scores({counted(len(self.models), 'model')}{tasks})"

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, sorted."""
        names = dict(self._state.view.names)
        return tuple(sorted(names.get(model, model) for model in self._own_models()))

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks, sorted; empty where the data have no tasks."""
        found = self._state.rows.counts("task") if self._state.view.tasks is None else self._state.view.tasks
        return tuple(sorted(task for task in found if task))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics; the chosen one after :meth:`select`."""
        return self._choices("metric")

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the variants; the chosen one after :meth:`select`."""
        return self._choices("variant")

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(role, where it came from) of each role that the data have."""
        return self._state.view.columns

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the readers said about each file, without the rows; empty for data handed over in memory."""
        return self._state.view.parts

    @property
    def listings(self) -> tuple[Listing, ...]:
        """Columns without a role that may hold the ids of rows: what is looked at before rows are paired by place."""
        view = self._state.view
        return (*view.listings, *(one for part in view.parts for one in part.listings))

    def select(
        self,
        *,
        model: str | Sequence[str] | None = None,
        task: str | Sequence[str] | None = None,
        metric: str | None = None,
        variant: str | None = None,
    ) -> Scores:
        """Only these models and tasks, and this metric and variant; an unknown name is an error with the nearest.

        >>> scores = Scores({"model": ["a", "b"], "item": [1, 1], "score": [1, 0]})
        >>> scores.select(model="a").models
        ('a',)
        """
        view = self._state.view
        chosen = dict(view.chosen)
        for role, wanted in (("metric", metric), ("variant", variant)):
            if wanted is not None:
                if role == "metric":
                    refuse_unusable(wanted, self._choices(role), view.parts)
                if wanted or "" not in self._state.rows.counts(role):  # rows of other files may have no variant
                    known_names(role, [wanted], self._choices(role))
                chosen[role] = wanted
        models, tasks = view.models, view.tasks
        if model is not None:
            old = {new: old for old, new in view.names}
            models = tuple(old.get(name, name) for name in known_names("model", listed(model), self.models))
        if task is not None:
            tasks = known_names("task", listed(task), self.tasks, self.parts)
        return self._with(models=models, tasks=tasks, chosen=tuple(chosen.items()))

    def pooled(self) -> Scores:
        """The same scores in one stratum: the task level is dropped, and means are over all items (micro)."""
        return self._with(rules=replace(self._state.view.rules, pooled=True))

    def with_options(
        self,
        *,
        on_error: str | EllipsisType | None = ...,
        duplicates: str | EllipsisType = ...,
        range: tuple[float, float] | EllipsisType | None = ...,  # noqa: A002 - as in the constructor
        cluster_crosses_tasks: bool | EllipsisType = ...,
        run_crosses_items: bool | EllipsisType = ...,
    ) -> Scores:
        """The same scores under other rules; what is not given stays as it is.

        Args:
            on_error: 'wrong', 'drop' or 'fail' for attempts without a score; None: the producer's own rule.
            duplicates: Which of several different scores for one attempt counts: 'first', 'last', or none ('fail').
            range: Lowest and highest possible score.
            cluster_crosses_tasks: Clusters of the same text in several tasks are one unit, redrawn once.
            run_crosses_items: A run id is one seed that all items share, redrawn with all its items.
        """
        options = {
            "on_error": on_error,
            "duplicates": duplicates,
            "range": range,
            "cluster_crosses_tasks": cluster_crosses_tasks,
            "run_crosses_items": run_crosses_items,
        }
        changed: dict[str, Any] = {name: value for name, value in options.items() if value is not ...}
        check_one_of("on_error", changed.get("on_error"), (None, *POLICIES))
        check_one_of("duplicates", changed.get("duplicates", "fail"), DUPLICATES)
        if "range" in changed:
            changed["range"] = checked_range(changed["range"])
        return self._with(rules=replace(self._state.view.rules, **changed))

    def relabel(self, names: Mapping[str, str]) -> Scores:
        """The same scores with other model names, ``{old: new}``.

        Raises:
            ScoresError: A model that is not there, or two that would have one name.
        """
        known_names("model", list(names), self.models)
        new = [names.get(model, model) for model in self.models]
        if len(set(new)) < len(new):
            twice = next(model for model in new if new.count(model) > 1)
            raise ScoresError(f"two models would both be called '{twice}'")
        view = self._state.view
        shown = dict(view.names)
        for model in self._own_models():
            name = shown.get(model, model)
            shown[model] = names.get(name, name)
        parts = tuple(with_models(part, names) for part in view.parts)
        return self._with(names=tuple(shown.items()), parts=parts, listings=renamed(view.listings, names))

    def cuts(self, by: str | Sequence[str] = (), columns: tuple[str, ...] = ONE, *, models: Sequence[str] = ()) -> Cuts:
        """The cleaned samples: one for each group of ``by`` (task, cluster, metric, variant) and model.

        The result is kept, so that asking again costs nothing; not where some of the models are asked for.

        Args:
            by: What the samples are split on.
            columns: The value columns of the samples. Where the scores were not made with ``values``, they are metrics
                of a long table, put side by side; attempts that lack one of them are dropped, and counted.
            models: Only these, as :meth:`select` has them.
        """
        groups = (by,) if isinstance(by, str) else tuple(by)
        check_groups(groups, GROUPS, self.parts)
        state, key = self._state, (groups, columns)
        if key in state.cuts:
            made = state.cuts[key]
            if not models or len(made.cuts) <= len(set(models)):
                return made
        several = tuple(role for role in CHOICES if role in groups or (role == "metric" and columns != ONE))
        try:
            table = self._table(several)
            chosen = of_models(table, models) if models else table
            made = self._noted(self._cut(chosen, groups, columns), chosen)
        except ScoresError as error:
            error.args = (self.in_words(str(error)),)
            raise
        if chosen is table:
            state.cuts[key] = made
        return made

    def _cut(self, table: ScoreTable, groups: tuple[str, ...], columns: tuple[str, ...]) -> Cuts:
        rules = self._state.view.rules
        if "cluster" in groups and table.cluster is None:
            raise ScoresError("by='cluster' needs clusters, and the table has none; name the column with --cluster")
        if columns == ONE or table.values is not None:
            return cut(table, rules, groups, columns)
        if "metric" in groups:
            raise ArgumentError(f"by='metric' splits what {', '.join(columns)} put side by side; leave it out")
        return pivoted(cut(table, rules, (*groups, "metric")), columns)

    def _noted(self, made: Cuts, table: ScoreTable) -> Cuts:
        """The samples with what the readers remarked of their files, metrics and tasks."""
        tasks, chosen = self._state.view.tasks, dict(self._state.view.chosen)
        said = (note for part in self._parts_of(table) for note in part.notes if concerns(note, tasks, chosen))
        made = replace(made, notes=tuple(dict.fromkeys((*said, *made.notes))))
        if self.parts and not self._state.view.is_read_in_python:
            return made
        cuts = tuple(replace(each, notes=self._told(each.notes)) if each.notes else each for each in made.cuts)
        return replace(made, cuts=cuts, notes=self._told(made.notes))

    def in_words(self, text: str) -> str:
        """A sentence that names options of the command line, in the words of whoever made these scores.

        Of a frame they are arguments of :class:`Scores`, of ``sb.read`` its arguments; on the command line they stay.

        >>> Scores({"item": [1, 2], "score": [1, 0]}).in_words("give the range (--range 0,2)")
        'give the range (range=(0, 2))'
        """
        if not self.parts:
            return in_python(text)
        if not self._state.view.is_read_in_python:
            return text
        from scorebars.engines.read_words import in_read

        return in_read(text)

    def _told(self, notes: Sequence[Note]) -> tuple[Note, ...]:
        """Notes in the words of whoever made these scores, each once."""
        return tuple(dict.fromkeys(replace(one, message=self.in_words(one.message)) for one in notes))

    def _parts_of(self, table: ScoreTable) -> tuple[Part, ...]:
        """The files that a selection of the rows is from, and those without rows."""
        if table.row is None or len(self.parts) < 2:
            return self.parts
        return parts_of(self.parts, table, sum(self._state.rows.counts("model").values()))

    def tidy(self) -> dict[str, NDArray[Any]]:
        """One row an attempt, one column a role, of all metrics and variants: what ``scorebars convert`` writes.

        Copies are left out; an attempt without a score has NaN and a status, unless it counts as wrong.

        >>> Scores({"model": ["a", "a"], "item": [1, 2], "score": ["pass", "fail"]}).tidy()["score"].tolist()
        [1.0, 0.0]
        """
        from scorebars.engines.tidy import tidy_columns

        return tidy_columns(self._table(CHOICES), self._state.view.rules)

    def whole(self) -> tuple[ScoreTable, Rules]:
        """All attempts of the selected models and tasks, of every metric and variant, as they stand; and the rules."""
        return self._table(CHOICES), self._state.view.rules

    def scoreless(self) -> dict[str, str]:
        """Model -> what became of its attempts, of the models none of whose attempts has a score that counts."""
        from scorebars.engines.missing import scoreless

        return scoreless(self._table(()), self._state.view.rules.on_error)

    def explain(self) -> dict[str, Any]:
        """Where the scores came from and under which rules they are read, as plain data for ``--explain``."""
        rules = self._state.view.rules
        return {
            "models": list(self.models),
            "tasks": list(self.tasks),
            "metrics": list(self.metrics),
            "variants": list(self.variants),
            "columns": [list(pair) for pair in self.columns],
            "options": {name: getattr(rules, name) for name in Rules.__dataclass_fields__},
            "files": [_told(parts) for parts in _by_file(self.parts)],
        }

    def _side(self, several: tuple[str, ...]) -> Side:
        from scorebars.engines.joining import Side

        table = self._table(several)
        return Side(table, self._parts_of(table), self._state.view.listings)

    def _with(self, **changes: Any) -> Scores:
        return self._made(self._state.rows, replace(self._state.view, **changes))

    def _own_models(self) -> Collection[str]:
        """The models under the names that the rows have."""
        wanted = self._state.view.models
        return self._state.rows.counts("model") if wanted is None else wanted

    def _choices(self, role: str) -> tuple[str, ...]:
        chosen = dict(self._state.view.chosen)
        if role in chosen:
            return (chosen[role],)
        return tuple(text for text in self._state.rows.counts(role) if text)

    def _table(self, several: tuple[str, ...]) -> ScoreTable:
        """The selected rows, with one metric and one variant, but for the roles of which several are wanted."""
        tables = self._state.tables
        if several not in tables:
            found = selected(self._state.rows, self._state.view, several)
            tables[several] = found if found.weight is None else without_false_pairs(found)
        return tables[several]


def in_words_of_read(scores: Scores) -> Scores:
    """The scores, whose errors and notes name arguments of ``sb.read``."""
    return scores._with(is_read_in_python=True)  # noqa: SLF001 - of this module


def _only_model(scores: Scores) -> str:
    if len(scores.models) != 1:
        listed = ", ".join(f"'{model}'" for model in scores.models[:12])
        raise ScoresError(f"one side has {len(scores.models)} models, {listed}; choose one (select(model=…))")
    return scores.models[0]


def _by_file(parts: Iterable[Part]) -> Iterable[list[Part]]:
    """The parts of each file, of which the same is said: one with scores of two ranges gives two."""
    files: dict[tuple[object, ...], list[Part]] = {}
    for part in parts:
        files.setdefault((part.path, part.reader, part.mapping, part.on_error, part.official), []).append(part)
    return files.values()


def _told(parts: Sequence[Part]) -> dict[str, Any]:
    """Where the scores of one file came from, as plain data."""
    part, ranges = parts[0], {part.score_range for part in parts}
    return {
        "path": str(part.path),
        "reader": part.reader,
        "columns": [list(pair) for pair in part.mapping],
        "dropped": [list(pair) for part in parts for pair in part.dropped],
        "on_error": part.on_error,
        "official": part.official,
        "score_range": part.score_range if len(ranges) == 1 else None,
        "unusable": [list(pair) for part in parts for pair in part.unusable],
        "notes": [str(note) for part in parts for note in part.notes],
    }
