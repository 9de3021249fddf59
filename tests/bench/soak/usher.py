"""Handles popups and modal dialogs, in any event loop."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6 import sip
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QAction
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

from tests.bench.soak.hand import Missed, inside

if TYPE_CHECKING:
    from tests.bench.soak.robot import Robot

EVERY_MS = 30
PATIENCE = 12
"""Rounds with one dialog before it is escaped from; after three times as many it is stuck."""
Key = Qt.Key
MOVES = (Key.Key_Down, Key.Key_Up, Key.Key_Home, Key.Key_End, Key.Key_PageDown)
NONSENSE = ("", "x", "-1", "1e309", "nan", "9" * 40, "§±", "日本語", "a\tb", " ", "..", "*", "%s")


class Usher:
    """Checks for a popup or a modal dialog again and again, and acts on it.

    ``path`` are the texts of the menu items to choose, one menu after the other; without it items
    are chosen at random.
    """

    def __init__(self, robot: "Robot") -> None:
        self._robot, self._hand = robot, robot.hand
        self.path: list[str] = []
        self.chosen: set[str] = set()
        self._busy: list[int] = []
        self._looked: tuple[int, int] = (0, 0)
        self._ended = False
        self._look()

    def end(self) -> None:
        self._ended = True

    def _look(self) -> None:
        if self._ended:
            return
        QTimer.singleShot(EVERY_MS, self._look)  # first, as the next call may not return soon
        found = waiting()
        if found is None:
            self._looked = (0, 0)
            return
        place = sip.unwrapinstance(found)
        completes = isinstance(found, QAbstractItemView)  # a field that is being handled
        if not (completes and self._busy) and place not in self._busy:
            self._busy.append(place)
            try:
                with self._robot.sections.apart():
                    self._see_to(found, place)
            finally:
                self._busy.remove(place)

    def _see_to(self, found: QWidget, place: int) -> None:
        known, times = self._looked
        times = times + 1 if known == place else 1
        self._looked = (place, times)
        patience = 20 * PATIENCE if isinstance(found, QProgressDialog) else PATIENCE
        try:
            if times > 3 * patience:
                self._robot.watch.note("stuck", f"{type(found).__name__} cannot be closed")
                self._looked = (0, 0)
                self._hand.do("close by force", found.close)
            elif times > patience:
                self.path.clear()
                self._hand.key(found, Key.Key_Escape)
            elif isinstance(found, QMenu):
                self._menu(found)
            elif isinstance(found, QFileDialog):
                self._file_dialog(found)
            elif isinstance(found, QMessageBox | QProgressDialog):
                self._message(found)
            else:
                self._list(found)
        except Missed:
            pass
        except RuntimeError:
            if not sip.isdeleted(found):
                raise

    def _menu(self, menu: QMenu) -> None:
        rng = self._robot.rng
        usable = [a for a in menu.actions() if a.isVisible() and a.isEnabled() and a.text()]
        if self.path:
            text = self.path.pop(0)
            wanted = next((a for a in usable if a.text() == text), None)
        else:
            wanted = rng.choice(usable) if usable and rng.random() < 0.75 else None
            if wanted is None and rng.random() < 0.5:
                self._hand.key(menu, rng.choice((*MOVES, Key.Key_Return, Key.Key_Right)))
                return
        if wanted is None:
            self.path.clear()
            self._hand.key(menu, Key.Key_Escape)
        else:
            self._choose(menu, wanted)

    def _choose(self, menu: QMenu, action: QAction) -> None:
        """Click on an item, or go to it with keys where it is beyond the edge of the screen."""
        room = menu.actionGeometry(action)
        if action.menu() is None:
            self.chosen.add(action.text())
        if menu.rect().contains(room) and self._robot.rng.random() < 0.8:
            self._hand.move(menu, room.center() - QPoint(2, 0))
            self._hand.click(menu, room.center())
            return
        for _ in menu.actions():
            self._hand.key(menu, Key.Key_Down)
            if menu.activeAction() is action:
                break
        self._hand.key(menu, Key.Key_Return)

    def _list(self, popup: QWidget) -> None:
        """Choose in the list of a combo box, or another popup that takes these keys."""
        rng = self._robot.rng
        for _ in range(rng.randint(1, 4)):
            self._hand.key(popup, rng.choice(MOVES))
        self._hand.key(popup, rng.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)))

    def _file_dialog(self, dialog: QFileDialog) -> None:
        line, choice = dialog.findChild(QLineEdit, "fileNameEdit"), self._robot.rng.random()
        kinds = dialog.findChild(QComboBox, "fileTypeCombo")
        if line is None or choice < 0.1:
            self._hand.key(dialog, Key.Key_Escape)
        elif choice < 0.2 and kinds is not None and kinds.isVisible():
            self._hand.click(kinds)
        else:
            if text := self._name(dialog, choice < 0.3):
                self._hand.click(line)
                self._hand.key(dialog, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
                self._hand.type(dialog, text)
                if (completer := QApplication.activePopupWidget()) is not None:
                    self._hand.key(completer, Key.Key_Escape)
            self._hand.key(dialog, Key.Key_Return)

    def _name(self, dialog: QFileDialog, is_odd: bool) -> str:
        robot, target = self._robot, Path(self._robot.some_target())
        if robot.answers:
            return robot.answers.pop()
        if is_odd:
            return robot.rng.choice(NONSENSE)
        if dialog.fileMode() == QFileDialog.FileMode.Directory:
            return str(target.parent)
        if dialog.acceptMode() != QFileDialog.AcceptMode.AcceptSave:
            return robot.some_file()
        offered = [Path(name).suffix for name in dialog.selectedFiles()]
        suffix = robot.rng.choice([*offered * 3, ".png", ".csv", "", ".exe"])
        return "" if robot.rng.random() < 0.2 else str(target.with_suffix(suffix))

    def _message(self, box: QMessageBox | QProgressDialog) -> None:
        rng = self._robot.rng
        buttons = inside(box.buttons()) if isinstance(box, QMessageBox) else []
        if buttons and rng.random() < 0.8:
            self._hand.click(rng.choice(buttons))
        elif isinstance(box, QMessageBox) or rng.random() < 0.02:
            self._hand.key(box, Key.Key_Escape)

    def see_out(self, seconds: float) -> None:
        """Wait until no dialog or popup blocks the window's keyboard."""
        limit = time.monotonic() + seconds
        while waiting() is not None and time.monotonic() < limit:
            self._hand.wait(EVERY_MS)


def waiting() -> QWidget | None:
    """Return the popup, or else the modal dialog, that takes all events now."""
    found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return None if found is None or sip.isdeleted(found) or not found.isVisible() else found
