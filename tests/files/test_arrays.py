"""Arrays in .npy files as images: shapes, types, alpha."""

import tracemalloc
from functools import partial

import numpy as np
import pytest

from latviz.core.axes import COLOUR, roles_of
from latviz.files.images import ImageError, read_image, read_lattice
from tests.files.test_images import PARTLY, assert_is, noise, on_white

read_volume = partial(read_lattice, roles={"volume": "lattice"})

rng = np.random.default_rng(24)


def read_npy(tmp_path, array):
    path = tmp_path / "array.npy"
    np.save(path, array)
    return read_image(path)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_npy_of_integers_that_fit(tmp_path, dtype):
    array = rng.integers(0, min(np.iinfo(dtype).max, 65535), (5, 7)).astype(dtype)
    kept = np.uint8 if dtype is np.int8 else np.uint16
    image = read_npy(tmp_path, array)
    assert_is(image, array.astype(kept))
    assert image.notes == (f"{array.dtype} kept as {np.dtype(kept)}",)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0, 65536]], np.int32),
        np.array([[-1, 3]], np.int8),
        np.array([[2**63, 0]], np.uint64),
    ],
)
def test_npy_of_integers_that_do_not_fit(tmp_path, array):
    image = read_npy(tmp_path, array)
    assert_is(image, array.astype(np.float32))
    expected = f"{array.dtype} from {array.min()} to {array.max()} turned into float32"
    assert image.notes == (expected,)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_npy_with_alpha(tmp_path, dtype):
    array = noise(5, 7, 4, dtype=dtype)
    path = tmp_path / "array.npy"
    np.save(path, array)
    assert_is(read_lattice(path, {"c": COLOUR}), on_white(array))
    np.save(path, array.astype(np.int64))
    assert_is(read_lattice(path, {"c": COLOUR}), on_white(array).astype(np.uint16))


def test_npy_of_floats_with_alpha(tmp_path):
    array = rng.random((5, 7, 4), dtype=np.float32)
    alpha = array[..., 3:].astype(float)
    np.save(tmp_path / "array.npy", array)
    image = read_lattice(tmp_path / "array.npy", {"c": COLOUR})
    expected = array[..., :3] * alpha + (1 - alpha)
    np.testing.assert_allclose(image.pixels, expected, rtol=0, atol=1e-6)
    assert image.pixels.dtype == np.float32
    assert image.notes[-1].startswith(PARTLY)


@pytest.mark.parametrize("shape", [(30, 40, 2), (80, 64, 5), (80, 64, 16), (1, 30, 40, 2)])
def test_channels_are_pages_not_columns_of_slices(tmp_path, shape):
    array = rng.integers(0, 255, shape).astype(np.uint8)
    path = tmp_path / "array.npy"
    np.save(path, array)
    array = array.reshape(shape[-3:])
    for page in range(shape[-1]):
        file = read_image(path, page=page)
        assert_is(file, array[..., page])
        assert file.pages == shape[-1]
        assert f"channel {page + 1} of {shape[-1]}" in file.notes


@pytest.mark.parametrize(
    ("shape", "axis"), [((3, 30, 40), "first"), ((2, 30, 40), "first"), ((99, 80, 19), "last")]
)
def test_a_volume_that_may_be_channels_says_so(tmp_path, shape, axis):
    np.save(tmp_path / "array.npy", rng.integers(0, 9, shape).astype(np.uint8))
    path = tmp_path / "array.npy"
    (note,) = read_volume(path).notes
    assert f"{shape[0]} slices of {shape[2]} × {shape[1]}" in note
    role = {"first": "z=vector", "last": "c=vector"}[axis]
    assert role in note
    file = read_lattice(path, roles_of(role))
    where = 0 if axis == "first" else 2
    np.testing.assert_array_equal(file.pixels, np.moveaxis(np.load(path), where, -1))
    assert len(file.channels) == shape[where]


def test_a_header_of_gigabytes_is_not_read(tmp_path):
    path = tmp_path / "a.npy"
    with path.open("wb") as stream:
        stream.write(b"\x93NUMPY\x02\x00" + (2**28).to_bytes(4, "little"))
        stream.truncate(2**29)  # of zeros that take no room on the disk
    for read in (read_image, read_volume):
        tracemalloc.start()
        with pytest.raises(ImageError, match="damaged, cut off or of an unknown variant"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 2**20
        tracemalloc.stop()


@pytest.mark.parametrize("opacity", [-0.5, 1.5, 255.0])
def test_an_opacity_beyond_its_range_is_refused(tmp_path, opacity):
    array = rng.random((5, 7, 4))
    array[2, 3, 3] = opacity
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(ImageError, match="alpha channel runs from"):
        read_lattice(tmp_path / "a.npy", {"c": COLOUR})
