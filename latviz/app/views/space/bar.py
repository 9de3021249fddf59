"""The row above the signature space: the projection, and its share of the variance."""

import math
from dataclasses import replace

from PyQt6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QIcon, QPixmap, QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QComboBox, QLabel, QSizePolicy, QToolButton, QWidget

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.painting import draw_symbol, fitting, text_width
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.steady import Steady
from latviz.core import digits
from latviz.engine.geometry.signature_space import (
    FRONT,
    Projection,
    ProjectionKind,
    offered,
    shown_symbols,
)

TITLES: dict[ProjectionKind, tuple[str, str]] = {
    "polygon": (
        "Polygon",
        "The symbols are the corners, which you can drag; a signature is the mean of its symbols",
    ),
    "tetrahedron": (
        "Tetrahedron",
        keyed("Exact for four symbols. Drag to turn it, or press `Shift` and an arrow key"),
    ),
    "principal": ("Principal components", "The plane in which the signatures differ most"),
    "components": (
        "Three dimensions",
        keyed(
            "The space in which the signatures differ most: drag to turn it, or press `Shift` and "
            "an arrow key"
        ),
    ),
    "symbols": ("Three symbols", "Three symbols are the corners; all others are in the middle"),
}

_MARGIN = 6
_CHANGING_ROOM = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)
_BACK = {True: "Move the corners back to their places", False: "Turn back to the front"}


