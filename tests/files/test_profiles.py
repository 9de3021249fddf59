"""Colour profiles, against LittleCMS through Pillow: Adobe RGB and others of real pictures."""

import io
import zlib
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image, ImageCms

from latviz.files.images import read_image, read_lattice
from tests.files.makers import png
from tests.files.test_images import PICTURES, encoded, noise, on_white

read_volume = partial(read_lattice, roles={"volume": "lattice"})

SHAPE = 9, 14
CONVERTED = "colours converted from 'Adobe RGB (1998)' to sRGB"
UNUSED = "its colour profile 'Adobe RGB (1998)' is not used: only RGB of 8 bits per channel is"
DAMAGED = "its colour profile is damaged, so it is not used"


@cache
def profile_of(name: str) -> bytes:
    with Image.open(PICTURES / name) as image:
        found = image.info["icc_profile"]
    assert isinstance(found, bytes)
    return found


def adobe() -> bytes:
    return profile_of("rocket.jpg")


def in_srgb(image: Image.Image, profile: bytes | None = None) -> NDArray[np.uint8]:
    """Return the pixels in sRGB as Pillow's ImageCms converts them."""
    own = ImageCms.ImageCmsProfile(io.BytesIO(profile or adobe()))
    srgb = ImageCms.createProfile("sRGB")
    found = ImageCms.profileToProfile(image, own, srgb, outputMode=image.mode)
    assert found is not None
    return np.asarray(found)


def tiff(pixels: NDArray[Any], profile: bytes, **options: Any) -> bytes:
    stream = io.BytesIO()
    tifffile.imwrite(stream, pixels, photometric="rgb", iccprofile=profile, **options)
    return stream.getvalue()


def in_png(profile: bytes) -> tuple[bytes, bytes]:
    return b"iCCP", b"name\0\0" + zlib.compress(profile)


def read(tmp_path: Path, data: bytes) -> tuple[NDArray[Any], tuple[str, ...]]:
    path = tmp_path / "image"
    path.write_bytes(data)
    file = read_image(path)
    assert not file.pixels.flags.writeable
    return file.pixels, file.notes


FORMATS = {
    "png": lambda image, icc: encoded(image, "PNG", icc_profile=icc),
    "jpeg": lambda image, icc: encoded(image, "JPEG", icc_profile=icc),
    "webp": lambda image, icc: encoded(image, "WEBP", icc_profile=icc, lossless=True),
    "tiff": lambda image, icc: tiff(np.asarray(image), icc),
    "separate tiff": lambda image, icc: tiff(
        np.moveaxis(np.asarray(image), 2, 0), icc, planarconfig="separate"
    ),
    "lzw tiff": lambda image, icc: encoded(image, "TIFF", icc_profile=icc, compression="tiff_lzw"),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_colours_of_a_profile_are_in_srgb(tmp_path: Path, kind: str) -> None:
    image = Image.fromarray(noise(*SHAPE, 3))
    data = FORMATS[kind](image, adobe())
    plain = Image.fromarray(read(tmp_path, FORMATS[kind](image, b""))[0])
    pixels, notes = read(tmp_path, data)
    np.testing.assert_array_equal(pixels, in_srgb(plain))
    assert np.abs(pixels.astype(int) - np.asarray(plain)).max() > 20
    assert notes == (CONVERTED,)


@pytest.mark.parametrize("name", ["astronaut.png", "own"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_srgb_changes_nothing_under_any_name(tmp_path: Path, name: str, dtype: Any) -> None:
    own = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    samples = noise(*SHAPE, 3, dtype=dtype)
    profile = own if name == "own" else profile_of(name)
    pixels, notes = read(tmp_path, tiff(samples, profile))
    np.testing.assert_array_equal(pixels, samples)
    assert notes == ()


def test_palettes_and_transparent_colours(tmp_path: Path) -> None:
    image = Image.fromarray(noise(*SHAPE, 3)).quantize(9)
    pixels, notes = read(tmp_path, encoded(image, "PNG", icc_profile=adobe()))
    np.testing.assert_array_equal(pixels, in_srgb(image.convert("RGB")))
    assert notes[-1] == CONVERTED
    clear = Image.fromarray(noise(*SHAPE, 4))
    pixels, notes = read(tmp_path, encoded(clear, "PNG", icc_profile=adobe()))
    np.testing.assert_array_equal(pixels, on_white(in_srgb(clear)))
    assert notes[0] == CONVERTED
    # Colours that alpha has multiplied have a profile only once they are on white.
    samples = noise(*SHAPE, 4)
    samples[..., :3] = np.minimum(samples[..., :3], samples[..., 3:])
    samples[..., 3] = np.maximum(samples[..., 3], 1)
    flat = samples[..., :3] + (255 - samples[..., 3:])
    pixels, _ = read(tmp_path, tiff(samples, adobe(), extrasamples=["assocalpha"]))
    np.testing.assert_array_equal(pixels, in_srgb(Image.fromarray(flat)))


@pytest.mark.parametrize("shape", [(*SHAPE, 3), SHAPE])
def test_a_profile_that_is_not_used_has_a_note(tmp_path: Path, shape: tuple[int, ...]) -> None:
    """Of 16 bits per channel, and of greys with a profile for colours."""
    deep = noise(*shape, dtype=np.uint16 if len(shape) == 3 else np.uint8)
    kind = 2 if len(shape) == 3 else 0
    pixels, notes = read(tmp_path, png(deep, kind, chunks=[in_png(adobe())]))
    np.testing.assert_array_equal(pixels, deep)
    (note,) = notes
    assert note.startswith(UNUSED)


def test_inks_are_turned_into_rgb_without_their_profile(tmp_path: Path) -> None:
    image = Image.fromarray(noise(*SHAPE, 3)).convert("CMYK")
    _, notes = read(tmp_path, encoded(image, "JPEG", icc_profile=adobe()))
    assert notes == ("CMYK turned into RGB without its colour profile",)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "tiff", "lzw tiff"])
def test_a_damaged_profile_is_noted(tmp_path: Path, kind: str) -> None:
    image = Image.fromarray(noise(*SHAPE, 3))
    for damaged in (adobe()[:100], b"no profile"):
        pixels, notes = read(tmp_path, FORMATS[kind](image, damaged))
        assert notes == (DAMAGED,)
        plain = read(tmp_path, FORMATS[kind](image, b""))[0]
        np.testing.assert_array_equal(pixels, plain)


def test_a_png_s_profile_that_is_cut_off_or_large(tmp_path: Path) -> None:
    samples = noise(*SHAPE, 3)
    name, content = in_png(adobe())
    pixels, notes = read(tmp_path, png(samples, 2, chunks=[(name, content[:80])]))
    np.testing.assert_array_equal(pixels, samples)
    assert notes == (DAMAGED,)
    large = adobe() + bytes(2**21)  # Pillow by itself refuses more than 1 MiB
    pixels, notes = read(tmp_path, png(samples, 2, chunks=[in_png(large)]))
    np.testing.assert_array_equal(pixels, in_srgb(Image.fromarray(samples)))
    assert notes == (CONVERTED,)


def test_slices_of_a_volume(tmp_path: Path) -> None:
    slices, path = noise(3, *SHAPE, 3), tmp_path / "volume.tif"
    path.write_bytes(tiff(slices, adobe()))
    file = read_volume(path)
    np.testing.assert_array_equal(file.pixels, [in_srgb(Image.fromarray(one)) for one in slices])
    assert file.notes == (CONVERTED,)
