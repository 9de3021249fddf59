"""Any file is read, or refused in one line with its name."""

import json
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from latviz import workspace
from latviz.core.disk.errors import FileError
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters
from latviz.files.errors import ImageError, SessionError
from latviz.files.images import read_image, read_lattice

read_volume = partial(read_lattice, roles={"volume": "lattice"})

PIXELS = np.random.default_rng(1).integers(0, 255, (20, 30, 3)).astype(np.uint8)
HEADER = b"{'descr': '|u1', 'fortran_order': False, 'shape': (20, 30), }"
BROKEN_HEADERS = {
    "cut off": HEADER[:40],
    "brackets": HEADER.replace(b"}", b"(((" * 6),
    "nested": b"(" * 4000,
    "no dictionary": b"[1, 2]",
    "no Python": HEADER.replace(b"'descr'", b"'descr"),
    "a call": b"__import__('os')",
    "negative": HEADER.replace(b"20", b"-9"),
    "bytes that are not text": b"\xff\xfe" * 20,
    "an odd type": HEADER.replace(b"|u1", b"|%%"),
}


def npy(header: bytes, version: tuple[int, int] = (1, 0)) -> bytes:
    length = struct.pack("<H" if version == (1, 0) else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes(version) + length + header + b"\n" + bytes(600)


def one_line(error: FileError, path: Path) -> None:
    text = str(error)
    assert text.startswith(f"{path.name}: ")
    assert "\n" not in text
    assert all(character.isprintable() for character in text)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0), (9, 9)])
@pytest.mark.parametrize("name", BROKEN_HEADERS)
def test_broken_headers_of_arrays(tmp_path: Path, name: str, version: tuple[int, int]) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(npy(BROKEN_HEADERS[name], version))
    for read in (read_image, read_volume, workspace.read_pictures):
        with pytest.raises(ImageError) as caught:
            read(path)
        one_line(caught.value, path)


def test_a_whole_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(npy(HEADER))
    assert workspace.read_pictures(path).picture.pixels.shape == (20, 30)


def test_a_tiff_file_without_a_page(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    path.write_bytes(b"II*\0" + bytes(40))
    for read in (read_image, read_volume):
        with pytest.raises(ImageError, match="it has no page; get a fresh copy") as caught:
            read(path)
        one_line(caught.value, path)


def test_names_and_records_cannot_command_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\nb.fasta"
    path.write_text(">red\x1b[2J" + "title" * 2000 + "\n")
    with pytest.raises(ImageError) as caught:
        workspace.read_pictures(path)
    assert str(caught.value).startswith("a\\x1b[31m\\nb.fasta: ")
    assert all(character.isprintable() for character in str(caught.value))
    assert len(str(caught.value)) < 200


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "a.latviz"
    pictures = as_set(Picture(PIXELS, "noise"))
    workspace.write_session(path, opened(pictures, Parameters(n_states=2)), pictures)
    return path


def change(path: Path, set_: Callable[[dict[str, Any]], None]) -> None:
    """Change the state in a session file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    content = json.loads(parts["session.json"])
    set_(content["content"]["session"]["state"])
    parts["session.json"] = json.dumps(content).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e400, "x", None, [1], {"a": 1}])
@pytest.mark.parametrize("field", ["alpha", "smoothing"])
def test_numbers_that_are_none(session: Path, field: str, value: Any) -> None:
    change(session, lambda state: state["parameters"].__setitem__(field, value))
    with pytest.raises(SessionError) as caught:
        workspace.read_session(session)
    one_line(caught.value, session)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError("image file is truncated"), " (image file is truncated); "),
        (SyntaxError("broken PNG file"), " (broken PNG file); "),
        (TypeError("unsupported operand type(s) for +"), "unknown variant; "),
        (ModuleNotFoundError("No module named 'compression'"), "unknown variant; "),
        (ValueError("cannot reshape array of size 0"), "unknown variant; "),
        (AssertionError("a\nb"), "unknown variant; "),
        (RecursionError(), "unknown variant; "),
        (EOFError(), "unknown variant; "),
    ],
)
def test_only_what_is_said_of_files_is_repeated(tmp_path, monkeypatch, error, told) -> None:
    def fail(*_: Any) -> Any:
        raise error

    path = tmp_path / "a.png"
    Image.fromarray(PIXELS).save(path)
    monkeypatch.setattr(Image.Image, "load", fail)
    with pytest.raises(ImageError) as caught:
        read_image(path)
    one_line(caught.value, path)
    assert told in caught.value.reason
    assert caught.value.reason.endswith("; get a fresh copy or save it again")
