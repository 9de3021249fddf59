"""The live page: it shows the program's states, leads nowhere, and works in a real browser."""

import io
import json
import re
import shutil
import subprocess
import threading
from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import decompress

import numpy as np
import pytest
from PIL import Image

from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.disk.errors import ExportError
from latviz.engine.keeping.session import Session, opened
from latviz.engine.lessons.lesson import read
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from latviz.resources import resource
from latviz.sharing import live, live_lesson
from latviz.workspace import read_work
from tests.sharing.fields import NAME

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
QUANTILES = Parameters(Encoding("quantiles", 5), n_states=3, window=2, learning_window=2)
SCENARIO = Path(__file__).with_name("live_scenario.js")


def greys() -> np.ndarray:
    """Return noisy patches, with more distinct signatures than the page holds."""
    rng = np.random.default_rng(3)
    y, x = np.indices((30, 40))
    mean = 60.0 * ((x // 11 + y // 9) % 4) + 30
    return np.clip(mean + rng.normal(0, 25, mean.shape), 0, 255).astype(np.uint8)


def work(parameters: Parameters = QUANTILES, **picture: Any) -> tuple[PictureSet, Session]:
    pictures = as_set(Picture(**{"pixels": greys(), "name": NAME, **picture}))
    return pictures, opened(pictures, parameters)


def content_of(path: Path) -> Any:
    found = path.read_text().split('<script type="application/json" id="content">')[1]
    return json.loads(found.split("</script>")[0])


def codebook(tree: dict[str, Any], n: int) -> list[list[float]]:
    """Return the cut of a written tree, in the order of its slots."""
    words = np.frombuffer(b64decode(tree["codewords"]), "<f8").reshape(2 * tree["n"] - 1, -1)
    rows = [2 * tree["n"] - 2]
    for count in range(1, n):
        heavy, light = tree["merges"][tree["n"] - 1 - count]
        rows[rows.index(2 * tree["n"] - 1 - count)] = heavy
        rows.append(light)
    by_slot = sorted(range(n), key=lambda row: tree["slots"][row])
    return [words[rows[row]].tolist() for row in by_slot]


@pytest.mark.parametrize("known", [None, np.arange(30 * 40).reshape(30, 40) % 7 > 0])
def test_its_codebooks_colours_and_symbols_are_the_programs(tmp_path: Path, known: Any) -> None:
    pictures, session = work(known=known)
    looks = Looks(own=(Look(1, "sky", "#12ab34"),))
    session = replace(session, state=replace(session.state, looks=looks))
    live.write_live(tmp_path / "a.html", pictures, session)
    content = content_of(tmp_path / "a.html")
    for n in (1, 2, 3, 6, 32):
        frame = compute(pictures, session.adjusted(lambda p, n=n: replace(p, n_states=n)).shown)
        assert codebook(content["tree"], n) == frame.model.B.tolist()
        slots = sorted(content["tree"]["slots"][:n])
        drawn = [bytes.fromhex(content["looks"][slot]["color"][1:]) for slot in slots]
        assert drawn == [bytes(color) for color in frame.colors]
        assert [content["looks"][slot]["name"] for slot in slots] == list(frame.names)
    written = decompress(b64decode(content["picture"]["symbols"]), -15)
    wanted = frame.observations.values
    wanted = wanted if known is None else np.where(known, wanted, 5)
    assert written == wanted.astype(np.uint8).tobytes()


def test_nothing_in_it_leads_out_and_no_name_becomes_markup(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    live.write_live(path, *work(origin={"path": f"/home/somebody/{NAME}"}))
    html = path.read_text(encoding="utf-8")
    bare = html.replace("http-equiv", "")
    for far in ("http", "src=", "url(", "@import", "somebody", "import(", "fetch("):
        assert far not in bare
    assert "default-src 'none'" in html
    assert f"<h1>{NAME.replace('&', '&amp;').replace('<', '&lt;')[:4]}" in html
    assert "<b>" not in html.split("</header>")[0]
    assert path.stat().st_size < 80_000


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"encoding": Encoding("grey", how="values")}, "--encoding quantiles"),
        ({"decoder": "belief"}, "--decoder nearest"),
        ({"second_window": 5}, "joined window"),
        ({"smoothing": 1.0}, "--smoothing 0"),
        ({"normalizer": "states"}, "normaliser"),
        ({"alpha_mode": "local"}, "alpha is constant"),
    ],
)
def test_what_it_cannot_hold_is_refused_with_a_way_out(tmp_path, changes, words) -> None:
    with pytest.raises(ExportError, match=re.escape(words)):
        live.write_live(tmp_path / "a.html", *work(replace(QUANTILES, **changes)))
    assert not list(tmp_path.iterdir())


