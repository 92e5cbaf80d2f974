"""Every check finds its own fault, says it as promised, and is silent on clean tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.analysis.checks.tables import CLEAN, FAULTY

from scorebars.analysis.checks import CHECKS
from scorebars.notes import TEMPLATES

CODES = [code for codes in CHECKS.values() for code in codes]
PAGE = Path(__file__).parents[3] / "docs/doctor.md"
CHECK_FILES = Path(__file__).parents[3] / "src/scorebars/analysis/checks"


def test_every_code_has_a_fault_to_be_tried_on():
    assert sorted(FAULTY) == sorted(CODES)
    assert len(set(CODES)) == len(CODES)


def test_every_check_is_listed():
    files = {path.stem for path in CHECK_FILES.glob("*.py")} - {"__init__", "evidence"}
    assert files == set(CHECKS)


@pytest.mark.parametrize("code", FAULTY)
def test_the_fault_is_found_and_the_finding_is_whole(code, tmp_path):
    found = FAULTY[code](tmp_path).findings
    assert code in {finding.code for finding in found}
    for finding in found:
        assert finding.code in {*CODES, *TEMPLATES}
        assert re.match(r"[^\s]", finding.message)
        assert not finding.message.endswith(".")
        assert len(finding.remedy.split()) >= 3
        assert "  " not in finding.message + finding.remedy
        assert not re.search(r"\bnan\b|\bNone\b|np\.|dtype", finding.message + finding.remedy)


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_is_found_in_a_clean_table(name, tmp_path):
    assert [(finding.code, finding.message) for finding in CLEAN[name](tmp_path).findings] == []


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_paragraph(code):
    assert f"`{code}`" in PAGE.read_text(encoding="utf-8")
