"""The memory guard plans as much as reading takes: never less, and not much more.

The memory is measured as the peak of a process that reads files of each format and depth.
"""

import os
import subprocess
import sys

import pytest

from tests.files import taken

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it asks /proc")

SIZE = (1024, 512)
ALWAYS_THERE = 3.0  # bytes a pixel of files so small: parts that are worked on one by one
MEASURE = f"""
import sys
from pathlib import Path
from tests.files import taken
taken.WIDTH, taken.HEIGHT = {SIZE}
taken.main(Path(sys.argv[1]), sys.argv[2:])
"""
NAMES = [
    "png palette 8", "png rgb alpha 16", "jpeg", "webp lossless alpha", "gif animation",
    "tif rgb f8", "tif lzw alpha", "volume tif u2", "npy alpha f8", "ppm plain",
]  # fmt: skip


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    folder = tmp_path_factory.mktemp("taken")
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}  # freed memory is given back
    command = [sys.executable, "-c", MEASURE, str(folder), *NAMES]
    done = subprocess.run(command, env=environment, stdout=-1, timeout=600, check=True)
    return taken.table(done.stdout.decode())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planned_is_what_is_taken(figures: dict[str, dict[str, float]], name: str) -> None:
    found = figures[name]
    for reduction in ("1", "16"):
        assert found[f"planned {reduction}"] > found[f"taken {reduction}"] - ALWAYS_THERE
    assert found["planned 16"] < 2.2 * found["taken 16"] + ALWAYS_THERE
