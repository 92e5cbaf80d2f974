"""promptfoo: errors, prompts, repeats, named scores, its CSV, and the table of older versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.readers.logs_by_hand import PROMPTFOO, promptfoo_file, promptfoo_result
from tests.readers.parts_by_hand import cells, part_of

import scorebars as sb
from scorebars.errors import ReadError
from scorebars.readers.read import read

REAL = Path(__file__).parents[1] / "fixtures" / "promptfoo"
CSV = (REAL / "results.csv").read_text()


def write(folder, content, name="results.json"):
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def of(metric, part, *roles):
    return [row[1:] for row in cells(part, "metric", *roles) if row[0] == metric]


def table(outputs, prompts, **more):
    """The file of version 2: a row a test, an output a prompt."""
    body = [
        {"outputs": row, "vars": [str(n)], "test": {"vars": {"n": n}, "assert": []}} for n, row in enumerate(outputs)
    ]
    inner = {"version": 2, "timestamp": "2024-06-01", "results": [{"vars": {}, "success": True}]}
    return {"results": inner | {"table": {"head": {"prompts": prompts, "vars": ["n"]}, "body": body}} | more}


def output(passed, score=None, **named):
    return {"pass": passed, "score": float(passed) if score is None else score, "namedScores": named, "text": "…"}


def test_only_failure_reason_2_is_an_error(tmp_path):
    part = part_of(write(tmp_path, PROMPTFOO))
    assert of("success", part, "item", "status") == [("0", "ok"), ("1", "error"), ("2", "ok"), ("3", "ok")]


def judged(test, *parts, **more):
    """A result of several assertions: (passed, whether it is the judge that failed)."""
    components = [{"pass": passed, "metadata": {"graderError": True} if broken else {}} for passed, broken in parts]
    failed = not all(passed for passed, _ in parts)
    grading = {"pass": not failed, "componentResults": components}
    return promptfoo_result(test, score=float(not failed), reason=int(failed), gradingResult=grading, **more)


def test_a_judge_that_gave_no_verdict_is_an_error_though_its_reason_is_an_assertion(tmp_path):
    results = [
        judged(0, (True, False)),
        judged(1, (False, True)),
        judged(2, (True, False), (False, True)),
        judged(3, (False, False), (False, True)),
    ]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert of("success", part, "item", "status") == [("0", "ok"), ("1", "error"), ("2", "error"), ("3", "ok")]


def test_results_of_which_nothing_was_asserted_are_said_to_count_as_passed(tmp_path):
    free = promptfoo_result(1, gradingResult={"pass": True, "reason": "No assertions"})
    said = dict(part_of(write(tmp_path, promptfoo_file(promptfoo_result(0), free))).mapping)
    assert said["success"] == "the verdict; 1 of 2 had no assertion, and passed as in promptfoo"
    assert "success" not in dict(part_of(write(tmp_path, PROMPTFOO)).mapping)


def test_errors_count_as_not_passed_as_in_promptfoo_unless_dropped(tmp_path):
    scores = read(write(tmp_path, PROMPTFOO), metric="success")
    assert sb.estimate(scores)[0].value == pytest.approx(2 / 4)
    assert sb.estimate(scores.with_options(on_error="drop"))[0].value == pytest.approx(2 / 3)


def test_score_success_and_named_scores_are_metrics(tmp_path):
    results = [promptfoo_result(0, score=0.8), promptfoo_result(1, score=0.2, reason=1)]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert of("score", part, "score") == [(0.8,), (0.2,)]
    assert of("success", part, "score") == [(1.0,), (0.0,)]
    assert of("tone", part, "score") == [(0.4,), (0.1,)]
    assert part.score_range == (0.0, 1.0)


def test_a_named_score_that_a_result_lacks_though_its_test_asks_for_it_is_missing(tmp_path):
    results = [promptfoo_result(0), promptfoo_result(1, namedScores={})]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert of("tone", part, "status") == [("ok",), ("missing",)]
    assert "tone" not in dict(part.mapping)


def test_a_named_score_is_of_the_tests_that_ask_for_it_alone(tmp_path):
    """As promptfoo's own: two tests of four ask for it, with 0.5 and 0.3; the others are no zeros of it."""
    free = [promptfoo_result(n, namedScores={}, testCase={"vars": {"n": n}, "assert": []}) for n in (2, 3)]
    results = [promptfoo_result(0), promptfoo_result(1, score=0.6), *free]
    path = write(tmp_path, promptfoo_file(*results))
    [estimate] = sb.estimate(read(path, metric="tone"))
    assert (estimate.value, estimate.n_items) == (pytest.approx((0.5 + 0.3) / 2), 2)
    said = "namedScores of 2 of 4 results: the other tests do not ask for it"
    assert dict(part_of(path).mapping)["tone"] == said


