"""Functions of observations that return an array for one lattice, and a list for several.

They are written for data sets only; their types give the result for each kind of argument.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from latviz.core.data.data_set import Several, given_back
from latviz.core.types import OneLattice

Given = ParamSpec("Given")
One = TypeVar("One")


class OfObservations(Protocol[Given, One]):
    """A function of observations, or maps of states, and further arguments."""

    @overload
    def __call__(
        self, observations: Several, *args: Given.args, **kwargs: Given.kwargs
    ) -> list[One]: ...
    @overload
    def __call__(
        self, observations: OneLattice, *args: Given.args, **kwargs: Given.kwargs
    ) -> One: ...


class OfModel(Protocol[Given, One]):
    """A function of a model, or one of its methods, of observations and further arguments."""

    @overload
    def __call__(
        self, model: Any, observations: Several, *args: Given.args, **kwargs: Given.kwargs
    ) -> list[One]: ...
    @overload
    def __call__(
        self, model: Any, observations: OneLattice, *args: Given.args, **kwargs: Given.kwargs
    ) -> One: ...
    def __get__(self, model: Any, kind: type, /) -> OfObservations[Given, One]: ...


def per_lattice(
    compute: Callable[Concatenate[Any, Given], list[One]],
) -> OfObservations[Given, One]:
    """Return a function of observations first that gives one result back for one lattice."""
    return _given_back(compute, 0)  # type: ignore[no-any-return]


def per_lattice_of(
    compute: Callable[Concatenate[Any, Any, Given], list[One]],
) -> OfModel[Given, One]:
    """Return the same of a function, or method, of a model, or of states, and of observations."""
    return _given_back(compute, 1)  # type: ignore[no-any-return]


def _given_back(compute: Callable[..., list[One]], place: int) -> Any:
    own = signature(compute)
    name, several = list(own.parameters)[place], own.return_annotation

    @wraps(compute)
    def found(*args: Any, **kwargs: Any) -> Any:
        observations = args[place] if len(args) > place else kwargs.get(name)
        return given_back(observations, compute(*args, **kwargs))

    # `help` shows the signature, not the types above
    either = several.__args__[0] | several
    found.__signature__ = own.replace(return_annotation=either)  # type: ignore[attr-defined]
    return found
