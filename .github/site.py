"""Adds to the site what only it has: a live page, pages of figures and of Python, the changelog."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PAGES = ROOT / ".github" / "pages"
SECTIONS = {
    "In class": ("class-plan", "lesson-notes", "exercises"),
    "In Python": (
        "core-from-python",
        "api",
        "if-you-know",
        "examples",
        "files",
        "arrays-in-chunks",
    ),
    "Figures": (
        "parameter-table",
        "choosing",
        "encodings-in-detail",
        "classification",
        "benchmarks-and-method",
    ),
    "For contributors": ("plug-ins", "writing-lessons", "stability", "changelog"),
}
DEMO = "blobs"
LIVE = "live.html"
FRONT = f"""# latviz

latviz divides a picture into regions of a few kinds, by what occurs around each pixel. Here is the
model itself: say what will happen, then move *w*, *N* and alpha. Drop a picture of yours on it, and
it is computed in your browser.

<style>
iframe {{{{ width: 100%; height: 48rem; border: 1px solid #ccc }}}}
</style>
<iframe src="{LIVE}" title="A live page of the model"></iframe>

[The page alone]({LIVE}), for a class or a phone. [Install the program]({{readme}}#two-commands).

"""
_NAME = re.compile(r"^from (\S+) import \w+ as (\w+)$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Add the pages to the contents."""
    config.nav += [{title: [f"{name}.md" for name in names]} for title, names in SECTIONS.items()]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages, their pictures, and the live page."""
    for path in (path for path in PAGES.rglob("*") if path.is_file()):
        name = path.relative_to(PAGES).as_posix()
        file = File(name, str(PAGES), config.site_dir, config.use_directory_urls)
        file.edit_uri = f"../../.github/pages/{name}"
        files.append(file)
    changes = (ROOT / ".github" / "CHANGELOG.md").read_text("utf-8")
    for name, content in (("api.md", _names()), ("changelog.md", changes), (LIVE, _live_page())):
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Let links between folders of the repository stay on the site; begin with the live page."""
    home = f"{config.repo_url}/blob/main"
    up = "../" * page.file.src_uri.count("/")
    markdown = re.sub(r"\]\((?:\.\./)+resources/help/", f"]({up}", markdown)
    markdown = markdown.replace(f"]({home}/.github/pages/", f"]({up}").replace("](pages/", "](")
    if page.file.src_uri != "index.md":
        return markdown
    contents = markdown[markdown.index("## ") :].replace("## On the web", "## On this site alone")
    return FRONT.format(readme=f"{home}/README.md") + contents


def _names() -> str:
    """Return the reference of the public names."""
    stub = (ROOT / "latviz" / "core" / "__init__.pyi").read_text("utf-8")
    names = sorted((name, module) for module, name in _NAME.findall(stub))
    parts = [f"::: latviz.core{module}.{name}\n" for name, module in names]
    head = "# The public names of latviz.core\n\nEach with its arguments and an example.\n\n"
    return head + "\n".join(parts)


def _live_page() -> str:
    """Return a live page of a demo, as the command line writes it."""
    with TemporaryDirectory() as folder:
        written = Path(folder, LIVE)
        line = sys.executable, "-m", "latviz", "--demo", DEMO, "--live", str(written), "--quiet"
        subprocess.run(line, cwd=ROOT, check=True)
        return written.read_text("utf-8")
