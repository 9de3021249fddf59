"""The main window: it makes the parts and gives each its place."""

from itertools import chain

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PyQt6.QtWidgets import QMainWindow, QMenuBar, QSizePolicy, QWidget

from latviz import wings
from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.document.worker import Worker
from latviz.app.exporting.exporting import Exporter
from latviz.app.look import theme as themes
from latviz.app.look.screens import fit
from latviz.app.panels.preferences import theme_of
from latviz.app.program.features import FEATURES
from latviz.app.program.keyboard import Keyboard
from latviz.app.program.news import News
from latviz.app.program.tabs import Tabs
from latviz.app.shell.banner import Banner
from latviz.app.shell.feature import Parts
from latviz.app.shell.menus import Menus
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.views.registry import Views
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.steady import Steady

SIZE = (1280, 800)
_GAP = 40
"""Between the menus and the tabs."""


class MainWindow(QMainWindow):
    """The program's window; ``parts`` holds its parts by class, as in ``window.parts[Opener]``."""

    # Without ``settings`` nothing is stored between runs. ``theme`` forces "light" or "dark";
    # ``use`` is the name of the first tab, one of `USES`. ``patient`` is the document's; its
    # pictures are few, so the worker is sparing, too

    def __init__(
        self,
        settings: Settings | None = None,
        theme: str = "",
        *,
        use: str = "inspect",
        patient: bool = False,
    ) -> None:
        settings = settings or Settings(lasting=False)
        themes.restyle(theme_of(settings, theme))
        super().__init__()
        self._set_up()
        self.settings = settings
        self.worker = Worker(sparing=patient)
        self.document = Document(
            self.worker, self, needs=lambda state: self.parts[Views].needs(state), patient=patient
        )
        self.status, self.banner, self.docks = StatusLine(), Banner(), Docks()
        self.shell = Shell(self, self.status, self.banner)
        self.parts = Parts(FEATURES)
        self.parts.add(self.settings, self.worker, self.document, self.status, self.banner)
        self.parts.add(self.shell, self.docks, themes.WindowRules(self))
        self.parts[News].left_out += wings.load("features", type, self.parts.join)
        self._features = tuple(self.parts.features())
        self.tabs, self.controls = self.parts[Tabs], self.parts[Tabs].controls
        self.views, self.specs = self.parts[Views].views, self.parts[Views].specs
        self._lay_out()
        self.menus = Menus(self, chain(*(feature.menu_items() for feature in self._features)))
        self.parts.add(self.menus)
        for feature in self._features:
            feature.connect(self.parts)
        self.tabs.begin(use, theme)
        self.parts[Keyboard].begin()
        self.setFocus()  # so that the focus ring is hidden until a key is pressed
        QTimer.singleShot(0, self.worker.start)  # after the window was painted

    def _set_up(self) -> None:
        self._may_close = False
        self.setObjectName("latviz")
        self.setWindowTitle("latviz")
        self.setAcceptDrops(True)
        fit(self, SIZE)

    def menuBar(self) -> QMenuBar:
        """Return the menus, which are above the banners and bars."""
        return self._menu_bar

    def _lay_out(self) -> None:
        """Place banners and bars below the menus, in their own space; they cover nothing."""
        self._menu_bar, top = QMenuBar(), QWidget()
        self._menu_bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        title = layouts.row((self._menu_bar, 0, Qt.AlignmentFlag.AlignVCenter), spacing=0)
        title.addSpacing(_GAP)
        title.addWidget(self.tabs.bar, 1)
        found = (feature.bar_below_menus() for feature in self._features)
        bars = (bar for bar in found if bar is not None)
        layouts.column(title, self.banner, *bars, of=top, spacing=0)
        self.setMenuWidget(top)
        status_bar = self.statusBar()
        assert status_bar is not None
        status_bar.setSizeGripEnabled(False)
        status_bar.addWidget(Steady(self.status), 1)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Click the focused button by Enter."""
        if event is not None and not keys.clicks_button(event):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept image files and images."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and (data.hasUrls() or data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open dropped files."""
        if event is not None and self.parts[Opener].drop(event.mimeData()):
            event.acceptProposedAction()

    def close_now(self) -> None:
        """Close without asking."""
        self._may_close = True
        self.close()

    def _agreed(self) -> bool:
        """Return True if no feature has to ask the user before the window closes."""
        return all(feature.may_close(self.close_now) for feature in self._features)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Store the layout and end the threads; if a session has changes, ask first."""
        if event is not None and not self._may_close and not self._agreed():
            event.ignore()
            return
        self._may_close = True
        self.parts[Exporter].draw_rest()
        if not self.isHidden():  # else it was closed before
            self.tabs.save()
        self.hide()
        for feature in self._features:
            feature.close()
        self.settings.finish()
        self.worker.stop()
        super().closeEvent(event)
