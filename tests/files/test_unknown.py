"""Pixels of which a file says that nothing is known, as other packages write them."""

import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz import workspace
from latviz.core.axes import roles_of
from latviz.files.images import read_lattice
from tests.files.test_pyramids import array_at

rng = np.random.default_rng(59)


def holed(*shape: int, dtype: Any = np.float32, hole: Any = np.nan) -> tuple[Any, Any]:
    """Values, and which of them are known; the first is not."""
    known = rng.random(shape) > 0.3
    known[(0,) * len(shape)] = False
    return np.where(known, rng.integers(1, 90, shape), hole).astype(dtype), known


def assert_known(file: Any, values: Any, known: Any) -> None:
    """Known pixels keep their values, and the others hold the first of them."""
    np.testing.assert_array_equal(file.known, known)
    np.testing.assert_array_equal(file.pixels[known], values[known])
    assert (file.pixels[~known] == values[known][0]).all()


@pytest.mark.parametrize("hole", [np.nan, np.inf])
@pytest.mark.parametrize("shape", [(12, 17), (6, 30, 31)])
@pytest.mark.parametrize("suffix", ["npy", "npz", "tif"])
def test_arrays(tmp_path: Path, suffix: str, shape: tuple[int, ...], hole: float) -> None:
    values, known = holed(*shape, hole=hole)
    path = tmp_path / f"a.{suffix}"
    if suffix == "tif":
        tifffile.imwrite(path, values, photometric="minisblack")
    else:
        {"npy": np.save, "npz": np.savez}[suffix](path, values)
    axes = "volume=lattice" if len(shape) > 2 else ""
    file = read_lattice(path, roles_of(axes))
    assert_known(file, values, known)
    nodes, why = ("pixels", "voxels")[len(shape) - 2], "NaN" if np.isnan(hole) else "infinite"
    n = known.size - known.sum()
    assert file.notes[-1] == f"{n:,} of {known.size:,} {nodes} are unknown ({why})"
    picture = workspace.read_picture(path, axes)
    np.testing.assert_array_equal(picture.known, known)


def test_a_slice_of_which_nothing_is_known(tmp_path: Path) -> None:
    values = np.stack([np.full((30, 40), k, np.int16) for k in (-9, 4, -5)])
    tag = (42113, "s", 0, "-9", True)
    tifffile.imwrite(tmp_path / "a.tif", values, photometric="minisblack", extratags=[tag])
    assert_known(read_lattice(tmp_path / "a.tif", {"volume": "lattice"}), values, values != -9)


def test_a_pixel_is_unknown_if_one_of_its_channels_is(tmp_path: Path) -> None:
    values, known = holed(5, 20, 30)
    path = tmp_path / "a.ome.tif"
    tifffile.imwrite(path, values, metadata={"axes": "CYX"})
    assert_known(read_lattice(path), np.moveaxis(values, 0, 2), known.all(axis=0))
    few = np.moveaxis(values[[1, 3]], 0, 2)
    assert_known(read_lattice(path, {"c": (1, 3)}), few, known[1] & known[3])


@pytest.mark.parametrize("reduction", [2, 4])
def test_reduced_pixels_are_the_means_of_known_ones(tmp_path: Path, reduction: int) -> None:
    values, known = holed(11, 18)
    values[:4, :8], known[:4, :8] = np.nan, False
    np.save(tmp_path / "a.npy", values)
    file = read_lattice(tmp_path / "a.npy", reduction=reduction)
    for row, column in np.ndindex(file.pixels.shape):
        place = tuple(slice(k * reduction, (k + 1) * reduction) for k in (row, column))
        inside = values[place][known[place]]
        assert file.known[row, column] == bool(inside.size)
        if inside.size:
            assert file.pixels[row, column] == pytest.approx(inside.mean(), rel=1e-6)


def test_void_in_the_palette_of_voc(tmp_path: Path) -> None:
    """255 is void if its colour is that of boundaries there, and else a label like any other."""
    labels = np.repeat(np.uint8([[0, 1, 255, 15]]), 3, axis=0)
    image = Image.fromarray(labels).convert("P")
    colours = rng.integers(0, 200, (256, 3)).astype(np.uint8)
    for last in ((224, 224, 192), (224, 224, 191)):
        colours[255] = last
        image.putdata(labels.reshape(-1))
        image.putpalette(colours.tobytes())
        image.save(tmp_path / "a.png")
        file = read_lattice(tmp_path / "a.png")
        if last[2] == 192:
            np.testing.assert_array_equal(file.known, labels != 255)
            np.testing.assert_array_equal(file.indices, labels % 255)
            assert file.notes[-1] == "3 of 12 pixels are unknown (void)"
        else:
            assert file.known is None


@pytest.mark.parametrize("zarr_format", [2, 3])
@pytest.mark.parametrize("name", ["_FillValue", "missing_value"])
def test_missing_values_of_zarr(tmp_path: Path, name: str, zarr_format: int) -> None:
    values, known = holed(20, 30, dtype=np.int32, hole=-999)
    packed = b64encode(struct.pack("<d", -999.0)).decode()  # as xarray writes it into format 3
    for k, missing in enumerate([-999, packed]):
        path = array_at(tmp_path / f"{k}.zarr", values, zarr_format, attributes={name: missing})
        assert_known(workspace.read_picture(path), values.astype(np.float32), known)
    path = array_at(tmp_path / "plain.zarr", values, zarr_format, fill_value=-999)
    assert workspace.read_picture(path).known is None  # what was never written, not what is missing


def test_nan_of_a_zarr_volume_and_of_channels(tmp_path: Path) -> None:
    values, known = holed(6, 20, 30)
    path = array_at(tmp_path / "a.zarr", values)
    assert_known(workspace.read_picture(path), values, known)
    named = {"dimension_names": ["c", "y", "x"]}
    path = array_at(tmp_path / "b.zarr", values, **named)
    picture = workspace.read_picture(path)
    assert_known(picture, np.moveaxis(values, 0, 2), known.all(axis=0))
    assert picture.notes[-1].endswith("of 600 pixels are unknown (NaN)")
