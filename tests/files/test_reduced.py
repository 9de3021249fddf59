"""Images that are too large for the memory: refused with the reason, or read reduced."""

from pathlib import Path

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz.files import memory
from latviz.files.errors import ImageError
from latviz.files.images import read_image
from latviz.files.pixels import shrunk

rng = np.random.default_rng(41)


def plain_means(samples: np.ndarray, k: int) -> np.ndarray:
    height, width = samples.shape[:2]
    out = np.empty((-(-height // k), -(-width // k), *samples.shape[2:]))
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            square = samples[row * k : (row + 1) * k, column * k : (column + 1) * k]
            out[row, column] = square.mean(axis=(0, 1), dtype=np.float64)
    return out if samples.dtype.kind == "f" else np.rint(out)


@pytest.mark.parametrize("shape", [(8, 8), (9, 7), (1, 5), (13, 6, 3), (3, 3, 1)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("k", [2, 4, 16])
def test_shrunk_is_the_mean_of_squares(shape: tuple[int, ...], dtype: type, k: int) -> None:
    samples = rng.integers(0, 256, shape).astype(dtype)
    found = shrunk(samples, k)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, plain_means(samples, k), rtol=1e-6, atol=0.0)


@pytest.mark.parametrize("suffix", ["png", "tif", "npy", "bmp"])
@pytest.mark.parametrize("k", [2, 8])
def test_reading_reduced(tmp_path: Path, suffix: str, k: int) -> None:
    pixels = rng.integers(0, 256, (45, 70, 3)).astype(np.uint8)
    path = tmp_path / f"a.{suffix}"
    if suffix == "tif":
        tifffile.imwrite(path, pixels, photometric="rgb")
    elif suffix == "npy":
        np.save(path, pixels)
    else:
        Image.fromarray(pixels).save(path)
    image = read_image(path, reduction=k)
    np.testing.assert_array_equal(image.pixels, plain_means(pixels, k))
    assert f"reduced to 1/{k} of its width and height" in image.notes


@pytest.mark.parametrize("k", [2, 4, 8, 16, 32])
@pytest.mark.parametrize("size", [(160, 128), (161, 131), (40, 500)])
def test_a_reduced_jpeg_has_the_same_size_and_nearly_the_same_values(tmp_path, k, size) -> None:
    height, width = size
    ramp = np.add.outer(np.arange(height), np.arange(width)) * 255 // (height + width)
    Image.fromarray(ramp.astype(np.uint8)).save(tmp_path / "a.jpg", quality=95)
    whole = read_image(tmp_path / "a.jpg").pixels
    found = read_image(tmp_path / "a.jpg", reduction=k).pixels
    expected = plain_means(whole, k)
    assert found.shape == expected.shape
    inner = expected[: height // k, : width // k]
    np.testing.assert_allclose(found[: height // k, : width // k], inner, rtol=0.0, atol=4.0)


def test_labels_are_picked_not_averaged(tmp_path: Path) -> None:
    indices = rng.integers(0, 4, (20, 30)).astype(np.uint8)
    image = Image.fromarray(indices)
    image.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    image.save(tmp_path / "a.png")
    found = read_image(tmp_path / "a.png", reduction=4).indices
    np.testing.assert_array_equal(found, indices[2::4, 2::4])


def test_orientation_follows(tmp_path: Path) -> None:
    pixels = rng.integers(0, 256, (16, 24)).astype(np.uint8)
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(pixels).save(tmp_path / "a.png", exif=exif)
    found = read_image(tmp_path / "a.png", reduction=2).pixels
    np.testing.assert_array_equal(found, np.rot90(plain_means(pixels, 2), -1))


def test_what_does_not_fit_names_what_would(tmp_path, monkeypatch) -> None:
    Image.new("L", (1000, 800), 7).save(tmp_path / "a.png")
    monkeypatch.setattr(memory, "available", lambda: 350_000 * (memory.EXPLORED + 1))
    with pytest.raises(ImageError, match="350,000 that can be explored in the memory") as caught:
        read_image(tmp_path / "a.png")
    assert caught.value.reduction == 2
    assert "1/2" in caught.value.reason


def test_what_can_be_read_but_not_explored_is_read_reduced(tmp_path, monkeypatch) -> None:
    Image.new("L", (1000, 800), 7).save(tmp_path / "a.png")
    taken = 1 + 1 + 1  # as Pillow has it, as an array, turned
    monkeypatch.setattr(memory, "available", lambda: int(900_000 * (taken + 1 / 16)))
    with pytest.raises(ImageError, match="that can be explored in the memory") as caught:
        read_image(tmp_path / "a.png")
    assert caught.value.reduction == 4
    assert read_image(tmp_path / "a.png", reduction=4).pixels.shape == (200, 250)
    monkeypatch.setattr(memory, "available", lambda: int(700_000 * (taken + 1 / 4)))
    with pytest.raises(ImageError, match="that can be read in the memory") as caught:
        read_image(tmp_path / "a.png", reduction=2)
    assert caught.value.reduction is None


def test_more_than_pillows_own_limit_can_be_read_reduced(tmp_path, monkeypatch) -> None:
    Image.new("1", (1640, 1100)).save(tmp_path / "a.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 890_000)  # of twice as many it makes an error
    with pytest.raises(Image.DecompressionBombError):
        Image.open(tmp_path / "a.png")
    assert read_image(tmp_path / "a.png", reduction=64).pixels.shape == (18, 26)
    assert Image.MAX_IMAGE_PIXELS == 890_000


def test_the_memory_that_is_available_is_told() -> None:
    assert 2**20 < memory.available() < 2**50
