"""Many images: ``python -m tests.bench.shelf [FOLDER]`` opens, models and tables some thousands.

It writes a folder of generated images of known states, and the photographs inside scikit-image if
that is installed. Then the program runs on each folder as a user would run it: once completely,
once again with all results stored, and once killed halfway and continued. Last, images of 12
megapixels. Time is that of the whole program; memory is the maximum of the program and its child
processes together, with shared pages counted once.

``--explore`` measures the window instead: 1,000 images of 12 megapixels on the shelf, shown one
after the other in two tabs while the table of all is computed.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from PIL import Image

from latviz.collection.batch import DONE
from latviz.core.truth.geometry import sample_blobs
from tests.bench.harness import load_average, machine, peer
from tests.bench.pictures import photograph

SIDE = 256
LOOK_S = 0.2
LARGE = 3000, 4000
EXPLORE_LOOK_S = 0.05
ALLOWED = 1 << 31
"""Bytes that 1,000 images of 12 megapixels may take while they are explored."""


def generate(folder: Path, n: int) -> None:
    """Write images of three noisy states, each with its labels next to it."""
    folder.mkdir(parents=True, exist_ok=True)
    means = np.array([70.0, 128.0, 180.0])
    for k in range(n):
        place = folder / f"image {k}.png"
        if place.exists():
            continue
        rng = np.random.default_rng(k)
        truth = sample_blobs((SIDE, SIDE), 3, scale=12.0 + 20 * rng.random(), seed=k)
        noise = rng.normal(0, 15 + 20 * rng.random(), truth.shape)
        Image.fromarray(truth.astype(np.uint8)).save(folder / f"image {k}.labels.png")
        Image.fromarray(np.clip(means[truth] + noise, 0, 255).astype(np.uint8)).save(place)


def multiply_large(folder: Path, n: int, n_drawn: int = 4) -> None:
    """Write images of 12 megapixels: few are drawn, and a comment makes each file another one."""
    generate_large(folder / "drawn", n_drawn)
    drawn = [(folder / "drawn" / f"large {k}.jpg").read_bytes() for k in range(n_drawn)]
    (folder / "shelf").mkdir(exist_ok=True)
    for k in range(n):
        said = f"number {k}".encode()
        comment = b"\xff\xfe" + (len(said) + 2).to_bytes(2, "big") + said
        content = drawn[k % n_drawn]
        (folder / "shelf" / f"large {k}.jpg").write_bytes(content[:2] + comment + content[2:])


def copy_photographs(folder: Path) -> int:
    """Copy the photographs of scikit-image; return their number."""
    package = peer("skimage.data")
    if package is None:
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    found = [p for p in Path(package.__file__).parent.iterdir() if p.suffix in (".png", ".jpg")]
    for path in found:
        shutil.copy(path, folder)
    return len(found)


def generate_large(folder: Path, n: int) -> None:
    """Write photographs of 12 megapixels, each with a grain and a tint of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    height, width = LARGE
    for k in range(n):
        place = folder / f"large {k}.jpg"
        if not place.exists():
            whole = photograph(width, colour=True, grain=3.0)[:height].astype(np.int16)
            tinted = whole + np.array([k % 7, -k % 5, k % 3], np.int16) * 4
            Image.fromarray(np.clip(tinted, 0, 255).astype(np.uint8)).save(place, quality=88)


@dataclass
class Run:
    """One run of the program: its time, memory and output."""

    seconds: float = 0.0
    peak_mib: float = 0.0
    code: int | None = None
    told: str = ""
    _end: threading.Event = field(default_factory=threading.Event)

    def watch(self, process: "subprocess.Popen[str]") -> None:
        """Measure the memory again and again until the run has ended."""
        while not self._end.wait(LOOK_S):
            self.peak_mib = max(self.peak_mib, _memory(process.pid) / 2**20)


def _memory(pid: int) -> int:
    """Return the bytes of a process and its children."""
    try:
        root = psutil.Process(pid)
    except psutil.Error:  # it has just ended
        return 0
    return sum(map(_bytes_of, (root, *_started_by(root))))


def _bytes_of(process: psutil.Process) -> int:
    """Return the bytes of a process, of pages that it shares its part."""
    try:
        told: Any = process.memory_full_info()
    except psutil.Error:  # it has just ended
        return 0
    return int(getattr(told, "pss", told.uss))


