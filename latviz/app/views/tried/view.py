"""A page of rows: settings that the user paused at, and what other methods found."""

from collections.abc import Sequence
from functools import partial
from typing import Self

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from latviz.app.views.base import View
from latviz.app.views.tried.row import MARK, NOTE, ON_SCREEN, PAD, RowDelegate, least_height
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.lifetimes import pixmap_of
from latviz.app.widgets.shortcuts import ENTER, add_shortcut, keyed
from latviz.app.widgets.tables import note_over
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled
from latviz.engine.frames.thumbnail import BAND, small_map
from latviz.engine.keeping.trial import Trial, best_of, by_score, setting_of

INVITATION = "Settings that you pause at are kept here. Click one to compare it with the states."
BEST, APART = "the best so far", "which cannot be compared with the others"
MARKS = {"": "{}", BEST: "★ {}", APART: "({})"}
"""The format of a score, by its rank."""
REFERENCE = "Reference"
USE = keyed("Return to these settings (`Enter`); the step can be undone")
COMPARE = keyed("Make it the reference for the states on screen, or compare no longer (`Space`)")
_TIP = "Click to compare it with the states on screen; click again to stop."

Tried = Trial | Labelled


class TriedView(View):
    """What was tried for the picture on screen: settings, oldest or best first, then methods."""

    TITLE = "Compare"
    COVERED = False
    SIZE = (600, 140)
    KEYS = keyed(
        "Arrow keys move between the rows, `Space` compares one with the states on screen, `Enter` "
        "uses its settings."
    )

    wanted = pyqtSignal(object)  # Trial to return to
    compared = pyqtSignal(object)  # Trial or Labelled, to be the reference or no longer
    removed = pyqtSignal(object)  # Trial to forget

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trials: Sequence[Trial] = ()
        self.labelled: tuple[Labelled, ...] = ()
        self._shown: tuple[Tried, ...] = ()
        self._content: tuple[object, ...] = ()
        self.list, self.rows = _list(), RowDelegate()
        self.list.setItemDelegate(self.rows)
        self.nothing = note_over(self.list, INVITATION)
        layouts.column(self.list, of=self)
        self.take_keyboard(self.list)
        self.list.itemClicked.connect(lambda _: self._compare())
        add_shortcut(self.list, "Space", self._compare, alone=True)
        add_shortcut(self.list, ENTER, self._use, alone=True)

    def minimumSizeHint(self) -> QSize:
        """Ask for one row."""
        return QSize(150, least_height(self.list.font()))

    @property
    def chosen_row(self) -> Tried | None:
        """The row that has the mark of the keyboard, or was clicked."""
        row = self.list.currentRow()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def is_reference(self, one: Tried) -> bool:
        """Return True if the states on screen are compared with a row."""
        kept = self.state.compared
        if kept is None:
            return False
        if isinstance(one, Labelled):
            return kept.by == one.frame.by
        return not kept.by and setting_of(kept.decoding) == setting_of(one)

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
        """Show the same rows, without buttons."""
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.trials, self.labelled = shown.trials, shown.labelled
        super().show_as_figure(shown, scale)

    def figure_size(self) -> QSize:
        """Return a size with room for all rows."""
        size, row = self.size(), self.rows.row
        across = max(1, size.width() // row.width())
        high = row.height() * -(-self.list.count() // across)
        return QSize(size.width(), max(size.height(), high))

    def draw_theme(self) -> None:
        """Draw the rows with other colours."""
        self.rows.theme = self.theme
        viewport = self.list.viewport()
        assert viewport is not None
        viewport.update()

    def draw_frame(self) -> None:
        """Show the rows, unless the same are shown already."""
        assert self.frame is not None
        ranked = by_score(self.trials, self.frame.request)
        others = [trial for trial in self.trials if trial not in ranked]
        trials = (*ranked, *others) if self.display.by_score else tuple(self.trials)
        chosen, self._shown = self.chosen_row, (*trials, *self.labelled)
        marks = [self._mark(one) for one in self._shown]
        content = self._shown, ranked, marks
        if content == self._content:
            return
        self._content = content
        self.nothing.setVisible(not self._shown)
        best = best_of(ranked)
        with QSignalBlocker(self.list):
            self.list.clear()
            for one, mark in zip(self._shown, marks, strict=True):
                if isinstance(one, Labelled):
                    item = _item_of(one, self.state.slice)
                else:
                    item = _item(one, BEST if one in best else "" if one in ranked else APART)
                item.setData(MARK, mark)
                self.list.addItem(item)
                if isinstance(one, Trial) and not (ON_SCREEN in mark or self.is_figure):
                    self.list.setItemWidget(item, self._button(one))
                if one is chosen:
                    self.list.setCurrentItem(item)
        self._fit()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Make the state maps as large as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _compare(self) -> None:
        if self.chosen_row is not None:
            self.compared.emit(self.chosen_row)

    def _use(self) -> None:
        """Use the settings of the row, if it has any."""
        if isinstance(self.chosen_row, Trial):
            self.wanted.emit(self.chosen_row)

    def _mark(self, one: Tried) -> str:
        """Return what is done with a row now."""
        assert self.frame is not None
        is_shown = isinstance(one, Trial) and _is_of(one, self.frame)
        words = ((ON_SCREEN, is_shown), (REFERENCE, self.is_reference(one)))
        return ", ".join(word for word, holds in words if holds)

    def _button(self, trial: Trial) -> QWidget:
        """Return the room of a row with a button at the bottom that uses its settings."""
        button = small_button("Use", USE, f"Use {trial.name}")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Enter does it in each row
        button.clicked.connect(partial(self.wanted.emit, trial))
        at = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        room = QWidget()
        layouts.row((button, 1, at), of=room, margins=(PAD, PAD, PAD, PAD))
        return room

    def _fit(self) -> None:
        """Make the state maps as large as all rows have room."""
        viewport, bar = self.list.viewport(), self.list.verticalScrollBar()
        picture = self.state.picture
        if not self._shown or picture is None or viewport is None or bar is None:
            return
        taken = bar.sizeHint().width() + 2 * PAD  # Qt lays rows out as if there were a wider bar
        room = QSize(self.list.width() - taken, viewport.height())
        height, width = (1, *picture.shape)[-2:]
        shape = (1, BAND) if picture.is_ribbon else (height, width)
        self.rows.fit(self.list.count(), shape, room, self.list.font())
        self.list.scheduleDelayedItemsLayout()


def _list() -> QListWidget:
    """Return a list of rows, in columns if there is room."""
    made = QListWidget()
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setFlow(QListView.Flow.LeftToRight)
    made.setWrapping(True)
    made.setResizeMode(QListView.ResizeMode.Adjust)
    made.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return made


def _is_of(trial: Trial, frame: Frame) -> bool:
    return setting_of(trial) == setting_of(frame.request)


def _item(trial: Trial, place: str) -> QListWidgetItem:
    """Return the item for a trial, with its rank in words."""
    score = MARKS[place].format(trial.score) if trial.score else "No score yet"
    rank = f", {place}" if place and trial.score else ""
    item = QListWidgetItem(f"{trial.name}\n{score}")
    item.setData(Qt.ItemDataRole.DecorationRole, pixmap_of(trial.drawn))
    item.setData(NOTE, trial.way.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"))
    item.setToolTip(f"{trial.name}, {trial.way}: {trial.score_text}{rank}. {_TIP}")
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{_words(trial)}{rank}")
    return item


def _item_of(found: Labelled, slice_: int) -> QListWidgetItem:
    """Return the item for a method."""
    item = QListWidgetItem(f"{found.frame.by}\n{found.score}")
    item.setData(Qt.ItemDataRole.DecorationRole, pixmap_of(small_map(found.frame, slice_)))
    item.setData(NOTE, found.about)
    item.setToolTip(f"{found.frame.by}: {found.details}. {found.about}. {_TIP}")
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{found.frame.by}, {found.score}")
    return item


def _words(trial: Trial) -> str:
    return f"{trial.name}, {trial.score}" if trial.score else trial.name
