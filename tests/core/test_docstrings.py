"""What is public in the core says what it takes, what it returns and what it refuses."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

from latviz import core

SECTION = r"^{}\n-+\n"


def documented() -> Iterator[tuple[str, Any]]:
    """Yield the names of public functions, classes and methods with what they are."""
    for name in core.__all__:
        thing = getattr(core, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for method, function in inspect.getmembers(thing, callable):
                if not method.startswith("_"):
                    yield f"{name}.{method}", function


THINGS = list(documented())
FUNCTIONS = [(name, thing) for name, thing in THINGS if not inspect.isclass(thing)]
CLASSES = [(name, thing) for name, thing in THINGS if inspect.isclass(thing)]


def section(thing: Any, title: str) -> str:
    """Return the text of a section of a docstring; empty if there is none."""
    text = inspect.cleandoc(thing.__doc__ or "")
    found = re.search(SECTION.format(title) + r"((?:.*\n?)*?)(?=\n\w+\n---|\Z)", text, re.MULTILINE)
    return found.group(1) if found else ""


def entries(text: str) -> set[str]:
    """Return the names that the entries of a section tell of."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", text, re.MULTILINE)
    return {name.strip() for head in heads for name in head.split(",")}


def taken_by(function: Any) -> set[str]:
    """Return the names of what a function takes."""
    return set(inspect.signature(function).parameters) - {"self", "cls"}


def fields_of(thing: Any) -> set[str]:
    """Return the names of the public fields of a record; none of another class."""
    fields = dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()
    return {field.name for field in fields if not field.name.startswith("_")}


def test_there_are_functions_and_classes() -> None:
    assert len(FUNCTIONS) > 100
    assert len(CLASSES) > 20


def test_parameters() -> None:
    for name, function in FUNCTIONS:
        assert entries(section(function, "Parameters")) == taken_by(function), name
    for name, thing in CLASSES:
        told = entries(section(thing, "Parameters")) | entries(section(thing, "Attributes"))
        assert fields_of(thing) <= told, name


def test_returns() -> None:
    for name, function in FUNCTIONS:
        if inspect.signature(function).return_annotation not in (None, "None"):
            assert section(function, "Returns") or section(function, "Yields"), name


def test_raises() -> None:
    """What takes arguments and checks them says so; results and protocols check none."""
    for name, thing in CLASSES:
        if "__post_init__" in vars(thing):
            assert "ParameterError" in section(thing, "Raises"), name
    for name, function in FUNCTIONS:
        taken = taken_by(function)
        if taken and name not in UNCHECKED:
            assert "ParameterError" in section(function, "Raises"), name
        if "progress" in taken:
            assert "Cancelled" in section(function, "Raises"), name


UNCHECKED = {
    "DataSet.each",
    "DataSet.once",
    "DataSet.parts",
    "DataSetEvaluation.of",
    "Progress.report",
}
"""What trusts its arguments, because only the core calls it, or a caller writes it."""


def test_sections_are_read() -> None:
    def good(one: int, other: int) -> int:
        """Return a sum.

        Parameters
        ----------
        one, other : int
            From 0 on.

        Returns
        -------
        int
        """
        return one + other

    assert entries(section(good, "Parameters")) == {"one", "other"}
    assert section(good, "Returns").strip() == "int"
    assert section(good, "Raises") == ""
