"""The page that follows w through the program: each of its names stands in the file of its line."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES = re.findall(
    r"^\| `([\w/]+\.py)` \| (.+?) \|",
    (ROOT / ".github" / "design" / "trip-of-w.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("path", "names"), LINES)
def test_names_are_defined_in_the_file_of_their_line(path: str, names: str) -> None:
    text = (ROOT / "latviz" / path).read_text(encoding="utf-8")
    for name in re.findall(r"`(\w+)`", names):
        assert re.search(rf"\b(def|class) {name}\b", text), (path, name)


def test_the_page_goes_down_to_a_kernel_and_back() -> None:
    floors = [path.split("/")[0] for path, _ in LINES]
    order = list(dict.fromkeys(floors))
    assert order == ["app", "engine", "core"]
    assert floors[0] == floors[-1] == "app"
