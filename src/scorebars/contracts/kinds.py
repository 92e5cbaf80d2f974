"""Protocols that remember which types serve them: asking one by its members takes as long as a small interval."""

from __future__ import annotations

from typing import Any, _ProtocolMeta

_SERVES: dict[tuple[type, type], bool] = {}


class Kind(_ProtocolMeta):
    """The type of a runtime-checkable protocol whose members stand in the class, so that a type serves it or does not.

    >>> from scorebars.contracts import ItemMean
    >>> from scorebars.estimators import IQM, Mean
    >>> isinstance(Mean(), ItemMean), isinstance(IQM(), ItemMean)
    (True, False)
    """

    def __instancecheck__(self, instance: Any) -> bool:
        """As every protocol, once for each type."""
        key = (self, type(instance))
        if key not in _SERVES:
            _SERVES[key] = super().__instancecheck__(instance)
        return _SERVES[key]
