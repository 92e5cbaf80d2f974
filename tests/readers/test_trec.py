"""TREC: trec_eval's lines, and runs with their judgements, held against trec_eval's own output."""

from __future__ import annotations

import pytest
from tests.readers.real import SHARED, means, read_real, real

from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.readers.read import read

LINES = (
    "map \t301\t0.1\nndcg\t301\t0.2\nnum_ret\t301\t500\nmap \t302\t0.3\nndcg\t302\t0.4\nrunid\tall\tX\nmap\tall\t0.2\n"
)
RUN = "q1 Q0 d2 1 9 t\nq1 Q0 d1 2 8 t\nq2 Q0 d1 1 7 t\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\nq3 0 d1 1\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "place"), [("a.run", RUN, 2), ("a.qrels", QRELS + QRELS.replace("q", "r"), 7)]
)
def test_two_lines_without_the_line_break_between_them_are_no_line(tmp_path, name, text, place):
    pytest.importorskip("ir_measures")
    lines = text.splitlines(keepends=True)
    lines[place - 1] = lines[place - 1].rstrip("\n")
    for other, whole in (("a.run", RUN + "q3 Q0 d1 1 7 t and junk\n"), ("a.qrels", QRELS)):
        write(tmp_path, other, "".join(lines) if other == name else whole)
    n = 2 * len(lines[0].split()) - 1
    with pytest.raises(
        ReadError, match=rf"{name}: line {place} has {n} columns, not {len(lines[0].split())}, and a second"
    ):
        read([tmp_path / "a.run", tmp_path / "a.qrels"], metric="AP")


def test_averages_are_left_out_and_counts_are_no_scores(tmp_path):
    scores = read(write(tmp_path, "a.txt", LINES), metric="map")
    assert means(scores) == {"X": (2, pytest.approx(0.2))}
    (part,) = scores.parts
    assert part.dropped == (("averages over all queries ('all')", 2),)
    assert dict(part.unusable) == {"num_ret": "a count, not a score"}
    assert part.notes == ()
    (said,) = read(write(tmp_path, "b.txt", LINES.replace("runid\tall\tX\n", "")), metric="map").parts[0].notes
    assert said.message.startswith("model 'b' is named after its file, because no runid line names it")


@pytest.mark.parametrize(
    ("measures", "known"),
    [
        ("P_5 utility map", (0.0, 1.0)),  # each by itself, whatever else is in the file
        ("map P_5 recip_rank Rprec bpref ndcg_cut_10 iprec_at_recall_0.10 recall_1000 set_F success_1", (0.0, 1.0)),
        ("map utility", None),  # relevant less irrelevant documents: a count
    ],
)
def test_measures_that_are_shares_lie_between_0_and_1(tmp_path, measures, known):
    text = "".join(f"{name} \t{query}\t{value}\n" for name in measures.split() for query, value in ((1, 0.2), (2, 0.9)))
    (cut,) = read(write(tmp_path, "a.txt", text), metric=measures.split()[-1]).cuts().cuts
    assert (cut.sample.range, cut.sample.score.tolist()) == (known, [0.2, 0.9])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("map\t301\t0.1\nmap 302 0.1\n", "line 2 is no measure, query and value"),
        ("map\t301\t0.1\nmap\t302\tx\n", "line 2: the value 'x' is no number"),
        ("map\t301\t0.1\nmap\t302\tinf\n", "line 2: the value 'inf' is infinite"),
        ("map\tall\t0.1\n", "run it again with -q"),
    ],
)
def test_other_lines_are_refused(tmp_path, text, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, "a.txt", text))


IR_MEASURES = "q1\tAP\t0.9306\nq1\tP(rel=2)@5\t0.4000\nq1\tNumRet\t20.0000\n"
IR_MEASURES += IR_MEASURES.replace("q1", "d-2").replace("0.9306", "0.3096") + "all\tAP\t0.6201\nall\tNumRet\t40.0000\n"
IR_JSONL = (
    '{"query_id": "q1", "measure": "AP", "value": 0.9306}\n{"query_id": "d-2", "measure": "AP", "value": 0.3096}\n'
)
IR_JSONL += '{"query_id": "all", "measure": "AP", "value": 0.6201}\n'
PYTREC = '{"q1": {"num_rel": 6.0, "map": 0.9306, "P_5": 0.8}, "d-2": {"num_rel": 3.0, "map": 0.3096, "P_5": 0.2}}'
ALIGNED = "P_5                      q1      0.8000\nmap                      q1      0.9306\n"
ALIGNED += "map                      d-2     0.3096\nmap                      all     0.6201\n"


