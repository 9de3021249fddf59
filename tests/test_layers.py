"""Permitted imports: they only go down, at any place in a module, and never in a circle.

Every import counts: at the top of a module, inside a function, under ``TYPE_CHECKING``, and those
in the ``__init__.pyi`` of a package that loads its modules at their first use.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import latviz

ROOT = Path(latviz.__file__).parent
BELOW = {
    "__init__": set(),
    "resources": set(),
    "core": set(),
    "files": {"core"},
    "wings": {"core"},
    "engine": {"core", "wings"},
    "computing": {"core", "engine"},
    "workspace": {"core", "files", "engine"},
    "exports": {"core", "files", "engine"},
    "frozen": {"files"},
    "notebook": {"core", "engine", "sharing", "resources"},
    "collection": {"core", "files", "engine", "workspace"},
    "sharing": {"core", "files", "engine", "computing", "workspace", "resources"},
    "app": {
        *("core", "files", "engine", "workspace", "collection", "sharing", "resources"),
        *("computing", "exports", "wings"),
    },
    "cli": {
        *("core", "files", "engine", "workspace", "collection", "sharing", "app"),
        *("computing", "exports", "frozen", "resources", "wings"),
    },
    "__main__": {"cli", "frozen"},
}
"""Imports permitted to each layer, in addition to itself and the version.

A wing may import all of the program except other wings; only the list of wings imports it."""

PUBLIC = "latviz.core", "latviz.wings"
"""The core reads the names that wings add to its own, and no module of theirs before it is used."""
CORE = (
    {
        *(
            "digits",
            "disk",
            "errors",
            "axes",
            "facts",
            "foreign",
            "html",
            "json_text",
            "kernels",
            "memory",
            "parameter",
            "plugins",
            "pool",
            "printable",
            "readable",
            "renamed",
        ),
        *("progress", "scalars", "types", "values"),
    },
    {"checks", "threads"},
    {"data"},
    {"windows", "inference"},
    {"decoders"},
    {"model"},
    {"truth", "segmentation"},
    {"choice"},
    {"__init__"},
)
"""The core's floors, the lowest first: a module may import its own floor and those below."""

ENGINE = (
    {"geometry", "pictures"},
    {"settings"},
    {"frames"},
    {"flow", "indices"},
    {"keeping"},
    {"choosing"},
    {"advice"},
    {"explain", "lessons", "startup"},
    {"__init__"},
)
APP = (
    {"look", "work"},
    {"widgets"},
    {"shell"},
    {"docking", "document"},
    {"compare", "gallery", "panels", "session"},
    {"sharing"},
    {"views"},
    {"by_hand", "exporting", "help", "lessons"},
    {"scribbling", "start"},
    {"program"},
    {"__init__"},
)
"""The folders of the engine and of the window, the lowest first: each imports only lower ones.

Imports at first use go through the package: ``from latviz import engine``."""

QT = {"PyQt6", "pyqtgraph"}


@dataclass(frozen=True)
class Import:
    """One import: its module, its target, and if it is at the top or has a reason not to be."""

    module: str
    target: str
    is_explained: bool


