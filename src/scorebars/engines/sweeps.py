"""Rows without an item that are told apart by settings, each of which has several runs: settings are no items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.engines.headers import SPLITS, normal
from scorebars.engines.unknown_headers import names_run, names_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Columns = tuple[str, ...]
    Count = Callable[[Sequence[Columns]], dict[Columns, int]]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The settings of a table, whose values would count as items."""

    settings: Columns
    runs: Columns
    """What tells the rows of one setting apart: seeds, folds."""
    run: str
    """The unknown column of runs among these; '' where the run is known or there is none."""

    @property
    def items(self) -> Columns:
        """The columns that would be the item after all: beside settings, folds are a part of it."""
        return (*self.settings, *(name for name in self.runs if normal(name) in SPLITS))

    def said(self, values: str = "") -> str:
        """What is so, up to what the settings are."""
        each = " and ".join(f"'{name}'" for name in self.settings)
        runs = " and ".join(f"'{name}'" for name in self.runs)
        its = "its" if len(self.settings) == 1 else "their"
        return (
            f"no column is known as the item, and each {each}{values} has rows of several {runs}, so that {its} values "
            "would count as items"
        )


def settings_and_runs(unknown: Sequence[str], runs: Columns) -> list[str]:
    """Unknown columns that may be settings and runs by their headers; none where either is missing."""
    beside = _runs_of(unknown, runs)
    maybe = [name for name in unknown if names_setting(name) and name not in beside]
    return [name for name in unknown if name in {*maybe, *beside}] if beside and maybe else []


def _runs_of(unknown: Sequence[str], runs: Columns) -> Columns:
    """The run, or an unknown column that is called so; and folds."""
    named = runs or tuple(filter(names_run, unknown))[:1]
    return (*named, *(name for name in unknown if normal(name) in SPLITS))


def swept(unknown: Sequence[str], known: Columns, runs: Columns, n_rows: int, count: Count) -> Sweep | None:
    """The settings that tell the rows of a run apart, if each has several runs; None if none do.

    Args:
        unknown: Columns without a role that may be settings or runs, of which no cell is empty.
        known: The columns of the model and what else tells rows apart, besides the run.
        runs: The columns of the run.
        n_rows: How many rows there are.
        count: How many different values sets of columns have.
    """
    beside = _runs_of(unknown, runs)
    maybe = [name for name in unknown if names_setting(name) and name not in beside]
    if not (beside and maybe):
        return None
    counts = {(): 1} | count([*filter(None, [known]), (*known, *beside), *((*known, name) for name in maybe)])
    settings = tuple(name for name in maybe if counts[known] < counts[*known, name] <= n_rows // 2)
    if not settings:
        return None
    alone, told = (*known, *settings), (*known, *beside, *settings)
    counts |= count([alone, told])
    if not counts[*known, *beside] < counts[told] == n_rows or 2 * counts[alone] > n_rows:
        return None
    return Sweep(settings, beside, beside[0] if not runs and names_run(beside[0]) else "")
