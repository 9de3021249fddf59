"""Files of results: state maps, arrays, summaries and tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from latviz import engine, files
from latviz.core.disk.errors import ExportError
from latviz.core.model import archive
from latviz.engine.advice.advice import Advice
from latviz.engine.frames.frame import Frame
from latviz.files.errors import ImageError
from latviz.files.suffixes import EXPORTS, LARGE, REGION_EXPORTS, ZARR, is_beliefs

if TYPE_CHECKING:  # these load when labels are written
    from latviz.files.label_maps import LabelMap, Tags

SMALL = 1 << 20
"""Nodes of which arrays are written in a second or two, with numbers for each."""


def export_frame(frame: Frame, path: str | Path, advice: Advice | None = None) -> None:
    """Write the state map (.png; .tif or .zarr as labels), arrays (.npz) or summary (.json).

    The summary has the advice on the frame if it is given. `load_model` reads arrays as the model
    that gave the states. Of a picture of more than 1,048,576 nodes, observations and likelihoods of
    nodes are left out unless the name ends with .large.npz.

    A PNG has the states as palette indices from 0; that of a sequence is one row, and the slices of
    a volume are below each other. Labels are from 1, 0 is an unknown node, and a volume stays one.
    A TIFF has the metadata of OME if its name ends with .ome.tif, or else those of ImageJ, and the
    place on a map that a GeoTIFF has which the picture was read from. A name that ends with
    .beliefs.tif gets a channel for each state with the belief in it, if a decoder has beliefs.

    Raises
    ------
    ExportError
        If the suffix is another, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".png":
        rows = frame.states.reshape(-1, frame.states.shape[-1])
        files.writing.write_state_map(path, rows, frame.colors)
    elif is_beliefs(path):
        if frame.believed is None:
            raise ExportError(Path(path), "no state has a belief; decode by belief (--decoder)")
        layers, like = frame.believed.layers(frame.states.shape), label_map(frame)
        layers = layers.reshape(*like.labels.shape, -1)
        files.label_maps.write_layer_tiff(path, layers, like, _place_of(frame))
    elif suffix in (".tif", ".tiff"):
        files.label_maps.write_label_tiff(path, label_map(frame), _place_of(frame))
    elif suffix == ZARR:
        _write_zarr(path, frame)
    elif suffix == ".npz":
        large = frame.n_nodes <= SMALL or Path(path).name.lower().endswith(LARGE)
        found = engine.keeping.results.arrays(frame, large=large)
        archive.pack(Path(path), engine.keeping.results.header(frame), found)
    elif suffix == ".json":
        plain = None if advice is None else advice.to_plain()
        files.writing.write_summary(path, engine.keeping.results.summary(frame, plain))
    else:
        known = ", ".join(f"{key} ({what})" for key, what in EXPORTS.items())
        raise ExportError(Path(path), f"its suffix must be one of {known}")


def label_map(frame: Frame) -> LabelMap:
    """Return the states of a frame as labels; a sequence is one row."""
    picture, states = frame.request.picture, np.atleast_2d(frame.states)
    labels = states + np.uint8(1)  # 255, which is unknown, becomes 0
    names = tuple(map(frame.label, range(len(frame.colors))))
    spacing = picture.spacing or (1.0,) * frame.states.ndim
    spacing = (1.0,) * (states.ndim - len(spacing)) + spacing
    return files.label_maps.LabelMap(labels, frame.colors, names, spacing, picture.unit)


def _place_of(frame: Frame) -> Tags:
    """Return the tags of the place on a map of the file that a picture was read from, if any."""
    picture = frame.request.picture
    if picture.dimensions != 2 or "path" not in picture.origin:
        return ()
    reduction = picture.origin.get("reduction", 1)
    return files.label_maps.place_of(picture.origin["path"], picture.shape, reduction)


def _write_zarr(path: str | Path, frame: Frame) -> None:
    """Write labels in the format of the zarr folder that the picture was read from, or in 0.5."""
    try:
        from latviz.files.zarrs import writing  # not above: zarr may not be installed, and is slow
    except ImportError as error:
        raise ExportError(Path(path), files.pyramids.INSTALL) from error
    zarr_format, origin = 3, frame.request.picture.origin
    if origin.get("levels"):
        with suppress(ImageError):  # it is not there any more
            zarr_format = files.pyramids.open_pyramid(origin["path"]).zarr_format
    writing.write_label_zarr(path, label_map(frame), zarr_format)


def export_regions(frame: Frame, path: str | Path) -> None:
    """Write the regions of a frame, which needed them: table (.csv), labels (.png), arrays (.npz).

    The labels of a sequence are one row; the slices of a volume are below each other. GeoJSON
    (.geojson) has the rows of the table with polygons in pixels, of all but volumes.

    Raises
    ------
    ExportError
        If the suffix is another, there are too many regions for a PNG of 16 bits, those of a
        volume are to be polygons, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    assert frame.regions is not None
    if suffix == ".csv":
        files.writing.write_table(path, *engine.frames.region_table.region_table(frame))
    elif suffix == ".png":
        labels = frame.regions.labels
        files.writing.write_labels(path, labels.reshape(-1, labels.shape[-1]))
    elif suffix == ".npz":
        files.writing.write_arrays(path, engine.keeping.results.region_arrays(frame))
    elif suffix == ".geojson":
        if frame.regions.labels.ndim > 2:
            raise ExportError(Path(path), "regions of a volume have no polygons; choose .csv")
        files.writing.write_features(path, engine.frames.region_table.features(frame))
    else:
        known = ", ".join(f"{key} ({what})" for key, what in REGION_EXPORTS.items())
        raise ExportError(Path(path), f"its suffix must be one of {known}")


def export_values(rows: Sequence[Sequence[object]], path: str | Path) -> None:
    """Write rows of cells, of which the first names the columns, as a table (.csv).

    Rows that are shorter than the longest get empty cells.

    Raises
    ------
    ExportError
        If the suffix is another, or the file cannot be written.
    """
    if Path(path).suffix.lower() != ".csv":
        raise ExportError(Path(path), "its suffix must be .csv")
    width = max(map(len, rows))
    names, *found = ([*row, *[""] * (width - len(row))] for row in rows)
    files.writing.write_table(path, [str(name) for name in names], found)
