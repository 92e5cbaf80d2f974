"""JSON with a format version of its own: full precision, both the method's bounds and those shown in their place.

A number that does not exist is ``null``, and the result's ``missing`` says why, by code; so is the infinite end of a
one-sided interval. History of the format: 1, the first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scorebars.outputs.characters import escaped_json

if TYPE_CHECKING:
    from scorebars.outputs.view import View

FORMAT_VERSION: Final = 1


def render(view: View) -> str:
    """The view's results as JSON."""
    document: dict[str, object] = {"format_version": FORMAT_VERSION, "kind": view.kind}
    if view.headline:
        document["verdict"] = view.headline
    document |= {name: finite(value) for name, value in view.extra.items()}
    document["results"] = [finite(record) for record in view.records]
    document["notes"] = [{"code": note.name, "message": note.text, "rows": list(note.rows)} for note in view.every_note]
    if view.items is not None:
        document["items"] = [finite(record) for record in view.item_records]
    return escaped_json(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False, default=str)) + "\n"


def finite(value: object) -> Any:
    """The value with everything that JSON has no number for as None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "dtype") and hasattr(value, "item"):  # a NumPy number in a note's data
        return finite(value.item())
    if isinstance(value, Mapping):
        return {str(key): finite(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(part) for part in value]
    return value
