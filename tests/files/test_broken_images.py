"""Files that are not images, or damaged ones: only ImageError may be raised."""

import copy
import errno
import io
import logging
import os
import pickle
import stat
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from latviz.files.errors import ImageError
from latviz.files.images import read_image
from latviz.files.memory import MAX_PIXELS
from tests.files.makers import chunk, lzw_tiff, png, png_header, retagged
from tests.files.test_images import encoded, exif, frames, noise, smooth
from tests.files.test_tiff import tiff

rng = np.random.default_rng(22)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def palette_picture():
    picture = Image.frombytes("P", (24, 16), noise(16, 24).tobytes())
    picture.putpalette(noise(256, 3).tobytes())
    return picture


def animated(kind):
    first, *others = frames()
    return encoded(first, kind, save_all=True, append_images=others, lossless=True, duration=9)


COLOURS = Image.fromarray(smooth(16, 24))
SAMPLES = {
    "png": encoded(COLOURS, "PNG", exif=exif(6)),
    "png of 16 bits": png(noise(16, 24, 3, dtype=np.uint16), 2, filters=(4, 1)),
    "png palette": encoded(palette_picture(), "PNG", transparency=3),
    "png animation": animated("PNG"),
    "jpeg": encoded(COLOURS, "JPEG", exif=exif(3)),
    "jpeg progressive": encoded(COLOURS, "JPEG", progressive=True),
    "jpeg pictures": encoded(COLOURS, "MPO", save_all=True, append_images=[COLOURS]),
    "webp": encoded(COLOURS, "WEBP", exif=exif(8)),
    "webp lossless": encoded(COLOURS, "WEBP", lossless=True),
    "webp animation": animated("WEBP"),
    "bmp": encoded(COLOURS, "BMP"),
    "bmp palette": encoded(palette_picture(), "BMP"),
    "gif": encoded(palette_picture(), "GIF"),
    "gif animation": animated("GIF"),
    "tiff": tiff(noise(16, 24, 3), photometric="rgb"),
    "tiff of floats": tiff(rng.random((16, 24), dtype=np.float32)),
    "tiff deflated": tiff(noise(16, 24), compression="zlib", predictor=True, rowsperstrip=4),
    "tiff tiles": tiff(noise(40, 40, dtype=np.uint16), tile=(16, 16), bigtiff=True),
    "tiff pages": tiff(noise(3, 16, 24), photometric="minisblack"),
    "tiff lzw": lzw_tiff(noise(16, 24, 3, dtype=np.uint16), photometric="rgb"),
    "tiff bits": encoded(Image.fromarray(noise(16, 24) > 99), "TIFF", compression="group4"),
    "npy": npy(noise(16, 24)),
    "npy of floats": npy(rng.random((16, 24, 3))),
}


def assert_plain(error, path):
    assert error.path == path
    name = path.name.replace("\0", "\\x00")  # as a terminal can show it
    if len(name) > 100:
        name = f"{name[:50]}…{name[-49:]}"
    assert str(error) == f"{name}: {error.reason}"
    assert len(error.reason) > 20
    assert "\n" not in error.reason


def reason(path, page=0):
    with pytest.raises(ImageError) as caught:
        read_image(path, page=page)
    assert_plain(caught.value, path)
    return caught.value.reason


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_off(tmp_path, name):
    """If a file is still read, no pixel of the picture was missing."""
    data, path = SAMPLES[name], tmp_path / "cut"
    path.write_bytes(data)
    whole = read_image(path).pixels
    lengths = {*range(1, 40, 2), *np.linspace(40, len(data) - 1, 30).astype(int).tolist()}
    refused = 0
    for length in sorted(lengths):
        path.write_bytes(data[:length])
        try:
            pixels = read_image(path).pixels
        except ImageError as error:
            assert_plain(error, path)
            refused += 1
        else:
            np.testing.assert_array_equal(pixels, whole, err_msg=f"{name} cut at {length}")
    assert refused > 20


