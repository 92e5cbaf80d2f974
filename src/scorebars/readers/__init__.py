"""Readers: one file format a module, tried in this order; each judges a file by its content, the name is a hint."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scorebars.contracts import Reader

READERS: Final[dict[str, str]] = {
    "inspect": "scorebars.readers.inspect_log:InspectReader",
    "lm-eval": "scorebars.readers.lm_eval:LmEvalReader",
    "table": "scorebars.readers.table:TableReader",
}
"""The family, in the order of detection: name -> where its class lives."""


def load(name: str) -> Reader:
    """The reader of that name; its module is imported only now."""
    module, _, attribute = READERS[name].partition(":")
    reader: Reader = getattr(import_module(module), attribute)()
    return reader
