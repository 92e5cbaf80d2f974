"""Results: frozen, complete, printable. A number that does not exist is NaN with a note, never 0.0."""

from scorebars.results.answer import Answer, Bound, Counts
from scorebars.results.comparison import Comparison
from scorebars.results.estimates import Estimate, Estimates
from scorebars.results.profile import Profile, Profiles

__all__ = ["Answer", "Bound", "Comparison", "Counts", "Estimate", "Estimates", "Profile", "Profiles"]
