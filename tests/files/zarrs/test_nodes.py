"""Folders of several arrays: those of bioformats2raw, plates, and groups of arrays."""

import json

import numpy as np
import pytest
import zarr

from latviz import workspace
from latviz.files.errors import ImageError
from latviz.files.levels import read_level
from latviz.files.pyramids import open_pyramid
from tests.files.test_pyramids import pixels
from tests.files.zarrs.cases import (
    FORMAT_2,
    array_2,
    array_3,
    group_2,
    group_3,
    multiscales,
    refusal,
)

IMAGE = {"multiscales": multiscales("tczyx")}


def five(folder, values):
    """Write an image of format 2 and its only level, of five axes."""
    made = zarr.create_array(
        str(group_2(folder, IMAGE) / "0"), shape=(1, 1, 1, *values.shape), chunks=(1, 1, 1, 16, 16),
        dtype="uint8", zarr_format=2,
    )  # fmt: skip
    made[:] = values[None, None, None]


def bioformats2raw(folder, n, listed=None):
    """Write series of 20 x 30 pixels in the groups 0, 1, ...; the group OME lists them."""
    group_2(folder, {"bioformats2raw.layout": 3})
    for k in range(n):
        five(folder / str(k), pixels((20, 30), k))
    if listed is not None:
        group_2(folder / "OME", {"series": listed})
    return folder


def plate(folder, fields):
    """Write a plate with some fields in wells, each 20 x 30 pixels."""
    wells = list(dict.fromkeys(well for well, _ in fields))
    group_2(folder, {"plate": {"wells": [{"path": one} for one in wells], "field_count": 1}})
    for well in wells:
        own = [field for one, field in fields if one == well]
        group_2(folder / well.split("/")[0])
        group_2(folder / well, {"well": {"images": [{"path": field} for field in own]}})
        for field in own:
            five(folder / well / field, pixels((20, 30), len(field)))
    return folder


@pytest.mark.parametrize("listed", [None, ["0"]])
def test_the_only_series_is_opened(tmp_path, listed):
    path = bioformats2raw(tmp_path / "a.zarr", 1, listed)
    assert np.array_equal(read_level(path).pixels, pixels((20, 30), 0))
    picture = workspace.read_pictures(path).picture
    assert (picture.name, picture.dimensions) == ("a.zarr", 2)
    assert np.array_equal(workspace.read_again([picture.origin]).picture.pixels, picture.pixels)
    (path / "0" / "0" / ".zarray").write_text(json.dumps({**FORMAT_2, "shape": [1, 1, 1, 8, 9]}))
    with pytest.raises(ImageError):
        workspace.read_again([picture.origin])


def test_several_series_are_named(tmp_path):
    path = bioformats2raw(tmp_path / "a.zarr", 3)
    wanted = "it holds several images; open one of them: a.zarr/0, a.zarr/1, a.zarr/2"
    assert wanted in refusal(path)
    assert np.array_equal(read_level(path / "2").pixels, pixels((20, 30), 2))
    listed = bioformats2raw(tmp_path / "b.zarr", 3, ["2"])
    assert np.array_equal(read_level(listed).pixels, pixels((20, 30), 2))


def test_the_only_field_of_a_plate_is_opened(tmp_path):
    path = plate(tmp_path / "a.zarr", [("B/3", "0")])
    assert np.array_equal(read_level(path).pixels, pixels((20, 30), 1))
    assert np.array_equal(read_level(path / "B" / "3").pixels, pixels((20, 30), 1))


def test_the_fields_of_a_plate_are_named(tmp_path):
    path = plate(tmp_path / "a.zarr", [("A/1", "0"), ("A/1", "1x"), ("B/2", "0")])
    wanted = "open one of them: a.zarr/A/1/0, a.zarr/A/1/1x, a.zarr/B/2/0"
    assert refusal(path).endswith(wanted)
    assert refusal(path / "A" / "1").endswith("open one of them: 1/0, 1/1x")
    many = plate(tmp_path / "b.zarr", [(f"A/{k}", "0") for k in range(12)])
    assert refusal(many).endswith("b.zarr/A/4/0, b.zarr/A/5/0, …")


