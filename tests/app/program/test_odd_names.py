"""Names that are not UTF-8, and labels that are not known everywhere, in the window."""

import os
import sys

import numpy as np
import pytest
from PIL import Image

from latviz.app.document.opening import Opener
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.core.data.encoding import Encoding
from latviz.workspace import read_session
from tests.app.conftest import settle
from tests.app.program.test_window import inner_nodes, pixels_of, point_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
NAME = os.fsdecode(b"caf\xe9\n.png")


def test_a_picture_whose_labels_are_void_in_part(window, qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / os.fsdecode(b"r\xe9sultats [1]")
    folder.mkdir()
    labels = np.repeat(np.arange(3, dtype=np.uint8), 20) * np.ones((40, 1), np.uint8)
    grey = (60 + 60 * labels + np.random.default_rng(0).integers(0, 20, labels.shape)).astype(
        np.uint8
    )
    labels[:20] = 255
    Image.fromarray(grey).save(folder / NAME)
    Image.fromarray(labels).save(folder / NAME.replace(".png", "_labels.PNG"))
    Image.fromarray(grey.T.copy()).save(folder / "other.png")
    window.document.set("M", encoding=Encoding("quantiles", 3), n_states=3, window=1)
    # As the window system has it, which knows no bytes that are not UTF-8.
    window.parts[Opener].open_file(str(folder).replace("\udce9", "\N{REPLACEMENT CHARACTER}"))
    qtbot.waitUntil(lambda: window.document.state.shelf is not None)
    settle(qtbot, window)
    shelf = window.document.state.shelf
    assert [entry.name for entry in shelf.entries] == [NAME, "other.png"]
    assert any("50.0\u00a0% of the pixels have none" in n for n in window.document.picture.notes)
    window.document.set_display(truth="states")
    settle(qtbot, window)
    truth = window.document.frame.truth
    assert truth.accuracy > 0.9
    image = pixels_of(window.views["states"].canvas)
    void = [node for node in inner_nodes(labels)[::11] if labels[tuple(node)] == 255]
    assert len(void) > 10
    for node in void:
        place = point_of(window, "states", tuple(node))
        np.testing.assert_array_equal(image[place.y(), place.x()], [128, 128, 128])
    path = tmp_path / os.fsdecode(b"caf\xe9.latviz")
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), False))
    window.parts[Sessions].save()
    qtbot.waitUntil(path.is_file)
    pictures, _ = read_session(path)
    assert pictures.picture.origin["path"] == str(folder / NAME)