def test_flawed_photograph_keeps_its_pixels_or_is_refused(tmp_path):
    """A flipped bit in a PNG is noticed by its checksum."""
    data = bytearray(SAMPLES["png"])
    data[data.index(b"IDAT") + 30] ^= 4
    path = tmp_path / "a.png"
    path.write_bytes(data)
    assert "damaged" in reason(path)


def test_places_where_no_file_is(tmp_path):
    (tmp_path / "text").write_text("text")
    assert "no such file" in reason(tmp_path / "nothing.png")
    assert "it is a folder" in reason(tmp_path)
    assert "not a folder" in reason(tmp_path / "text" / "b.png")
    assert "cannot be the name of a file" in reason(tmp_path / "a\0b")
    assert "too long" in reason(tmp_path / ("a" * 5000))


def with_screen(gif, width, height):
    return gif[:6] + struct.pack("<HH", width, height) + gif[10:]


def at(array, *changes):
    """Return an array with other values at some places."""
    for place, value in changes:
        array[place] = value
    return array


NO_IMAGE = "not an image in a format that can be read"
REFUSED = [
    (b"", "the file is empty"),
    *((data, NO_IMAGE) for data in (b"Dear diary,\n" * 40, b"RIFF....", b"x")),
    (png_header(0, 5, 8, 0) + chunk(b"IDAT", zlib.compress(b"")), "damaged"),
    (npy(np.zeros((0, 5))), "5 × 0 pixels"),
    (retagged(tiff(noise(8, 9)), ImageWidth=0), "0 × 8 pixels"),
    (with_screen(SAMPLES["gif"], 65535, 65535), "65535 × 65535 pixels, more than"),
    (retagged(SAMPLES["tiff tiles"], TileWidth=2**20, TileLength=2**20), "too much to be read"),
    *(
        (npy(np.zeros(shape)), f"its array has shape {shape}")
        for shape in [(), (1,), (2, 3, 5, 7, 3)]
    ),
    (SAMPLES["npy"][:-4], "its array needs 384 bytes and 380 are there"),
    (tiff(np.zeros((5, 7), np.complex64)), "its values are of type complex64"),
    (npy(np.full((5, 7), np.inf)), "nothing is known of its 35 pixels (infinite)"),
    (npy(np.array([[1e300, 1.0], [-1e39, 2.0]])), "2 values too large for float32"),
]
"""Contents of refused files, and the messages."""


