"""The robot: it holds the window, chooses acts by chance from a seed, and keeps a journal."""

import ctypes
import gc
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from PyQt6 import sip
from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QUrl, pyqtSlot
from PyQt6.QtGui import QAction, QDesktopServices
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import discard
from latviz.app.program.window import SIZE, MainWindow
from latviz.app.shell.banner import Banner
from latviz.app.shell.settings import Settings
from latviz.app.widgets.canvas import Canvas
from latviz.app.widgets.painting import Painted
from latviz.app.work.activity import Failure
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.bench.pictures import photograph
from tests.bench.soak import files
from tests.bench.soak.hand import Hand, Missed, inside
from tests.bench.soak.usher import Usher
from tests.bench.soak.watch import Sections, Watch

JOURNAL = 60
SETTLED_S = 120.0
DIALOGS_S = 30.0
IMAGES = (".png", ".jpg", ".gif", ".tif", ".bmp", ".webp")


class Act(NamedTuple):
    name: str
    weight: float
    run: Callable[["Robot"], None]


class Robot:
    """Does acts one after the other; each is chosen, and chooses, by the seed and its number.

    ``rng``, ``hand`` and the following are for acts.
    """

    def __init__(self, seed: int, folder: Path, watch: Watch, acts: Sequence[Act]) -> None:
        self.seed, self.watch, self._acts = seed, watch, acts
        self.rng = random.Random(seed)
        self.journal: deque[str] = deque(["starting"], maxlen=JOURNAL)
        self.sections = Sections(lambda: f"{watch.step} {watch.act}: {self.journal[-1]}")
        self.hand = Hand(self.sections, lambda what: self.journal.append(f"  {what}"))
        self.answers: list[str] = []
        self.counts, self.missed, self.events = (Counter[str]() for _ in range(3))
        self.levels: list[float] = []  # MiB in memory in a state that is always the same
        (folder / "in").mkdir()
        self.out = folder / "out"
        self.out.mkdir()
        self._first = Picture(photograph(256), "first")
        self.main: MainWindow
        with self.sections.apart():
            self.files = files.make(folder / "in")
            self._prepare_process()
            self.usher = Usher(self)
            self.open_window()

    def _prepare_process(self) -> None:
        """Take note of failures with a traceback; follow no link out of the program."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setQuitOnLastWindowClosed(False)  # else no dialog could run any more
        for scheme in ("http", "https", "mailto", "file"):
            QDesktopServices.setUrlHandler(scheme, _ignore)
        show = Banner.show_failure

        def noting(banner: Banner, failure: Failure) -> None:
            self.events["messages across a window"] += 1
            if failure.details:
                self.watch.note("failure", f"{failure.message}\n{failure.details}")
            show(banner, failure)

        Banner.show_failure = noting

    def open_window(self) -> None:
        """Open the program's window as the program does, with the settings of the last one."""
        self.events["windows opened"] += 1
        settings = Settings()
        images = [path for path in self.files if path.suffix in IMAGES]
        for path in self.rng.sample(images, 3):  # whose small pictures the start page draws
            settings.add_recent(str(path))
        settings.finish()
        self.main = MainWindow(settings)
        self.main.show()
        self.main.activateWindow()
        QTest.qWaitForWindowExposed(self.main)

    def close_window(self) -> None:
        main = self.main
        self.hand.do("discard the window", lambda: discard(main))
        del self.main

    def act(self, step: int) -> None:
        self.rng = random.Random(f"{self.seed}.{step}")
        (act,) = self.rng.choices(self._acts, [one.weight for one in self._acts])
        self.watch.step, self.watch.act = step, act.name
        self.journal.append(f"{step} {act.name}")
        self.counts[act.name] += 1
        self.answers.clear()
        self.usher.path.clear()
        with self.sections.apart():
            try:
                act.run(self)
            except (Missed, RuntimeError) as error:
                if isinstance(error, RuntimeError) and "has been deleted" not in str(error):
                    raise
                self.missed[act.name] += 1  # the target has disappeared
            self.usher.see_out(DIALOGS_S)
            self.hand.wait(self.rng.choice((0, 0, 0, 5, 20)))
            self._open_again()

    def _open_again(self) -> None:
        if sip.isdeleted(self.main) or not self.main.isVisible():
            self.close_window()
            self.open_window()

    def rest(self, step: int) -> float:
        """Bring the window into its one resting state; return the MiB in memory."""
        self.watch.step, self.watch.act = step, "resting"
        with self.sections.apart():
            self.close_others()
            self.wait_until(_is_idle)
            QTest.qWait(30)  # a window that has saved closes then
            self._open_again()
            main, document = self.main, self.main.document
            main.showNormal()
            main.resize(*SIZE)
            main.menus.refresh()
            main.parts[Preferences].choose_theme("light")
            main.tabs.enter("inspect")  # a state without idle work while objects are counted
            main.tabs.restore_default()
            document.freeze(False)
            document.select(None)
            document.unpin_all()
            document.open(self._first, Parameters())
            document.begin(display=type(document.display)(), projection=Projection())
            document.undo_stack.clear()
            main.banner.hide()
            QTest.mouseMove(main.menuBar())
            self.settle()
            self.wait_until(main.worker.prepared.is_set)  # kernels take memory
            for _ in range(3):  # Qt deletes its part of some objects a little later
                gc.collect()
                QTest.qWait(10)
            self.levels.append(resident())
        return self.levels[-1]

    def settle(self) -> None:
        document = self.main.document

        def is_settled() -> bool:
            frame = document.frame
            is_over = document.activity.work in ("idle", "declined", "failed")
            is_own = frame is not None and frame.request.picture is document.picture
            return _is_idle() and (document.picture is None or (is_over and is_own))

        if self.wait_until(is_settled):
            QTest.qWait(300)
        else:
            self.watch.note("stuck", f"not settled: {document.activity}")

    def wait_until(self, is_so: Callable[[], bool]) -> bool:
        """Return True once a condition holds, False if it does not in time."""
        # On a slow machine kernels alone may take as long, once
        limit = time.monotonic() + SETTLED_S
        while not is_so():
            QTest.qWait(30)
            if self.main.document.is_compiling:
                limit = time.monotonic() + SETTLED_S
            if time.monotonic() > limit:
                return False
        return True

    def close_others(self) -> None:
        for window in self.windows():
            if window is not self.main:
                window.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def leave(self) -> None:
        with self.sections.apart():
            self.close_others()
            self.close_window()
            self.usher.end()
            QTest.qWait(100)
        self.sections.close()

    # Targets of acts

    def windows(self) -> list[QWidget]:
        """Return the windows that can be seen: the main one, the bench, the help, docks."""
        transient = (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.SplashScreen)
        every = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowHandle()]
        return [w for w in every if w.windowType() not in transient]

    def window(self) -> QWidget:
        """Return a window; mostly the main one."""
        others = [w for w in self.windows() if w is not self.main]
        return self.rng.choice(others) if others and self.rng.random() < 0.4 else self.main

    def some(self, *kinds: type[QWidget]) -> QWidget:
        """Return a widget of some kinds in one of the windows that can be seen and used."""
        window = self.window()
        return self.choice(inside(w for kind in kinds for w in window.findChildren(kind)))

    def view(self) -> QWidget:
        """Return a target for drawing: a visible view, or a picture or plot of another window."""
        parts = [part for w in self.windows() if w is not self.main for part in drawn_in(w)]
        if parts and self.rng.random() < 0.4:
            return self.rng.choice(parts)
        view = self.choice(inside(self.main.views.values()))
        parts = drawn_in(view)
        return self.rng.choice([view, *parts, *parts])

    def choice(self, found: Sequence[QWidget]) -> QWidget:
        if not found:
            raise Missed
        return self.rng.choice(found)

    def place(self, widget: QWidget) -> QPoint:
        """Return a place of a widget that can be seen."""
        room = widget.visibleRegion().boundingRect()
        if room.isEmpty():
            raise Missed
        x, y = (room.left(), room.right()), (room.top(), room.bottom())
        return QPoint(self.rng.randint(*x), self.rng.randint(*y))

    def some_file(self) -> str:
        """Return a path to open: one of the given files, or one written here."""
        written = [p for p in sorted(self.out.rglob("*")) if p.is_file()]
        if written and self.rng.random() < 0.15:
            return str(self.rng.choice(written))
        return str(self.rng.choice(self.files))

    def some_target(self) -> str:
        """Return a path to write to."""
        folder = self.rng.choice((self.out, self.out, self.out, self.out / "none"))
        return str(folder / self.rng.choice(("a", "b", "ä ö", "c.d")))

    def menu_paths(self) -> list[list[str]]:
        """Return the texts to choose, menu by menu, for every item of the menu bar."""
        bar = self.main.menuBar()

        def walk(action: QAction, path: list[str]) -> list[list[str]]:
            here, inside = [*path, action.text()], action.menu()
            below = [p for one in inside.actions() for p in walk(one, here)] if inside else []
            return below or ([here] if action.text() else [])

        return [path for action in bar.actions() for path in walk(action, [])]


def drawn_in(widget: QWidget) -> list[QWidget]:
    return inside([*widget.findChildren(Canvas), *widget.findChildren(Painted)])


class _Ignored(QObject):
    """Takes the links that lead out of the program."""

    @pyqtSlot(QUrl)  # Qt calls it by name
    def take(self, url: QUrl) -> None:
        """Do nothing."""


_ignore = _Ignored().take


def _is_idle() -> bool:
    return all(thread.name != "background" for thread in threading.enumerate())


def resident() -> float:
    """Return the MiB in memory now, after releasing free memory."""
    gc.collect()
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return float(psutil.Process().memory_info().rss) / 2**20
