"""Asking for files."""

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QWidget

from latviz.files import session as session_files

SUFFIXES = ("png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp", "gif", "npy")


WITH_IMAGE, WITH_PLACE = (
    f"{text} (*{session_files.SUFFIX})"
    for text in ("Session with its image inside", "Session with the place of its image")
)


def ask_image(parent: QWidget, folder: str) -> str:
    """Ask for an image or session file to open; return its path, or nothing."""
    patterns = " ".join(f"*.{suffix}" for suffix in SUFFIXES)
    session = f"*{session_files.SUFFIX}"
    filters = (
        f"Images and sessions ({patterns} {session});;Images ({patterns});;"
        f"Sessions ({session});;All files (*)"
    )
    path, _ = QFileDialog.getOpenFileName(parent, "Open an image", folder, filters)
    return path


def ask_where(parent: QWidget, folder: str, stem: str, suffixes: Sequence[str]) -> str:
    """Ask where to write a file, with one of some suffixes; return the path, or nothing.

    A name without a suffix is given that of the chosen kind of file.
    """
    dialog = QFileDialog(parent, "Export", folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    kinds = {f"{suffix[1:].upper()} (*{suffix})": suffix for suffix in suffixes}
    dialog.setNameFilters(list(kinds))

    def take(kind: str) -> None:
        """Use the suffix of the chosen kind in the name, and for names without one."""
        suffix = kinds[kind]
        dialog.setDefaultSuffix(suffix)
        names = dialog.selectedFiles()
        dialog.selectFile(f"{Path(names[0]).stem if names else stem}{suffix}")

    dialog.selectFile(f"{stem}{suffixes[0]}")
    dialog.setDefaultSuffix(suffixes[0])
    dialog.filterSelected.connect(take)
    accepted = dialog.exec()
    paths = dialog.selectedFiles()
    dialog.deleteLater()
    return paths[0] if accepted and paths else ""


def ask_session(parent: QWidget, name: str, embed: bool) -> tuple[str, bool]:
    """Ask where to save a session, and whether with its image; return the path, or nothing."""
    kinds = (WITH_IMAGE, WITH_PLACE)
    path, kind = QFileDialog.getSaveFileName(
        parent, "Save the session", name, ";;".join(kinds), kinds[not embed]
    )
    if path and not session_files.is_session(path):
        path += session_files.SUFFIX
    return path, kind == WITH_IMAGE
