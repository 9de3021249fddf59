"""Writers that are killed: the file is then the old or the new one, whole.

``python -m tests.files.kills 2000`` kills this many, a third of them at any moment, the others
around the renaming, and prints the results.
"""

import csv
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from latviz.core import DiscreteModel, load_model, save_model
from latviz.files.images import read_image
from latviz.files.session_archive import read_session, write_session
from latviz.files.writing import write_arrays, write_state_map, write_summary, write_table

BEGUN, RENAMING, RENAMED = b"brd"
SIDE = 60
MOMENTS = ("at any moment", "before the renaming", "after the renaming")


def _session(path: Path, number: int) -> None:
    write_session(path, {"number": number}, {"array": np.full((SIDE, SIDE), number, np.uint32)})


def _session_in(path: Path) -> int:
    content, arrays = read_session(path)
    assert (arrays["array"] == content["number"]).all()
    return int(content["number"])


def _arrays(path: Path, number: int) -> None:
    write_arrays(path, {name: np.full((SIDE, SIDE), number) for name in ("A", "B")})


def _arrays_in(path: Path) -> int:
    with np.load(path) as found:
        assert sorted(found) == ["A", "B"]
        assert (found["A"] == found["B"]).all()
        assert (found["A"] == found["A"][0, 0]).all()
        return int(found["A"][0, 0])


def _summary(path: Path, number: int) -> None:
    write_summary(path, {"numbers": [number] * 1000})


def _summary_in(path: Path) -> int:
    numbers = json.loads(path.read_text())["numbers"]
    assert len(numbers) == 1000
    assert len(set(numbers)) == 1
    return int(numbers[0])


def _table(path: Path, number: int) -> None:
    write_table(path, ["n"], [[number]] * 1000)


def _table_in(path: Path) -> int:
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert len(rows) == 1001
    assert len({row[0] for row in rows[1:]}) == 1
    return int(rows[1][0])


def _map(path: Path, number: int) -> None:
    shade = [number >> 16 & 255, number >> 8 & 255, number & 255]
    write_state_map(path, np.zeros((SIDE, SIDE), np.uint8), np.array([shade], np.uint8))


def _map_in(path: Path) -> int:
    pixels = read_image(path).pixels.reshape(SIDE * SIDE, -1).astype(int)
    pixels = pixels if pixels.shape[1] == 3 else np.repeat(pixels, 3, axis=1)  # a grey
    assert (pixels == pixels[0]).all()
    return int(pixels[0] @ [1 << 16, 1 << 8, 1])


def _model(path: Path, number: int) -> None:
    save_model(DiscreteModel(np.eye(SIDE), np.full((SIDE, 2), 0.5), number), path)


def _model_in(path: Path) -> int:
    found = load_model(path)
    assert found.n_states == SIDE
    return found.window


WRITERS: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], int]]] = {
    "a.latviz": (_session, _session_in),
    "a.npz": (_arrays, _arrays_in),
    "m.npz": (_model, _model_in),
    "a.json": (_summary, _summary_in),
    "a.csv": (_table, _table_in),
    "a.png": (_map, _map_in),
}


def write_for_ever(folder: Path, name: str, number: int, events: int) -> None:
    """Write newer and newer files, and report each step before or after it."""
    rename = os.replace

    def replace(*arguments: Any) -> None:
        os.write(events, bytes([RENAMING]))
        rename(*arguments)
        os.write(events, bytes([RENAMED]))

    os.replace = replace
    write = WRITERS[name][0]
    while True:
        number += 1
        os.write(events, bytes([BEGUN]))
        write(folder / name, number)


def killed(folder: Path, name: str, old: int, moment: str, chance: random.Random) -> bytes:
    """Let a process write, kill it, and return its reported steps."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_for_ever(folder, name, old, send)
        finally:
            os._exit(1)
    os.close(send)
    seen = b""
    rounds = chance.randrange(1, 4)
    if moment == MOMENTS[0]:
        time.sleep(chance.uniform(0.0005, 0.03))
    else:
        wanted = RENAMING if moment == MOMENTS[1] else RENAMED
        while seen.count(wanted) < rounds:
            assert select.select([receive], [], [], 60)[0], "it writes nothing"
            seen += os.read(receive, 1)
        time.sleep(chance.choice((0, 0, chance.uniform(0, 0.0003))))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"it failed by itself: {status}"
    with os.fdopen(receive, "rb") as stream:
        return seen + stream.read()


def run(count: int, folder: Path) -> Counter[str]:
    """Kill a number of writers; an `AssertionError` or another error reports a file not whole.

    Returns the count of each outcome.
    """
    chance, found = random.Random(0), Counter[str]()
    numbers = dict.fromkeys(WRITERS, 1)
    for name, (write, _) in WRITERS.items():
        write(folder / name, 1)
    for attempt in range(count):
        name = tuple(WRITERS)[attempt % len(WRITERS)]
        moment = MOMENTS[attempt // len(WRITERS) % len(MOMENTS)]
        old = numbers[name]
        steps = killed(folder, name, old, moment, chance)
        there = WRITERS[name][1](folder / name)
        done, last = old + steps.count(RENAMED), steps[-1] if steps else RENAMED
        allowed = (done, done + 1) if last == RENAMING else (done,)
        assert there in allowed, f"{name} holds {there}, not {allowed}, after {steps[-6:]!r}"
        numbers[name] = there
        found[moment] += 1
        found[f"killed {'between' if last == RENAMING else 'outside'} the steps of renaming"] += 1
        found["the new file" if there > done else "the old file"] += last == RENAMING
    found["parts left behind"] = len(list(folder.glob(".latviz-*.part")))
    return found


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = run(count, Path(folder))
    print(f"{count:,} kills: every file was the old or the new one, whole")
    for what, number in found.items():
        print(f"{number:6,} {what}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
