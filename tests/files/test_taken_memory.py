"""The memory guard plans as much as reading takes: never less, and not much more.

The memory is measured as the peak of a process that reads files of each format and depth.
"""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.posix("/proc/self", "os.fork")

SIZE = (1024, 512)
SMALL = (512, 256)
"""Of numbers in letters, which take long to read, and 200 bytes a pixel."""
ALWAYS_THERE = 3.0  # bytes a pixel of files so small: parts that are worked on one by one
MEASURE = f"""
import json, sys
from pathlib import Path
from tests.files import taken

def plan(read, bytes_taken):
    # Of two amounts of free memory: the search for the least one would read seven times.
    always = {ALWAYS_THERE} * taken.WIDTH * taken.HEIGHT
    less, more = bytes_taken - always, 2.2 * bytes_taken + always
    return less < 0 or taken.refused(read, less), taken.refused(read, more)

for name in sys.argv[2:]:
    taken.WIDTH, taken.HEIGHT = {SMALL} if name == "ppm plain" else {SIZE}
    print(json.dumps([name, taken.measured(Path(sys.argv[1]), name, plan)]))
"""
NAMES = [
    "png palette 8", "png rgb alpha 16", "jpeg", "webp lossless alpha", "gif animation",
    "tif rgb f8", "tif lzw alpha", "volume tif u2", "npy alpha f8", "ppm plain",
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[bool]]]:
    folder = tmp_path_factory.mktemp("taken")
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}  # freed memory is given back
    command = [sys.executable, "-c", MEASURE, str(folder), *NAMES]
    done = subprocess.run(command, env=environment, stdout=-1, timeout=600, check=True)
    return dict(map(json.loads, done.stdout.splitlines()))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planned_is_what_is_taken(found, name) -> None:
    for reduction in ("1", "16"):
        refused_with_less, _ = found[name][f"planned {reduction}"]
        assert refused_with_less, found[name]
    _, refused_with_more = found[name]["planned 16"]
    assert not refused_with_more, found[name]
