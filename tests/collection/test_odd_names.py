"""Names that are not UTF-8, contain separators or newlines, or are very long: nothing is lost."""

import json
import os
import sys
from pathlib import Path

import pytest

from latviz import computing, exports, workspace
from latviz.core.data.encoding import Encoding
from latviz.engine.settings.parameters import Parameters
from latviz.files.names import on_disk
from latviz.sharing.page import write_report
from tests.collection.pictures import noisy, truth_of, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
LATIN_1 = os.fsdecode(b"caf\xe9.png")
NAMES = (
    LATIN_1,
    "new\nline.png",
    "ta\tb.png",
    "q\"uo'te,;.png",
    "<b>&amp;.png",
    f"{'x' * 247}.png",
    f"{'é' * 124}.png",
    "\u202ehidden.png",
    "[a]*?.png",
    "a\\b.png",
    " .png",
)
PARAMETERS = Parameters(Encoding("quantiles", 4), n_states=2, window=1)


@pytest.fixture
def odd_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    pixels = noisy(truth_of(0, (12, 14)), 0)
    write(tmp_path / "a.png", pixels)
    (tmp_path / "images").mkdir()
    for name in NAMES:
        (tmp_path / "images" / name).write_bytes((tmp_path / "a.png").read_bytes())
    return tmp_path / "images"


@pytest.mark.parametrize("name", [LATIN_1, "new\nline.png", "<b>&amp;.png"])
def test_summaries_sessions_and_reports(odd_folder: Path, tmp_path: Path, name: str) -> None:
    path = str(odd_folder / name)
    pictures, session = workspace.read_work(path, "")
    session = session.adjusted(lambda _: PARAMETERS)
    frame = computing.compute_exported(pictures, session.shown)
    exports.export_frame(frame, tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["image"]["path"] == path
    workspace.write_session(tmp_path / "a.latviz", session, pictures)
    again, _ = workspace.read_session(tmp_path / "a.latviz")
    assert again.picture.origin["path"] == path
    write_report(tmp_path / "a.html", pictures, session)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<b>&amp;.png" not in page
    title = {LATIN_1: "caf\\udce9.png", "<b>&amp;.png": "&lt;b&gt;&amp;amp;.png"}.get(name, name)
    assert title in page


def test_names_that_the_window_system_replaced_are_found_on_the_disk(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"r\xe9s")
    folder.mkdir()
    for name in (LATIN_1, "\ufffd.png", os.fsdecode(b"a\xe8.png"), os.fsdecode(b"a\xe9.png")):
        (folder / name).touch()
    shown = str(tmp_path / "r\ufffds")
    assert on_disk(f"{shown}/caf\ufffd.png") == str(folder / LATIN_1)
    assert on_disk(f"{shown}/\ufffd.png") == str(folder / "\ufffd.png")
    assert on_disk(shown) == str(folder)
    for path in (f"{shown}/a\ufffd.png", f"{shown}/none\ufffd.png"):  # two such names, and none
        assert on_disk(path) == path.replace(shown, str(folder))
    assert on_disk("/none\ufffd") == "/none\ufffd"
    assert on_disk("none.png") == "none.png"
