"""Files whose array is read as a whole: archives, MATLAB's files, and those of plug-ins."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import io

from latviz.files.array_readers import matlab
from latviz.files.errors import ImageError
from latviz.files.images import read_image
from latviz.files.listing import listed
from latviz.files.readers import FileReader, ReadArray, plugged
from latviz.workspace import read_picture
from tests.test_readme import ROOT

GREY = np.random.default_rng(1).integers(0, 256, (20, 30)).astype(np.uint8)


def test_an_archive_of_one_array_is_that_array(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", GREY)
    np.testing.assert_array_equal(read_image(tmp_path / "a.npz").pixels, GREY)
    np.savez(tmp_path / "b.npz", a=GREY, b=GREY)
    with pytest.raises(ImageError, match=r"it holds 2 arrays: a \(20, 30\), b"):
        read_image(tmp_path / "b.npz")
    np.savez(tmp_path / "c.npz", np.array([{}], object))
    with pytest.raises(ImageError, match="pickle"):
        read_image(tmp_path / "c.npz")
    whole = (tmp_path / "a.npz").read_bytes()
    for cut in range(0, len(whole), 37):
        (tmp_path / "d.npz").write_bytes(whole[:cut])
        with pytest.raises(ImageError):
            read_image(tmp_path / "d.npz")


MATLAB = (*"bBhHiIqQfd", "?")
"""Types that MATLAB has, by NumPy's letters."""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", [(3, 5), (1, 7), (6, 1), (5, 6, 7), (4, 5, 3)])
def test_the_only_numbers_of_a_matlab_file_are_those_that_scipy_reads(shape, packed) -> None:
    """Beside texts, cells and single numbers; SciPy's arrays have slices last."""
    values = 250 * np.random.default_rng(2).random(shape)
    for letter, name in zip(MATLAB, ("X", "four", "fives", *["longer_name"] * 8), strict=True):
        stream, cells = BytesIO(), np.array([["a"]], object)
        array = values > 99 if letter == "?" else values.astype(letter)
        held = {"made": "by hand", "scale": 2.0, "cells": cells, name: array}
        io.savemat(stream, held, do_compression=packed)
        wanted = io.loadmat(BytesIO(stream.getvalue()))[name].squeeze()
        found = matlab.read(stream).array
        if shape == (5, 6, 7):
            wanted = np.moveaxis(wanted, 2, 0)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == array.dtype


