"""Decoding the finest level of a zarr image, even if a coarser one is on screen."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latviz import files, scale
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.parameters import Parameters, in_force
from latviz.scale.settings import HowDecoded

MOST_KEPT = 4
"""Models of finest levels that are kept."""


def is_whole_there(pictures: PictureSet | None) -> bool:
    """Return True if pictures come from a zarr folder."""
    return pictures is not None and bool(pictures.picture.origin.get("levels"))


def settings_of(pyramid: "files.pyramids.Pyramid", parameters: Parameters, time: int) -> HowDecoded:
    """Return the settings for decoding a pyramid's finest level."""
    if not parameters.decoding.in_parts:
        raise ParameterError(
            f"the decoder {parameters.decoder!r} needs all pixels at once, not chunk "
            "by chunk: choose another one"
        )
    parameters = in_force(parameters, pyramid.dimensions)
    if parameters.further_windows:
        raise ParameterError("only one window can be used here: link the second window to w first")
    if pyramid.dimensions == 3 and parameters.slices_apart:
        raise ParameterError("slices are decoded together here: set Slices to together first")
    return HowDecoded(
        encoding=parameters.encoding if pyramid.n_channels in (1, files.pyramids.COLOURS) else None,
        fit=parameters.fit,
        decoder=parameters.decoder,
        time=time,
    )


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


def write_whole(
    path: str,
    models: FinestModels,
    address: str,
    pictures: PictureSet,
    session: Session,
    progress: Progress,
) -> None:
    """Learn from the finest level as is set, unless it was; write its states as a pyramid."""
    # The workers of the dask scheduler at an ``address`` do it, or this machine if it is empty.
    # After `Cancelled` nothing is written
    origin = pictures.picture.origin
    pyramid = files.pyramids.open_pyramid(origin["path"])
    settings = settings_of(pyramid, session.shown.parameters, origin["page"])
    known = models.get(pyramid.path, settings)
    with dask_needed():
        found = scale.decoding.decode_file(Path(path), pyramid, settings, progress, known, address)
    models.keep(pyramid.path, found)


@contextmanager
def dask_needed() -> Iterator[None]:
    """Raise a `ParameterError` that names the package to install, if dask is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        raise ParameterError(f"it needs {missing}; install latviz[scale]") from error
