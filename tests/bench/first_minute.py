"""A film of the first minute: ``python -m tests.bench.first_minute FOLDER``.

A simulated newcomer, with only mouse and key events, goes from the start to "this is my own
photograph, I dragged w, and I know what is best" in six actions at most. After each one the window
is drawn to FOLDER, in both themes; the action and the time of its answer are printed.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.explaining.explainer import Explainer
from latviz.app.widgets.lifetimes import painting_on

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PyQt6.QtCore import QMimeData, QPoint, Qt, QUrl
from PyQt6.QtGui import QPixmap
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu
from skimage import data

from latviz.app.program.main import application, discard
from latviz.app.program.window import SIZE, MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.views.guide.view import GuideView
from latviz.app.views.states.view import StatesView
from latviz.app.views.tried.view import TriedView
from latviz.app.widgets.slider import Slider
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO
from tests.bench.soak.hand import Hand
from tests.bench.soak.watch import Sections

MOST_S = 180.0
"""An answer is waited for so long."""
STEPS = 12
"""Moves of the mouse in a drag."""
Act = tuple[str, Callable[[], object], Callable[[], bool]]
"""An action: its name, the action itself, and a test that its answer is there."""


class Newcomer:
    """A simulated user of a new window, and the acts of the first minute."""

    def __init__(self, window: MainWindow, photograph: Path) -> None:
        self.window, self.photograph, self.said = window, photograph, ""
        self._sections = Sections(lambda: "")
        self._hand = Hand(self._sections, lambda _: None)
        guide, tried, states = (window.views[name] for name in ("guide", "tried", "states"))
        assert isinstance(guide, GuideView)
        assert isinstance(tried, TriedView)
        assert isinstance(states, StatesView)
        self.guide, self.tried, self.states = guide, tried, states
        self.window_slider, self.alpha = (
            guide.window_control.slider,
            window.controls["alpha"].slider,
        )
        window.parts[IdleJobs].chosen.connect(self._hear)

    def end(self) -> None:
        """Stop measuring."""
        self._sections.close()

    def acts(self) -> Iterator[Act]:
        """Yield the acts, one after the other."""
        window = self.window_slider
        yield "start", lambda: None, self.is_noted
        yield (
            "drag the wide slider to w = 1",
            lambda: self.drag(window, 1),
            self.is_noted,
        )
        yield "drop a photograph of one's own", self.drop, self.is_own
        yield (
            "drag the wide slider to w = 12",
            lambda: self.drag(window, 12),
            self.is_noted,
        )
        yield "press Choose w", lambda: self._hand.click(self.guide.choose), self.is_chosen
        yield "drag alpha to 0.2", lambda: self.drag(self.alpha, 20), self.is_shown
        yield (
            "ask of a pixel why",
            self.ask_why,
            lambda: self.window.parts[Explainer].card is not None,
        )

    def drag(self, slider: Slider, wanted: int) -> None:
        """Drag the handle of a slider like a user: in steps, which take some time."""
        start, stop = (slider.x_of(value) for value in (slider.value(), wanted))
        y = slider.height() // 4  # marks are below
        xs = [start + (stop - start) * k / STEPS for k in range(STEPS + 1)]
        self._hand.drag(slider, [QPoint(round(x), y) for x in xs])

    def drop(self) -> None:
        """Drop the photograph on the middle of the window."""
        dropped = QMimeData()
        dropped.setUrls([QUrl.fromLocalFile(str(self.photograph))])
        self._hand.drop(self.window, self.window.rect().center(), dropped)

    def ask_why(self) -> None:
        """Open the context menu of a pixel, and choose its first line."""
        canvas = self.states.canvas.viewport()
        self._hand.click(canvas, canvas.rect().center(), Qt.MouseButton.RightButton)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        self._hand.key(menu, Qt.Key.Key_Down)
        self._hand.key(menu, Qt.Key.Key_Return)

    def is_shown(self) -> bool:
        """Return True if the settings are on screen."""
        document, frame = self.window.document, self.window.document.frame
        is_there = frame is not None and frame.request.parameters == document.parameters
        return is_there and document.activity.work == "idle"

    def is_noted(self) -> bool:
        """Return True if the settings are on screen and among those tried."""
        noted = [one.parameters for one in self.tried.trials]
        return self.is_shown() and self.window.document.parameters in noted

    def is_own(self) -> bool:
        """Return True if the photograph is on screen, and recorded."""
        picture = self.window.document.picture
        return picture is not None and picture.name == self.photograph.name and self.is_noted()

    def is_chosen(self) -> bool:
        """Return True if w was chosen, and recorded."""
        return bool(self.said) and self.is_noted()

    def _hear(self, chosen: object) -> None:
        self.said = getattr(chosen, "sentence", "")


def film(folder: Path, theme: str, photograph: Path) -> None:
    """Go through the first minute in one theme; draw and print it."""
    window = MainWindow(Settings(lasting=False), theme, use="explore")
    window.resize(*SIZE)
    window.show()
    newcomer = Newcomer(window, photograph)
    try:
        window.parts[Opener].open_demo(DEFAULT_DEMO)
        for number, (what, act, is_answered) in enumerate(newcomer.acts()):
            begun = time.perf_counter()
            act()
            wait_until(is_answered, what)
            seconds = time.perf_counter() - begun
            on_screen(window).save(str(folder / f"{theme}-{number}.png"))
            print(f"{theme} {number}: {what}: {seconds:.1f} s")
        print(f"{theme}: {newcomer.said}")
    finally:
        newcomer.end()
        discard(window)


def on_screen(window: MainWindow) -> QPixmap:
    """Return the window with the card or menu over it, which is a window of its own."""
    drawn, over = window.grab(), QApplication.activePopupWidget()
    if over is not None:
        with painting_on(drawn) as painter:
            painter.drawPixmap(window.mapFromGlobal(over.pos()), over.grab())
    return drawn


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Let events be handled until something is so."""
    end = time.perf_counter() + MOST_S
    while not is_so():
        if time.perf_counter() > end:
            raise SystemExit(f"no answer after {MOST_S:g} s: {what}")
        QTest.qWait(20)
    QTest.qWait(100)  # the remaining paints


def main() -> None:
    """Draw the film."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    application()
    with tempfile.TemporaryDirectory() as place:
        photograph = Path(place) / "chelsea.png"
        Image.fromarray(data.chelsea()).save(photograph)
        for theme in ("light", "dark"):
            film(folder, theme, photograph)


if __name__ == "__main__":
    main()
