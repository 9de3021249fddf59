"""Wings: each adds rows of the right kind, and without one all else works.

``python -m tests.test_wings COMMIT`` takes away the wing that a commit draws, in a copy, and runs
the tests there that would find a gap; without arguments it takes away each, and all of them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from latviz import wings
from latviz.engine.frames.methods import OtherMethod
from tests.products import FULL

ROOT = Path(__file__).parents[1]
NAMES = [wing.__name__.rpartition(".")[2] for wing in wings.own()]
TABLES = {"batches", "commands", "features", "kernels", "methods", "public", "synonyms", "views"}
"""The tables that read rows of wings."""
CHOICES = [*((name,) for name in NAMES), tuple(NAMES)]
TELLING = (
    *("tests/test_layers.py", "tests/test_manual.py", "tests/app/help/test_help.py"),
    *("tests/test_one_way.py", "tests/app/document/test_zarr.py"),
    *("tests/app/shell/test_action_finder.py", "tests/app/shell/test_menus.py"),
    *("tests/app/compare/test_racing.py", "tests/engine/lessons/test_expressions.py"),
    *("tests/app/program/test_features.py", "tests/app/widgets/test_shortcuts.py"),
    "tests/test_readme.py::test_links_lead_somewhere",
    "tests/test_screenshots.py::test_the_script_draws_what_is_referred_to",
    *("tests/engine/lessons/test_facts.py::test_no_lesson_lies", "tests/test_wings.py"),
)
"""What would find a gap: imports, names, pages, pictures, links, menus, keys, palette, lessons."""
LEFT_OUT = shutil.ignore_patterns(".hypothesis", ".*_cache")


def without(names: tuple[str, ...], folder: Path) -> Path:
    """Copy the program and its tests without some wings; return the copy."""
    for name in ("latviz", "resources", "tests", ".github", ".ci"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    for name in names:
        shutil.rmtree(folder / "latviz" / "wings" / name)
        shutil.rmtree(folder / "tests" / "wings" / name)
        (folder / "resources" / "help" / "wings" / f"{name}.md").unlink()
    return folder


def check_the_rest_is_whole(names: tuple[str, ...], folder: Path) -> None:
    copy = without(names, folder / "copy")
    environment = {**os.environ, "PYTHONPATH": str(copy), "LATVIZ_FULL": "0"}
    tests = "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"
    for asked in (
        ("-m", "latviz", "--help"),
        ("-m", "latviz", "--demo", "figure1", "--snapshot", "window.png"),
        (*tests, "--collect-only", "tests"),  # no test of the program imports a wing
        (*tests, *TELLING),
    ):
        run = subprocess.run(
            (sys.executable, *asked), cwd=copy, env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, f"{asked}: {run.stdout[-3000:]}{run.stderr[-1000:]}"


@pytest.mark.skipif(not FULL, reason=".ci/run takes one away, and the weekly job each")
@pytest.mark.parametrize("names", CHOICES, ids="-".join)
def test_the_rest_is_whole_without(names: tuple[str, ...], tmp_path: Path) -> None:
    check_the_rest_is_whole(names, tmp_path)


def test_each_wing_is_in_the_list_and_its_rows_are_of_tables_that_are_read() -> None:
    folders = {path.parent for path in (ROOT / "latviz" / "wings").glob("*/__init__.py")}
    assert {folder.name for folder in folders} == set(NAMES)
    for folder in folders:
        found = (path for path in folder.glob("*.py") if "\nROWS = " in path.read_text("utf-8"))
        assert {path.stem for path in found} <= TABLES
    assert {"race"} & set(NAMES) == set() or len(wings.rows("methods", OtherMethod)) > 1


if __name__ == "__main__":
    import tempfile

    drawn = [CHOICES[int(commit, 16) % len(NAMES)] for commit in sys.argv[1:]] if NAMES else []
    for taken in drawn or CHOICES:
        with tempfile.TemporaryDirectory() as place:
            check_the_rest_is_whole(taken, Path(place))
        print(f"without {', '.join(taken)}: all else works")
