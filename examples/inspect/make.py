"""Make the logs of this folder with Inspect AI itself and its mock model; no network, no key.

    pip install "inspect-ai==0.3.285"
    python make.py

An arithmetic task of 12 questions in 4 passages, 3 epochs, two scorers (``match`` marks C or I, ``closeness`` grades
from 0 to 1). Three mock models answer, one log each: ``careful`` (a ``.eval`` with Zstandard members), ``hasty`` (a
``.eval`` with deflate members; one attempt at one question fails with an error) and ``guessing`` (a ``.json``).

Nothing in the logs names a machine: ``scrub`` empties the git state, the task's file, the tracebacks and the events,
through Inspect's own ``read_eval_log`` and ``write_eval_log``.
"""

from __future__ import annotations

import random
import tempfile
import zipfile
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, match, mean, scorer, stderr
from inspect_ai.solver import Generate, TaskState, generate, solver

HERE = Path(__file__).parent
PASSAGES = ("market", "garden", "station", "kitchen")


def dataset() -> MemoryDataset:
    """Twelve sums, three about each passage; ids are text, as in a real benchmark."""
    samples = []
    for number in range(12):
        a, b = 10 + 7 * number, 3 + 5 * number
        passage = PASSAGES[number // 3]
        text = f"In the {passage} there are {a} baskets; {b} more arrive. How many are there?"
        samples.append(Sample(id=f"sum-{number + 1:02d}", input=text, target=str(a + b), metadata={"passage": passage}))
    return MemoryDataset(samples, name="sums")


@scorer(metrics=[mean(), stderr()])
def closeness():
    """1 for the right number, 0.1 less for each unit off, 0 for no number."""

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion.strip()
        wanted = float(target.text)
        off = abs(float(text) - wanted) if text.isdigit() else 10.0
        return Score(value=round(max(0.0, 1.0 - off / 10), 1), answer=text)

    return score


@solver
def fragile(broken: str | None):
    """Fails on the second epoch of one question, as a tool or a sandbox would."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if broken is not None and state.sample_id == broken and state.epoch == 2:
            raise RuntimeError("the sandbox did not answer within 30 seconds")
        return state

    return solve


def answers(skill: float, seed: int, name: str):
    """A mock model that is right with the probability ``skill``; its errors are near misses."""
    rng = random.Random(seed)

    def answer(messages, tools, choice, config):
        words = messages[-1].text.replace(";", " ").split()
        total = sum(int(word) for word in words if word.isdigit())
        wrong = total + rng.choice((-10, -2, -1, 1, 2, 10))
        output = ModelOutput.from_content(name, str(total if rng.random() < skill else wrong))
        # With the usage given, Inspect does not fetch a tokenizer from the network to count it.
        output.usage = ModelUsage(input_tokens=20, output_tokens=1, total_tokens=21)
        return output

    return get_model(f"mockllm/{name}", custom_outputs=answer, memoize=False)


def run(name: str, skill: float, seed: int, folder: Path, broken: str | None) -> EvalLog:
    """One evaluation; ``max_samples=1`` keeps the order, so that the same seed gives the same answers."""
    task = Task(
        dataset=dataset(),
        solver=[fragile(broken), generate()],
        scorer=[match(numeric=True), closeness()],
        epochs=3,
        name="sums",
        fail_on_error=False,
    )
    model = answers(skill, seed, name)
    log = run_eval(task, model=model, log_dir=str(folder), max_samples=1, display="none", log_realtime=False)[0]
    return read_eval_log(log.location)


def scrub(log: EvalLog) -> EvalLog:
    """The log without traces of the machine that made it."""
    log.eval.revision = None
    log.eval.task_file = None
    log.eval.task_attribs = {}
    for sample in log.samples or []:
        if sample.error is not None:
            sample.error.traceback = sample.error.message
            sample.error.traceback_ansi = sample.error.message
        sample.events = []
        sample.attachments = {}
        sample.timelines = None
    return log


def deflate(path: Path) -> None:
    """Write the members of a ``.eval`` again with deflate, as Inspect did before it moved to Zstandard."""
    with zipfile.ZipFile(path) as old:  # inspect_ai teaches zipfile to read Zstandard members below Python 3.14
        members = [(info.filename, old.read(info)) for info in old.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in members:
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        careful = scrub(run("careful", 0.85, 1, Path(folder), None))
        hasty = scrub(run("hasty", 0.6, 2, Path(folder), "sum-04"))
        guessing = scrub(run("guessing", 0.2, 3, Path(folder), None))
    write_eval_log(careful, str(HERE / "sums_careful.eval"), format="eval")
    write_eval_log(hasty, str(HERE / "sums_hasty.eval"), format="eval")
    deflate(HERE / "sums_hasty.eval")
    write_eval_log(guessing, str(HERE / "sums_guessing.json"), format="json")


if __name__ == "__main__":
    main()
