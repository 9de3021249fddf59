"""Who may import whom: app -> live, files -> core, and nothing upwards."""

import ast
from pathlib import Path

import pytest

import latviz

ROOT = Path(latviz.__file__).parent
MAY_IMPORT = {
    "core": {"core"},
    "engine": {"core", "engine"},
    "files": {"core", "files"},
    "workspace": {"core", "engine", "files"},
    "app": {"core", "engine", "files", "workspace", "resources", "app"},
    "resources": set(),
    "cli": {"core", "engine", "files", "workspace", "app"},
    "__main__": {"cli"},
    "__init__": set(),
}
MODULES = sorted(ROOT.rglob("*.py"))


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_go_down(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    inside = {n.split(".")[1] for n in imported(path) if n.startswith("latviz.")} - {"__version__"}
    assert inside <= MAY_IMPORT[room], f"{path.name} imports {inside - MAY_IMPORT[room]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_the_window_knows_qt(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    roots = {name.split(".")[0] for name in imported(path)}
    if room != "app":
        assert not roots & {"PyQt6", "pyqtgraph"}


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {}
    for path in MODULES:
        name = ".".join(["latviz", *path.relative_to(ROOT).with_suffix("").parts])
        graph[name.removesuffix(".__init__")] = top_level_imports(path)
    graph = {name: targets & graph.keys() for name, targets in graph.items()}
    order: dict[str, int] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path, name])
        if name not in order:
            for target in graph[name]:
                visit(target, (*path, name))
            order[name] = len(order)

    for name in graph:
        visit(name, ())
    assert order.keys() == graph.keys()


def top_level_imports(path: Path) -> set[str]:
    """Return what is imported when the module is, its own package apart."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return names - {"latviz"}
