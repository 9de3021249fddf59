"""Objects that other installed packages offer through an entry point group."""

import warnings
from collections.abc import Callable
from importlib import metadata
from typing import TypeVar

T = TypeVar("T")


def load(group: str, kind: type[T], add: Callable[[T], object]) -> None:
    """Add the objects of an entry point group, such as "latviz.encodings".

    A plug-in that cannot be loaded or added, or that offers something else, is left out with a
    warning that names it.

    Parameters
    ----------
    group : str
        The group's name.
    kind : type
        The type that its objects must have.
    add : callable
        Takes each of them.
    """
    for entry in metadata.entry_points(group=group):
        try:
            offered = entry.load()
            if not isinstance(offered, kind):
                raise TypeError(f"it is no {kind.__name__} but a {type(offered).__name__}")
            add(offered)
        except Exception as error:  # whatever a stranger's module raises must not stop the program
            reason = f"{type(error).__name__}: {error}"
            text = f"the plug-in {entry.name!r} of {group} was left out: {reason}"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
