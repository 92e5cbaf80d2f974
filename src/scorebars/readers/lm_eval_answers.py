"""Results of evalchemy's own benchmarks, which lm-eval's tracker writes: the answers stand in them, under ``examples``.

Some examples say themselves whether they are right (``correct``, ``correctness``). Most hold the answers of each
repetition and the expected one, and the benchmark's own rule of equality is not in the file; but how many it found
right is. Texts that are equal are equal by any such rule, so where as many are equal as the file counts, they are the
right ones. Where the count is another, the verdicts are not known.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from scorebars.notes import note
from scorebars.readers.document import Node, id_text, node
from scorebars.readers.files import shown
from scorebars.readers.naming import from_path
from scorebars.readers.records import Rows
from scorebars.readers.totals import Total, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scorebars.contracts import Part
    from scorebars.notes import Note
    from scorebars.readers.lm_eval_results import Results

EXAMPLES: Final = "examples"
_VERDICTS: Final = ("correct", "correctness", "is_correct")
_ANSWERS: Final = ("model_answers", "model_answer")
_EXPECTED: Final = ("expected_answer", "answer")
_IDS: Final = ("id", "question_id", "unique_id", "problem_id", "task_id")


class UnmarkedError(Exception):
    """Why the verdicts of a benchmark are not known."""


def answered(results: Results) -> list[str]:
    """The benchmarks that keep their answers."""
    return [task for task, values in results.values.items() if isinstance(values.get(EXAMPLES), list)]


def answers_part(results: Results, model: str | None) -> Part:
    """One row an example and repetition.

    Raises:
        UnmarkedError: Of no benchmark the verdicts are known.
    """
    path, rows = results.path, Rows()
    name = model or path.absolute().parent.name
    notes = [] if model else [from_path(name, "its folder", "no model_name is in its results")]
    unmarked: dict[str, str] = {}
    for task in answered(results):
        block = node(results.values[task], f"{shown(path)}: '{task}'")
        try:
            marked = _marked(block)
        except UnmarkedError as error:
            unmarked[task] = str(error)
            continue
        notes += _notes(path, task, block, marked)
        for item, scores in marked:
            for run, score in enumerate(scores, start=1):
                rows.add(model=name, task=task, item=item, run=str(run), metric="correct", score=score)
    if not len(rows):
        task, why = next(iter(unmarked.items()))
        raise UnmarkedError(f"of '{task}' evalchemy keeps the answers, and {why}")
    for task, why in unmarked.items():
        notes.append(note("left-out", path=shown(path), rows=f"the answers of '{task}'", why=why))
    mapping = {"model": "model_name" if model else "the folder's name", "task": "the key in 'results'"}
    mapping |= {"item": "the example's id, else its place", "run": "the repetition", "score": "its verdict"}
    return rows.part(path, "lm-eval", mapping, score_range=(0.0, 1.0), notes=notes)


def _marked(block: Node) -> list[tuple[str, list[float]]]:
    """(item, verdict of each repetition) of each example."""
    examples = block.nodes(EXAMPLES)
    if not examples:
        raise UnmarkedError("there is none")
    verdicts = _said(examples) or _compared(block, examples)
    return list(zip(_ids(examples), verdicts, strict=True))


def _ids(examples: Sequence[Node]) -> list[str]:
    """Their ids, if all have one and no two the same; else their places."""
    key = next((key for key in _IDS if all(one.has(key) for one in examples)), None)
    found = [] if key is None else [id_text(one.value[key], f"{one.where}: '{key}'") for one in examples]
    return found if len(set(found)) == len(examples) else [str(place) for place in range(1, len(examples) + 1)]


def _said(examples: Sequence[Node]) -> list[list[float]] | None:
    """The verdicts that the examples have; None where they have none."""
    key = next((key for key in _VERDICTS if all(key in one.value for one in examples)), None)
    if key is None:
        return None
    return [[one.truth(key)] if not isinstance(one.value[key], list) else _truths(one, key) for one in examples]


def _truths(one: Node, key: str) -> list[float]:
    return [Node({key: each}, one.where).truth(key) for each in one.value[key]]


def _compared(block: Node, examples: Sequence[Node]) -> list[list[float]]:
    """The verdicts by equality with the expected answer, where as many are equal as the benchmark found right."""
    answers = next((key for key in _ANSWERS if all(key in one.value for one in examples)), None)
    expected = next((key for key in _EXPECTED if all(key in one.value for one in examples)), None)
    if answers is None or expected is None:
        raise UnmarkedError("nothing in them says which are right; write a table (model, item, run, score)")
    given = [_listed(one.value[answers]) for one in examples]
    if len({len(each) for each in given}) > 1:
        raise UnmarkedError("its examples have different numbers of answers; run it again")
    equal = [
        [float(str(answer).strip() == str(one.value[expected]).strip()) for answer in each]
        for one, each in zip(examples, given, strict=True)
    ]
    for run, counted in enumerate(_solved(block, len(given[0]))):
        own = int(math.fsum(verdicts[run] for verdicts in equal))
        if own != counted:
            raise UnmarkedError(
                f"its rule of equality is not in the file: in repetition {run + 1} it counts {counted} right of "
                f"{len(examples)}, and {own} are equal to the expected answer as text; mark each answer, and write a "
                "table (model, item, run, score)"
            )
    return equal


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _solved(block: Node, n_runs: int) -> list[int]:
    """How many the benchmark found right in each repetition."""
    stats = block.nodes("run_stats")
    if len(stats) == n_runs and all(one.has("num_solved") for one in stats):
        return [one.whole("num_solved") for one in stats]
    if n_runs == 1 and block.has("num_solved"):
        return [block.whole("num_solved")]
    raise UnmarkedError(f"it does not say how many of each of {n_runs} repetitions are right; write a table")


def _notes(path: Path, task: str, block: Node, marked: Sequence[tuple[str, Sequence[float]]]) -> Iterator[Note]:
    """What the file says of the benchmark and its rows do not."""
    repeats, kept = block.value.get("num_repeat"), len(marked[0][1])
    if isinstance(repeats, int) and repeats > kept:
        detail = f"{shown(path)}, '{task}': the verdicts of {kept} of {repeats} repetitions are in the file"
        yield note("partial-log", detail=f"{detail}; its own accuracy is over all of them")
        return
    means = [math.fsum(scores) / len(scores) for _, scores in marked if scores]
    own = math.fsum(means) / len(means) if means else math.nan
    totals = [Total(f"{key} of '{task}'", block.value.get(key), own) for key in ("accuracy", "accuracy_avg")]
    yield from disagreements(shown(path), totals)