def test_an_error_of_a_test_that_asks_for_a_named_score_is_an_error_of_it(tmp_path):
    """The assertions say so, those of a set too; and so does another result of the same test."""
    asking = {"vars": {"n": 1}, "assert": [{"type": "assert-set", "assert": [{"type": "is-json", "metric": "tone"}]}]}
    untold = {"vars": {"n": 2}, "assert": [{"type": "is-json", "metric": "{{which}}"}]}
    other = {"id": "other", "label": ""}
    results = [
        promptfoo_result(1, reason=2, testCase=asking),
        promptfoo_result(2, reason=2, testCase=untold),
        promptfoo_result(2, 1, provider=other, testCase=untold),
    ]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert of("tone", part, "item", "status") == [("1", "error"), ("2", "error"), ("2", "ok")]
    part = part_of(write(tmp_path, promptfoo_file(results[1], promptfoo_result(0))))
    assert of("tone", part, "item", "status") == [("0", "ok")]


def test_the_numbers_of_a_real_file_are_promptfoos_own():
    """Pass rate, mean score and named scores of each prompt and provider, as its table shows them."""
    for prompt in json.loads((REAL / "results.json").read_text())["results"]["prompts"]:
        own = prompt["metrics"]
        results = own["testPassCount"] + own["testFailCount"] + own["testErrorCount"]
        expected = {"success": own["testPassCount"] / results, "score": own["score"] / results}
        for metric, value in expected.items():
            for name, variant, digits in (("results.json", prompt["id"][:8], 9), ("results.csv", prompt["label"], 2)):
                scores = read(REAL / name, metric=metric, variant=variant).select(model=prompt["provider"])
                [estimate] = sb.estimate(scores)
                assert estimate.value == pytest.approx(value, abs=10.0**-digits), (name, prompt["provider"], metric)
                assert estimate.n_items == 2
        named = read(REAL / "results.json", metric="has", variant=prompt["id"][:8]).select(model=prompt["provider"])
        [estimate] = sb.estimate(named.with_options(on_error="drop"))
        assert estimate.value == pytest.approx(own["namedScores"]["has"] / own["namedScoreWeights"]["has"])
        assert estimate.n_items == 1


def test_a_real_file_has_the_roles_of_its_csv():
    roles = ("model", "item", "run", "metric", "status")
    whole, table = (sorted(cells(part_of(REAL / name), *roles)) for name in ("results.json", "results.csv"))
    assert [(model, run, metric, status) for model, _, run, metric, status in whole] == [
        (model, run, metric, status) for model, _, run, metric, status in table
    ]


def test_rows_of_the_csv_are_no_repeats_where_not_all_are_there_equally_often(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("".join(CSV.splitlines(keepends=True)[:-1]))
    part = part_of(path)
    assert "run" not in part.rows
    assert [item for (item,) in of("success", part, "item")][::4] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[bad] Say {{n}}", "Say {{n}}", "the column 'Say {{n}}' names no provider .* promptfoo export eval"),
        (",PASS,0.69", ",OK,0.69", "line 4: the Status 'OK' is none of PASS, FAIL, ERROR"),
        ('0.67,"{', '0.67,"[', "line 2: 'Named Scores' is no JSON"),
        ("FAIL,0.67", "FAIL,high", "line 2: 'Score': 'high' is not a number"),
    ],
)
def test_a_csv_that_is_not_promptfoos_says_where(tmp_path, old, new, sentence):
    path = tmp_path / "results.csv"
    path.write_text(CSV.replace(old, new))
    with pytest.raises(ReadError, match=sentence):
        read(path)


_JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites errors="0" failures="0" name="promptfoo" skipped="0" tests="1" time="0.131">
  <testsuite errors="0" failures="0" name="[plain] prompt 1" skipped="0" tests="1" time="0.025">
    <testcase classname="[plain] prompt 1" name="test 1" time="0.005"></testcase>
  </testsuite>
