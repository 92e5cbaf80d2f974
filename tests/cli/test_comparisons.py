"""Effects and tests by their spellings."""

from __future__ import annotations

import json

import pytest

from scorebars.cli.main import main

TABLE = "model,task,item,run,score\n" + "".join(
    f"{model},t,{item},{run},{score}\n"
    for model, scores in (("a", (1, 1, 0, 1)), ("b", (0, 1, 0, 1)))
    for item in "123"
    for run, score in enumerate(scores)
)


@pytest.fixture
def table(tmp_path):
    (tmp_path / "scores.csv").write_text(TABLE, encoding="utf-8")
    return "scores.csv"


@pytest.mark.parametrize(
    ("spelling", "value", "words"),
    [("difference", 0.25, "25.0 points higher"), ("relative", 0.5, "50 % higher"),
     ("odds-ratio", 3.0, "the odds of success of a are 3"), ("outperforming", 0.25, "a beats b on 25.0 % of pairs"),
     ("improvement", 0.625, "a run of a beats a run of b with a probability of 62.5 %")],
)  # fmt: skip
def test_every_effect_has_its_words(run, table, spelling, value, words):
    found = run("compare", table, "--effect", spelling, "--resample", "run", "--format", "json")
    assert found.returncode == 0, found.stderr
    [row] = json.loads(found.stdout)["results"]
    assert row["value"] == pytest.approx(value, abs=1e-12)
    verdict = json.loads(found.stdout)["verdict"]
    assert words.split(".0", maxsplit=1)[0].split(" %")[0] in verdict


@pytest.mark.parametrize("test", ["sign-flip", "sign", "wilcoxon", "randomization"])
def test_every_test_is_named(run, table, test):
    found = run("compare", table, "--test", test, "--resample", "item", "--format", "json")
    assert found.returncode == 0, found.stderr
    [row] = json.loads(found.stdout)["results"]
    assert row["test"]
    assert 0 < row["p_value"] <= 1


def test_unknown_spellings_have_a_near_miss(run, table):
    for option, wrong, right in (("--effect", "relativ", "relative"), ("--test", "wilcox", "wilcoxon")):
        found = run("compare", table, option, wrong)
        assert found.returncode == 2
        assert f"did you mean '{right}'" in found.stderr


def test_a_test_that_cannot_serve_says_which_can(run, table):
    found = run("compare", table, "--test", "mcnemar")
    assert found.returncode == 2
    assert "use SignFlip" in found.stderr


def test_notes_on_attempts_name_their_side(done, results, folder):
    from tests.cli.tables import write

    first = write("a.csv", *(f"A,t,q{i},0,{'' if i == 3 else i % 2}" for i in range(20)))
    second = write("b.csv", *(f"B,t,q{i},0,{'' if i == 4 else i % 2}" for i in range(20)))
    out = " ".join(done("compare", first, second).split())
    assert "missing-scores: A: 1 of 20 attempts without a score" in out
    assert "missing-scores: B: 1 of 20 attempts without a score" in out
    alike = write("c.csv", *(f"C,t,q{i},0,{'' if i == 3 else i % 2}" for i in range(20)))
    assert "missing-scores: A, C: 1 of 20 attempts" in " ".join(done("compare", first, alike).split())
    notes = [note for note in results("compare", first, alike)[0]["notes"] if note["code"] == "missing-scores"]
    assert [note["data"]["model"] for note in notes] == ["A", "C"]
    only = write("d.csv", *(f"D,t,q{i},0,{i % 2}" for i in range(20)))
    assert "missing-scores: A: 1 of 20 attempts" in " ".join(done("compare", first, only).split())


def test_notes_on_attempts_name_their_model_among_many_pairs(folder):
    import scorebars as sb

    data = {name: [1.0, 0.0, 1.0, 1.0, 0.0] * 4 for name in "ABC"}
    data["C"] = [float("nan"), *data["C"][1:]]
    scores = sb.Scores.from_arrays(data, axes=("item",))
    for found in (sb.compare_all(scores), sb.compare_all(scores, "C"), sb.compare_all(scores, "A")):
        assert "missing-scores: C: 1 of 20 attempts" in " ".join(str(found).split())


def test_notes_on_other_models_of_the_table_are_not_of_the_comparison(done, folder):
    rows = [f"{m},q{i},{(i + ord(m)) % 3 % 2}" for m in "ABC" for i in range(20)]
    again = [f"C,q{i},{(i + ord('C') + 1) % 3 % 2}" for i in range(5)]  # another score: repeats, and no copies
    (folder / "t.csv").write_text("\n".join(["model,item,score", *rows, *again]))
    assert "repeats-as-runs" in done("compare", "t.csv", "--a", "A", "--b", "C")
    found = done("compare", "t.csv", "--a", "A", "--b", "B")
    assert "20 items, 1 run each" in found
    assert "repeats-as-runs" not in found


def test_nor_are_notes_on_the_files_of_others(done, folder):
    for name, right in (("A", 3), ("B", 4)):
        rows = (f"{name},q{i},{int(i % 7 < right)}" for i in range(30))
        (folder / f"{name}.csv").write_text("\n".join(["model,item,score", *rows]))
    (folder / "C.csv").write_text("\n".join(["model,score", *(f"C,{i % 2}" for i in range(30))]))
    assert "rows-as-items" in done("estimate", ".")
    assert "rows-as-items" in done("estimate", ".", "--model", "C")
    assert "rows-as-items" not in done("estimate", ".", "--model", "A", "--model", "B")
    assert "rows-as-items" not in done("compare", ".", "--a", "A", "--b", "B")


def test_nor_on_those_beside_the_side_of_a_folder(done, folder):
    for side, names in (("old", "AC"), ("new", "BD")):
        (folder / side).mkdir()
        for name in names:
            rows = (f"{name},{f'q{i},' if name in 'AB' else ''}{(i + ord(name)) % 3 % 2}" for i in range(30))
            header = "model,item,score" if name in "AB" else "model,score"
            (folder / side / f"{name}.csv").write_text("\n".join([header, *rows]))
    assert "rows-as-items" in done("compare", "old", "new", "--a", "C", "--b", "D")
    assert "rows-as-items" not in done("compare", "old", "new", "--a", "A", "--b", "B")


def test_a_difference_without_an_interval_has_no_method(folder, done):
    rows = [f"{m},{m}{k},{k % 2},{m}" for m in "ab" for k in range(20)]
    (folder / "arm.csv").write_text("model,item,correct,passage\n" + "\n".join(rows) + "\n")
    text = done("compare", "arm.csv", "--map", "cluster=passage")
    assert "one-cluster" in text
    (line,) = [line for line in text.splitlines() if line.startswith("interval ")]
    assert line.split() == ["interval", "none,", "95", "%"]


def test_what_helps_where_a_side_has_no_score_works_as_it_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"{model},{item},{int(item % 3 > 0)}," for model in "ab" for item in range(12)]
    lines += [f"c,{item},,timeout" for item in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(["model,item,correct,error", *lines, ""]))
    assert main(["compare", "t.csv", "--a", "a", "--b", "c"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "scorebars: model 'c' has no score in any attempt (12 attempts, of which all ended in an error); count them "
        "wrong (--on-error wrong) or compare 'a' with 'b'\n"
    )
    for more in (["--b", "c", "--on-error", "wrong"], ["--b", "b"]):
        assert main(["compare", "t.csv", "--a", "a", *more]) == 0
        capsys.readouterr()
    assert main(["estimate", "t.csv", "--model", "a", "--model", "c"]) == 2
    assert "leave the model out (--model a), or" in capsys.readouterr().err
