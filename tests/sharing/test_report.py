"""The page of a report, parsed: it leads nowhere, and its pictures are the model's."""

import io
import json
from base64 import b64decode
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import ExportError
from latviz.core.progress import Cancelled
from latviz.engine.frames.section import Section
from latviz.engine.frames.thumbnail import SIDE, thumbnail
from latviz.engine.pictures.picture import as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from latviz.exports import export_frame
from latviz.sharing.live import live_page
from latviz.sharing.page import html_of, write_report
from latviz.sharing.report import drawn_shape
from tests import naive
from tests.sharing.fields import (
    NAME,
    SHAPE,
    assert_same_partition,
    expected_states,
    labels_of,
    pixels,
    work,
)

SECRET = "/home/somebody/secret"


class Counting:
    """A progress that records its reports, and cancels from a fraction on."""

    def __init__(self, most: float = 2.0) -> None:
        self.told, self._most = [0.0], most

    def report(self, fraction: float) -> None:
        self.told.append(fraction)

    def cancelled(self) -> bool:
        return self.told[-1] >= self._most


class Page(HTMLParser):
    """Elements with their attributes, and the text inside of some."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def images(self) -> list[np.ndarray]:
        found = [attributes["src"] for tag, attributes in self.elements if tag == "img"]
        for source in found:
            assert source.startswith("data:image/png;base64,")
        decoded = (b64decode(source.partition(",")[2]) for source in found)
        return [np.asarray(Image.open(io.BytesIO(png)).convert("RGB")) for png in decoded]


@cache
def page() -> tuple[str, Page]:
    pictures, session = work(origin={"path": f"{SECRET}/{NAME}", "page": 0, "reduction": 1})
    session = replace(session, state=replace(session.state, pins=((1, 2),)))
    progress = Counting()
    html = html_of(pictures, session, progress)
    assert progress.told == sorted(progress.told)
    assert progress.told[-1] == 1
    return html, Page(html)


def test_nothing_in_it_leads_out_and_no_name_becomes_markup() -> None:
    html, found = page()
    links = ("src", "href", "srcset", "action", "data", "poster", "xlink:href")
    for tag, attributes in found.elements:
        assert tag not in ("b", "link", "iframe", "object", "a")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in links or str(value).startswith("data:")
    for far in ("http:", "https:", "//cdn", "url(", "@import"):
        assert far not in html.replace('content="default-src', "")
    assert found.texts["h1"] == [NAME]
    assert SECRET not in html
    policy = next(a["content"] for t, a in found.elements if "http-equiv" in a)
    assert policy.startswith("default-src 'none'")


def test_its_map_is_the_states() -> None:
    picture, drawn = page()[1].images()
    times = 520 // SHAPE[1]
    np.testing.assert_array_equal(picture[::times, ::times], pixels())
    assert_same_partition(labels_of(drawn[::times, ::times]), expected_states(3, 2))


def test_it_holds_the_live_page_or_says_why_not() -> None:
    assert "A live page cannot hold this: it holds symbols; choose" in page()[0]
    pictures, session = work(Parameters(Encoding("quantiles", 4), n_states=3, window=2))
    frame = compute(pictures, session.shown)
    html = html_of(pictures, session)
    assert html.count("</script>") == 2
    held = html.split('id="live-page">')[1].split("</script>")[0]
    assert json.loads(held) == live_page(frame, session)


def test_it_tells_a_the_text_and_a_script() -> None:
    html, found = page()
    A = naive.adjacency([expected_states(3, 2)], 3)
    cells = [
        float(c.replace("−", "-")) for c in found.texts["td"] if c.startswith("0.") or c == "0"
    ]
    for value in A.reshape(-1):
        assert any(abs(value - cell) < 6e-4 for cell in cells)
    text, script = found.texts["pre"]
    assert text == "pins=[[1,2]]"
    compile(script, "script", "exec")
    assert {"--encoding", "--states", "--window"} < set(found.texts["td"])  # a page runs no cell
    assert repr(NAME) in script
    assert html.count('class="curve"') == 3
    assert html.count('class="now"') == 3
    assert "It does not contain the picture" in html


def test_a_cancelled_report_leaves_nothing_and_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        write_report(tmp_path / "a.html", *work(), Counting(0.5))
    with pytest.raises(ExportError, match=r"must be \.html"):
        write_report(tmp_path / "a.pdf", *work())
    assert not list(tmp_path.iterdir())


def test_other_lattices_are_drawn_within_the_size() -> None:
    assert drawn_shape(Section((1000,)), 400) == (50, 400)
    assert drawn_shape(Section((900, 300)), 300) == (300, 100)
    assert drawn_shape(Section((5, 20, 30), 2), 100) == (60, 90)


def test_one_frame_has_the_same_colours_on_every_surface(tmp_path: Path) -> None:
    """The user's own colour of one state, and the mean colours of its pixels for the others."""
    pictures, session = work()
    looks = Looks(mean_colors=True, own=(Look(1, "sky", "#12ab34"),))
    session = replace(session, state=replace(session.state, looks=looks))
    frame = compute(pictures, session.shown)
    means = [np.rint(pixels()[frame.states == q].mean(axis=0)) for q in range(3)]
    colors = [(0x12, 0xAB, 0x34) if frame.names[q] else tuple(means[q]) for q in range(3)]
    wanted = {tuple(map(int, color)) for color in colors}

    def drawn(image: np.ndarray) -> set[tuple[int, ...]]:
        return {tuple(map(int, color)) for color in image.reshape(-1, 3)}

    export_frame(frame, tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert drawn(np.asarray(image.convert("RGB"))) == wanted
    made = Page(html_of(pictures, session))
    swatches = {one["style"].partition(":")[2] for tag, one in made.elements if tag == "i"}
    assert {tuple(bytes.fromhex(color[1:])) for color in swatches} == wanted
    assert drawn(made.images()[1]) == wanted
    small = thumbnail(as_set(pictures).picture, 0, frame)
    states = small[small[..., 3] > 0][:, :3].reshape(-1, SIDE, 3)[:, SIDE // 2 :]
    assert drawn(states) < wanted  # its right half
