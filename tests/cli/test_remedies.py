"""What an error says to type is what was typed, with what it lacks, and works when it is pasted into a shell."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.readers.event_files import events

from scorebars.errors import Remedy, typed

RUNS = "model,item,trial 1,trial 2\nA,x,1,0\nA,y,1,1\nA,z,0,1\nB,x,0,0\nB,y,1,0\nB,z,0,0\n"


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", "my runs.csv"),
        ("compare", "my runs.csv", "--a", "A", "--b", "B"),
        ("doctor", "--map", "model=model", "my runs.csv"),
        ("doctor", "my runs.csv", "--map=model=model"),
        ("convert", "my runs.csv", "-o", "tidy.csv"),
    ],
)
def test_the_command_that_was_typed_is_proposed_with_the_mapping(folder, call, done, words):
    (folder / "my runs.csv").write_text(RUNS)
    code, _, err = call(*words)
    assert code == 2
    proposed = shlex.split(err.splitlines()[-1])
    assert proposed[:2] == ["scorebars", words[0]]
    assert [word for word in words if "model=model" not in word and word != "--map"] == proposed[1:-2]
    assert {"run=trial *"} <= set(proposed[-1].split(","))
    done(*proposed[1:])


def test_a_file_of_its_own_mapping_is_said_beside_the_comparison(folder, call, done):
    (folder / "a.csv").write_text("item,score\nx,1\ny,0\nz,1\n")
    (folder / "b.csv").write_text("item,run1,run2\nx,1,1\ny,0,1\nz,0,1\n")
    code, _, err = call("compare", "a.csv", "b.csv")
    assert code == 2
    lines = err.splitlines()
    assert lines[-3] == "  scorebars compare a.csv b.csv --map 'run=run*'"
    assert lines[-1] == "  scorebars estimate b.csv --map 'run=run*' --save-map"
    done(*shlex.split(lines[-3])[1:])
    done(*shlex.split(lines[-1])[1:])
    done("compare", "a.csv", "b.csv")


def test_tables_of_a_database_are_asked_for_under_the_same_command(folder, call, done):
    import sqlite3

    with sqlite3.connect(folder / "two.db") as made:
        made.execute("CREATE TABLE first AS SELECT 'A' AS model, 1 AS item, 1 AS score")
        made.execute("CREATE TABLE second AS SELECT 1 AS other")
    made.close()
    code, _, err = call("convert", "two.db", "-o", "tidy.csv")
    assert code == 2
    proposed = shlex.split(err.splitlines()[-1])
    assert proposed == [
        "scorebars",
        "convert",
        "two.db",
        "-o",
        "tidy.csv",
        "--sql",
        "SELECT model, item, score FROM first",
    ]
    done(*proposed[1:])


def test_words_are_quoted_where_a_shell_needs_it():
    words = ("plain", "a b", "SELECT 'x' AS y", 'it\'s "$5"', "q*")
    assert shlex.split(typed(*words)) == list(words)
    assert typed(*words[:3]) == "plain 'a b' \"SELECT 'x' AS y\""


def test_a_remedy_is_text_for_those_who_know_no_command_line():
    said = Remedy("do:", "a b.csv", {"--map": "item=n"})
    assert said == "do:\n  scorebars estimate 'a b.csv' --map item=n"
    assert said.retyped(["doctor", "a b.csv", "--map", "x=y", "--explain"]).endswith(
        "doctor 'a b.csv' --explain --map item=n"
    )


def test_names_in_sentences_are_quoted_too(folder, call, done):
    (folder / "b.csv").write_text('item,fold,agent name,"it\'s"\nx,my test,a,1\ny,train,a,0\n')
    code, _, err = call("estimate", "b.csv")
    assert code == 2
    words = shlex.split(err.splitlines()[-1])[1:]
    assert words[-1].split(",")[0] == "score=it's"
    assert "--split 'my test'" in " ".join(done(*words).split())


def test_the_doctor_of_several_files_says_what_to_type_for_each_and_reads_what_was_saved(folder, call, done):
    (folder / "a.csv").write_text("model,item,score\nC,x,1\nC,y,0\nC,z,1\n")
    (folder / "my runs.csv").write_text(RUNS)
    code, out, _ = call("doctor", "a.csv", "my runs.csv", "--format", "json")
    assert code == 1
    (found,) = [one for one in json.loads(out)["results"] if one["code"] == "unread"]
    typed = found["data"]["typed"]
    assert typed == "scorebars estimate 'my runs.csv' --map 'run=trial *' --save-map"
    done(*shlex.split(typed)[1:])
    assert "unread" not in call("doctor", "a.csv", "my runs.csv")[1]


def test_criteria_beside_the_score_are_named_with_what_reads_them(folder, call, done):
    rows = [f"{m},{k},{1 + k % 5},{1 + (k + 2) % 5},{1 + k * k % 5}" for m in "AB" for k in range(20)]
    (folder / "criteria.csv").write_text("model,id,helpfulness,accuracy,style\n" + "\n".join(rows) + "\n")
    for command in ("estimate", "compare", "doctor"):
        said = " ".join(call(command, "criteria.csv")[1].split())
        assert "other-scores" in said, command
        assert "--map score=helpfulness" in said, command
        assert "--map score=accuracy+helpfulness+style" in said, command
    for verb in ("estimate", "compare"):
        assert "other-scores" not in done(verb, "criteria.csv", "--map", "score=helpfulness")
        done(verb, "criteria.csv", "--map", "score=accuracy+helpfulness+style", "--metric", "style")
    done("estimate", "criteria.csv", "--map", "score=accuracy+helpfulness+style", "--by", "metric")


def test_metrics_and_variants_are_shown_by_both(folder, call, done):
    rows = [f"A,q{k},{metric},{way},{k % 2}" for k in range(12) for metric in ("acc", "f1") for way in ("x", "y")]
    (folder / "two.csv").write_text("model,item,metric,filter,score\n" + "\n".join(rows) + "\n")
    for further in ((), ("--by", "metric"), ("--by", "variant")):
        code, _, err = call("estimate", "two.csv", *further)
        assert code == 2
        assert "or show each (estimate --by metric,variant)" in err
    assert "or show each (estimate --by variant)" in call("estimate", "two.csv", "--metric", "acc")[2]
    assert done("estimate", "two.csv", "--by", "metric,variant", "--format", "csv").count("\nA,") == 4
    assert done("estimate", "two.csv", "--metric", "acc", "--by", "variant", "--format", "csv").count("\nA,") == 2
    assert "(estimate --by metric,variant)" in " ".join(call("doctor", "two.csv")[1].split())


def test_a_variant_is_proposed_that_both_sides_have(folder, call, done):
    names = ["m1", "m2", "m3", "m4"]
    rows = [f"{a},q{k},vs {b},{(k + len(a + b)) % 2}" for k in range(12) for a in names for b in names if a != b]
    (folder / "met.csv").write_text("model,item,variant,score\n" + "\n".join(rows) + "\n")
    for a, b, shared in (("m1", "m2", "vs m3"), ("m3", "m4", "vs m1")):
        code, _, err = call("compare", "met.csv", "--a", a, "--b", b)
        assert code == 2
        assert f"choose one (--variant '{shared}')" in err
        done("compare", "met.csv", "--a", a, "--b", b, "--variant", shared)
    assert (
        "that variant has scores of 'm2', 'm3', 'm4'"
        in call("compare", "met.csv", "--a", "m1", "--b", "m2", "--variant", "vs m1")[2]
    )


@pytest.mark.parametrize(("settings", "sides"), [(("x", "y"), []), (("x", "y", "z"), ["--a", "A+x", "--b", "A+y"])])
def test_a_comparison_is_proposed_of_two_models(folder, call, done, settings, sides):
    rows = [f"A,{each},q{k},{(k * len(each) + ord(each)) % 3 // 2}" for each in settings for k in range(20)]
    (folder / "set.csv").write_text("model,config,item,correct\n" + "\n".join(rows) + "\n")
    code, _, err = call("compare", "set.csv", "--level", "0.9")
    assert code == 2
    proposed = shlex.split(err.splitlines()[-1])
    assert proposed[1:] == ["compare", "set.csv", "--level", "0.9", "--map", "model=model+config", *sides]
    assert json.loads(done(*proposed[1:], "--format", "json"))["results"][0]["n_items"] == 20


def test_of_the_only_model_the_score_is_proposed(folder, call, done):
    rows = [f"{k},{('A', 'B', 'tie', 'A')[k % 4]}" for k in range(20)]
    (folder / "won.csv").write_text("id,winner\n" + "\n".join(rows) + "\n")
    code, _, err = call("compare", "won.csv")
    assert code == 2
    proposed = shlex.split(err.splitlines()[-1])
    assert proposed[1:] == ["estimate", "won.csv", "--map", "score=winner", "--category", "A=1,B=0,tie=0.5"]
    (found,) = json.loads(done(*proposed[1:], "--format", "json"))["results"]
    assert found["value"] == pytest.approx((2 * 1 + 0 + 0.5) / 4)


def test_one_file_of_one_model_has_none_to_choose(folder, call, done):
    (folder / "one.csv").write_text("item,correct\n" + "".join(f"q{k},{k % 2}\n" for k in range(20)))
    code, _, err = call("compare", "one.csv")
    assert code == 2
    assert "--a" not in err
    assert "give the file of the other one too; the score of this one: scorebars estimate one.csv" in err
    done("estimate", "one.csv")


def test_folders_of_seeds_are_compared_as_runs(folder, call, done):
    for algorithm, last in (("PPO", 10.0), ("DQN", 1.0)):
        for seed in range(5):
            at = folder / "tb" / algorithm / f"seed{seed}"
            at.mkdir(parents=True)
            (at / "events.out.tfevents.1.vm.1.0").write_bytes(events([(0, 0.0), (100, last + seed)]))
    for paths, whose in ((("tb/PPO", "tb/DQN"), " of one"), (("tb",), "")):
        code, _, err = call("compare", *paths, "--at", "final")
        assert code == 2
        assert err.rstrip().endswith(f"; if they are runs{whose}: --map model=folder")
        sides = ("--a", "PPO", "--b", "DQN") if len(paths) == 1 else ()
        (found,) = json.loads(
            done("compare", *paths, "--at", "final", "--map", "model=folder", *sides, "--format", "json")
        )["results"]
        assert found["value"] == pytest.approx(9.0)
    code, out, _ = call("doctor", "tb", "--at", "final")
    proposed = next(line for line in out.splitlines() if "scorebars estimate" in line)
    assert "--map model=folder" in proposed
    assert json.loads(done(*shlex.split(proposed)[1:], "--format", "json"))["results"][0]["n_runs"] == {
        "min": 5,
        "max": 5,
    }
