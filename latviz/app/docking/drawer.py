"""Tabs of docks opened on request, over the layout's own docks."""

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QToolButton, QWidget

from latviz.app.docking.docks import Dock, scrolled
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import cross

RIGHT = QTabBar.ButtonPosition.RightSide
SHOWN_OR_HIDDEN = {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}
"""Events when a widget itself, not its container, is shown or hidden."""

LOW = 40
"""So high is the room below the tabs at least, in pixels."""


class DrawerTabs(QFrame):
    """A line of tabs with the controls of the dock in front, and that dock below."""

    close_wanted = pyqtSignal(str)  # str: the name of a dock
    turned = pyqtSignal()  # another dock is in front

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("drawer")
        self.bar, self._headers, self._pages = QTabBar(), QStackedWidget(), QStackedWidget()
        self.bar.setObjectName("drawer-tabs")
        self.bar.setAccessibleName("Opened views")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        self.bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in self.bar.findChildren(QToolButton):  # Qt's own, which scroll
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._docks: list[Dock | None] = []  # in the order of tabs; None is the base
        self._base: QWidget | None = None
        self._line = QWidget()
        layouts.row((self.bar, 1), self._headers, of=self._line, margins=(6, 0, 4, 0), spacing=4)
        layouts.column(self._line, (self._pages, 1), of=self, spacing=0)
        self.bar.currentChanged.connect(self._turn)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Leave no empty room when all of the base is hidden."""
        if event is not None and event.type() in SHOWN_OR_HIDDEN:
            self._show_line()
        return super().eventFilter(watched, event)

    @property
    def names(self) -> list[str]:
        """The docks in it, in the order of their tabs."""
        return [dock.name for dock in self._docks if dock is not None]

    @property
    def current(self) -> str:
        """The dock in front; "" for the layout's own content."""
        dock = self._docks[self.bar.currentIndex()] if self._docks else None
        return "" if dock is None else dock.name

    def drop_base(self) -> None:
        """Remove the layout's own content, after all docks have left."""
        self._base = None
        if self._docks:
            self._remove(0)
        self._show_line()

    def page_of_base(self, title: str) -> QWidget:
        """Return a page for the layout's own content, in the first tab."""
        page = QWidget()  # the stack shows and hides pages, and content controls itself
        self._insert(0, None, title, page, QWidget())
        return page

    def set_base(self, base: QWidget) -> None:
        """Set the layout's own content, which fills its page."""
        self._base = base
        base.installEventFilter(self)
        layouts.column((base, 1), of=base.parentWidget(), spacing=0)
        self._show_line()

    def add(self, dock: Dock) -> None:
        """Add a dock as the last tab; `raise_dock` brings it to the front."""
        self._insert(len(self._docks), dock, dock.heading, dock, dock.take_header())
        dock.headed.connect(self._show_titles)
        button = cross(f"Close {dock.title}", f"Close {dock.title}")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its menu entry and Esc are for keys
        button.clicked.connect(lambda: self.close_wanted.emit(dock.name))
        self.bar.setTabButton(len(self._docks) - 1, RIGHT, button)
        self._show_crosses()
        dock.show()
        self._show_line()

    def _show_titles(self) -> None:
        for k, dock in enumerate(self._docks):
            if dock is not None:
                self.bar.setTabText(k, dock.heading)

    def take(self, dock: Dock) -> None:
        """Remove a dock, which gets its title back."""
        k = self._docks.index(dock)
        dock.headed.disconnect(self._show_titles)
        header = self._headers.widget(k)
        assert header is not None
        self._remove(k)
        dock.give_header(header)
        self._show_line()

    def raise_dock(self, dock: Dock) -> None:
        """Bring a dock to the front."""
        self.bar.setCurrentIndex(self._docks.index(dock))

    def show_base(self) -> None:
        """Bring the layout's own docks to the front, if there are any."""
        if self._base is not None:
            self.bar.setCurrentIndex(0)

    def _insert(
        self, k: int, dock: Dock | None, title: str, page: QWidget, header: QWidget
    ) -> None:
        self._docks.insert(k, dock)
        area = scrolled(page)  # pictures keep their room, for any height
        area.setMinimumHeight(LOW)
        self._pages.insertWidget(k, area)
        self._headers.insertWidget(k, header)
        self.bar.insertTab(k, title)
        self._turn(self.bar.currentIndex())

    def _remove(self, k: int) -> None:
        dock = self._docks.pop(k)
        area, header = self._pages.widget(k), self._headers.widget(k)
        assert isinstance(area, QScrollArea)
        assert header is not None
        self._headers.removeWidget(header)
        if dock is not None:
            area.takeWidget()  # the base goes with its area, once its docks are elsewhere
        self._pages.removeWidget(area)
        area.deleteLater()
        self.bar.removeTab(k)
        self._turn(self.bar.currentIndex())

    def _turn(self, k: int) -> None:
        if self._pages.count() == self._headers.count() == self.bar.count():
            self._pages.setCurrentIndex(k)
            self._headers.setCurrentIndex(k)
            self._show_crosses()
            self.turned.emit()

    def _show_crosses(self) -> None:
        """Show the cross for closing on the front tab only."""
        for k in range(self.bar.count()):
            if (button := self.bar.tabButton(k, RIGHT)) is not None:
                button.setVisible(k == self.bar.currentIndex())

    def _show_line(self) -> None:
        """Show tabs if a dock is open, and hide if everything is empty."""
        self._line.setVisible(bool(self.names))
        self.setVisible(bool(self.names) or (self._base is not None and not self._base.isHidden()))
