"""PBM, PGM, PPM and PAM: every kind and depth, from bytes that are written here."""

from pathlib import Path

import numpy as np
import pytest

from latviz.files.errors import ImageError
from latviz.files.images import ImageFile, read_image

rng = np.random.default_rng(35)


def read(folder: Path, content: bytes) -> ImageFile:
    path = folder / "a.pnm"
    path.write_bytes(content)
    return read_image(path)


def plain(magic: bytes, values: np.ndarray, white: int) -> bytes:
    height, width = values.shape[:2]
    lines = [" ".join(map(str, row.ravel().tolist())) for row in values]
    head = b"%s # a comment\n%d\n# another\n%d %d\n" % (magic, width, height, white)
    return head + "\n".join(lines).encode() + b"\n"


def binary(magic: bytes, values: np.ndarray, white: int) -> bytes:
    height, width = values.shape[:2]
    big = values.astype("u1" if white < 256 else ">u2")
    return b"%s\n%d %d\n%d\n" % (magic, width, height, white) + big.tobytes()


@pytest.mark.parametrize("channels", [(), (3,)])
@pytest.mark.parametrize("make", [plain, binary])
def test_every_depth_is_kept(tmp_path: Path, make: object, channels: tuple[int, ...]) -> None:
    magic = (b"P3" if channels else b"P2") if make is plain else (b"P6" if channels else b"P5")
    for white in (255, 256, 1023, 4095, 65535):
        values = rng.integers(0, white + 1, (5, 7, *channels))
        file = read(tmp_path, make(magic, values, white))
        assert file.pixels.dtype == (np.uint8 if white < 256 else np.uint16)
        np.testing.assert_array_equal(file.pixels, values)
        expected = (f"its largest value is {white}",) if 255 < white < 65535 else ()
        assert file.notes == expected


@pytest.mark.parametrize("white", [1, 3, 15, 100])
def test_few_bits_are_spread_as_those_of_png(tmp_path: Path, white: int) -> None:
    values = rng.integers(0, white + 1, (5, 7))
    file = read(tmp_path, binary(b"P5", values, white))
    np.testing.assert_array_equal(file.pixels, np.rint(values * 255 / white))
    assert file.notes == (f"values from 0 to {white} spread over 0 to 255",)


def test_one_is_black_in_bitmaps(tmp_path: Path) -> None:
    bits = rng.integers(0, 2, (5, 11))
    rows = "\n".join("".join(map(str, row)) for row in bits)
    expected = np.where(bits == 1, 0, 255)
    text = f"P1\n# no spaces between digits\n11 5\n{rows}\n".encode()
    np.testing.assert_array_equal(read(tmp_path, text).pixels, expected)
    packed = b"P4 11 5\n" + np.packbits(bits, axis=1).tobytes()
    np.testing.assert_array_equal(read(tmp_path, packed).pixels, expected)


def test_pam_with_and_without_transparency(tmp_path: Path) -> None:
    def pam(values: np.ndarray, kind: str, white: int = 255) -> bytes:
        height, width, depth = values.shape
        head = f"P7\n# c\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL {white}\n"
        dtype = "u1" if white < 256 else ">u2"
        return f"{head}TUPLTYPE {kind}\nENDHDR\n".encode() + values.astype(dtype).tobytes()

    grey, colours = rng.integers(0, 65536, (4, 5, 1)), rng.integers(0, 256, (4, 5, 3))
    found = read(tmp_path, pam(grey, "GRAYSCALE", 65535)).pixels
    np.testing.assert_array_equal(found, grey[..., 0])
    np.testing.assert_array_equal(read(tmp_path, pam(colours, "RGB")).pixels, colours)
    opacity = np.where(np.arange(20).reshape(4, 5, 1) % 3, 255, 0)
    file = read(tmp_path, pam(np.concatenate([colours, opacity], axis=2), "RGB_ALPHA"))
    np.testing.assert_array_equal(file.known, opacity[..., 0] > 0)
    np.testing.assert_array_equal(file.pixels[file.known], colours[file.known])
    full = np.concatenate([grey // 64, np.full((4, 5, 1), 1023)], axis=2)  # opaque in ten bits
    found = read(tmp_path, pam(full, "GRAYSCALE_ALPHA", 1023)).pixels
    np.testing.assert_array_equal(found, full[..., 0])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"P5 4 4 255\n" + bytes(15), "it needs 16 bytes of samples and has 15"),
        (b"P2 2 2 255\n1 2 3", "samples are missing"),
        (b"P2 2 1 255\n1 x", "samples are missing"),
        (b"P1 2 1\n1 2", "samples are missing"),
        (b"P5 4 4 70000\n" + bytes(32), "largest value is 70000"),
        (b"P5 4 4 0\n" + bytes(32), "largest value is 0"),
        (b"P5 2 1 10\n\x0b\x00", "values above 10, the largest"),
        (b"P5 4\n", "no size"),
        (b"P5 0 4 255\n", "nothing to show"),
        (b"P6 99999999 99999999 255\n", "more than"),
        (b"P5 " + b"9" * 4000 + b" 4 255\n", "more than"),
        (b"P7\nWIDTH 4\nHEIGHT 4\n", "not complete"),
        (b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 7\nMAXVAL 255\nENDHDR\n" + bytes(7), "7 channels"),
    ],
)
def test_what_is_damaged_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(ImageError) as caught:
        read(tmp_path, content)
    assert said in caught.value.reason
