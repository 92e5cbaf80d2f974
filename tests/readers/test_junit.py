"""JUnit XML: outcomes, properties, the model in the brackets, and what is refused."""

from __future__ import annotations

import re

import pytest
from tests.readers.real import SHARED, means, read_real, real

from scorebars.errors import ReadError
from scorebars.readers.read import read

PASSED = '<testcase classname="c" name="t[gpt-4o-HumanEval/0]" />'
FAILED = '<testcase classname="c" name="t[gpt-4o-HumanEval/1]"><failure message="x">y</failure></testcase>'
ERROR = '<testcase classname="c" name="t[gpt-4o-HumanEval/2]"><error message="x">y</error></testcase>'
SKIPPED = '<testcase classname="c" name="t[gpt-4o-HumanEval/3]"><skipped message="x" /></testcase>'


def write(folder, *cases, start='<?xml version="1.0"?>'):
    path = folder / "report.xml"
    path.write_text(f'{start}<testsuites><testsuite name="s">{"".join(cases)}</testsuite></testsuites>')
    return path


def scored(name, **properties):
    said = "".join(f'<property name="{key}" value="{value}" />' for key, value in properties.items())
    return f'<testcase classname="c" name="{name}"><properties>{said}</properties></testcase>'


def test_outcomes(tmp_path):
    scores = read(write(tmp_path, PASSED, FAILED, ERROR, SKIPPED))
    assert means(scores) == {"report": (2, 0.5)}
    assert means(scores.with_options(on_error="wrong")) == {"report": (4, 0.25)}


def test_properties_say_what_a_test_is(tmp_path):
    cases = [scored("t[m-q1-0]", model="m", item="q1", run="0", score="0.25", task="sums"), PASSED]
    scores = read(write(tmp_path, cases[0]))
    (cut,) = scores.cuts().cuts
    assert (scores.models, scores.tasks, cut.sample.score.tolist()) == (("m",), ("sums",), [0.25])


def test_a_score_beside_a_failure_counts(tmp_path):
    case = scored("t", model="m", score="0.5").replace("</testcase>", "<failure>no</failure></testcase>")
    assert means(read(write(tmp_path, case))) == {"m": (1, 0.5)}


def test_the_item_is_the_name_without_the_model(tmp_path):
    path = write(tmp_path, scored("t[a-q-1]", model="a"), scored("t[q-1-b]", model="b"))
    assert list(read(path)._state.rows.counts("item")) == ["c.t[q-1]"]


def test_a_pattern_cuts_the_model_from_the_name(tmp_path):
    path = write(tmp_path, PASSED, FAILED)
    scores = read(path, columns={"model": "[{model}-HumanEval/{item}]"})
    assert (scores.models, list(scores._state.rows.counts("item"))) == (("gpt-4o",), ["0", "1"])


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"model": "name"}, "has no place for the model"),
        ({"model": "<{model}>"}, r"fits no test, such as 't\[gpt-4o-HumanEval/0\]'"),
        ({"run": "name"}, "has no place for the run"),
        ({"run": "<{run}>"}, r"the pattern for the run fits no test, such as 't\[gpt-4o-HumanEval/0\]'"),
        ({"model": "{class}", "run": "{suites}"}, "has no place for the run; write it as .* or as {suite}"),
        ({"item": "name"}, "'item' cannot be mapped in a JUnit report"),
    ],
)
def test_patterns_that_do_not_fit(tmp_path, columns, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, PASSED), columns=columns)


BOMB = '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BOMB + "]><testsuites>&k;</testsuites>", "declares a document type or an entity"),
        ('<!DOCTYPE t SYSTEM "file:///etc/passwd"><testsuites/>', "declares a document type"),
        ("<testsuites></testsuites>", "no test case"),
        ("<testsuites><testcase/></testsuites>", "a testcase without a name"),
        ("<testsuites><testcase name='x'", "truncated"),
        ("<testsuites><testcase name='x'></wrong></testsuites>", "mismatched tag in line 1"),
        ("<testsuites>" + "<a>" * 200, "nested too deeply"),
        (f"<testsuites>{scored('t', score='high')}</testsuites>", "the score 'high' is no number"),
        (f"<testsuites>{scored('t', score='inf')}</testsuites>", "the score 'inf' is infinite"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, text, sentence):
    path = tmp_path / "report.xml"
    path.write_text(text)
    with pytest.raises(ReadError, match=sentence):
        read(path)


