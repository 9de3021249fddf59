"""Images of classes as small pictures: those of a class on its shelf, those of a cell in a list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from PyQt6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QRect, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPixmap
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
from latviz.app.gallery.strip import ShelfStrip
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import LIGHT, Theme, to_colors
from latviz.app.widgets import keys
from latviz.app.widgets.chip import CHIP, chip
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.core import digits
from latviz.core.data.label_names import in_order
from latviz.engine.pictures.shelf import Entry
from latviz.engine.settings.palette import state_colors

PICTURES = Qt.ItemDataRole.UserRole + 11
ON_SHELF = 4
"""Small pictures of a class on its shelf."""
_SIDE, _GAP = 46, 4


def class_colors(names: Sequence[str]) -> list[QColor]:
    """Return the colour of each class, the same everywhere."""
    order = in_order(names)
    return to_colors(state_colors(tuple(order.index(name) for name in names))) if names else []


@dataclass(frozen=True)
class ListedImage:
    """An image in the list: its kind, and its posteriors if it was classified."""

    index: int
    entry: Entry
    label: str
    told: str = ""
    posteriors: tuple[float, ...] = ()

    def in_words(self, classes: Sequence[str]) -> str:
        """Return its class and the predicted one, a line each."""
        lines = [f"{self.entry.name}: {self.label}"]
        if self.told:
            lines.append(f"classified as {self.told}")
        lines += [
            f"P({name}) = {digits.probability(value)}"
            for name, value in zip(classes, self.posteriors, strict=False)
        ]
        return "\n".join(lines)


class ImagesModel(TableModel[ListedImage]):
    """Some images of the data set, a row each."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self._shown: int | None = None
        thumbnails.changed.connect(self._show_entry)

    def show_rows(self, rows: list[ListedImage], classes: Sequence[str]) -> None:
        """Show other images, each with its name, thumbnail, posteriors and the rest."""
        colors = class_colors(classes)
        cells: dict[int, Callable[[ListedImage], Any]] = {
            Role.DecorationRole: lambda row: self._thumbnails.of(row.entry),
            Role.ToolTipRole: lambda row: as_tip(row.in_words(classes)),
            Role.AccessibleTextRole: lambda row: row.in_words(classes).replace("\n", ", "),
            SHOWN: lambda row: row.index == self._shown,
            REASON: lambda row: self._thumbnails.failures.get(row.entry.path, ""),
            SHARES: lambda row: tuple(zip(colors, row.posteriors, strict=False)),
        }
        self.show_items(rows, [Column("", lambda row: row.entry.name, cells=cells)])

    def show_shown(self, index: int | None) -> None:
        """Frame the inspected image."""
        self._shown = index
        self.repaint_all()

    def _show_entry(self, entry: Entry) -> None:
        self.repaint(*(row for row in self.items if row.entry == entry))


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


class ChosenList(QListView):
    """A list where a click or Enter chooses an item, drawn in the colours of a theme."""

    drawn: "ImageDelegate | ShelvesDelegate"

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Choose the item that has the keyboard, with Enter."""
        if keys.is_enter(event) and self.currentIndex().isValid():
            self.clicked.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.drawn.theme = theme
        viewport = self.viewport()
        assert viewport is not None
        viewport.update()


class ImageStrip(ChosenList, ShelfStrip):
    """The images of a cell or of a class; a click or Enter inspects one."""

    wanted = pyqtSignal(int)  # index of the image among those of the data set

    def __init__(self, thumbnails: Thumbnails) -> None:
        self.drawn = ImageDelegate()
        super().__init__(self.drawn)
        self.images = ImagesModel(thumbnails)
        self.setModel(self.images)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAccessibleName("Images")
        self.setAccessibleDescription(keyed("Arrow keys move between images, `Enter` shows one."))
        self.setMinimumHeight(self.room.height() + 16)
        self.clicked.connect(lambda at: self.wanted.emit(self.images.items[at.row()].index))


class ClassShelf(NamedTuple):
    """A class: its name, its number of images, and some of them."""

    name: str
    n_images: int
    some: tuple[Entry, ...]

    def in_words(self) -> str:
        """Return its name and its number of images."""
        return f"{self.name}: {self.n_images:,} {'image' if self.n_images == 1 else 'images'}"


class ShelvesModel(TableModel[ClassShelf]):
    """A row for each class."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        thumbnails.changed.connect(self._show_entry)
        self._colors: dict[str, QColor] = {}
        cells: dict[int, Callable[[ClassShelf], Any]] = {
            PICTURES: lambda shelf: [thumbnails.of(entry) for entry in shelf.some],
            Role.DecorationRole: lambda shelf: chip(self._colors[shelf.name]),
        }
        self._column = Column("", ClassShelf.in_words, cells=cells)

    def show_data(self, data: "collection.classes.ClassSet | None") -> None:
        """Show the classes of a data set, with images evenly over each."""
        shelves, names = [], [] if data is None else list(data.classes)
        self._colors = dict(zip(names, class_colors(names), strict=True))
        for name, own in ({} if data is None else data.classes).items():
            assert data is not None
            n = min(ON_SHELF, len(own))
            some = tuple(data.entries[own[k * len(own) // n]] for k in range(n))
            shelves.append(ClassShelf(name, len(own), some))
        self.show_items(shelves, [self._column])

    def _show_entry(self, entry: Entry) -> None:
        self.repaint(*(shelf for shelf in self.items if entry in shelf.some))


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
        mark: QIcon = index.data(Role.DecorationRole)
        mark.paint(painter, inner.left(), inner.top() + (line - CHIP) // 2, CHIP, CHIP)
        room = QRect(inner.left(), inner.top(), inner.width(), line)
        room.setLeft(room.left() + CHIP + _GAP)
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


class Shelves(ChosenList):
    """The classes of the data set; a click or Enter lists the images of one."""

    wanted = pyqtSignal(str)  # the class whose images to list

    def __init__(self, thumbnails: Thumbnails) -> None:
        super().__init__()
        self.shelves, self.drawn = ShelvesModel(thumbnails), ShelvesDelegate()
        self.setModel(self.shelves)
        self.setItemDelegate(self.drawn)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Classes")
        self.setAccessibleDescription(
            keyed("Arrow keys move between classes, `Enter` lists the images.")
        )
        self.setMinimumHeight(90)
        self.clicked.connect(lambda at: self.wanted.emit(self.shelves.items[at.row()].name))
