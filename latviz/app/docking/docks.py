"""Docks: a slim title over a view or a panel."""

from functools import lru_cache

from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QFont, QResizeEvent
from PyQt6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QScrollArea,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from latviz.app.look.theme import on_panel
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import ElidedLabel

LEAST_HEADING = 20
_TITLE_MARGIN = 2
QWIDGETSIZE_MAX = (1 << 24) - 1  # Qt's own, which PyQt does not export
_TITLE_LETTERS = 12
"""Letters of a title to show before controls next to it get names."""


class _Fitted(QVBoxLayout):
    """A column that fits into any height that its least one allows.

    Otherwise a scroll area would give wrapping texts their preferred height.
    """

    def hasHeightForWidth(self) -> bool:
        """Return False: no height follows from its width."""
        return False


class Dock(QFrame):
    """A view or a panel below a slim title, with the controls of its header.

    The action `toggle` shows and hides it; whoever lays docks out follows it.
    """

    appeared = pyqtSignal()  # it became visible or hidden
    headed = pyqtSignal(str)  # str: another text in the title

    def __init__(
        self,
        name: str,
        title: str,
        content: QWidget,
        header: QWidget | None,
        bare: bool = False,
        brief: str = "",
    ) -> None:
        super().__init__()
        self.setObjectName(f"dock-{name}")
        self.name, self.title, self.content, self.header = name, title, content, header
        self.heading = title  # what is shown; it may depend on the content
        self.bar, self._is_bare = TitleBar(title, header, brief), bare
        self.toggle = QAction(title, self)
        self.toggle.setCheckable(True)
        column = _Fitted(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        self.bar.setHidden(bare)  # only now: without a parent it would be shown as a window
        column.addWidget(on_panel(content), 1)

    def event(self, event: QEvent | None) -> bool:
        """Emit `appeared` when the dock or its container is shown or hidden."""
        if event is not None and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.appeared.emit()
        return super().event(event)

    def show_heading(self, text: str) -> None:
        """Show another text in the title; the menu keeps the title."""
        self.heading = text
        self.bar.show_title(text)
        self.headed.emit(text)

    def take_header(self) -> QWidget:
        """Hide the title, and return the controls in it."""
        self.bar.hide()
        return self.bar.take_header()

    def give_header(self, header: QWidget) -> None:
        """Show the title again, with its controls."""
        self.bar.give_header(header)
        self.bar.setHidden(self._is_bare)


class Docks(dict[str, Dock]):
    """The docks of a window by their names."""


_FONTS = 8  # fonts and themes whose heights are kept


class TitleBar(QFrame):
    """A title, and controls at its right."""

    def __init__(self, title: str, header: QWidget | None, brief: str = "") -> None:
        super().__init__()
        self.setObjectName("dock-title")
        self.heading, self._header = ElidedLabel(), header
        self.heading.setMinimumWidth(LEAST_HEADING)
        self.show_title(title, brief)
        margins = 10, _TITLE_MARGIN, 4, _TITLE_MARGIN
        layout = layouts.row((self.heading, 1), of=self, margins=margins, spacing=4)
        self._layout = layout
        if header is not None:
            layout.addWidget(header)
        layout.addStrut(0)
        item = layout.itemAt(layout.count() - 1)
        assert isinstance(item, QSpacerItem)
        self._strut = item
        self._fit_height()

    def show_title(self, title: str, brief: str = "") -> None:
        """Show a title; where it has no room, the brief one, or what is before its first dot."""
        self.heading.show_text(title, brief or title.partition(" · ")[0])

    def take_header(self) -> QWidget:
        """Return the controls, or an empty widget, for another place."""
        header, self._header = self._header or QWidget(), None
        self._layout.removeWidget(header)
        header.setMaximumWidth(QWIDGETSIZE_MAX)
        return header

    def give_header(self, header: QWidget) -> None:
        """Restore the controls."""
        self._header = header
        self._layout.insertWidget(1, header)
        header.show()

    def changeEvent(self, event: QEvent | None) -> None:
        """Measure the text again."""
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_height()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Share the room again."""
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent | None) -> bool:
        """Lay out again when the widgets next to the title need more room."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self._share_room()
        return super().event(event)

    def _share_room(self) -> None:
        """Give a short title its room first, as far as the widgets next to it can shrink."""
        if self._header is not None:
            margins = self._layout.contentsMargins()
            taken = margins.left() + margins.right() + self._layout.spacing()
            text = self.heading.fontMetrics()
            wanted = min(
                text.horizontalAdvance(self.heading.whole_text()) + 2,
                _TITLE_LETTERS * text.averageCharWidth(),
            )
            most = self.width() - taken - wanted
            least = self._header.minimumSizeHint().width()
            self._header.setMaximumWidth(max(most, least, 0))
            self._layout.activate()  # else the title would be cut until the next turn

    def _fit_height(self) -> None:
        """Keep the same height for any content, so that contents begin at one height.

        A layout queries the strut for it without Python, thousands of times when docks move.
        """
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        least = _highest(self.font(), application.styleSheet())
        self._strut.changeSize(0, least)
        self._layout.invalidate()


@lru_cache(_FONTS)
def _highest(font: QFont, _style_sheet: str) -> int:
    """Return the height of the tallest widget that a title may hold.

    All titles call it, several times, whenever the theme changes.
    """
    box = QComboBox()
    box.setFont(font)
    return box.sizeHint().height()


def scrolled(content: QWidget) -> QScrollArea:
    """Put a panel into a scroll area, for windows that are too low for it.

    Focusable widgets are in the panel; the area follows them.
    """
    area = _Scrolled()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(on_panel(content))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


class _Scrolled(QScrollArea):
    """An area that is as wide as its panel and its scroll bar need, in any style."""

    _asked = QSize()  # what it needed when the window was laid out again for it

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of both; in a drawer, which scrolls itself, for all of the height."""
        hint, bar, content = super().minimumSizeHint(), self.verticalScrollBar(), self.widget()
        if bar is None or content is None:
            return hint
        least = content.minimumSizeHint()
        height = least.height() if _is_in_area(self) else hint.height()
        return QSize(least.width() + bar.sizeHint().width(), height)

    def event(self, event: QEvent | None) -> bool:
        """Ask again if the panel needs another size, which most changes of a text do not."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            asked, self._asked = self._asked, self.minimumSizeHint()
            if self._asked != asked:
                self.updateGeometry()
        return super().event(event)


def _is_in_area(widget: QWidget) -> bool:
    holder = widget.parentWidget()
    while holder is not None and not isinstance(holder, QScrollArea):
        holder = holder.parentWidget()
    return holder is not None
