"""The interval to use when none is asked for: a decision table over the other methods."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars import intervals
from scorebars.intervals.all_equal import flat_bounds, is_flat, is_nearly_flat
from scorebars.intervals.inversion import inverted_p_value, p_value
from scorebars.intervals.wald import missing, refused, unanswerable, within
from scorebars.notes import FEW_BOUNDED, FEW_CLUSTERS, FEW_ITEMS, FEW_UNBOUNDED, note

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Interval, Problem, Side
    from scorebars.notes import Note

_BIASED = (
    "redrawing runs biases an estimator that is not linear in them (pass@k, pass^k), so Auto gives no interval; "
    "redraw items, clusters or tasks, or ask for Percentile by name"
)

_T_INSTEAD = "Student's t is shown, which is too narrow for such scores: give their range (--range LOW,HIGH)"
_SOME_UNITS: Final = 1_000
_MANY_UNITS: Final = 10_000
_FEWER_RESAMPLES: Final = 1_999
_RARE: Final = 1e-3
"""Share of resamples without spread up to which the studentized bootstrap has sound bounds at the usual levels."""


@dataclass(frozen=True, slots=True)
class Auto:
    """The first row that fits; ``Bounds.method`` names what was chosen.

    AC(nₑ) is Agresti-Coull on an effective number of items (:mod:`~scorebars.intervals.agresti_coull`), V the variance
    of the estimate, n_u an effective number of units, G clusters, M tasks.

    ===============================================  ==========================================  ===================
    case                                             method                                      if V = 0
    ===============================================  ==========================================  ===================
    nothing can be redrawn                           NaN, ``nothing-to-redraw``
    runs redrawn, estimator not linear in them       refused, with the reason
    two levels redrawn                               percentile bootstrap (two-stage)            all-equal rule
    unpaired difference                              MOVER of the two sides' intervals: Agresti- same
                                                     Coull for 0/1 scores, else their Auto
    odds ratio of two unrelated 0/1 samples          score interval                              same
    runs redrawn, bounded mean of 0/1 attempts       m ± z√(V + c²), c one attempt's weight      same
    runs redrawn, bounded mean of graded attempts    AC(nₑ), ν Satterthwaite's                   m ± z c
    the difference of two such means                 MOVER of the two sides' Auto intervals      d ± z√(c_A² + c_B²)
    the same, runs of A and B paired                 t with two pseudo-differences, or d ± z√(V  d ± z c
                                                     + c²) where all but a few of an item tie
    runs redrawn, range unknown                      t over runs (Satterthwaite)                 NaN
    runs that cross items, or runs of a single item  as items: AC(nₑ) or t over K runs           n_u = K / NaN
    tasks redrawn                                    t over M task means, ``few-tasks`` below    n_u = M / NaN
                                                     10
    clusters, one bounded score                      AC(nₑ), V = CR2, ν = Bell-McCaffrey,        n_u = G
                                                     ``few-clusters`` below 10 or ν < 6
    clusters, unbounded or a paired difference       CR2 with t_ν                                n_u = G / NaN
    one 0/1 score                                    Blaker                                      Clopper-Pearson end
    paired 0/1 difference                            Tango                                       ± z²/(n + z²)
    paired graded difference                         t with two pseudo-differences               all-equal rule / NaN
    graded, repeated, weighted, or several tasks;    AC(nₑ), V = Σ W_t² s_t²/n_t,                n_u = 1/Σ w²
    range known                                      ``few-items`` below 10
    the same, range unknown, 10 to 10,000 units      studentized bootstrap                       NaN
    the same, fewer or more units, or mostly ties    Student t, ``few-items`` below 10           NaN
    statistic that is no mean of units               percentile bootstrap, n − 1 draws           all-equal rule / NaN
    ===============================================  ==========================================  ===================

    "/ NaN": NaN with ``all-equal-no-range`` where the range is unknown. One unit alone is NaN with the reason, except
    one item with a known range, for which the all-equal rule still says something. Bounds never leave the range of the
    score and never coincide. Where all graded items but one, or but one in twenty, tie, AC(nₑ) reaches at least half as
    far as the all-equal rule; so it does where all runs but so few tie with others of their item.

    The studentized bootstrap is the one row that draws: 9,999 resamples up to 1,000 units (.15 s), 1,999 above. Beyond
    10,000 units it would take seconds to move a bound by less than a tenth of a standard error. Where one resample in a
    thousand or more would have no spread, because nearly all scores are equal, its bounds jump or do not exist: Student
    t with the note ``no-spread``, since without a range nothing better is known.
    """

    @property
    def name(self) -> str:
        """As asked for; results name the method chosen."""
        return "auto"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses redrawn runs under an estimator that is not linear in them."""
        return _BIASED if "run" in problem.levels and not problem.linear_in_runs else None

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds of the chosen method, inside the range, never without a width."""
        reason = self.refuses(problem)
        if reason is not None:
            return refused("Auto", reason)
        stop = unanswerable(problem)
        if stop is not None:
            return missing("none", stop)
        method = self.choose(problem)
        bounds = method.bounds(problem, level, side)
        if any(each.code == "no-spread" for each in bounds.notes):
            bounds = intervals.StudentT().bounds(problem, level, side)
        bounds = _with_width(bounds, problem, level, side)
        inside = within(bounds, problem.range)
        return replace(inside, notes=(*inside.notes, *_remarks(problem, bounds)))

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value in the family of the chosen method."""
        if self.refuses(problem) is not None or unanswerable(problem) is not None:
            return math.nan
        own = p_value(self.choose(problem), problem)
        return inverted_p_value(self, problem) if math.isnan(own) else own

    def choose(self, problem: Problem) -> Interval:
        """The method of the first row that fits."""
        if len(problem.levels) > 1:
            return intervals.Percentile()
        if problem.is_difference and not problem.is_paired:
            return intervals.Mover()
        if problem.odds_tables is not None:
            return intervals.OddsRatioScore()
        if problem.top == "run":
            return _for_runs(problem)
        if problem.units is None:
            return intervals.Percentile(draws=intervals.Draws.N_MINUS_1)
        return _FOR_UNITS[problem.top](problem)


