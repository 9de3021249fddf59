"""What users of other libraries call arguments, and clear refusals of calls that do not fit."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter, signature, unwrap
from traceback import walk_tb
from typing import Any

NAMES = {
    "algorithm": "decoder",
    "cv": "folds",
    "estimator": "classifier",
    "label_image": "states",
    "labels": "states",
    "min_size": "least_size",
    "param_grid": "choices",
    "radius": "window",
    "seed": "random_state",
    "sigma": "scale",
    "transmat": "transitions",
    "w": "window",
    "X": "images",
    "y": "labels",
} | dict.fromkeys(("K", "N", "k", "max_states", "n_clusters", "n_components"), "n_states")
"""Arguments of other libraries, and those of the same meaning here, in functions that have them."""
NEAR = 0.75
"""Least likeness of a misspelt name: 'window' for 'windows', not 'random_state' for 'n_states'."""


def has_begun(function: Callable[..., Any], error: BaseException) -> bool:
    """Return if a function itself was running when an error was raised, not only its wrappers."""
    code = getattr(unwrap(function), "__code__", None)
    return any(frame.f_code is code for frame, _ in walk_tb(error.__traceback__))


def refusal(function: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any]) -> str:
    """Return why a call does not fit the signature of a function; "" if it does."""
    known, name = signature(function).parameters, function.__name__
    kinds = {one.kind for one in known.values()}
    taken = [key for key in known if key not in ("self", "cls")]
    unknown = [] if Parameter.VAR_KEYWORD in kinds else [key for key in given if key not in known]
    if unknown:
        near = [NAMES.get(unknown[0], ""), *get_close_matches(unknown[0], taken, 1, NEAR)]
        wanted = next((one for one in near if one in taken), "")
        rest = f"{wanted} is" if wanted else f"arguments are {', '.join(taken)}"
        return f"{name} has no argument {unknown[0]!r}: {rest}{' its name here' * bool(wanted)}"
    by_place = [key for key, one in known.items() if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(by_place) and Parameter.VAR_POSITIONAL not in kinds:
        first = [key for key in by_place if key in taken]
        others = [key for key in taken if key not in first]
        return f"{name} takes {_listed(first)} by place, and by name {_listed(others)}"
    needed = [key for key, one in known.items() if one.default is Parameter.empty]
    given_names = {*by_place[: len(args)], *given}
    if missing := [key for key in needed if key in taken and key not in given_names]:
        shown = ", ".join(
            key if key in by_place else f"{key}=..." for key in needed if key in taken
        )
        return f"{name} needs {_listed(missing)}: {name}({shown})"
    return ""


def _listed(names: Sequence[str]) -> str:
    *most, last = names or ("nothing",)
    return f"{', '.join(most)} and {last}" if most else last
