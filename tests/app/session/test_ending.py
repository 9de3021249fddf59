"""What ended a program, as the next start says it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from latviz.app.session.autosave import Autosave
from latviz.app.session.ending import MOST, Ended, Ending, ended_in, reported, set_aside
from latviz.app.shell.settings import Settings
from tests.app.session.conftest import crash, has_states, kept

PROGRAM = """
import signal
import sys
from pathlib import Path
from PyQt6.QtCore import QCoreApplication, QTimer
from latviz.app.session.ending import reported, work_line

for own in "SIGHUP", "SIGINT", "SIGQUIT":  # which what started the tests may ignore
    signal.signal(getattr(signal, own), signal.SIG_DFL)
app = QCoreApplication([])
folder, name = sys.argv[1:]
with reported(Path(folder)) as ending:
    ending.keep = lambda: Path(f"{folder}.{name}").touch()
    ending.note(work_line(Path(f"kept-{name}.latviz")))
    if name == "closed":
        QTimer.singleShot(0, app.quit)
    else:
        QTimer.singleShot(0, lambda: print("ready", flush=True))
    app.exec()
"""
FAULTS = "SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL"
ASKING = "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGXCPU"
KILLED = *FAULTS, *ASKING, "SIGKILL"


def begin(folder: Path, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(folder), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


def wait_until_ready(program: "subprocess.Popen[str]") -> None:
    assert program.stdout.readline() == "ready\n"


@pytest.mark.posix("signal.SIGHUP")
def test_each_signal_is_named_by_the_next_start(tmp_path: Path) -> None:
    """All programs run at the same time, and use one folder."""
    folder = tmp_path / "kept"
    programs = {name: begin(folder, name) for name in (*KILLED, "running", "closed")}
    try:
        for name in KILLED:
            wait_until_ready(programs[name])
            programs[name].send_signal(getattr(signal, name))
        for name in KILLED:
            assert -programs[name].wait(60) == getattr(signal, name)
        wait_until_ready(programs["running"])
        assert programs["closed"].wait(60) == 0
        reports = [Ended(path, path.read_text()) for path in folder.glob("run-*.txt")]
        assert len(reports) == len(KILLED) + 1
        for name in KILLED:
            (report,) = (one for one in reports if one.is_of(Path(f"kept-{name}.latviz")))
            assert ("without notice" if name == "SIGKILL" else f"{name})") in report.cause
            assert ("it crashed" in report.cause) == (name in FAULTS)
            assert ("File " in report.text) == (name != "SIGKILL"), "where it was"
            assert Path(f"{folder}.{name}").exists() == (name in ASKING), "the work is kept"
        assert set_aside(folder)
        assert not set_aside(folder)
        assert len(ended_in(folder)) == MOST
        (left,) = folder.glob("run-*.txt")
        assert "kept-running" in left.read_text()
    finally:
        for program in programs.values():
            program.kill()
            program.wait(60)
            program.stdout.close()


def test_a_program_that_closes_leaves_nothing(tmp_path: Path) -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with reported(tmp_path / "kept") as ending:
        assert ending is not None
        assert len(list((tmp_path / "kept").iterdir())) == 2
    assert not list(tmp_path.iterdir())
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == handlers


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where windows keep their sessions."""
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    folder = Settings().kept_folder
    folder.mkdir(parents=True)
    return folder


def test_the_next_start_offers_the_work_with_the_report(
    qtbot, crashed, folder, image, begun, clipboard
) -> None:
    report = "Work: kept-1.latviz\nFatal Python error: Segmentation fault\n\nThread 1\n"
    (folder / "run-1.txt").write_text(report)
    (folder / "run-0.txt").write_text("Work: kept-0.latviz\n")
    for name in ("kept-0", "kept-1"):
        crash(crashed, folder, name)
    window = begun(image)
    for cause in ("it crashed (segmentation fault, SIGSEGV)", "SIGKILL"):
        qtbot.waitUntil(window.banner.isVisible)
        assert cause in window.banner.label.text()
        (path,) = (one.path for one in ended_in(folder) if one.cause.count(cause))
        assert window.banner.label.text().endswith(f" Report: {path}")
        window.banner.copy_button.click()
        assert path.read_text() in clipboard.text()
        QTest.mouseClick(window.banner.other_button, Qt.MouseButton.LeftButton)
    assert not window.banner.isVisible()
    assert not kept(folder)
    ending = Ending(folder)
    window.parts[Autosave].follow(ending)
    window.document.set("N", n_states=7)
    ending.keep()
    (path,) = kept(folder)
    assert has_states(path, 7), "before a signal the work is kept at once"


def test_without_work_the_next_start_says_once_what_ended_the_last(
    qtbot, folder, image, begun
) -> None:
    (folder / "run-1.txt").write_text("Ended by SIGTERM\n")
    window = begun(image)
    qtbot.waitUntil(window.banner.isVisible)
    assert "(SIGTERM). There was no work to save." in window.banner.label.text()
    assert not window.banner.remedy_button.isVisible()
    window.close()
    calm = begun(image)
    qtbot.wait(100)
    assert not calm.banner.isVisible()
