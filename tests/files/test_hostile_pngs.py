"""Small PNG files whose texts and colour profiles inflate to far more than an image needs."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

INFLATED = 256 * 2**20
MOST_MIB = 64
READ = """
import resource, sys
from pathlib import Path
from latviz.files.errors import ImageError
from latviz.files.images import read_image

read_image(Path(sys.argv[1]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(read_image(Path(sys.argv[2])).pixels.shape)
except ImageError as error:
    print("refused:", error.reason)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(*others: bytes) -> bytes:
    """Return an image of 4 x 4 grey pixels with other chunks before its pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(bytes(4 * 5)))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(others) + pixels + chunk(b"IEND", b"")


@pytest.mark.skipif(sys.platform != "linux", reason="others count memory in other units")
@pytest.mark.parametrize("name", ["zTXt", "iTXt", "iCCP", "IDAT"])
def test_what_inflates_takes_no_memory(tmp_path: Path, name: str) -> None:
    packed = zlib.compress(bytes(INFLATED), 9)
    data = {
        "zTXt": b"Comment\0\0" + packed,
        "iTXt": b"Comment\0\1\0\0\0" + packed,
        "iCCP": b"Profile\0\0" + packed,
        "IDAT": packed,
    }[name]
    (tmp_path / "plain.png").write_bytes(png())
    (tmp_path / "bomb.png").write_bytes(png(chunk(name.encode(), data)))
    done = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / "plain.png"), str(tmp_path / "bomb.png")],
        capture_output=True,
        text=True,
        check=True,
    )
    answer, grown = done.stdout.splitlines()
    assert answer == "(4, 4)" or answer.startswith("refused: ")
    assert int(grown) < MOST_MIB
    assert done.stderr == ""