def test_layouts_of_format_3(tmp_path):
    path = group_3(tmp_path / "a.zarr", {"ome": {"plate": {"wells": [{"path": "A/1"}]}}})
    group_3(path / "A" / "1", {"ome": {"well": {"images": [{"path": "f"}]}}})
    array_3(group_3(path / "A/1/f", {"ome": {"multiscales": multiscales()}}) / "0")
    assert read_level(path).pixels.shape == (8, 9)
    path = group_3(tmp_path / "b.zarr", {"ome": {"bioformats2raw.layout": 3}})
    array_3(group_3(path / "0", {"ome": {"multiscales": multiscales()}}) / "0")
    assert read_level(path).pixels.shape == (8, 9)


def test_arrays_of_a_group_are_named(tmp_path):
    path = group_2(tmp_path / "a.zarr")
    array_2(path / "raw")
    assert read_level(path).pixels.shape == (8, 9)
    array_2(path / "clean")
    assert refusal(path).endswith("open one of them: a.zarr/clean, a.zarr/raw")


@pytest.mark.parametrize(
    "attributes",
    [
        {"plate": None}, {"plate": {}}, {"plate": {"wells": 5}}, {"plate": {"wells": [5, {}]}},
        {"plate": {"wells": [{"path": 5}, {"path": "A/1"}, {"path": "B"}]}}, {"plate": []},
        {"well": {"images": [{"path": ["0"]}]}}, {"well": "x"}, {"bioformats2raw.layout": None},
        {"ome": {"plate": {"wells": {"path": "A/1"}}}}, {"ome": None}, {"multiscales": []},
    ],
)  # fmt: skip
def test_layouts_without_an_image_are_refused(tmp_path, attributes):
    path = group_2(tmp_path / "a.zarr", attributes)
    group_2(path / "B", {"well": {"images": 3}})
    assert "it is a zarr group without multiscales, and no image is found in it" in refusal(path)


@pytest.mark.parametrize(
    ("names", "axes"),
    [
        (["channel", "height", "width"], "cyx"), (["C", "Y", "X"], "cyx"),
        (["z", "y", "x"], "zyx"), (["Time", "y", "x"], "tyx"), (["band", "row", "col"], "cyx"),
    ],
)  # fmt: skip
def test_a_channel_that_has_a_name_is_no_slice(tmp_path, names, axes):
    grid = {"name": "regular", "configuration": {"chunk_shape": [1, 20, 30]}}
    new = array_3(tmp_path / "3.zarr", dimension_names=names, shape=[2, 20, 30], chunk_grid=grid)
    old = array_2(tmp_path / "2.zarr", shape=[2, 20, 30], chunks=[1, 20, 30])
    group_2(tmp_path / "at", {"_ARRAY_DIMENSIONS": names})
    (tmp_path / "at" / ".zattrs").rename(old / ".zattrs")
    for path in (new, old):
        (path / ("0.0" if path == old else "c/0/0")).unlink()
        assert open_pyramid(path).axes == axes
        assert not any("no names" in note for note in read_level(path).notes)


def test_axes_without_names_are_said(tmp_path):
    path = array_2(tmp_path / "a.zarr", shape=[2, 20, 30], chunks=[1, 20, 30])
    (path / "0.0").unlink()
    assert read_level(path).notes == ("its axes have no names and are taken as z, y, x",)
    assert read_level(array_2(tmp_path / "b.zarr")).notes == ()


def test_the_type_of_an_axis_counts_more_than_its_name(tmp_path):
    said = multiscales("zyx")
    said[0]["axes"][0]["type"] = "channel"
    path = group_2(tmp_path / "a.zarr", {"multiscales": said})
    array_2(path / "0", shape=[2, 20, 30], chunks=[2, 20, 30])
    (path / "0" / "0.0").unlink()
    assert open_pyramid(path).axes == "cyx"


def test_of_many_channels_one_is_read(tmp_path):
    """A chunk a channel, of which all but the first are damaged."""
    path = array_2(tmp_path / "a.zarr", shape=[8, 9, 200], chunks=[8, 9, 1])
    group_2(tmp_path / "at", {"_ARRAY_DIMENSIONS": ["y", "x", "c"]})
    (tmp_path / "at" / ".zattrs").rename(path / ".zattrs")
    (path / "0.0").unlink()
    for k in range(200):
        (path / f"0.0.{k}").write_bytes(bytes(range(72)) if k == 0 else b"damaged")
    found = read_level(path, {"c": (0,)})
    assert np.array_equal(found.pixels.reshape(-1), range(72))
    assert "channel 1 of 200" in found.notes[-1]