@pytest.mark.parametrize(
    ("name", "text", "metric", "counts"),
    [
        ("m.tsv", IR_MEASURES, "AP", {"NumRet"}),
        ("m.jsonl", IR_JSONL, "AP", set()),
        ("m.json", PYTREC, "map", {"num_rel"}),
        ("m.eval", ALIGNED, "map", set()),
    ],
)
def test_what_ir_measures_and_pytrec_eval_print_is_read_as_trec_evals(tmp_path, name, text, metric, counts):
    """As ir_measures 0.4.3 and pytrec_eval-terrier 0.5.11 write it; the mean is the one of their 'all'."""
    scores = read(write(tmp_path, name, text), metric=metric)
    (part,) = scores.parts
    assert (part.reader, set(dict(part.unusable)), part.score_range) == ("trec-eval", counts, (0.0, 1.0))
    assert [mean for _, mean in means(scores).values()] == [pytest.approx(0.6201)]
    assert "header-disagrees" not in {note.code for note in part.notes}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("m.tsv", IR_MEASURES.replace("0.6201", "0.7201"), "header-disagrees"),
        ("m.jsonl", IR_JSONL.replace("0.6201", "0.7201"), "header-disagrees"),
        ("m.tsv", IR_MEASURES.replace("\t0.3096", ""), "line 4 is no measure, query and value between tabs"),
        ("m.jsonl", IR_JSONL.replace("0.3096", "null"), "line 2: 'value' is no number"),
        ("m.json", PYTREC.replace("0.3096", '"x"'), "'d-2': 'map' is text, not a number"),
        ("m.json", PYTREC.replace("d-2", "q1"), "has the key 'q1' twice"),
        ("m.eval", ALIGNED.replace(" 0.3096", ""), "line 3 is no measure, query and value between blanks"),
        ("m.tsv", "nDCG@10\t0.5958\nAP\t0.5015\n", "holds averages over all queries and no query of its own; .* -q"),
    ],
)
def test_what_is_wrong_in_them_is_said(tmp_path, name, text, sentence):
    path = write(tmp_path, name, text)
    if sentence == "header-disagrees":
        assert sentence in {note.code for note in read(path).parts[0].notes}
        return
    with pytest.raises(ReadError, match=sentence):
        read(path)


def test_two_outputs_in_one_file_are_not_one_run(tmp_path):
    with pytest.raises(ReadError, match=r"the output of 2 runs \('X', 'Y'\)"):
        read(write(tmp_path, "a.txt", LINES + LINES.replace("X", "Y")), metric="map")


def test_a_run_with_its_judgements(tmp_path):
    pytest.importorskip("ir_measures")
    paths = [write(tmp_path, "a.run", RUN), write(tmp_path, "qrels", QRELS)]
    (cut,) = read(paths, metric="RR").cuts().cuts
    assert cut.sample.score.tolist() == [0.5, 1, 0]  # by hand; the judged query that the run lacks is 0
    assert means(read(paths, metric="P@10")) == {"t": (3, pytest.approx(0.2 / 3))}


def test_two_runs_of_one_tag_are_told_apart_by_their_files(tmp_path):
    pytest.importorskip("ir_measures")
    paths = [write(tmp_path, "a.run", RUN), write(tmp_path, "b.run", RUN), write(tmp_path, "qrels", QRELS)]
    assert read(paths, metric="RR").models == ("a.run", "b.run")


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.run": RUN}, "a ranking without scores of quality"),
        ({"qrels": QRELS}, "relevance judgements"),
        ({"a.run": RUN, "x": QRELS, "y": QRELS}, "2 files of judgements"),
        ({"a.run": RUN, "qrels": QRELS.replace("q", "p")}, "none of its 2 queries is judged"),
        ({"a.run": RUN + "q2 Q0 d1 1\n", "qrels": QRELS}, "line 4 has 4 columns, not 6"),
        ({"a.run": RUN.replace("8", "x"), "qrels": QRELS}, "line 2: 'x' is no number"),
    ],
)
def test_what_does_not_belong_together_is_refused(tmp_path, files, sentence):
    pytest.importorskip("ir_measures")
    with pytest.raises(ReadError, match=sentence):
        read([write(tmp_path, name, text) for name, text in files.items()], metric="RR")


