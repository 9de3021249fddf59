"""Tables of tests to which wings add: modules of a name in their folders of tests."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from latviz import wings


def of_wings(name: str) -> Iterator[ModuleType]:
    for wing in wings.own():
        module = f"tests.{wing.__name__.partition('.')[2]}.{name}"
        if find_spec(module):
            yield import_module(module)


def table(name: str) -> dict[str, Any]:
    """Return a table of the modules ``tables`` of the tests of wings."""
    found = (getattr(module, name, {}) for module in of_wings("tables"))
    return {key: value for one in found for key, value in one.items()}