def test_other_lattices_hand_cuts_and_large_pictures_are_refused(tmp_path: Path) -> None:
    volume = {"pixels": np.stack([greys()] * 2), "dimensions": 3}
    pictures, session = work()
    hand = HandCut(apart=(Pair((1.0, 0, 0, 0, 0), (0, 0, 0, 0, 1.0)),))
    cut = replace(session, state=replace(session.state, hand_cut=hand))
    noise = np.random.default_rng(0).integers(0, 256, (700, 700), dtype=np.uint8)
    table = {"pixels": np.dstack([greys()[:1]] * 3)[0].astype(np.float32), "dimensions": 1}
    channels = work(replace(QUANTILES, encoding=Encoding("channels")), **table)
    stained = {"pixels": np.dstack([greys()] * 3), "channels": ("a", "b", "c")}
    stained["origin"] = {"axes": "t=2, z=0+1+3"}
    of_z = work(replace(QUANTILES, encoding=Encoding("channels")), **stained)
    for words, (shown, asked) in {
        "--axes c=0": channels,
        "--axes z=0": of_z,
        "open one slice": work(**volume),
        "as far apart": work(spacing=(2.0, 1.0)),
        "reset the merges": (pictures, cut),
        "open the picture reduced": work(pixels=noise),
    }.items():
        with pytest.raises(ExportError, match=words):
            live.write_live(tmp_path / "a.html", shown, asked)


def printed_by(page: Path, profile: Path) -> str:
    """Return the first line that a page prints to the console of a real browser."""
    assert BROWSER is not None
    options = "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"
    console = "--enable-logging=stderr", "--remote-debugging-port=0", f"--user-data-dir={profile}"
    command = [BROWSER, *options, *console, page.as_uri()]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as browser:
        assert browser.stderr is not None
        limit = threading.Timer(120.0, browser.kill)
        limit.start()
        line = next((line for line in browser.stderr if ":CONSOLE:" in line), "")
        limit.cancel()
        browser.terminate()
        browser.stderr.read()
    found = re.search('CONSOLE:[0-9]+] "(.*)", source:', line)
    assert found, line
    return found[1]


def test_a_lesson_has_the_steps_that_a_page_can_show() -> None:
    lesson = read(resource("lessons/06-associativity.md"))
    session = read_work(None, lesson.demo_at(0), state=lesson.state)[1]
    steps = live_lesson.steps_of(lesson, session)
    own = [step.title for step in lesson.steps if not step.demo]  # not of another picture
    assert [step["title"] for step in steps] == own
    specks = steps[2]
    assert (specks["right"], len(specks["options"])) == (1, 3)
    assert (specks["before"]["w"], specks["after"]["w"], specks["after"]["n"]) == (3, 0, 2)
    assert "**0.652**" in specks["then"]
    other = read(resource("lessons/10-belief.md"))  # of another decoder
    session = read_work(None, other.demo_at(0), state=other.state)[1]
    assert not live_lesson.steps_of(other, session)


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_it_works_in_a_real_browser(tmp_path: Path) -> None:
    pictures, session = work()
    page, own = tmp_path / "a.html", Image.fromarray(greys()[:20, :24])
    live.write_live(page, pictures, session)
    stream = io.BytesIO()
    own.save(stream, "PNG")
    png = b64encode(stream.getvalue()).decode()
    scenario = f"<script>const PNG = '{png}';{SCENARIO.read_text()}</script>"
    page.write_text(page.read_text().replace("</body>", f"{scenario}</body>"))
    result = json.loads(printed_by(page, tmp_path / "profile"))
    for (n, w), states in zip(((3, 2), (5, 0)), result["states"], strict=True):
        asked = session.adjusted(lambda p, n=n, w=w: replace(p, n_states=n, window=w))
        assert states == compute(pictures, asked.shown).states.ravel().tolist()
    dropped = as_set(Picture(greys()[:20, :24], "own.png"))
    eight = replace(QUANTILES, encoding=Encoding("quantiles", 8), n_states=5, window=0)
    wanted = compute(dropped, opened(dropped, eight).shown).states
    assert result["dropped"] == wanted.ravel().tolist()
    assert result["moved"] == [1, 10]
    assert result["verdict"].startswith("Yes: the inertia")
    assert result["reached"] == result["asked"]
