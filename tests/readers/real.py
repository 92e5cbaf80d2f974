"""The real result files of ../shared/data: where they are, and the marks of the tests that read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorebars.readers.read import read

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
real = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the real result files of ../shared/data are not here"),
]


def read_real(name, **options):
    """A file or folder of the real ones."""
    return read(SHARED / name, **options)


def means(scores):
    """Model -> (attempts with a score, their mean), over all tasks and items."""
    values = {}
    for cut in scores.pooled().cuts().cuts:
        values.setdefault(cut.sample.model, []).extend(cut.sample.score.tolist())
    return {model: (len(each), sum(each) / len(each)) for model, each in values.items()}
