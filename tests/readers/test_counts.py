"""c of n attempts: columns of counts and cells such as 5/10."""

from __future__ import annotations

import csv
import io
import shlex

import pytest

import scorebars as sb
from scorebars.errors import ReadError, Remedy, ScorebarsError
from scorebars.readers.read import read

RIGHT = {("a", f"q{i}"): (3 * i + 2) % 6 for i in range(14)} | {("b", f"q{i}"): (5 * i + 1) % 6 for i in range(14)}
"""(model, item) -> how many of five attempts were right."""


def counts(path, right="c", total="n", rows=RIGHT):
    lines = [f"{model},{item},{c},5" for (model, item), c in rows.items()]
    path.write_text("\n".join([f"model,task_id,{right},{total}", *lines, ""]))
    return path


def parts(path, sign="/"):
    path.write_text("model,id,score\n" + "".join(f"{m},{i},{c}{sign}5\n" for (m, i), c in RIGHT.items()))
    return path


def sums(scores):
    """(model, item) -> (attempts, their sum)."""
    tidy = scores.tidy()
    found = {}
    for model, item, score in zip(tidy["model"], tidy["item"], tidy["score"], strict=True):
        n, total = found.get((model, item), (0, 0.0))
        found[model, item] = (n + 1, total + score)
    return found


def remedies(error):
    return [said.options for said in error.__notes__ if isinstance(said, Remedy)]


EXPECTED = {key: (5, float(c)) for key, c in RIGHT.items()}


@pytest.mark.parametrize(("right", "total"), [("c", "n"), ("n_correct", "n_total"), ("passed", "attempts")])
def test_counts_are_asked_about_and_become_attempts(tmp_path, right, total):
    path = counts(tmp_path / "a.csv", right, total)

    with pytest.raises(ReadError, match=f"'{right}' counts how many of '{total}' were right") as raised:
        read(path)

    assert remedies(raised.value) == [{"--map": f"score={right}/{total}"}]
    assert sums(read(path, columns={"score": f"{right}/{total}"})) == EXPECTED


def test_a_known_score_beside_its_total_is_asked_about_too(tmp_path):
    with pytest.raises(ReadError, match=r"--map score=correct/total"):
        read(counts(tmp_path / "a.csv", "correct", "total"))
    ones = {key: min(c, 1) for key, c in RIGHT.items()}
    read(counts(tmp_path / "b.csv", "correct", "n", ones))  # 0 and 1 beside some other number


@pytest.mark.parametrize("right", ["c", "passed"])
def test_the_other_readings_of_counts_work(tmp_path, right):
    path = counts(tmp_path / "a.csv", right, "n")
    with pytest.raises(ReadError) as raised:
        read(path)
    words = shlex.split(str(raised.value).partition("such as tests (")[2].partition(")); ")[0].partition("); if")[0])
    assert words[0] == "--sql"
    assert sums(read(path, sql=words[1])) == {key: (1, pytest.approx(c / 5)) for key, c in RIGHT.items()}
    assert sums(read(path, columns={"score": right})) == {key: (1, float(c)) for key, c in RIGHT.items()}


def test_cells_of_a_count_and_its_total(tmp_path):
    path = parts(tmp_path / "a.csv")

    with pytest.raises(ReadError, match=r"such as '2/5': 2 of 5 attempts .* or 2 of 5 points") as raised:
        read(path)

    assert remedies(raised.value) == [{"--map": "score=score/"}]
    assert sums(read(path, columns={"score": "score/"})) == EXPECTED
    query = "SELECT * REPLACE (split_part(score::VARCHAR, '/', 1)::DOUBLE / split_part(score::VARCHAR, '/', 2)::DOUBLE"
    assert query in str(raised.value)
    shares = sums(read(path, sql=f"{query} AS score) FROM data"))
    assert shares == {key: (1, pytest.approx(c / 5)) for key, c in RIGHT.items()}


@pytest.mark.parametrize("header", ["rating", "Points"])
def test_parts_under_the_header_of_a_grade_are_points_first(tmp_path, header):
    path = tmp_path / "a.csv"
    path.write_text(f"item,model,{header}\n" + "".join(f"q{place},m,{place}/5\n" for place in range(1, 6)))

    with pytest.raises(ReadError, match=r"such as '1/5': 1 of 5 points .* or 1 of 5 attempts") as raised:
        read(path)

    ((option, query),) = ((*each,) for one in remedies(raised.value) for each in one.items())
    assert option == "--sql"
    (one,) = sb.estimate(read(path, sql=query))
    assert (one.value, one.n_items) == (pytest.approx((1 + 2 + 3 + 4 + 5) / 25), 5)


def test_the_order_of_the_attempts_means_nothing(tmp_path):
    scores = read(counts(tmp_path / "a.csv"), columns={"score": "c/n"})
    tidy = scores.tidy()
    by_run = {}
    for run, score in zip(tidy["run"], tidy["score"], strict=True):
        by_run.setdefault(run, []).append(score)
    means = [sum(each) / len(each) for each in by_run.values()]

    assert max(means) - min(means) < 0.5  # in one order for all items it is .82
    assert "crossed-runs" not in {finding.code for finding in sb.doctor(scores).findings}
    assert sums(read(tmp_path / "a.csv", columns={"score": "c/n"})) == EXPECTED


