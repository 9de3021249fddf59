"""Kinds of files, by the suffixes of their names."""

import os
from pathlib import PurePath

SESSION, SUMMARY = ".latviz", ".json"
ZARR = ".zarr"
"""A folder that is an array in chunks, or a pyramid."""
DESCRIPTIONS = ("zarr.json", ".zgroup", ".zarray")
"""Files of which one is in such a folder."""
REGION_EXPORTS = {
    ".csv": "their table",
    ".geojson": "their polygons",
    ".png": "their labels",
    ".npz": "all arrays",
}
"""The form in which regions are written, by suffix."""
BELIEFS = ".beliefs.tif"
LABEL_EXPORTS = {
    ".tif": "the state map as labels",
    ".ome.tif": "the same with the metadata of OME",
    ZARR: "the same as OME-Zarr",
    BELIEFS: "the belief in each state",
}
"""The form in which labels are written, by the end of a name."""
LARGE = ".large.npz"
ARRAY_EXPORTS = {
    ".npz": "the model and the states",
    LARGE: "the same with observations and likelihoods, of any size",
}
"""The form in which arrays are written, by the end of a name."""
EXPORTS = {
    ".npz": "the model and the states",
    SUMMARY: "the summary",
    ".png": "the state map",
    **dict.fromkeys((".tif", ".tiff"), "the state map as labels"),
    ZARR: "the same as OME-Zarr",
}
"""The content of an exported file, by suffix."""
FIGURES = (".png", ".svg", ".pdf")
"""The formats of figures, the usual one first."""
REPORT = ".html"
HANDOUT = ".pdf"
DPI = 300
DPI_RANGE = (24, 600)
"""Default pixels per inch of figures, and the allowed range."""

PathLike = str | os.PathLike[str]


def is_beliefs(path: PathLike) -> bool:
    """Return True if the name of a file is that of beliefs, a layer a state."""
    return PurePath(path).name.lower().endswith(BELIEFS)


def is_session(path: PathLike) -> bool:
    """Return True if a file's name is that of a session."""
    return PurePath(path).suffix.lower() == SESSION


def is_summary(path: PathLike) -> bool:
    """Return True if a file's name is that of a summary."""
    return PurePath(path).suffix.lower() == SUMMARY


def is_zarr(path: PathLike) -> bool:
    """Return True if a folder's name or content marks it as a zarr array or group."""
    if PurePath(path).suffix.lower() == ZARR:
        return True
    return any(os.path.isfile(os.path.join(path, name)) for name in DESCRIPTIONS)


def holds_images(path: PathLike) -> bool:
    """Return True for a folder of images, but not for a zarr folder, which is an image itself."""
    return os.path.isdir(path) and not is_zarr(path)
