"""Short signatures for `help` and notebooks: names and defaults.

Types stand in docstrings, in words; editors and type checkers read them in the code.
"""

from inspect import Parameter, Signature, isclass, signature
from textwrap import fill
from types import FunctionType
from typing import Any

WIDTH = 88
"""Characters of a line of a signature, behind the name."""


class Short(Signature):
    """A signature without types, in lines that fit a terminal."""

    def __str__(self) -> str:
        return fill(super().__str__(), WIDTH, subsequent_indent="    ", break_long_words=False)


def readable(public: Any) -> Any:
    """Return a public function, or a class with its methods, with signatures without types."""
    kinds = public.__mro__ if isclass(public) else ()
    for one in [one for kind in kinds for one in vars(kind).values()] or [public]:
        function = getattr(one, "__func__", one)  # of class methods
        if isinstance(function, FunctionType) and function.__module__.startswith("latviz."):
            function.__signature__ = _without_types(signature(function))  # type: ignore[attr-defined]
    return public


def _without_types(full: Signature) -> Signature:
    shown = [one.replace(annotation=Parameter.empty) for one in full.parameters.values()]
    returned = None if full.return_annotation in (None, "None") else Signature.empty
    return Short(shown, return_annotation=returned)