</testsuites>
"""


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("r.yaml", "evalId: eval-abc\nresults:\n  version: 3\n", "YAML"),
        ("r.xml", "<promptfoo>\n  <evalId>eval-abc</evalId>\n", "XML"),
        (
            "r.junit.xml",
            _JUNIT,
            "a JUnit report, in which repeats cannot be told from tests",
        ),
    ],
)
def test_what_else_promptfoo_writes_is_refused_with_the_command_for_json(tmp_path, name, content, what):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ReadError, match=rf"promptfoo's results as {what}.*promptfoo export eval ID -o results\.json"):
        read(path)


def test_the_label_names_the_model_where_there_is_one(tmp_path):
    labelled = promptfoo_result(0, provider={"id": "openai:gpt-4.1", "label": "warm"})
    models = read(write(tmp_path, promptfoo_file(labelled, promptfoo_result(1)))).models
    assert models == ("openai:gpt-4.1", "warm")


def test_prompts_of_one_provider_are_variants(tmp_path):
    results = [promptfoo_result(test, prompt) for test in (0, 1) for prompt in (0x1000, 0x2000)]
    results = [one | {"promptId": f"{one['promptIdx']:x}".ljust(64, "0")} for one in results]
    scores = read(write(tmp_path, promptfoo_file(*results)))
    assert scores.variants == ("10000000", "20000000")
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert "run" not in part.rows


def test_one_prompt_a_provider_is_no_variant(tmp_path):
    other = {"id": "other", "label": ""}
    results = [promptfoo_result(0, 0), promptfoo_result(0, 1, provider=other)]
    scores = read(write(tmp_path, promptfoo_file(*results)))
    assert (scores.variants, scores.models) == ((), ("openai:gpt-4.1", "other"))


def test_one_provider_twice_with_other_settings_is_told_apart_by_its_place(tmp_path):
    results = [promptfoo_result(0, place, promptId="a" * 64) for place in (0, 1)]
    assert read(write(tmp_path, promptfoo_file(*results))).variants == ("aaaaaaaa#0", "aaaaaaaa#1")


def test_repeats_are_runs_of_one_item(tmp_path):
    """``--repeat 3`` numbers 2 tests from 0 to 5; taken for items, the interval would be too narrow."""
    results = []
    for number in range(6):
        result = promptfoo_result(number, score=float(number % 2))
        asked = {"vars": {"n": number % 2, "sessionId": str(number)}}
        results.append(result | asked | {"testCase": result["testCase"] | asked})
    part = part_of(write(tmp_path, promptfoo_file(*reversed(results))))
    assert of("score", part, "item", "run") == [
        ("0", "1"), ("1", "1"), ("0", "2"), ("1", "2"), ("0", "3"), ("1", "3"),
    ]  # fmt: skip


def test_repeats_of_a_test_without_variables_are_runs(tmp_path):
    results = [promptfoo_result(n, vars={}, testCase={"vars": {}, "assert": []}) for n in range(2)]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert of("score", part, "item", "run") == [("0", "1"), ("0", "2")]


def test_tests_whose_variables_were_stripped_are_not_taken_for_repeats(tmp_path):
    results = [promptfoo_result(n, vars={}, testCase={"assert": []}) for n in range(3)]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert [item for (item,) in of("score", part, "item")] == ["0", "1", "2"]
    assert "run" not in part.rows


def test_the_same_variables_with_another_assertion_are_another_item(tmp_path):
    results = [
        promptfoo_result(n, vars={"q": 1}, testCase={"vars": {"q": 1}, "assert": [{"value": n}]}) for n in range(2)
    ]
    part = part_of(write(tmp_path, promptfoo_file(*results)))
    assert "run" not in part.rows


def test_lines_are_read_as_the_file_is(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in PROMPTFOO["results"]["results"]))
    whole = part_of(write(tmp_path, PROMPTFOO))
    roles = ("model", "item", "metric", "status")
    assert cells(part_of(path), *roles) == cells(whole, *roles)


def test_the_older_table_is_read(tmp_path):
    prompts = [{"provider": "openai:gpt-4", "label": "short"}, {"provider": "openai:gpt-4", "label": "long"}]
    rows = [[output(True), output(False, 0.5, tone=1)], [output(False), output(True)]]
    part = part_of(write(tmp_path, table(rows, prompts)))
    assert of("success", part, "item", "variant", "score") == [
        ("0", "short", 1.0), ("0", "long", 0.0), ("1", "short", 0.0), ("1", "long", 1.0),
    ]  # fmt: skip
    assert "does not tell errors" in dict(part.mapping)["status"]


def test_a_file_that_begins_with_a_version_of_its_own_is_read_alike(tmp_path):
    inner = table([[output(True)], [output(False)]], [{"provider": "openai:gpt-4", "label": "short"}])
    for place, start in enumerate(({"version": 2}, {"version": 3, "createdAt": "2024-06-01T00:00:00.000Z"})):
        part = part_of(write(tmp_path, start | inner | {"config": {}}, f"{place}.json"))
        assert of("success", part, "item", "score") == [("0", 1.0), ("1", 0.0)]


def test_the_older_table_without_what_names_its_model_is_refused(tmp_path):
    with pytest.raises(ReadError, match="has no 'provider', so that its model is not known"):
        read(write(tmp_path, table([[output(True)]], [{"label": "a"}])))
    with pytest.raises(ReadError, match="record 1 has 1 outputs, and the table 2 prompts"):
        read(write(tmp_path, table([[output(True)]], [{"provider": "a"}, {"provider": "b"}])))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (promptfoo_file(), "holds no result"),
        ({"results": {"version": 2, "results": [{"success": True}]}}, "have no 'testIdx' and there is no 'table'"),
        (promptfoo_file(promptfoo_result(0) | {"score": "high"}), "'score' is text, not a number"),
        (promptfoo_file(promptfoo_result(0, failureReason="x")), "'failureReason' is text"),
        (promptfoo_file({"testIdx": 0}), "record 1 has no 'provider'"),
    ],
)
def test_what_is_no_result_says_why(tmp_path, content, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, content))


def test_a_newer_version_is_said(tmp_path):
    results = [promptfoo_result(n) for n in range(3)]
    content = promptfoo_file(*results)
    assert "unknown-version" not in {note.code for note in part_of(write(tmp_path, content)).notes}
    content["results"]["version"] = 99
    (said,) = [note for note in part_of(write(tmp_path, content)).notes if note.code == "unknown-version"]
    assert "a results file of promptfoo of version 99, and up to 3 is known" in str(said)
