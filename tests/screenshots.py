"""``python -m tests.screenshots`` draws the pictures of the README and of the manual.

They show only the program's own demos. The drawings do not depend on time or speed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from PyQt6.QtCore import QEventLoop, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PyQt6.QtGui import QImage, QPainter, QPen, QPolygonF
from PyQt6.QtWidgets import QApplication

from latviz.app.document.adviser import Adviser
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.exporting.drawing import image_of
from latviz.app.lessons.teacher import Teacher
from latviz.app.program.main import application, discard
from latviz.app.program.window import MainWindow
from latviz.app.scribbling.scribbler import Scribbler
from latviz.app.views.guide.view import GuideView
from latviz.app.views.registry import Views
from latviz.app.views.steps.view import StepsView
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.app.widgets.lifetimes import painting_on
from latviz.core.data.encoding import Encoding
from latviz.workspace import make_picture
from tests.of_wings import of_wings

ROOT = Path(__file__).parents[1]
HELP = ROOT / "resources" / "help"
FILM = ROOT / ".github" / "film.gif"
WINDOW, VIEW, HIGH, WIDE = (1280, 800), (480, 330), (480, 460), (660, 420)
STEPS, SHEET = (660, 360), (900, 680)
SCRIBBLES = (
    ("sky", ((226, 76), (224, 92), (228, 108))),
    ("sea", ((228, 190), (224, 206), (230, 228))),
    ("sand", ((70, 132), (76, 150), (72, 186))),
)
"""Scribbles on the first demo: names, and the pixels along their strokes."""
COLORS = 224
"""Of a picture's palette: few enough for a small file, enough for photographs and densities."""


FILM_COLORS, FRAME_MS = 128, 200
SCENES = (
    ("window", (0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 20, 20)),
    ("window", (17, 14, 11, 8, 6, 5, 4, 3, 3, 3, 3)),
    ("n_states", (4, 4, 3, 3, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 4, 4, 4, 4, 4)),
)
"""What moves in the film, and where to: a picture each."""
ARROW = (0, 0), (0, 16), (4, 12), (7, 18), (10, 17), (7, 11), (12, 11)
"""The corners of the pointer, in pixels."""


@contextmanager
def shown(demo, theme="light", use="inspect", **changes) -> Iterator[MainWindow]:
    """Show a demo, settled, with its own parameters or others."""
    application()
    window = MainWindow(theme=theme, use=use, patient=True)
    try:
        window.resize(*WINDOW)
        window.tabs.restore_default()
        window.show()
        picture, parameters = make_picture(demo)
        window.document.open(picture, replace(parameters, **changes))
        settle(window)
        yield window
    finally:
        discard(window)


def settle(window: MainWindow) -> None:
    """Wait until all settings are on screen."""
    document = window.document

    def is_settled() -> bool:
        frame = document.frame
        at_rest = document.activity.work == "idle" and window.parts[Views].rounds.is_over
        return at_rest and frame is not None and document.needed <= frame.results.keys()

    wait_until(is_settled)


