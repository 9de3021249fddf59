"""Every format and depth against the written pixels."""

import io
from pathlib import Path

import numpy as np
import pytest
import skimage.data
from PIL import Image

from latviz.files.errors import ImageError
from latviz.files.images import ImageFile, read_image
from tests.files.makers import chunk, png

rng = np.random.default_rng(20)

PARTLY = "partly transparent pixels composited on white: "
PICTURES = Path(skimage.data.__file__).parent


def noise(*shape, dtype=np.uint8):
    return rng.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


def smooth(height, width):
    """Colours that a lossy format keeps."""
    y, x = np.mgrid[0:height, 0:width]
    ramps = [255 * x / (width - 1), 255 * y / (height - 1), 128 + 0 * x]
    return np.stack(ramps, axis=2).astype(np.uint8)


def encoded(image, kind, **options):
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def read(tmp_path, data, name="image", page=0):
    path = tmp_path / name
    path.write_bytes(data)
    return read_image(str(path), page=page)


def assert_is(image, expected):
    """The pixels are exactly the expected ones, in the same type, and cannot be changed."""
    assert image.pixels.dtype == expected.dtype
    assert image.pixels.dtype.isnative
    np.testing.assert_array_equal(image.pixels, expected)
    assert image.pixels.flags.c_contiguous
    assert not image.pixels.flags.writeable


def on_white(samples):
    """Composite in double precision; 255 and 65535 are odd, so there are no ties.

    Clear pixels are unknown, and hold the first colour that is not.
    """
    white, clear = float(np.iinfo(samples.dtype).max), samples[..., -1] == 0
    alpha = samples[..., -1:] / white
    blended = samples[..., :-1] * alpha + white * (1 - alpha)
    blended[clear] = blended[~clear][0]
    return np.squeeze(np.rint(blended), 2 if samples.shape[2] == 2 else ()).astype(samples.dtype)


