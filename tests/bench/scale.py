"""Images larger than memory: a zarr of 32,768 x 32,768 on two workers of dask.

``python -m tests.bench.scale [SIDE]`` writes a seeded zarr of symbols chunk by chunk to a temporary
folder, learns a model of it, and lets a LocalCluster of two processes of one thread each decode it
into a pyramid of states. It prints

- whether tiles of the written states equal the same tiles decoded alone, each with the surroundings
  of its windows, and whether A equals a count of the states;
- the largest memory of all processes together, this one and the scheduler's among them;
- the time per node from file to file, against that of a part of 4,096 x 4,096 that is read into
  memory as a whole, decoded on two threads and written as a whole, in the same run. Decoding alone
  takes less time than reading and writing, so its time is printed separately. Processor times are
  those of all processes; on a busy machine they are more reliable than the clock.
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import numpy as np
import psutil
import zarr

from latviz import scale
from latviz.core import DiscreteModel, threads
from latviz.files.pyramids import open_pyramid

SIDE = 1 << 15
CHUNK = 2048
PART = 4096
N_SYMBOLS, N_STATES, WINDOW, SEED = 8, 4, 3, 0
TILES, TILE = 24, 700
GIB = float(1 << 30)
WORKERS = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": str(1 << 24),
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": str(1 << 25),
}
"""dask's workers give all memory back at once, and then wait for it to be given to them again."""


class Memory:
    """The largest memory of this process and all that it started, measured by a thread.

    Shared memory counts once, if the system reports it (Linux). It is read twice a second, of the
    processes at the start: searching for others takes a while.
    """

    def __init__(self, every_s: float = 0.5) -> None:
        self.most, self._every_s, self._ends = 0, every_s, threading.Event()
        self.each: dict[str, int] = {}
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        self._thread.join()

    def _watch(self) -> None:
        own = psutil.Process()
        processes = (own, *own.children(recursive=True))
        while not self._ends.wait(self._every_s):
            total = 0
            for process in processes:
                try:
                    full = process.memory_full_info()
                except psutil.NoSuchProcess:
                    continue
                held = getattr(full, "pss", full.rss)
                name = "this process" if process == own else f"process {process.pid}"
                self.each[name] = max(self.each.get(name, 0), held)
                total += held
            self.most = max(self.most, total)


