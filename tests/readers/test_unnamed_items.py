"""Items under an unknown header: never paired by place against their ids, never counted once an attempt."""

from __future__ import annotations

import json
import random
import re
import shlex

import pandas as pd
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

ITEMS = [f"Q{n:03d}" for n in range(40)]
TRUTH = {(model, item): (7 * n + 3 * len(model) * (n % 5)) % 11 % 2 for model in ("A", "BB")
         for n, item in enumerate(ITEMS)}  # fmt: skip


def shuffled(seed):
    items = ITEMS[:]
    random.Random(seed).shuffle(items)
    return items


def long(folder, header, orders, name="long.csv", cell=str):
    rows = [f"{model},{cell(item)},{TRUTH[model, item]}" for model, items in orders.items() for item in items]
    return write(folder, name, [f"model,{header},score", *rows])


def alone(folder, name, header, model, items):
    return write(folder, name, [f"{header},score", *(f"{item},{TRUTH[model, item]}" for item in items)])


def write(folder, name, lines):
    path = folder / name
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def shown(comparison):
    return comparison.answer.value, comparison.answer.shown.low, comparison.answer.shown.high


def expected(folder):
    """What a table with a known header gives."""
    return shown(sb.compare(read(long(folder, "item", {"A": ITEMS, "BB": ITEMS}, name="known.csv")), "A", "BB"))


def options(sentence):
    """The mapping that a sentence proposes first."""
    typed = re.search(r"--map ('[^']+'|[^\s,;)]+(,\w+=[^\s,;)]+)*)", sentence)
    return dict(pair.split("=") for pair in shlex.split(typed[1])[0].split(","))


@pytest.mark.parametrize("header", ["Question Number", "q", "prompt", "nr", "Frage", "題目", ""])
@pytest.mark.parametrize("cell", [str, lambda item: str(int(item[1:]))], ids=["text", "number"])
def test_two_models_in_two_orders_are_not_paired_by_place(tmp_path, header, cell):
    scores = read(long(tmp_path, header, {"A": shuffled(1), "BB": shuffled(2)}, cell=cell))
    assert len(sb.estimate(scores)) == 2  # each by itself is right
    with pytest.raises(ScoresError, match="has the same texts in 'A' and 'BB', in another order") as caught:
        sb.compare(scores, "A", "BB")
    with pytest.raises(ScoresError, match="in another order"):
        sb.compare_all(scores)
    columns = options(str(caught.value))
    assert columns == {"item": header or "column 2"}
    assert shown(sb.compare(read(tmp_path / "long.csv", columns=columns), "A", "BB")) == expected(tmp_path)


@pytest.mark.parametrize("names", [("a.csv", "b.csv"), ("a.jsonl", "b.csv")])
def test_nor_are_two_files(tmp_path, names):
    for name, model, seed in zip(names, ("A", "BB"), (1, 2), strict=True):
        if name.endswith("csv"):
            alone(tmp_path, name, "Question Number", model, shuffled(seed))
        else:
            records = [{"Question Number": item, "score": TRUTH[model, item]} for item in shuffled(seed)]
            write(tmp_path, name, map(json.dumps, records))
    one, other = (read(tmp_path / name) for name in names)
    with pytest.raises(ScoresError, match=r"name it \(--map 'item=Question Number'\)"):
        sb.compare(one, other)
    one, other = (read(tmp_path / name, columns={"item": "Question Number"}) for name in names)
    assert shown(sb.compare(one, other)) == expected(tmp_path)


@pytest.mark.parametrize("labels", [{"x": "a.csv", "y": "b.csv"}, {}])
def test_nor_two_files_of_one_model_under_labels(tmp_path, labels):
    for name, seed in (("a.csv", 1), ("b.csv", 2)):
        long(tmp_path, "prompt", {"A": shuffled(seed)}, name=name)
    if labels:
        scores = read([tmp_path / "a.csv", tmp_path / "b.csv"],
                      labels={label: tmp_path / name for label, name in labels.items()})  # fmt: skip
        with pytest.raises(ScoresError, match="in 'x' and 'y', in another order"):
            sb.compare(scores, "x", "y")
        with pytest.raises(ScoresError, match="in 'new' and 'y', in another order"):
            sb.compare(scores.relabel({"x": "new"}), "new", "y")
    else:
        with pytest.raises(ScoresError, match="in 'one' and 'two', in another order"):
            sb.compare(read(tmp_path / "a.csv"), read(tmp_path / "b.csv"), labels=("one", "two"))


