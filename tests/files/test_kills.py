"""Some of the kills of `tests.files.kills`; CONTRIBUTING explains how to run all."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.posix("os.fork")


def test_a_killed_writer_leaves_the_old_or_the_new_file() -> None:
    command = [sys.executable, "-m", "tests.files.kills", "90"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("90 kills: every file was the old or the new one, whole")
    assert "30 before the renaming" in done.stdout


IN_PLACE = """
import os
from contextlib import contextmanager
from latviz.files import session_archive, writing
from tests.files import kills

@contextmanager
def in_place(path, mode=0o666):
    with open(path, "wb") as stream:
        yield stream
    os.replace(path, path)

session_archive.replacing = writing.replacing = in_place
kills.main(90)
"""


def test_a_writer_that_writes_in_place_is_found_out() -> None:
    command = [sys.executable, "-c", IN_PLACE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "every file was" not in done.stdout