def name_of(path: Path) -> str:
    parts = ("latviz", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


MODULES = {name_of(path) for path in ROOT.rglob("*.py")}


@dataclass(frozen=True)
class Contents:
    """The imports of a module, and the names of its public classes."""

    imports: list[Import]
    classes: list[str]


def contents_of(path: Path) -> Contents:
    # Trees are dropped at once: the garbage collector would go through all that are kept.
    text = path.read_text(encoding="utf-8")
    body = ast.parse(text).body
    names = [node.name for node in body if isinstance(node, ast.ClassDef)]
    public = [name for name in names if not name.startswith("_")]
    return Contents(list(imports_of(name_of(path), body, text.splitlines())), public)


def imports_of(module: str, body: list[ast.stmt], lines: list[str]) -> Iterator[Import]:
    for block in body:
        for node in statements_in(block):
            if isinstance(node, ast.Import | ast.ImportFrom):
                places = [node, block] if isinstance(block, ast.If) else [node]
                said = any("#" in lines[place.lineno - 1] for place in places)
                for target in targets_of(module, node):
                    yield Import(module, target, node is block or said)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and all inside it; no import is inside an expression."""
    yield node
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, name, ()):
            yield from statements_in(inner)


def targets_of(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    source = node.module or ""
    if node.level:  # only an __init__.pyi has these
        source = ".".join(filter(None, (module, source)))
    for alias in node.names:
        inner = f"{source}.{alias.name}"
        yield inner if inner in MODULES else source


@cache
def contents() -> dict[Path, Contents]:
    """Return those of all modules; not at the top, for every worker collects all tests."""
    suffixes = "py", "pyi"
    return {path: contents_of(path) for s in suffixes for path in sorted(ROOT.rglob(f"*.{s}"))}


def imports() -> list[Import]:
    return [found for each in contents().values() for found in each.imports]


def imports_inside() -> list[Import]:
    return [found for found in imports() if found.target in MODULES]


def part(module: str, depth: int) -> str:
    """Return a part of a module's name, which is ``__init__`` for a package itself."""
    return dict(enumerate(module.split("."))).get(depth, "__init__")


def wing_of(module: str) -> str:
    """Return the wing that holds a module; "" if it is of the program itself."""
    return part(module, 2) if part(module, 1) == "wings" and module != "latviz.wings" else ""


def goes_up(found: Import) -> bool:
    if wing := wing_of(found.module):
        return wing_of(found.target) not in ("", wing)
    if wing_of(found.target):
        return found.module != "latviz.wings"
    if (found.module, found.target) == PUBLIC:
        return False
    here, there = part(found.module, 1), part(found.target, 1)
    inner, other = (part(name, 2) for name in (found.module, found.target))
    if here == there == "core":
        return floor(CORE, other) > floor(CORE, inner)
    if here == there in ("engine", "app"):
        floors = ENGINE if here == "engine" else APP
        return other not in (inner, "__init__") and floor(floors, other) >= floor(floors, inner)
    return there not in BELOW[here] | {here, "__init__"}


def floor(floors: tuple[set[str], ...], name: str) -> int:
    (found,) = (k for k, names in enumerate(floors) if name in names)
    return found


def test_imports_only_go_down() -> None:
    upward = {(found.module, found.target) for found in imports_inside() if goes_up(found)}
    assert not upward
    with_qt = {found.module for found in imports() if part(found.target, 0) in QT}
    assert {part(module, 1) for module in with_qt if not wing_of(module)} == {"app"}
    unexplained = {found.module for found in imports() if not found.is_explained}
    assert not unexplained, "an import that is not at the top says why in a comment"


@pytest.mark.parametrize(
    ("module", "target", "is_wrong"),
    [
        ("latviz.app.program.features", "latviz.wings.race.race", True),
        ("latviz.wings.other.window", "latviz.wings.race.contest", True),
        ("latviz.core.errors", "latviz.wings", True),
        ("latviz.wings", "latviz.app.shell.feature", True),
        ("latviz.app.program.features", "latviz.wings", False),
        ("latviz.wings", "latviz.wings.race", False),
        ("latviz.wings.race.race", "latviz.wings.race.peers.problem", False),
        ("latviz.wings.race.race", "latviz.app.shell.feature", False),
    ],
)
def test_the_program_imports_no_wing_and_wings_import_no_other(module, target, is_wrong) -> None:
    assert goes_up(Import(module, target, True)) == is_wrong


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = sorted(MODULES)
    place = {name: k for k, name in enumerate(names)}
    graph = np.zeros((len(names), len(names)), bool)
    for found in imports_inside():
        is_edge = found.module != found.target and (found.module, found.target) != PUBLIC
        graph[place[found.module], place[found.target]] = is_edge
    _, labels = scipy.sparse.csgraph.connected_components(graph, connection="strong")
    sizes = np.bincount(labels)
    circles = [
        {names[k] for k in np.flatnonzero(labels == label)} for label in np.flatnonzero(sizes > 1)
    ]
    assert not circles


def test_no_two_classes_have_one_name() -> None:
    found: dict[str, list[str]] = {}
    for path, each in contents().items():
        if path.suffix == ".py":
            for name in each.classes:
                found.setdefault(name, []).append(name_of(path))
    assert len(found) > 500
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_no_name_of_a_package_is_that_of_the_module_behind_it() -> None:
    """The import of the module would replace it, except by the newest lazy-loader."""
    stubs = list(ROOT.rglob("__init__.pyi"))
    assert stubs
    for stub in stubs:
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                assert node.module not in {name.name for name in node.names}, stub
