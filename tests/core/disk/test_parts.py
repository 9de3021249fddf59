"""Parts of files that killed writers left are swept; those still being written are not."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from latviz.core.disk.parts import OLD_S, sweep
from latviz.core.disk.writing import replacing

WRITING = """
import sys, time
from latviz.core.disk.writing import replacing
with replacing(sys.argv[1]) as stream:
    stream.write(b"half")
    stream.flush()
    print("begun", flush=True)
    time.sleep(1000)
"""


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[], "subprocess.Popen[str]"]]:
    """Begin to write a file in a process of its own."""
    processes = []

    def make() -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", WRITING, str(tmp_path / "target")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout.readline() == "begun\n"
        return process

    yield make
    for process in processes:
        process.kill()
        process.communicate()


def names(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


def test_only_what_nobody_writes_is_removed(tmp_path, begin) -> None:
    killed, running = begin(), begin()
    (tmp_path / "mine.part").touch()
    (tmp_path / "kept-1.latviz").touch()
    assert len(names(tmp_path)) == 4
    killed.kill()
    killed.wait(20)
    with replacing(tmp_path / "own") as stream:
        sweep(tmp_path)
        left = names(tmp_path)
        stream.write(b"whole")
    others = {"mine.part", "kept-1.latviz"}
    assert {name.split("-")[1] for name in left - others} == {f"{running.pid}", f"{os.getpid()}"}
    assert left >= others
    assert (tmp_path / "own").read_bytes() == b"whole"


def test_a_number_that_another_process_has_now(tmp_path: Path) -> None:
    part = tmp_path / f".latviz-{os.getpid()}-0123456789abcdef.part"
    part.touch()
    os.utime(part, (1e9, 1e9))  # before this process began
    sweep(tmp_path)
    assert names(tmp_path) == set()


@pytest.mark.parametrize(("age", "left"), [(OLD_S + 60, False), (OLD_S - 60, True)])
def test_parts_that_do_not_say_whose_they_are(tmp_path: Path, age: float, left: bool) -> None:
    part = tmp_path / ".latviz-0123456789abcdef.part"
    part.touch()
    os.utime(part, (time.time() - age,) * 2)
    sweep(tmp_path)
    assert part.exists() == left


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sweep(tmp_path / "file")
    sweep(tmp_path / "nowhere")
