"""The parts of the window that each part may import."""

import ast
from pathlib import Path

import pytest

import latviz.app

APP = Path(latviz.app.__file__).parent
MODULES = sorted(APP.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Return the names of all modules that a module imports anywhere."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return names


def test_only_who_opens_the_main_window_knows_it() -> None:
    knows = {path.name for path in MODULES if "latviz.app.program.window" in imported(path)}
    assert knows == {"main.py", "snapshot.py"}


@pytest.mark.parametrize("room", ["widgets", "document.py", "shell.py", "actions.py"])
def test_what_views_are_made_of_knows_no_view(room: str) -> None:
    for path in MODULES:
        if room in path.relative_to(APP).parts:
            assert not [name for name in imported(path) if name.startswith("latviz.app.views")]


def test_the_program_knows_views_by_their_specs_alone() -> None:
    folders = {path.parent.name for path in (APP / "views").glob("*/spec.py")}
    assert len(folders) == 15
    for path in MODULES:
        home = path.relative_to(APP).parts
        if home[0] == "views":
            continue
        known = {
            name.split(".")[3]
            for name in imported(path)
            if name.count(".") > 2 and name.startswith("latviz.app.views.")
        } & folders
        assert not known, path
