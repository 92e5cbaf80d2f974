"""Attempts under ids of their own: the note of the verbs, and the command that counts them as runs of one item."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest
from tests.analysis.checks.tables import from_files

import scorebars as sb
from scorebars.analysis import repeated_ids
from scorebars.analysis.id_families import families_of
from scorebars.analysis.joined_repeats import joining_query
from scorebars.cli.main import main
from scorebars.contracts import Part
from scorebars.notes import TEMPLATES


def attempts(spelled, n=15, k=4, models=("a", "b"), jitter=0.1, seed=3):
    """A table of k attempts at each of n questions, which mostly agree."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in models:
        able = rng.random(n) < 0.5
        for question in range(n):
            for attempt in range(k):
                score = int(able[question] ^ (rng.random() < jitter))
                rows.append((model, f"q{question}", spelled(question, attempt), score))
    return pd.DataFrame(rows, columns=["model", "passage", "item", "score"])


def pandas_like(question, attempt):
    return f"{question}.{attempt}" if attempt else str(question)


def worded(question, attempt):
    return f"q{question}_run{attempt}"


def numbered(question, attempt):
    return f"{question}_{attempt}"


def said(result):
    return [note.message for note in result.notes if note.code == "repeats-as-items"]


def table(frame):
    return sb.Scores(frame[["model", "item", "score"]])


@pytest.mark.parametrize("spelled", [pandas_like, worded, numbered])
def test_every_verb_says_what_doctor_says(spelled):
    scores = table(attempts(spelled))
    (finding,) = [finding for finding in sb.doctor(scores).findings if finding.code == "repeats-as-items"]
    sentence = f"{finding.message}; {finding.remedy}"
    assert "15 groups of 4" in sentence
    assert said(sb.estimate(scores)) == [sentence]
    assert said(sb.compare(scores, "a", "b").answer) == [sentence]
    assert [said(pair.answer) for pair in sb.compare_all(scores)] == [[sentence]]
    assert set(TEMPLATES) >= {finding.code}


def test_two_tables_say_it_too():
    frame = attempts(worded)
    one, other = (table(frame[frame["model"] == name]) for name in "ab")
    assert len(said(sb.compare(one, other).answer)) == 1


def test_models_with_other_ids_are_named():
    frame = attempts(worded)
    frame.loc[frame["model"] == "b", "item"] = [f"p{i}x" for i in range(60)]
    assert said(sb.estimate(table(frame)))[0].startswith("the 60 items of 'a' are 15 groups of 4")


@pytest.mark.parametrize(
    "ids", [[str(i) for i in range(60)], [f"q_{i}" for i in range(60)], [f"x{i}" for i in range(60)]]
)
def test_plain_ids_are_left_alone(ids):
    frame = attempts(worded, models=("a",))
    assert said(sb.estimate(table(frame.assign(item=ids)))) == []


def test_numbered_parts_without_agreement_are_left_alone():
    frame = attempts(numbered, n=30, jitter=0.5)
    assert said(sb.estimate(table(frame))) == []


def test_clusters_that_keep_them_together_end_it():
    frame = attempts(worded)
    scores = sb.Scores(frame, cluster="passage")
    assert said(sb.estimate(scores)) == []
    assert [finding.code for finding in sb.doctor(scores).findings if "repeats" in finding.code] == []


def test_clusters_that_part_them_do_not():
    frame = attempts(worded)
    frame["passage"] = [f"c{i % 4}" for i in range(len(frame))]
    assert len(said(sb.estimate(sb.Scores(frame, cluster="passage")))) == 1


def test_runs_that_are_told_are_none():
    frame = attempts(worded, k=2)
    again = pd.concat([frame.assign(run="1"), frame.assign(run="2")])
    assert said(sb.estimate(sb.Scores(again[["model", "item", "run", "score"]]))) == []


def test_numbers_that_scores_were_given_here_are_not_looked_at(monkeypatch):
    monkeypatch.setattr("scorebars.engines.axes.numbered_labels", lambda n: pytest.fail(f"{n} texts were made"))
    scores = sb.Scores.from_arrays({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, axes=("item",))
    assert len(sb.estimate(scores)) == 2
    assert sb.compare(scores, "a", "b").n_shared == 4


def test_larger_tables_are_left_to_doctor(monkeypatch):
    monkeypatch.setattr(repeated_ids, "MOST_UNITS", 59)
    scores = table(attempts(worded))
    assert said(sb.estimate(scores)) == []
    assert "repeats-as-items" in [finding.code for finding in sb.doctor(scores).findings]


@pytest.mark.parametrize("spelled", [pandas_like, worded])
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_the_proposed_command_counts_attempts_as_runs(tmp_path, monkeypatch, capsys, spelled, ending):
    frame = attempts(spelled).rename(columns={"item": 'the "id"'})[["model", 'the "id"', "score"]]
    path = tmp_path / f"results.{ending}"
    if ending in {"csv", "tsv"}:
        frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    elif ending == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path, index=False)
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", path.name, "--map", 'item=the "id"']) == 1
    first, second = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  scorebars ")]
    assert main(shlex.split(first)[1:]) == 0
    out = capsys.readouterr().out
    assert "15 items, 4 runs each" in out
    assert "repeats-as-items" not in out
    assert main(shlex.split(second)[1:]) == 0
    assert "15 items shared, none dropped" in capsys.readouterr().out


def test_what_no_option_mends_is_not_proposed(tmp_path):
    frame = attempts(worded)[["model", "item", "score"]]
    for name, part in frame.groupby("model"):
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    found = from_files(tmp_path / "a.csv", tmp_path / "b.csv")
    assert "repeats-as-items" in [finding.code for finding in found.findings]
    assert found.commands == ()
    assert sb.doctor(table(frame)).commands == ()


@pytest.mark.parametrize(
    ("labels", "ending"),
    [
        ([f"q{i}_run{j}" for i in range(5) for j in range(3)], r"_run\d+$"),
        ([f"q{i} (try {j})" for i in range(5) for j in range(3)], r" \(try \d+\)$"),
        ([f"{i}.{j}" if j else f"{i}" for i in range(5) for j in range(12)], None),  # 1.1 and 1.10 are one number
        ([f"q{i}{'-' if j else '_'}run{j}" for i in range(5) for j in range(3)], None),  # no one ending
    ],
)
def test_the_ending_that_is_cut_off(labels, ending, tmp_path):
    families = families_of(labels)
    assert families is not None
    query = joining_query((Part(tmp_path / "a.csv", "table", {}, (("item", "column 'q'"),)),), families)
    assert query == (
        ending
        and f'SELECT * REPLACE (regexp_replace(CAST("q" AS VARCHAR), \'{ending}\', \'\') AS "q"), "q" AS run FROM data'
    )


@pytest.mark.parametrize(
    "part", [("table", "a.csv", "place"), ("inspect", "a.eval", "column 'id'"), ("table", "a.json", "column 'id'")]
)
def test_only_tables_of_rows_are_queried(tmp_path, part):
    reader, name, item = part
    families = families_of([f"q{i}_run{j}" for i in range(5) for j in range(3)])
    assert joining_query((Part(tmp_path / name, reader, {}, (("item", item),)),), families) is None
