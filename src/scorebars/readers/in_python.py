"""``scorebars.read``: what the readers say, in arguments of Python instead of options of the command line."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec

from scorebars.errors import ScorebarsError
from scorebars.readers.read import read as _read
from scorebars.scores import Scores, in_words_of_read

if TYPE_CHECKING:
    from collections.abc import Callable

Asked = ParamSpec("Asked")


def _in_python(reading: Callable[Asked, Scores]) -> Callable[Asked, Scores]:
    """The same function, whose errors and scores name arguments."""

    @wraps(reading)
    def read(*paths: Asked.args, **options: Asked.kwargs) -> Scores:
        try:
            return in_words_of_read(reading(*paths, **options))
        except ScorebarsError as error:
            from scorebars.engines.read_words import say

            say(error)
            raise

    return read


read = _in_python(_read)
