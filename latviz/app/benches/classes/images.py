"""Images of classes as small pictures: those of a class on its shelf, those of a cell in a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PyQt6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QRect,
    QSize,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import QKeyEvent, QPainter, QPixmap
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from latviz import collection
from latviz.app.gallery.delegate import REASON, SHARES, SHOWN, ShelfDelegate
from latviz.app.gallery.strip import Strip
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import keys
from latviz.app.widgets.elided import as_tip
from latviz.engine.pictures.shelf import Entry
from latviz.engine.settings.palette import state_colors

CLASS = Qt.ItemDataRole.UserRole + 10
PICTURES = Qt.ItemDataRole.UserRole + 11
ON_SHELF = 4
"""Small pictures of a class on its shelf."""
_SIDE, _GAP = 46, 4


def class_colors(n: int) -> list[int]:
    """Return the colour of each class, as 0xrrggbb."""
    rows = state_colors(tuple(range(n))).tolist() if n else []
    return [(red << 16) + (green << 8) + blue for red, green, blue in rows]


@dataclass(frozen=True)
class Listed:
    """An image in the list: what it is, and its posteriors if it was classified."""

    index: int
    entry: Entry
    label: str
    told: str = ""
    posteriors: tuple[float, ...] = ()

    def in_words(self, classes: Sequence[str]) -> str:
        """Return what it is and what it is taken for, a line each."""
        lines = [f"{self.entry.name}: {self.label}"]
        if self.told:
            lines.append(f"taken for {self.told}")
        lines += [
            f"P({name}) = {value:.3f}"
            for name, value in zip(classes, self.posteriors, strict=False)
        ]
        return "\n".join(lines)


class ImagesModel(QAbstractListModel):
    """Some images of the data set, a row each."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self.rows: list[Listed] = []
        self._places: dict[Entry, int] = {}
        self._classes: list[str] = []
        self._shown: int | None = None
        thumbnails.changed.connect(self._show_entry)

    def show_rows(self, rows: list[Listed], classes: Sequence[str]) -> None:
        """Show other images."""
        self.beginResetModel()
        self.rows, self._classes = rows, list(classes)
        self._places = {row.entry: k for k, row in enumerate(rows)}
        self.endResetModel()

    def show_shown(self, index: int | None) -> None:
        """Frame the image that is looked at."""
        self._shown = index
        self._show_all()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of images."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return an image's name, small picture, posteriors and the rest."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.entry.name
            case Qt.ItemDataRole.DecorationRole:
                return self._thumbnails.of(row.entry)
            case Qt.ItemDataRole.ToolTipRole:
                return as_tip(row.in_words(self._classes))
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.in_words(self._classes).replace("\n", ", ")
            case _ if role == SHOWN:
                return row.index == self._shown
            case _ if role == REASON:
                return self._thumbnails.failures.get(row.entry.path, "")
            case _ if role == SHARES:
                colors = class_colors(len(row.posteriors))
                return tuple(zip(colors, row.posteriors, strict=True))
        return None

    def _show_entry(self, entry: Entry) -> None:
        place = self._places.get(entry)
        if place is not None:
            self.dataChanged.emit(self.index(place), self.index(place))

    def _show_all(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))


class ImageDelegate(ShelfDelegate):
    """Draws an image with its posteriors as a bar; there is nothing to tick."""

    def editorEvent(
        self,
        _event: QEvent | None,
        _model: QAbstractItemModel | None,
        _option: QStyleOptionViewItem,
        _index: QModelIndex,
    ) -> bool:
        """Leave clicks and keys to the list."""
        return False

    def _draw_tick(self, *_: Any) -> None:
        """Draw none."""


