"""The table of formats: each row opens, under any name that its content allows, and is offered."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image
from PyQt6.QtWidgets import QFileDialog
from scipy import io as matlab

from latviz.app.help.manual import folder
from latviz.app.shell import dialogs
from latviz.files import formats
from latviz.files.errors import ImageError
from latviz.files.formats import FORMATS, Format, by_content
from latviz.files.listing import listed
from latviz.workspace import read_picture
from tests.files import kinds

GREY = np.arange(24, dtype=np.uint8).reshape(4, 6) * 10
SEQUENCE = b">one\nGATTACAT\n"


def saved(kind: str) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(GREY).save(stream, kind)
    return stream.getvalue()


def array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, GREY)
    return stream.getvalue()


def tiff() -> bytes:
    stream = io.BytesIO()
    tifffile.imwrite(stream, GREY)
    return stream.getvalue()


def named(write: Callable[[Path], object]) -> bytes:
    """Return a file that only its name can be given for."""
    with TemporaryDirectory() as folder:
        write(Path(folder, "a"))
        return Path(folder, "a").read_bytes()


def written(write: Callable[[Any], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


WHOLE: dict[str, Callable[[], bytes]] = {
    "fits": lambda: kinds.fits(GREY),
    "nifti": lambda: gzip.compress(kinds.nifti(GREY.T)),
    "dicom": lambda: kinds.dicom(GREY.astype(np.uint16)),
    "hdf5": lambda: named(lambda path: kinds.hdf5(path, a=GREY)),
    "npz": lambda: written(lambda stream: np.savez(stream, GREY)),
    "matlab": lambda: written(lambda stream: matlab.savemat(stream, {"a": GREY})),
}
"""Files whose array is read as a whole, by the modules that do."""


def content_of(row: Format) -> bytes:
    """Return a small valid file: of an image `GREY`, of a sequence 8 letters, of numbers 3."""
    if row.package:
        pytest.importorskip(row.package)
    made: dict[str, Callable[[], bytes]] = {
        "whole": lambda: WHOLE[row.codec](),
        "film": lambda: named(kinds.film),
        "array": array,
        "tiff": tiff,
        "netpbm": lambda: b"P5\n6 4\n255\n" + GREY.tobytes(),
        "numbers": lambda: b"0.5\n1.5\n-2e1\n",
        "sequence": lambda: SEQUENCE if row.content else b"GATTACAT\n",
        "raster": lambda: (
            named(lambda path: kinds.heic(path, GREY)) if row.codec == "HEIF" else saved(row.codec)
        ),
    }
    return made[row.reader]()


def check(row: Format, path: Path) -> None:
    path.write_bytes(content_of(row))
    picture = read_picture(path)
    if row.reader == "sequence":
        assert picture.shape == (8,)
    elif row.reader == "numbers":
        np.testing.assert_array_equal(picture.pixels, [[0.5, 1.5, -20]])
    elif row.reader == "film":
        assert picture.shape == (48, 64)
        assert picture.origin["axes"] == "t=0"
    else:
        assert picture.shape == GREY.shape
        lossy = row.name in ("JPEG", "WebP", "AVIF", "HEIC")
        grey = picture.pixels if picture.is_grey else picture.pixels[..., 0]
        np.testing.assert_allclose(grey, GREY, atol=12 if lossy else 0)


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_each_format_opens_by_its_content_or_its_suffix(row: Format, tmp_path: Path) -> None:
    for suffix in row.suffixes:
        check(row, tmp_path / f"a{suffix}")
        check(row, tmp_path / f"b{suffix.upper()}")
    if row.content is not None:
        for name in ("none", "other.png", "other.fasta", "other.txt", "other.tga", "other.xyz"):
            check(row, tmp_path / name)
    assert row.content is not None or row.by_suffix


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_each_format_is_offered_and_named(row, tmp_path, monkeypatch) -> None:
    asked: list[str] = []

    def ask(*arguments: Any) -> tuple[list[str], str]:
        asked.append(arguments[3])
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", ask)
    assert dialogs.ask_files(None, "") == []
    manual = (folder() / "formats.md").read_text(encoding="utf-8")
    for suffix in row.suffixes:
        assert f"*{suffix} " in asked[0].replace(")", " ")
        assert f"`{suffix}`" in manual
        (tmp_path / f"a{suffix.upper()}").write_bytes(b"?")
    found = listed([tmp_path])[0]
    is_found = not (row.is_text or row.alone or row.is_missing)
    assert len(found) == (len(row.suffixes) if is_found else 0)


def test_a_package_that_is_missing_is_named_with_what_installs_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(formats, "find_spec", lambda _: None)
    needing = [row for row in FORMATS if row.package]
    assert {row.name for row in needing} == {"DICOM", "HDF5", "HEIC", "film"}
    (tmp_path / "a.dcm").write_bytes(kinds.dicom(GREY.astype(np.uint16)))
    with pytest.raises(ImageError, match=r'DICOM.*: pip install "latviz\[formats\] @ git'):
        read_picture(tmp_path / "a.dcm")


def test_no_format_is_taken_for_another() -> None:
    suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for row in FORMATS:
        head = content_of(row)
        claimed = [other.name for other in FORMATS if other.content and other.content(head)]
        assert claimed == [row.name] * (row.content is not None)
        assert by_content(head) is (row if row.content else None)