def advise(window: MainWindow) -> None:
    """Wait until the advice is final, and the guide shows all windows."""
    adviser, guide = window.parts[Adviser], window.views["guide"]
    assert isinstance(guide, GuideView)

    def is_advised() -> bool:
        advice, scales = adviser.advice, guide.scales
        complete = guide.is_complete and (scales is None or scales.complete)
        return advice is not None and advice.wanted is None and complete

    wait_until(is_advised)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds, and handle its consequences."""
    wakes = QTimer()  # the end of work on another thread may cause no event
    wakes.start(50)
    QApplication.processEvents()
    while not is_so():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    QApplication.processEvents()


def alone(window: MainWindow, name: str, size: tuple[int, int] = VIEW) -> QImage:
    """Draw one dock, as a window of its own."""
    window.tabs.stage.close_dock(name)  # it gets its title back from the drawer
    dock = window.docks[name]
    dock.setParent(window, Qt.WindowType.Window)
    dock.resize(*size)
    dock.show()
    settle(window)
    if (widget := QApplication.focusWidget()) is not None:
        widget.clearFocus()
    return image_of(dock)


def whole_window() -> QImage:
    """Draw the window on its first demo."""
    with shown("blobs") as window:
        window.status.refreshed.hide()  # it shows the time and the speed
        return image_of(window)


def explore() -> QImage:
    """Draw the tab that the program opens in, with a complete trade-off."""
    with shown("blobs", use="explore") as window:
        rest = window.parts[IdleJobs]
        wait_until(lambda: rest.trade_off is not None and rest.trade_off.fraction == 1.0)
        advise(window)
        for view in window.views.values():
            view.end_passing()
        window.status.refreshed.hide()
        return image_of(window)


def lesson() -> QImage:
    """Draw the first step of a lesson, which was guessed wrong."""
    with shown("blobs", use="learn") as window:
        teacher = window.parts[Teacher]
        teacher.begin("01-signatures")
        wait_until(lambda: teacher.lesson is not None)
        settle(window)
        teacher.panel.guess.options[0].click()
        settle(window)
        for view in window.views.values():
            view.end_passing()
        window.status.refreshed.hide()
        return image_of(window)


def simplex() -> QImage:
    """Draw an exact triangle."""
    with shown("stripes", encoding=Encoding("quantiles", 3), n_states=4, window=3) as window:
        return alone(window, "space")


def comparison() -> QImage:
    """Draw a narrow window's state map next to that of a wider one."""
    with shown("blobs", window=1) as window:
        window.document.freeze(True)
        window.document.set("Change w", window=5)
        settle(window)
        return alone(window, "states", HIGH)


def signature() -> QImage:
    """Draw a window on the picture, its signature, and the distance to each codeword."""
    with shown("blobs") as window:
        view = window.views["steps"]
        assert isinstance(view, StepsView)
        window.tabs.stage.open_dock("steps")
        settle(window)
        wait_until(lambda: view.film is not None)
        return alone(window, "steps", STEPS)


def belief() -> QImage:
    """Draw the state map of the nearest codeword next to that of belief."""
    with shown("blobs", window=2) as window:
        window.document.freeze(True)
        window.document.set("Change decoder", decoder="belief")
        settle(window)
        return alone(window, "states", HIGH)


def leaves() -> QImage:
    """Draw the first tab on the demo that is most like a photograph."""
    with shown("leaves", use="explore") as window:
        rest = window.parts[IdleJobs]
        wait_until(lambda: rest.trade_off is not None and rest.trade_off.fraction == 1.0)
        advise(window)
        for view in window.views.values():
            view.end_passing()
        window.status.refreshed.hide()
        return image_of(window)


def sequence() -> QImage:
    """Draw the curves of a demo of three channels above their states."""
    with shown("weather") as window:
        window.status.refreshed.hide()
        return image_of(window)


def merge_tree() -> QImage:
    """Draw the last merges, cut at four states."""
    with shown("blobs") as window:
        return alone(window, "tree")


def trade_off() -> QImage:
    """Draw the scores of every N and w, and why N and w were chosen, once all is computed."""
    with shown("blobs") as window:
        rest, view = window.parts[IdleJobs], window.views["tradeoff"]
        assert isinstance(view, TradeOffView)
        window.tabs.stage.open_dock("tradeoff")
        wait_until(lambda: rest.trade_off is not None and rest.trade_off.fraction == 1.0)
        rest.choose("both")
        wait_until(lambda: not rest.is_choosing)
        settle(window)
        wait_until(lambda: rest.trade_off is not None and rest.trade_off.fraction == 1.0)
        wait_until(lambda: view.is_settled and bool((scene := view.scene()) and scene.river))
        return alone(window, "tradeoff", SHEET)


def scribbling() -> QImage:
    """Draw the first demo, cut into two states, with strokes of three names."""
    with shown("blobs", use="explore", n_states=2) as window:
        window.tabs.stage.close_dock("guide")
        window.parts[Scribbler].set_on(True)
        for name, (first, *others) in SCRIBBLES:
            canvas = window.views["image"].canvas
            window.parts[Scribbler].set_name(name)
            canvas.pressed.emit(first)
            for place in others:
                canvas.moved.emit(place)
            canvas.released.emit()
        wait_until(lambda: not window.parts[Scribbler].is_cutting)
        settle(window)
        for view in window.views.values():
            view.end_passing()
        window.setFocus()
        window.status.refreshed.hide()
        return image_of(window)