class TestReal:
    pytestmark = real

    def test_scores_of_the_raw_report(self):
        text = (SHARED / "junit" / "pytest_humaneval.junit.xml").read_text()
        cases = re.findall(r"<testcase .*?(?:</testcase>|/>(?=<testcase|</testsuite))", text, flags=re.DOTALL)
        raw = {}
        for case in cases:
            model = re.search(r'name="model" value="([^"]+)"', case)[1]
            skipped = "<skipped" in case
            raw.setdefault(model, []).append(None if skipped else float(re.search(r'"score" value="([^"]+)"', case)[1]))
        found = means(read_real("junit/pytest_humaneval.junit.xml"))
        assert sum(map(len, raw.values())) == 80
        for model, values in raw.items():
            known = [value for value in values if value is not None]
            assert found[model] == (len(known), pytest.approx(sum(known) / len(known)))


GOOGLETEST = """<testsuites tests="3" failures="0" disabled="2" errors="0" name="AllTests">
  <testsuite name="S" tests="3" failures="0" disabled="2" skipped="0" errors="0">
    <testcase name="A" status="run" result="completed" classname="S"/>
    <testcase name="DISABLED_B" status="notrun" result="suppressed" classname="S"/>
    <testcase name="C" status="disabled" classname="S"/>
  </testsuite>
</testsuites>"""


def test_tests_that_were_not_run_are_missing(tmp_path):
    path = tmp_path / "r.xml"
    path.write_text(GOOGLETEST)
    cut = read(path).cuts().cuts[0]
    assert cut.sample.score.tolist() == [1.0]
    assert "2 of 3 attempts without a score, dropped" in " ".join(map(str, cut.notes))


def test_a_test_that_passed_when_it_was_run_again_is_said(tmp_path):
    path = tmp_path / "r.xml"
    path.write_text(
        '<testsuite name="s" tests="4" failures="2" errors="0">'
        '<testcase name="a"><flakyFailure message="x"/></testcase><testcase name="b"/>'
        '<testcase name="c"><failure/><rerunFailure/></testcase><testcase name="d"><failure/><flakyFailure/></testcase>'
        "</testsuite>"
    )
    scores = read(path)
    assert dict(zip(*(scores.tidy()[key] for key in ("item", "score")), strict=True)) == {
        "a": 1,
        "b": 1,
        "c": 0,
        "d": 0,
    }
    [said] = [note for part in scores._state.view.parts for note in part.notes]
    assert (said.code, said.data["n"], said.data["total"]) == ("flaky-tests", 1, 4)
    path.write_text('<testsuite name="s"><testcase name="a"><rerunFailure/></testcase><testcase name="b"/></testsuite>')
    assert sorted(read(path).tidy()["score"]) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("t[{model}-HumanEval/{item}]", "[{model}-HumanEval/{item}]"),
        ("t[{model}-{item}]", "[{model}-{item}]"),
        ("t[q_{item}-{model}]", "[{item}-{model}]"),
    ],
)
def test_names_of_several_models_are_said_with_the_pattern_that_tells_them_apart(tmp_path, name, pattern):
    models = ("opus", "gpt_4") if "{model}-{item}" in name or "q_" in name else ("claude-3", "gpt-4o", "gpt-4")
    names = [(name.format(model=model, item=item), model == models[0]) for model in models for item in range(12)]
    cases = [f'<testcase name="{one}">{"" if right else "<failure />"}</testcase>' for one, right in names]
    path = write(tmp_path, *cases)
    (said,) = [str(note) for note in read(path).cuts().notes if note.code == "names-of-models"]
    assert said.endswith(f'--map "model={pattern}"')
    found = read(path, columns={"model": pattern})
    assert found.models == tuple(sorted(models))
    assert means(found) == {model: (12, float(model == models[0])) for model in models}
    assert "names-of-models" not in {note.code for note in found.cuts().notes}
    one = read(write(tmp_path, *cases[:12]))
    assert "names-of-models" not in {note.code for note in one.cuts().notes}


