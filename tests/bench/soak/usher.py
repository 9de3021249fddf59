"""Handles popups and modal dialogs, in any event loop."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PyQt6 import sip
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QProgressDialog,
    QWidget,
)

from tests.bench.soak.hand import Hand, Missed, inside
from tests.bench.soak.watch import Sections, Watch

EVERY_MS = 30
PATIENCE = 12
"""Rounds with one dialog before it is escaped from; after three times as many it is stuck."""
Key = Qt.Key
MOVES = (Key.Key_Down, Key.Key_Up, Key.Key_Home, Key.Key_End, Key.Key_PageDown)
NONSENSE = ("", "x", "-1", "1e309", "nan", "9" * 40, "§±", "日本語", "a\tb", " ", "..", "*", "%s")


class Guided(Protocol):
    """The source of answers: the robot."""

    rng: random.Random
    hand: Hand
    watch: Watch
    sections: Sections
    answers: list[str]

    def some_file(self) -> str:
        """Return a path to open."""

    def some_target(self) -> str:
        """Return a path to write to."""


class Usher:
    """Checks for a popup or a modal dialog again and again, and acts on it.

    ``path`` are the texts of the menu items to choose, one menu after the other; without it items
    are chosen at random.
    """

    def __init__(self, robot: Guided) -> None:
        self._robot = robot
        self.path: list[str] = []
        self._busy: list[int] = []
        self.chosen: list[str] = []
        self._looked: tuple[int, int] = (0, 0)
        self._acts: list[tuple[type[QWidget], Callable[[QWidget], None]]] = [
            (QMenu, self._menu),
            (QFileDialog, self._file_dialog),
            (QMessageBox, self._message),
            (QProgressDialog, self._progress),
        ]
        self._ended = False
        self._look()

    def end(self) -> None:
        """Look no more."""
        self._ended = True

    def _look(self) -> None:
        if self._ended:
            return
        QTimer.singleShot(EVERY_MS, self._look)  # first, as the next call may not return soon
        found = waiting()
        if found is None:
            self._looked = (0, 0)
        elif self._is_new(found):
            place = sip.unwrapinstance(found)
            self._busy.append(place)
            try:
                with self._robot.sections.apart():
                    self._see_to(found, place)
            finally:
                self._busy.remove(place)

    def _is_new(self, found: QWidget) -> bool:
        """Return True if neither it nor the field that it completes is being handled."""
        completes = isinstance(found, QAbstractItemView)
        return not (completes and self._busy) and sip.unwrapinstance(found) not in self._busy

    def _see_to(self, found: QWidget, place: int) -> None:
        known, times = self._looked
        times = times + 1 if known == place else 1
        self._looked = (place, times)
        patience = 20 * PATIENCE if isinstance(found, QProgressDialog) else PATIENCE
        try:
            if times > 3 * patience:
                self._robot.watch.note("stuck", f"{type(found).__name__} cannot be closed")
                self._looked = (0, 0)
                self._robot.hand.do("close by force", found.close)
            elif times > patience:
                self.path.clear()
                self._robot.hand.key(found, Key.Key_Escape)
            else:
                fitting = (act for kind, act in self._acts if isinstance(found, kind))
                next(fitting, self._list)(found)
        except Missed:
            pass
        except RuntimeError:
            if not sip.isdeleted(found):
                raise

    def _menu(self, menu: QWidget) -> None:
        assert isinstance(menu, QMenu)
        rng, hand = self._robot.rng, self._robot.hand
        usable = [a for a in menu.actions() if a.isVisible() and a.isEnabled() and a.text()]
        if self.path:
            text = self.path.pop(0)
            wanted = next((a for a in usable if a.text() == text), None)
            if wanted is None:
                self.path.clear()
                hand.key(menu, Key.Key_Escape)
            else:
                self._choose(menu, wanted)
        elif usable and rng.random() < 0.75:
            self._choose(menu, rng.choice(usable))
        elif rng.random() < 0.5:
            hand.key(menu, rng.choice((*MOVES, Key.Key_Return, Key.Key_Left, Key.Key_Right)))
        else:
            hand.key(menu, Key.Key_Escape)

    def _choose(self, menu: QMenu, action: QAction) -> None:
        """Click on an item, or go to it with keys where it is beyond the edge of the screen."""
        hand, room = self._robot.hand, menu.actionGeometry(action)
        if action.menu() is None:
            self.chosen.append(action.text())
        if menu.rect().contains(room) and self._robot.rng.random() < 0.8:
            hand.move(menu, room.center() - QPoint(2, 0))
            hand.click(menu, room.center())
            return
        for _ in menu.actions():
            hand.key(menu, Key.Key_Down)
            if menu.activeAction() is action:
                break
        hand.key(menu, Key.Key_Return)

    def _list(self, popup: QWidget) -> None:
        """Choose in the list of a combo box, or another popup that takes these keys."""
        rng = self._robot.rng
        for _ in range(rng.randint(1, 4)):
            self._robot.hand.key(popup, rng.choice(MOVES))
        self._robot.hand.key(popup, rng.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))

    def _file_dialog(self, dialog: QWidget) -> None:
        assert isinstance(dialog, QFileDialog)
        rng, hand = self._robot.rng, self._robot.hand
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        choice = rng.random()
        kinds = dialog.findChild(QComboBox, "fileTypeCombo")
        if line is None or choice < 0.1:
            hand.key(dialog, Key.Key_Escape)
        elif choice < 0.2 and kinds is not None and kinds.isVisible():
            hand.click(kinds)
        else:
            saving = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
            folder = dialog.fileMode() == QFileDialog.FileMode.Directory
            if self._robot.answers:
                text = self._robot.answers.pop()
            elif choice < 0.3:
                text = rng.choice(NONSENSE)
            elif folder:
                text = str(Path(self._robot.some_target()).parent)
            elif saving:
                # Some keep the name that is offered.
                text = "" if rng.random() < 0.2 else self._with_suffix(dialog)
            else:
                text = self._robot.some_file()
            self._fill(dialog, line, text)
            hand.key(dialog, Key.Key_Return)

    def _with_suffix(self, dialog: QFileDialog) -> str:
        """Return a name to write to; mostly of the requested kind."""
        target = Path(self._robot.some_target())
        offered = [Path(name).suffix for name in dialog.selectedFiles()]
        suffixes = [*offered, *offered, *offered, ".png", ".csv", "", ".exe"]
        return str(target.with_suffix(self._robot.rng.choice(suffixes)))

    def _fill(self, dialog: QWidget, line: QLineEdit, text: str) -> None:
        """Replace the text in a line; "" leaves it unchanged."""
        if text:
            self._robot.hand.click(line)
            self._robot.hand.key(dialog, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            self._robot.hand.type(dialog, text)
            self._close_completer()

    def _close_completer(self) -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            self._robot.hand.key(popup, Key.Key_Escape)

    def _message(self, box: QWidget) -> None:
        assert isinstance(box, QMessageBox)
        buttons = inside(box.buttons())
        if buttons and self._robot.rng.random() < 0.8:
            self._robot.hand.click(self._robot.rng.choice(buttons))
        else:
            self._robot.hand.key(box, Key.Key_Escape)

    def _progress(self, dialog: QWidget) -> None:
        if self._robot.rng.random() < 0.02:
            self._robot.hand.key(dialog, Key.Key_Escape)

    def see_out(self, seconds: float) -> None:
        """Wait until no dialog or popup blocks the window's keyboard."""
        limit = time.monotonic() + seconds
        while waiting() is not None and time.monotonic() < limit:
            self._robot.hand.do("wait for a dialog", lambda: QTest.qWait(EVERY_MS))


def waiting() -> QWidget | None:
    """Return the popup, or else the modal dialog, that takes all events now."""
    found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return None if found is None or sip.isdeleted(found) or not found.isVisible() else found
