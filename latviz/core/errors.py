"""The one exception that the core raises for arguments that it cannot use."""

from collections.abc import Iterator
from contextlib import contextmanager


class ParameterError(ValueError):
    """An argument is outside its range or of the wrong shape.

    The message names the argument, the expected value and the actual one.

    Examples
    --------
    >>> inertia([0, 1], n_states=0, window=1)
    Traceback (most recent call last):
        ...
    latviz.core.errors.ParameterError: n_states must be an integer from 1 to 255, got 0
    """


@contextmanager
def at_index(k: int) -> Iterator[None]:
    """Prefix a `ParameterError` inside with the index of a lattice."""
    try:
        yield
    except ParameterError as error:
        raise ParameterError(f"lattice {k}: {error}") from None


@contextmanager
def called_as(call: str) -> Iterator[None]:
    """Append the right order of arguments to a `ParameterError` inside."""
    try:
        yield
    except ParameterError as error:
        raise ParameterError(f"{error}; the call is {call}") from None