@pytest.mark.parametrize(
    ("models", "items", "name", "pattern"),
    [
        (("opus", "gpt"), ("math", "code"), "t[{model}-{item}]", "[{model}-{item}]"),
        (("a", "b", "c"), ("HumanEval/0", "HumanEval/1"), "t[{model}-{item}]", "[{model}-HumanEval/{item}]"),
        (("a", "b", "c"), ("0", "1"), "t[{item}-{model}]", "[{item}-{model}]"),
    ],
)
def test_as_few_items_as_models_are_said_too(tmp_path, models, items, name, pattern):
    cases = [f'<testcase name="{name.format(model=model, item=item)}"/>' for model in models for item in items]
    path = write(tmp_path, *cases)
    (said,) = [str(note) for note in read(path).cuts().notes if note.code == "names-of-models"]
    assert said.endswith(f'--map "model={pattern}"')
    assert read(path, columns={"model": pattern}).models == tuple(sorted(models))


def test_a_pattern_that_would_not_tell_the_models_apart_is_not_proposed(tmp_path):
    names = [f"t[{model}-{item}]" for model in ("opus", "gpt-4") for item in ("math", "code")]
    scores = read(write(tmp_path, *[f'<testcase name="{name}"/>' for name in names]))
    (said,) = [str(note) for note in scores.cuts().notes if note.code == "names-of-models"]
    assert said.endswith("if those are models: record each as the property 'model' of its test")


def test_subtests_that_pytest_counts_are_no_difference(tmp_path):
    """pytest 9.2: a suite of 18 tests with 15 in it, of which one had three subtests; fewer than there are is one."""
    suite = '<testsuite name="{}" errors="0" failures="1" skipped="0" tests="{}">' + PASSED + FAILED + "</testsuite>"
    path = tmp_path / "report.xml"
    for name, said, differs in (("pytest", 5, False), ("pytest", 1, True), ("other", 5, True), ("pytest", 2, False)):
        path.write_text(f"<testsuites>{suite.format(name, said)}</testsuites>")
        codes = {note.code for note in read(path).parts[0].notes}
        assert ("header-disagrees" in codes) is differs, (name, said)


def test_tests_of_one_name_in_several_suites_are_not_runs_of_one(tmp_path):
    """As node's own runner (22) writes them: every test has the class 'test'."""
    suite = '<testsuite name="{}" tests="2"><testcase name="q0" classname="test"/><testcase name="q1" classname="test">'
    suite += "<failure>no</failure></testcase></testsuite>"
    path = tmp_path / "report.xml"
    path.write_text(f"<testsuites>{suite.format('sums')}{suite.format('words')}</testsuites>")
    (cut,) = read(path).cuts().cuts
    assert cut.sample.score.tolist() == [1.0, 0.0, 1.0, 0.0]
    assert list(read(path)._state.rows.counts("item")) == [
        "sums.test.q0", "sums.test.q1", "words.test.q0", "words.test.q1",
    ]  # fmt: skip
    path.write_text(f"<testsuites>{suite.format('sums')}</testsuites>")
    assert list(read(path)._state.rows.counts("item")) == ["test.q0", "test.q1"]


def test_suites_of_models_that_their_tests_name_share_their_items(tmp_path):
    suites = [f'<testsuite name="of {model}">{scored("q", model=model)}</testsuite>' for model in "ab"]
    path = tmp_path / "report.xml"
    path.write_text(f"<testsuites>{''.join(suites)}</testsuites>")
    assert list(read(path)._state.rows.counts("item")) == ["c.q"]


def suites(folder, names, tests, group="c"):
    """A report with a suite of each name, in which each test passes that its function says."""
    inside = "".join(
        f'<testsuite name="{name}">'
        + "".join(
            f'<testcase classname="{group.format(name)}" name="{test}">{"" if passed else "<failure />"}</testcase>'
            for test, passed in tests(name)
        )
        + "</testsuite>"
        for name in names
    )
    path = folder / "report.xml"
    path.write_text(f"<testsuites>{inside}</testsuites>")
    return path


