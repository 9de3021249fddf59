"""Every format, whole, cut off and with flipped bits: opened, or refused in exactly one line.

``python -m tests.files.corpus 10000`` reads a number of damaged files in child processes with
limited memory and time, and prints the results. Any output, also past Python, counts as a failure,
and so do a crash, a hang, and an error of another type.
"""

import faulthandler
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from latviz import workspace
from latviz.core.disk.errors import FileError
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters
from tests.files import taken
from tests.files.kinds import KINDS

MOST_MEMORY = 2**30
"""Bytes that reading a file may take in addition to the program's."""
MOST_SECONDS = 20
BATCH = 400
SIZE = (40, 32)


@dataclass(frozen=True)
class Sound:
    """An undamaged file: its suffix, its content, and True if it is opened as a volume."""

    suffix: str
    content: bytes
    volume: bool = False


def sound_files() -> dict[str, Sound]:
    """Return a small file of every format, depth and layout, and sessions."""
    found = {}
    for name, make in taken.CASES.items():
        suffix = {"text": ".txt", "fasta": ".fasta"}.get(name.split()[0], ".img")
        content = make(*SIZE) or b">a\nACGTACGTAC\n>b\nGGTTA\n;a comment\nCC\n"
        found[name] = Sound(suffix, content, name.startswith("volume"))
    for compression in ("group3", "tiff_ccitt", "tiff_adobe_deflate", "zstd", "lzma"):
        bits = Image.fromarray(taken.ramp(*SIZE) > 99)
        stream = io.BytesIO()
        bits.save(stream, "TIFF", compression=compression)
        found[f"tif bits {compression}"] = Sound(".img", stream.getvalue())
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            if Path(kind.name).suffix in (".fits", ".gz", ".nii", ".npz", ".mat"):
                path = Path(folder, kind.name)
                kind.make(path)
                found[kind.name] = Sound(path.suffix, path.read_bytes())
    return {**found, **sessions()}


def sessions() -> dict[str, Sound]:
    """Return session files: a demo by its name, an image inside, a sequence inside."""
    pixels = taken.ramp(*SIZE, 3)
    pictures = {
        "embedded": Picture(pixels, "ramp"),
        "sequence": Picture(pixels[0, :, 0] % 4, "letters", dimensions=1, alphabet=tuple("ACGT")),
        "demo": workspace.make_picture("stripes")[0],
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in pictures.items():
            path = Path(folder) / "a.latviz"
            held = as_set(picture)
            workspace.write_session(path, opened(held, Parameters(n_states=2)), held)
            found[f"session {name}"] = Sound(".latviz", path.read_bytes())
    return found


def damaged(whole: bytes, seed: int) -> bytes:
    """Cut a file off, flip some of its bits, or write over some of its bytes."""
    chance = random.Random(seed)
    kind = chance.random()
    if kind < 0.25:
        return whole[: chance.randrange(len(whole))]
    content = bytearray(whole)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        near = min(len(content), 200)  # the header, where most can be broken
        place = chance.randrange(near if chance.random() < 0.6 else len(content))
        if kind < 0.65:
            content[place] ^= 1 << chance.randrange(8)
        else:
            content[place] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    return bytes(content)


def read_one(sound: Sound, path: Path) -> str:
    """Open a file as the program does; return "opened" or the line that refuses it."""
    try:
        if sound.suffix == ".latviz":
            workspace.read_session(path)
        else:
            workspace.read_pictures(path, "volume=lattice" if sound.volume else "")
    except FileError as error:
        return str(error)
    return "opened"


def problem_with(line: str, path: Path) -> str:
    """Return the fault of a line that refuses a file, or an empty text."""
    if not line.startswith(f"{path.name}: "):
        return "it does not name the file"
    if not all(character.isprintable() for character in line):
        return "it holds what cannot be printed"
    if len(line) > 500:
        return "it is too long"
    return ""


def run_batch(seeds: range, results: int) -> None:
    """Read damaged files, and report each as a line of JSON; memory and time are limited."""
    import resource  # which not every system has

    files = list(sound_files().items())
    folder = Path(tempfile.mkdtemp())
    for _, sound in files:  # all imports are done now
        path = folder / f"warm{sound.suffix}"
        path.write_bytes(sound.content)
        read_one(sound, path)
    now = taken.status("VmSize")
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_MEMORY, now + MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    printed = os.fstat(2).st_size
    for seed in seeds:
        name, sound = files[seed % len(files)]
        path = folder / f"a{sound.suffix}"
        path.write_bytes(damaged(sound.content, seed))
        os.write(results, f"{json.dumps({'seed': seed, 'name': name})}\n".encode())
        signal.alarm(MOST_SECONDS)
        found: dict[str, Any] = {"seed": seed, "name": name, "bytes": 0}
        started = time.perf_counter()

        def read(sound: Sound = sound, path: Path = path, found: Any = found) -> None:
            try:
                found["line"] = read_one(sound, path)
            except BaseException as error:
                found["line"], found["wrong"] = repr(error), "another error came out"

        found["bytes"] = taken.peak(read)
        found["seconds"] = time.perf_counter() - started
        signal.alarm(0)
        if found["line"] != "opened":
            found.setdefault("wrong", problem_with(found["line"], path))
        if os.fstat(2).st_size > printed:
            printed, found["wrong"] = os.fstat(2).st_size, "something was printed"
        os.write(results, f"{json.dumps(found)}\n".encode())


def child(seeds: range) -> list[dict[str, Any]]:
    """Run a batch in a separate process, whose output is a file; report how it ended, too."""
    receive, send = os.pipe()
    command = [sys.executable, "-m", "tests.files.corpus", "batch", f"{seeds.start}"]
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [*command, f"{seeds.stop}", f"{send}"],
            pass_fds=[send],
            stdout=printed,
            stderr=printed,
            env={**os.environ, "PYTHONWARNINGS": "default", "MALLOC_MMAP_THRESHOLD_": "65536"},
        )
        os.close(send)
        with os.fdopen(receive, "rb") as stream:
            lines = [json.loads(line) for line in stream.read().splitlines()]
        code = process.wait()
        printed.seek(0)
        said = printed.read().decode(errors="replace")
    done = [line for line in lines if "line" in line]
    if code != 0 and not lines:
        raise RuntimeError(f"the reader did not start: {said}")
    if code != 0:
        last = lines[-1]
        done.append({**last, "line": said[-300:], "wrong": f"the process ended with {code}"})
    elif said:
        done[-1]["line"] += f"; printed in this batch: {said[-300:]}"
    return done