def tile_of(row: int, column: int, side: int) -> np.ndarray:
    """Return a chunk of symbols: regions of some 60 nodes, three in ten nodes of another symbol."""
    rng = np.random.default_rng([SEED, row, column])
    kinds = rng.integers(N_SYMBOLS, size=(side // 60 + 2, side // 60 + 2), dtype=np.uint8)
    symbols = np.repeat(np.repeat(kinds, 60, axis=0), 60, axis=1)[:side, :side]
    noise = rng.integers(0, 256, (side, side), dtype=np.uint8)
    return np.where(noise < 77, noise % N_SYMBOLS, symbols)


def write_slide(path: Path, side: int) -> None:
    """Write symbols chunk by chunk."""
    chunk = min(CHUNK, side)
    array = zarr.create_array(
        str(path), shape=(side, side), chunks=(chunk, chunk), dtype="uint8",
        compressors=zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="noshuffle"),
    )  # fmt: skip
    for row in range(side // chunk):
        for column in range(side // chunk):
            place = slice(row * chunk, None), slice(column * chunk, None)
            array[
                place[0].start : place[0].start + chunk, place[1].start : place[1].start + chunk
            ] = tile_of(row, column, chunk)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of a function, and its result."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def n_unlike(image: Any, states: Any, model: DiscreteModel) -> int:
    """Count the nodes of some tiles, at the corners and all over, that differ from tiles alone."""
    side, rng, found = image.shape(0)[0], np.random.default_rng(SEED), 0
    tile = min(TILE, side)
    corners = [(0, 0), (0, side - tile), (side - tile, 0), (side - tile, side - tile)]
    others = rng.integers(0, side - tile + 1, (TILES - 4, 2)).tolist()
    for top, left in [*corners, *others]:
        inner = slice(top, top + tile), slice(left, left + tile)
        outer = tuple(slice(max(0, s.start - WINDOW), min(side, s.stop + WINDOW)) for s in inner)
        alone = model.decode(image.read(0, outer))
        own = tuple(
            slice(s.start - o.start, s.stop - o.start) for s, o in zip(inner, outer, strict=True)
        )
        found += int(np.count_nonzero(alone[own] != states.read(0, inner)))
    return found


def processor_s() -> float:
    """Return the processor time of this process and its children, in seconds."""
    own = psutil.Process()
    times = [one.cpu_times() for one in (own, *own.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def in_memory(image: Any, model: DiscreteModel, folder: Path) -> dict[str, float]:
    """Return the nanoseconds per node of a part that is read, decoded and written as a whole."""
    threads.set_threads(2)
    side = min(PART, image.shape(0)[0])
    place, repeats = (slice(0, side), slice(0, side)), 10
    part = image.read(0, place)
    model.decode(part)

    def route(k: int) -> None:
        target = states_at(folder / f"part{k}.zarr", part.shape)
        target[:] = model.decode(image.read(0, place))

    works: dict[str, Callable[[int], object]] = {
        "from file to file in memory": route,
        "decoding alone in memory": lambda _: model.decode(part),
    }
    figures = {}
    for name, work in works.items():
        before = processor_s()
        seconds, _ = timed(lambda work=work: [work(k) for k in range(repeats)])
        figures[f"{name}, ns"] = seconds / (repeats * part.size) * 1e9
        figures[f"{name}, ns of processors"] = (
            (processor_s() - before) / (repeats * part.size) * 1e9
        )
    return figures


def measure(folder: Path, side: int) -> dict[str, float]:
    """Write, learn, decode and compare; return the figures by name."""
    from distributed import Client, LocalCluster

    dask.config.set(WORKERS)
    figures = {"load before": os.getloadavg()[0]}
    figures["writing the image, s"], _ = timed(lambda: write_slide(folder / "slide.zarr", side))
    image = open_pyramid(folder / "slide.zarr")
    model = None
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=True),
        Memory() as memory,
    ):
        array = scale.open_level(image)
        scale.decode(array, blank_model()).sum().compute()  # both have their kernels, and files
        figures["learning, s"], model = timed(
            lambda: scale.fit(array, n_states=N_STATES, window=WINDOW, n_symbols=N_SYMBOLS)
        )
        before = processor_s()
        target = states_at(folder / "states.zarr", array.shape)
        figures["decoding to a file, s"], _ = timed(
            lambda: scale.decode(array, model).store(target, lock=False)
        )
        computing = processor_s() - before
        states = open_pyramid(folder / "states.zarr")
        written = scale.open_level(states)
        figures["counting, s"], pairs = timed(lambda: scale.count(written, N_STATES))
        figures["memory until then, GiB"] = memory.most / GIB
        figures["levels of the pyramid, s"], _ = timed(
            lambda: scale.write_states(folder / "pyramid.zarr", written, image)
        )
    figures["memory of all processes, GiB"] = memory.most / GIB
    figures |= {f"most of {name}, GiB": most / GIB for name, most in memory.each.items()}
    figures["on two workers, ns"] = figures["decoding to a file, s"] / side**2 * 1e9
    figures["on two workers, ns of processors"] = computing / side**2 * 1e9
    figures |= in_memory(image, model, folder)
    for of in ("", " of processors"):
        own = figures[f"from file to file in memory, ns{of}"]
        figures[f"times the in-memory one{of and ',' + of}"] = (
            figures[f"on two workers, ns{of}"] / own
        )
    figures["nodes unlike tiles alone"] = n_unlike(image, states, model)
    counted = pairs[0] / (4.0 * np.maximum(pairs[1], 1))[:, None]
    figures["largest difference of A"] = float(np.abs(counted - model.A).max())
    figures["load after"] = os.getloadavg()[0]
    return figures


def blank_model() -> DiscreteModel:
    return DiscreteModel(np.eye(N_STATES), np.eye(N_STATES, N_SYMBOLS), WINDOW)


def states_at(path: Path, shape: tuple[int, ...]) -> Any:
    """Return a new zarr array for states, without a pyramid."""
    return zarr.create_array(
        str(path), shape=shape, chunks=(1024, 1024), dtype="uint8",
        compressors=zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="noshuffle"),
        config={"write_empty_chunks": True},
    )  # fmt: skip


def main() -> None:
    side = int(sys.argv[1]) if len(sys.argv) > 1 else SIDE
    with tempfile.TemporaryDirectory(prefix="latviz-scale-") as folder:
        for name, value in measure(Path(folder), side).items():
            print(f"{name:50} {value:12.4g}")


if __name__ == "__main__":
    main()