def codes(scores):
    return [note.code for note in scores.cuts().notes]


def remedies(scores, code):
    """What the note says to map, typed."""
    (said,) = [str(note) for note in scores.cuts().notes if note.code == code]
    return [dict([pair.split("=", 1)]) for pair in re.findall(r'--map "([^"]*)"', said)]


def benchmark(name):
    return [(f"q{n}", (n % 4 > 0) == (name == "gpt-4o")) for n in range(8)]


@pytest.mark.parametrize("group", ["c", "{}", ""])
def test_suites_with_the_same_tests_are_models_or_runs_if_told(tmp_path, group):
    path = suites(tmp_path, ["gpt-4o", "claude-3"], benchmark, group)
    as_models, as_runs = remedies(read(path), "suites-of-models")
    assert means(read(path)) == {"report": (16, 0.5)}
    models = read(path, columns=as_models)
    assert means(models) == {"gpt-4o": (8, 0.75), "claude-3": (8, 0.25)}
    assert set(models._state.rows.counts("item")) == {f"c.q{n}" if group == "c" else f"q{n}" for n in range(8)}
    runs = read(path, columns=as_runs)
    assert runs._state.rows.counts("run") == {"gpt-4o": 8, "claude-3": 8}
    assert len(runs._state.rows.counts("item")) == 8
    assert codes(models) == codes(runs) == []


def test_classes_with_the_same_tests_too(tmp_path):
    cases = [
        f'<testcase classname="{name}" name="{test}">{"" if passed else "<failure />"}</testcase>'
        for name in ("gpt-4o", "claude-3")
        for test, passed in benchmark(name)
    ]
    path = write(tmp_path, *cases)
    assert remedies(read(path), "suites-of-models") == [{"model": "{class}"}, {"run": "{class}"}]
    assert means(read(path, columns={"model": "{class}"})) == {"gpt-4o": (8, 0.75), "claude-3": (8, 0.25)}


@pytest.mark.parametrize(
    "tests",
    [
        lambda name: [(f"{name}{n}", True) for n in range(8)],
        lambda name: [("works", True), ("fails", False), ("edge", True), (f"{name}", True)],
        lambda name: [(f"t{n + 5 * (name == 'gpt-4o')}", True) for n in range(8)],
    ],
    ids=["other names", "few", "mostly others"],
)
def test_suites_of_other_tests_are_none(tmp_path, tests):
    assert codes(read(suites(tmp_path, ["gpt-4o", "claude-3"], tests))) == []


def repeated(form, steps=4, n=6):
    """Names of tests, each run several times, of which that of an even number passes."""
    names = [(form.format(q=q, k=k), k % 2 == 0) for q in range(n) for k in range(1, steps + 1)]
    return [f'<testcase classname="c" name="{name}">{"" if p else "<failure />"}</testcase>' for name, p in names]


@pytest.mark.parametrize(
    ("form", "pattern", "item"),
    [
        ("test_q{q}[{k}-4]", "[{run}-4]", "c.test_q3"),
        ("test[q{q}-{k}-4]", "-{run}-4", "c.test[q3]"),
        ("test[4-{q}-4-{k}-4]", "-{run}-4", "c.test[4-3-4]"),
    ],
)
def test_names_of_pytest_repeat_are_said_with_the_pattern_that_makes_them_runs(tmp_path, form, pattern, item):
    path = write(tmp_path, *repeated(form))
    assert codes(read(path)) == ["repeats-as-items"]
    assert remedies(read(path), "repeats-as-items") == [{"run": pattern}]
    runs = read(path, columns={"run": pattern})
    assert runs._state.rows.counts("run") == {"1": 6, "2": 6, "3": 6, "4": 6}
    assert len(runs._state.rows.counts("item")) == 6
    assert runs._state.rows.counts("item")[item] == 4
    assert codes(runs) == []
    (cut,) = runs.cuts().cuts
    assert (len(cut.sample.score), cut.sample.score.mean()) == (24, 0.5)


