"""The state map is painted before other results of a frame are computed, and kept parts stay."""

from PyQt6.QtCore import QEvent, QObject
from PyQt6.QtGui import QPaintEvent
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.picture import PictureView
from latviz.engine.frames.frame import Frame
from tests.app.conftest import settle


class Paintings(QObject):
    """Notes which frame a view had when its picture was painted all over."""

    def __init__(self, view: PictureView) -> None:
        super().__init__()
        self._view, self.frames = view, list[Frame | None]()
        viewport = view.canvas.viewport()
        self._least = 0.5 * viewport.width()
        viewport.installEventFilter(self)

    def eventFilter(self, _watched: QObject | None, event: QEvent | None) -> bool:
        """Take note of a painting."""
        if isinstance(event, QPaintEvent) and event.rect().width() > self._least:
            self.frames.append(self._view.frame)
        return False


def paintings(window: MainWindow, name: str) -> Paintings:
    return Paintings(window.views[name])


def test_states_are_painted_before_anyone_is_told_of_their_frame(
    window: MainWindow, qtbot: QtBot
) -> None:
    settle(qtbot, window)
    painted, before, told = paintings(window, "states"), window.document.frame, list[Frame]()

    def take(frame: Frame) -> None:
        told.append(frame)
        assert painted.frames
        shown = painted.frames[-1]
        assert shown is not None
        assert shown.states is frame.states

    window.document.frame_changed.connect(take)
    window.document.set("w", window=before.request.parameters.window + 2)
    settle(qtbot, window)
    assert told
    states = {id(frame.states) for frame in told}
    assert len(painted.frames) <= len(states) + 1  # and once more at most, at the end of a move
    window.document.frame_changed.disconnect(take)
    check_an_image_is_not_painted_because_states_change(window, qtbot)


def check_an_image_is_not_painted_because_states_change(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot, window)
    painted, before = paintings(window, "image"), window.document.frame
    window.document.set("N", n_states=len(before.slots) + 1)
    settle(qtbot, window)
    assert window.document.frame is not before
    assert painted.frames == []
