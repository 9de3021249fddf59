"""The examples run, and a page shows each. ``python -m tests.test_examples`` writes the page."""

import ast
import runpy
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from latviz.core import threads
from latviz.engine.keeping.notebooks import notebook_of

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "examples"
PAGES = ROOT / ".github" / "pages"
STORIES = (
    *("photograph", "texture", "volume", "four_stains", "time_series"),
    *("dna", "hmm_user", "larger_than_memory", "classes", "own_decoder"),
)
HEAD = """# Examples

Ten short stories in Python show what the core does on pictures, volumes, sequences and sets of
images. Each makes its own data and runs as a script.

They are installed in `latviz/resources/examples`, and draw by matplotlib:
`pip install "latviz[notebook] @ git+https://github.com/latviz/latviz"`. In VS Code, Spyder, and
Jupyter with jupytext, lines `# %%` begin cells.
"""
SOURCE = "https://github.com/latviz/latviz/blob/main/resources/examples"
DPI = 60


def page() -> str:
    """Return the page, from the heads of the stories."""
    parts = [HEAD]
    for name in STORIES:
        text = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))) or ""
        title, _, paragraph = text.partition("\n\n")
        picture = f"![{title}](examples/{name}.png)"
        parts.append(
            f"## {title[:-1]}\n\n{paragraph} [{name}.py]({SOURCE}/{name}.py)\n\n{picture}\n"
        )
    return "\n".join(parts)


def test_the_page_shows_each_story():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(STORIES)
    assert (PAGES / "examples.md").read_text("utf-8") == page()


@pytest.mark.parametrize("name", STORIES)
def test_stories_are_short_run_and_end_with_a_figure(name, capsys, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.setattr(threads, "_threads", threads.get_threads())
    matplotlib.use("Agg")
    path = FOLDER / f"{name}.py"
    text = path.read_text("utf-8")
    assert 25 <= len(text.splitlines()) <= 60
    made = runpy.run_path(str(path))
    assert made["figure"].axes
    assert capsys.readouterr().out
    assert '"markdown"' in notebook_of(text)


def main() -> None:
    """Write the page and its pictures."""
    import matplotlib  # not at the top: it may be missing

    matplotlib.use("Agg")
    (PAGES / "examples").mkdir(exist_ok=True)
    for name in STORIES:
        figure = runpy.run_path(str(FOLDER / f"{name}.py"))["figure"]
        figure.savefig(drawn := BytesIO(), dpi=DPI)
        small = Image.open(drawn).convert("RGB").quantize(200)
        small.save(PAGES / "examples" / f"{name}.png", optimize=True)
    (PAGES / "examples.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
