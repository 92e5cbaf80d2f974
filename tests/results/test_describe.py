"""Sentences that differ in their numbers alone become one with ranges."""

from __future__ import annotations

from scorebars.results.describe import grouped


def test_the_digits_of_a_name_are_no_numbers():
    names = [f"samples_easy_2026-11-30T09-0{n}-15.35{n}.jsonl" for n in range(5)]
    facts = grouped("dropped", [(f"m{n}", f"{name}: {n} of 30 documents") for n, name in enumerate(names)])
    assert [fact.text for fact in facts] == [f"{name}: {n} of 30 documents" for n, name in enumerate(names)]


def test_numbers_become_ranges_and_versions_are_no_numbers():
    told = [(f"m{n}", f"{n},000.5 of core@0.1.1 in 2025-08-{n:02d}") for n in range(7, 12)]
    (fact,) = grouped("dropped", told)
    assert fact.text == "7,000.5 to 11,000.5 of core@0.1.1 in 2025-08-07 to 11"
