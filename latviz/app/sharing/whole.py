"""Decoding all of a zarr image, of which a coarser level may be on screen."""

from pathlib import Path

from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.picture import PictureSet
from latviz.engine.session import Session
from latviz.files.pyramids import COLOURS, open_pyramid
from latviz.files.suffixes import is_zarr

REFINED = (
    "a refined model is learned from all pixels at once, which cannot be done chunk by chunk: "
    "choose another decoder"
)


def is_whole_there(pictures: PictureSet | None) -> bool:
    """Return whether pictures are out of a zarr folder."""
    return pictures is not None and is_zarr(pictures.picture.origin.get("path", ""))


def write_whole(path: str, pictures: PictureSet, session: Session, progress: Progress) -> None:
    """Learn from the finest level as is set, and write its states as a pyramid.

    Raises
    ------
    Cancelled
        If ``progress`` says so; nothing is written then.
    FileError, ParameterError
        If the image cannot be read or decoded so, the folder cannot be written, or dask is missing.
    """
    try:
        from latviz.scale import decoding  # not above: it loads dask, which may not be installed
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        raise ParameterError(f"it needs {missing}; install latviz[scale]") from error
    parameters, origin = session.shown.parameters, pictures.picture.origin
    if parameters.decoder == "refined":
        raise ParameterError(REFINED)
    pyramid = open_pyramid(origin["path"])
    if pyramid.dimensions == 3 and parameters.slices_apart:
        raise ParameterError("slices are decoded together here: set Slices to together first")
    settings = decoding.Settings(
        encoding=parameters.encoding if pyramid.n_channels in (1, COLOURS) else None,
        n_states=parameters.n_states,
        window=parameters.window,
        learning_window=parameters.learning_window,
        smoothing=parameters.smoothing,
        assignment=parameters.decoder,
        time=origin["page"],
    )
    decoding.decode_file(Path(path), pyramid, settings, progress)