@pytest.mark.parametrize(("data", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_is_refused(tmp_path, data, said):
    (tmp_path / "a.png").write_bytes(data)
    assert said in reason(tmp_path / "a.png")


def test_text_that_begins_like_an_image(tmp_path):
    (tmp_path / "cars.txt").write_bytes(b"BMW and others\n" * 40)
    assert "not an image but a sequence" in reason(tmp_path / "cars.txt")


def test_permission(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, "Permission denied")

    path = tmp_path / "a.png"
    path.write_bytes(SAMPLES["png"])
    monkeypatch.setattr("latviz.core.disk.reading.os.open", refuse)
    assert "not permitted" in reason(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_permission_of_the_file_itself(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(SAMPLES["png"])
    path.chmod(stat.S_IWUSR)
    assert "not permitted" in reason(path)


def test_disk_errors_while_decoding(tmp_path, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "a.png"
    path.write_bytes(SAMPLES["png"])
    monkeypatch.setattr(Image.Image, "load", fail)
    assert "Input/output error" in reason(path)


@pytest.mark.parametrize("name", ["png", "tiff", "npy"])
def test_too_little_memory(tmp_path, monkeypatch, name):
    def fail(*args, **kwargs):
        raise MemoryError

    path = tmp_path / "a"
    path.write_bytes(SAMPLES[name])
    monkeypatch.setattr("PIL.Image.open", fail)
    monkeypatch.setattr("tifffile.TiffPage.asarray", fail)
    monkeypatch.setattr("numpy.lib.format.read_array", fail)
    assert "not enough memory" in reason(path)


def bomb(kind, width, height):
    if kind == "png":
        data = chunk(b"IDAT", zlib.compress(bytes(100)))
        return png_header(width, height, 8, 0) + data + chunk(b"IEND", b"")
    if kind == "bmp":
        data = bytearray(SAMPLES["bmp"])
        data[18:26] = struct.pack("<ii", width, height)
        return bytes(data)
    if kind == "tiff":
        return retagged(SAMPLES["tiff"], ImageWidth=width, ImageLength=height)
    header = {"descr": "|u1", "fortran_order": False, "shape": (height, width)}
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["png", "bmp", "tiff", "npy"])
@pytest.mark.parametrize("size", [(16384, 8193), (15000, 15000), (30000, 30000)])
def test_too_many_pixels(tmp_path, kind, size):
    (tmp_path / "bomb").write_bytes(bomb(kind, *size))
    width, height = size
    said = reason(tmp_path / "bomb")
    assert f"{width} × {height} pixels" in said or f"{width * height:,} pixels" in said
    most = "536,870,912 that can be read" if width == 30000 else "134,217,728 that can be explored"
    assert f"more than the {most}" in said


@pytest.mark.parametrize("kind", ["png", "bmp", "tiff", "npy"])
def test_just_few_enough_pixels(tmp_path, kind):
    """The largest size passes; the file is then found to be cut off."""
    assert MAX_PIXELS == 16384 * 8192
    (tmp_path / "bomb").write_bytes(bomb(kind, 16384, 8192))
    said = reason(tmp_path / "bomb")
    assert "more than" not in said
    assert "cut off" in said or "cut-off" in said


def test_a_large_picture_is_no_bomb(tmp_path, monkeypatch):
    """Pillow warns from 89 megapixels on; here from fewer."""
    Image.new("L", (95, 95), 7).save(tmp_path / "a.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 8900)
    image = read_image(tmp_path / "a.png")
    assert image.pixels.shape == (95, 95)
    assert (image.pixels == 7).all()
    assert image.notes == ()


def test_pickles_are_not_loaded(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "loaded",))

    array = np.empty((2, 2), object)
    array[...] = [[Bomb(), Bomb()], [Bomb(), Bomb()]]
    np.save(tmp_path / "a.npy", array, allow_pickle=True)
    assert "pickled Python objects" in reason(tmp_path / "a.npy")
    assert not (tmp_path / "loaded").exists()


@pytest.mark.parametrize("dtype", [np.complex64, "U4", "M8[s]", [("a", "u1"), ("ä", "u1")]])
def test_other_types(tmp_path, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a field named beyond Latin-1
        np.save(tmp_path / "a.npy", np.zeros((5, 7), dtype))
    said = reason(tmp_path / "a.npy")
    assert "save real numbers" in said or "save an array of numbers" in said


@pytest.mark.parametrize("name", SAMPLES)
def test_pages_that_do_not_exist(tmp_path, name):
    path = tmp_path / "a"
    path.write_bytes(SAMPLES[name])
    pages = read_image(path).pages
    for page in (pages, -1, 10**30):
        assert f"{page + 1} was asked for, but it has {pages}" in reason(path, page=page)


def test_the_error_survives_copying_and_pickling(tmp_path):
    error = ImageError(tmp_path / "a.png", "it is gone; look elsewhere")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (twin.path, twin.reason) == (error.path, error.reason)
        assert str(twin) == "a.png: it is gone; look elsewhere"


def test_warnings_and_loggers_are_left_as_they_were(tmp_path):
    def state():
        loggers = [logging.getLogger(name) for name in ("PIL", "tifffile")]
        return list(warnings.filters), [(list(log.handlers), log.propagate) for log in loggers]

    before = state()
    for number, data in enumerate(SAMPLES.values()):
        (tmp_path / str(number)).write_bytes(data)
    paths = [tmp_path / str(number) for number in range(len(SAMPLES))] * 3
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(read_image, paths))
    for path, image in zip(paths, together, strict=True):
        np.testing.assert_array_equal(image.pixels, read_image(path).pixels)
    assert state() == before
