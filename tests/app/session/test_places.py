"""Folders that cannot be written, disks that are full, files that change, programs side by side."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QSettings

from latviz import files
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session import autosave, sessions
from latviz.app.session.sessions import Sessions
from latviz.app.shell.settings import MOST_RECENT, Settings
from latviz.files.errors import ImageError
from latviz.workspace import read_pictures, read_session
from tests.app.session.conftest import CRASHING, crash, has_states, kept

ADDING = """
import sys
from latviz.app.shell.settings import Settings
settings = Settings()
assert settings.recent == []
print("ready", flush=True)
sys.stdin.readline()
settings.add_recent(sys.argv[1])
settings.finish()
settings.theme = "dark"
print("done", flush=True)
sys.stdin.readline()
"""
HOMELESS = """
import sys
from PyQt6.QtCore import QTimer
from latviz.app.document.opening import Opener
from latviz.app.program import main
from latviz.app.session import autosave
from latviz.app.shell.settings import Settings

autosave.INTERVAL_MS = 50
app = main.application()
window = main.MainWindow(Settings())
main.report_exceptions(window)
told = []
def fail(failure):
    told.append(failure.message)
    if "not saved automatically" in failure.message:
        QTimer.singleShot(400, window.close)  # eight times later it is not told again
window.shell.fail = fail
say = window.shell.say
window.shell.say = lambda text: (told.append(text), say(text))
window.show()
window.parts[Opener].open_path(sys.argv[1])
def change(old, new):
    if new.picture is not old.picture:
        QTimer.singleShot(0, lambda: window.document.set("N", n_states=6))
        QTimer.singleShot(20_000, window.close)
