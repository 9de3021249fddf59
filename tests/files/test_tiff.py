"""TIFF: depths, colours, layouts, pages, and the compressions that are left to Pillow."""

import io
import os
import struct
import zlib

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz.files.decoding import printed
from latviz.files.errors import ImageError
from latviz.files.images import read_image, read_lattice
from tests.files.makers import lzw_tiff, retagged
from tests.files.test_images import (
    PARTLY,
    TURNED,
    assert_is,
    encoded,
    noise,
    on_white,
    read,
)

rng = np.random.default_rng(21)


def tiff(array, **options):
    stream = io.BytesIO()
    tifffile.imwrite(stream, array, metadata=None, **options)
    return stream.getvalue()


LAYOUTS = [
    {},
    {"byteorder": ">"},
    {"bigtiff": True},
    {"tile": (16, 16)},
    {"rowsperstrip": 4},
    {"compression": "zlib"},
    {"compression": "zlib", "predictor": True, "byteorder": ">"},
    {"compression": "lzma"},
]


@pytest.mark.parametrize("options", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_layouts(tmp_path, dtype, options):
    grey, colours = noise(21, 34, dtype=dtype), noise(21, 34, 3, dtype=dtype)
    image = read(tmp_path, tiff(grey, photometric="minisblack", **options))
    assert_is(image, grey)
    assert image.notes == ()
    assert_is(read(tmp_path, tiff(colours, photometric="rgb", **options)), colours)


@pytest.mark.parametrize("make", [tiff, lzw_tiff])
def test_white_is_zero_without_a_largest_value(tmp_path, make):
    array = rng.random((9, 13), dtype=np.float32)
    image = read(tmp_path, make(array, photometric="miniswhite"))
    assert_is(image, array)
    assert "not inverted" in image.notes[0]


@pytest.mark.parametrize("bits", [2, 4])
@pytest.mark.parametrize("compression", [1, 8])
def test_few_bits(tmp_path, bits, compression):
    """Packed greys, which Pillow unpacks and spreads over 0 to 255."""
    values = rng.integers(0, 2**bits, (6, 16), dtype=np.uint8)
    text = "".join(f"{value:0{bits}b}" for value in values.ravel())
    data = int(text, 2).to_bytes(len(text) // 8, "big")
    packed = np.frombuffer(data, np.uint8).reshape(6, -1)
    options = {"compression": "zlib"} if compression == 8 else {}
    file = retagged(tiff(packed, **options), ImageWidth=16, BitsPerSample=bits)
    assert_is(read(tmp_path, file), values * np.uint8(255 // (2**bits - 1)))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("scale", [1, 257])
def test_palette(tmp_path, dtype, scale):
    """Palettes are of 16 bits, but some programs fill in 8."""
    colours = noise(3, 1 << (8 * np.dtype(dtype).itemsize))
    indices = noise(9, 13, dtype=dtype)
    colormap = colours.astype(np.uint16) * scale
    image = read(tmp_path, tiff(indices, photometric="palette", colormap=colormap))
    assert_is(image, np.ascontiguousarray(colours.T[indices]))
    if dtype is np.uint8:
        np.testing.assert_array_equal(image.indices, indices)
    else:
        assert image.indices is None


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("make", [tiff, lzw_tiff])
def test_alpha(tmp_path, dtype, make):
    samples = noise(9, 13, 4, dtype=dtype)
    image = read(tmp_path, make(samples, photometric="rgb", extrasamples=["unassalpha"]))
    assert_is(image, on_white(samples))
    assert image.notes[0].startswith(PARTLY)


def test_a_fourth_channel_without_a_tag_is_alpha(tmp_path):
    samples = noise(9, 13, 4)
    data = tiff(samples, photometric="rgb", extrasamples=["unassalpha"])
    tag = struct.pack("<HHI", 338, 3, 1)
    assert data.count(tag) == 1
    assert_is(read(tmp_path, data.replace(tag, struct.pack("<HHI", 337, 3, 1))), on_white(samples))


@pytest.mark.parametrize(
    ("dtype", "make"), [(np.uint8, tiff), (np.uint16, tiff), (np.uint16, lzw_tiff)]
)
def test_premultiplied_alpha(tmp_path, dtype, make):
    white = np.iinfo(dtype).max
    alpha = np.maximum(noise(9, 13, 1, dtype=dtype), 1).astype(int)  # those at 0 are unknown
    colours = (rng.random((9, 13, 3)) * (alpha + 1)).astype(int)
    samples = np.concatenate([colours, alpha], axis=2).astype(dtype)
    image = read(tmp_path, make(samples, photometric="rgb", extrasamples=["assocalpha"]))
    assert_is(image, (colours + white - alpha).astype(dtype))


def test_channels_without_a_meaning_are_left_out(tmp_path):
    samples = noise(9, 13, 5)
    extra = ["unspecified", "unspecified"]
    image = read(tmp_path, tiff(samples, photometric="rgb", extrasamples=extra))
    assert_is(image, samples[..., :3])
    assert image.notes == ("2 further channels left out",)
    image = read(tmp_path, tiff(samples[..., :2], photometric="minisblack", planarconfig="contig"))
    assert_is(image, samples[..., 0])
    assert image.notes == ("channel 1 of 2",)


def test_pages_of_different_kinds(tmp_path):
    first, second = noise(9, 13), noise(5, 6, 3, dtype=np.uint16)
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        writer.write(first, photometric="minisblack")
        writer.write(second, photometric="rgb", compression="zlib")
    assert_is(read_image(tmp_path / "a.tif"), first)
    assert_is(read_image(tmp_path / "a.tif", page=1), second)


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("make", [tiff, lzw_tiff])
def test_orientation(tmp_path, orientation, make):
    stored = np.array(TURNED[1], np.uint16) * 1001
    data = make(stored, extratags=[(274, "H", 1, orientation, True)])
    image = read(tmp_path, data)
    assert_is(image, np.array(TURNED[orientation], np.uint16) * np.uint16(1001))
    assert len(image.notes) == (orientation != 1)


@pytest.mark.parametrize("byteorder", "<>")
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int32, np.float32])
def test_lzw_greys(tmp_path, byteorder, dtype):
    low = -1000 if np.dtype(dtype).kind in "if" else 0
    array = rng.integers(low, 256, (9, 13)).astype(dtype)
    image = read(tmp_path, lzw_tiff(array, byteorder=byteorder))
    assert_is(image, array if dtype in (np.uint8, np.uint16) else array.astype(np.float32))


@pytest.mark.parametrize("byteorder", "<>")
@pytest.mark.parametrize("planarconfig", ["contig", "separate"])
@pytest.mark.parametrize("predictor", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_lzw_colours(tmp_path, byteorder, planarconfig, predictor, dtype):
    pixels = noise(9, 13, 3, dtype=dtype)
    stored = np.moveaxis(pixels, 2, 0) if planarconfig == "separate" else pixels
    options = {"photometric": "rgb", "planarconfig": planarconfig, "byteorder": byteorder}
    image = read(tmp_path, lzw_tiff(stored, predictor=predictor, **options))
    if planarconfig == "separate" and dtype is np.uint16:
        assert_is(image, (pixels >> 8).astype(np.uint8))
        assert image.notes == ("reduced from 16 to 8 bits per channel",)
    else:
        assert_is(image, pixels)
        assert image.notes == ()


@pytest.mark.parametrize("dtype", [np.float64, np.uint64])
def test_a_variant_that_nothing_here_decodes(tmp_path, dtype):
    with pytest.raises(ImageError) as caught:
        read(tmp_path, lzw_tiff(np.ones((9, 13), dtype)))
    assert caught.value.reason == (
        "its kind of TIFF (64 bits per channel, LZW compression) cannot be decoded here; save it "
        "uncompressed with 8, 16 or 32 bits per channel, or install the Python package imagecodecs"
    )


FAX = np.add.outer(np.arange(60) // 7, np.arange(200) // 9) % 2 == 1


def fax(compression):
    return bytearray(encoded(Image.fromarray(FAX), "TIFF", compression=compression))


def test_a_damaged_fax_is_opened_with_a_note(tmp_path, capfd):
    data = fax("group4")
    with tifffile.TiffFile(io.BytesIO(data)) as tif:
        start, size = tif.pages[0].dataoffsets[0], tif.pages[0].databytecounts[0]
    data[start + size // 2 : start + size // 2 + 4] = b"\xff" * 4
    image = read(tmp_path, bytes(data))
    above = FAX[:25].astype(np.uint8) * 255
    np.testing.assert_array_equal(image.pixels[:25], above)
    assert any(
        note.startswith("it is damaged, so parts of it may be wrong (Fax") for note in image.notes
    )
    assert capfd.readouterr().err == ""


def test_damaged_lzw_is_refused_in_one_line(tmp_path, capfd):
    data = bytearray(encoded(Image.fromarray(noise(16, 24)), "TIFF", compression="tiff_lzw"))
    with tifffile.TiffFile(io.BytesIO(data)) as tif:
        start = tif.pages[0].dataoffsets[0]
    data[start + 20 : start + 40] = b"\xff" * 20
    with pytest.raises(ImageError, match=r"damaged or cut-off TIFF file \(.*table"):
        read(tmp_path, bytes(data))
    assert capfd.readouterr().err == ""


def test_what_others_print_meanwhile_is_handed_on(capfd):
    with printed() as said:
        os.write(2, b"Fax4Decode: Bad code word at line 3 of strip 0 (x 1).\n")
        os.write(2, b"Traceback of another thread\n")
        os.write(2, b"Fax4Decode: Bad code word at line 3 of strip 0 (x 1).\n")
        os.write(2, b"LZWDecode: Not enough data.\n")
    assert said == [
        "Fax4Decode: Bad code word at line 3 of strip 0 (x 1).",
        "LZWDecode: Not enough data.",
    ]
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "Traceback of another thread\nafter\n"


def test_standard_error_is_given_back_after_a_failure(capfd):
    with pytest.raises(KeyError), printed():
        raise KeyError
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "after\n"


def test_damaged_strips_are_not_left_to_pillow(tmp_path, capfd):
    """Its libtiff would write to the terminal, and take some damage for data."""
    data = tiff(noise(9, 13), compression="zlib")
    short = zlib.compress(b"short")
    data = retagged(data + short, StripOffsets=len(data), StripByteCounts=len(short))
    with pytest.raises(ImageError, match="damaged"):
        read(tmp_path, data)
    assert capfd.readouterr().err == ""


def test_a_volume_in_one_page(tmp_path):
    data = tiff(noise(4, 16, 32), volumetric=True, tile=(4, 16, 16), photometric="minisblack")
    with pytest.raises(ImageError, match="a volume of 4 slices"):
        read(tmp_path, data)


def test_remarks_of_the_decoder_become_notes(tmp_path, caplog):
    pixels = noise(9, 13)
    image = read(tmp_path, retagged(tiff(pixels), ResolutionUnit=77))
    assert_is(image, pixels)
    assert len(image.notes) == 1
    assert image.notes[0].startswith("the decoder reported: ")
    assert "77" in image.notes[0]
    assert caplog.records == []


def with_nodata(samples, nodata, **options):
    """A TIFF with GDAL's declaration of the value of pixels without data."""
    return tiff(samples, extratags=[(42113, "s", 0, nodata, True)], **options)


# GDAL writes floats with 17 digits; -3.4028234663852886e+38 is the least float32
@pytest.mark.parametrize(
    ("dtype", "nodata", "value"),
    [
        (np.uint8, "0", 0),
        (np.uint16, "65535 ", 65535),
        (np.int16, "-9999", -9999),
        (np.float32, "-3.4028234663852886e+38", np.finfo(np.float32).min),
        (np.float32, "-3.40282347e+38", np.finfo(np.float32).min),
        (np.float32, "-0.1", -0.1),
        (np.float32, "nan", np.nan),
        (np.float64, "-9999,5", -9999.5),
    ],
)
def test_pixels_without_data_are_unknown(tmp_path, dtype, nodata, value):
    samples = rng.integers(1, 200, (10, 20)).astype(dtype)
    whole = read(tmp_path, with_nodata(samples, nodata, photometric="minisblack"))
    np.testing.assert_array_equal(whole.pixels, samples)
    samples[:3] = value
    file = read(tmp_path, with_nodata(samples, nodata, photometric="minisblack"))
    np.testing.assert_array_equal(file.known, np.arange(200).reshape(10, 20) >= 60)
    np.testing.assert_array_equal(file.pixels[3:], whole.pixels[3:])
    assert (file.pixels[:3] == file.pixels[3, 0]).all()
    why = "NaN" if np.isnan(value) else f"nodata value {nodata.strip().replace(',', '.')}"
    assert file.notes[-1] == f"60 of 200 pixels are unknown ({why})"
    samples[:] = value
    with pytest.raises(ImageError, match="nothing is known of its 200 pixels"):
        read(tmp_path, with_nodata(samples, nodata, photometric="minisblack"))


def test_colours_and_palettes_with_nodata(tmp_path):
    """A pixel has no data if all its colours have none; in a palette, an index means so."""
    colours = noise(10, 20, 3) | np.uint8(1)
    colours[0, 0] = 0, 0, 9
    image = read(tmp_path, with_nodata(colours, "0", photometric="rgb"))
    np.testing.assert_array_equal(image.pixels, colours)
    colours[0] = 0
    image = read(tmp_path, with_nodata(colours, "0", photometric="rgb"))
    np.testing.assert_array_equal(image.known, colours.any(axis=2))
    indices = np.arange(200, dtype=np.uint8).reshape(10, 20)
    black = np.zeros((3, 256), np.uint16)
    options = {"photometric": "palette", "colormap": black}
    assert read(tmp_path, with_nodata(indices, "200", **options)).known is None
    image = read(tmp_path, with_nodata(indices, "7", **options))
    np.testing.assert_array_equal(image.known, indices != 7)
    assert image.indices[0, 7] == 0


@pytest.mark.parametrize("interleaved", [False, True])
def test_a_band_without_data_makes_its_pixels_unknown(tmp_path, interleaved):
    """Bands are measurements, which a pixel needs all of; an alpha band is none of them."""
    bands = rng.integers(1, 200, (10, 20, 5)).astype(np.int16)
    bands[2, 3, 1], bands[..., 4] = -9999, 255
    bands[5, :4, 4] = 0
    samples = bands if interleaved else np.moveaxis(bands, 2, 0).copy()
    planes = "contig" if interleaved else "separate"
    extra = {"planarconfig": planes, "extrasamples": ["unspecified"] * 3 + ["unassalpha"]}
    path = tmp_path / "bands.tif"
    path.write_bytes(with_nodata(samples, "-9999", photometric="minisblack", **extra))
    file = read_lattice(path)
    known = bands[..., 4] > 0
    known[2, 3] = False
    np.testing.assert_array_equal(file.known, known)
    assert file.pixels.shape == (10, 20, 4)
    assert file.pixels.min() > 0


def test_a_nodata_value_that_is_not_a_number(tmp_path):
    samples = noise(10, 20)
    image = read(tmp_path, with_nodata(samples, "none", photometric="minisblack"))
    np.testing.assert_array_equal(image.pixels, samples)
