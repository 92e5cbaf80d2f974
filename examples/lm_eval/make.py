"""Make the results and samples of this folder with lm-evaluation-harness itself and a made-up model; no network.

    pip install torch "lm-eval==0.4.13"
    python make.py

A group of two multiple-choice tasks (metrics ``acc`` and ``acc_norm``) and one written task with two filters
(``strict-match`` wants "The answer is N", ``flexible-extract`` takes the last number). The last document of a
multiple-choice task repeats the first. The models ``careful`` and ``hasty`` are right with a fixed probability, by a
seed from the question.

Nothing in the results names a machine: ``scrub`` empties the description of the environment that lm-eval writes.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
os.chdir(HERE)
os.environ.update(HF_HOME=tempfile.mkdtemp(), HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1")

import lm_eval  # noqa: E402  # reads HF_HOME when imported
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.api.registry import register_model  # noqa: E402
from lm_eval.loggers import EvaluationTracker  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

OF_THE_MACHINE = ("pretty_env_info", "git_hash", "upper_git_hash", "transformers_version")


@register_model("made-up")
class MadeUp(LM):
    """Right with the probability ``skill``; the same question gets the same answer every time."""

    def __init__(self, pretrained: str = "model", skill: float = 0.5, **_: object) -> None:
        super().__init__()
        self.seed = pretrained
        self.skill = float(skill)

    def rng(self, text: str) -> random.Random:
        return random.Random(f"{self.seed}/{text}")

    def loglikelihood(self, requests, disable_tqdm=False):
        return [self.likelihood(request.doc, request.args[1].strip()) for request in requests]

    def likelihood(self, doc: dict, choice: str) -> tuple[float, bool]:
        right = self.rng(doc["question"]).random() < self.skill - 0.2 * ("pencil" in doc["question"])
        gold = doc["choices"][doc["answer"]] == choice
        noise = 3 * self.rng(doc["question"] + choice).random()
        return (-noise if gold and right else -1.5 - noise), gold and right

    def generate_until(self, requests, disable_tqdm=False):
        return [self.written(request.doc) for request in requests]

    def written(self, doc: dict) -> str:
        rng = self.rng(doc["question"])
        number = int(doc["answer"]) + (0 if rng.random() < self.skill else rng.choice((-10, -1, 1)))
        return f"The answer is {number}" if rng.random() < 0.8 else f"That makes {number}, I think"

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError


def multiple_choice(name: str, scale: int, opening: str) -> None:
    """Thirty questions with four choices; the last repeats the first."""
    rng = random.Random(name)
    docs: list[dict] = []
    for _ in range(29):
        a, b = rng.randrange(2, 50) * scale, rng.randrange(2, 50) * scale
        choices = [a + b, a + b + scale, abs(a - b), a + b + 10 * scale]
        rng.shuffle(choices)
        docs.append(
            {
                "question": f"{opening} {a} plus {b}?",
                "choices": [f"{c:,}" if c == a + b else str(c) for c in choices],
                "answer": choices.index(a + b),
            }
        )
    write(name, [*docs, docs[0]])


def written() -> None:
    rng = random.Random("written")
    pairs = [(rng.randrange(10, 90), rng.randrange(10, 90)) for _ in range(40)]
    write("sums_written", [{"question": f"Add {a} and {b}.", "answer": str(a + b)} for a, b in pairs])


def write(name: str, docs: list[dict]) -> None:
    lines = "".join(json.dumps(doc) + "\n" for doc in docs)
    Path("tasks", f"{name}.jsonl").write_text(lines, encoding="utf-8")


def run(name: str, skill: float) -> None:
    """One evaluation, saved as ``lm_eval --log_samples --output_path .`` saves it."""
    tracker = EvaluationTracker(output_path=".")
    results = lm_eval.simple_evaluate(
        model="made-up",
        model_args=f"pretrained={name},skill={skill}",
        tasks=["sums", "sums_written"],
        task_manager=TaskManager(include_path="tasks", include_defaults=False),
        evaluation_tracker=tracker,
        log_samples=True,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])


def scrub(folder: Path) -> None:
    """Empty what describes the machine; the rest stays as lm-eval wrote it."""
    for path in folder.glob("results_*.json"):
        results = json.loads(path.read_text(encoding="utf-8"))
        results.update(dict.fromkeys(OF_THE_MACHINE, ""))
        results["config"]["device"] = "cpu"
        path.write_text(json.dumps(results, indent=2, ensure_ascii=False), encoding="utf-8")


def main() -> None:
    multiple_choice("sums_easy", 1, "What is")
    multiple_choice("sums_hard", 100, "Without a pencil: what is")
    written()
    for name, skill in (("careful", 0.85), ("hasty", 0.6)):
        for old in Path(name).glob("*.json*"):
            old.unlink()
        run(name, skill)
        scrub(Path(name))


if __name__ == "__main__":
    main()