class ImageStrip(Strip):
    """The images of a cell or of a class; a click or Enter looks at one.

    Signals
    -------
    wanted(int)
        The image to look at, as an index into those of the data set.
    """

    wanted = pyqtSignal(int)

    def __init__(self, thumbnails: Thumbnails) -> None:
        self.drawn = ImageDelegate()
        super().__init__(self.drawn)
        self.images = ImagesModel(thumbnails)
        self.setModel(self.images)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAccessibleName("Images")
        self.setAccessibleDescription("Arrow keys go over the images, Enter looks at one.")
        self.setMinimumHeight(self.room.height() + 16)
        self.clicked.connect(self._want)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Look at the image that is chosen, with Enter."""
        if event is not None and keys.is_enter(event) and self.currentIndex().isValid():
            self._want(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _want(self, index: QModelIndex) -> None:
        self.wanted.emit(self.images.rows[index.row()].index)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.drawn.theme = theme
        viewport = self.viewport()
        assert viewport is not None
        viewport.update()


class ShelvesModel(QAbstractListModel):
    """A row for each class: its name, how many images it has, and some of them."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self.classes: list[tuple[str, int, tuple[Entry, ...]]] = []
        thumbnails.changed.connect(self._show_entry)

    def show_data(self, data: "collection.classes.ClassSet | None") -> None:
        """Show the classes of a data set, with images evenly over each."""
        self.beginResetModel()
        self.classes = []
        for name, own in ({} if data is None else data.classes).items():
            assert data is not None
            n = min(ON_SHELF, len(own))
            some = tuple(data.entries[own[k * len(own) // n]] for k in range(n))
            self.classes.append((name, len(own), some))
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of classes."""
        return 0 if parent is not None and parent.isValid() else len(self.classes)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a class is called, how many images it has, and their small pictures."""
        if not index.isValid():
            return None
        name, n, some = self.classes[index.row()]
        text = f"{name}: {n:,} {'image' if n == 1 else 'images'}"
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return text
            case Qt.ItemDataRole.ToolTipRole:
                return as_tip(text)
            case _ if role == CLASS:
                return name
            case _ if role == PICTURES:
                return [self._thumbnails.of(entry) for entry in some]
        return None

    def _show_entry(self, entry: Entry) -> None:
        for k, (_, _, some) in enumerate(self.classes):
            if entry in some:
                self.dataChanged.emit(self.index(k), self.index(k))


class ShelvesDelegate(QStyledItemDelegate):
    """Draws a class as a line of text and a row of small pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return the size of a class."""
        wide = ON_SHELF * (_SIDE + _GAP) + 2 * _GAP
        return QSize(wide, _SIDE + option.fontMetrics.height() + 4 * _GAP)

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw a class."""
        if painter is None:
            return
        painter.save()
        inner = option.rect.adjusted(_GAP, _GAP // 2, -_GAP, -_GAP // 2)
        if option.state & QStyle.StateFlag.State_Selected:
            ground = self.theme.color("accent")
            ground.setAlpha(45)
            painter.fillRect(option.rect, ground)
        line = option.fontMetrics.height()
        room = QRect(inner.left(), inner.top(), inner.width(), line)
        text = option.fontMetrics.elidedText(
            str(index.data()), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.setPen(self.theme.color("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft, text)
        for k, picture in enumerate(index.data(PICTURES) or ()):
            place = QRect(inner.left() + k * (_SIDE + _GAP), room.bottom() + _GAP, _SIDE, _SIDE)
            self._draw(painter, place, picture)
        painter.restore()

    def _draw(self, painter: QPainter, place: QRect, picture: QPixmap | None) -> None:
        """Draw a small picture, cut to a square, or an empty room."""
        if picture is None:
            painter.setPen(self.theme.pen("line", 1))
            painter.drawRect(place.adjusted(0, 0, -1, -1))
            return
        side = min(picture.width(), picture.height())
        part = QRect(0, 0, side, side)
        part.moveCenter(picture.rect().center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(place, picture, part)


class Shelves(QListView):
    """The classes of the data set; a click or Enter lists the images of one.

    Signals
    -------
    wanted(str)
        The class whose images to list.
    """

    wanted = pyqtSignal(str)

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        self.shelves, self.drawn = ShelvesModel(thumbnails), ShelvesDelegate()
        self.setModel(self.shelves)
        self.setItemDelegate(self.drawn)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Classes")
        self.setAccessibleDescription("Arrow keys go over the classes, Enter lists the images.")
        self.setMinimumHeight(90)
        self.clicked.connect(self._want)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """List the images of the class that is chosen, with Enter."""
        if event is not None and keys.is_enter(event) and self.currentIndex().isValid():
            self._want(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _want(self, index: QModelIndex) -> None:
        self.wanted.emit(index.data(CLASS))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.drawn.theme = theme
        viewport = self.viewport()
        assert viewport is not None
        viewport.update()
