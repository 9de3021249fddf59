"""Timing by turns with a reference; the figures as a table and as JSON."""

import json
import os
import platform
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from scipy.ndimage import uniform_filter

from latviz.core import threads

REPEATS, LEAST_REPEATS, BUDGET_S = 41, 3, 4.0
"""Calls that are timed, and the fewest if all of them take longer than the budget."""
Task = Callable[[], object]


class Result(NamedTuple):
    name: str
    median: float  # seconds
    least: float
    ratio: float  # the median over that of the reference
    reference: str
    limit: float | None = None  # of the ratio

    @property
    def over(self) -> bool:
        return self.limit is not None and self.ratio > self.limit


def by_turns(*tasks: Task, repeats: int = REPEATS) -> list[list[float]]:
    """Return the seconds of calls of each task, in turn, so that all see the same machine."""
    for task in tasks:
        task()
    taken: list[list[float]] = [[] for _ in tasks]
    end = time.perf_counter() + BUDGET_S
    for k in range(repeats):
        if k >= LEAST_REPEATS and time.perf_counter() > end:
            break
        for task, own in zip(tasks, taken, strict=True):
            start = time.perf_counter()
            task()
            own.append(time.perf_counter() - start)
    return taken


def box_filter() -> Task:
    """Return the task whose median time is F: a box of 15 x 15 over 1024 x 1024 float32."""
    image = np.random.default_rng(0).random((1024, 1024)).astype(np.float32)
    return lambda: uniform_filter(image, size=15)


def against(
    name, task, reference=None, reference_name="F", limit=None, share=1.0, repeats=REPEATS
) -> Result:
    """Compare a task with a reference, by default `box_filter`.

    The ratio is that of the medians over ``share``, the ratio of their sizes.
    """
    own, others = by_turns(task, reference or box_filter(), repeats=repeats)
    median = float(np.median(own))
    ratio = median / float(np.median(others)) / share
    return Result(name, median, min(own), ratio, reference_name, limit)


def machine() -> str:
    """Return the machine and versions of the figures, and how many processes wanted to run."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{os.cpu_count()} cores, {threads.get_threads()} threads, {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}, "
        f"load {load}"
    )


def table(lines: Iterable[Result], earlier: dict[str, float] | None = None) -> str:
    rows = [f"{'':44}{'median':>12}{'min':>12}{'ratio':>9}{'limit':>7}  against"]
    for line in lines:
        limit = "" if line.limit is None else f"{line.limit:g}"
        times = f"{amount(line.median):>12}{amount(line.least):>12}{line.ratio:9.3f}"
        was = (earlier or {}).get(line.name)
        marks = "  OVER" * line.over + (f"  (was {was:.3f})" if was is not None else "")
        rows.append(f"{line.name:44}{times}{limit:>7}  {line.reference}{marks}")
    return "\n".join(rows)


def amount(seconds: float) -> str:
    """Return a time of four digits with its unit."""
    value, unit = (1000 * seconds, "ms") if seconds < 1 else (seconds, "s")
    digits = max(0, 3 - int(np.floor(np.log10(value)))) if value > 0 else 0
    return f"{value:.{min(4, digits)}f} {unit}"


def save(lines: Iterable[Result], path: Path) -> None:
    body = {"machine": machine(), "results": [line._asdict() for line in lines]}
    path.write_text(json.dumps(body, indent=1), encoding="utf-8")


def load(path: Path) -> dict[str, float]:
    body = json.loads(path.read_text(encoding="utf-8"))
    return {result["name"]: result["ratio"] for result in body["results"]}
