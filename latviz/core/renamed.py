"""Arguments that had another name, or another place, until the last release."""

import warnings
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from latviz.core.errors import ParameterError

Called = TypeVar("Called", bound=Callable[..., Any])
_OWNERS = "self", "cls"


def renamed(order: str = "", /, **names: str) -> Callable[[Called], Called]:
    """Return a decorator that takes arguments by their old places and names, too, and warns.

    ``order`` are the old names of those that had a place; ``names`` are old=new.
    """

    def decorate(function: Called) -> Called:
        taken, places = _by_place(function), order.split()
        n_owners = sum(name in _OWNERS for name in taken)

        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            if len(taken) < len(args) <= n_owners + len(places):
                args, placed = args[:n_owners], args[n_owners:]
                own = [names.get(one, one) for one in places[: len(placed)]]
                by_name = " and ".join(one for one in own if one not in taken)
                _warn(f"{function.__name__} takes {by_name} by name now")
                _add(given, dict(zip(own, placed, strict=True)))
            for old in names.keys() & given.keys():
                _warn(f"{old} is now called {names[old]}")
                _add(given, {names[old]: given.pop(old)})
            return function(*args, **given)

        call.renamed = places, names  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


def _by_place(function: Callable[..., Any]) -> list[str]:
    found = signature(function).parameters.values()
    return [one.name for one in found if one.kind is Parameter.POSITIONAL_OR_KEYWORD]


def _add(given: dict[str, Any], more: dict[str, Any]) -> None:
    if twice := given.keys() & more.keys():
        raise ParameterError(f"{twice.pop()} is given twice: once by its old name or place")
    given.update(more)


def _warn(text: str) -> None:
    warnings.warn(text, DeprecationWarning, stacklevel=3)
