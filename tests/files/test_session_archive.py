"""Session files: written ones are read, and other files are refused."""

import io
import json
import os
import random
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz.files import memory
from latviz.files import session_archive as session
from latviz.files.errors import SessionError
from latviz.files.session_archive import read_session, sha256_of, write_session
from latviz.files.suffixes import is_session

CONTENT = {"a": [1, 2.5, "drei", None, True], "b": {"c": "inf"}}
ARRAYS = {
    "picture.pixels": np.random.default_rng(0).integers(0, 256, (7, 9, 3)).astype(np.uint8),
    "volume": np.random.default_rng(1).normal(size=(3, 4, 5)).astype(np.float32),
    "line": np.arange(70000, dtype=np.uint16)[::2],
    "empty": np.empty((0, 3), np.int64),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session that is right."""
    write_session(tmp_path / "a.latviz", CONTENT, ARRAYS)
    return tmp_path / "a.latviz"


def changed(path: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """Change the members of a session."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def with_head(path: Path, **changes: Any) -> Path:
    def change(members: dict[str, bytes]) -> None:
        head = json.loads(members["session.json"]) | changes
        members["session.json"] = json.dumps(head).encode()

    return changed(path, change)


def with_array(path: Path, content: bytes) -> Path:
    return changed(path, lambda members: members.update({"line.npy": content}))


def npy(array: Any, pickled: bool = False) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=pickled)
    return stream.getvalue()


def header(shape: tuple[int, ...], descr: str = "|u1") -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    return stream.getvalue()


def assert_refused(path: Path, *words: str) -> None:
    with pytest.raises(SessionError) as caught:
        read_session(path)
    assert caught.value.path == path
    for word in (path.name, *words):
        assert word in str(caught.value)


def test_what_is_written_is_read(path: Path) -> None:
    content, arrays = read_session(path)
    assert content == CONTENT
    assert arrays.keys() == ARRAYS.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, ARRAYS[name])
        assert array.dtype == ARRAYS[name].dtype
        assert array.flags.c_contiguous
        assert not array.flags.writeable


def test_the_same_session_is_the_same_bytes(path: Path, tmp_path: Path) -> None:
    write_session(tmp_path / "b.latviz", CONTENT, ARRAYS)
    assert (tmp_path / "b.latviz").read_bytes() == path.read_bytes()
    assert sha256_of(path) == sha256_of(tmp_path / "b.latviz")
    assert is_session("work.LATVIZ")
    assert not is_session("work.png")


def test_other_files(tmp_path: Path) -> None:
    assert_refused(tmp_path / "missing.latviz", "no such file")
    assert_refused(tmp_path, "it is a folder")
    text = tmp_path / "text.latviz"
    for content in (b"", b"not a session", b"\x89PNG\r\n\x1a\n" + bytes(60)):
        text.write_bytes(content)
        assert_refused(text, "it is not a session")
    with pytest.raises(SessionError, match="cannot be the name of a file"):
        read_session("a\0b.latviz")


def test_other_archives(path: Path) -> None:
    changed(path, lambda members: members.pop("session.json"))
    assert_refused(path, "holds no session")
    write_session(path, CONTENT, ARRAYS)
    assert_refused(with_head(path, format="another"), "holds no session")


def test_a_newer_format_is_refused(path: Path) -> None:
    with_head(path, version=session.VERSION + 1, latviz="7.0")
    assert_refused(
        path, "newer latviz", "7.0", f"format {session.VERSION + 1}", f"format {session.VERSION}"
    )


@pytest.mark.parametrize("version", [0, -1, "1", None, [1]])
def test_a_version_that_is_none(path: Path, version: Any) -> None:
    assert_refused(with_head(path, version=version), "damaged")


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_damaged_text(path: Path, content: bytes) -> None:
    assert_refused(changed(path, lambda members: members.update({"session.json": content})))


@pytest.mark.parametrize("content", [None, [], "text", 3])
def test_content_of_another_type(path: Path, content: Any) -> None:
    assert_refused(with_head(path, content=content), "damaged")


def test_pickled_objects_are_never_loaded(path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return os._exit, (1,)

    trap = np.empty(1, object)
    trap[0] = Trap()
    assert_refused(with_array(path, npy(trap, pickled=True)), "line.npy")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no array",
        npy(np.arange(9))[:-1],
        npy(np.arange(9)) + b"more",
        npy(np.array(["text"])),
        header((1 << 40,)),
        header((-3, -3)) + bytes(9),
        header((3,), "|O"),
        header((2, 2), "<c16") + bytes(64),
        b"\x93NUMPY\x02\x00" + (2**32 - 1).to_bytes(4, "little") + bytes(2**16),
    ],
)
def test_damaged_arrays(path: Path, content: bytes) -> None:
    assert_refused(with_array(path, content))


def test_arrays_that_are_there_twice(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("line.npy", npy(np.zeros(3)))
    assert_refused(path, "damaged")


def test_cut_off_anywhere(path: Path) -> None:
    whole, rng = path.read_bytes(), random.Random(0)
    for length in [1, 4, 22, *(rng.randrange(len(whole)) for _ in range(60)), len(whole) - 1]:
        path.write_bytes(whole[:length])
        assert_refused(path)


def test_bytes_changed_anywhere(path: Path) -> None:
    whole, rng = path.read_bytes(), random.Random(1)
    for _ in range(200):
        place = rng.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            content, arrays = read_session(path)
        except SessionError:
            continue
        assert content == CONTENT  # the changed bytes do not belong to the content
        assert all(np.array_equal(array, ARRAYS[name]) for name, array in arrays.items())


def test_sizes_are_checked_before_anything_is_read(path, monkeypatch) -> None:
    bomb = header((30000, 30000)) + bytes(30000 * 30000 // 100)
    assert_refused(with_array(path, bomb), "damaged")
    write_session(path, CONTENT, {"zeros": np.zeros((4000, 4000), np.uint8)})
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(memory, "available", lambda: 2_000_000 * memory.EXPLORED)
    monkeypatch.setattr(session.npy, "array_in", lambda *_: pytest.fail("it was read"))
    assert_refused(path, "16,000,000 bytes", "memory")


def test_a_text_that_is_too_long(path: Path) -> None:
    long = b" " * (session.MOST_TEXT + 1)
    assert_refused(
        changed(path, lambda members: members.update({"session.json": long})),
        "too many for a session",
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_not_written(path: Path, value: float) -> None:
    before = path.read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_session(path, {"a": value}, {})
    assert path.read_bytes() == before


@pytest.mark.posix("os.chown")
def test_sessions_are_their_owners_alone(tmp_path: Path) -> None:
    before, path = os.umask(0), tmp_path / "new.latviz"
    try:
        write_session(path, {}, {})
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o640)  # somebody lets others read it
        write_session(path, {"a": 1}, {})
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