def run(arguments: list[str], cache: Path, kill_at: tuple[Path, int] | None = None) -> Run:
    """Run the program; ``kill_at`` is a number of lines of a file at which to kill it."""
    found, start = Run(), time.perf_counter()
    environment = os.environ | {"LATVIZ_CACHE": str(cache), "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "latviz", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watching = threading.Thread(target=found.watch, args=(process,))
    watching.start()
    if kill_at is not None:
        place, n = kill_at
        while process.poll() is None and (not place.exists() or _lines(place) < n):
            time.sleep(LOOK_S)
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    out, errors = process.communicate()
    found.seconds, found.code, found.told = time.perf_counter() - start, process.returncode, out
    found.told += errors
    found._end.set()
    watching.join()
    return found


@dataclass
class Explored:
    """The memory of the window and the processes of the table while a shelf is explored."""

    most: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    """By tab: the most bytes of all together, and those of the window and of each process then."""
    n_records: int = 0
    at: str = "opening"

    def look(self, root: psutil.Process) -> None:
        """Add up the memory now."""
        found = [_bytes_of(process) for process in (root, *_started_by(root))]
        self.most[self.at] = max(self.most.get(self.at, (0, [])), (sum(found), found))


def _started_by(root: psutil.Process) -> list[psutil.Process]:
    try:
        return root.children(recursive=True)
    except psutil.Error:  # it has just ended
        return []


def explore(folder: Path, n_images: int, n_steps: int) -> Explored:
    """Step through a folder in the window, and measure the memory all the time."""
    multiply_large(folder, n_images)
    shutil.rmtree(folder / "cache window", ignore_errors=True)
    found, command = Explored(), [sys.executable, "-m", "tests.bench.shelf_window"]
    with subprocess.Popen(
        [*command, str(folder / "shelf"), str(n_steps)],
        env=os.environ | {"LATVIZ_CACHE": str(folder / "cache window")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        reading = threading.Thread(target=_follow, args=(process, found))
        reading.start()
        root = psutil.Process(process.pid)
        while process.poll() is None:
            found.look(root)
            time.sleep(EXPLORE_LOOK_S)
        reading.join()
    return found


def _follow(process: "subprocess.Popen[str]", found: Explored) -> None:
    """Take note of where the window is."""
    assert process.stdout is not None
    for line in process.stdout:
        print(f"\r{line.strip():30}", end="", file=sys.stderr, flush=True)
        tab, _, number = line.strip().partition(" ")
        if tab == "table":
            found.n_records = int(number)
        else:
            found.at = tab


def report_explored(found: Explored) -> None:
    """Print the greatest memory, tab by tab."""
    for tab, (most, (own, *others)) in found.most.items():
        parts = ", ".join(f"{part / 2**20:,.0f}" for part in others) or "none"
        print(f"{tab:10}{most / 2**20:8,.0f} MiB: the window {own / 2**20:,.0f}, others {parts}")
    most = max(most for most, _ in found.most.values())
    said = "within" if most <= ALLOWED else "more than"
    print(f"at most {most:,} bytes, {said} 2 GiB; the table had {found.n_records:,} images")


def _lines(place: Path) -> int:
    return place.read_bytes().count(b"\n") if place.exists() else 0


def report(name: str, found: Run, n: int) -> None:
    """Print one line of the table."""
    rate = n / found.seconds
    said = found.told.strip().splitlines()
    last = said[-1][:70] if said else ""
    print(
        f"{name:38}{found.seconds:9.1f} s{rate:9.1f} a second{found.peak_mib:8.0f} MiB"
        f"  exit {found.code}  {last}",
        flush=True,
    )


def measure(folder: Path, n_images: int, n_large: int) -> None:
    """Write the folders, run the program on them and print the table."""
    print(f"{machine()}; load {load_average()}; {SIDE} x {SIDE} pixels a generated image")
    generate(folder / "generated", n_images)
    asked = [str(folder / "generated"), "--encoding", "quantiles", "--symbols", "8"]
    asked += ["--states", "3", "--table", str(folder / "generated.csv")]
    cache, out = folder / "cache", folder / "out"
    for name in ("cache", "cache killed", "cache large", "cache photographs", "out"):
        shutil.rmtree(folder / name, ignore_errors=True)
    report(f"{n_images:,} images, one model", run(asked, cache), n_images)
    report("the same again: all is known", run(asked, cache), n_images)
    apart = folder / "cache killed"
    exported = [*asked, "--export-dir", str(out)]
    killed = run(exported, apart, (out / DONE, n_images // 2))
    report("exported too, killed halfway", killed, _lines(out / DONE))
    done = _lines(out / DONE)
    rest = run(exported, apart)
    report(f"gone on with after {done:,}", rest, n_images - done)
    print(f"{'listed as done, of ' + format(n_images, ','):38}{_lines(out / DONE):9,}")
    n_photographs = copy_photographs(folder / "photographs")
    if n_photographs:
        asked = [str(folder / "photographs"), "--table", str(folder / "photographs.csv")]
        found = run([*asked, "--each"], folder / "cache photographs")
        report(f"{n_photographs} photographs, a model each", found, n_photographs)
        found = run(asked, folder / "cache photographs")
        report(f"{n_photographs} photographs, one model", found, n_photographs)
    if n_large:
        generate_large(folder / "large", n_large)
        asked = [str(folder / "large"), "--table", str(folder / "large.csv")]
        found = run(asked, folder / "cache large")
        report(f"{n_large} of 12 megapixels, one model", found, n_large)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.shelf", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="kept; else it is thrown away")
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument("--large", type=int, default=8, help="images of 12 megapixels")
    parser.add_argument("--explore", action="store_true", help="measure the window instead")
    parser.add_argument("--steps", type=int, default=20, help="images that are shown in each tab")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="latviz-shelf-") as thrown_away:
        folder = chosen.folder or Path(thrown_away)
        folder.mkdir(parents=True, exist_ok=True)
        if chosen.explore:
            report_explored(explore(folder, 1000, chosen.steps))
        else:
            measure(folder, chosen.images, chosen.large)


if __name__ == "__main__":
    main()
