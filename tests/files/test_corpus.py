"""A part of the corpus of `tests.files.corpus`; CONTRIBUTING explains how to read all of it."""

import shlex
import sys

import pytest

from tests.files import corpus

pytestmark = pytest.mark.posix("/proc/self", "os.fork", "resource")


def test_damaged_files_of_every_format_are_opened_or_refused_in_one_line() -> None:
    found = corpus.run(2 * len(corpus.sound_files()))
    assert not [line for line in found if line.get("wrong")], corpus.report(found)
    outcomes = [line["line"] == "opened" for line in found]
    assert 0.2 < sum(outcomes) / len(outcomes) < 0.8
    assert max(line["bytes"] for line in found) < 2**26, corpus.report(found)


ENDING = {"os.abort()": "the process ended with -6", "time.sleep(60)": "the process ended with -14"}
"""Reported findings for faults that end the process."""
GOING_ON = {
    "os.write(2, b'Fax4Decode: Bad code word.')": "something was printed",
    "bytearray(2**31)": "another error came out",
    "raise KeyError": "another error came out",
    "raise FileError(path, 'two\\nlines')": "",
    "raise FileError(path, 'long' * 200)": "it is too long",
    "raise FileError(path.parent, 'of another file')": "it does not name the file",
}
"""Reported findings for other faults."""


@pytest.mark.parametrize("faults", [GOING_ON, *({one: ENDING[one]} for one in ENDING)])
def test_what_goes_wrong_is_found(tmp_path, monkeypatch, faults) -> None:
    """The reader of a child is replaced by one with a fault for each of the first files."""
    code = f"""
from tests.files import corpus
from tests.files.corpus import FileError, os, time
corpus.MOST_SECONDS = 1
faults = {[*faults]!r}
def read(sound, path):
    try:
        if path.stem == 'a' and faults:
            exec(faults.pop(0))
    except FileError as error:
        return str(error)
    return 'opened'
corpus.read_one = read
corpus.run_batch(range(3, {3 + len(faults)}), int(__import__('sys').argv[-1]))
"""
    (tmp_path / "faulty").write_text(
        f'#!/bin/sh\nexec {sys.executable} -c {shlex.quote(code)} "$@"\n'
    )
    (tmp_path / "faulty").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "faulty"))
    found = [line.get("wrong", "") for line in corpus.child(range(3, 3 + len(faults)))]
    assert found == [*faults.values()]
