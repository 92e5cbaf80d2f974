"""Repeats of one test, told by what it asks."""

from __future__ import annotations

from scorebars.readers.repeats import repeats


def places(*tests):
    found = repeats(tests)
    return [(found.item(number), found.run(number)) for number, _ in tests]


def test_the_same_content_is_one_item_and_its_numbers_are_runs():
    assert places(("0", {"q": 1}), ("1", {"q": 2}), ("2", {"q": 1})) == [("0", "1"), ("1", "1"), ("0", "2")]


def test_without_a_repeat_there_is_no_run():
    assert places(("0", {"q": 1}), ("1", {"q": 2})) == [("0", None), ("1", None)]


def test_the_order_of_keys_says_nothing():
    assert places(("0", {"a": 1, "b": 2}), ("1", {"b": 2, "a": 1})) == [("0", "1"), ("0", "2")]


def test_a_number_that_comes_again_is_the_same_test():
    assert places(("0", {"q": 1}), ("0", {"q": 1})) == [("0", None), ("0", None)]


def test_content_that_is_not_known_makes_no_repeat():
    assert places(("0", None), ("1", None)) == [("0", None), ("1", None)]