@pytest.mark.parametrize("kind", ["PNG", "BMP", "WEBP", "TIFF"])
def test_colours_of_8_bits(tmp_path, kind):
    pixels = noise(13, 21, 3)
    image = read(tmp_path, encoded(Image.fromarray(pixels), kind, lossless=True), "a.b.c")
    assert_is(image, pixels)
    assert isinstance(image, ImageFile)
    assert (image.path, image.name) == (tmp_path / "a.b.c", "a.b.c")
    assert (image.notes, image.pages, image.indices) == ((), 1, None)
    if kind != "WEBP":  # which holds no greys
        greys = read(tmp_path, encoded(Image.fromarray(pixels[..., 0]), kind))
        assert_is(greys, pixels[..., 0])
        assert greys.notes == ()


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize(("colour_type", "channels"), [(0, 1), (2, 3), (4, 2), (6, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_png_of_every_depth(tmp_path, dtype, colour_type, channels, interlaced):
    samples = noise(23, 17, channels, dtype=dtype)
    data = png(samples, colour_type, interlaced=interlaced, filters=(0, 1, 2, 3, 4))
    image = read(tmp_path, data)
    if channels in (2, 4):
        assert_is(image, on_white(samples))
        assert image.notes[0].startswith(PARTLY)
    else:
        assert_is(image, samples[..., 0] if channels == 1 else samples)
        assert image.notes == ()


@pytest.mark.parametrize("bits", [2, 4])
def test_png_of_few_greys(tmp_path, bits):
    samples = rng.integers(0, 2**bits, (9, 14), dtype=np.uint8)
    assert_is(read(tmp_path, png(samples, 0, bits=bits)), samples * np.uint8(255 // (2**bits - 1)))


@pytest.mark.parametrize(
    ("clear", "partly", "notes"),
    [
        (5, 0, ["5 of 40 pixels are unknown (transparent)"]),
        (0, 10, [f"{PARTLY}25.0\u00a0%"]),
        (5, 10, [f"{PARTLY}25.0\u00a0%", "5 of 40 pixels are unknown (transparent)"]),
    ],
)
def test_transparent_pixels_are_counted_in_a_note(tmp_path, clear, partly, notes):
    samples = noise(5, 8, 4)
    samples[..., 3] = 255
    samples.reshape(-1, 4)[:clear, 3] = 0
    samples.reshape(-1, 4)[clear : clear + partly, 3] = 100
    image = read(tmp_path, png(samples, 6))
    assert list(image.notes) == notes
    assert_is(image, on_white(samples))
    known = np.ones((5, 8), bool) if image.known is None else image.known
    np.testing.assert_array_equal(known, samples[..., 3] > 0)


def test_an_image_that_is_wholly_transparent_is_refused(tmp_path):
    with pytest.raises(ImageError, match=r"nothing is known of its 40 pixels \(transparent\)"):
        read(tmp_path, png(np.zeros((5, 8, 4), np.uint8), 6))


@pytest.mark.parametrize(("colour_type", "channels"), [(0, 1), (2, 3)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_png_with_one_transparent_colour(tmp_path, dtype, colour_type, channels):
    samples = noise(8, 9, channels, dtype=dtype)
    samples[3, 4] = samples[5, 6]
    chunks = [(b"tRNS", samples[3, 4].astype(">u2").tobytes())]
    clear = (samples == samples[3, 4]).all(axis=2)
    image = read(tmp_path, png(samples, colour_type, chunks=chunks))
    np.testing.assert_array_equal(image.known, ~clear)
    samples[clear] = samples[0, 0]
    assert_is(image, samples[..., 0] if channels == 1 else samples)


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_png_of_few_greys_with_a_transparent_one(tmp_path, bits):
    samples = np.arange(30, dtype=np.uint8).reshape(5, 6) % 2**bits
    clear = 2 ** (bits - 1) - 1
    data = png(samples, 0, bits=bits, chunks=[(b"tRNS", bytes([0, clear]))])
    first = samples[samples != clear][0]
    expected = np.where(samples == clear, first, samples) * np.uint8(255 // (2**bits - 1))
    assert_is(read(tmp_path, data), expected)


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_palette(tmp_path, bits):
    indices = rng.integers(0, 2**bits, (11, 15), dtype=np.uint8)
    colours = noise(2**bits, 3)
    data = png(indices, 3, bits=bits, chunks=[(b"PLTE", colours.tobytes())])
    image = read(tmp_path, data)
    assert_is(image, colours[indices])
    assert image.notes == (f"palette of {2**bits} colours",)
    assert image.indices.dtype == np.uint8
    assert not image.indices.flags.writeable
    np.testing.assert_array_equal(image.indices, indices)


@pytest.mark.parametrize("kind", ["PNG", "BMP", "GIF", "TIFF"])
def test_palette_as_pillow_writes_it(tmp_path, kind):
    indices, colours = noise(11, 15), noise(256, 3)
    picture = Image.frombytes("P", (15, 11), indices.tobytes())
    picture.putpalette(colours.tobytes())
    image = read(tmp_path, encoded(picture, kind, **({"optimize": False} if kind == "GIF" else {})))
    assert_is(image, colours[indices])
    np.testing.assert_array_equal(image.indices, indices)
    assert image.notes == ("palette of 256 colours",)


def test_a_palette_of_greys_is_a_grey_image(tmp_path):
    indices = rng.integers(0, 16, (11, 15), dtype=np.uint8)
    greys = noise(16, 1)
    data = png(indices, 3, bits=4, chunks=[(b"PLTE", np.repeat(greys, 3, axis=1).tobytes())])
    image = read(tmp_path, data)
    assert_is(image, greys[indices, 0])
    assert image.notes == ("palette of 16 greys",)
    np.testing.assert_array_equal(image.indices, indices)


@pytest.mark.parametrize("alpha", [b"\xff\xff\x00", bytes([0, 255, 7, 80])])
def test_transparent_palette(tmp_path, alpha):
    indices = rng.integers(0, 8, (11, 15), dtype=np.uint8)
    colours = noise(8, 3)
    chunks = [(b"PLTE", colours.tobytes()), (b"tRNS", alpha)]
    opacity = np.frombuffer(alpha.ljust(8, b"\xff"), np.uint8)
    image = read(tmp_path, png(indices, 3, bits=8, chunks=chunks))
    assert_is(image, on_white(np.column_stack([colours, opacity])[indices]))
    assert image.notes[0] == "palette of 8 colours"
    first = indices[opacity[indices] > 0][0]
    np.testing.assert_array_equal(image.known, opacity[indices] > 0)
    np.testing.assert_array_equal(image.indices, np.where(image.known, indices, first))


def test_indices_beyond_the_palette_are_black(tmp_path):
    indices = np.array([[0, 1], [2, 200]], np.uint8)
    image = read(tmp_path, png(indices, 3, chunks=[(b"PLTE", b"\x01\x02\x03\x04\x05\x06")]))
    assert_is(image, np.array([[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [0, 0, 0]]], np.uint8))


def test_transparent_webp(tmp_path):
    samples = noise(10, 12, 4)
    image = read(tmp_path, encoded(Image.fromarray(samples), "WEBP", lossless=True, exact=True))
    assert_is(image, on_white(samples))
    assert image.notes[0].startswith(PARTLY)


def frames():
    return [Image.fromarray(np.full((6, 5, 3), value, np.uint8)) for value in (10, 90, 200)]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
@pytest.mark.parametrize("page", [0, 2])
def test_animation(tmp_path, kind, page):
    first, *others = frames()
    data = encoded(first, kind, save_all=True, append_images=others, lossless=True, duration=50)
    image = read(tmp_path, data, page=page)
    pixels = image.pixels if image.pixels.ndim == 3 else image.pixels[..., None]
    np.testing.assert_array_equal(np.broadcast_to(pixels, (6, 5, 3)), np.asarray(frames()[page]))
    assert image.notes[0] == f"frame {page + 1} of 3"
    assert image.pages == 3


def test_transparent_gif(tmp_path):
    indices = rng.integers(0, 4, (6, 5), dtype=np.uint8)
    colours = noise(4, 3)
    picture = Image.frombytes("P", (5, 6), indices.tobytes())
    picture.putpalette(colours.tobytes())
    data = encoded(picture, "GIF", transparency=2, optimize=False)
    image = read(tmp_path, data)
    np.testing.assert_array_equal(image.known, indices != 2)
    indices[indices == 2] = indices[indices != 2][0]
    assert_is(image, colours[indices])


def test_several_pictures_in_a_jpeg(tmp_path):
    first, second = frames()[:2]
    image = read(tmp_path, encoded(first, "MPO", save_all=True, append_images=[second]), page=1)
    np.testing.assert_allclose(image.pixels, np.asarray(second), rtol=0, atol=2)
    assert image.notes == ("picture 2 of 2",)


# Each orientation of [[1, 2, 3], [4, 5, 6]], written out from the EXIF standard's table of
# where the stored row 0 and column 0 belong.
TURNED = {
    1: [[1, 2, 3], [4, 5, 6]],
    2: [[3, 2, 1], [6, 5, 4]],
    3: [[6, 5, 4], [3, 2, 1]],
    4: [[4, 5, 6], [1, 2, 3]],
    5: [[1, 4], [2, 5], [3, 6]],
    6: [[4, 1], [5, 2], [6, 3]],
    7: [[6, 3], [5, 2], [4, 1]],
    8: [[3, 6], [2, 5], [1, 4]],
}


def exif(orientation):
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("orientation", TURNED)
def test_orientation(tmp_path, kind, orientation):
    stored = np.repeat(np.array(TURNED[1], np.uint8)[..., None], 3, axis=2)
    data = encoded(Image.fromarray(stored), kind, exif=exif(orientation), lossless=True)
    image = read(tmp_path, data)
    assert_is(image, np.repeat(np.array(TURNED[orientation], np.uint8)[..., None], 3, axis=2))
    assert len(image.notes) == (orientation != 1)
    assert all("as its EXIF orientation requires" in note for note in image.notes)


@pytest.mark.parametrize("orientation", TURNED)
def test_orientation_turns_palette_indices_and_16_bits_too(tmp_path, orientation):
    stored = np.array(TURNED[1], np.uint8)
    chunks = [(b"eXIf", exif(orientation).tobytes()[6:])]
    deep = np.repeat(stored[..., None].astype(np.uint16) * 1001, 3, axis=2)
    image = read(tmp_path, png(deep, 2, chunks=chunks))
    np.testing.assert_array_equal(image.pixels[..., 1], np.array(TURNED[orientation]) * 1001)
    colours = noise(7, 3)
    image = read(tmp_path, png(stored, 3, chunks=[(b"PLTE", colours.tobytes()), *chunks]))
    np.testing.assert_array_equal(image.indices, TURNED[orientation])
    assert_is(image, colours[np.array(TURNED[orientation])])


def test_damaged_exif_data_do_not_cost_the_picture(tmp_path):
    data = png(noise(4, 5), 0)
    cut = data.index(b"IDAT") - 4
    image = read(tmp_path, data[:cut] + chunk(b"eXIf", b"nonsense" * 4) + data[cut:])
    assert image.pixels.shape == (4, 5)
    assert len(image.notes) == 1
    assert "EXIF data ignored" in image.notes[0]


def test_blending_in_bands_of_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("latviz.files.pixels._BAND", 40)
    samples = noise(23, 17, 4)
    assert_is(read(tmp_path, png(samples, 6)), on_white(samples))