@pytest.mark.parametrize("other", ["b{q}[{k}-3]", "b{q}[x-{k}-3]", "b{q}[1-{k}-3]"])
def test_tests_repeated_differently_are_told_apart_by_one_pattern(tmp_path, other):
    path = write(tmp_path, *repeated("a{q}[{k}-4]"), *repeated(other, steps=3, n=5), PASSED)
    assert remedies(read(path), "repeats-as-items") == [{"run": "{repeat}"}]
    scores = read(path, columns={"run": "{repeat}"})
    assert codes(scores) == []
    assert scores._state.rows.counts("run") == {"1": 12, "2": 11, "3": 11, "4": 6}
    left = other.format(q=3, k=0).replace("-0-3]", "]").replace("[0-3]", "")
    items = scores._state.rows.counts("item")
    assert (items["c.a3"], items[f"c.{left}"], items["c.t[gpt-4o-HumanEval/0]"], len(items)) == (4, 3, 1, 12)


def test_a_pattern_of_repeats_is_none_of_models(tmp_path):
    with pytest.raises(ReadError, match="has no place for the model"):
        read(write(tmp_path, *repeated("a{q}[{k}-4]")), columns={"model": "{repeat}"})


@pytest.mark.parametrize(
    "cases", [repeated("t{q}[{k}-4]", steps=3), repeated("t{q}[{k}-9]"), repeated("t[{k}-4]", n=1)]
)
def test_pairs_of_numbers_that_are_not_all_repeats_are_none(tmp_path, cases):
    assert "repeats-as-items" not in codes(read(write(tmp_path, *cases)))


def jest(folder, *tests, counted):
    """A report as jest-junit writes it: (name, milliseconds or None of one that was not run, child), and its count."""
    cases = "".join(
        f'<testcase classname=" {name}" name=" {name}" time="{(took or 0) / 1000:g}">{child}</testcase>'
        for name, took, child in tests
    )
    failed, skipped = (sum(tag in child for _, _, child in tests) for tag in ("<failure", "<skipped"))
    path = folder / "junit.xml"
    path.write_text(
        f'<testsuites name="jest tests" tests="{counted}" failures="{failed}" errors="0" time="1">'
        f'<testsuite name="s" errors="0" failures="{failed}" skipped="{skipped}" tests="{counted}" time="0.7">'
        f"{cases}</testsuite></testsuites>"
    )
    return path


RUN = [("adds", 8, ""), ("fails", 3, "<failure>x</failure>"), ("later", None, "<skipped/>")]


def test_tests_that_are_only_planned_are_not_run(tmp_path):
    scores = read(jest(tmp_path, *RUN, ("planned", None, ""), ("also", None, ""), counted=3))
    assert means(scores) == {"junit": (2, 0.5)}
    assert means(scores.with_options(on_error="wrong")) == {"junit": (5, 0.2)}
    (said,) = [note for note in scores.cuts().notes if note.code == "todo-tests"]
    assert (said.data["n"], said.data["total"]) == (2, 5)
    assert codes(scores).count("header-disagrees") == 0


def test_a_test_that_passes_in_no_time_is_none_that_is_planned(tmp_path):
    scores = read(jest(tmp_path, *RUN, ("quick", 0, ""), counted=4))
    assert (means(scores), codes(scores)) == ({"junit": (3, 2 / 3)}, [])


def test_where_nothing_tells_which_tests_are_planned_their_number_is_said(tmp_path):
    scores = read(jest(tmp_path, *RUN, ("quick", 0, ""), ("planned", None, ""), counted=4))
    assert means(scores) == {"junit": (4, 0.75)}
    (said,) = [str(note) for note in scores.cuts().notes if note.code == "header-disagrees"]
    assert "do not count 1 of the 2 tests that passed in no time" in said
    # With what the sentence asks for, jest-junit's report is this one.
    told = '<properties><property name="status" value="{}"/></properties>'
    scores = read(jest(tmp_path, *RUN, ("q", 0, told.format("passed")), ("p", None, told.format("todo")), counted=4))
    assert means(scores) == {"junit": (3, 2 / 3)}
    assert codes(scores) == ["todo-tests"]
