"""Notes: everything a result says beside its numbers. Codes, sentences and limits live here and nowhere else.

Every code has a paragraph in ``docs/notes.md`` (a test compares the two lists) and can be silenced by code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Final

from scorebars.errors import ArgumentError, near_miss

DEFAULT_LEVEL: Final = 0.95
DEFAULT_N_BOOT: Final = 10_000
DEFAULT_SEED: Final = 20_211_208
"""Seed of every Monte Carlo answer when no ``rng`` is given; stated in the result."""
FEW_ITEMS: Final = 10
"""Below this many items a graded score without a known range has an interval of little worth."""
FEW_UNBOUNDED: Final = f"an interval for a graded score needs {FEW_ITEMS} or more, or its range (--range LOW,HIGH)"
FEW_BOUNDED: Final = (
    f"the interval of a graded score is known to keep its level from {FEW_ITEMS} on; take this one as a rough guide, "
    "and collect more"
)
"""What ``few-items`` says where the range of the score is not known, and where it is."""
FEW_CLUSTERS: Final = 10
FEW_DEGREES: Final = 6.0
"""Below either limit a clustered interval carries ``few-clusters``."""
FEW_RUNS: Final = 5
FEW_DISCORDANT: Final = 10
FEW_RUNS_MEDIAN: Final = 20
"""Up to this many runs the percentile interval of a median of task means covers .46 to .90 instead of .95."""
MANY_MODELS: Final = 5
"""From this many models in one table on, the best one carries ``winner``."""
MIN_TASKS: Final = 6
"""At least this many tasks before tasks are redrawn by default."""
NAME_ITEM: Final = "name the column with --map item=COLUMN if there is one"
"""What ``rows-as-items`` says to do where no column looks like one of items."""

TEMPLATES: Final[dict[str, str]] = {
    "all-equal": "all {n} {units} have the score {value}, so {method} gives no width; {instead} is shown in its place",
    "all-equal-no-range": (
        "all {n} {units} have the score {value} and the score's range is not known, so no interval exists; "
        "give the range (--range LOW,HIGH)"
    ),
    "few-runs-median": (
        "with {n:#run} the interval of a median of task means covers far less than its level; "
        "use the IQM, or collect more than {limit} runs"
    ),
    "few-items": "only {n:#item}: {rule}",
    "few-clusters": (
        "{n:#cluster}{of}, {df:.1f} degrees of freedom: too few to say much; "
        "the interval leans on assumptions that so few cannot check (collect {limit} or more clusters{remedy})"
    ),
    "few-tasks": "only {n} tasks are redrawn: too few to say much about other tasks ({limit} or more are needed)",
    "split-items": "{n:#item} in more than one cluster, such as '{item}' ({clusters}): {detail}",
    "one-cluster": "there is only one cluster, so clusters cannot be redrawn; {instead}",
    "few-runs": "{n:#run} an item: so few show little of the noise between runs; collect more than {limit}",
    "one-run": "one run an item: the noise between runs is not seen, so only items or tasks can be redrawn",
    "one-unit": "there is only one {unit}, so {level} cannot be redrawn; {instead}",
    "run-bias": (
        "redrawing runs biases {estimator} by {bias:+.4f} on average, "
        "because it is not linear in the runs; redraw items instead"
    ),
    "crossed-runs": (
        "{n} run ids are shared by all items: if a run is one training seed evaluated on every item, "
        "say so with --run-crosses-items, else this interval is too narrow"
    ),
    "few-discordant": "the two sides differ on {n:#item}; fewer than {limit} such items leave every method unsure",
    "bars-overlap": "overlapping bars of two scores do not mean no difference: use compare",
    "lone-item": (
        "task '{task}' has a single item, which says nothing of its own variance: that of the other tasks stands in"
    ),
    "collapsed-strata": (
        "{n:#task} with a single item ({names}): collapsed into one stratum, so that their variance is counted"
    ),
    "nothing-to-redraw": (
        "one attempt a unit and fewer than {limit} tasks: nothing can be redrawn, so no interval; "
        "collect items, runs or tasks"
    ),
    "clusters-available": (
        "the {units} have {k} different values of '{field}', which is not used: those of one may be alike; "
        "to redraw them together: {remedy} (--cluster none if they are unrelated)"
    ),
    "clusters-ignored": (
        "the table has clusters, but items are redrawn one by one; redraw clusters unless items are unrelated"
    ),
    "nothing-shared": (
        "the two sides share no item ({n_a} against {n_b}): compared as unrelated samples; "
        "check that the item ids of the two files mean the same"
    ),
    "dropped-unpaired": (
        "paired on the {shared} shared items; dropped {a} that only '{name_a}' has and {b} that only '{name_b}' has"
    ),
    "near-items": (
        "{n:#item} of '{name_a}' and '{name_b}' did not pair and differ {how}, such as {example}: if each is one item, "
        "spell it alike on both sides (in the files, or with --sql)"
    ),
    "missing-scores": "{n} of {total:#attempt} without a score, {done} ({detail}){remedy}",
    "duplicate-attempts": "{n:#row} too many, with an attempt that another row has{detail}; {done}",
    "different-metrics": (
        "one side is scored by '{a}', the other by '{b}': a difference says something only if both measure the same"
    ),
    "different-documents": (
        "in task '{task}', {n} of {shared:#shared document} have the same id and another text in {a} and {b}: "
        "the two were run on different versions of the data, so items of one id are no pairs"
    ),
    "duplicate-documents": (
        "in task '{task}', {n} of {documents:#document} with the text of another one under a different id: "
        "each counts as an item of its own (group them with --cluster doc_hash)"
    ),
    "epochs-as-runs": (
        "'{name}' ({values}) counts the runs, as attempts at the same thing; epochs of a training are none: then it is "
        "{ways}"
    ),
    "repeats-as-runs": (
        "{n:#item} in several rows without a run column: the repeats are taken as runs, in file order; {remedy}"
    ),
    "repeats-as-items": "{detail}; {remedy}",
    "summary-rows": "{detail}; {remedy}",
    "converted": "score text was read as numbers: {detail}",
    "mixed-scale": "the scores look like two scales: {detail}",
    "sentinel-scores": (
        "{n:#score} of {value} ({models}) far outside the others, which lie within {low:g} and {high:g}, count as they "
        "stand; if {value} means that there is none, leave the cells empty, else give the range (--range {range})"
    ),
    "stray-scores": (
        "{n:#score} other than 0 and 1 ({values}) among {others:,} of these, the first in {where}, counted as written; "
        "mend what is a slip, or say with the range that such scores are meant (--range {range})"
    ),
    "raw-scores": (
        "the scores of {n} tasks are raw, each on a scale of its own (up to {low:,.4g} in '{smallest}', {high:,.4g} in "
        "'{largest}'): a mean over tasks follows the largest; {remedy}, or look at one task (--by task)"
    ),
    "reference-scores": (
        "published tables differ on the random score of {task}: {low:g}, as used here, or {other:,g}; "
        "for the other, give a table of your own (--normalize FILE)"
    ),
    "curve-ends": (
        "the runs end at different {unit}s ({low:,.10g} to {high:,.10g}), and each counts at its own end; "
        "for the last one that all reached: --at step:{low:.10g}"
    ),
    "curve-gap": (
        "{n:#run} with {unit}s without a value among those asked for, such as {example}: the values before them count "
        "instead"
    ),
    "curve-stale": (
        "the value that counts of {name} was logged at {unit} {step:,.10g}, and its run went on to {until:,.10g}: "
        "the metric was not logged since"
    ),
    "curve-without-value": "{n:#run} without a value at the point asked for, such as {example}: missing, not 0",
    "array-axes": (
        "an array of {shape} is read as {axes}, as rliable has them; if they are other ones, say so (--map {remedy})"
    ),
    "identical-runs": (
        "all runs of every item are identical: repeated attempts carry no new information (temperature 0?)"
    ),
    "keys-as-models": ("the keys {names} are taken for models{places}; if they are tasks{runs}: {remedy}"),
    "keys-crossed": (
        "the {n} keys {names} are taken for models, and the fewer inside them, {inner}, for items; if it is the other "
        "way round: --map model=inner_key,item=key"
    ),
    "suites-of-models": (
        "{path}: {n} {called} ({names}) hold the same {tests:#test}, all under one model; if those are models: {remedy}"
    ),
    "names-of-models": (
        "{path}: the tests' names combine {n} texts ({names}) with the same {others} others, all under one model; "
        "if those are models: {remedy}"
    ),
    "copied-files": (
        "{n} files are the same, byte for byte ({names}), and each counts: leave copies of one result out "
        "(--without FILE)"
    ),
    "identical-files": (
        "the two sides are the same, score for score ({names}): check that they are two different results"
    ),
    "same-model": "both sides are the model '{name}'; they are told apart by their labels",
    "pass-k-needs-runs": "pass@k and pass^k with one run an item equal the mean",
    "model-from-path": "model '{model}' is named after {where}, because {lacks}; for its own name: --label NAME=PATH",
    "monte-carlo": ("drawn with {n_boot} resamples, {seed}; the bounds carry a Monte Carlo error of about ±{error}"),
    "attrition": (
        "the models rest on different items ({low:,} to {high:,}, {shared:,} in common), so their bars are of "
        "different sets; {remedy}"
    ),
    "lists-as-runs": (
        "each list of {names} is taken as runs of one item, a number a run; if its numbers are steps or criteria of "
        "one attempt, make one score of each list first (--sql); if they are runs: {remedy}"
    ),
    "less-is-better": (
        "the name of {names} says that less is better, and more counts as better here: read higher, best and beats "
        "the other way round; or turn the scores round before (1 - x)"
    ),
    "pooled-splits": (
        "column '{column}' has several splits of the data, {listed}, which {how}; for one of them: --split {example}"
    ),
    "pooled-values": (
        "rows of {n} '{column}' ({values}) are taken as items of one model; if each is a model: {remedy}"
    ),
    "repeats-as-models": (
        "the {n} {what} have the names of runs ({names}, …), and each counts as a model of its own; if they are runs: "
        "{remedy}"
    ),
    "tasks-as-models": "{fact}, and each counts as a model of its own; if they are models and tasks: {remedy}",
    "drawn-names": (
        "the {n} {what} have names that Weights & Biases drew ({names}, …), and each counts as a model of its own; if "
        "several are runs of one model, {remedy}"
    ),
    "winner": (
        "the best of {n} models is partly the luckiest: its score is biased upward, the more so the closer they are"
    ),
    "not-corrected": (
        "{n} comparisons, each interval at its own level: some would exclude the null value by chance alone; "
        "compare only what you meant to compare, or ask for a higher level"
    ),
    "another-question": "redrawing items instead gives {interval}, which answers another question: {question}",
    "undefined": "the {effect} does not exist: {detail}",
    "ties": (
        "{n} of {total} pairs are ties and count as losses of A: below one half does not mean that B is better "
        "(to count them half: --effect outperforming:half, ties=Ties.HALF)"
    ),
    "no-width": (
        "both bounds of the {method} fall on {value}, because too many resamples have that very value (tied scores, or "
        "too few attempts that decide); this is no certainty: use the mean, or collect more"
    ),
    "swapped-axes": (
        "{share} of the variance lies between the {runs:#run} and next to none between the {units}: the axes look "
        "exchanged; transpose the arrays, or exchange the columns (--map {unit}=COLUMN,run=COLUMN); where the runs are "
        "the points of a learning curve, read one point of it (of an array: --map run=axis1 --at final)"
    ),
    "no-effect": "{option} changed nothing: {why}",
    "not-comparable": "these intervals answer different questions or rest on different items: {detail}",
    "pooled-attempts": (
        "items have between {low} and {high} runs, and {estimator} takes all attempts in one pot: "
        "items with more runs count more; cut them to equally many if that is not wanted"
    ),
    "unused-weights": "column '{column}' may hold weights, and plays no role; if items count by it: {remedy}",
    "unrelated-rows": (
        "without ids, rows at the same place of '{one}' and '{two}' have other weights, so they are not the same item: "
        "each row of a model is an item of its own, and nothing pairs; {remedy}"
    ),
    "unequal-runs": "items have between {low} and {high} runs; each item's mean counts once",
    "double-counted-runs": (
        "the two-stage bootstrap counts the noise of the runs {factor:.2f} times (2 − 1/K); "
        "redrawing {levels} alone already includes it"
    ),
    "past-range": "the {method} interval passes the score's range [{low}, {high}]; Auto never does",
    "nan-interval": "{detail}",
    "no-spread": (
        "{share:.1%} of the resamples have no spread, because few scores differ, so the studentized bootstrap has no "
        "bounds; {instead}"
    ),
    "group-average": "{detail}; every task counts the same, unless --pool-tasks makes every document count once",
    "task-weights": (
        "every task counts the same, whether it has {low:#item} or {high:#item}; were every item to count the same, it "
        "would be {over_items}{unit}, which is outside this interval: say which of the two you report (--pool-tasks)"
    ),
    "header-only": "{detail}",
    "header-disagrees": "{detail}",
    "skipped-file": "{path} was skipped: {reason}",
    "error-rows": (
        "{n:#attempt} ended in an error without a score, {done}{also}: "
        "{wrong} if counted wrong, {dropped} if dropped (--on-error wrong|drop|fail)"
    ),
    "assumed-items": (
        "no file lists all instances: the {n:,} that any of them names are taken for all, so what nobody resolved is "
        "missing and the scores are too high; give the full list (--all-items FILE)"
    ),
    "best-of-attempts": (
        "'{model}' is the best or the chosen of {attempts} attempts a task, as its {path} says: its score is not that "
        "of one attempt; compare it with systems that had as many"
    ),
    "scored-errors": (
        "{path}: {n} of {total:#sample} ended in an error and have a score for '{metric}' all the same, which counts, "
        "as in the program that wrote it (score_on_error): {counted:.4g}; {dropped:.4g} without them, {wrong:.4g} if "
        "they count as wrong"
    ),
    "errors-with-scores": (
        "{n} of {total:#attempt} ended in an error and have a score all the same, which counts: {detail}; report both, "
        "or leave them out (--sql), or empty their scores, for --on-error to decide"
    ),
    "broken-code": (
        "{where}: {n} of {total:#sample} were no program that could be run (most often '{message}', {times} times): "
        "check how the code was cut out of the answers before believing the score"
    ),
    "flaky-tests": (
        "{path}: {n} of {total:#test} passed only when run again after a failure (flakyFailure): they count as passed, "
        "as by their runner; a first attempt alone would count them as failed"
    ),
    "todo-tests": (
        "{path}: {n} of {total:#test} are only planned (test.todo, which jest-junit writes as passed and does not "
        "count): they count as not run"
    ),
    "external-results": (
        "results of model '{model}' say no version of MTEB (mteb_version is null{where}), as those copied from a model "
        "card do: they have no experiments, and were not made by one program; leave them out (--without FILE) or say so"
    ),
    "failed-attempts": (
        "{where}: {n} of {total:#attempt} crashed ({modes}); those that have a verdict all the same count as it says"
    ),
    "other-settings": (
        "the attempts of {where} were run with {n} settings, such as {detail}: they count as attempts of one model; "
        "if they are two, {remedy}"
    ),
    "human-references": (
        "{path} lists human references among the systems ({names}), and each counts as a model here; "
        "leave their lines out where only systems are meant"
    ),
    "models-left-out": (
        "left out, because no attempt has a score: {names} (to count such attempts as wrong: --on-error wrong)"
    ),
    "partial-log": "{detail}",
    "unknown-version": (
        "{path} says that it is {what} of version {version}, and up to {newest} is known: it is read as if it were "
        "that; compare its numbers with those of the program that wrote it"
    ),
    "left-out": "{path}: {rows} left out: {why}",
    "cut-number": (
        "{path}: the last line has no line break and ends with {last}, where the {n} numbers above it have "
        "{decimals:#decimal}: if it was cut short, write the file again; it counts as it stands"
    ),
    "older-results": (
        "{newest} is the latest of model '{model}' on task '{task}'; {n:#older result} left out: {older} (--latest)"
    ),
    "results-as-runs": (
        "{n} results of model '{model}' on task '{task}' are taken as further runs of one, by date: {names} "
        "(--repeats-as-runs)"
    ),
    "blanks-around": (
        "{names} differ only in blanks around the name and count as one model, '{model}'; if they are two, give them "
        "different names in the file"
    ),
    "wide-models": (
        "no column is called a score, and those of numbers are taken for models: {taken}{left}; "
        "if others are, name them ({remedy})"
    ),
    "other-scores": (
        "column '{column}' alone is taken for the score, and {others} may be scores too, by their numbers; "
        "if another is meant, {remedy}"
    ),
    "weighted": (
        "each item counts by its column '{column}' ({low:g} to {high:g}); if that is no weight of items: {remedy}; "
        "{sure} says that it is one"
    ),
    "rows-as-items": ("there is no item column: each of {n:#row} is taken as an item, in file order; {remedy}"),
}
"""Sentence of every code. ``{…}`` are filled by :func:`note`; ``{n:#item}`` is '1 item', '2,000 items' or 'no item'."""


class _Words(Formatter):
    """Fills in sentences; knows the plural."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """The value, with its word where the template gives one."""
        if not format_spec.startswith("#"):
            return str(format(value, format_spec))
        word = format_spec[1:]
        if value == 0:
            return f"no {word}"
        shown = value if isinstance(value, str) else f"{value:,}"
        return f"{shown} {word}" if value == 1 else f"{shown} {word}s"


_WORDS: Final = _Words()
_LOST: Final = ("is empty", "truncated", "not valid JSON", "not valid XML", "is damaged", "leads to no file")
"""What is said of files that should have been read."""
MORE_FILES: Final = " (and so for "
"""In the reason of a skipped file: before the number of others with the same."""


@dataclass(frozen=True, slots=True)
class Note:
    """One remark on a result: what happened, and what to do about it."""

    code: str
    """The stable name, to look up in the docs or to silence."""
    message: str
    """One sentence with the remedy."""
    data: dict[str, object] = field(default_factory=dict, compare=False, hash=False)
    """The values behind the sentence, for programs."""
    model: str = ""
    """The model whose attempts it is about; '' where that is said, or where it is about all."""

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def is_lost(reason: str) -> bool:
    """Whether the reason of a skipped file says that results may be lost: that it is empty or damaged."""
    return any(sign in reason for sign in _LOST)


def n_files(reason: str) -> int:
    """How many files the sentence of a ``skipped-file`` note speaks of."""
    more = reason.rpartition(MORE_FILES)[2].partition(" ")[0].replace(",", "")
    return 1 + int(more) if MORE_FILES in reason and more.isdecimal() else 1


def note(code: str, **values: object) -> Note:
    """Build the note ``code`` with its sentence filled in. An unknown code is an ArgumentError."""
    if code not in TEMPLATES:
        raise ArgumentError(f"no note has the code '{code}'{near_miss(code, TEMPLATES)}")
    return Note(code, _WORDS.format(TEMPLATES[code], **values), dict(values))