def _for_tasks(problem: Problem) -> Interval:
    del problem
    return intervals.StudentT()


def _for_clusters(problem: Problem) -> Interval:
    return intervals.AgrestiCoull() if _is_bounded_score(problem) else intervals.ClusterRobust()


def _for_items(problem: Problem) -> Interval:
    if problem.counts is not None:
        successes, n = problem.counts
        return intervals.Blaker() if 0 < successes < n else intervals.ClopperPearson()
    if problem.table_2x2 is not None:
        return intervals.Tango()
    if problem.is_difference:
        return intervals.PairedT()
    return intervals.AgrestiCoull() if problem.range is not None else _for_unbounded(problem)


def _for_unbounded(problem: Problem) -> Interval:
    units = problem.units
    if (
        units is None
        or not FEW_ITEMS <= len(units.sums) <= _MANY_UNITS
        or intervals.share_without_spread(units) > _RARE
    ):
        return intervals.StudentT()
    return intervals.Studentized() if len(units.sums) <= _SOME_UNITS else intervals.Studentized(_FEWER_RESAMPLES)


_FOR_UNITS: Final = {"task": _for_tasks, "cluster": _for_clusters, "item": _for_items}


def _for_runs(problem: Problem) -> Interval:
    if not _runs_are_units(problem) and intervals.RunNormal().refuses(problem) is None:
        return _for_bounded_runs(problem)
    if problem.units is None:
        t = intervals.StudentT()
        return t if t.refuses(problem) is None else intervals.Percentile(draws=intervals.Draws.N_MINUS_1)
    return intervals.AgrestiCoull() if _is_bounded_score(problem) else intervals.StudentT()


def _for_bounded_runs(problem: Problem) -> Interval:
    # One attempt moves a 0/1 mean by c or not at all. Graded attempts may move it by a thousandth of that, and a sample
    # says by how much; where they never move it at all it does not, and c is all that is known.
    variance = problem.run_variance[0] if problem.run_variance is not None else math.nan
    if problem.is_binary or is_flat(variance, problem.range, problem.value):
        return intervals.RunNormal()
    if not problem.is_difference:
        return intervals.AgrestiCoull()
    if problem.units is None:
        return intervals.Mover()
    return intervals.RunNormal() if is_nearly_flat(problem.units) else intervals.PairedT()


def _runs_are_units(problem: Problem) -> bool:
    """Whether runs are redrawn as if they were items: whole runs over all items, or the runs of a single item."""
    units = problem.units
    return units is not None and units.name == "run" and len(units.weights) == 1


def _is_bounded_score(problem: Problem) -> bool:
    return problem.range is not None and not problem.is_difference


def _with_width(bounds: Bounds, problem: Problem, level: float, side: Side) -> Bounds:
    """The bounds themselves, or what stands in place of zero-width or missing ones."""
    if bounds.instead is not None:
        notes = tuple(each for each in bounds.notes if each.code != "all-equal")
        return replace(bounds.instead, notes=(*notes, *bounds.instead.notes))
    flat = any(each.code in {"all-equal-no-range", "no-width"} for each in bounds.notes)
    alone = problem.units is not None and len(problem.units.sums) == 1 and math.isnan(bounds.low)
    if alone:
        shown = flat_bounds(problem, level, side)
        return bounds if shown is None else shown
    if flat:
        return replace(bounds, low=math.nan, high=math.nan)
    return bounds


def _is_graded(problem: Problem) -> bool:
    """Whether the score is one that few items say little about; of pairs ``few-discordant`` says it."""
    return problem.range is None or (problem.counts is None and not problem.is_difference)


def _remarks(problem: Problem, bounds: Bounds) -> tuple[Note, ...]:
    """Notes that belong to the row of the table rather than to the method."""
    units = problem.units
    notes: list[Note] = []
    if units is None or math.isnan(bounds.low):
        return ()
    n = len(units.sums)
    if problem.top == "task" and n < FEW_CLUSTERS:
        notes.append(note("few-tasks", n=n, limit=FEW_CLUSTERS))
    if problem.top == "item" and n < FEW_ITEMS and _is_graded(problem):
        notes.append(
            note("few-items", n=n, limit=FEW_ITEMS, rule=FEW_UNBOUNDED if problem.range is None else FEW_BOUNDED)
        )
    if problem.top == "item" and bounds.method == intervals.StudentT().name and FEW_ITEMS <= n <= _MANY_UNITS:
        notes.append(note("no-spread", share=intervals.share_without_spread(units), instead=_T_INSTEAD))
    return tuple(notes)
