"""Decoding the finest level of a zarr image, even if a coarser one is on screen."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PyQt6.QtWidgets import QWidget

from latviz import files
from latviz.app.document.document import Document
from latviz.app.sharing.writer import Writer
from latviz.app.shell.dialogs import ask_line
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.core.errors import ParameterError
from latviz.core.extras import install
from latviz.core.progress import Progress
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.files.suffixes import ZARR
from latviz.wings import scale
from latviz.wings.scale.kept import ZarrSettings
from latviz.wings.scale.settings import HowDecoded, settings_of

MOST_KEPT = 4
"""Models of finest levels that are kept."""
_LONGEST = 300
"""Letters of an address, at most."""
_ASK = (
    "The finest level is decoded with the current settings, by the workers of a dask scheduler,\n"
    "such as tcp://host:8786, or by this machine if no address is given. Workers must see the\n"
    "folders under the same names."
)


def check_all_used(picture: Picture) -> None:
    """Raise `ParameterError` if slices are apart, or pixels unknown that are known in its file."""
    if picture.apart:
        raise ParameterError("slices are decoded together here: take them as a volume first")
    if picture.whole is not None or picture.origin.get("mask"):
        raise ParameterError(
            "pixels that were left out, or masked by another file, cannot be left out of a finer "
            "level: use all pixels first"
        )


class WholeImages(Feature):
    """Decodes all of a zarr folder into another one."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]
        self._settings, self._writer = ZarrSettings(parts[Settings]), parts[Writer]
        self.models = FinestModels()

    @in_menu(
        "Decode all of a &zarr folder…",
        "Decode its finest level, chunk by chunk, even if a coarser one is on screen",
        ("Images and models", 4.0),
        enabled=lambda self: self._is_there(),
    )
    def export(self) -> None:
        """Ask for a scheduler and a folder, and write the states of the finest level."""
        if not self._writer.may_begin():
            return
        address = self._shell.ask(ask_scheduler, self._settings.scheduler)
        if address is not None:
            self._settings.scheduler = address
            self._writer.ask_and_write("states", ZARR, partial(self._write, address))

    def _is_there(self) -> bool:
        """Return True if the picture comes from a zarr folder."""
        picture = self._document.picture
        return picture is not None and bool(picture.origin.get("levels"))

    def _write(
        self, address: str, path: str, pictures: PictureSet, session: Session, progress: Progress
    ) -> None:
        """Learn from the finest level unless done already; write its states as a pyramid."""
        # The workers of the dask scheduler at an ``address`` do it, or this machine if it is empty.
        # After `Cancelled` nothing is written
        origin = pictures.picture.origin
        check_all_used(pictures.picture)
        pyramid = files.pyramids.open_pyramid(origin["path"])
        settings = settings_of(pyramid, session.shown.parameters, origin["page"])
        given = Path(path), pyramid, settings, progress, self.models.get(pyramid.path, settings)
        with dask_needed():
            found = scale.decoding.decode_file(*given, address)
        self.models.keep(pyramid.path, found)


def ask_scheduler(parent: QWidget, address: str) -> str | None:
    """Ask for the address of a dask scheduler, "" for this machine; None on Cancel."""
    title = "Decode all of a zarr folder"
    return ask_line(parent, title, _ASK, address, "Address of a dask scheduler", _LONGEST)


class FinestModels:
    """The last few models that were learned from finest levels; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[Path, HowDecoded], scale.decoding.PyramidDecoding] = (
            OrderedDict()
        )

    def get(self, path: Path, settings: HowDecoded) -> "scale.decoding.PyramidDecoding | None":
        """Return the cached model of a folder and settings, or None."""
        with self._lock:
            return self._known.get((path, settings))

    def keep(self, path: Path, found: "scale.decoding.PyramidDecoding") -> None:
        """Store a learned model; drop the oldest of many."""
        with self._lock:
            self._known[path, found.settings] = found
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)

    def learned(
        self, pyramid: "files.pyramids.Pyramid", settings: HowDecoded, progress: Progress
    ) -> "scale.decoding.PyramidDecoding":
        """Return the cached model, or learn it."""
        found = self.get(pyramid.path, settings)
        if found is None:
            with dask_needed():
                found = scale.decoding.learn(pyramid, settings, progress)
            self.keep(pyramid.path, found)
        return found


@contextmanager
def dask_needed() -> Iterator[None]:
    """Raise a `ParameterError` that names the package to install, if dask is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        raise ParameterError(f"it needs {missing}: {install('scale')}") from error