def test_pass_at_k_of_counts_is_the_published_formula(tmp_path):
    from math import comb

    counts(tmp_path / "a.csv", rows={key: c for key, c in RIGHT.items() if key[0] == "a"})
    found = sb.estimate(read(tmp_path / "a.csv", columns={"score": "c/n"}), estimator=sb.PassAtK(2))
    cs = [c for (model, _), c in RIGHT.items() if model == "a"]

    assert found[0].value == pytest.approx(sum(1 - comb(5 - c, 2) / comb(5, 2) for c in cs) / len(cs))


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ("7,5", r"row 1 has 7 of 5; 'c' counts how many of 'n' attempts were right"),
        ("x,5", "row 1 has x of 5"),
        ("1,", "row 1 has 1"),
        ("1.5,5", "row 1 has 1.5 of 5"),
        ("-1,5", "row 1 has -1 of 5"),
        ("1,10000000", "of 1 to 100,000"),
        ("0,0", "row 1 has 0 of 0"),
    ],
)
def test_counts_that_are_none(tmp_path, cells, words):
    (tmp_path / "a.csv").write_text(f"model,item,c,n\na,q1,{cells}\na,q2,1,2\n")

    with pytest.raises(ReadError, match=words):
        read(tmp_path / "a.csv", columns={"score": "c/n"})


def test_an_item_without_counts_is_missing(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,c,n\na,q1,,\na,q2,1.0,2.0\n")

    tidy = read(tmp_path / "a.csv", columns={"score": "c/n"}).tidy()

    assert sorted(zip(tidy["item"], map(str, tidy["score"]), strict=True)) == [
        ("q1", "nan"),
        ("q2", "0.0"),
        ("q2", "1.0"),
    ]


def test_counts_over_items_that_are_not_there(tmp_path):
    text = "model,subject,n_correct,n_total\na,s,3,6\na,t,4,6\nb,s,2,6\nb,t,6,6\n"
    (tmp_path / "a.csv").write_text(text)

    with pytest.raises(ReadError, match="but not which ones") as raised:
        read(tmp_path / "a.csv")

    (options,) = remedies(raised.value)
    found = sums(read(tmp_path / "a.csv", sql=options["--sql"]))
    assert len(found) == 24
    for row in csv.DictReader(io.StringIO(text)):
        mine = [key for key in found if key[0] == row["model"] and key[1].endswith(row["subject"])]
        assert sum(found[key][1] for key in mine) == int(row["n_correct"])


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_other_formats(tmp_path, suffix):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"model": "a", "item": ["q1", "q2"], "c": [1, 3], "n": [4, 4]})
    path = tmp_path / f"a{suffix}"
    (frame.write_parquet if suffix == ".parquet" else frame.write_json)(path)

    with pytest.raises(ReadError, match="score=c/n"):
        read(path)
    assert sums(read(path, columns={"score": "c/n"})) == {("a", "q1"): (4, 1.0), ("a", "q2"): (4, 3.0)}


def test_dates_are_no_parts(tmp_path):
    (tmp_path / "a.csv").write_text("item,date,score\n" + "".join(f"q{i},1/{i + 1},{i % 2}\n" for i in range(9)))
    assert len(sums(read(tmp_path / "a.csv"))) == 9
    (tmp_path / "b.csv").write_text("item,score\nq1,1/2/2026\nq2,1/3/2026\n")
    with pytest.raises(ScorebarsError, match="is not a score"):
        read(tmp_path / "b.csv").cuts()


POINTS = [("q1", 2, 2), ("q2", 3, 5), ("q3", 1, 10), ("q4", 0, 5)]


@pytest.mark.parametrize(("score", "most"), [("score", "max_score"), ("points", "out_of"), ("Score", "Max Points")])
def test_points_of_unequal_maxima_are_asked_about(tmp_path, score, most):
    path = tmp_path / "a.csv"
    path.write_text(f"id,{score},{most}\n" + "".join(f"{i},{c},{n}\n" for i, c, n in POINTS))
    with pytest.raises(ReadError, match=rf"'{score}' counts points of '{most}'") as caught:
        read(path)
    remedy = next(note for note in caught.value.__notes__ if isinstance(note, Remedy))
    assert read(path, sql=remedy.options["--sql"]).tidy()["score"].tolist() == [1, 0.6, 0.1, 0]
    assert read(path, columns={"score": score}).tidy()["score"].tolist() == [2, 3, 1, 0]


@pytest.mark.parametrize(
    "rows", [[("q1", 2, 5), ("q2", 5, 5)], [("q1", 2, 1), ("q2", 5, 9)], [("q1", 2, ""), ("q2", 5, 9)]]
)
def test_points_of_one_maximum_and_above_it_are_scores(tmp_path, rows):
    path = tmp_path / "a.csv"
    path.write_text("id,score,max_score\n" + "".join(f"{i},{c},{n}\n" for i, c, n in rows))
    assert read(path).tidy()["score"].tolist() == [2, 5]
