"""Paths in the form of URLs."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from latviz.cli.options import parser_of
from latviz.files.names import local_path

NAMES = ["a.png", "a b.png", "caf\u00e9.png", "100%.png", "a#b?c.png", "run[2].png", "%41.png"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("host", ["", "localhost", "LOCALHOST", "127.0.0.1"])
def test_a_url_of_this_computer_is_its_path(tmp_path: Path, name: str, host: str) -> None:
    path = tmp_path / name
    url = path.as_uri()
    assert local_path(url.replace("file://", f"file://{host}")) == str(path)
    assert local_path(url.replace("file:///", "FILE:/")) == str(path)


@pytest.mark.parametrize(
    "place", ["a.png", "/tmp/a%20b.png", "profile:x", "C:/a.png", "scans/*.tif"]
)
def test_what_is_no_url_stays(place: str) -> None:
    assert local_path(place) == place


def test_bytes_that_are_no_utf_8_and_other_computers_are_kept() -> None:
    assert os.fsencode(local_path("file:///tmp/caf%E9.png")) == b"/tmp/caf\xe9.png"
    assert local_path("file://server/share/a.png") == "//server/share/a.png"


def test_the_command_line_takes_urls(tmp_path: Path) -> None:
    path = tmp_path / "a b.png"
    Image.fromarray(np.zeros((4, 5), np.uint8)).save(path)
    assert parser_of().parse_args([path.as_uri()]).images == [str(path)]