def test_what_a_matlab_file_cannot_be_read_for_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    for held, words in (
        ({"X": GREY, "Y": GREY}, r"2 arrays: X \(20, 30\), Y \(20, 30\); save one"),
        ({"X": 1j * GREY}, "complex"),
        ({"X": "text"}, "no array of numbers"),
    ):
        io.savemat(path, held)
        with pytest.raises(ImageError, match=words):
            read_image(path)


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return what offers objects as readers, each as an entry point."""

    def offer(**objects: object) -> None:
        entries = [
            SimpleNamespace(name=name, load=lambda one=one: one) for name, one in objects.items()
        ]
        monkeypatch.setattr("latviz.core.plugins.metadata.entry_points", lambda group: entries)
        plugged.cache_clear()

    yield offer
    plugged.cache_clear()


def xarray_of(values: np.ndarray, dims: tuple[str, ...], **coords: Any) -> Any:
    attrs = {"units": "um"}
    named = {a: SimpleNamespace(values=np.array(one), attrs=attrs) for a, one in coords.items()}
    return SimpleNamespace(values=values, dims=dims, coords=named)


@pytest.mark.parametrize(
    "read",
    [
        lambda stack: ReadArray(np.moveaxis(stack, 0, -1), "yxc", ("DAPI", "GFP")),
        lambda stack: ReadArray(stack.transpose(2, 0, 1).astype(np.float16), "xcy"),
        lambda stack: xarray_of(stack, ("channel", "y", "x"), channel=["DAPI", "GFP"]),
    ],
)
def test_a_plug_in_gives_axes_in_any_order(tmp_path: Path, plug: Any, read: Any) -> None:
    stack = np.stack([GREY, 255 - GREY]).astype(np.int64)
    plug(own=FileReader("own", (".own",), lambda _: read(stack)))
    (tmp_path / "a.OWN").write_bytes(b"own")
    for page in (0, 1):
        np.testing.assert_array_equal(read_image(tmp_path / "a.OWN", page=page).pixels, stack[page])


def test_names_and_sizes_of_a_plug_in_reach_the_picture(tmp_path: Path, plug: Any) -> None:
    stack = np.stack([np.stack([GREY, 255 - GREY])] * 3).astype(np.float32)
    places = {"z": [0, 5, 10], "y": 2 - 0.25 * np.arange(20), "x": 0.5 * np.arange(30)}
    both = {
        "own": ReadArray(stack.T, "xycz", ("DAPI", "GFP"), (0.5, 0.25, 1.0, 5.0), "um"),
        "xarray": xarray_of(stack.T, ("x", "y", "c", "z"), c=["DAPI", "GFP"], **places),
    }
    plug(own=FileReader("own", (".own", ".xarray"), lambda path: both[path.suffix[1:]]))
    for name in both:
        (tmp_path / f"a.{name}").write_bytes(b"own")
        picture = read_picture(tmp_path / f"a.{name}")
        assert (picture.channels, picture.spacing) == (("DAPI", "GFP"), (5.0, 0.25, 0.5))
        assert picture.unit == "µm"
        np.testing.assert_array_equal(picture.pixels, np.moveaxis(stack, 1, -1))


def test_what_a_plug_in_masks_is_unknown(tmp_path: Path, plug: Any) -> None:
    stack = np.stack([GREY, 255 - GREY])
    known = np.random.default_rng(2).random(stack.shape) > 0.3
    deep = ReadArray(stack.transpose(2, 0, 1), "xcy", mask=known.transpose(2, 0, 1))
    flat = ReadArray(GREY, mask=known[0])
    plug(
        deep=FileReader("deep", (".deep",), lambda _: deep),
        flat=FileReader("flat", (".flat",), lambda _: flat),
    )
    for name, values, there in (("flat", GREY, known[0]), ("deep", stack, known.all(axis=0))):
        (tmp_path / f"a.{name}").write_bytes(b"own")
        picture = read_picture(tmp_path / f"a.{name}")
        np.testing.assert_array_equal(picture.known, there)
        np.testing.assert_array_equal(picture.pixels[there].T, values[..., there])
        n = np.count_nonzero(~there)
        assert picture.notes[-1].startswith(f"{n} of 600 pixels are unknown")


def test_a_plug_in_is_known_by_its_signature_and_its_errors_are_one_line(tmp_path, plug) -> None:
    def fail(_: Path) -> ReadArray:
        raise SystemExit("two\nlines")

    good = FileReader("good", (), lambda _: ReadArray(GREY > 99), b"GOOD")
    bad = FileReader("bad", (".bad",), fail)
    other = FileReader("other", (".other",), lambda _: GREY)
    odd = FileReader("odd", (".odd",), lambda _: ReadArray(GREY, "zyx"))
    plug(good=good, bad=bad, other=other, odd=odd, none=object())
    (tmp_path / "a.bin").write_bytes(b"GOOD enough")
    with pytest.warns(RuntimeWarning, match="'none' of latviz.readers was left out"):
        np.testing.assert_array_equal(read_image(tmp_path / "a.bin").pixels, 255 * (GREY > 99))
    for name, words in (("bad", "two"), ("other", "not ReadArray"), ("odd", "axes 'zyx'")):
        (tmp_path / f"a.{name}").write_bytes(b"x")
        with pytest.raises(ImageError, match=f"the reader '{name}' failed: .*{words}") as caught:
            read_image(tmp_path / f"a.{name}")
        assert "\n" not in str(caught.value)


def test_the_reader_of_the_manual_reads(tmp_path: Path, plug: Any) -> None:
    page = (ROOT / ".github/pages/plug-ins.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    plug(grids=names["READER"])
    head = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 25\nNODATA_value -9\n"
    (tmp_path / "a.ASC").write_text(f"{head}1 2 3\n4 -9 6.5\n")
    assert [one.path.name for one in listed([tmp_path]).files] == ["a.ASC"]
    picture = read_picture(tmp_path / "a.ASC")
    np.testing.assert_array_equal(picture.pixels, np.float32([[1, 2, 3], [4, 1, 6.5]]))
    np.testing.assert_array_equal(picture.known, [[1, 1, 1], [1, 0, 1]])
    assert (picture.spacing, picture.unit) == ((25, 25), "m")
