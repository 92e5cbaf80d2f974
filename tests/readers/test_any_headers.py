"""Whatever the headers of a long table are, and whatever the order of its rows: the right numbers, or a refusal."""

from __future__ import annotations

import random
import re
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


def numbers(paths, columns):
    """The values and bounds of one table of both models, or of a table each; the error where they are refused."""
    try:
        tables = [read(path, columns=columns) for path in paths]
        estimates = [row for scores in tables for row in sb.estimate(scores)]
        found = sb.compare(*tables) if len(tables) == 2 else sb.compare(tables[0], "A", "B")
    except (ReadError, ScoresError) as error:
        return error
    every = [*(row.answer for row in estimates), found.answer]
    return [number for answer in every for number in (answer.value, answer.shown.low, answer.shown.high)]


def proposed(error, names):
    """The mapping of the command below a refusal; where its sentence leaves a choice, the right one of these."""
    below = "\n".join(getattr(error, "__notes__", ())).rpartition("  scorebars ")[2].partition("\n")[0]
    printed = [below.partition("--map ")[2], *re.findall(r"--map ('[^']+'|[^\s);]+)", str(error))]
    mappings = [dict(pair.split("=") for pair in shlex.split(text)[0].split(",")) for text in printed if text]
    right = [each for each in mappings if all(names.get(role) == column for role, column in each.items())]
    assert right, (mappings, str(error))
    return right[0]


def write(path, header, rows):
    lines = [",".join(f'"{cell}"' if "," in cell else cell for cell in line) for line in (header, *rows)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def assert_right_or_refused(paths, known, names):
    """The mapping that is proposed, and another one after it if there is one, give the numbers of ``known``."""
    expected = numbers(known, None)
    assert not isinstance(expected, Exception), expected
    columns: dict[str, str] = {}
    for _ in range(4):
        found = numbers(paths, columns)
        if not isinstance(found, Exception):
            assert found == pytest.approx(expected, abs=1e-9)
            return
        columns |= proposed(found, names)
    raise AssertionError(found)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), SHAPES, TEXTS, st.fixed_dictionaries(NAMES), OTHERS, st.sampled_from(ROLES))
def test_one_table_of_two_models(seed, shape, text, names, other, kept):
    rng = random.Random(seed)
    rows = rows_of(rng, shape, text)
    body = [[*row[: len(kept)], *([other_cell(rng, other)] if other else []), str(row[3])] for row in rows]
    more = [*([other] if other else []), rng.choice(SCORES)]
    with tempfile.TemporaryDirectory() as folder:
        known = write(Path(folder) / "known.csv", [*kept, *more], body)
        path = write(Path(folder) / "any.csv", [*(names[role] for role in kept), *more], body)
        assert_right_or_refused([path], [known], names)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), SHAPES, TEXTS, st.fixed_dictionaries(NAMES), OTHERS, st.sampled_from(ROLES))
def test_two_tables_of_a_model_each(seed, shape, text, names, other, kept):
    rng = random.Random(seed)
    rows = rows_of(rng, shape, text)
    more = [*([other] if other else []), rng.choice(SCORES)]
    with tempfile.TemporaryDirectory() as folder:
        known, paths = [], []
        for model in "AB":
            own = [row for row in rows if row[0] == model]
            body = [[*row[1 : len(kept)], *([other_cell(rng, other)] if other else []), str(row[3])] for row in own]
            known.append(write(Path(folder) / "known" / f"{model}.csv", [*kept[1:], *more], body))
            paths.append(
                write(Path(folder) / "any" / f"{model}.csv", [*(names[role] for role in kept[1:]), *more], body)
            )
        assert_right_or_refused(paths, known, names)