window.document.changed.connect(change)
app.exec()
main.discard(window)
print("\\n".join(told), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a home folder for this process and its children."""
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(autosave, "INTERVAL_MS", 50)
    return tmp_path


@pytest.fixture
def begin(home: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Begin a program; all of them end with the test."""
    processes: list[subprocess.Popen[str]] = []

    def make(script: str, *arguments: object) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", script, *map(str, arguments)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        processes.append(process)
        return process

    yield make
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def start(home: Path, begun: Callable[[Path], MainWindow]) -> Callable[[Path], MainWindow]:
    """Start a window that shows an image."""
    return begun


def line(process: "subprocess.Popen[str]") -> str:
    return process.stdout.readline().strip()


def say(process: "subprocess.Popen[str]") -> None:
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_programs_share_the_list_of_files(home, begin) -> None:
    programs = [begin(ADDING, name) for name in ("a.png", "b.png")]
    assert [line(program) for program in programs] == ["ready", "ready"]
    for program in programs:
        say(program)
        assert line(program) == "done"
    for program in programs:
        say(program)
        assert program.wait(30) == 0
    place = home / "home" / "latviz.conf"
    stored = QSettings(str(place), QSettings.Format.IniFormat)
    assert stored.value("recent") == ["b.png", "a.png"]
    assert stored.value("theme") == "dark"
    assert [item.name for item in place.parent.iterdir()] == ["latviz.conf"]


def test_the_list_of_files_stays_short(tmp_path: Path) -> None:
    settings = Settings(lasting=False)
    for k in range(2 * MOST_RECENT):
        settings.add_recent(f"{k}")
    assert settings.recent == [f"{k}" for k in range(19, 9, -1)]
    settings.clear_recent()
    assert settings.recent == []


def test_what_another_program_does_is_never_offered(qtbot, image, crashed, begin, start) -> None:
    folder = Settings().kept_folder
    assert folder is not None
    running = begin(CRASHING, image)
    qtbot.waitUntil(lambda: any(has_states(path, 7) for path in kept(folder)))
    crash(crashed, folder)  # later, or the other program would offer it
    before = {path: path.read_bytes() for path in kept(folder)}
    window = start(image)
    qtbot.waitUntil(window.banner.isVisible)
    assert "did not close properly" in window.banner.label.text()
    window.banner.other_button.click()
    assert not window.banner.isVisible()
    (left,) = kept(folder)
    assert left.read_bytes() == before[left]
    assert running.poll() is None
    window.document.set("N", n_states=9)
    qtbot.waitUntil(lambda: sorted(has_states(p, 9) for p in kept(folder)) == [False, True])
    assert has_states(left, 7)


def test_a_home_that_is_no_folder(image: Path, tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    kept_names = ("PATH", "PYTHONPATH", "QT_QPA_PLATFORM", "NUMBA_CACHE_DIR")
    environment = {name: os.environ[name] for name in kept_names if name in os.environ}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    ended = subprocess.run(
        [sys.executable, "-c", HOMELESS, str(image)],
        env={**environment, "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": cache},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Settings cannot be saved. They last until the program is closed" in ended.stdout
    assert ended.stdout.count("your work is not saved automatically") == 1
    assert "went wrong" not in ended.stdout


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A disk that is full until the patch is undone."""

    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        yield patch


def test_a_full_disk_is_told_once_and_work_is_kept_once_there_is_room(
    qtbot, image, start, full
) -> None:
    folder = Settings().kept_folder
    assert folder is not None
    window = start(image)
    window.document.set("N", n_states=6)
    qtbot.waitUntil(window.banner.isVisible)
    assert "the disk is full" in window.banner.label.text()
    window.banner.hide()
    qtbot.wait(300)
    assert not window.banner.isVisible()
    assert not kept(folder)
    qtbot.waitUntil(lambda: not list(folder.glob("*.part")))  # it may be trying again just now
    full.undo()
    qtbot.waitUntil(lambda: any(has_states(path, 6) for path in kept(folder)))


def test_files_that_are_gone_and_a_session_that_does_not_fit(
    qtbot, image, start, monkeypatch
) -> None:
    window, path = start(image), image.with_name("work.latviz")
    state = window.document.state
    for name in ("gone.png", "gone.latviz", "gone.fasta"):
        window.parts[Opener].open_file(str(image.with_name(name)))
        qtbot.waitUntil(window.banner.isVisible)
        assert f"{name}: there is no such file" in window.banner.label.text()
        assert window.document.state is state
        window.banner.hide()
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), True))
    window.parts[Sessions].save()
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: window.parts[Sessions].path == str(path))
    before = path.read_bytes()
    window.document.set("N", n_states=6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
        window.parts[Sessions].save()
        # The automatic copy does not fit either; that is reported before, or not now.
        qtbot.waitUntil(lambda: "work.latviz: the disk is full" in window.banner.label.text())
    assert path.read_bytes() == before
    assert window.parts[Sessions].is_changed
    window.parts[Sessions].save()
    qtbot.waitUntil(lambda: not window.parts[Sessions].is_changed)
    assert read_session(path)[1].state.parameters.n_states == 6


@pytest.mark.parametrize("how", ["rewritten", "replaced", "removed"])
def test_a_file_that_changes_while_it_is_read(image, monkeypatch, how) -> None:
    read = files.images.read_lattice
    other = image.with_name("other.png")
    Image.fromarray(np.eye(80, 90, dtype=np.uint8)).save(other)

    def change(path: Any, *roles: Any, **options: Any) -> Any:
        found = read(path, *roles, **options)
        if how == "rewritten":
            image.write_bytes(other.read_bytes())
        elif how == "replaced":
            other.rename(image)
        else:
            image.unlink()
        return found

    monkeypatch.setattr(files.images, "read_lattice", change)
    wanted = "no such file" if how == "removed" else "changed while it was read; open it again"
    with pytest.raises(ImageError, match=f"image.png: .*{wanted}"):
        read_pictures(image)
    if how == "removed":
        other.rename(image)
    monkeypatch.setattr(files.images, "read_lattice", read)
    np.testing.assert_array_equal(read_pictures(image).picture.pixels, np.eye(80, 90))
