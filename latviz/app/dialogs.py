"""Asking for files."""

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QWidget

SUFFIXES = ("png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp", "gif", "npy")


def ask_image(parent: QWidget, folder: str) -> str:
    """Ask for an image file to open; return its path, or nothing."""
    patterns = " ".join(f"*.{suffix}" for suffix in SUFFIXES)
    filters = f"Images ({patterns});;All files (*)"
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
