"""A few scores on another scale than the others are said and stay; what is on one scale is left alone."""

import numpy as np
import pytest

import scorebars as sb

TENTHS = [place / 10 for place in range(10)] * 4
PERCENTAGES = [10.0 + 2 * place for place in range(40)]


def scores(cells, **options):
    items = [f"q{place}" for place in range(len(cells))]
    return sb.Scores({"model": ["A"] * len(cells), "item": items, "score": np.array(cells, float)}, **options)


def said(found):
    return [note.message for note in found.cuts().notes if note.code == "mixed-scale"]


@pytest.mark.parametrize(
    ("cells", "start"),
    [
        ([*TENTHS[:35], 85, 85, 85, 85, 85], "5 of 40 (85, first for model 'A', item 'q35')"),
        ([*TENTHS, 40, 85], "2 of 42 (40 to 85,"),
        ([*TENTHS, 60], "1 of 41 (60,"),
        ([*PERCENTAGES, 0.5, 0.75], "2 of 42 (0.5 to 0.75,"),
    ],
)
def test_a_few_on_another_scale_are_said_and_stay(cells, start):
    found = scores(cells)
    (sentence,) = said(found)
    assert start in sentence
    assert sentence.endswith("(range=(0, 100))")
    assert sb.estimate(found)[0].value == pytest.approx(np.mean(cells), abs=1e-12)
    assert said(found.with_options(range=(0, 100))) == []
    finding = next(each for each in sb.doctor(found).findings if each.code == "mixed-scale")
    assert start in finding.message


@pytest.mark.parametrize(
    "cells",
    [
        TENTHS,
        PERCENTAGES,
        [*PERCENTAGES, 0.5],  # one small percentage
        [*TENTHS, 99],  # a mark, which has a note of its own
        [*TENTHS, 500],
        [*TENTHS, 5, 60],  # something between
        [-0.5, *TENTHS, 60],
        [0, 1] * 20,
        [0.01] * 20 + [90],  # another size
    ],
)
def test_one_scale_is_left_alone(cells):
    assert said(scores(cells)) == []
