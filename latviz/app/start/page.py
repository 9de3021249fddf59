"""The start page itself: a place to drop files, demos, lessons, and recent files."""

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QPixmap, QResizeEvent
from PyQt6.QtWidgets import (
    QCommandLinkButton,
    QFrame,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from latviz.app.docking.docks import scrolled
from latviz.app.look.theme import on_panel
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button
from latviz.app.widgets.shortcuts import MAIN, demo_keys, keyed, with_keys
from latviz.app.widgets.title_controls import muted
from latviz.engine.pictures.demo_titles import DEMO_TITLES

MARGIN = 28
LINK_ICON = 40
_TITLE, _HEADING = 1.7, 1.15
"""Sizes of text, by the usual one."""
DROP = "Drop a picture, a sequence, a volume or a session here"


PICTURE = 64
"""The side of a small picture, in pixels."""
CAPTION = 18
"""Letters in a line of a caption, approximately: longer ones continue in the next line."""
GAP = 8


def tile(text: str, tip: str) -> QToolButton:
    """Return a button with room for a small picture, and below it all of its caption."""
    button = QToolButton()
    button.setObjectName("tile")
    button.setText(textwrap.fill(text, CAPTION))
    button.setAccessibleName(text)
    button.setToolTip(tip)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
    button.setIconSize(QSize(PICTURE, PICTURE))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    blank = QPixmap(PICTURE, PICTURE)
    blank.fill(Qt.GlobalColor.transparent)
    button.setIcon(QIcon(blank))
    return button


class Tiles(QWidget):
    """Buttons in a grid, which has as many columns as there is room for."""

    def __init__(self, buttons: Iterable[QWidget]) -> None:
        super().__init__()
        self._buttons, self._columns = list(buttons), 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._arrange(len(self._buttons))

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of one button."""
        widest = max(button.sizeHint().width() for button in self._buttons)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the buttons again."""
        super().resizeEvent(event)
        widest = max(button.sizeHint().width() for button in self._buttons)
        room = (self.width() + GAP) // (widest + GAP)
        self._arrange(min(max(1, room), len(self._buttons)))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for k, each in enumerate(self._buttons):
            self._grid.addWidget(each, *divmod(k, columns))


@dataclass(frozen=True)
class Link:
    """A line that can be clicked: its text, the text below it, its tip, and its command."""

    text: str
    below: str
    tip: str
    run: Callable[[], object]
    picture: QPixmap | None = None


class StartPage(QFrame):
    """The pictures that can be opened."""

    open_wanted = pyqtSignal()
    paste_wanted = pyqtSignal()
    close_wanted = pyqtSignal()
    demo_wanted = pyqtSignal(str)  # str: the name of a demo
    filled = pyqtSignal()  # the links changed

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        on_panel(self)
        self.setAccessibleName("Start page")
        self.title = QLabel("Open a picture to begin")
        self.back = button("Back to the picture", keyed("Hide this page (`Esc`)"))
        self.open_button = button("Open…", with_keys("Choose a file", MAIN["Open"]))
        self.paste_button = button(
            "Paste", with_keys("Open the image on the clipboard", MAIN["Paste image"])
        )
        self.demos = {
            name: tile(
                title, with_keys("Open this demo, whose true states are known", demo_keys(k))
            )
            for k, (name, title) in enumerate(DEMO_TITLES.items(), start=1)
        }
        self.headings = [QLabel("Demos"), QLabel("What was open last"), QLabel("Lessons")]
        self.recent, self.lessons = layouts.column(spacing=0), layouts.column(spacing=0)
        for part, signal in (
            (self.back, self.close_wanted),
            (self.open_button, self.open_wanted),
            (self.paste_button, self.paste_wanted),
        ):
            part.clicked.connect(signal)
        for name, demo in self.demos.items():
            demo.clicked.connect(partial(self.demo_wanted.emit, name))
        self._lay_out()
        self._fit_fonts()
        self.hide()

    def _lay_out(self) -> None:
        content = QWidget()
        head = layouts.row((self.title, 1), self.back)
        columns = layouts.row(spacing=MARGIN)
        for heading, links in zip(self.headings[1:], (self.recent, self.lessons), strict=True):
            columns.addLayout(layouts.column(heading, links, 1, spacing=GAP), 1)
        above = (head, self._drop_zone(), self.headings[0], Tiles(self.demos.values()))
        margins = (MARGIN, MARGIN // 2, MARGIN, MARGIN // 2)
        layouts.column(*above, columns, 1, of=content, margins=margins, spacing=GAP)
        layouts.column(scrolled(content), of=self)

    def _drop_zone(self) -> QFrame:
        zone = QFrame()
        zone.setObjectName("drop-zone")
        parts = ((QLabel(DROP), 1), self.open_button, self.paste_button)
        layouts.row(*parts, of=zone, margins=(MARGIN, 18, MARGIN, 18))
        return zone

    def _fit_fonts(self) -> None:
        size = self.font().pointSizeF()
        self.title.setStyleSheet(f"font-size: {size * _TITLE:g}pt; font-weight: bold")
        for heading in self.headings:
            heading.setStyleSheet(f"font-size: {size * _HEADING:g}pt; font-weight: bold")

    def show_picture_of(self, demo: str, picture: QPixmap) -> None:
        """Show a small picture of a demo."""
        side = QSize(PICTURE, PICTURE)
        keep = Qt.AspectRatioMode.KeepAspectRatio
        self.demos[demo].setIcon(QIcon(picture.scaled(side, keep)))

    def show_links(self, links: QVBoxLayout, shown: Iterable[Link], nothing: str) -> None:
        """Fill `recent` or `lessons`; show ``nothing`` if there are no links."""
        while (item := links.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)
                old.deleteLater()
        for link in shown:
            links.addWidget(_linked(link))
        if not links.count():
            links.addWidget(muted(nothing))
        self.filled.emit()


def _linked(link: Link) -> QCommandLinkButton:
    button = QCommandLinkButton(link.text.replace("&", "&&"), link.below)
    button.setToolTip(link.tip)
    button.setAccessibleName(link.text)
    button.setAccessibleDescription(link.below)
    button.clicked.connect(lambda _=False: link.run())
    # Qt's own arrow is black in both themes.
    button.setIcon(QIcon() if link.picture is None else QIcon(link.picture))
    button.setIconSize(QSize(LINK_ICON, LINK_ICON))
    return button
