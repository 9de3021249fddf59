"""All files are written by one writer: links, pipes and modes of all kinds of files."""

import errno
import ntpath
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
import pytest

from latviz.core import DiscreteModel, save_model
from latviz.core.disk import parts, writing
from latviz.core.disk.errors import ExportError, FileError, plain
from latviz.core.disk.names import refusal_of_windows
from latviz.core.disk.writing import append, check_target, replacing
from latviz.core.errors import ParameterError
from latviz.files.answers import add_row
from latviz.files.session_archive import write_session
from latviz.files.writing import (
    write_arrays,
    write_labels,
    write_page,
    write_state_map,
    write_summary,
    write_table,
)
from tests.of_wings import table

MODEL = DiscreteModel(np.eye(2) + 0.1, np.array([[0.8, 0.2], [0.2, 0.8]]), 1)
BYTES = np.eye(5, dtype=np.uint8)
WRITERS: dict[str, Callable[[Path], None]] = {
    "a.npz": lambda place: save_model(MODEL, place),
    "b.npz": lambda place: MODEL.save(place),
    "a.latviz": lambda place: write_session(place, {}, {}),
    "c.npz": lambda place: write_arrays(place, {"a": np.eye(2)}),
    "a.json": lambda place: write_summary(place, {"a": 1}),
    "a.csv": lambda place: write_table(place, ["a"], [[1]]),
    "a.png": lambda place: write_state_map(place, BYTES, BYTES[:, :3]),
    "b.png": lambda place: write_labels(place, BYTES.astype(np.int32)),
    "a.html": lambda place: write_page(place, "<p>"),
    "answers.csv": lambda place: add_row(place, ["a"], ["1"]),
    **table("WRITERS"),
}


@pytest.mark.posix("os.chown")
@pytest.mark.parametrize("name", WRITERS)
def test_links_are_followed_and_modes_are_kept(name: str, tmp_path: Path) -> None:
    real, link = tmp_path / f"real-{name}", tmp_path / name
    real.touch(0o600)
    link.symlink_to(real)
    WRITERS[name](link)
    assert link.is_symlink()
    assert real.stat().st_size > 0
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted((real.name, name))


@pytest.mark.posix("os.mkfifo", "/dev/null")
@pytest.mark.parametrize("name", WRITERS)
def test_pipes_and_devices_stay(name: str, tmp_path: Path) -> None:
    pipe, device = tmp_path / name, tmp_path / f"device-{name}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")
    for place in (pipe, device):
        with pytest.raises((FileError, ParameterError), match="a device or a pipe, not a file"):
            WRITERS[name](place)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert device.is_symlink()


