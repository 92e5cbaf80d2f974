"""Every shape of JSON that is a table, with valid JSON of another kind in the place of one record or one score.

What is read then still counts that attempt, as one without a score, or a note names it, or a sentence does with its
place: it never looks as if the file were whole.
"""

from __future__ import annotations

import json

import pytest

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read

N = 24
MIDDLE = 11
KINDS = {"null": None, "text": "boom", "number": 7, "list": [1, 2], "list of a record": [{"score": 1}], "empty": {}}


def record(place):
    return {"id": f"q{place}", "score": place % 2}


def records(odd=None, *, damaged=False, make=record):
    made = [make(place) for place in range(N)]
    if damaged:
        made[MIDDLE] = odd
    return made


def keyed(odd=None, *, damaged=False, make=record):
    found = records(odd, damaged=damaged, make=make)
    return {f"q{place}": one for place, one in enumerate(found)}


def bare(place):
    return {"score": place % 2, "seconds": 1.5}


def score(place):
    return place % 2


def attempts(place):
    return {"model": "gpt", "id": f"q{place}", "attempts": [{"correct": True}, {"correct": False}]}


def fields(odd, *, damaged):
    """Two fields a document, of which one of document 3 is the odd one."""
    documents = {f"d{n}": {"per_field": {"title": {"correct": 1}, "date": {"correct": n % 2}}} for n in range(N // 2)}
    if damaged:
        documents["d3"]["per_field"]["date"] = odd
    return documents


RECORDS = {
    "list": lambda odd, *, damaged: records(odd, damaged=damaged),
    "lines": lambda odd, *, damaged: records(odd, damaged=damaged),
    "list under a key": lambda odd, *, damaged: {"model": "gpt", "results": records(odd, damaged=damaged)},
    "list further down": lambda odd, *, damaged: {
        "run": {"output": {"model": "gpt", "rows": records(odd, damaged=damaged)}}
    },
    "lists of models": lambda odd, *, damaged: {"gpt": records(odd, damaged=damaged), "claude": records()},
    "lists of tasks": lambda odd, *, damaged: {"model": "gpt", "a": records(odd, damaged=damaged), "b": records()},
    "lists below models": lambda odd, *, damaged: {
        "results": {"gpt": records(odd, damaged=damaged), "claude": records(), "llama": records()}
    },
    "holders": lambda odd, *, damaged: [
        {"model": "gpt", "results": records(odd, damaged=damaged)},
        {"model": "claude", "results": records()},
    ],
    "holders under a key": lambda odd, *, damaged: {
        "runs": [{"model": "claude", "rows": records()}, {"model": "gpt", "rows": records(odd, damaged=damaged)}]
    },
    "items with attempts": lambda odd, *, damaged: records(odd, damaged=damaged, make=attempts),
    "items of a model": lambda odd, *, damaged: keyed(odd, damaged=damaged, make=bare),
    "items under a key": lambda odd, *, damaged: {"model": "gpt", "results": keyed(odd, damaged=damaged, make=bare)},
    "items of models": lambda odd, *, damaged: {
        "gpt": keyed(odd, damaged=damaged, make=bare),
        "claude": keyed(make=bare),
    },
    "items further down": lambda odd, *, damaged: {
        "date": "x",
        "evals": {"gpt": {"math": keyed(odd, damaged=damaged, make=bare)}, "claude": {"math": keyed(make=bare)}},
    },
    "models of items": lambda odd, *, damaged: {
        f"q{place}": {"gpt": odd if damaged and place == MIDDLE else bare(place), "claude": bare(place)}
        for place in range(N)
    },
    "fields of documents": lambda odd, *, damaged: {
        "per_model": {
            "gpt": {"per_document": fields(odd, damaged=damaged)},
            "claude": {"per_document": fields(odd, damaged=False)},
        }
    },
}
"""Name -> the value whose record in the middle is another one."""
SCORES = {
    "columns": lambda odd, *, damaged: {
        "item": [f"q{place}" for place in range(N)],
        "score": records(odd, damaged=damaged, make=score),
    },
    "columns by row": lambda odd, *, damaged: {
        "item": {str(place): f"q{place}" for place in range(N)},
        "score": {str(place): one for place, one in enumerate(records(odd, damaged=damaged, make=score))},
    },
    "plural columns": lambda odd, *, damaged: {
        "ids": [f"q{place}" for place in range(N)],
        "scores": records(odd, damaged=damaged, make=score),
    },
    "names apart": lambda odd, *, damaged: {
        "columns": ["item", "score"],
        "data": [[f"q{n}", one] for n, one in enumerate(records(odd, damaged=damaged, make=score))],
    },
    "lists of scores": lambda odd, *, damaged: {
        "gpt": records(odd, damaged=damaged, make=score),
        "claude": records(make=score),
    },
    "lists of a model's tasks": lambda odd, *, damaged: {
        "model": "gpt",
        "easy": records(odd, damaged=damaged, make=score),
        "hard": records(make=score),
    },
    "scores of items of models": lambda odd, *, damaged: {
        "gpt": keyed(odd, damaged=damaged, make=score),
        "claude": keyed(make=score),
    },
    "scores of items": lambda odd, *, damaged: keyed(odd, damaged=damaged, make=score),
}
"""The same of the score in the middle."""


def write(folder, name, value):
    path = folder / ("run.jsonl" if name == "lines" else "run.json")
    path.write_text("\n".join(map(json.dumps, value)) + "\n" if name == "lines" else json.dumps(value))
    return path


def attempts_of(path):
    """All attempts, with those without a score."""
    return sum(len(cut.sample.score) for cut in read(path, on_error="wrong").cuts().cuts)


def meets(path, whole):
    """What is wrong with how a damaged file is read; '' where it is right."""
    try:
        found = attempts_of(path)
        notes = [str(note) for note in read(path).cuts().notes if note.code == "left-out"]
    except ScorebarsError as error:
        said = str(error)
        places = (f"record {MIDDLE + 1}", f"line {MIDDLE + 1}", f"row {MIDDLE + 1}", f"q{MIDDLE}", "d3")
        return "" if path.name in said and any(place in said for place in places) else f"no place: {said}"
    return "" if found == whole or notes else f"{found} of {whole} attempts, and no word"


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("name", list(RECORDS))
def test_something_else_in_the_place_of_a_record(tmp_path, name, kind):
    whole = attempts_of(write(tmp_path, name, RECORDS[name](None, damaged=False)))
    assert whole in {N, 2 * N, 3 * N}
    assert meets(write(tmp_path, name, RECORDS[name](KINDS[kind], damaged=True)), whole) == ""


@pytest.mark.parametrize("kind", ["null", "text", "list of a record", "empty"])
@pytest.mark.parametrize("name", list(SCORES))
def test_something_else_in_the_place_of_a_score(tmp_path, name, kind):
    whole = attempts_of(write(tmp_path, name, SCORES[name](None, damaged=False)))
    assert whole in {N, 2 * N}
    assert meets(write(tmp_path, name, SCORES[name](KINDS[kind], damaged=True)), whole) == ""
