"""Every file is read by one guard: pipes, devices, sockets and huge files are refused at once."""

import os
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz import workspace
from latviz.collection.models import read_model
from latviz.core.disk.errors import FileError, RefusedError
from latviz.core.disk.reading import SMALL, read_bytes, read_text
from latviz.core.errors import ParameterError
from latviz.engine.keeping.session import opened
from latviz.engine.lessons import lesson
from latviz.engine.settings.parameters import Parameters
from latviz.files.answers import read_rows
from latviz.files.images import read_image, read_lattice
from latviz.files.labels import read_labels
from latviz.files.sequences import read_sequences
from latviz.files.session_archive import read_session, sha256_of
from tests.of_wings import table

read_volume = partial(read_lattice, roles={"volume": "lattice"})

KINDS = {
    "pipe": "os.mkfifo",
    "device": "/dev/null",
    "link to a device": "/dev/null",
    "socket": "socket.AF_UNIX",
}
"""Kinds of places that are not regular files, with what makes them."""
ODD = [
    *(pytest.param(kind, marks=pytest.mark.posix(used)) for kind, used in KINDS.items()),
    "folder",
]


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Make something by a name that is not a regular file."""
    sockets = []

    def make(name: str) -> Path:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if request.param == "pipe":
            os.mkfifo(place)
        elif request.param == "socket":
            sockets.append(socket.socket(socket.AF_UNIX))
            os.chdir(place.parent)  # names of sockets must be short
            sockets[-1].bind(place.name)
        elif request.param == "folder":
            place.mkdir()
        else:
            null = place.with_name(f"{name.replace('/', '-')}-null")
            null.symlink_to("/dev/null")
            place.symlink_to("/dev/null" if request.param == "device" else null)
        return place

    before = Path.cwd()
    yield make
    os.chdir(before)
    for one in sockets:
        one.close()


DEVICE = "it is a device or a pipe, not a file; choose "
READERS: dict[str, Callable[[Path], Any]] = {
    "a.png": read_image,
    "c.png": workspace.read_pictures,
    "c.latviz": workspace.read_session,
    "a.tif": read_volume,
    "a.fasta": read_sequences,
    "labels.png": lambda place: read_labels(place, (2, 2)),
    "a.latviz": read_session,
    "b.png": sha256_of,
    "a.npz": read_model,
    "a.md": lesson.read,
    "a.csv": read_rows,
    **table("READERS"),
}


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_regular_file_is_refused(name: str, odd: Callable[[str], Path]) -> None:
    place = odd(name)
    with pytest.raises((FileError, ParameterError)) as it:
        READERS[name](place)
    said = str(it.value)
    assert "\n" not in said
    assert said.startswith((name, str(place)))
    assert (DEVICE if not place.is_dir() else "it is a folder, not a file") in said


def test_asking_for_a_volume_does_not_wait(odd: Callable[[str], Path]) -> None:
    place = odd("a.tif")
    if not place.is_dir():
        assert workspace.dimensions_of(place) == 2


@pytest.mark.posix("os.mkfifo")
def test_a_file_that_becomes_a_pipe_meanwhile(tmp_path, monkeypatch) -> None:
    path, regular = tmp_path / "a.png", tmp_path / "b.png"
    regular.write_bytes(b"x")
    before = regular.stat()
    os.mkfifo(path)
    monkeypatch.setattr(Path, "stat", lambda *_a, **_k: before)
    with pytest.raises(FileError, match=DEVICE):
        read_image(path)


@pytest.mark.posix("os.mkfifo")
def test_a_session_whose_image_became_a_pipe(tmp_path: Path) -> None:
    image, path = tmp_path / "a.npy", tmp_path / "a.latviz"
    np.save(image, np.arange(600, dtype=np.uint8).reshape(20, 30))
    pictures = workspace.read_pictures(image)
    session = opened(pictures, Parameters(n_states=2))
    workspace.write_session(path, session, pictures)
    image.unlink()
    os.mkfifo(image)
    with pytest.raises(FileError, match=DEVICE) as caught:
        workspace.read_session(path)
    assert str(image) in str(caught.value)
    workspace.write_session(path, session, pictures)  # its image is embedded now
    image.unlink()
    found, _ = workspace.read_session(path)
    np.testing.assert_array_equal(found.picture.pixels, pictures.picture.pixels)


def test_what_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    place = tmp_path / "a"
    with place.open("wb") as stream:
        stream.truncate(1 << 40)  # of holes alone
    with pytest.raises(RefusedError, match=f"larger than {SMALL:,} bytes; choose a lesson"):
        read_bytes(place, wanted="a lesson")
    place.write_bytes(b"abc")
    assert read_bytes(place, 3) == b"abc"
    with pytest.raises(RefusedError, match="larger than 2 bytes"):
        read_bytes(place, 2)


def test_texts(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes("\ufeffä\r\nb\rc\n".encode())
    assert read_text(place) == "ä\nb\nc\n"
    place.write_bytes(b"\xff\xfe")
    with pytest.raises(RefusedError, match="not plain text in UTF-8; choose a lesson"):
        read_text(place, wanted="a lesson")
    with pytest.raises(RefusedError, match="cannot be the name of a file"):
        read_text("a\0b")


def test_a_file_that_grows_is_read_up_to_its_limit(tmp_path, monkeypatch) -> None:
    """A program writes into it meanwhile: it was small enough when its size was asked for."""
    place, measure, sizes = tmp_path / "log.txt", os.fstat, list[os.stat_result]()
    place.write_bytes(b"ab")

    def grown(descriptor: int) -> os.stat_result:
        sizes.append(measure(descriptor))
        os.truncate(place, 1 << 25)
        return sizes[0]

    monkeypatch.setattr(os, "fstat", grown)
    tracemalloc.start()
    try:
        with pytest.raises(RefusedError, match=r"larger than 1,000 bytes; choose a list"):
            read_bytes(place, 1000, "a list")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
