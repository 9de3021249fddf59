"""Volumes from pages and from arrays."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz.files import memory
from latviz.files.errors import ImageError
from latviz.files.images import read_image, read_lattice
from latviz.workspace import read_again, read_from, read_picture

read_volume = partial(read_lattice, roles={"volume": "lattice"})

rng = np.random.default_rng(31)


def stack(dtype: Any = np.uint8, shape: tuple[int, ...] = (5, 6, 7)) -> np.ndarray:
    return (200 * rng.random(shape)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(5, 6, 7), (5, 6, 7, 3)])
def test_pages_are_slices(tmp_path: Path, dtype: Any, shape: tuple[int, ...]) -> None:
    values, path = stack(dtype, shape), tmp_path / "stack.tif"
    photometric = "rgb" if len(shape) == 4 else "minisblack"
    with tifffile.TiffWriter(path) as tif:
        for page in values:
            tif.write(page, photometric=photometric, metadata=None)
    file = read_volume(path)
    np.testing.assert_array_equal(file.pixels, values)
    assert file.pixels.dtype == dtype
    assert not file.pixels.flags.writeable
    assert file.notes == ()
    assert [(axis.name, axis.length) for axis in file.axes if not axis.of_samples] == [("page", 5)]
    np.testing.assert_array_equal(read_image(path, page=2).pixels, values[2])
    picture = read_picture(path, "volume=lattice")
    assert (picture.dimensions, picture.shape) == (3, (5, 6, 7))
    assert read_picture(path, picture.origin["axes"]).shape == (5, 6, 7)
    np.testing.assert_array_equal(read_picture(path).pixels, values[0])


def test_each_slice_is_reduced(tmp_path: Path) -> None:
    values, path = stack(shape=(3, 9, 12)), tmp_path / "stack.tif"
    tifffile.imwrite(path, values, photometric="minisblack")
    file = read_volume(path, reduction=2)
    assert file.pixels.shape == (3, 5, 6)
    assert file.pixels[1, 0, 0] == np.rint(values[1, :2, :2].mean())
    assert file.notes == ("reduced to 1/2 of its width and height",)


def test_pages_of_several_depths_take_the_widest(tmp_path: Path) -> None:
    path = tmp_path / "stack.tif"
    with tifffile.TiffWriter(path) as tif:
        tif.write(np.full((4, 5), 300, np.uint16), metadata=None)
        tif.write(np.full((4, 5), 0.5, np.float32), metadata=None)
    file = read_volume(path)
    assert file.pixels.dtype == np.float32
    np.testing.assert_array_equal(file.pixels[:, 0, 0], np.float32([300, 0.5]))


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        ((5, 6, 7), True),
        ((5, 6, 2), False),
        ((1, 6, 7), False),
        ((1, 5, 6, 3), False),
        ((64, 72, 8), False),
        ((64, 72, 17), True),
        ((5, 6, 7, 1), True),
        ((5, 6, 7, 3), True),
        ((5, 6, 3), False),
        ((5, 6, 1), False),
        ((5, 6, 4), False),
        ((5, 6), False),
        ((5,), False),
    ],
)
def test_arrays_that_can_be_no_image_are_volumes(tmp_path, shape, volume) -> None:
    path = tmp_path / "array.npy"
    np.save(path, stack(np.float32, shape))
    picture = read_picture(path)
    assert (picture.dimensions == 3) == volume
    if volume:
        np.testing.assert_array_equal(picture.pixels, np.load(path).reshape(picture.pixels.shape))
        assert picture.shape == shape[:3]


def test_an_array_of_three_columns_is_a_volume_if_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, stack(np.uint8, (5, 6, 3)))
    assert read_picture(path).shape == (5, 6)
    picture = read_picture(path, "volume=lattice")
    assert picture.shape == (5, 6, 3)


def test_arrays_of_other_types_are_converted_together(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    values = stack(np.int64) - 100
    np.save(path, np.asfortranarray(values))
    file = read_volume(path, reduction=1)
    assert file.pixels.dtype == np.float32
    np.testing.assert_array_equal(file.pixels, values)
    assert file.notes[1:] == (f"int64 from {values.min()} to {values.max()} turned into float32",)


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(ImageError) as caught:
        read_volume(path, **options)
    assert str(caught.value).startswith(f"{path.name}: ")
    return caught.value.reason


def test_what_is_no_volume_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "uneven.tif"
    with tifffile.TiffWriter(path) as tif:
        for width in (5, 5, 6):
            tif.write(np.zeros((4, width), np.uint8), metadata=None)
    assert "its plane 2 has shape (4, 6), but the first has (4, 5)" in refusal(path)
    path = tmp_path / "one.tif"
    tifffile.imwrite(path, np.zeros((4, 5), np.uint8))
    assert "one plane of pixels, so it is not a volume" in refusal(path)
    path = tmp_path / "photo.png"
    Image.fromarray(np.zeros((4, 5), np.uint8)).save(path)
    assert "one plane of pixels, so it is not a volume" in refusal(path)
    path = tmp_path / "array.npy"
    np.save(path, np.zeros((4, 5), np.uint8))
    assert "one plane of pixels" in refusal(path)
    np.save(path, np.zeros((2, 3, 4, 5, 3), np.uint8))
    assert "a volume has slices before these" in refusal(path)
    np.save(path, np.full((2, 3, 4), np.nan))
    assert "nothing is known of its 24 voxels (NaN)" in refusal(path)
    np.save(path, np.array([None]), allow_pickle=True)
    assert "never loaded" in refusal(path)
    (tmp_path / "cut.tif").write_bytes(b"II*\0\x10")
    assert "TIFF" in refusal(tmp_path / "cut.tif")
    assert "there is no such file" in refusal(tmp_path / "missing.tif")


def test_a_volume_must_fit_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "stack.tif"
    tifffile.imwrite(path, stack(shape=(8, 20, 20)), photometric="minisblack")
    monkeypatch.setattr(memory, "available", lambda: 8 * 20 * 20 * 17)
    with pytest.raises(ImageError) as caught:
        read_volume(path)
    assert "8 slices of 20 × 20 pixels" in caught.value.reason
    assert caught.value.reduction == 2
    assert read_volume(path, reduction=2).pixels.shape == (8, 10, 10)
    assert read_image(path).pixels.shape == (20, 20)


def test_the_images_of_a_folder_are_slices(tmp_path: Path) -> None:
    """In natural order, without label images; the whole folder is what a session keeps."""
    values = stack(shape=(3, 6, 7))
    for name, pixels in zip((2, 9, 10), values, strict=True):
        Image.fromarray(pixels).save(tmp_path / f"s{name}.png")
    Image.fromarray(values[0]).save(tmp_path / "s2.labels.png")
    (tmp_path / "notes.txt").write_text("ACGT")
    picture = read_picture(tmp_path, "volume=lattice")
    np.testing.assert_array_equal(picture.pixels, values)
    assert (picture.name, picture.origin["axes"]) == (tmp_path.name, "z=lattice")
    np.testing.assert_array_equal(read_picture(tmp_path, "z=2").pixels, values[2])
    again = [read_from(picture.origin).pixels, read_again([picture.origin]).picture.pixels]
    np.testing.assert_array_equal(again, [values, values])
    Image.fromarray(values[1]).save(tmp_path / "s2.png")
    with pytest.raises(ImageError, match="it has changed since"):
        read_from(picture.origin)
    Image.fromarray(values[1, 1:]).save(tmp_path / "s9.png")
    assert "needs equal planes" in refusal(tmp_path)
    (tmp_path / "s10.png").write_bytes(b"GIF89a")
    (tmp_path / "s9.png").unlink()
    with pytest.raises(ImageError, match=r"^s10.png: "):
        read_volume(tmp_path)