class TestReal:
    pytestmark = real

    def test_trec_eval_printed_its_own_averages(self):
        printed = {}
        for line in (SHARED / "trec" / "out.test.aq").read_text().splitlines():
            measure, query, value = (cell.strip() for cell in line.split("\t"))
            if query == "all":
                printed[measure] = value
        scores = read_real("trec/out.test.aq")
        assert len(scores.metrics) > 80
        for measure in ("map", "ndcg_cut_10", "P_10", "recip_rank", "bpref"):
            n, mean = means(scores.select(metric=measure))["STANDARD"]
            assert (n, mean) == (3, pytest.approx(float(printed[measure]), abs=1.01e-4))  # four digits are printed

    def test_averages_alone_are_refused(self):
        with pytest.raises(ReadError, match=r"30 measures\) and no query of its own"):
            read_real("trec/out.test")

    def test_a_real_run_against_trec_evals_lines(self):
        pytest.importorskip("ir_measures")
        folder = SHARED / "trec"
        printed = {}
        for line in (folder / "out.test.aq").read_text().splitlines():
            measure, query, value = (cell.strip() for cell in line.split("\t"))
            printed[measure, query] = value
        scores = read([folder / "results.trunc", folder / "qrels.test"])
        for ours, theirs in {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@10": "P_10", "RR": "recip_rank"}.items():
            (cut,) = scores.select(metric=ours).cuts().cuts
            # Query 301 is whole in the truncated run.
            assert cut.sample.score[0] == pytest.approx(float(printed[theirs, "301"]), abs=5.1e-5)

    @pytest.mark.parametrize("name", ["qrels.test", "run1", "run2", "run_mixed_scores", "run_same_scores"])
    def test_each_alone_is_refused(self, name):
        with pytest.raises(ReadError, match="judgements"):
            read_real(f"trec/{name}")


def test_a_file_with_measures_of_two_ranges_is_told_of_once(tmp_path, capsys):
    """Its shares and its other measures are two parts, one of which drops the averages."""
    path = tmp_path / "a.run"
    lines = [f"{measure}\t{query}\t0.5" for query in ("1", "2", "all") for measure in ("map", "utility")]
    path.write_text("\n".join([*lines, "runid\tall\tX"]) + "\n")
    (told,) = read(path).explain()["files"]
    assert told["dropped"] == [["averages over all queries ('all')", 3]]  # with the line of the runid
    assert main(["estimate", str(path), "--metric", "map", "--explain"]) == 0
    assert capsys.readouterr().err.count("read by 'trec-eval'") == 1
    assert main(["doctor", str(path)]) == 0
    assert "1 file, read as trec-eval" in capsys.readouterr().out


def test_a_last_line_without_its_line_break_is_left_out(tmp_path):
    """Cut in the run's name it would name another system."""
    whole = "map \t301\t0.1\nmap \t302\t0.3\nrunid\tall\tSTANDARD\n"
    assert read(write(tmp_path, "a.txt", whole)).models == ("STANDARD",)
    scores = read(write(tmp_path, "a.txt", whole[:-5]))
    assert scores.models == ("a",)
    (said,) = (one for one in scores.parts[0].notes if one.code == "left-out")
    assert "the last line, 'runid\tall\tSTAN'," in said.message


def test_a_run_that_stops_inside_its_tag_is_truncated(tmp_path):
    qrels = write(tmp_path, "a.qrels", "q1 0 d1 1\nq2 0 d1 1\n")
    whole = "q1 Q0 d1 1 9.5 bm25\nq2 Q0 d1 1 7.5 bm25\nq2 Q0 d2 2 6.5 bm25"
    assert read([qrels, write(tmp_path, "a.run", whole)], metric="AP").models == ("bm25",)
    with pytest.raises(ReadError, match="line 3 ends with 'bm', the first with 'bm25': it is truncated"):
        read([qrels, write(tmp_path, "a.run", whole[:-2])])
