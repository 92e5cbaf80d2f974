"""Whatever the headers of a long table are, and whatever the order of its rows: the right numbers, or a refusal."""

from __future__ import annotations

import random
import shlex
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorebars as sb
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

KNOWN = {"model": ("model", "Agent"), "item": ("item", "question_id", "Prompt ID"), "run": ("run", "seed")}
UNKNOWN = {
    "model": ("llm", "Modell", "模型", "who", "a", "My LLM"),
    "item": ("Question Number", "q", "prompt", "nr", "Frage", "題目", "was", "key2"),
    "run": ("attempt", "try", "Trial No", "k", "次", "rollout"),
}
SCORES = ("score", "correct")
OTHERS = st.sampled_from([None, "difficulty", "answer", "latency", "remark"])
ROLES = [("model", "item"), ("model", "item", "run")]
TEXTS = st.sampled_from(["q{}", "{}", "What is the sum of {0} and {0}, please?", "item-{}"])
NAMES = {role: st.sampled_from([*KNOWN[role], *UNKNOWN[role]]) for role in KNOWN}
SHAPES = st.tuples(st.integers(6, 9), st.integers(1, 4), st.booleans(), st.sampled_from(["file", "all", "models"]))


def rows_of(rng, shape, text):
    """(model, item, run, score) of two models, shuffled as said; the second is the better one."""
    n, k, words, order = shape
    items = [text.format(number) for number in rng.sample(range(100), n)]
    runs = [f"try {run}" if words else str(run) for run in range(k)]
    share = {item: rng.random() for item in items}
    models = {model: [(model, item, run, int(rng.random() < share[item] + better)) for item in items for run in runs]
              for model, better in (("A", 0.0), ("B", 0.2))}  # fmt: skip
    if order == "models":
        for own in models.values():
            rng.shuffle(own)
    rows = [row for own in models.values() for row in own]
    if order == "all":
        rng.shuffle(rows)
    return rows


def other_cell(rng, header):
    cells = {"difficulty": rng.choice(["easy", "hard"]), "answer": f"it is {rng.random()}", "latency": rng.random()}
    return str(cells.get(header, "-"))


def numbers(path, columns):
    """The values and bounds of a table; the error where it is refused."""
    try:
        scores = read(path, columns=columns)
        estimates = sb.estimate(scores)
        found = sb.compare(scores, "A", "B")
    except (ReadError, ScoresError) as error:
        return error
    every = [*(row.answer for row in estimates), found.answer]
    return [number for answer in every for number in (answer.value, answer.shown.low, answer.shown.high)]


def proposed(error):
    """The mapping of the command below a refusal, else the one in its sentence; None where it has none."""
    text = "\n".join(getattr(error, "__notes__", ())).rpartition("--map ")[2] or str(error).rpartition("--map ")[2]
    words = shlex.split(text.partition("\n")[0].replace(")", " ")) if text else []
    return dict(pair.split("=") for pair in words[0].split(",")) if words else None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), SHAPES, TEXTS, st.fixed_dictionaries(NAMES), OTHERS, st.sampled_from(ROLES))
def test_the_numbers_of_known_headers_or_a_refusal_whose_remedy_gives_them(seed, shape, text, names, other, kept):
    rng = random.Random(seed)
    rows = rows_of(rng, shape, text)
    score = rng.choice(SCORES)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("known.csv", "any.csv")]
        for path, header in zip(paths, ({role: role for role in kept}, names), strict=True):
            first = [*(header[role] for role in kept), *([other] if other else []), score]
            body = [
                [*(dict(zip(("model", "item", "run"), row, strict=False))[role] for role in kept),
                 *([other_cell(rng, other)] if other else []), str(row[3])]
                for row in rows
            ]  # fmt: skip
            quoted = [",".join(f'"{cell}"' if "," in cell else cell for cell in line) for line in [first, *body]]
            path.write_text("\n".join([*quoted, ""]), encoding="utf-8")
        expected = numbers(paths[0], None)
        assert not isinstance(expected, Exception)
        columns: dict[str, str] = {}
        for _ in range(4):  # a refusal may be followed by another, each with a mapping
            found = numbers(paths[1], columns)
            if not isinstance(found, Exception):
                assert found == pytest.approx(expected, abs=1e-9)
                return
            more = proposed(found)
            assert more, found
            assert all(names[role] == column for role, column in more.items()), (more, str(found))
            columns |= more
        raise AssertionError(found)