def film() -> Iterator[QImage]:
    """Draw the first demo while w goes from 0 to 20 and back, and N from 4 to 2 to 5 and back."""
    with shown("blobs", use="explore", window=0) as window:
        rest, guide = window.parts[IdleJobs], window.views["guide"]
        assert isinstance(guide, GuideView)
        sliders = {
            "window": guide.window_control.slider,
            "n_states": window.controls["n_states"].slider,
        }
        wait_until(lambda: rest.trade_off is not None and rest.trade_off.fraction == 1.0)
        for name, values in SCENES:
            for value in values:
                window.document.set(f"Change {name}", **{name: value})
                settle(window)
                advise(window)
                for view in window.views.values():
                    view.end_passing()
                window.status.refreshed.hide()
                image = image_of(window)
                slider = sliders[name]
                handle = QPointF(slider.x_of(value), slider.height() / 4)
                _draw_pointer(image, slider.mapTo(window, handle))
                yield image


def _draw_pointer(image: QImage, tip: QPointF) -> None:
    """Draw a hand's arrow, which a picture of a window does not show."""
    with painting_on(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(tip)
        painter.setPen(QPen(Qt.GlobalColor.white, 1.5))
        painter.setBrush(Qt.GlobalColor.black)
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ARROW]))


def write_film(path: Path) -> None:
    """Write the film as a GIF with one palette for all of its pictures."""
    pictures = [Image.fromarray(rgb_of(image)) for image in film()]
    some = Image.fromarray(np.concatenate([np.asarray(p) for p in pictures[::8]]))
    palette = some.quantize(FILM_COLORS, dither=Image.Dither.NONE)
    first, *others = (p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures)
    first.save(path, save_all=True, append_images=others, duration=FRAME_MS, loop=0)


class Shot(NamedTuple):
    """What draws a picture, and its size in pixels."""

    draw: Callable[[], QImage]
    size: tuple[int, int]


SHOTS = {
    "pictures/screenshot.png": Shot(whole_window, WINDOW),
    "pictures/explore.png": Shot(explore, WINDOW),
    "pictures/lesson.png": Shot(lesson, WINDOW),
    "pictures/signature.png": Shot(signature, STEPS),
    "pictures/simplex.png": Shot(simplex, VIEW),
    "pictures/comparison.png": Shot(comparison, HIGH),
    "pictures/belief.png": Shot(belief, HIGH),
    "pictures/leaves.png": Shot(leaves, WINDOW),
    "pictures/sequence.png": Shot(sequence, WINDOW),
    "pictures/scribbles.png": Shot(scribbling, WINDOW),
    "pictures/tree.png": Shot(merge_tree, VIEW),
    "pictures/tradeoff.png": Shot(trade_off, SHEET),
}
"""The pictures, by their places in the manual."""


def shots() -> dict[str, Shot]:
    """Return the pictures, those of wings included."""
    theirs = (module.SHOTS for module in of_wings("screenshots"))
    return {name: shot for some in (SHOTS, *theirs) for name, shot in some.items()}


def rgb_of(image: QImage) -> np.ndarray:
    """Return an image's pixels, shape (H, W, 3), uint8."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    bits = image.constBits()
    rows = np.frombuffer(bits.asstring(image.sizeInBytes()), np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)


def write(image: QImage, path: Path) -> None:
    """Write a picture as a small PNG file with a palette."""
    picture = Image.fromarray(rgb_of(image))
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Draw the named pictures, or all."""
    table = shots()
    parser = argparse.ArgumentParser(description="Draw the pictures of the README and the manual.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"{', '.join(table)}, {FILM.name}")
    names = parser.parse_args().names or [*table, FILM.name]
    if unknown := set(names) - {*table, FILM.name}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    qInstallMessageHandler(_report)
    for name in names:
        path = FILM if name == FILM.name else HELP / name
        if path == FILM:
            write_film(path)
        else:
            write(table[name].draw(), path)
        print(f"{name}: {path.stat().st_size:,} bytes")


def _report(_kind: QtMsgType, _context: object, message: str | None) -> None:
    if message and "This plugin does not support" not in message:
        print(message, file=sys.stderr)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main()
