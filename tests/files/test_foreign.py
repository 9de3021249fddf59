"""Formats that are not read: named, with a remedy, by their content, or else by their names."""

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import struct
import tarfile
import wave
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from latviz import workspace
from latviz.core import DiscreteModel, save_model
from latviz.files.foreign import FOREIGN, foreign
from latviz.files.formats import FORMATS
from latviz.files.images import ImageError
from latviz.files.writing import write_arrays
from tests.files.test_formats import GREY, content_of


def written(write: Callable[[Any], Any]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def zipped(*names: str, first: bytes = b"text") -> bytes:
    def write(stream: Any) -> None:
        with zipfile.ZipFile(stream, "w") as archive:
            for name in names:
                archive.writestr(name, first)

    return written(write)


def tarred(stream: Any) -> None:
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.png"))


def sound(stream: Any) -> None:
    with wave.open(stream, "wb") as file:
        file.setparams((1, 1, 8000, 4, "NONE", ""))
        file.writeframes(bytes(4))


def saved(kind: str) -> bytes:
    return written(lambda stream: Image.fromarray(GREY).save(stream, kind))


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", 8 + len(content)) + kind + content


ODF = "application/vnd.oasis.opendocument."
MADE = {
    # By the programs or libraries that write them, or else by their specifications
    "raw photograph": b"II*\0\x10\0\0\0CR\x02\0" + bytes(99),
    "OpenEXR": struct.pack("<II", 20000630, 2),
    "Radiance": b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n",
    "Photoshop": b"8BPS\0\x01" + bytes(6),
    "GIMP": b"gimp xcf v011\0",
    "JPEG XL": box(b"JXL ", b"\r\n\x87\n"),
    "DjVu": b"AT&TFORM\0\0\0\x20DJVU",
    "icon": saved("ICO"),
    "PCX": saved("PCX"),
    "SVG": b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    "PDF": saved("PDF"),
    "PostScript": saved("EPS"),
    "web page": b"<!DOCTYPE html>\n<html><head></head></html>",
    "NRRD": b"NRRD0004\ntype: short\ndimension: 3\n",
    "MetaImage": b"ObjectType = Image\nNDims = 3\n",
    "Analyze": struct.pack("<i", 348) + bytes(344),
    "MRC": bytes(208) + b"MAP DD\0\0" + bytes(20),
    "CZI": b"ZISRAWFILE" + bytes(22),
    "ND2": b"\xda\xce\xbe\x0a" + bytes(12) + b"ND2 FILE SIGNATURE CHUNK NAME01!",
    "LIF": struct.pack("<IIBI", 0x70, 90, 0x2A, 40) + "<LMSDataContainerHeader".encode("utf-16-le"),
    "session of latviz": zipped("session.json", "picture.npy"),
    "netCDF": b"CDF\x01" + bytes(28),
    "GRIB": b"GRIB\0\0\0\x02" + bytes(9),
    "Parquet": b"PAR1\x15\x04\x15",
    "Feather": b"ARROW1\0\0\xff\xff\xff\xff",
    "pickle": pickle.dumps({"a": [1]}),
    "file of R": gzip.compress(b"X\n\0\0\0\x03\0\x04\x02\0"),
    "spreadsheet": zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
    "document with text": zipped("mimetype", first=f"{ODF}text".encode()),
    "format GenBank": b"LOCUS       SCU49845 5028 bp DNA\nORIGIN\n 1 gatcctccat\n//\n",
    "format EMBL": b"ID   X56734; SV 1\nSQ\n   aaac\n",
    "format Clustal": b"CLUSTAL W (1.82)\n\na  ACGT\n",
    "format Stockholm": b"# STOCKHOLM 1.0\na ACGT\n//\n",
    "format NEXUS": b"#NEXUS\nBEGIN DATA;\n",
    "format FASTQ": gzip.compress(b"@read1\nACGT\n+\nIIII\n"),
    "format BAM": gzip.compress(b"BAM\x01\0\0\0\0"),
    "sound": written(sound),
    "zip archive": zipped("notes.md"),
    "tar archive": gzip.compress(written(tarred)),
    "7z archive": b"7z\xbc\xaf\x27\x1c\0\x04",
    "RAR archive": b"Rar!\x1a\x07\x01\0",
    "packed by bzip2": bz2.compress(b"text"),
    "packed by xz": lzma.compress(b"text"),
    "packed by Zstandard": b"\x28\xb5\x2f\xfd\x04\0",
    "packed by gzip": gzip.compress(b"\x01\x02"),
    "pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:01\nsize 9\n",
    "OLE file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
}
"""Beginnings of files, by a part of the name that they have in messages."""


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(ImageError) as caught:
        workspace.read_pictures(path)
    return caught.value.reason


@pytest.mark.parametrize("name", MADE)
def test_each_content_is_named_under_any_name(name: str, tmp_path: Path) -> None:
    for suffix in ("", ".png", ".txt", ".csv", ".tga"):
        said = refusal(tmp_path / f"a{suffix}", MADE[name])
        assert said.startswith("it is ")
        assert name in said.partition(";")[0]
        assert len(said.partition("; ")[2]) > 10  # a remedy


def test_each_row_is_named_by_its_suffixes(tmp_path: Path) -> None:
    names = [suffix for row in FOREIGN for suffix in row.suffixes]
    assert len(names) == len(set(names))
    assert not {suffix for row in FORMATS for suffix in row.suffixes} & set(names)
    for row in FOREIGN:
        for suffix in row.suffixes:
            said = refusal(tmp_path / f"a{suffix.upper()}", b"\x01\x02 of unknown content")
            assert said == f"by its name it is {row.name}; {row.remedy}"
        assert row.suffixes or any(row.begins(made) for made in MADE.values())


def test_what_latviz_writes_itself_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_model(DiscreteModel(np.eye(2), np.eye(2), 1), path)
    assert "a model or a classifier of latviz" in refusal(path, path.read_bytes())
    write_arrays(path, {"states": GREY, "A": GREY})
    assert "it holds 2 arrays: states (4, 6), A (4, 6)" in refusal(path, path.read_bytes())


def test_databases_are_named(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.png") as base:
        base.execute("create table t (x)")
    base.close()
    assert "an SQLite database" in refusal(tmp_path / "b.png", (tmp_path / "a.png").read_bytes())


def test_names_tell_what_a_container_holds(tmp_path: Path) -> None:
    """Macros first: none of their members is at the beginning."""
    assert "a spreadsheet" in refusal(tmp_path / "a.xlsx", zipped("docProps/app.xml"))
    assert "a spreadsheet" in refusal(tmp_path / "a.xls", MADE["OLE file"])
    assert "a microscope's image" in refusal(tmp_path / "a.ims", b"\x89HDF\r\n\x1a\n\0" + bytes(90))
    tiff = content_of(next(row for row in FORMATS if row.name == "TIFF"))
    assert "a raw photograph of a camera" in refusal(tmp_path / "a.NEF", tiff)


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_nothing_that_is_read_is_foreign(row: Any) -> None:
    content = b"" if row.alone else content_of(row)
    if row.content is None or row.alone:  # as it is asked; the content of others is known before
        assert all(foreign(content, f"a{suffix}") is None for suffix in row.suffixes)


@given(st.text("ACGTNacgtwide MAP\n0123456789.,;-", max_size=300))
@settings(max_examples=40, derandomize=True)
def test_no_sequence_is_foreign(text: str) -> None:
    assert foreign(text.encode(), "a.txt") is None
