"""Real frames, each computed once, and how to show and touch views of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, pyqtBoundSignal
from PyQt6.QtGui import QHelpEvent, QImage, QMouseEvent, QPixmap
from PyQt6.QtWidgets import QApplication, QMenu, QScrollArea, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.docking.docks import Dock, scrolled
from latviz.app.docking.uses import column, row
from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import LIGHT
from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.app.views.base import View
from latviz.app.widgets.canvas import Canvas, Outline
from latviz.app.widgets.pin import PinMark
from latviz.core.data.encoding import Encoding
from latviz.engine.advice.acts import Promise
from latviz.engine.advice.advice import Offer
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from latviz.workspace import make_picture
from tests.new_frames import new_frame

V = TypeVar("V", bound=View)


def computed(pixels: NDArray[Any], encoding: Encoding, **parameters: Any) -> Frame:
    """Return the frame of an image under some parameters."""
    picture = Picture(pixels, "test")
    return new_frame(picture, Parameters(encoding=encoding, **parameters))


def quantiles(n_symbols: int, **parameters: Any) -> Frame:
    return computed(data.camera(), Encoding("quantiles", n_symbols), **parameters)


def astronaut(name: Any, n_symbols: int = 16, **parameters: Any) -> Frame:
    return computed(data.astronaut(), Encoding(name, n_symbols), **parameters)


def noise() -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (64, 64)).astype(np.uint8)


def checkerboard() -> NDArray[np.uint8]:
    return (np.indices((60, 60)).sum(axis=0) % 2 * 255).astype(np.uint8)


def flat(size: int) -> NDArray[np.uint8]:
    return np.zeros((size, size), dtype=np.uint8)


MAKERS: dict[str, Callable[[], Frame]] = {
    "camera": lambda: quantiles(3, n_states=5, window=4),
    "one state": lambda: quantiles(3, n_states=1, window=4),
    "two states": lambda: quantiles(2, n_states=2, window=4),
    "32 states": lambda: quantiles(8, n_states=32, window=3),
    "64 symbols": lambda: quantiles(64, n_states=4, window=3),
    "impossible": lambda: quantiles(16, n_states=4, window=3),
    "smoothed": lambda: quantiles(8, n_states=4, window=3, smoothing=1.0, alpha=0.3),
    "palette": lambda: astronaut("palette", n_states=12, window=3),
    "lab": lambda: astronaut("lab", n_states=4, window=3),
    "texture": lambda: astronaut(
        "texture", n_states=8, window=3, alpha=0.5, alpha_mode="local", normalizer="states"
    ),
    "density": lambda: computed(
        (data.camera() / 255).astype(np.float32), Encoding("grey"), n_states=3, window=3
    ),
    "noise": lambda: computed(noise(), Encoding("quantiles", 8), n_states=8, window=1),
    "checkerboard": lambda: computed(
        checkerboard(), Encoding("quantiles", 2), n_states=2, window=0
    ),
    "flat": lambda: computed(flat(40), Encoding("quantiles", 3), n_states=3, window=3),
    "flat grey": lambda: computed(flat(40), Encoding("grey"), n_states=3, window=3),
    "pixel": lambda: computed(flat(1), Encoding("quantiles", 3), n_states=3, window=3),
}


@cache
def corner_of_blobs() -> tuple[Picture, Parameters]:
    """Return an eighth of a demo whose states are known, and its parameters."""
    whole, parameters = make_picture("blobs")
    arrays = {"pixels": whole.pixels, "labels": whole.labels, "truth": whole.truth}
    corner = {name: array[:96, :88] for name, array in arrays.items() if array is not None}
    return replace(whole, **corner), parameters


@cache
def frame_of(name: str) -> Frame:
    """Return one of `MAKERS`' frames."""
    return MAKERS[name]()


def belief_after(parameters: Parameters) -> Offer:
    """Return the offer to decode by belief, as if it was tried."""
    promise = Promise("pixel error", 2.0, 1.5, "pixel error −0.5 bits")
    after = replace(parameters, decoder="belief")
    text = f"Try belief: {promise.text}"
    return Offer("belief", text, parameters, after, promise, ("--decoder", "belief"), False)


def shown(qtbot, view, frame, size, theme=LIGHT, display=None, pointer=None, selection=None) -> V:
    widget = view()
    qtbot.addWidget(widget)
    widget.apply_theme(theme)
    widget.resize(*size)
    widget.show_state(State(display=display or Display(), selection=selection))
    widget.show_pointer(pointer or Pointer())
    widget.show()
    if frame is not None:
        widget.show_frame(frame)
    return widget


