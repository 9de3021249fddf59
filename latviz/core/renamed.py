"""Names, arguments and places that were others until the last release.

`PUBLIC` and `METHODS` are the table of names, and each ``renamed`` that of the arguments of one
function. *Level* is now the verb for uneven light alone (`level_light`, ``Encoding.level``), and
*levels* are those of grey. Records, as ``Encoding("levels", 4)``, keep the order of their fields,
because they have no observations.
"""

import warnings
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from latviz.core.errors import ParameterError
from latviz.core.foreign import has_begun, refusal

PUBLIC = {
    "level": "level_light",
    "Level": "CoarseStates",
    "bias_variance_levels": "bias_variance_by_copies",
}
"""Names of `latviz.core`: old, and new."""
METHODS = {"decode_levels": "decode_coarse_to_fine"}
"""Methods of models: old, and new."""
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
            try:
                return function(*args, **given)
            except TypeError as error:
                if has_begun(function, error) or not (reason := refusal(function, args, given)):
                    raise
                raise TypeError(reason) from None

        call.renamed = places, names  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


def took_a_table(of_table: Callable[[Any], float]) -> Callable[[Called], Called]:
    """Return a decorator of measures of two maps that takes their table of counts, too, and warns.

    ``of_table`` measures the table.
    """

    def decorate(function: Called) -> Called:
        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            if (len(args) == 1 and not given) or [*given] == ["table"]:
                name = function.__name__
                _warn(f"{name} takes the two maps now: {name}(one, other)")
                return of_table(*args, **given)
            return function(*args, **given)

        return call  # type: ignore[return-value]

    return decorate


def new_name(old: str, table: dict[str, str]) -> str:
    """Return the new name of an old one, with a warning; any other as it is."""
    if old in table:
        _warn(f"{old} is now called {table[old]}")
    return table.get(old, old)


def _by_place(function: Callable[..., Any]) -> list[str]:
    found = signature(function).parameters.values()
    return [one.name for one in found if one.kind is Parameter.POSITIONAL_OR_KEYWORD]


def _add(given: dict[str, Any], more: dict[str, Any]) -> None:
    if twice := given.keys() & more.keys():
        raise ParameterError(f"{twice.pop()} is given twice: once by its old name or place")
    given.update(more)


def _warn(text: str) -> None:
    warnings.warn(text, DeprecationWarning, stacklevel=3)
