"""Asking for files."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)

from latviz.app.shell.actions import plain
from latviz.files.formats import suffixes
from latviz.files.suffixes import SESSION

WITH_IMAGE, WITH_PLACE = (
    f"{text} (*{SESSION})"
    for text in ("Session with its image inside", "Session with the place of its image")
)


def ask_files(parent: QWidget, folder: str) -> list[str]:
    """Ask for images, volumes, sequences or a session; return their paths, or [] on Cancel."""
    session, known = f"*{SESSION}", suffixes()
    images, sequences = (
        " ".join(f"*{suffix}" for suffix in some) for some in (known.offered, known.sequences)
    )
    filters = (
        f"Images, sequences and sessions ({images} {sequences} {session});;"
        f"Images and volumes ({images});;Sequences ({sequences});;Sessions ({session});;"
        "All files (*)"
    )
    paths, _ = QFileDialog.getOpenFileNames(parent, "Open images or a sequence", folder, filters)
    return paths


def ask_line(
    parent: QWidget, title: str, prompt: str, text: str, name: str, longest: int
) -> str | None:
    """Ask for a stripped line of text, with the accessible name ``name``; None on Cancel."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(prompt)
    dialog.setTextValue(text)
    field = dialog.findChild(QLineEdit)
    if field is not None:
        field.setMaxLength(longest)
        field.setAccessibleName(name)
        field.selectAll()
    accepted, found = dialog.exec(), dialog.textValue()
    dialog.deleteLater()
    return "".join(filter(str.isprintable, found)).strip() if accepted else None


def ask_where(parent: QWidget, folder: str, stem: str, suffixes: Sequence[str]) -> str:
    """Ask for a file with one of some suffixes; return the path, or "" on Cancel."""
    kinds = {f"{suffix[1:].upper()} (*{suffix})": suffix for suffix in suffixes}
    return ask_to_save(parent, "Export", str(Path(folder, f"{stem}{suffixes[0]}")), kinds)[0]


def ask_to_save(
    parent: QWidget, title: str, place: str, kinds: Mapping[str, str], kind: str = ""
) -> tuple[str, str]:
    """Ask for a file to write; return the path, "" on Cancel, and the chosen kind.

    ``kinds`` has the suffix of each: a name with none of them gets that of the chosen kind.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(kinds))
    dialog.selectNameFilter(kind or next(iter(kinds)))
    dialog.selectFile(place)

    def take(chosen: str) -> None:
        """Use the suffix of the chosen kind in the name."""
        for name in dialog.selectedFiles()[:1] or [place]:
            path = Path(name)
            ends = [end for end in kinds.values() if path.name.lower().endswith(end)]
            stem = path.name[: len(path.name) - max(map(len, ends), default=0)]
            dialog.selectFile(f"{stem}{kinds[chosen]}")

    dialog.filterSelected.connect(take)
    # The dialog has no default suffix: those of some desktops add it to a name after they have
    # asked about the file without it
    path, found = "", ""
    while not path and dialog.exec():
        found = dialog.selectedNameFilter()
        typed = dialog.selectedFiles()[0]
        path = typed if _has_one_of(kinds.values(), typed) else f"{typed}{kinds[found]}"
        if path != typed and os.path.lexists(path) and not _may_replace(parent, path):
            path = ""
    dialog.deleteLater()
    return path, found


def _has_one_of(suffixes: Iterable[str], name: str) -> bool:
    return name.lower().endswith(tuple(suffixes))


def _may_replace(parent: QWidget, path: str) -> bool:
    """Ask if a file may be replaced; wait for the answer."""
    box = _question(parent, "replace", "Replace?", f"“{Path(path).name}” exists. Replace it?")
    sure = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is sure


def answered(dialog: QDialog) -> bool:
    """Wait for the answer; return whether it was accepted. The dialog goes a little later."""
    accepted = bool(dialog.exec())
    dialog.deleteLater()
    return accepted


def buttons_of(dialog: QDialog, kinds: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Return buttons that accept and reject a dialog."""
    buttons = QDialogButtonBox(kinds)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def ask_session(parent: QWidget, name: str, embed: bool) -> tuple[str, bool]:
    """Ask where to save a session, and if with its image; return the path, or "" on Cancel."""
    kinds = dict.fromkeys((WITH_IMAGE, WITH_PLACE), SESSION)
    kind = WITH_IMAGE if embed else WITH_PLACE
    path, kind = ask_to_save(parent, "Save the session", name, kinds, kind)
    return path, kind == WITH_IMAGE


def _question(parent: QWidget, name: str, title: str, text: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setObjectName(name)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(title)
    box.setText(text)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    return box


def ask_about_changes(
    parent: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object]
) -> QMessageBox:
    """Ask to save changes to a session before it is left; does not wait for the answer.

    "Cancel" does nothing.
    """
    button = QMessageBox.StandardButton
    text = f"Save the changes to “{name}” before it is closed?"
    box = _question(parent, "changes", "Save the session?", text)
    box.setInformativeText("Unsaved work stays in File ▸ Recent work for a while.")
    box.setStandardButtons(button.Save | button.Discard | button.Cancel)
    box.setDefaultButton(button.Save)
    box.setEscapeButton(button.Cancel)
    acts = {button.Save: save, button.Discard: discard}

    def answer(result: int) -> None:
        act = acts.get(button(result))
        if act is not None:
            act()

    box.finished.connect(answer)
    box.open()
    return box


def ask_to_delete(parent: QWidget, what: str, delete: Callable[[], object]) -> QMessageBox:
    """Ask to confirm a deletion; does not wait for the answer."""
    button = QMessageBox.StandardButton
    box = _question(parent, "delete", "Delete?", f"Delete {what}? They cannot be restored.")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sure = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(button.Cancel)
    box.setDefaultButton(button.Cancel)
    box.setEscapeButton(button.Cancel)
    box.finished.connect(lambda _: delete() if box.clickedButton() is sure else None)
    box.open()
    return box


class MenuDialog(QDialog):
    """Shows a menu as a form: a list for each menu in it, a box for each item that is on or off."""

    # What is chosen is in force at once

    def __init__(self, parent: QWidget, menu: QMenu) -> None:
        super().__init__(parent)
        self.setWindowTitle(menu.title())
        form = QFormLayout(self)
        for action in menu.actions():
            inner = action.menu()
            field = _box_of(action) if inner is None else _list_of(inner)
            field.setToolTip(action.toolTip())
            field.setAccessibleName(plain(action.text()))
            form.addRow("" if inner is None else plain(action.text()), field)
        form.addRow(buttons_of(self, QDialogButtonBox.StandardButton.Close))


def _box_of(action: QAction) -> QCheckBox:
    box = QCheckBox(plain(action.text()))
    box.setChecked(action.isChecked())
    box.clicked.connect(action.trigger)
    return box


def _list_of(menu: QMenu) -> QComboBox:
    box, items = QComboBox(), menu.actions()
    box.addItems([plain(item.text()) for item in items])
    box.setCurrentIndex(next((k for k, item in enumerate(items) if item.isChecked()), 0))
    box.setEnabled(any(item.isEnabled() for item in items))
    box.activated.connect(lambda k: items[k].trigger())
    return box


def ask_preferences(parent: QWidget, menu: QMenu) -> None:
    """Open a menu as a form, until it is closed."""
    answered(MenuDialog(parent, menu))


def ask_folder(parent: QWidget, title: str, folder: str) -> str:
    """Ask for a folder; return it, or "" on Cancel."""
    return QFileDialog.getExistingDirectory(parent, title, folder)
