"""Results that are computed for the first time show so in their place, with their progress."""

import numpy as np
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.work.activity import Activity
from latviz.engine.pictures.picture import Picture
from tests.app.conftest import settle
from tests.app.frames import pixels


def test_views_without_a_frame_say_what_is_done_and_how_far(
    window: MainWindow, qtbot: QtBot
) -> None:
    document, views = window.document, window.views
    settle(qtbot, window)
    noise = np.random.default_rng(0).integers(0, 256, (60, 80), dtype=np.uint8)
    for tab, names in (("tradeoff", ("tradeoff", "indices")), ("compare", ("multiples",))):
        window.tabs.enter(tab)
        settle(qtbot, window)
        document.open(Picture(noise.copy(), tab))
        for view in views.values():  # as before the first frame of a large picture
            view.frame = None
        drawn = list[bytes]()
        for fraction in (0.2, 0.7):
            document.activity_changed.emit(Activity("learning", fraction))
            assert {view.waiting for view in views.values()} == {
                f"Learning: {fraction:.0%}".replace("%", " %")
            }
            drawn.append(b"".join(pixels(views[name]).tobytes() for name in names))
        if tab == "tradeoff":
            assert drawn[0] != drawn[1]
        else:
            views["multiples"]._show_cells()  # type: ignore[attr-defined]
            texts = [one.caption.whole_text() for one in views["multiples"].widgets]  # type: ignore[attr-defined]
            assert all("decoding …" in text for text in texts if "bits" not in text)
        settle(qtbot, window)
