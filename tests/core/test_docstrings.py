"""What is public in the core says what it takes, what it returns and what it refuses."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

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
by_name = pytest.mark.parametrize(("name", "thing"), THINGS, ids=[name for name, _ in THINGS])


def section(thing: Any, title: str) -> str:
    """Return the text of a section of a docstring; empty if there is none."""
    text = inspect.cleandoc(thing.__doc__ or "")
    found = re.search(SECTION.format(title) + r"((?:.*\n?)*?)(?=\n\w+\n---|\Z)", text, re.MULTILINE)
    return found.group(1) if found else ""


def entries(text: str) -> set[str]:
    """Return the names that the entries of a section tell of."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", text, re.MULTILINE)
    return {name.strip() for head in heads for name in head.split(",")}


@by_name
def test_parameters(name: str, thing: Any) -> None:
    if inspect.isclass(thing):
        fields = [f.name for f in dataclasses.fields(thing)] if is_record(thing) else []
        told = entries(section(thing, "Parameters")) | entries(section(thing, "Attributes"))
        assert {field for field in fields if not field.startswith("_")} <= told
        return
    taken = [p for p in inspect.signature(thing).parameters if p not in ("self", "cls")]
    assert entries(section(thing, "Parameters")) == set(taken)


@by_name
def test_returns(name: str, thing: Any) -> None:
    if inspect.isclass(thing):
        return
    returned = inspect.signature(thing).return_annotation
    if returned not in (None, "None"):
        assert section(thing, "Returns") or section(thing, "Yields"), name


@by_name
def test_raises(name: str, thing: Any) -> None:
    """What takes arguments and checks them says so; results and protocols check none."""
    if inspect.isclass(thing):
        source = inspect.getsource(thing.__post_init__) if "__post_init__" in vars(thing) else ""
        assert not source or "ParameterError" in section(thing, "Raises")
        return
    taken = [p for p in inspect.signature(thing).parameters if p not in ("self", "cls")]
    if taken and name not in UNCHECKED:
        assert "ParameterError" in section(thing, "Raises")
    if "progress" in taken:
        assert "Cancelled" in section(thing, "Raises")


UNCHECKED = {
    "DataSet.each",
    "DataSet.once",
    "DataSet.parts",
    "DataSetEvaluation.of",
    "Progress.report",
}
"""What trusts its arguments, because only the core calls it, or a caller writes it."""


def is_record(thing: Any) -> bool:
    return dataclasses.is_dataclass(thing)


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
