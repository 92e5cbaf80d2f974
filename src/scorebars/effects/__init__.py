"""The family of effects: what a comparison of A and B reports. One file a method."""

from __future__ import annotations

from scorebars.effects.difference import Difference

__all__ = ["SPELLINGS", "Difference"]

SPELLINGS = {"difference": Difference}
"""Command line spelling of each effect."""
