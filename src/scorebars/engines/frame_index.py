"""The index of a pandas frame: its named levels are columns, as in a file that the frame is written to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Container


def with_index(frame: Any) -> Any:
    """The frame with each named level of its index as a column, unless a column has that name; others as they are.

    Raises:
        ScoresError: Two levels of one name.
    """
    index = index_of(frame)
    if index is None:
        return frame
    columns = set(map(str, frame.columns))
    levels = {level: str(name) for level, name in enumerate(index.names) if name is not None}
    missing = {level: name for level, name in levels.items() if name not in columns}
    name, times = Counter(missing.values()).most_common(1)[0] if missing else ("", 0)
    if times > 1:
        raise ScoresError(f"two levels of the index are called '{name}'; give each a name of its own")
    if not missing:
        return frame
    made = frame.copy(deep=False)
    for place, (level, name) in enumerate(missing.items()):
        made.insert(place, name, index.get_level_values(level))
    return made


def index_of(frame: Any) -> Any:
    """The index of a frame that has one (pandas and its like); None for any other, and where headers have levels."""
    if isinstance(frame, dict) or hasattr(frame, "fetchnumpy"):
        return None
    if not all(hasattr(frame, name) for name in ("index", "columns", "set_index", "insert")):
        return None
    return frame.index if hasattr(frame.index, "names") and getattr(frame.columns, "nlevels", 1) == 1 else None


def refuse_unnamed_index(frame: Any, known: Container[str]) -> None:
    """Raise a ScoresError where texts of an index without a name may be the models or items that no column has.

    Args:
        frame: The frame.
        known: Roles that its columns have, or that are constant.
    """
    index = index_of(frame)
    if index is None or "run" in known or not len(index):
        return
    texts = [level for level, name in enumerate(index.names) if name is None and _is_text(index, level)]
    roles = [role for role in ("model", "item") if role not in known]
    several = len(index.names) > 1
    if not several:  # texts that differ from row to row name no models
        roles = [role for role in roles if role == "item" or not index.is_unique][-1:]
    if not (texts and roles):
        return
    names: list[str | None] = list(index.names)
    for role, level in zip(roles, texts, strict=False):
        names[level] = role
    which = f"level {texts[0]} of the frame's index" if several else "the frame's index"
    typed = repr(names) if several else repr(names[0])
    raise ScoresError(
        f"{which} ('{index.get_level_values(texts[0])[0]}' …) has no name, and no column is known as the {roles[0]}: "
        f"if it says the {roles[0]}, name it (frame.rename_axis({typed})), else leave the index out "
        "(frame.reset_index(drop=True))"
    )


def _is_text(index: Any, level: int) -> bool:
    return getattr(index.get_level_values(level).dtype, "kind", "O") in "OUT"
