"""Scores of translations: sacreBLEU's lines and WMT's human ratings."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from tests.readers.real import SHARED, means, read_real, real

from scorebars.errors import ReadError
from scorebars.readers.read import read

SIGNED = "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0 = 29.1 68.2/38.1 (BP = 0.913)\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def test_one_number_a_line(tmp_path):
    scores = read(write(tmp_path, "sys.txt", "29.1\n0.0\n-1e-3\nnan\n5\n\n\n"))
    assert means(scores) == {"sys": (4, pytest.approx((29.1 - 0.001 + 5) / 4))}
    assert list(scores._state.rows.counts("item")) == ["1", "2", "3", "4", "5"]


def test_signatures_name_the_metric(tmp_path):
    chrf = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 56.0\n"
    both = [write(tmp_path, "sys.bleu.txt", SIGNED * 2), write(tmp_path, "sys.chrf.txt", chrf * 2)]
    assert read(both).metrics == ("BLEU", "chrF2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("29.1\n13.3\nx\n4\n" + "5\n" * 30, "text of no known format"),
        ("29.1\n" * 25 + "x\n", "line 26 is 'x', not a score"),
        ("29.1\n" * 25 + "\n3\n", "line 26 is empty, not a score"),
        ("29.1\n" * 25 + "1e999\n", "line 26 is infinite"),
        (SIGNED + SIGNED.replace("13a", "zh"), "mixes"),
    ],
)
def test_other_lines_are_refused(tmp_path, text, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(tmp_path, "sys.txt", text))


CHRF = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 100.0\n"


@pytest.mark.parametrize("line", [SIGNED, CHRF])
def test_a_file_that_is_cut_anywhere_is_no_file_with_another_last_score(tmp_path, line):
    text = line.replace("29.1", "35.6").replace("100.0", "56.0") * 3 + line
    score, n_read = {SIGNED: 29.1, CHRF: 100.0}[line], 0
    for end in range(len(text) - len(line) + 1, len(text) + 1):
        path = write(tmp_path, "sys.txt", text[:end])
        try:
            ((n, mean),) = means(read(path)).values()
        except ReadError as error:
            assert "sys.txt: line 4 " in str(error)  # noqa: PT017 - some cuts are read
            continue
        assert (n, mean) == (4, pytest.approx((3 * (56.0 if line is CHRF else 35.6) + score) / 4))
        n_read += 1
    assert n_read == 2  # whole, with its line break and without


def test_a_last_line_without_its_line_break_is_read(tmp_path):
    text = SIGNED + SIGNED.replace("29.1 68.2/38.1", "100.0 100.0/100.0").removesuffix("\n")
    assert means(read(write(tmp_path, "sys.txt", text))) == {"sys": (2, pytest.approx((29.1 + 100.0) / 2))}


CORPUS = '{\n "name": "BLEU",\n "score": 64.0,\n "signature": "nrefs:1|eff:no|version:2.6.0",\n "nrefs": "1"\n}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", CORPUS),
        ("a.json", f"[\n{CORPUS},\n{CORPUS.replace('BLEU', 'chrF2')}\n]\n"),
        ("a.json", '[\n    {\n        "system": "a.txt",\n        "BLEU": "64.0"\n    }\n]'),
        ("a.txt", SIGNED.replace("eff:yes", "eff:no") * 2),
        ("a.txt", "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 75.3\n"),
    ],
)
def test_scores_of_a_corpus_are_no_scores_of_segments(tmp_path, name, text):
    """As sacreBLEU 2.6.0 prints them, without --sentence-level."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ReadError, match=r"none a segment; score the segments \(sacrebleu --sentence-level -b\)"):
        read(path)


def test_unrated_segments_are_missing(tmp_path):
    text = "system mqm_avg_score seg_id\nA\t-1.5 1\nA\tNone 2\nA\t-0.000000 3\nref-A\t-0.5 1\n"
    scores = read(write(tmp_path, "x.tsv", text))
    assert means(scores) == {"A": (2, -0.75), "ref-A": (1, -0.5)}
    [remark] = scores.parts[0].notes
    assert "x.tsv lists human references among the systems ('ref-A')" in remark.message
    assert not read(write(tmp_path, "x.tsv", text.replace("ref-A", "B"))).parts[0].notes
    with pytest.raises(ReadError, match="line 2 has 2 cells, the header has 3"):
        read(write(tmp_path, "x.tsv", text.replace(" 1", "")))
    with pytest.raises(ReadError, match=r"line 2: the score '-1\.x' is no number"):
        read(write(tmp_path, "x.tsv", text.replace("-1.5", "-1.x")))


RATINGS = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def rating(rater, category, severity):
    return f"A\td\t1\t7\t{rater}\tx\ty\t{category}\t{severity}\n"


