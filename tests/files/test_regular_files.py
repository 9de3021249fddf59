"""Only regular files are read: pipes, sockets, devices and folders are refused at once."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz import workspace
from latviz.core.disk.errors import FileError
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import Parameters
from latviz.files.errors import ImageError
from latviz.files.images import read_image
from latviz.files.sequences import read_sequences
from latviz.files.session_archive import read_session, sha256_of
from latviz.files.volumes import is_volume, read_volume

pytestmark = pytest.mark.usefixtures("no_hang")

READERS: list[Callable[[Path], Any]] = [
    read_image,
    read_volume,
    read_sequences,
    read_session,
    sha256_of,
    workspace.read_pictures,
    workspace.read_session,
]
DEVICE = "it is a device or a pipe, not a file; choose "


KINDS = {
    "pipe": "os.mkfifo",
    "socket": "socket.AF_UNIX",
    "device": "/dev/zero",
    "a link to a pipe": "os.mkfifo",
}
"""Kinds of places that are not regular files, with what makes them."""


@pytest.fixture(
    params=[pytest.param(kind, marks=pytest.mark.posix(used)) for kind, used in KINDS.items()]
)
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "odd.png"
    if request.param == "pipe":
        os.mkfifo(path)
        yield path
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            yield path
    elif request.param == "device":
        yield Path("/dev/zero")
    else:
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
        yield path


@pytest.mark.parametrize("read", READERS)
def test_what_is_no_regular_file_is_refused(read: Callable[[Path], Any], special: Path) -> None:
    with pytest.raises(FileError) as caught:
        read(special)
    assert caught.value.reason.startswith(DEVICE)
    assert str(caught.value).startswith(f"{special.name}: ")


def test_asking_for_a_volume_does_not_wait(special: Path) -> None:
    assert not is_volume(special)
    assert workspace.dimensions_of(special) == 2


@pytest.mark.parametrize("read", READERS)
def test_folders_are_refused(read: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read(tmp_path)
    assert "it is a folder, not a file" in caught.value.reason


@pytest.mark.posix("os.mkfifo")
def test_a_file_that_becomes_a_pipe_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, regular = tmp_path / "a.png", tmp_path / "b.png"
    regular.write_bytes(b"x")
    told = regular.stat()
    assert stat.S_ISREG(told.st_mode)
    os.mkfifo(path)
    monkeypatch.setattr(Path, "stat", lambda *_a, **_k: told)
    with pytest.raises(ImageError, match=DEVICE):
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
