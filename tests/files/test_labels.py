"""Label images: pixels without a class, names of labels, refused files."""

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import tifffile
from numpy.typing import NDArray

from latviz.files.errors import ImageError
from latviz.files.labels import read_labels

SHAPE = 4, 6


def laid_out(*labels: float) -> NDArray[np.float64]:
    """Return labels side by side, a column for each and the last one repeated."""
    columns = [*labels, *[labels[-1]] * SHAPE[1]][: SHAPE[1]]
    return np.tile(np.array(columns, dtype=np.float64), (SHAPE[0], 1))


def write(path: Path, labels: NDArray[np.generic]) -> Path:
    if path.suffix == ".npy":
        np.save(path, labels)
    elif path.suffix == ".tif":
        tifffile.imwrite(path, labels)
    else:
        PIL.Image.fromarray(labels).save(path)
    return path


def check(path: Path, labels: NDArray[np.generic], classes: dict[str, float]) -> None:
    """Check that pixels of these labels have these classes in this order, all others none."""
    ranks, found = read_labels(path, SHAPE)
    assert found == tuple(classes)
    wanted = np.full(SHAPE, 255)
    for rank, value in enumerate(classes.values()):
        wanted[labels == value] = rank
    np.testing.assert_array_equal(ranks, wanted)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ((0, 1, 2, 255), (0, 1, 2)),  # numbers of classes, and void
        ((1, 2, 3, 255), (1, 2, 3)),
        ((0, 15, 255), (0, 15)),  # of VOC's classes an image has few
        ((8, 255), (8,)),
        ((63, 255), (63,)),
        ((0, 255), (0, 255)),  # a mask
        ((255,), (255,)),
        ((0, 128, 255), (0, 128, 255)),  # greys that the eye tells apart
        ((0, 85, 170, 255), (0, 85, 170, 255)),
        ((0, 64, 255), (0, 64, 255)),
        ((10, 20, 30), (10, 20, 30)),
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int64", "float32"])
def test_255_beside_small_labels_is_void(tmp_path, labels, classes, dtype) -> None:
    written = laid_out(*labels).astype(dtype)
    path = write(tmp_path / ("a.npy" if dtype in ("int64", "float32") else "a.png"), written)
    check(path, written, {str(value): value for value in classes})


@pytest.mark.parametrize(("labels", "n_classes"), [((0, 1, 65535), 2), ((0, 65535), 2)], ids=str)
def test_so_is_the_largest_label_of_16_bits(tmp_path, labels, n_classes) -> None:
    written = laid_out(*labels).astype(np.uint16)
    check(
        write(tmp_path / "a.tif", written), written, {str(v): v for v in sorted(labels)[:n_classes]}
    )


@pytest.mark.parametrize("name", ["a.npy", "a.tif"])
def test_labels_that_are_no_numbers_are_void(tmp_path: Path, name: str) -> None:
    labels = laid_out(0.5, 1, np.nan, np.inf, -2).astype(np.float32)
    check(write(tmp_path / name, labels), labels, {"-2": -2, "0.5": 0.5, "1": 1})


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("name", ["a.npy", "a.tif"])
def test_minus_one_is_not_labelled(tmp_path: Path, name: str, dtype: str) -> None:
    labels = laid_out(-1, 0, 3).astype(dtype)
    check(write(tmp_path / name, labels), labels, {"0": 0, "3": 3})


LEAST = float(np.finfo(np.float32).min)


@pytest.mark.parametrize(
    ("nodata", "dtype"), [(0, "uint8"), (-9999, "int16"), (LEAST, "float32"), (7.5, "float32")]
)
def test_labels_without_data_are_void(tmp_path: Path, nodata: float, dtype: str) -> None:
    labels = laid_out(nodata, 3, 7).astype(dtype)
    tag = (42113, "s", 0, f"{nodata}", True)
    tifffile.imwrite(tmp_path / "a.tif", labels, extratags=[tag])
    check(tmp_path / "a.tif", labels, {"3": 3, "7": 7})


def test_the_transparent_entry_of_a_palette_is_void(tmp_path: Path) -> None:
    written = laid_out(0, 1, 5).astype(np.uint8)
    paletted(written, VOC).save(tmp_path / "a.png", transparency=5)
    check(tmp_path / "a.png", written, {"0": 0, "1": 1})


def test_labels_are_named_as_numbers_whatever_their_type(tmp_path: Path) -> None:
    large = laid_out(16777217, 16777218, -2, 0).astype(np.int64)  # float32 has no 2^24 + 1
    classes = {"-2": -2.0, "0": 0.0, "16777217": 16777217.0, "16777218": 16777218.0}
    check(write(tmp_path / "a.npy", large), large, classes)
    mask = laid_out(0, 1) > 0
    check(write(tmp_path / "b.npy", mask), mask, {"0": False, "255": True})


# VOC's palette, by the definition in its development kit: bit j of each triple is bit 7 - j of
# red, green, blue. Index 1 is (128, 0, 0), 15 (192, 128, 128), 255 (224, 224, 192).
VOC = {0: (0, 0, 0), 1: (128, 0, 0), 15: (192, 128, 128), 255: (224, 224, 192)}


def paletted(labels, palette) -> PIL.Image.Image:
    image = PIL.Image.fromarray(labels).convert("L")
    image.putpalette([channel for k in range(256) for channel in palette.get(k, (k, k, k))])
    return image


