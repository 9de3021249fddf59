"""Masks beside images: by option, by name, for slices and volumes, and in folders."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz import collection, computing, workspace
from latviz.core.disk.errors import FileError
from latviz.engine.frames.script import python_of
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import Parameters
from latviz.files.errors import ImageError
from latviz.files.listing import listed

rng = np.random.default_rng(13)
VALUES = rng.integers(1, 255, (20, 30)).astype(np.uint8)
KNOWN = rng.random((20, 30)) > 0.4
KNOWN[0, 0] = False


def write(path: Path, values: Any, **options: Any) -> Path:
    if path.suffix == ".npy":
        np.save(path, values)
    elif path.suffix == ".tif":
        tifffile.imwrite(path, values, photometric="minisblack")
    else:
        Image.fromarray(values).save(path, **options)
    return path


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return write(tmp_path / "a.tif", VALUES)


def assert_masked(picture: Any, values: Any, known: Any) -> None:
    np.testing.assert_array_equal(picture.known, known)
    np.testing.assert_array_equal(picture.pixels, np.where(known, values, values[known][0]))


KINDS = {
    "m.png": KNOWN,
    "m.npy": KNOWN.astype(np.float32) / 8,
    "m.tif": KNOWN.astype(np.uint16) * 300,
    "m.gif": KNOWN.astype(np.uint8),
    "colour.png": np.stack([0 * KNOWN, KNOWN, 0 * KNOWN], -1).astype(np.uint8),
    "alpha.png": np.stack([KNOWN, KNOWN], -1).astype(np.uint8) * 255,
}


@pytest.mark.parametrize("name", KINDS)
def test_pixels_are_unknown_where_a_mask_is_0(image: Path, name: str) -> None:
    mask = write(image.parent / name, KINDS[name])
    picture = workspace.read_picture(image, mask=mask)
    assert_masked(picture, VALUES, KNOWN)
    assert picture.notes == (f"{(~KNOWN).sum()} of 600 pixels are left out by the mask {name}",)
    assert picture.origin["mask"] == str(mask)
    assert_masked(workspace.read_from(picture.origin), VALUES, KNOWN)


def test_a_script_reads_the_mask(image: Path) -> None:
    picture = workspace.read_picture(image, mask=write(image.parent / "m.png", KNOWN))
    frame = computing.compute(picture, opened(picture, Parameters(n_states=2)).shown)
    scope = dict[str, Any]()
    exec(python_of(frame), scope)
    np.testing.assert_array_equal(scope["states"], frame.states)
    np.testing.assert_array_equal(frame.states == 255, ~KNOWN)


def test_a_mask_leaves_out_further_pixels(tmp_path: Path) -> None:
    values = VALUES.astype(np.float32)
    values[5] = np.nan
    path, mask = write(tmp_path / "a.npy", values), write(tmp_path / "m.png", KNOWN)
    known = KNOWN & np.isfinite(values)
    assert_masked(workspace.read_picture(path, mask=mask), values, known)
    small = workspace.read_picture(path, reduction=4, mask=mask)
    some = np.add.reduceat(np.add.reduceat(known, range(0, 20, 4), 0), range(0, 30, 4), 1) > 0
    assert some.all()
    assert small.known is None
    write(mask, ~np.isfinite(values))
    with pytest.raises(ImageError, match=r"its mask m\.png leaves no pixel that is known"):
        workspace.read_picture(path, mask=mask)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("suffix", ["npy", "tif"])
def test_masks_of_volumes_and_of_their_slices(tmp_path: Path, suffix: str, deep: bool) -> None:
    values, known = rng.integers(1, 99, (5, 20, 30)).astype(np.uint8), rng.random((5, 20, 30)) > 0.5
    known = known if deep else np.broadcast_to(KNOWN, values.shape)
    path = write(tmp_path / f"a.{suffix}", values)
    mask = write(tmp_path / f"m.{suffix}", (known if deep else KNOWN).astype(np.uint8))
    assert_masked(workspace.read_picture(path, "volume=lattice", mask=mask), values, known)


def test_a_mask_is_found_by_its_name(image: Path) -> None:
    """It is not a picture of its own, and a session finds it again."""
    for name in ("a.mask.png", "a.tif.mask.png", "a.MASK.TIF"):
        mask = write(image.parent / name, np.where(KNOWN, 255, 0).astype(np.uint8), format="PNG")
        picture = workspace.read_picture(image)
        assert_masked(picture, VALUES, KNOWN)
        assert picture.notes[-1].endswith(f"are left out by the mask {name}")
        for places in ([image.parent], [image, mask], [str(image.parent / "*")]):
            assert [one.path for one in listed(places).files] == [image]
        shelf = collection.reading.find([image.parent]).shelf
        assert mask in collection.reading.files_of(shelf)
        kept = image.parent / "kept.latviz"
        workspace.write_session(kept, opened(picture, Parameters()), picture)
        assert_masked(workspace.read_session(kept)[0].picture, VALUES, KNOWN)
        kept.unlink()
        mask.unlink()
    assert workspace.read_picture(image).known is None
    write(image.parent / "b.mask.png", VALUES)  # without an image b
    assert len(listed([image.parent]).files) == 2


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("m.png", np.ones((30, 20), bool), r"its mask m\.png: it is 20 × 30 pixels, but the image"),
        ("m.jpg", VALUES, r"its mask m\.jpg: its format is JPEG, which may change values; save it"),
        ("m.png", np.zeros((20, 30), bool), r"its mask m\.png leaves no pixel that is known"),
        ("m.npy", np.ones((2, 20, 30)), "its mask"),
    ],
)
def test_what_is_no_mask_is_refused_in_a_line(image: Path, name, values, why) -> None:
    mask = write(image.parent / name, values)
    if values.ndim > 2:
        image = write(image.parent / "deep.npy", rng.random((5, 20, 30)))
    with pytest.raises(FileError, match=why) as caught:
        workspace.read_picture(image, "volume=lattice" if values.ndim > 2 else "", mask=mask)
    assert "\n" not in str(caught.value)