def run(count: int) -> list[dict[str, Any]]:
    """Read a number of damaged files; one that kills its process is reported; others follow."""
    found: list[dict[str, Any]] = []
    start = 0
    while start < count:
        stop = min(start + BATCH, count)
        batch = child(range(start, stop))
        found += batch
        start = max(start, *(line["seed"] for line in batch)) + 1 if batch else stop
    return found


def report(found: list[dict[str, Any]]) -> str:
    """Sum up the results of the files."""
    wrong = [line for line in found if line.get("wrong")]
    n_opened = sum(line["line"] == "opened" for line in found)
    slowest = max(found, key=lambda line: line.get("seconds", 0))
    largest = max(found, key=lambda line: line.get("bytes", 0))
    lines = [
        f"{len(found):,} files: {n_opened:,} opened, "
        f"{len(found) - n_opened - len(wrong):,} refused in one line, {len(wrong)} anything else",
        f"slowest: {slowest['seconds']:.2f} s, {slowest['name']} (seed {slowest['seed']})",
        f"largest: {largest['bytes'] / 2**20:.1f} MiB, {largest['name']} (seed {largest['seed']})",
    ]
    lines += [
        f"{line['wrong']}: {line['name']} (seed {line['seed']}): {line['line']}" for line in wrong
    ]
    return "\n".join(lines)


def reasons(found: list[dict[str, Any]]) -> str:
    """Count the different refusals, ignoring numbers."""
    counted: Counter[str] = Counter()
    for line in found:
        text = line["line"].partition(": ")[2]
        counted["".join("#" if letter.isdigit() else letter for letter in text)] += 1
    return "\n".join(f"{count:6} {text}" for text, count in counted.most_common())


def main(arguments: list[str]) -> int:
    if arguments[0] == "batch":
        run_batch(range(int(arguments[1]), int(arguments[2])), int(arguments[3]))
        return 0
    found = run(int(arguments[0]))
    print(report(found))
    if "--reasons" in arguments:
        print(reasons(found))
    return int(any(line.get("wrong") for line in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