@pytest.mark.posix("os.mkfifo", "socket.AF_UNIX")
def test_what_is_no_file_stays_behind_links_and_if_it_comes_late(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets must be short
    place = Path("one")
    place.symlink_to("two")
    Path("two").symlink_to("odd")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("odd")
        with pytest.raises(ExportError, match=r"one: it is a .*, not a file; choose another name"):
            check_target(place)
        with pytest.raises(ExportError, match="it is a device or a pipe"), replacing("late"):
            os.mkfifo("late")
    assert {one.name for one in tmp_path.iterdir()} == {"one", "two", "odd", "late"}


def test_nobody_foresees_the_name_of_a_part(tmp_path: Path) -> None:
    first, second = (parts.part_of(tmp_path / "a.npz").name for _ in range(2))
    assert first != second
    assert len({*first} & {*"0123456789abcdef"}) > 6


def test_a_link_at_the_name_of_a_part_is_not_written_through(tmp_path, monkeypatch) -> None:
    victim, part = tmp_path / "victim", tmp_path / ".latviz-1.part"
    victim.write_text("precious")
    part.symlink_to(victim)
    monkeypatch.setattr("latviz.core.disk.writing.part_of", lambda _: part)
    with pytest.raises(ParameterError, match="cannot be written"):
        save_model(MODEL, tmp_path / "a.npz")
    assert victim.read_text() == "precious"


def test_models_are_written_through_to_the_disk(tmp_path, monkeypatch) -> None:
    seen = []
    monkeypatch.setattr(os, "fsync", lambda number: seen.append(os.fstat(number).st_size))
    save_model(MODEL, tmp_path / "a.npz")
    assert seen == [(tmp_path / "a.npz").stat().st_size]


def test_lines_are_added_to_a_file(tmp_path: Path) -> None:
    place = tmp_path / "a"
    append(place, b"1\n")
    append(place, b"2\n")
    assert place.read_bytes() == b"1\n2\n"
    with pytest.raises(ExportError, match="it is a folder"):
        append(tmp_path, b"")


@pytest.mark.posix("os.fork")
def test_parts_of_killed_programs_go_with_the_next_file(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with replacing(tmp_path / "a") as stream:
            stream.write(b"half")
            os._exit(9)
    os.waitpid(child, 0)
    assert len(list(tmp_path.iterdir())) == 1
    with replacing(tmp_path / "b") as stream:
        stream.write(b"whole")
    assert [one.name for one in tmp_path.iterdir()] == ["b"]


def test_a_folder_that_was_being_written_goes_and_what_a_link_leads_to_stays(tmp_path) -> None:
    old, link, kept = (tmp_path / name for name in (".latviz-a.part", ".latviz-b.part", "kept"))
    old.mkdir()
    (old / "chunk").touch()
    kept.mkdir()
    (kept / "mine").touch()
    link.symlink_to(kept)
    for place in (old, link):
        os.utime(place, (1e9, 1e9), follow_symlinks=False)
    parts.sweep(tmp_path)
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["kept", "mine"]


def test_numbers_of_processes_of_other_machines_mean_nothing(tmp_path: Path) -> None:
    part = tmp_path / ".latviz-999999999-0badf00d-0123456789abcdef.part"
    part.touch()
    parts.sweep(tmp_path)
    assert part.exists()
    os.utime(part, (1e9, 1e9))
    parts.sweep(tmp_path)
    assert not part.exists()


def of_windows(number: int, code: int = errno.EACCES) -> OSError:
    error = OSError(code, "an error")
    error.winerror = number
    return error


@pytest.mark.parametrize("n_refused", [2, None])
def test_a_file_that_another_program_has_open_is_waited_for(
    tmp_path, monkeypatch, n_refused
) -> None:
    place, refused, plainly = tmp_path / "a.csv", list[object](), os.replace
    place.write_bytes(b"old")

    def replace(source: Path, target: Path) -> None:
        if n_refused is None or len(refused) < n_refused:
            refused.append(target)
            raise of_windows(5)
        plainly(source, target)

    monkeypatch.setattr(os, "replace", replace)
    if n_refused is None:
        monkeypatch.setattr(writing, "PATIENCE_S", 0.1)
        with pytest.raises(ExportError, match="another program has it open; close it there and"):
            write_table(place, ["a"], [[1]])
    else:
        write_table(place, ["a"], [[1]])
    assert len(refused) > 1
    assert place.read_bytes() == (b"old" if n_refused is None else b"a\r\n1\r\n")
    assert list(tmp_path.iterdir()) == [place]


def test_other_systems_refuse_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def replace(*places: Path) -> None:
        calls.append(places)
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(ExportError, match="access to it is not permitted"):
        write_table(tmp_path / "a.csv", ["a"], [[1]])
    assert len(calls) == 1


def test_errors_mean_other_things_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    missing, long = (FileNotFoundError(errno.ENOENT, "none", f"/{n * 'a'}") for n in (258, 259))
    for error in (missing, long):
        assert plain(error).startswith("there is no such file or folder")
    assert "another program has it open" in plain(of_windows(32))
    assert "its path is too long" in plain(of_windows(206, errno.ENOENT))
    monkeypatch.setattr("sys.platform", "win32")
    assert plain(missing).startswith("there is no such file or folder")
    assert plain(long).startswith("its path is too long: Windows takes 259 characters")
    denied = plain(PermissionError(errno.EACCES, "Permission denied"))
    assert denied.startswith("another program has it open, or your account has no access to it")


DEVICES = "con", "NUL.csv", "aux.tar.gz", "com1", "lpt9.txt", "com\xb9", "LPT\xb3.npz", "prn .csv"
FORBIDDEN = "a:b.csv", "a?.png", "a*", 'a"b', "a<b", "a|b", "a\nb"
FREE = "console.csv", "com10", "lpt.txt", "a.con", "null", "com1a", "\xb9.csv", "a b.csv"


@pytest.mark.parametrize("name", [*DEVICES, *FORBIDDEN, *FREE])
def test_names_that_windows_refuses(name, tmp_path, monkeypatch) -> None:
    # Python before 3.13 knows the devices alone
    known = getattr(ntpath, "isreserved", None) or (lambda one: PureWindowsPath(one).is_reserved())
    assert known(name) == (name not in FREE) or name in FORBIDDEN
    assert bool(refusal_of_windows(name)) == (name not in FREE)
    check_target(tmp_path / name)
    monkeypatch.setattr("sys.platform", "win32")
    if name in FREE:
        check_target(tmp_path / name)
    else:
        with pytest.raises(ExportError, match=r"Windows .* choose another name"):
            check_target(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("protected", ["a.csv", "part"])
def test_a_place_is_tried_if_the_system_does_not_know_that_it_is_protected(
    tmp_path, monkeypatch, protected
) -> None:
    place = tmp_path / "a.csv"
    place.write_bytes(b"old")

    def refusing(opened: Path, *options: Any, **named: Any) -> Any:
        if opened.name == protected:
            raise PermissionError(errno.EACCES, "Permission denied", opened)
        return open(opened, *options, **named)

    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(writing, "part_of", lambda target: target.with_name("part"))
    check_target(place)
    monkeypatch.setattr(writing, "open", refusing, raising=False)
    with pytest.raises(ExportError, match=r"a\.csv: another program has it open, or your"):
        check_target(place)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("a.csv", b"old")]
