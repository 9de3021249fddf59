"""A strip of small pictures: settings that the user paused at, and other methods."""

from collections.abc import Sequence
from typing import Self

from PyQt6.QtCore import QMimeData, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from latviz.app.views.base import View
from latviz.app.views.tried.card import CardDelegate, height_of
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled
from latviz.engine.frames.thumbnail import thumbnail
from latviz.engine.keeping.trial import Trial, best_of, by_score, setting_of

INVITATION = "Settings that you pause at are kept here. Click one to return to it."
BEST, APART = "the best so far", "which cannot be compared with the others"
MARKS = {"": "{}", BEST: "★ {}", APART: "({})"}
"""The format of a score, by its rank."""
_SPLIT = "Click to compare it with the states on screen."
_TIP = "Click to return to it. Drag it onto another to compare them; it becomes the reference."


class TriedStrip(QListWidget):
    """The small pictures in a row; one of them can be dragged onto another."""

    dragged = pyqtSignal(int, int)  # one onto the other
    entered = pyqtSignal(int)  # by a click or Enter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.cards = CardDelegate()
        self.setItemDelegate(self.cards)
        self.setSpacing(2)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.LinkAction)
        self.itemClicked.connect(lambda item: self.entered.emit(self.row(item)))

    def supportedDropActions(self) -> Qt.DropAction:
        """Keep dragged items in place."""
        return Qt.DropAction.LinkAction

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        """Return empty data, because a dragged item has a meaning only here."""
        return super().mimeData(items) or QMimeData()

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept items dragged from here; files go to the window."""
        self._take(event)

    def dragMoveEvent(self, event: QDragMoveEvent | None) -> None:
        """Take it over another small picture."""
        self._take(event)

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Emit the dragged item and its target."""
        if event is None or event.source() is not self:
            return
        target = self.itemAt(event.position().toPoint())
        if target is not None and target is not self.currentItem():
            self.dragged.emit(self.currentRow(), self.row(target))
        event.setDropAction(Qt.DropAction.LinkAction)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Return to a trial with Enter."""
        if keys.is_enter(event) and self.currentRow() >= 0:
            self.entered.emit(self.currentRow())
        else:
            super().keyPressEvent(event)

    def _take(self, event: QDropEvent | None) -> None:
        if event is not None and event.source() is self:
            event.setDropAction(Qt.DropAction.LinkAction)
            event.accept()
        elif event is not None:
            event.ignore()


class TriedView(View):
    """The tried settings of the picture on screen, oldest or best first."""

    TITLE = "What you tried"
    COVERED = False
    SIZE = (600, 140)
    KEYS = keyed("Arrow keys move between the small pictures, `Enter` returns to one.")

    wanted = pyqtSignal(object)  # Trial to return to
    compared = pyqtSignal(object, object)  # Trial to be A, and to be B; None: the current one
    removed = pyqtSignal(object)  # Trial to forget
    split = pyqtSignal(object)  # Labelled to be A

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trials: Sequence[Trial] = ()
        self.labelled: tuple[Labelled, ...] = ()
        self._shown: tuple[Trial, ...] = ()
        self._content: tuple[Sequence[object], ...] = ()
        self.strip = TriedStrip()
        self.nothing = QLabel(INVITATION)
        self.nothing.setProperty("muted", True)
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layouts.column(self.strip, of=self)
        layouts.column(self.nothing, of=self.strip.viewport(), margins=None)
        self.take_keyboard(self.strip)
        self.strip.entered.connect(self._enter)
        self.strip.dragged.connect(self._drag)

    def _enter(self, k: int) -> None:
        """Use a setting, or compare with a method: those stand after all settings."""
        if k < len(self._shown):
            self.wanted.emit(self._shown[k])
        else:
            self.split.emit(self.labelled[k - len(self._shown)])

    def _drag(self, a: int, b: int) -> None:
        if max(a, b) < len(self._shown):
            self.compared.emit(self._shown[a], self._shown[b])

    def minimumSizeHint(self) -> QSize:
        """Ask for one small picture and its words."""
        return QSize(150, height_of(self.strip.fontMetrics()))

    @property
    def chosen_trial(self) -> Trial | None:
        """The trial that has the mark of the keyboard, or was clicked."""
        row = self.strip.currentRow()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def in_words(self, frame: Frame) -> str:
        """Return the number of trials, the current one, and the best."""
        if not (self.trials or self.labelled):
            return INVITATION
        parts = [f"{len(self.trials)} setting{'s' * (len(self.trials) != 1)} tried"]
        parts += [f"On screen: {_words(one)}" for one in self.trials if _is_of(one, frame)]
        best = best_of(by_score(self.trials, frame.request))
        parts += [f"Best: {best[0].name}, {best[0].score_text}"] if best else []
        parts += [f"{one.frame.by}: {one.details}" for one in self.labelled]
        return ". ".join(parts) + "."

    def show_labelled(self, labelled: Sequence[Labelled]) -> None:
        """Take what other methods found."""
        self.labelled = tuple(labelled)
        self._refresh()

    def show_trials(self, trials: Sequence[Trial]) -> None:
        """Take the trials."""
        self.trials = tuple(trials)
        self._refresh()

    def show_as_figure(self, shown: Self, scale: float) -> None:
        """Show the same trials, without a mark."""
        self.strip.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.trials, self.labelled = shown.trials, shown.labelled
        super().show_as_figure(shown, scale)

    def figure_size(self) -> QSize:
        """Return a size with room for all of them, in rows."""
        size, n = self.size(), self.strip.count()
        row = self.strip.sizeHintForRow(0) + 2 * self.strip.spacing()
        column = self.strip.sizeHintForColumn(0) + 2 * self.strip.spacing()
        in_a_row = max(1, size.width() // max(1, column))
        return QSize(size.width(), max(size.height(), row * -(-n // in_a_row)))

    def draw_theme(self) -> None:
        """Draw the cards with other colours."""
        self.strip.cards.theme = self.theme
        viewport = self.strip.viewport()
        assert viewport is not None
        viewport.update()

    def draw_frame(self) -> None:
        """Show the small pictures, and mark the current one."""
        assert self.frame is not None
        a, ranked = self.state.compared, by_score(self.trials, self.frame.request)
        best = best_of(ranked)
        others = [trial for trial in self.trials if trial not in ranked]
        self._shown = (*ranked, *others) if self.display.by_score else tuple(self.trials)
        decoded = None if a is None or a.by else setting_of(a.decoding)
        marked = [one for one in self._shown if setting_of(one) == decoded]
        self._fill(self._shown, ranked, best, marked)
        here = [k for k, trial in enumerate(self._shown) if _is_of(trial, self.frame)]
        self.strip.setCurrentRow(-1 if self.is_figure else next(iter(here), -1))
        self.strip.scrollToItem(self.strip.currentItem())

    def _fill(
        self,
        trials: Sequence[Trial],
        ranked: Sequence[Trial],
        best: Sequence[Trial],
        marked: Sequence[Trial],
    ) -> None:
        """Show trials, ranks, the best, A, and other methods, unless they are shown already."""
        by = "" if self.state.compared is None else self.state.compared.by
        content = trials, ranked, best, marked, self.labelled, [by]
        if content == self._content:
            return
        self._content = content
        self.nothing.setVisible(not (trials or self.labelled))
        with QSignalBlocker(self.strip):
            self.strip.clear()
            for one in trials:
                place = BEST if one in best else "" if one in ranked else APART
                self.strip.addItem(_item(one, place, is_a=one in marked))
            for found in self.labelled:
                self.strip.addItem(_item_of(found, self.state.slice, is_a=found.frame.by == by))


def _is_of(trial: Trial, frame: Frame) -> bool:
    return setting_of(trial) == setting_of(frame.request)


def _item(trial: Trial, place: str, *, is_a: bool) -> QListWidgetItem:
    """Return the strip's item for a trial, with its rank in words."""
    score = MARKS[place].format(trial.score) if trial.score else "No score yet"
    text = f"{'A: ' if is_a else ''}{trial.name}\n{score}"
    item = QListWidgetItem(text)
    item.setData(Qt.ItemDataRole.DecorationRole, pixmap_of(trial.drawn))
    rank = f", {place}" if place and trial.score else ""
    item.setToolTip(f"{trial.name}, {trial.way}: {trial.score_text}{rank}. {_TIP}")
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{_words(trial)}{rank}")
    return item


def _item_of(found: Labelled, slice_: int, *, is_a: bool) -> QListWidgetItem:
    """Return the strip's item for a method."""
    frame = found.frame
    item = QListWidgetItem(f"{'A: ' if is_a else ''}{frame.by}\n{found.score}")
    drawn = thumbnail(frame.request.picture, slice_, frame)
    item.setData(Qt.ItemDataRole.DecorationRole, pixmap_of(drawn))
    item.setToolTip(f"{frame.by}: {found.details}. {_SPLIT}")
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{frame.by}, {found.score}")
    return item


def _words(trial: Trial) -> str:
    return f"{trial.name}, {trial.score}" if trial.score else trial.name
