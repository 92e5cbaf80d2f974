"""What a number rests on: the weights of items are part of it."""

from __future__ import annotations

import pandas as pd
import pytest

import scorebars as sb


def test_weights_of_items_are_told():
    rows = [("a", f"q{i}", w, i % 2) for i, w in enumerate([10, 1, 1, 2])]
    frame = pd.DataFrame(rows, columns=["model", "item", "weight", "score"])
    told = str(sb.estimate(sb.Scores(frame)))
    assert "rests on     4 items, 1 run each, weights 1 to 10" in told
    assert sb.estimate(sb.Scores(frame))[0].value == pytest.approx(3 / 14)
    both = pd.concat([frame, frame.assign(model="b", score=1)])
    assert sb.compare(sb.Scores(both), "a", "b").answer.weights == (1.0, 10.0)
    assert "weights 1 to 10" in str(sb.compare(sb.Scores(both), "a", "b"))
    assert "weights" not in str(sb.estimate(sb.Scores(frame.assign(weight=3))))
