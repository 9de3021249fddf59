"""What is remembered between runs: layout, theme, recent files, how to compute."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QByteArray, QSettings, QStandardPaths

from latviz.core.threads import CORES, get_threads
from latviz.engine.sample_size import LIVE

SAMPLES = (1024, 4096, 16384, 65536)
"""How many signatures may be learned from while the hand moves."""
RESOLUTIONS = (96, 150, 300)
"""Pixels per inch to choose from."""
DPI_RANGE = (24, 600)
MOST_RECENT = 10
LAYOUT_VERSION = 2


class _Memory(dict[str, Any]):
    """Keeps settings as QSettings does, but no longer than it lives."""

    def value(self, key: str, default: Any = None) -> Any:
        return self.get(key, default)

    def setValue(self, key: str, value: Any) -> None:
        self[key] = value


class Settings:
    """A thin layer over QSettings, with the keys in one place.

    ``lasting`` False keeps them in memory alone.
    """

    def __init__(self, lasting: bool = True) -> None:
        self._store = QSettings("latviz", "latviz") if lasting else _Memory()
        self._lasting = lasting

    @property
    def kept_folder(self) -> Path | None:
        """The folder in which windows keep what is on screen, if anything is to be kept."""
        place = QStandardPaths.StandardLocation.GenericDataLocation
        data = QStandardPaths.writableLocation(place)
        return Path(data) / "latviz" / "kept" if self._lasting and data else None

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

    @property
    def still(self) -> bool | None:
        """Whether a person wants nothing to move by itself; None if they did not say."""
        return {"still": True, "moving": False}.get(str(self._store.value("motion", "")))

    @still.setter
    def still(self, still: bool) -> None:
        self._store.setValue("motion", "still" if still else "moving")

    @property
    def export_folder(self) -> str:
        """The folder that was exported to last."""
        return str(self._store.value("export-folder", self.folder))

    @export_folder.setter
    def export_folder(self, folder: str) -> None:
        self._store.setValue("export-folder", folder)

    @property
    def graph(self) -> bool:
        """Whether A was last shown as a graph."""
        return str(self._store.value("graph", "heat map")) == "graph"

    @graph.setter
    def graph(self, graph: bool) -> None:
        self._store.setValue("graph", "graph" if graph else "heat map")

    @property
    def dpi(self) -> int:
        """The resolution that views were exported with last, in pixels per inch."""
        return self._number("dpi", range(DPI_RANGE[0], DPI_RANGE[1] + 1), RESOLUTIONS[-1])

    @dpi.setter
    def dpi(self, dpi: int) -> None:
        self._store.setValue("dpi", dpi)

    @property
    def embed(self) -> bool:
        """Whether sessions are saved with their images inside."""
        return str(self._store.value("embed", True)).lower() == "true"

    @embed.setter
    def embed(self, embed: bool) -> None:
        self._store.setValue("embed", embed)

    @property
    def lab(self) -> str:
        """The experiment that the laboratory was closed with, as text."""
        return str(self._store.value("lab", ""))

    @lab.setter
    def lab(self, experiment: str) -> None:
        self._store.setValue("lab", experiment)

    @property
    def lab_geometry(self) -> QByteArray:
        """Where the laboratory's window was."""
        stored = self._store.value("lab-geometry")
        return stored if isinstance(stored, QByteArray) else QByteArray()

    @lab_geometry.setter
    def lab_geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("lab-geometry", geometry)

    @property
    def help_geometry(self) -> QByteArray:
        """Where the help window was."""
        stored = self._store.value("help-geometry")
        return stored if isinstance(stored, QByteArray) else QByteArray()

    @help_geometry.setter
    def help_geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("help-geometry", geometry)

    @property
    def sample(self) -> int:
        """How many signatures are learned from while the hand moves."""
        return self._number("sample", SAMPLES, LIVE)

    @sample.setter
    def sample(self, size: int) -> None:
        self._store.setValue("sample", size)

    @property
    def threads(self) -> int:
        """How many threads compute."""
        return self._number("threads", thread_choices(), get_threads())

    @threads.setter
    def threads(self, count: int) -> None:
        self._store.setValue("threads", count)

    def _number(self, name: str, allowed: Sequence[int], default: int) -> int:
        stored = str(self._store.value(name, ""))
        number = int(stored) if stored.isdecimal() else default
        return number if number in allowed else default

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


def thread_choices() -> tuple[int, ...]:
    """Return how many threads a person may choose: powers of two, and one for each core."""
    powers = (1 << k for k in range(8))
    return (*(power for power in powers if power < CORES), CORES)
