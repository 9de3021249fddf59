"""What is remembered between runs: layout, theme, recent files."""

from pathlib import Path

from PyQt6.QtCore import QByteArray, QSettings

MOST_RECENT = 10
LAYOUT_VERSION = 1


class Settings:
    """A thin layer over QSettings, with the keys in one place."""

    def __init__(self) -> None:
        self._store = QSettings("latviz", "latviz")

    @property
    def recent(self) -> list[str]:
        """Paths of the files opened last, newest first."""
        stored = self._store.value("recent", [])
        paths = [stored] if isinstance(stored, str) else list(stored or [])
        return [str(path) for path in paths]

    def add_recent(self, path: str) -> None:
        """Put a file at the head of the recent ones."""
        others = [known for known in self.recent if known != path]
        self._store.setValue("recent", [path, *others][:MOST_RECENT])

    def clear_recent(self) -> None:
        """Forget the recent files."""
        self._store.setValue("recent", [])

    @property
    def folder(self) -> str:
        """The folder to begin a file dialog in."""
        recent = self.recent
        return str(Path(recent[0]).parent) if recent else str(Path.home())

    @property
    def theme(self) -> str:
        """The theme that a person chose: "system", "light" or "dark"."""
        return str(self._store.value("theme", "system"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    def save_layout(self, geometry: QByteArray, state: QByteArray) -> None:
        """Remember where the window and its docks are."""
        self._store.setValue(f"layout-{LAYOUT_VERSION}", [geometry, state])

    def layout(self) -> tuple[QByteArray, QByteArray] | None:
        """Return where the window and its docks were, if that is known."""
        stored = self._store.value(f"layout-{LAYOUT_VERSION}")
        if not isinstance(stored, list) or len(stored) != 2:
            return None
        geometry, state = stored
        if not (isinstance(geometry, QByteArray) and isinstance(state, QByteArray)):
            return None
        return geometry, state