def test_ratings_are_weighted_and_raters_are_runs(tmp_path):
    first = rating("r1", "Fluency/Punctuation", "Minor") + rating("r1", "Fluency/Punctuation", "Major")
    second = rating("r2", "Non-translation!", "Major") + rating("r2", "Style/Awkward", "minor")
    third = rating("r3", "No-error", "No-error") + rating("r3", "Style/Awkward", "Neutral")
    scores = read(write(tmp_path, "m.tsv", RATINGS + first + second + third))
    (cut,) = scores.cuts().cuts
    assert cut.sample.score.tolist() == [-5.1, -26, 0]  # 5 + .1; 25 + 1; nothing
    with pytest.raises(ReadError, match="line 2: the severity 'Grave' is none of Major, Minor"):
        read(write(tmp_path, "m.tsv", RATINGS + rating("r1", "Other", "Grave")))
    with pytest.raises(ReadError, match="line 3 has 4 cells, the header has 9"):
        read(write(tmp_path, "m.tsv", RATINGS + rating("r1", "Other", "Major") + "A\td\t1\t7\n"))


class TestReal:
    pytestmark = real

    @pytest.mark.parametrize("name", ["ted.sys1", "ted.sys2"])
    def test_sentence_bleu(self, name):
        raw = np.loadtxt(SHARED / "sacrebleu" / f"{name}.sentence_bleu.txt")
        for kind in ("sentence_bleu", "sentence_bleu.full"):
            ((n, mean),) = means(read_real(f"sacrebleu/{name}.{kind}.txt")).values()
            assert (n, mean) == (600, pytest.approx(raw.mean(), abs=1e-12))

    def test_mqm(self):
        with (SHARED / "wmt_mqm" / "mqm_ted_ende.avg_seg_scores.tsv").open() as lines:
            rows = [line for line in csv.reader(lines, delimiter=" ") if line][1:]
        raw = {}
        for first, _ in rows:
            system, score = first.split("\t")
            raw.setdefault(system, []).append(score)
        scores = read_real("wmt_mqm/mqm_ted_ende.avg_seg_scores.tsv")
        assert sum(scores._state.rows.counts("model").values()) == 8484
        for system, (n, mean) in means(scores).items():
            rated = [float(score) for score in raw[system] if score != "None"]
            assert (n, mean) == (len(rated), pytest.approx(np.mean(rated), abs=1e-12))
        assert len(raw) == 14

    def test_paired_bootstrap_results_are_refused(self):
        with pytest.raises(ReadError, match="one number a system"):
            read_real("sacrebleu/ted.paired_bs.json")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("BLEU|nrefs:1 = 129.1 56.8/37.5", r"line 2 has the score 129.1; BLEU is between 0 and 100"),
        ("BLEU|nrefs:1 = -1.5", r"line 2 has the score -1.5; no BLEU is negative"),
        ("chrF2|nrefs:1 = 100.5", r"line 2 has the score 100.5; chrF2 is between 0 and 100"),
        ("TER|nrefs:1 = -3.0", r"line 2 has the score -3; no TER is negative"),
        ("TER|nrefs:1 = 250.0", None),
        ("BLEU|nrefs:1 = 100.00000000000004", None),
    ],
)
def test_a_score_that_its_metric_cannot_have_is_refused(tmp_path, line, sentence):
    path = tmp_path / "s.txt"
    path.write_text(f"{line.partition('=')[0]}= 50.0\n{line}\n")
    if sentence is None:
        assert len(read(path).tidy()["score"]) == 2
        return
    with pytest.raises(ReadError, match=sentence):
        read(path)


def test_two_ratings_without_the_line_break_between_them_are_no_line(tmp_path):
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    lines = [f"A\td1\t{n}\t{n}\tr1\tx\ty\tStyle/Awkward\tMinor\t\n" for n in range(4)]
    assert means(read(write(tmp_path, "whole.tsv", header + "".join(lines)))) == {"A": (4, -1.0)}
    spare = header + "".join(line.replace("\n", "\t\n") for line in lines)  # a cell too many that is empty
    assert means(read(write(tmp_path, "spare.tsv", spare))) == {"A": (4, -1.0)}
    lines[1] = lines[1].rstrip("\n")
    with pytest.raises(ReadError, match="line 3 has 19 cells, the header has 10: the line break between two lines is"):
        read(write(tmp_path, "merged.tsv", header + "".join(lines)))


def test_a_score_with_a_control_character_is_none(tmp_path):
    (tmp_path / "sys.txt").write_text("29.1\n13.3\n0.0\n100.0\x1c\n")
    with pytest.raises(ReadError, match=r"sys\.txt: line 4 is '100\.0', not a score"):
        read(tmp_path / "sys.txt")
