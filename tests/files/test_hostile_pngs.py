"""Small PNG files whose texts and colour profiles inflate to far more than an image needs."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.files.makers import chunk, png_header

INFLATED = 128 * 2**20
MOST_MIB = 64
READ = """
import resource, sys
from pathlib import Path
from latviz.files.errors import ImageError
from latviz.files.images import read_image

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

plain, *others = map(Path, sys.argv[1:])
read_image(plain)
before = most()
for path in others:
    try:
        print(path.stem, most() - before, read_image(path).pixels.shape)
    except ImageError as error:
        print(path.stem, most() - before, "refused:", error.reason)
print("all", most() - before)
"""
BEFORE = {"zTXt": b"Comment\0\0", "iTXt": b"Comment\0\1\0\0\0", "iCCP": b"Profile\0\0", "IDAT": b""}
"""The bytes before the packed data in a chunk of each kind."""


def png(*others: bytes) -> bytes:
    """Return an image of 4 x 4 grey pixels with other chunks before its pixels."""
    pixels = chunk(b"IDAT", zlib.compress(bytes(4 * 5)))
    return png_header(4, 4, 8, 0) + b"".join(others) + pixels + chunk(b"IEND", b"")


@pytest.mark.skipif(sys.platform != "linux", reason="others count memory in other units")
@pytest.mark.posix("resource")
def test_what_inflates_takes_no_memory(tmp_path: Path) -> None:
    packed = zlib.compress(bytes(INFLATED), 9)
    content = {"plain": png()}
    content |= {name: png(chunk(name.encode(), own + packed)) for name, own in BEFORE.items()}
    for name, file in content.items():
        (tmp_path / f"{name}.png").write_bytes(file)
    command = [sys.executable, "-c", READ, *(str(tmp_path / f"{name}.png") for name in content)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *lines, last = done.stdout.splitlines()
    for name, line in zip(BEFORE, lines, strict=True):
        kind, _, answer = line.split(" ", 2)
        assert kind == name
        assert answer == "(4, 4)" or answer.startswith("refused: ")
    assert int(last.removeprefix("all ")) < MOST_MIB, done.stdout
    assert done.stderr == ""