def test_nor_two_wide_tables(tmp_path):
    for name, seed in (("gpt", 1), ("claude", 2)):
        rows = [f"{item},{TRUTH['A', item]},{TRUTH['BB', item]}" for item in shuffled(seed)]
        write(tmp_path, f"{name}.csv", [f"frage,{name}1,{name}2", *rows])
    scores = read([tmp_path / "gpt.csv", tmp_path / "claude.csv"])
    assert shown(sb.compare(scores, "gpt1", "gpt2")) == expected(tmp_path)
    with pytest.raises(ScoresError, match="'frage' has the same texts in 'gpt1' and 'claude2'"):
        sb.compare(scores, "gpt1", "claude2")


@pytest.mark.parametrize("numbered", [False, True])
def test_nor_known_ids_and_unknown_ones(tmp_path, numbered):
    rows = [f"{n},{TRUTH['A', item]}" for n, item in enumerate(ITEMS, start=1)]
    write(tmp_path, "a.csv", ["item,score", *rows])
    order = list(enumerate(ITEMS, start=1))
    if not numbered:
        random.Random(3).shuffle(order)
    write(tmp_path, "b.csv", ["nr,score", *(f"{n},{TRUTH['BB', item]}" for n, item in order)])
    one, other = read(tmp_path / "a.csv"), read(tmp_path / "b.csv")
    if numbered:
        assert shown(sb.compare(one, other)) == expected(tmp_path)
    else:
        with pytest.raises(ScoresError, match=r"name it \(--map item=nr\)"):
            sb.compare(one, other)


def test_where_one_lacks_an_item_in_the_middle_the_rest_is_out_of_step(tmp_path):
    alone(tmp_path, "a.csv", "prompt", "A", [item for item in ITEMS if item != "Q003"])
    alone(tmp_path, "b.csv", "prompt", "BB", [item for item in ITEMS if item != "Q035"])
    with pytest.raises(ScoresError, match=r"mostly the same texts .* \(31 of 38 stand in another place\)"):
        sb.compare(read(tmp_path / "a.csv"), read(tmp_path / "b.csv"))


def test_one_order_is_paired_and_the_note_names_the_column(tmp_path):
    order = shuffled(5)
    for name, model in (("a.csv", "A"), ("b.csv", "BB")):
        alone(tmp_path, name, "Question Number", model, order)
    found = sb.compare(read(tmp_path / "a.csv"), read(tmp_path / "b.csv"))
    assert shown(found) == expected(tmp_path)
    (said,) = [note for note in found.answer.notes if note.code == "rows-as-items"]
    assert said.message.endswith("if 'Question Number' says which item a row is: --map 'item=Question Number'")


@pytest.mark.parametrize("first", ["segment_id", "reference"])
def test_an_id_that_counts_is_named_before_a_reference(tmp_path, first):
    """Both differ from row to row; a segment's id counts the rows of its data set."""
    texts = {"segment_id": str, "reference": "what is said in {}".format}
    headers = sorted(texts, key=lambda header: header != first)
    rows = [
        f"{m},{texts[headers[0]](i)},{texts[headers[1]](i)},{i / 70 + (m == 'A') / 9:.3f}"
        for m in "AB"
        for i in range(60)
    ]
    path = write(tmp_path, "a.csv", [f"model,{','.join(headers)},comet", *rows])
    (said,) = [note for part in read(path).parts for note in part.notes if note.code == "rows-as-items"]
    assert said.message.endswith("if 'segment_id' says which item a row is: --map item=segment_id")
    (found,) = [finding for finding in sb.doctor(read(path)).findings if finding.code == "rows-as-items"]
    assert found.remedy.startswith("if 'segment_id' is it: --map item=segment_id")


@pytest.mark.parametrize("header", ["answer", "model_output", "rank"])
def test_what_cannot_be_an_id_is_no_reason(tmp_path, header):
    scores = read(long(tmp_path, header, {"A": shuffled(1), "BB": shuffled(2)}))
    assert sb.compare(scores, "A", "BB").paired


HEADERS = ["image", "image_no", "document_id", "topic", "response_id", "country", "date"]
KINDS = ["csv", "parquet", "pandas"]


def as_read(rows, kind, folder):
    """The rows as the scores of a frame, or of a file of this kind."""
    if kind == "pandas":
        return sb.Scores(pd.DataFrame(rows))
    path = folder / f"rows.{kind}"
    frame = pd.DataFrame(rows)
    frame.to_parquet(path) if kind == "parquet" else frame.to_csv(path, index=False)
    return read(path)


