"""Label images as other programs read them."""

from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
import PIL.Image
import pytest
import skimage.io
import tifffile

from latviz.files.label_maps import LabelMap, place_of, write_label_tiff, write_layer_tiff
from latviz.files.units import full_name

COLORS = np.array([[255, 0, 0], [0, 128, 64], [9, 8, 7]], np.uint8)
NAMES = ("1", "Wald und Höhe", "µ-phase")


def some_labels(shape: tuple[int, ...], unit: str = "") -> LabelMap:
    labels = np.random.default_rng(1).integers(0, 4, shape).astype(np.uint8)
    return LabelMap(labels, COLORS, NAMES, (5.0, 0.25, 0.5)[-len(shape) :], unit)


@pytest.mark.parametrize("shape", [(20, 30), (1, 50), (6, 20, 30), (5, 7, 9)])
@pytest.mark.parametrize("name", ["a.tif", "a.ome.tif"])
def test_other_packages_read_the_same_values(tmp_path, name, shape) -> None:
    path, found = tmp_path / name, some_labels(shape)
    write_label_tiff(path, found)
    for read in (tifffile.imread, imageio.imread, skimage.io.imread):
        np.testing.assert_array_equal(read(path), found.labels, str(read))
    with PIL.Image.open(path) as image:  # grey: a palette would be read as colours
        assert image.mode == "L"
        np.testing.assert_array_equal(np.asarray(image), found.labels.reshape(-1, *shape[-2:])[0])
    with tifffile.TiffFile(path) as file:
        assert file.series[0].axes == "ZYX"[3 - len(shape) :]
        table = file.pages[0].tags[320].value
        np.testing.assert_array_equal(np.reshape(table, (3, 256))[:, 1:4].T, COLORS * np.int64(257))


@pytest.mark.parametrize("shape", [(20, 30), (6, 20, 30)])
def test_layers_are_channels(tmp_path: Path, shape: tuple[int, ...]) -> None:
    layers = np.random.default_rng(1).random((*shape, 3), np.float32)
    write_layer_tiff(tmp_path / "a.tif", layers, some_labels(shape, "mm"))
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        assert file.series[0].axes == "ZCYX"[3 - len(shape) :]
        np.testing.assert_array_equal(np.moveaxis(file.asarray(), -3, -1), layers)
        assert file.imagej_metadata["Labels"][:3] == [*NAMES]
        assert file.imagej_metadata["unit"] == "mm"


def test_names_and_sizes_are_those_of_imagej_and_of_ome(tmp_path: Path) -> None:
    found = some_labels((4, 20, 30), "micron")
    write_label_tiff(tmp_path / "a.tif", found)
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        facts, tags = file.imagej_metadata, file.pages[0].tags
        assert (facts["slices"], facts["spacing"], facts["unit"]) == (4, 5.0, "um")
        assert facts["Info"] == "0: unknown\n1: 1\n2: Wald und Höhe\n3: µ-phase"
        assert (tags["XResolution"].value, tags["YResolution"].value) == ((2, 1), (4, 1))
    write_label_tiff(tmp_path / "a.ome.tif", found)
    text = tifffile.tiffcomment(tmp_path / "a.ome.tif")
    for words in ('X="0.5"', 'Y="0.25"', 'Z="5.0"', *(f'{axis}Unit="µm"' for axis in "XYZ")):
        assert f"PhysicalSize{words}" in text
    assert "2: Wald und Höhe" in text
    write_label_tiff(tmp_path / "b.ome.tif", some_labels((20, 30)))
    assert "PhysicalSize" not in tifffile.tiffcomment(tmp_path / "b.ome.tif")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((text, "micrometer") for text in ("um", "\u03bcm", "\u00b5m", "Microns", "micrometre")),
        *(("metres", "meter"), ("mm", "millimeter"), ("Å", "angstrom"), ("pixel", ""), ("", "")),
    ],
)
def test_units_are_known_by_their_usual_names(text: str, name: str) -> None:
    assert full_name(text) == name


def tags_of(path: Path) -> dict[int, Any]:
    with tifffile.TiffFile(path) as file:
        return {tag.code: tag.value for tag in file.pages[0].tags}


def world_of(path: Path, column: float, row: float) -> tuple[float, float]:
    """Return the coordinates of a corner of pixels, by the definitions of GeoTIFF."""
    tags = tags_of(path)
    is_point = 2 in np.reshape(tags[34735], (-1, 4))[1:, 3]
    i, j = (column - 0.5, row - 0.5) if is_point else (column, row)
    if 34264 in tags:
        m = np.reshape(tags[34264], (4, 4))
        return m[0, 0] * i + m[0, 1] * j + m[0, 3], m[1, 0] * i + m[1, 1] * j + m[1, 3]
    (x_scale, y_scale, _), tie = tags[33550], tags[33922]
    return tie[3] + (i - tie[0]) * x_scale, tie[4] - (j - tie[1]) * y_scale


@pytest.mark.parametrize("reduction", [1, 4])
@pytest.mark.parametrize("raster_type", [1, 2])
@pytest.mark.parametrize("by", ["scale", "matrix"])
def test_a_map_lies_where_its_geotiff_does(tmp_path, by, raster_type, reduction) -> None:
    keys = [1, 1, 0, 2, 1025, 0, 1, raster_type, 1026, 34737, 10, 0]
    tags = [(34735, 3, 12, keys, True), (34737, 2, 0, "UTM zone 1|", True)]
    if by == "scale":
        tags += [(33550, 12, 3, (10.0, 20.0, 0.0), True)]
        tags += [(33922, 12, 6, (3.0, 2.0, 0.0, 5e5, 4e6, 0.0), True)]
    else:
        matrix = [8.0, 3.0, 0.0, 5e5, 2.0, -9.0, 0.0, 4e6, *[0.0] * 8]
        tags += [(34264, 12, 16, matrix, True)]
    source, out = tmp_path / "a.tif", tmp_path / "b.tif"
    tifffile.imwrite(source, np.zeros((30, 41), np.uint8), photometric="minisblack", extratags=tags)
    shape = -(-30 // reduction), -(-41 // reduction)
    found = some_labels(shape)
    write_label_tiff(out, found, place_of(source, shape, reduction))
    for column, row in ((0, 0), (5, 0), (2, 7)):
        place = world_of(source, column * reduction, row * reduction)
        assert world_of(out, column, row) == pytest.approx(place, rel=1e-12)
    written = tags_of(out)
    assert (written[34737], written[42113]) == ("UTM zone 1|", "0")
    np.testing.assert_array_equal(tifffile.imread(out), found.labels)
    assert place_of(source, (7, 7)) == ()  # the file was replaced
    assert place_of(tmp_path / "none.tif", shape) == ()
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    assert place_of(tmp_path / "a.png", shape) == ()