def docked(qtbot: QtBot, view: View, size: tuple[int, int]) -> QScrollArea:
    area = scrolled(view)
    qtbot.addWidget(area)
    area.resize(*size)
    area.show()
    QApplication.processEvents()
    return area


def pixels(widget: QWidget) -> NDArray[np.uint8]:
    """Return the pixels of a widget, (height, width, 3)."""
    return colors(widget.grab())


def colors(pixmap: QPixmap) -> NDArray[np.uint8]:
    """Return a picture's colours, (height, width, 3)."""
    image = pixmap.toImage().convertToFormat(QImage.Format.Format_RGB888)
    bits = image.constBits()
    rows = np.frombuffer(bits.asstring(image.sizeInBytes()), np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)


def is_color(image: NDArray[np.uint8], code: str) -> NDArray[np.bool_]:
    """Return where an image has exactly the colour "#rrggbb"."""
    wanted = [int(code[k : k + 2], 16) for k in (1, 3, 5)]
    return np.asarray((image == wanted).all(axis=-1))


def assert_fits(image: NDArray[np.uint8]) -> None:
    """Check that there is only the panel's colour around the painting."""
    blank = is_color(image, LIGHT.panel)
    for edge in (blank[:4], blank[-4:], blank[:, :6], blank[:, -5:]):
        assert edge.all()
    assert not blank.all()


def point_at(widget: QWidget, x: float, y: float) -> None:
    """Move the pointer to a place."""
    place, none = QPointF(x, y), Qt.MouseButton.NoButton
    keys = Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, keys)
    QApplication.sendEvent(widget, event)


def press_at(widget: QWidget, place: QPoint, button: Qt.MouseButton) -> None:
    """Press a button that nothing else holds; `QTest` would count it as held until a release."""
    press, keys = QEvent.Type.MouseButtonPress, Qt.KeyboardModifier.NoModifier
    over = QPointF(widget.mapToGlobal(place))
    event = QMouseEvent(press, QPointF(place), over, button, button, keys)
    QApplication.sendEvent(widget, event)


def drag_to(widget: QWidget, place: QPoint) -> None:
    """Move the pointer to a place, the left button held."""
    move, button, none = QEvent.Type.MouseMove, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    over, keys = widget.mapToGlobal(place), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(move, QPointF(place), QPointF(over), none, button, keys)
    QApplication.sendEvent(widget, event)


def leave(widget: QWidget) -> None:
    """Move the pointer out of a widget."""
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def outlines(canvas: Canvas) -> list[Outline]:
    """Return the outlines on a canvas: of the inspected window, its pixel, and windows of pins."""
    items = canvas.sceneObj.items(Qt.SortOrder.AscendingOrder)
    return [item for item in items if isinstance(item, Outline)]


def flags(canvas: Canvas) -> list[PinMark]:
    items = canvas.sceneObj.items(Qt.SortOrder.AscendingOrder)
    return [item for item in items if isinstance(item, PinMark)]


def menu_of(window: MainWindow, name: str) -> QMenu:
    """Return the context menu of a view, opened away from all of its parts."""
    window.views[name].customContextMenuRequested.emit(QPoint(1, 1))
    menu = window.parts[ContextMenus].menu
    menu.close()
    return menu


def timer_of(owner: QObject, milliseconds: int) -> QTimer:
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    timers = owner.findChildren(QTimer, options=direct)
    return next(one for one in timers if one.interval() == milliseconds)


def told_by(signal: pyqtBoundSignal) -> list[Any]:
    """Return a list that receives a signal's arguments from now on."""
    told: list[Any] = []
    signal.connect(told.append)
    return told


def tip_at(widget: QWidget, x: float, y: float) -> str:
    """Return the tool tip that comes up at a place."""
    _hide_tip()
    place = QPoint(round(x), round(y))
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, place))
    text = QToolTip.text() if QToolTip.isVisible() else ""
    _hide_tip()
    return text


def _hide_tip() -> None:
    for one in QApplication.topLevelWidgets():  # `QToolTip.hideText` takes .3 s
        if one.inherits("QTipLabel"):
            one.hide()


def alone(window: MainWindow, name: str, width: int, height: int) -> Dock:
    """Take a dock out of the layout, to a size of its own, until the layout is restored."""
    dock = window.docks[name]
    dock.setParent(window, Qt.WindowType.Window)
    dock.resize(width, height)
    dock.show()
    return dock


def show_all(window: MainWindow) -> None:
    """Lay out all docks side by side, three in a row, until the layout is restored."""
    names = list(window.docks)
    rows = [names[k : k + 3] for k in range(0, len(names), 3)]
    window.tabs.stage.lay(column(*((row(*((name, 20) for name in three)), 20) for three in rows)))
