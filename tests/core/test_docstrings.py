"""Public names of the core document their parameters, their results and their errors."""

import ast
import dataclasses
import doctest
import inspect
import itertools
import pydoc
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import latviz
from latviz import core

SECTION = r"^{}\n-+\n"


def documented() -> Iterator[tuple[str, Any]]:
    """Yield the names of public functions, classes and methods, with the objects."""
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
    """Return the names of the entries of a section."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", text, re.MULTILINE)
    return {name.strip() for head in heads for name in head.split(",")}


def taken_by(function: Any) -> set[str]:
    """Return the names of a function's parameters."""
    names = set(inspect.signature(function).parameters) - {"self", "cls"}
    # Settings of a fit as keywords, which its own docstring explains
    shared = fields_of(core.FitSettings)
    if shared <= names and "settings" in names:
        return names - shared | {"fields"}
    common = shared - {"n_states", "window"}
    return names - common | {"fields"} if common <= names and not shared <= names else names


def fields_of(thing: Any) -> set[str]:
    """Return the names of the public fields of a record; none of another class."""
    fields = dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()
    return {field.name for field in fields if not field.name.startswith("_")}


def test_there_are_functions_and_classes() -> None:
    assert len(FUNCTIONS) > 100
    assert len(CLASSES) > 20


def test_help_is_readable() -> None:
    lines = pydoc.render_doc(core, renderer=pydoc.plaintext).splitlines()
    assert len(lines) < 6200
    assert max(map(len, lines)) <= 130


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
    """Functions that check arguments have this section; results and protocols check none."""
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
"""Functions that do not check arguments: only the core calls them, or a caller writes them."""


USED_MOST = {
    f"{kind}.{name}"
    for kind in ("DiscreteModel", "GaussianModel")
    for name in ("fit", "decode", "evaluate", "signature")
}


def test_examples_run() -> None:
    """Each that is there; figures that a reader can verify by hand of functions and classes."""
    known = {"np": np, **{name: getattr(core, name) for name in core.__all__}}
    for name, thing in THINGS:
        text = section(thing, "Examples")
        example = doctest.DocTestParser().get_doctest(text, dict(known), name, None, 0)
        if name in known or name in USED_MOST:
            assert any(line.want for line in example.examples), name
        wrong: list[str] = []
        doctest.DocTestRunner(verbose=False).run(example, out=wrong.append)
        assert not wrong, "".join(wrong)


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


ROOT = Path(latviz.__file__).parent
SHORT = ("core", "files", "collection", "sharing", "cli", "engine", "app", "wings")
"""The folders whose private docstrings have one or two lines."""
PAGES = {
    *(
        "Decoder",
        "Labelling",
        "Parameter",
        "ParameterChoice",
        "Peer",
        "Problem",
        "problem_of",
        "run",
    ),
    *("Action", "Context", "Feature", "Index", "Parameters", "Place", "Submenu", "Use"),
    *("View", "ViewSpec"),
}
"""Names with long descriptions, for authors of a row of a table, a view or a peer."""


def offered() -> set[str]:
    """Return the names, with modules, of the core's public objects, their bases, and wings'."""
    things = [getattr(core, name) for name in core.__all__]
    bases = [base for thing in things for base in getattr(thing, "__mro__", (thing,))]
    return {f"{base.__module__}.{base.__name__}" for base in bases} | set(offered_by_wings())


def offered_by_wings() -> Iterator[str]:
    """Yield the names, with modules, of the functions and classes that wings offer."""
    for path in ROOT.glob("wings/*/__init__.pyi"):
        for line in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(line, ast.ImportFrom) and line.module is not None:
                module = f"latviz.wings.{path.parent.name}.{line.module}"
                yield from (f"{module}.{alias.name}" for alias in line.names)


def private(node: ast.AST, module: str, public: set[str], inside: bool) -> Iterator[Any]:
    """Yield the name and docstring of private definitions of a module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{module}.{child.name}"
            listed = inside or name in public or child.name in PAGES
            is_public = listed and not child.name.startswith("_")
            if not is_public:
                yield name, ast.get_docstring(child) or ""
            yield from private(child, name, public, is_public and isinstance(child, ast.ClassDef))


def private_docstrings() -> Iterator[tuple[str, str]]:
    """Yield the names and docstrings of all private definitions in `SHORT`."""
    public = offered()
    for path in itertools.chain(*((ROOT / folder).rglob("*.py") for folder in SHORT)):
        module = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        yield from private(ast.parse(path.read_text(encoding="utf-8")), module, public, False)


def test_private_docstrings_have_at_most_two_lines() -> None:
    """A longer reason is a comment in the body, where it is read with the code."""
    found = list(private_docstrings())
    assert len(found) > 5000
    assert [name for name, text in found if len([*filter(str.strip, text.splitlines())]) > 2] == []