class Statement(QLabel):
    """A line of text, shortened to fit; the tool tip has the full text."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("",)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_texts(self, *texts: str) -> None:
        """Show the first text that fits."""
        self._texts = texts
        self.setMinimumWidth(math.ceil(text_width(self.font(), texts[-1])) + 2)
        self.setToolTip(texts[0])
        self._shorten()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Choose the text for the new width."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        self.setText(fitting(self.font(), self.width(), *self._texts))


class ProjectionBar(QWidget):
    """Chooses a projection and shows its share of the variance."""

    changed = pyqtSignal(object)  # Projection that the user chose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.projection = Projection()
        self._shown = self.projection.symbols
        self._symbols: tuple[tuple[str, str], ...] = ()
        self._discrete = True
        self._theme = LIGHT
        self.kind = QComboBox()
        self.kind.setAccessibleName("Projection")
        self.kind.setToolTip("How signatures are drawn on the plane")
        self.back = QToolButton()
        self.back.setText("Put back")
        self.back.setToolTip(_BACK[False])
        self.corners = [_corner_box(k) for k in range(3)]
        self.statement = Statement()
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._statement_row, self._corner_row = QWidget(), QWidget()
        self._lay_out()
        self._connect_signals()
        self.show_projection(self.projection)

    @property
    def drawn(self) -> ProjectionKind | None:
        """The kind that is drawn."""
        return self.projection.drawn(len(self._symbols), self._discrete)

    def show_projection(self, projection: Projection) -> None:
        """Set the controls; nothing is emitted."""
        self.projection = projection
        drawn = self.drawn
        if drawn is None:
            return
        with QSignalBlocker(self.kind):
            self.kind.setCurrentIndex(self.kind.findData(drawn))
        if drawn == "symbols":
            self._show_corners()
        self.kind.setToolTip(TITLES[drawn][1])
        self._corner_row.setVisible(drawn == "symbols")
        moved = drawn == "polygon" and bool(projection.moved_corners(len(self._symbols)))
        solid = drawn in ("tetrahedron", "components")
        turned = solid and projection.turn != FRONT
        self.back.setVisible(moved or turned)
        self.back.setToolTip(_BACK[moved])

    def show_symbols(
        self, names: tuple[str, ...], colors: list[QColor], discrete: bool = True
    ) -> None:
        """Offer the projections of these symbols, or channels."""
        symbols = tuple((name, color.name()) for name, color in zip(names, colors, strict=True))
        if (symbols, discrete) != (self._symbols, self._discrete):
            self._symbols, self._discrete = symbols, discrete
            self._fill()
            self.show_projection(self.projection)

    def show_as_text(self) -> None:
        """Show the projection as text in a figure, without controls."""
        if self.drawn is None:
            return
        kind = QLabel(TITLES[self.drawn][0])
        kind.setStyleSheet(self.statement.styleSheet())
        self._rows.insertWidget(0, kind)
        kind.show()
        for part in (self.kind, self.back, self._corner_row):
            part.hide()
        self.statement.setMinimumWidth(0)

    def show_variance(self, share: float, of_all: float | None = None) -> None:
        """Show the plane's share of the signatures' variance.

        ``of_all`` is the share of the three dimensions, of which it shows one side.
        """
        text = digits.share(share)
        texts = f"shows {text} of the variance", f"{text} of the variance", text
        if of_all is not None:
            side = f"this side shows {text}"
            texts = (
                f"{digits.share(of_all)} of the variance, {side}",
                f"{side} of the variance",
                text,
            )
        self.statement.show_texts(*texts)

    def draw_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.statement.setStyleSheet(f"color: {theme.muted}; background: transparent;")
        self._fill()
        self.show_projection(self.projection)

    def _lay_out(self) -> None:
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kind.setMinimumContentsLength(6)
        layouts.row((Steady(self.statement), 1), self.back, of=self._statement_row)
        self._rows.addWidget(self.kind)
        self._rows.addWidget(self._statement_row, 1)
        self._rows.setSpacing(4)
        layouts.row(*((box, 1) for box in self.corners), of=self._corner_row)
        layouts.column(
            self._rows, self._corner_row, of=self, margins=(_MARGIN, _MARGIN, _MARGIN, 0), spacing=4
        )

    def event(self, event: QEvent | None) -> bool:
        """Move the parts next to the projection's name below it if both do not fit."""
        if event is not None and event.type() in _CHANGING_ROOM:
            both = self.kind.sizeHint().width() + self._statement_row.minimumSizeHint().width()
            fits = both + self._rows.spacing() <= self.contentsRect().width() - 2 * _MARGIN
            across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
            self._rows.setDirection(across if fits else down)
        return super().event(event)

    def _connect_signals(self) -> None:
        self.kind.currentIndexChanged.connect(self._choose_kind)
        self.back.clicked.connect(self._put_back)
        for place, box in enumerate(self.corners):
            box.currentIndexChanged.connect(lambda symbol, k=place: self._choose_symbol(k, symbol))

    def _choose_kind(self, index: int) -> None:
        self.choose(replace(self.projection, kind=self.kind.itemData(index)))

    def _put_back(self) -> None:
        if self.drawn == "polygon":
            self.choose(replace(self.projection, corners=None))
        else:
            self.choose(replace(self.projection, turn=FRONT))

    def _choose_symbol(self, place: int, symbol: int) -> None:
        """Take a symbol; the place that had it takes the one that this place had."""
        symbols = list(self._shown)
        if symbol in symbols:
            symbols[symbols.index(symbol)] = symbols[place]
        symbols[place] = symbol
        chosen = symbols[0], symbols[1], symbols[2]
        self.choose(replace(self.projection, kind="symbols", symbols=chosen))

    def choose(self, projection: Projection) -> None:
        """Choose a projection, as the user would."""
        self.show_projection(projection)
        self.changed.emit(projection)

    def _show_corners(self) -> None:
        self._shown = shown_symbols(self.projection, len(self._symbols))
        for place, (box, symbol) in enumerate(zip(self.corners, self._shown, strict=True)):
            with QSignalBlocker(box):
                box.setCurrentIndex(symbol)
            # All of its name, which the box may have no room for.
            box.setToolTip(f"{_corner_tip(place)}: {box.currentText()}")

    def _fill(self) -> None:
        with QSignalBlocker(self.kind):
            self.kind.clear()
            for index, kind in enumerate(offered(len(self._symbols), self._discrete)):
                self.kind.addItem(TITLES[kind][0], kind)
                self.kind.setItemData(index, TITLES[kind][1], Qt.ItemDataRole.ToolTipRole)
        for box in self.corners:
            with QSignalBlocker(box):
                box.clear()
                for name, code in self._symbols:
                    box.addItem(swatch_icon(QColor(code), self._theme), name)


def _corner_tip(place: int) -> str:
    return f"Symbol at the {('bottom left', 'bottom right', 'top')[place]} of the triangle"


def _corner_box(place: int) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(_corner_tip(place))
    box.setToolTip(_corner_tip(place))
    box.setIconSize(QSize(12, 12))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(3)
    return box


def swatch_icon(color: QColor, theme: Theme) -> QIcon:
    """Return a symbol's mark in a colour."""
    pixmap = QPixmap(24, 24)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting_on(pixmap) as painter:
        draw_symbol(painter, QRectF(1, 1, 10, 10), color, theme)
    return QIcon(pixmap)