@pytest.mark.parametrize("labels", [(0, 1, 15, 255), (0, 255)], ids=str)
def test_index_255_of_vocs_palette_is_void(tmp_path: Path, labels: tuple[int, ...]) -> None:
    written = laid_out(*labels).astype(np.uint8)
    for suffix in (".png", ".tif"):
        path = tmp_path / f"a{suffix}"
        paletted(written, VOC).save(path)
        check(path, written, {str(value): value for value in labels[:-1]})


def test_another_palette_follows_the_rule_of_numbers(tmp_path: Path) -> None:
    written = laid_out(0, 255).astype(np.uint8)
    paletted(written, {255: (255, 0, 0)}).save(tmp_path / "a.png")
    check(tmp_path / "a.png", written, {"0": 0, "255": 255})


@pytest.mark.parametrize(
    ("colours", "classes"),
    [
        (list(VOC.values()), ["#000000", "#800000", "#c08080"]),
        ([VOC[0], VOC[255]], ["#000000"]),
        ([(0, 0, 0), (1, 1, 1), (255, 255, 255)], ["#000000", "#010101"]),  # greys as colours
        ([(0, 0, 0), (255, 255, 255)], ["#000000", "#ffffff"]),
        ([(9, 9, 0), VOC[255]], ["#090900", "#e0e0c0"]),  # not VOC's palette
        ([(255, 0, 0), (255, 255, 255)], ["#ff0000", "#ffffff"]),
    ],
    ids=str,
)
def test_the_boundary_colour_of_voc_is_void(tmp_path, colours, classes) -> None:
    places = laid_out(*range(len(colours))).astype(int)
    path = write(tmp_path / "a.png", np.array(colours, np.uint8)[places])
    names = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in colours]
    check(path, places, {name: names.index(name) for name in classes})


def test_transparent_pixels_are_void(tmp_path: Path) -> None:
    labels = laid_out(0, 1, 2).astype(np.uint8)
    alpha = np.full(SHAPE, 255, np.uint8)
    alpha[0] = 0
    alpha[1] = 100  # as overlays are saved: their colours are labels, unblended
    written = np.where(alpha > 0, labels, 77)
    colours = np.stack([labels, 10 * labels, labels, alpha], axis=-1)
    check(write(tmp_path / "a.png", colours), written, {"#000000": 0, "#010a01": 1, "#021402": 2})
    PIL.Image.fromarray(np.stack([labels, alpha], axis=-1), "LA").save(tmp_path / "b.png")
    check(tmp_path / "b.png", written, {"0": 0, "1": 1, "2": 2})
    image = paletted(labels, {0: (1, 2, 3), 1: (4, 5, 6), 2: (7, 8, 9)})
    image.save(tmp_path / "c.png", transparency=1)
    check(tmp_path / "c.png", labels, {"0": 0, "2": 2})
    write(tmp_path / "d.png", np.zeros((*SHAPE, 4), np.uint8))
    with pytest.raises(ImageError, match="none of its pixels has a class"):
        read_labels(tmp_path / "d.png", SHAPE)


def test_orientation_and_reduction_are_those_of_the_image(tmp_path: Path) -> None:
    labels = np.arange(24).reshape(4, 6).astype(np.uint8)
    exif = PIL.Image.Exif()
    exif[0x0112] = 3  # turned by half
    PIL.Image.fromarray(labels).save(tmp_path / "a.png", exif=exif)
    ranks, _ = read_labels(tmp_path / "a.png", SHAPE)
    np.testing.assert_array_equal(ranks, labels[::-1, ::-1])
    ranks, classes = read_labels(write(tmp_path / "b.png", labels), (2, 3), 2)
    assert classes == ("7", "9", "11", "19", "21", "23")
    np.testing.assert_array_equal(ranks, [[0, 1, 2], [3, 4, 5]])


def test_formats_that_change_values_are_refused_whatever_they_are_called(tmp_path: Path) -> None:
    for name in ("JPEG", "JPEG 2000", "WebP", "AVIF"):
        path = tmp_path / f"{name}.png"
        codec = name.replace(" ", "").upper()
        PIL.Image.fromarray(laid_out(0, 1).astype(np.uint8)).save(path, codec)
        with pytest.raises(ImageError, match=rf"its format is {name}, .*save it as \.png"):
            read_labels(path, SHAPE)


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".pgm", ".tga", ".tif", ".npy"])
def test_formats_that_keep_values_hold_labels(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"a{suffix}", laid_out(7, 9, 11, 250).astype(np.uint8))
    ranks, classes = read_labels(path, SHAPE)
    assert classes == ("7", "9", "11", "250")
    np.testing.assert_array_equal(ranks, laid_out(0, 1, 2, 3))


def test_more_labels_than_can_be_compared_are_refused_with_their_number(tmp_path: Path) -> None:
    path = write(tmp_path / "a.png", np.arange(65).reshape(5, 13).astype(np.uint16))
    with pytest.raises(ImageError, match="it has 65 labels, and at most 64"):
        read_labels(path, (5, 13))
    assert (
        len(read_labels(write(path, np.arange(64).reshape(4, 16).astype(np.uint8)), (4, 16))[1])
        == 64
    )
    with pytest.raises(ImageError, match="its labels are 16 × 4 pixels, but the image is 6 × 4"):
        read_labels(path, SHAPE)
