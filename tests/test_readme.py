"""The examples of the README and of the manual run; the README is short, its links lead on."""

import re
from pathlib import Path
from typing import Any

import pytest

from latviz import __version__
from latviz.core import threads
from tests.test_manual import anchors

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / ".github").glob("*.md"))]
CORE = ROOT / ".github" / "pages" / "core-from-python.md"
MOST_LINES = 150


def run(page: Path) -> dict[str, Any]:
    """Run all Python of a page, as one script; return its variables."""
    parts = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, Any] = {}
    exec(compile("\n".join(parts), page.name, "exec"), found)
    return found


def test_the_example_of_the_readme(capsys):
    found = run(README)
    assert capsys.readouterr().out.splitlines()[-1] == "1"
    assert found["states"].shape == (256, 256)
    assert found["states"].dtype == "uint8"


def test_the_example_of_the_core(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # it writes a file
    monkeypatch.setattr(threads, "_threads", threads.get_threads())  # it sets another number
    found = run(CORE)
    assert (found["again"].B == found["learned"].B).all()
    printed = capsys.readouterr().out
    assert printed.count("\n") > 30
    assert found["c"].n_states == 1
    assert "no structure" in printed
    assert found["coarse"].side == 1
    assert (found["coarse"].states == found["states"]).all()
    assert (
        found["r"].error
        == found["bias_variance"](
            found["truth"], emission=found["channel"], windows=[1, 2, 4]
        ).error
    ).all()


def test_the_examples_for_users_of_other_programs(capsys):
    found = run(CORE.with_name("if-you-know.md"))
    right = found["matched_accuracy"](found["viterbi"], found["truth"])
    assert right > 0.9
    assert (found["parts"].areas > 0).all()
    assert capsys.readouterr().out.count("\n") >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        path, _, anchor = target.partition("#")
        if "://" not in target:
            assert (page.parent / path).is_file(), target
            assert not anchor or anchor in anchors(page.parent / path), target


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_changelog_begins_with_this_version():
    text = (ROOT / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *_ = re.findall(r"^## (\d\S*) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)
    assert first == __version__


NOTES = sorted((ROOT / ".github").rglob("*.md"))


@pytest.mark.parametrize("page", NOTES, ids=lambda path: path.stem)
def test_files_that_the_pages_name_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {
        name
        for name in re.findall(r"(?<![/.])\b([a-z_]+/[a-z_/]+\.py)\b", text)
        if "NAME" not in name
    }
    places = (ROOT, ROOT / "latviz", page.parent)
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
