"""Nothing outdated stays on screen: a used window looks like a new one."""

import random
from collections.abc import Callable, Iterator
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.session.sessions import work_of
from latviz.app.views.painted import PaintedView
from latviz.core.data.encoding import Encoding
from latviz.engine.geometry.selection import (
    MapKind,
    PairSelection,
    RegionSelection,
    StateSelection,
    SymbolSelection,
)
from latviz.engine.geometry.signature_space import Projection, ProjectionKind
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app import conftest
from tests.app.frames import colors, pixels
from tests.products import FULL

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)

ROUNDS, ACTS = (10 if FULL else 4), (1, 2, 3)
EVERY = 1 if FULL else 2
"""Rounds after which a used window is compared with a new one."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "n_states": (1, 3, 8, 32),
    "window": (0, 1, 3, 64),
    "alpha_mode": ("constant", "local"),
    "smoothing": (0.0, 1.0),
    "normalizer": ("neighbours", "states"),
    "decoder": ("nearest", "belief", "refined"),
    "passes": (0, 10),
    "learning_window": (None, 2),
    "encoding": (
        *(Encoding("quantiles", n) for n in (2, 4, 5, 8)),
        Encoding("grey"),
        Encoding("rgb"),
        Encoding("palette", 64),
    ),
}
OPTIONS: dict[str, tuple[Any, ...]] = {
    "borders": (False, True),
    "leaves": (False, True),
    "log_scale": (False, True),
    "graph": (False, True),
    "law": (False, True),
    "marks": ("none", "numbers", "hatching"),
    "opacity": (0.0, 0.4, 1.0),
}
POINTED: dict[str, tuple[Any, ...]] = {"state": (None, 0), "symbol": (None, 1)}

AT_REST = ("tradeoff",)
"""Views that are filled while nothing else is computed."""


class Person:
    """Changes one thing after another, at random but from a seed."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.document = window, window.document
        self.random = random.Random(seed)
        camera, astronaut = data.camera(), data.astronaut()
        self.pictures = [
            Picture(np.ascontiguousarray(part), f"{part.shape}")
            for part in (camera[100:160, 120:200], astronaut[:70, 160:250], camera[100:101, :50])
        ]
        self.node: tuple[int, ...] | None = None

    def act(self) -> None:
        acts: list[tuple[Callable[[], None], int]] = [
            (self.set, 6),
            (lambda: self.document.set("Change", alpha=self.random.uniform(0.1, 1.0)), 2),
            (self.choose_option, 5),
            (self.point_at_one, 2),
            (self.project, 4),
            (self.select, 3),
            (self.point, 3),
            (self.pin, 1),
            (self.open, 2),
            (self.choose_a_dock, 3),
            (self.compare, 2),
            (self.undo, 2),
            (
                lambda: self.document.change(
                    "Change the map", map=self.random.choice(get_args(MapKind))
                ),
                1,
            ),
            (self.choose_a_theme, 1),
        ]
        (act,) = self.random.choices([a for a, _ in acts], [weight for _, weight in acts])
        act()

    def set(self) -> None:
        name = self.random.choice(list(CHOICES))
        self.document.set("Change", **{name: self.random.choice(CHOICES[name])})

    def choose_option(self) -> None:
        name = self.random.choice(list(OPTIONS))
        self.document.set_display(**{name: self.random.choice(OPTIONS[name])})

    def point_at_one(self) -> None:
        name = self.random.choice(list(POINTED))
        self.document.point(**{name: self.random.choice(POINTED[name])})

    def project(self) -> None:
        kind, turn = self.random.choice(get_args(ProjectionKind)), self.random.uniform(-1, 1)
        self.document.set_projection(Projection(kind, turn=(1.0, turn, 0.3, 0.0)))

    def select(self) -> None:
        slot, other = self.random.randrange(3), self.random.randrange(3)
        corners = tuple((self.random.uniform(-1, 1), self.random.uniform(-1, 1)) for _ in "abcd")
        self.document.select(
            self.random.choice(
                (
                    StateSelection(slot),
                    PairSelection(slot, other),
                    SymbolSelection(slot, other),
                    RegionSelection(corners, self.document.state.projection),
                )
            )
        )

    def place(self) -> tuple[int, ...]:
        return tuple(self.random.randrange(length) for length in self.document.picture.shape)

    def point(self) -> None:
        self.node = self.random.choice((None, self.place(), self.place()))
        self.document.inspector.hover(self.node)

    def pin(self) -> None:
        self.document.pin(self.place())

    def open(self) -> None:
        self.node = None
        self.document.open(self.random.choice(self.pictures))

    def choose_a_dock(self) -> None:
        """Show and raise a dock, or hide it; but not one that is filled at rest."""
        stage = self.window.tabs.stage
        name = self.random.choice([name for name in self.window.docks if name not in AT_REST])
        act = stage.open_dock if self.random.random() < 0.8 else stage.close_dock
        act(name)

    def compare(self) -> None:
        self.document.freeze(self.random.random() < 0.7)
        self.document.set_display(comparison=self.random.choice(("split", "difference")))

    def choose_a_theme(self) -> None:
        self.window.parts[Preferences].choose_theme(self.random.choice(("light", "dark")))

    def undo(self) -> None:
        stack = self.document.undo_stack
        self.random.choice((stack.undo, stack.redo))()


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until all requests are answered on screen."""
    qtbot.waitUntil(lambda: window.document.activity.work == "idle", timeout=60_000)
    conftest.settle(qtbot, window)


def prepared(theme: str) -> MainWindow:
    """Return a window in which nothing moves by itself, nor because of earlier content."""
    window = MainWindow(None, theme)
    window.show()
    window.document.point(still=True)
    window.views["space"].plot.getAxis("left").setWidth(60)
    return window


def brought_to(qtbot: QtBot, used: MainWindow, person: Person) -> MainWindow:
    """Return a new window with the content of a used one."""
    _, session = work_of(used.document)
    new = prepared(used.parts[Preferences].theme_name)
    give_sizes(new, used)
    new.tabs.show_visible()
    new.document.resume(session, used.document.state)
    settle(qtbot, new)
    for window in (used, new):  # the least sizes of docks came with the picture
        give_sizes(window, used)
    new.document.inspector.hover(person.node)
    pointer = used.document.pointer
    new.document.point(state=pointer.state, symbol=pointer.symbol, flipped=pointer.flipped)
    return new


def give_sizes(new: MainWindow, used: MainWindow) -> None:
    for _ in range(2):  # they are taken when they have been laid out
        new.restoreState(used.saveState())
        QTest.qWait(5)


def looks(window: MainWindow) -> dict[str, NDArray[np.uint8]]:
    """Return the pixels of each view on screen; the range of the space is reset."""
    window.views["space"].plot.show_all()
    QTest.qWait(20)
    screen = window.screen()
    shot = colors(screen.grabWindow(window.winId()))  # nothing is painted again for it
    found = {}
    for name, view in window.views.items():
        if not view.visibleRegion().isEmpty():
            part = view.visibleRegion().boundingRect()
            part.translate(view.mapTo(window, QPoint()))
            rows, columns = (
                slice(part.top(), part.bottom() + 1),
                slice(part.left(), part.right() + 1),
            )
            found[name] = shot[rows, columns]
    return found


@pytest.fixture
def used(qtbot: QtBot, no_leaked_threads: None) -> Iterator[MainWindow]:
    window = prepared("light")
    yield window
    discard(window)


@pytest.mark.parametrize("seed", [1, 2] if FULL else [1])
def test_a_used_window_looks_like_a_new_one(qtbot: QtBot, used: MainWindow, seed: int) -> None:
    person = Person(used, seed)
    used.document.open(person.pictures[0], Parameters(Encoding("quantiles", 5)))
    settle(qtbot, used)
    for k in range(ROUNDS):
        for _ in range(person.random.choice(ACTS)):
            person.act()
            QTest.qWait(person.random.choice((0, 2, 20)))
        settle(qtbot, used)
        if (k + 1) % EVERY:
            continue
        new = brought_to(qtbot, used, person)
        try:
            before, after = looks(used), looks(new)
        finally:
            discard(new)
        assert before.keys() == after.keys()
        for name, view in before.items():
            np.testing.assert_array_equal(view, after[name], err_msg=name)


def test_what_a_step_of_w_paints_in_part_looks_like_all_of_it(qtbot, used) -> None:
    picture = Picture(data.camera()[::4, ::4], "camera")
    parameters = Parameters(Encoding("quantiles", 5), n_states=5, window=3, learning_window=2)
    used.document.open(picture, parameters)
    settle(qtbot, used)
    view = used.views["emissions"]
    assert isinstance(view, PaintedView)
    in_part = 0
    for window, state in ((4, None), (5, None), (6, 1), (7, 1), (9, 0), (10, 0)):
        used.document.point(state=state)  # its row is outlined
        settle(qtbot, used)
        used.document.set("Change w", window=window)
        settle(qtbot, used)
        # The shares of the states alone, unless other changes were painted along with them.
        in_part += 0 < view.area.width() < view.width() / 2
        before = looks(used)["emissions"]
        view.repaint()
        np.testing.assert_array_equal(before, looks(used)["emissions"])
    assert in_part


def test_a_picture_is_decoded_again_and_a_theme_leaves_the_font_of_a_button(
    qtbot, window, photo
) -> None:
    before = pixels(window.views["states"])
    window.document.keep_settings(True)
    window.document.open(photo)
    settle(qtbot, window)
    np.testing.assert_array_equal(pixels(window.views["states"]), before)
    button = window.views["adjacency"].findChild(QToolButton)
    before = button.fontInfo().pixelSize()
    window.parts[Preferences].choose_theme("dark")
    assert button.fontInfo().pixelSize() == before
    assert button.size() == button.sizeHint()
