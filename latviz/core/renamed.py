"""Arguments that have another name since the last release."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from latviz.core.errors import ParameterError

Called = TypeVar("Called", bound=Callable[..., Any])


def renamed(**names: str) -> Callable[[Called], Called]:
    """Return a decorator that takes arguments by old names (old=new), too, with a warning."""

    def decorate(function: Called) -> Called:
        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            for old in names.keys() & given.keys():
                new = names[old]
                if new in given:
                    raise ParameterError(f"{old} is the old name of {new}: give one of them")
                warnings.warn(f"{old} is now called {new}", DeprecationWarning, stacklevel=2)
                given[new] = given.pop(old)
            return function(*args, **given)

        return call  # type: ignore[return-value]

    return decorate