def ordered(header, orders, cell=str, ids=False):
    return [
        {"model": model, **({"id": place} if ids else {}), header: cell(item), "score": TRUTH[model, item]}
        for model, items in orders.items()
        for place, item in enumerate(items)
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ids", [False, True])
def test_whatever_a_key_is_called_its_order_counts(tmp_path, kind, ids):
    """Beside ids that number the rows too; tables in memory, through the database and frames say the same."""
    said = set()
    for header in HEADERS:
        scores = as_read(ordered(header, {"A": shuffled(1), "BB": shuffled(2)}, ids=ids), kind, tmp_path)
        with pytest.raises(ScoresError, match=rf"'{header}' has the same texts in 'A' and 'BB'") as caught:
            sb.compare(scores, "A", "BB")
        said.add(str(caught.value).replace(header, "HEADER"))
        same = as_read(ordered(header, {"A": shuffled(1), "BB": shuffled(1)}, ids=ids), kind, tmp_path)
        assert shown(sb.compare(same, "A", "BB")) == expected(tmp_path)
    assert len(said) == 1
    assert {finding.code for finding in sb.doctor(scores).findings} >= {"rows-as-items"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("header", ["image_id", "year", "latency"])
def test_so_it_is_with_numbers_if_all_are_the_same(tmp_path, kind, header):
    orders = {"A": shuffled(1), "BB": shuffled(2)}
    for cell in (lambda item: 1900 + int(item[1:]), lambda item: 0.25 + int(item[1:])):
        with pytest.raises(ScoresError, match=rf"'{header}' has the same texts in 'A' and 'BB', in another order"):
            sb.compare(as_read(ordered(header, orders, cell), kind, tmp_path), "A", "BB")
    if header != "image_id":
        rows = ordered(header, orders, lambda item: 1900 + int(item[1:]))
        rows[3][header] = 1899  # one text in forty is another: of numbers it may be chance
        assert sb.compare(as_read(rows, kind, tmp_path), "A", "BB").paired


@pytest.mark.parametrize("kind", KINDS)
def test_times_that_rise_in_two_models_that_ran_at_once_are_no_keys(tmp_path, kind):
    rows = [
        {"model": model, "started_at": f"12:{n + late:02d}", "score": TRUTH[model, item]}
        for model, late in (("A", 0), ("BB", 2))
        for n, item in enumerate(ITEMS)
    ]
    scores = as_read(rows, kind, tmp_path)
    assert sb.compare(scores, "A", "BB").paired
    assert "started_at" not in str(sb.estimate(scores))


def test_a_column_of_a_wide_table_that_is_no_model_says_so_too(tmp_path):
    for name, seed in (("gpt", 1), ("claude", 2)):
        rows = [f"{1900 + int(item[1:])},{TRUTH['A', item]},{TRUTH['BB', item]}" for item in shuffled(seed)]
        write(tmp_path, f"{name}.csv", [f"year,{name}1,{name}2", *rows])
    scores = read([tmp_path / "gpt.csv", tmp_path / "claude.csv"])
    assert shown(sb.compare(scores, "gpt1", "gpt2")) == expected(tmp_path)
    with pytest.raises(ScoresError, match="'year' has the same texts in 'gpt1' and 'claude2'"):
        sb.compare(scores, "gpt1", "claude2")


def test_a_few_answers_that_two_models_share_are_no_reason(tmp_path):
    """Three of forty in another place, and some that only one of the two gave."""
    other = ITEMS[:]
    other[4], other[5], other[6], other[20] = ITEMS[5], ITEMS[6], ITEMS[4], "else"
    truth = TRUTH | {("BB", "else"): 1}
    rows = [f"{model},{text},{truth[model, text]}" for model, texts in (("A", ITEMS), ("BB", other)) for text in texts]
    scores = read(write(tmp_path, "a.csv", ["model,said,score", *rows]))
    assert sb.compare(scores, "A", "BB").paired


def test_in_a_large_table_too(tmp_path):
    items = [f"Q{n}" for n in range(60_000)]
    again = items[:]
    random.Random(1).shuffle(again)
    rows = [f"{model},{item},1" for model, order in (("A", items), ("BB", again)) for item in order]
    scores = read(write(tmp_path, "a.csv", ["model,prompt,score", *rows]))
    with pytest.raises(ScoresError, match="in another order"):
        sb.compare(scores, "A", "BB")
    assert sum(len(one.places) for part in scores.parts for one in part.listings) < 4_000


def attempts(folder, header, texts, k, *, models=("A", "BB"), more=None):
    rows = [
        ",".join([model, text, *([more(n, run)] if more else []), str((n + run * (n % 3)) % 2)])
        for model in models for run in range(k) for n, text in enumerate(texts)
    ]  # fmt: skip
    return write(folder, "attempts.csv", [f"model,{header},score", *rows])


QUESTIONS = [f"What is the sum of {n} and {n}?" for n in range(20)]


@pytest.mark.parametrize(("header", "texts"), [
    ("prompt", QUESTIONS), ("text", QUESTIONS), ("qnum", [f"q{n}" for n in range(20)]),
    ("nr", [f"{n}" for n in range(20)]), ("Question Number", [f"{n}" for n in range(20)]), ("題目", QUESTIONS),
    ("word", [f"{a}{b}" for a in "abcd" for b in "vwxyz"]), ("prompt", QUESTIONS[:3]),
])  # fmt: skip
@pytest.mark.parametrize("models", [("A",), ("A", "BB")])
def test_attempts_are_not_counted_as_items(tmp_path, header, texts, models):
    path = attempts(tmp_path, header, texts, 2 if len(texts) < 5 else 5, models=models)
    k = 2 if len(texts) < 5 else 5
    with pytest.raises(ReadError, match=f"each of the {len(texts)} texts of '{header}' stands in {k} rows") as caught:
        read(path)
    assert shlex.quote(f"item={header}") in caught.value.__notes__[0]
    offered = re.findall(r"--map '?(\w+)=([^')]+)'?\)", str(caught.value))
    assert offered
    for role, column in offered:
        read(path, columns={role: column})
    (cut, *_) = read(path, columns=options(str(caught.value))).cuts().cuts
    assert len(set(cut.sample.item.tolist())) == len(texts)
    assert cut.sample.n_attempts == k * len(texts)


def test_an_attempt_column_is_proposed_with_it(tmp_path):
    path = attempts(tmp_path, "prompt,attempt", QUESTIONS, 3, more=lambda _, run: str(run))
    with pytest.raises(ReadError) as caught:
        read(path)
    columns = options(str(caught.value))
    assert columns == {"item": "prompt", "run": "attempt"}
    assert [cut.sample.n_attempts for cut in read(path, columns=columns).cuts().cuts] == [60, 60]


def test_answers_beside_the_question_are_no_ids(tmp_path):
    path = attempts(tmp_path, "frage,antwort", QUESTIONS, 3, more=lambda n, run: f"I think it is {2 * n + 97 * run}")
    with pytest.raises(ReadError, match="texts of 'frage' stands in 3 rows"):
        read(path)


@pytest.mark.parametrize(("header", "texts", "k"), [
    ("difficulty", ["easy", "medium", "hard"], 12), ("topic", [f"topic {n}" for n in range(30)], 4),
    ("language", ["de", "en", "fr", "es", "it"], 5), ("fach", ["Biologie", "Mathe", "Physik"], 10),
    ("prompt", ["direct", "step by step"], 20), ("context", QUESTIONS, 3), ("prompt_type", list("abcdefghijkl"), 3),
    ("stars", ["1", "2", "3", "4", "5"], 8), ("category", QUESTIONS, 5),
])  # fmt: skip
def test_a_category_is_no_item(tmp_path, header, texts, k):
    scores = read(attempts(tmp_path, header, texts, k, models=("A",)))
    (cut,) = scores.cuts().cuts
    assert len(set(cut.sample.item.tolist())) == k * len(texts)


def test_groups_of_rows_with_ids_are_left_alone(tmp_path):
    path = attempts(tmp_path, "source_text,ref", QUESTIONS, 3, more=lambda n, run: f"r{(7 * n + 20 * run) % 60}")
    assert read(path).models == ("A", "BB")


def test_a_few_texts_twice_are_no_attempts(tmp_path):
    path = attempts(tmp_path, "prompt", [*QUESTIONS, *QUESTIONS[:3]], 1)
    assert read(path).models == ("A", "BB")


def test_runs_of_a_model_in_two_orders_are_asked_for_their_items(tmp_path):
    rows = [f"{item},{seed},{n % 2}" for seed in range(3) for n, item in enumerate(shuffled(seed))]
    path = write(tmp_path, "a.csv", ["prompt,seed,score", *rows])
    with pytest.raises(ReadError, match="in several runs of a model, in different orders") as caught:
        read(path)
    (cut,) = read(path, columns=options(str(caught.value))).cuts().cuts
    assert (len(set(cut.sample.item.tolist())), cut.sample.n_attempts) == (40, 120)
    rows = [f"{item},{seed},{n % 2}" for seed in range(3) for n, item in enumerate(shuffled(1))]
    (cut,) = read(write(tmp_path, "a.csv", ["prompt,seed,score", *rows])).cuts().cuts
    assert (len(set(cut.sample.item.tolist())), cut.sample.n_attempts) == (40, 120)


def test_ids_from_0_beside_rows_from_1_are_in_no_other_order(tmp_path, monkeypatch, capsys):
    for name, header in (("m1", "item"), ("m2", "idx")):
        rows = [f"{i},{int(i % (2 + (name == 'm2')) > 0)}" for i in range(20)]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"{header},correct", *rows, ""]))
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "m1.csv", "m2.csv"]) == 2
    err = capsys.readouterr().err
    assert "another order" not in err
    assert "in the same order but counted from another number than the rows" in err
    mapping = err.split("name it (")[1].split(")")[0].split()
    assert main(["compare", "m1.csv", "m2.csv", *mapping, "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["n_shared"], result["value"]) == (20, pytest.approx(10 / 20 - 13 / 20))
