"""JPEG 2000, AVIF and TGA: depth and transparency that Pillow is silent about, missing codecs."""

import io
import struct
from pathlib import Path

import numpy as np
import PIL.features
import PIL.Image
import pytest
from PIL import Image

from latviz.files import raster
from latviz.files.decoding import DecodedFile
from latviz.files.errors import ImageError
from latviz.files.images import ImageFile, read_image

rng = np.random.default_rng(36)


def read(folder: Path, content: bytes, name: str = "a") -> ImageFile:
    path = folder / name
    path.write_bytes(content)
    return read_image(path)


def saved(values: np.ndarray, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(values).save(stream, kind, **options)
    return stream.getvalue()


@pytest.mark.parametrize("no_jp2", [False, True])
def test_jpeg_2000_keeps_16_bits_of_grey(tmp_path: Path, no_jp2: bool) -> None:
    grey = rng.integers(0, 65536, (20, 30)).astype(np.uint16)
    file = read(tmp_path, saved(grey, "JPEG2000", no_jp2=no_jp2))
    assert file.pixels.dtype == np.uint16
    np.testing.assert_array_equal(file.pixels, grey)
    assert file.notes == ()


def test_jpeg_2000_of_deep_colour_says_that_it_is_reduced(tmp_path: Path) -> None:
    colours = rng.integers(0, 256, (20, 30, 3)).astype(np.uint8)
    content = bytearray(saved(colours, "JPEG2000", no_jp2=True))
    np.testing.assert_array_equal(read(tmp_path, bytes(content)).pixels, colours)
    for channel in range(3):  # the header gives 12 bits, which are cut to 8
        content[42 + 3 * channel] = 11
    assert "reduced from 12 to 8 bits per channel" in read(tmp_path, bytes(content)).notes


def test_avif_of_more_bits_says_that_it_is_reduced(tmp_path: Path) -> None:
    content = saved(rng.integers(0, 256, (16, 16, 3)).astype(np.uint8), "AVIF")
    assert read(tmp_path, content).notes == ()
    for flag, bits in ((0x40, 10), (0x60, 12)):
        head = bytearray(content)
        head[head.find(b"av1C") + 6] |= flag
        image = DecodedFile(np.zeros((2, 2, 3), np.uint8))
        found = raster.by_header(image, bytes(head), "AVIF")
        assert found.notes == (f"reduced from {bits} to 8 bits per channel",)


@pytest.mark.parametrize("attributes", [0, 8])
def test_the_fourth_channel_of_tga_is_what_its_header_says(tmp_path, attributes) -> None:
    values = rng.integers(0, 256, (4, 5, 4)).astype(np.uint8)
    values[..., 3] = 0
    values[1:, :, 3] = 255
    head = struct.pack("<3B5x4HBB", 0, 0, 2, 0, 0, 5, 4, 32, 0x20 | attributes)
    file = read(tmp_path, head + values[..., [2, 1, 0, 3]].tobytes(), "a.TGA")
    if attributes:
        np.testing.assert_array_equal(file.known, values[..., 3] > 0)
    else:
        np.testing.assert_array_equal(file.pixels, values[..., :3])
        assert file.known is None
    assert len(file.notes) == 1


@pytest.mark.parametrize("kind", ["JPEG2000", "WEBP", "AVIF"])
def test_a_codec_that_is_missing_is_named(tmp_path, kind, monkeypatch) -> None:
    content = saved(np.zeros((8, 8, 3), np.uint8), kind)
    with monkeypatch.context() as patched:
        patched.setattr(PIL.features, "check", lambda _: False)
        with pytest.raises(ImageError, match=rf"a {kind} file, which this copy of Pillow"):
            read(tmp_path, content)
    monkeypatch.delitem(PIL.Image.OPEN, kind)  # as in a Pillow before that format
    with pytest.raises(ImageError, match="install a newer Pillow"):
        read(tmp_path, content)
