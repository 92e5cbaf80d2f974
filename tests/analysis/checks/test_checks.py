"""The parts of the checks, against what was not written here: simulated luck, pandas, hand-made ids."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.checks.tables import answers, csv_of, doctor, from_files, rows, write

import scorebars as sb
from scorebars.analysis.checks.evidence import swaps
from scorebars.analysis.checks.near_duplicates import alike
from scorebars.analysis.id_families import families_of
from scorebars.analysis.swapped import swapped_share
from scorebars.engines.same_bytes import same_bytes
from scorebars.readers.published import published_errors
from scorebars.results.diagnosis import Severity


def codes(diagnosis):
    return [finding.code for finding in diagnosis.findings]


def only(diagnosis, code):
    (finding,) = [finding for finding in diagnosis.findings if finding.code == code]
    return finding


# swapped axes


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (26, 3), (3, 26), (100, 26), (500, 8)])
@pytest.mark.parametrize("binary", [False, True])
def test_luck_alone_is_no_swap(shape, binary):
    # Each table is a false alarm with a chance of at most 1e-6.
    rng = np.random.default_rng(5)
    for _ in range(100):
        scores = rng.normal(size=shape)
        assert swapped_share((scores > 0).astype(float) if binary else scores) == 0.0


@pytest.mark.parametrize("seeds", [2, 3, 10])
def test_games_that_differ_are_told_from_seeds_that_do_not(seeds):
    rng = np.random.default_rng(6)
    games = 10.0 ** rng.uniform(0, 5, 26)
    right = rng.gamma(3.0, games, (seeds, 26))  # (runs, tasks)
    assert swapped_share(right.T) == 0.0
    assert swapped_share(right) > 0.5


def test_few_units_that_put_many_runs_in_one_order_are_a_swap():
    ladder = 10.0 * np.arange(8) + 0.1 * np.arange(3)[:, None]  # by chance once in 40,320² tables
    assert swapped_share(ladder) > 0.9
    assert swapped_share(np.minimum(ladder, 40.0)) > 0.9  # four runs tie: once in (8!/4!)² = 1,680²
    assert swapped_share(ladder[:, :6]) == 0.0  # once in 720² = 518,400
    assert swapped_share(np.where(ladder > 35.0, 1.0, 0.0)) == 0.0  # halves: once in 70²
    ladder[1, :2] = ladder[1, 1::-1]
    assert swapped_share(ladder) > 0.9  # and where one pair is exchanged, by the analysis of variance


def test_a_seed_that_fails_everywhere_is_no_swap():
    rng = np.random.default_rng(7)
    scores = rng.normal(rng.normal(0.5, 0.2, (26, 1)), 0.05, (26, 5))
    scores[:, 2] -= 0.2
    assert swapped_share(scores) == 0.0


def test_estimate_notes_swapped_axes():
    rng = np.random.default_rng(8)
    right = rng.normal(rng.normal(0.5, 0.3, 26), 0.1, (12, 26))
    notes = {
        axes: sb.estimate(sb.Scores.from_arrays({"a": right}, axes=axes))[0].notes
        for axes in (("run", "task"), ("task", "run"))
    }
    assert "swapped-axes" not in {note.code for note in notes["run", "task"]}
    (said,) = [note for note in notes["task", "run"] if note.code == "swapped-axes"]
    assert "between the 26 runs and next to none between the 12 tasks" in said.message
    assert "(task='COLUMN', run='COLUMN')" in said.message
    assert "--" not in said.message


# near duplicates


@pytest.mark.parametrize(
    ("labels", "groups"),
    [
        (["Q1", "q1"], [[0, 1]]),
        (["article_tracking", "article-tracking", "article tracking"], [[0, 1, 2]]),
        (["q01", "q1", "q001"], [[0, 1, 2]]),
        (["a  b", "a_b "], [[0, 1]]),
        (["1.1", "1.10", "1.01"], []),
        (["q10", "q100"], []),
        (["10", "100", "0", "00"], [[2, 3]]),
        (["é", "e\u0301"], [[0, 1]]),
        (["a\nb", "A b"], [[0, 1]]),
        (["x", "y"], []),
    ],
)
def test_alike(labels, groups):
    assert alike(labels) == groups


@given(st.lists(st.text(alphabet="aB0-_ 1\n.", max_size=6), max_size=8, unique=True))
def test_alike_does_not_depend_on_company(labels):
    pairs = {(a, b) for group in alike(labels) for a in group for b in group if a < b}
    single = {(a, b) for b in range(len(labels)) for a in range(b) if alike([labels[a], labels[b]])}
    if not any("\n" in label for label in labels):
        assert pairs == single


def test_spellings_of_one_model_may_be_two_items():
    columns = answers(models=("a", "b"), items=40, spell=lambda _model, item: "Qq"[item % 2] + str(item // 2))
    finding = only(doctor(rows(**columns)), "near-duplicate-items")
    assert finding.severity is sb.Severity.KNOW
    assert finding.message.startswith("20 items have several spellings")


# repeats


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([f"q{i}_run{r}" for i in range(10) for r in range(3)], (10, 3, True)),
        ([f"q{i} (seed {r})" for i in range(10) for r in range(3)], (10, 3, True)),
        ([f"{i}" + (f".{r}" if r else "") for i in range(10) for r in range(4)], (10, 4, True)),
        ([f"{i}_{r}" for i in range(10) for r in range(4)], (10, 4, False)),
        ([f"django__django-{i}" for i in range(40)], None),
        ([f"HumanEval/{i}" for i in range(164)], None),
        ([f"{i}.{j}" for i in range(10) for j in range(i + 1)], None),
        ([f"q{i}" for i in range(100)], None),
        (["1", "1.1", "2", "3", "4", "5"], None),
        ([], None),
    ],
)
def test_families_of_ids(labels, found):
    families = families_of(labels)
    assert (families and (families.n, families.size, families.worded)) == found


def test_numbered_parts_whose_scores_do_not_agree_are_left_alone():
    rng = np.random.default_rng(9)
    labels = [f"{i}_{r}" for i in range(30) for r in range(4)]
    scores = rng.integers(0, 2, 120)
    assert codes(doctor(rows(model=["a"] * 120, item=labels, score=scores))) == []


# the same under two names


def test_same_bytes_opens_only_what_may_be_equal(tmp_path):
    texts = {"a": "xy", "b": "xy", "c": "xz", "d": "xyz", "e": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "f").symlink_to(tmp_path / "a")
    (tmp_path / "empty").write_text("", encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("a", "b", "c", "d", "e", "f", "empty", "a", "no such")]
    assert same_bytes([*paths, "<standard input>", "\0"]) == [(paths[0], paths[1])]


def test_two_nearly_perfect_models_are_not_called_the_same():
    scores = [0.0 if i == 7 else 1.0 for i in range(50)]
    assert codes(doctor(rows(model=["a"] * 50 + ["b"] * 50, item=[*range(50)] * 2, score=scores * 2))) == []


def test_equal_scores_weigh_by_what_chance_would_do():
    rng = np.random.default_rng(12)
    hard = rng.random(400)

    def severity(n, *, others):
        scores = (rng.random((2 + others, n)) < hard[:n]).astype(float)
        scores[1] = scores[0]
        models = [f"m{place:03d}" for place in range(2 + others)]
        table = {"model": np.repeat(models, n), "item": np.tile(np.arange(n), 2 + others), "score": scores.ravel()}
        found = [f.severity for f in sb.doctor(sb.Scores(table)).findings if f.code == "identical-files"]
        return found and found[0]

    assert severity(400, others=0) is sb.Severity.CHANGES
    assert severity(40, others=0) is sb.Severity.KNOW
    assert severity(60, others=3) is sb.Severity.CHANGES
    assert severity(25, others=200) == []


def test_equal_returns_are_no_chance():
    values = np.random.default_rng(13).normal(size=12)
    table = {"model": ["a"] * 12 + ["b"] * 12, "item": [*range(12)] * 2, "score": [*values, *values]}
    assert only(sb.doctor(sb.Scores(table)), "identical-files").severity is sb.Severity.CHANGES


# policies and item sets, with numbers from pandas


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_swaps_are_the_pairs_whose_order_changes(before, after):
    one, other = np.array(before), np.array(after[: len(before)])
    expected = [
        (i, j)
        for i in range(len(one))
        for j in range(len(one))
        if one[i] - one[j] > 1e-9 and other[j] - other[i] > 1e-9
    ]
    assert swaps(one, other) == expected


def test_both_rates_and_the_reversal():
    frame = pd.DataFrame(
        [("a", i, 1.0 if i < 60 else 0.0) for i in range(100)]
        + [("b", i, np.nan if i < 20 else (1.0 if i < 72 else 0.0)) for i in range(100)],
        columns=["model", "item", "score"],
    )
    finding = only(sb.doctor(sb.Scores(frame)), "missing-scores")
    wrong = frame.fillna(0.0).groupby("model")["score"].mean()
    dropped = frame.groupby("model")["score"].mean()
    assert (wrong["b"], dropped["b"]) == (0.52, 0.65)
    assert "20 of 100 attempts (20.0 %)" in finding.message
    assert "52.0 % if they count as wrong, 65.0 % if dropped" in finding.message
    assert "reverses the order of two models, such as 'b' and 'a'" in finding.message
    assert finding.severity is sb.Severity.CHANGES
    assert finding.data["b"] == {"missing": 20, "if_wrong": pytest.approx(0.52), "if_dropped": pytest.approx(0.65)}


def test_a_few_missing_scores_are_only_worth_knowing():
    scores = [np.nan if i == 3 else float(i % 2) for i in range(100)]
    finding = only(doctor(rows(model=["a"] * 100, item=[*range(100)], score=scores)), "missing-scores")
    assert finding.severity is sb.Severity.KNOW


def test_attrition_that_changes_places():
    frame = pd.DataFrame(
        [("a", i, float(i >= 10)) for i in range(100)]
        + [("b", i, float(i % 10 > 0)) for i in range(10, 100)]
        + [("b", i, 1.0) for i in range(100, 140)],
        columns=["model", "item", "score"],
    )
    finding = only(sb.doctor(sb.Scores(frame)), "attrition")
    own = frame.groupby("model")["score"].mean()
    shared = frame[frame["item"].between(10, 99)].groupby("model")["score"].mean()
    assert own["b"] > own["a"]
    assert shared["b"] < shared["a"]
    assert f"'b' {100 * own['b']:.1f} %" not in finding.message
    assert "100 ('a') to 130, with 90 in common" in finding.message
    assert f"'b' {100 * shared['b']:.1f} % and 'a' {100 * shared['a']:.1f} %" in finding.message
    assert f"instead of {100 * own['b']:.1f} % and {100 * own['a']:.1f} %" in finding.message


def test_the_task_that_weighs_too_much():
    frame = pd.DataFrame(
        [(m, "long", i, float(i % 10 < (3 if m == "a" else 4))) for m in "ab" for i in range(400)]
        + [(m, "short", i, float(i % 10 < (8 if m == "a" else 6))) for m in "ab" for i in range(20)],
        columns=["model", "task", "item", "score"],
    )
    finding = only(sb.doctor(sb.Scores(frame)), "task-weights")
    macro = frame.groupby(["model", "task"])["score"].mean().groupby("model").mean()
    micro = frame.groupby("model")["score"].mean()
    assert (macro["a"] > macro["b"], micro["a"] < micro["b"]) == (True, True)
    assert finding.severity is sb.Severity.CHANGES
    assert finding.data["macro"] in [pytest.approx(x) for x in macro]
    assert codes(sb.doctor(sb.Scores(frame).pooled())) == []


def test_a_reader_that_counts_its_errors(tmp_path):
    columns = answers(models=("a",), items=40)
    columns["error"] = ["timeout" if i < 5 else "" for i in range(40)]
    columns["score"] = ["" if i < 5 else s for i, s in enumerate(columns["score"])]
    finding = only(from_files(csv_of(tmp_path, "a.csv", columns)), "error-rows")
    assert "'a' has 5 of 40 attempts (12.5 %) that ended in an error" in finding.message


# what results files print of their own uncertainty


def test_published_errors_by_hand(tmp_path):
    results = {"toy": {"acc,none": 0.4, "acc_stderr,none": 0.0, "em,none": 1.0, "em_stderr,none": 0, "n": 3}}
    results["odd"] = {"alias": "odd", "acc": 0.5, "acc_stderr": "N/A", "f1": 0.5, "f1_stderr": 0.01}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": results}), encoding="utf-8")
    found = published_errors(path)
    assert (found.total, found.undefined) == (4, ("odd acc",))
    assert found.zero == (("toy acc,none", 0.4), ("toy em,none", 1.0))


def test_published_errors_of_a_table(tmp_path):
    path = write(tmp_path, "board.csv", "model,acc,acc_stderr", "x,0.5,0.0", "y,0.6,0.1", "z,0.7,")
    found = published_errors(path)
    assert (found.total, found.zero, found.undefined) == (3, (("x acc_stderr", 0.5),), ("z acc_stderr",))


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"acc_stderr": [0.0]}', "stderr", '{"stderr":' * 3000])
def test_published_errors_of_what_is_none(tmp_path, text):
    path = write(tmp_path, "odd.json", text)
    assert published_errors(path) is None
    assert published_errors(tmp_path / "missing.json") is None


def test_an_average_with_a_standard_error_of_0_is_refused_with_that_number(tmp_path):
    from scorebars.readers.survey import survey

    path = tmp_path / "results_2026.json"
    results = {"toy": {"acc,none": 0.4, "acc_stderr,none": 0.0}}
    path.write_text(json.dumps({"results": results, "configs": {}, "n-shot": {}, "versions": {}}), encoding="utf-8")
    with pytest.raises(sb.ReadError, match="1 of 1 standard errors in it are exactly 0"):
        survey([str(path)])


# the whole


def test_a_table_that_estimate_refuses_is_looked_at_all_the_same():
    columns = answers(spell=lambda model, item: f"{'Q' if model == 'a' else 'q'}{item}")
    columns = {name: [*column, column[0]] for name, column in columns.items()}
    columns["score"][-1] = 1.0 - columns["score"][0]
    assert {"refused", "near-duplicate-items", "nothing-shared"} <= set(codes(doctor(rows(**columns))))


def test_scores_that_form_no_table_are_a_finding(tmp_path):
    with_cluster = csv_of(tmp_path, "a.csv", answers(models=("a",)) | {"cluster": ["c"] * 40})
    without = csv_of(tmp_path, "b.csv", answers(models=("b",)))
    found = from_files(with_cluster, without)
    assert found.changes_a_conclusion
    assert any("cluster" in finding.message for finding in found.findings)


def test_the_order_of_rows_and_files_does_not_matter(tmp_path):
    columns = answers(spell=lambda model, item: f"{'Q' if model == 'a' else 'q'}{item}")
    order = np.random.default_rng(10).permutation(80)
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    assert doctor(rows(**columns)).findings == doctor(rows(**shuffled)).findings


def test_a_diagnosis_is_data():
    found = doctor(rows(**answers(items=5)))
    assert "few-items" in [row["code"] for row in found.to_dicts()]
    assert json.loads(found.to_json())["results"][0]["data"] == {}
    assert "few-items" in found._repr_html_()
    assert str(found).startswith("nothing found that would change a conclusion; ")


@pytest.mark.parametrize("metric", [None, "acc"])
@pytest.mark.parametrize("runs", [1, 4])
def test_the_proposed_calls_run(runs, metric):
    columns = answers(models=("a", "b'c", "d"), runs=runs)
    if metric:
        columns = {name: column * 2 for name, column in columns.items()}
        columns["metric"] = ["acc"] * (len(columns["item"]) // 2) + ["f1"] * (len(columns["item"]) // 2)
    scores = rows(**columns)
    found = doctor(scores)
    assert len(found.commands) == 2
    for call in found.commands:
        assert eval(call, {"sb": sb, "scores": scores})  # noqa: S307 - what people are told to type


def test_what_is_no_score_table_is_said():
    with pytest.raises(sb.ArgumentError, match=r"sb\.read"):
        sb.doctor("results.csv")


SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared/data")
class TestRealFiles:
    def test_attempts_of_matharena_are_no_questions(self):
        path = SHARED / "small_tables/matharena_aime_II.csv"
        frame = pd.read_csv(path, dtype=str)
        assert frame["Question"].str.partition(".")[0].value_counts().tolist() == [4] * 15
        found = from_files(path)
        assert codes(found) == ["repeats-as-items", "wide-models"]
        assert "60 items are 15 groups of 4, such as '1', '1.1', '1.2', '1.3'" in found.findings[0].message

    def test_submissions_that_spell_their_items_in_two_ways(self):
        path = SHARED / "chi_bench/chi_bench_trials.csv"
        items = pd.read_csv(path)["task"].drop_duplicates()
        twice = items.str.rpartition("/")[2].value_counts()
        found = from_files(path, columns={"model": "agent+model", "task": "domain", "item": "task"})
        finding = only(found, "near-duplicate-items")
        assert finding.message.startswith(f"{int((twice > 1).sum())} items have several ids")
        assert found.changes_a_conclusion

    @pytest.mark.parametrize("name", ["SPR", "DER", "DrQ", "OTRainbow", "PlayVirtual", "SimPLe"])
    def test_atari_returns_either_way(self, name):
        games = json.loads((SHARED / f"atari_100k/{name}.json").read_text())
        right = np.array([games[game] for game in sorted(games)]).T
        assert "swapped-axes" not in codes(sb.doctor(sb.Scores.from_arrays({name: right})))
        assert "swapped-axes" in codes(sb.doctor(sb.Scores.from_arrays({name: right.T})))

    def test_a_thinned_out_samples_file_and_a_standard_error_of_0(self):
        found = from_files(SHARED / "lm_eval")
        assert "counts 5,000 documents, the samples file has 10" in only(found, "header-disagrees").message
        results = json.loads((SHARED / "lm_eval/results_2026-01-21T03-44-18.458309.json").read_text())["results"]
        errors = [v for task in results.values() for k, v in task.items() if "_stderr" in k]
        zero = next(f for f in found.findings if f.code == "zero-stderr" and "2026-01-21" in f.message)
        assert f"exactly 0 for {errors.count(0.0)} of {len(errors)} scores" in zero.message

    @pytest.mark.parametrize("name", ["classifiers", "lm_eval", "inspect"])
    def test_the_examples_have_nothing_that_would_change_a_conclusion(self, name):
        assert not from_files(Path(__file__).parents[3] / "examples" / name).changes_a_conclusion


# scales


def test_percent_signs_beside_numbers_are_said_once_and_the_rest_is_looked_at():
    signed = sb.Scores({"model": ["a", "a", "b", "b"], "item": ["1", "2"] * 2, "score": ["85%", "40%", "62", "50"]})
    found = doctor(signed)
    said = only(found, "mixed-scale")
    assert said.severity.value == "would change a conclusion"
    assert "'85%', which is 0.85" in said.message
    assert said.remedy == "write the sign in every cell or in none (2 of 4 have it)"
    assert [holding.model for holding in found.holdings] == ["a", "b"]


def test_metrics_of_which_less_is_better_are_one_finding():
    names = ["loss", "wer", "mae", "acc", "mse"]
    columns = {"model": ["a"] * 10, "item": ["1"] * 5 + ["2"] * 5, "metric": names * 2}
    found = only(doctor(sb.Scores({**columns, "score": np.arange(10) / 10})), "less-is-better")
    assert found.message.startswith("the name of 'loss', 'mae', 'mse' and 1 more says that less is better")


def test_percentages_beyond_100_change_a_conclusion_unless_the_range_is_said(tmp_path):
    columns = answers()
    signs = [f"{60 + 4 * (n % 9)}%" for n in range(len(columns["score"]))]
    path = csv_of(tmp_path, "a.csv", columns | {"score": signs})
    assert "converted" not in codes(from_files(path))
    path = csv_of(tmp_path, "b.csv", columns | {"score": ["120%", *signs[1:]]})
    found = only(from_files(path), "converted")
    assert found.severity is Severity.CHANGES
    assert "1 row below 0 or above 100 %: '120%'" in found.message
    assert "converted" not in codes(from_files(path, range=(0.0, 2.0)))


# models that are folders


@pytest.mark.parametrize(("stem", "found"), [("results", False), ("gpt-5", True)])
def test_folders_are_models_where_every_file_has_the_same_plain_name(tmp_path, stem, found):
    for model in ("a", "b"):
        columns = answers(models=(model,))
        del columns["model"]
        (tmp_path / model).mkdir()
        pd.DataFrame(columns).to_csv(tmp_path / model / f"{stem}.csv", index=False)
    diagnosis = sb.doctor(sb.read(tmp_path))
    assert diagnosis.findings is not None
    assert ("same-model-name" in codes(diagnosis)) is found
