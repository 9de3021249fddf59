"""Zarr arrays and OME-Zarr images, of both formats of zarr and all versions of the attributes."""

import json

import numpy as np
import pytest
import zarr

from latviz.files.errors import ImageError
from latviz.files.pyramids import metadata, open_pyramid


def pixels(shape, seed=1):
    return np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)


def array_at(path, values, zarr_format=3, side=16, **more):
    made = zarr.create_array(
        str(path), shape=values.shape, chunks=tuple(min(n, side) for n in values.shape),
        dtype=values.dtype, zarr_format=zarr_format, **more,
    )  # fmt: skip
    made[:] = values
    return path


def image_at(path, values, attributes, zarr_format=3, n_levels=3):
    """Write levels, each of every second pixel of the one before, and attributes."""
    group = zarr.create_group(str(path), zarr_format=zarr_format, attributes=attributes)
    for k in range(n_levels):
        level = values[..., :: 2**k, :: 2**k]
        made = group.create_array(
            f"s{k}", shape=level.shape, dtype=level.dtype,
            chunks=tuple(min(n, 16) for n in level.shape),
        )  # fmt: skip
        made[:] = level
    return path


def multiscales(axes, n_levels=3, scale=0.5):
    levels = [
        {
            "path": f"s{k}",
            "coordinateTransformations": [{"type": "scale", "scale": [scale * 2**k] * 5}],
        }
        for k in range(n_levels)
    ]
    return [{"name": "slide", "axes": axes, "datasets": levels}]


NAMED = [{"name": name, "type": "?"} for name in "tczyx"]
VERSIONS = {
    "0.5": (3, {"ome": {"version": "0.5", "multiscales": multiscales(NAMED)}}),
    "0.4": (2, {"multiscales": [{**multiscales(NAMED)[0], "version": "0.4"}]}),
    "0.3": (2, {"multiscales": multiscales(list("tczyx"))}),
    "0.1": (2, {"multiscales": [{"datasets": multiscales(())[0]["datasets"]}]}),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_of_the_attributes_is_read(tmp_path, version):
    zarr_format, attributes = VERSIONS[version]
    values = pixels((2, 3, 1, 40, 50))
    found = open_pyramid(image_at(tmp_path / "a.zarr", values, attributes, zarr_format))
    assert found.zarr_format == zarr_format
    assert (found.axes, found.lattice_axes, found.n_times, found.n_channels) == (
        "tczyx", "yx", 2, 3,
    )  # fmt: skip
    assert [found.shape(k) for k in range(3)] == [(40, 50), (20, 25), (10, 13)]
    assert found.scale(1) == (1.0, 1.0)
    assert found.chunks(0) == (16, 16)
    wanted = values[1, :, 0].transpose(1, 2, 0)
    assert np.array_equal(found.read(0, time=1), wanted)
    part = slice(5, 30), slice(7, 9)
    assert np.array_equal(found.read(0, part, time=1), wanted[part])
    assert np.array_equal(found.read(2), values[0, :, 0, ::4, ::4].transpose(1, 2, 0))


@pytest.mark.parametrize("zarr_format", [2, 3])
@pytest.mark.parametrize(
    ("shape", "axes", "lattice"),
    [
        ((30,), "x", (30,)),
        ((20, 30), "yx", (20, 30)),
        ((20, 30, 3), "yxc", (20, 30)),
        ((5, 20, 30), "zyx", (5, 20, 30)),
        ((5, 20, 30, 3), "zyxc", (5, 20, 30)),
        ((1, 2, 1, 20, 30), "tczyx", (20, 30)),
    ],
)
def test_arrays_alone_have_the_axes_that_their_shape_tells(
    tmp_path, zarr_format, shape, axes, lattice
):
    values = pixels(shape)
    found = open_pyramid(array_at(tmp_path / "a.zarr", values, zarr_format))
    assert (found.axes, found.shape(0), found.dimensions) == (axes, lattice, len(lattice))
    own = values[0, :, 0].transpose(1, 2, 0) if len(shape) == 5 else values
    assert np.array_equal(found.read(0), own)


def test_names_of_axes_count(tmp_path):
    path = array_at(tmp_path / "a.zarr", pixels((3, 20, 30)), dimension_names=("c", "y", "x"))
    found = open_pyramid(path)
    assert (found.axes, found.n_channels, found.shape(0)) == ("cyx", 3, (20, 30))


@pytest.mark.parametrize(
    ("dtype", "kept"),
    [("bool", "uint8"), ("uint8", "uint8"), ("uint16", "uint16"), (">u2", "uint16"),
     ("float32", "float32"), ("int16", "float32"), ("uint32", "float32"), ("float64", "float32")],
)  # fmt: skip
def test_types_become_those_of_images(tmp_path, dtype, kept):
    values = (pixels((8, 9)) % 2).astype(dtype)
    found = open_pyramid(array_at(tmp_path / "a.zarr", values, 2)).read(0)
    assert found.dtype == kept
    assert np.array_equal(found, values.astype(kept))


def test_the_level_that_fits(tmp_path):
    attributes = VERSIONS["0.5"][1]
    found = open_pyramid(image_at(tmp_path / "a.zarr", pixels((1, 1, 1, 40, 50)), attributes))
    assert [found.level_for(n) for n in (9999, 2000, 1999, 500, 130, 1)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_attributes_that_are_written_are_read(tmp_path, zarr_format):
    said = metadata("states", "yx", [(0.5, 0.25), (1.0, 0.5)], zarr_format)
    json.dumps(said)
    values = pixels((30, 40))
    group = zarr.create_group(str(tmp_path / "a.zarr"), zarr_format=zarr_format, attributes=said)
    for k in range(2):
        level = values[:: 2**k, :: 2**k]
        group.create_array(str(k), shape=level.shape, dtype="uint8")[:] = level
    found = open_pyramid(tmp_path / "a.zarr")
    assert (found.name, found.axes, found.scales) == ("states", "yx", ((0.5, 0.25), (1.0, 0.5)))


def test_what_is_no_image_is_refused_in_one_line(tmp_path):
    def refusal(path):
        with pytest.raises(ImageError) as caught:
            open_pyramid(path)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "no such file" in refusal(tmp_path / "none.zarr")
    (tmp_path / "empty.zarr").mkdir()
    assert "neither a zarr array" in refusal(tmp_path / "empty.zarr")
    zarr.create_group(str(tmp_path / "bare.zarr"))
    assert "without multiscales" in refusal(tmp_path / "bare.zarr")
    six = array_at(tmp_path / "six.zarr", pixels((1, 1, 1, 1, 4, 4)))
    assert "axes must be some of t, c, z, y, x" in refusal(six)
    turned = array_at(tmp_path / "t.zarr", pixels((4, 5)), dimension_names=("x", "y"))
    assert "in this order" in refusal(turned)
    (tmp_path / "text.zarr").mkdir()
    (tmp_path / "text.zarr" / "zarr.json").write_text("{")
    assert "zarr.json is not JSON" in refusal(tmp_path / "text.zarr")
    lost = image_at(tmp_path / "lost.zarr", pixels((1, 1, 1, 8, 8)), VERSIONS["0.5"][1], n_levels=2)
    assert "its level s2 must be an array, but there is none" in refusal(lost)


def test_a_damaged_chunk_is_named(tmp_path):
    path = array_at(tmp_path / "a.zarr", pixels((32, 32)))
    for chunk in (path / "c").rglob("*"):
        if chunk.is_file():
            chunk.write_bytes(b"no chunk")
    with pytest.raises(ImageError, match=r"its chunk c/0/[01] is damaged"):
        open_pyramid(path).read(0)
