"""Two files whose headers differ, or that list their items by place alone."""

from __future__ import annotations

import json
import re
import shlex

import pytest

ODD = "number,verdict\n" + "".join(f"{i},{i % 3 % 2}\n" for i in range(1, 9))
PLAIN = "qid,correct\n" + "".join(f"{i},{i % 2}\n" for i in range(1, 9))
OTHER = "nr,ok\n" + "".join(f"{i},{i % 2}\n" for i in range(1, 9))


@pytest.fixture
def files(folder):
    for name, text in (("odd.csv", ODD), ("plain.csv", PLAIN), ("other.csv", OTHER)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("paths", [("odd.csv", "plain.csv"), ("plain.csv", "odd.csv")])
def test_a_mapping_of_one_side_leaves_the_other_to_its_headers(files, done, paths):
    found = json.loads(done("compare", *paths, "--map", "item=number,score=verdict", "--format", "json"))
    means = {"odd.csv": 3 / 8, "plain.csv": 4 / 8}
    assert found["results"][0]["value"] == pytest.approx(means[paths[0]] - means[paths[1]], abs=1e-12)


def test_a_column_that_neither_side_has_is_an_error(files, refused):
    assert "odd.csv: no column 'nummer'; did you mean 'number'?" in refused(
        "compare", "odd.csv", "plain.csv", "--map", "item=nummer,score=verdict"
    )


def test_where_both_sides_need_a_mapping_the_error_says_how_each_keeps_its_own(files, call, done):
    code, _, err = call("compare", "odd.csv", "other.csv", "--map", "item=number,score=verdict")
    assert code == 2
    lines = err.splitlines()
    assert lines[-3] == "  scorebars compare odd.csv other.csv --map score=ok,item=nr"
    assert lines[-2].endswith("keep it beside this one, and compare takes both:")
    assert lines[-1] == "  scorebars estimate other.csv --map score=ok,item=nr --save-map"
    done(*lines[-1].split()[1:])
    done("estimate", "odd.csv", "--map", "item=number,score=verdict", "--save-map")
    assert "paired on 8 shared items" in done("compare", "odd.csv", "other.csv")


def test_several_files_at_once_say_the_same(files, refused, done):
    said = refused("estimate", "plain.csv", "odd.csv", "--map", "item=number,score=verdict")
    assert "(scorebars estimate FILE --map item=COLUMN --save-map) and leave it out here" in said
    done("estimate", "odd.csv", "--map", "item=number,score=verdict", "--save-map")
    done("estimate", "plain.csv", "odd.csv")


@pytest.mark.parametrize(("names", "texts", "counts"), [
    (("a.txt", "b.txt"), ("30.5\n20\n41\n35\n", "31\n20\n44\n"), (4, 3)),
    (("a.csv", "b.csv"), ("score\n1\n0\n1\n", "correct\n1\n0\n1\n1\n"), (3, 4)),
    (("a.csv", "b.csv"), ("task,score\nt,1\nt,0\nu,1\n", "task,score\nt,1\nt,1\n"), (2, 2)),
    (("a.csv", "b.csv"), ("task,score\nt,1\nt,0\nt,0\nu,1\n", "task,score\nt,1\nt,1\n"), (3, 2)),
    (("a.json", "b.json"), ("[1, 0, 1]", "[1, 0]"), (3, 2)),
    (("a.csv", "b.csv"), ('score\n1\n0\n""\n1\n', "correct\n1\n0\n1\n"), (4, 3)),
    (("a.csv", "b.csv"), ('score\n1\n0\n""\n1\n', "correct\n1\n0\n1\n1\n\n\n"), (4, 4)),
])  # fmt: skip
def test_lists_of_two_lengths_are_not_paired_by_place(folder, call, names, texts, counts):
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    code, _, err = call("compare", *names)
    if counts[0] == counts[1]:
        assert code == 0
    else:
        assert code == 2
        assert f"'a' has {counts[0]} rows and 'b' {counts[1]}, and no column says which item a row is" in err


def test_two_models_of_one_file(folder, call, refused):
    (folder / "uneven.csv").write_text("model,score\nA,1\nA,0\nA,1\nB,1\nB,0\n", encoding="utf-8")
    assert "'A' has 3 rows and 'B' 2" in refused("compare", "uneven.csv")
    (folder / "even.csv").write_text("model,run,score\nA,1,1\nA,2,\nB,1,1\nB,2,0\nA,3,1\nB,3,1\n", encoding="utf-8")
    assert "rows, and no column" not in call("compare", "even.csv")[2]
    (folder / "lists.json").write_text('{"gpt": [1, 0, 1], "claude": [1, 0]}', encoding="utf-8")
    assert "'claude' has 2 rows and 'gpt' 3" in refused("compare", "lists.json")


def test_doctor_says_it_and_proposes_no_comparison(folder, call):
    (folder / "a.csv").write_text("score\n" + "1\n0\n" * 10, encoding="utf-8")
    (folder / "b.csv").write_text("score\n" + "1\n0\n" * 9, encoding="utf-8")
    code, out, _ = call("doctor", "a.csv", "b.csv")
    assert code == 1
    text = " ".join(out.split())
    assert "models with different numbers of rows cannot be paired" in text
    assert "scorebars estimate a.csv b.csv" in text
    assert "scorebars compare" not in text
    assert "attrition" not in text


def test_doctor_names_the_column_of_rows_in_two_orders_and_its_commands_work(folder, call, refused, done):
    for name, order in (("a.csv", range(12)), ("b.csv", range(11, -1, -1))):
        rows = "".join(f"Q{n},{n % (3 if name == 'a.csv' else 2) % 2}\n" for n in order)
        (folder / name).write_text("Question Number,score\n" + rows, encoding="utf-8")
    assert "stand in another place), so that rows of one place are no pairs; name it" in (
        refused("compare", "a.csv", "b.csv")
    )
    code, out, _ = call("doctor", "a.csv", "b.csv")
    assert code == 1
    assert "-> name it (--map 'item=Question Number')" in out
    commands = [line.split(maxsplit=1)[1] for line in out.splitlines() if line.startswith("  scorebars ")]
    assert commands == [f"{verb} a.csv b.csv --map 'item=Question Number'" for verb in ("estimate", "compare")]
    for command in commands:
        assert "rows-as-items" not in done(*shlex.split(command))
    assert "by item: 12 items shared" in done("compare", "a.csv", "b.csv", "--map", "item=Question Number")


def test_one_model_in_lists_and_in_a_table_and_each_remedy(folder, call, refused, done):
    (folder / "lists.json").write_text('{"A": [1, 0, 1, 1], "B": [1, 0, 0, 0]}', encoding="utf-8")
    (folder / "t.csv").write_text("model,item,score\nA,p,1\nA,q,0\nA,r,0\n", encoding="utf-8")
    said = refused("estimate", "lists.json", "t.csv")
    offered = re.findall(r"\((--(?:label|without) [^)]+)\)", said)
    assert len(offered) > 1
    for option in offered:
        done("estimate", "lists.json", "t.csv", *option.replace("NAME", "x").split())
    code, out, _ = call("doctor", "lists.json", "t.csv")
    assert code == 1
    assert "'A' is in lists.json, whose items are places in it, and in t.csv" in " ".join(out.split())
    assert "scorebars compare" not in out


def test_one_side_with_clusters_and_the_remedy(folder, refused, done):
    (folder / "a.csv").write_text("item,passage,score\n1,p,1\n2,p,0\n3,q,1\n4,r,0\n", encoding="utf-8")
    (folder / "b.csv").write_text("item,score\n1,1\n2,1\n3,1\n4,0\n", encoding="utf-8")
    assert "the second of the two has no clusters (4 rows) and the other has; leave them out (--cluster none)" in (
        refused("compare", "a.csv", "b.csv")
    )
    assert "paired on 4 shared items" in done("compare", "a.csv", "b.csv", "--cluster", "none")
    assert "no cluster" in refused("estimate", "a.csv", "b.csv")
    done("estimate", "a.csv", "b.csv", "--cluster", "none")
    done("doctor", "a.csv", "b.csv", "--cluster", "none")


def test_a_format_with_fixed_roles_beside_a_table_that_needs_a_mapping(files, done, refused):
    (files / "lines.txt").write_text("".join(f"{i % 2}\n" for i in range(1, 9)), encoding="utf-8")
    for paths in (("lines.txt", "odd.csv"), ("odd.csv", "lines.txt")):
        assert "paired on 8 shared items" in done("compare", *paths, "--map", "item=number,score=verdict")
    said = refused("compare", "lines.txt", "lines.txt", "--map", "item=number")
    assert "'item' cannot be mapped in a list of scores, one a line" in said


def test_a_metric_that_only_one_side_has_is_an_error_that_names_the_other(folder, refused):
    for name, metric in (("a.csv", "match"), ("b.csv", "includes")):
        rows = "".join(f"m,{i},{metric},{i % 2}\n" for i in range(8))
        (folder / name).write_text(f"model,item,metric,score\n{rows}", encoding="utf-8")
    said = refused("compare", "a.csv", "b.csv", "--metric", "match")
    assert "b.csv: no metric is called 'match'; known: 'includes'" in said
    assert "a.csv: no metric is called 'includes'" in refused("compare", "a.csv", "b.csv", "--metric", "includes")


def test_sides_that_are_runs_by_their_names_are_told_how_to_say_so(folder, refused, done):
    for side, score in (("gpt", 1), ("llama", 0)):
        (folder / side).mkdir()
        for seed in (1, 2):
            rows = "".join(f"q{i},{score if i % (seed + 2) else 1}\n" for i in range(12))
            (folder / side / f"{side}_seed{seed}.csv").write_text("item,score\n" + rows, encoding="utf-8")
    said = refused("compare", "gpt", "llama")
    assert said.strip().endswith("if they are runs: --map 'file={model}_seed{run}'")
    assert "paired on 12 shared items" in done("compare", "gpt", "llama", "--map", "file={model}_seed{run}")
