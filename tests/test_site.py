"""The site builds without a warning, and begins with a live page that its own folder holds."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIMIT = 150_000
"""Bytes of a live page at most."""


def test_the_site_is_whole_and_begins_with_a_live_page(tmp_path: Path) -> None:
    """It runs where mkdocs is installed, as in the job that builds the site."""
    mkdocs = pytest.importorskip("mkdocs.commands.build")
    pytest.importorskip("mkdocstrings")
    from mkdocs.config import load_config  # not at the top: it may be missing

    settings = str(ROOT / ".github" / "mkdocs.yml")
    mkdocs.build(load_config(settings, strict=True, site_dir=str(tmp_path)))
    front = (tmp_path / "index.html").read_text("utf-8")
    (frame,) = re.findall(r'<iframe src="([^"]+)"', front)
    assert front.index("<iframe") < front.index("<h2")
    live = (tmp_path / frame).read_bytes()
    assert len(live) < LIMIT
    assert b"Content-Security-Policy" in live
    assert not re.search(rb"https?://|\bsrc=", live)
    assert not re.findall(r'href="(?!https:)[^"]*(?:resources/help|\.github/pages)', front)
    for page in ("benchmarks-and-method", "api", "examples", "plug-ins", "changelog"):
        assert f'href="{page}.html"' in front
        assert (tmp_path / f"{page}.html").is_file()
