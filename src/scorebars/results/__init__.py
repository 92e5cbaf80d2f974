"""Results: frozen, complete, printable. A number that does not exist is NaN with a note, never 0.0."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from scorebars.results.answer import Answer, Bound, Counts
    from scorebars.results.comparison import Comparison
    from scorebars.results.comparisons import Comparisons
    from scorebars.results.diagnosis import Diagnosis, Finding, Holding, Severity
    from scorebars.results.estimates import Estimate, Estimates
    from scorebars.results.profile import Profile, Profiles

__all__ = [
    "Answer",
    "Bound",
    "Comparison",
    "Comparisons",
    "Counts",
    "Diagnosis",
    "Estimate",
    "Estimates",
    "Finding",
    "Holding",
    "Profile",
    "Profiles",
    "Severity",
]

_HOMES: Final = {
    "answer": ("Answer", "Bound", "Counts"),
    "comparison": ("Comparison",),
    "comparisons": ("Comparisons",),
    "diagnosis": ("Diagnosis", "Finding", "Holding", "Severity"),
    "estimates": ("Estimate", "Estimates"),
    "profile": ("Profile", "Profiles"),
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
