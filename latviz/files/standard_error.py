"""Lines that libraries in C print past Python, into the standard error of the process."""

import os
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

_STDERR = 2
_MOST_PRINTED = 2**20
_LIBTIFFS = re.compile(rb"[\w./-]+: .*\.$")
"""The part of libtiff that found a fault, and a sentence."""
_one_at_a_time = threading.Lock()  # the stream belongs to the whole process


@contextmanager
def printed() -> Iterator[list[str]]:
    """Collect the output of libtiff. The block must not wait for a disk: others wait for it."""
    # The yielded list is filled when the block ends, each message once. Other lines printed
    # meanwhile are passed on then, unless they look like libtiff's
    heard: list[str] = []
    with _one_at_a_time, ExitStack() as stack:
        try:
            before = os.dup(_STDERR)
        except OSError:  # no standard error exists
            yield heard
            return
        stack.callback(os.close, before)
        caught = stack.enter_context(tempfile.TemporaryFile())
        os.dup2(caught.fileno(), _STDERR)
        try:
            yield heard
        finally:
            os.dup2(before, _STDERR)
            caught.seek(0)
            lines = caught.read(_MOST_PRINTED).splitlines(keepends=True)
            if others := [line for line in lines if not _LIBTIFFS.match(line)]:
                os.write(_STDERR, b"".join(others))
            found = [line for line in lines if _LIBTIFFS.match(line)]
            heard.extend(dict.fromkeys(line.decode(errors="replace").strip() for line in found))
