"""Timing by turns with a reference; the figures as a table and as JSON."""

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numba
import numpy as np
from scipy.ndimage import uniform_filter

from latviz.core import threads

REPEATS = 41
LEAST_REPEATS = 3
BUDGET_S = 4.0
"""A line that takes longer is content with `LEAST_REPEATS`."""
UNSTEADY = 1.6
"""Times are marked if their median is this many times the least."""

_most_repeats = REPEATS
Task = Callable[[], object]


@dataclass(frozen=True)
class Result:
    """One line of the table."""

    name: str
    median: float  # seconds
    least: float
    ratio: float  # the median over that of the reference, by default
    reference: str
    limit: float | None = None  # of the ratio
    settings: str = ""  # the measured case

    @property
    def unsteady(self) -> bool:
        """True if something else kept the machine busy half of the time."""
        return self.median > UNSTEADY * self.least

    @property
    def over(self) -> bool:
        """True if the ratio exceeds the limit."""
        return self.limit is not None and self.ratio > self.limit


def limit_repeats(most: int) -> None:
    """Let no task be timed more often than this."""
    global _most_repeats
    _most_repeats = most


def times(task: Task, repeats: int = REPEATS) -> list[float]:
    """Return the seconds that each of ``repeats`` calls took, after one that is not counted."""
    return [taken for (taken,) in by_turns([task], repeats)]


def by_turns(tasks: Sequence[Task], repeats: int) -> list[tuple[float, ...]]:
    """Time tasks in turn, again and again, so that all of them see the same machine."""
    repeats = min(repeats, _most_repeats)
    for task in tasks:
        task()
    rounds: list[tuple[float, ...]] = []
    end = time.perf_counter() + BUDGET_S
    while len(rounds) < repeats and (len(rounds) < LEAST_REPEATS or time.perf_counter() < end):
        rounds.append(tuple(_seconds(task) for task in tasks))
    return rounds


def _seconds(task: Task) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def against(
    name: str,
    task: Task,
    reference: Task | float | None = None,
    reference_name: str = "F",
    limit: float | None = None,
    *,
    repeats: int = REPEATS,
    settings: str = "",
    share: float = 1.0,
) -> Result:
    """Compare a task with a reference, timed in turns with it or given in seconds.

    The ratio is that of the medians over ``share``, the ratio of their sizes for times by size.
    The reference is `box_filter` by default.
    """
    reference = box_filter() if reference is None else reference
    if callable(reference):
        taken, others = zip(*by_turns([task, reference], repeats), strict=True)
        base = float(np.median(others))
    else:
        taken, base = tuple(times(task, repeats)), reference
    median = float(np.median(taken))
    ratio = median / base / share
    return Result(name, median, min(taken), ratio, reference_name, limit, settings)


def box_filter() -> Task:
    """Return the task whose median time is F: a box of 15 x 15 over 1024 x 1024 float32."""
    image = np.random.default_rng(0).random((1024, 1024)).astype(np.float32)
    return lambda: uniform_filter(image, size=15)


def settings(what: str, **letters: int | str) -> str:
    """Return the measured case, the model's letters and the number of threads, in words."""
    values = [f"{letter}={value}" for letter, value in letters.items()]
    return ", ".join([what, *values, f"{threads.get_threads()} threads"])


def machine() -> str:
    """Return the machine and versions of the figures."""
    return (
        f"{os.cpu_count()} cores, {threads.get_threads()} threads, {platform.machine()}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}"
    )


def load_average() -> str:
    """Return the number of runnable processes in the last minute, if the system reports it."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def table(lines: Iterable[Result], earlier: dict[str, float] | None = None) -> str:
    """Return the lines as text; ``earlier`` gives ratios to print the change from."""
    head = ("", "median", "min", "ratio", "limit", "against", "settings")
    return "\n".join([_row(*head), *(_written(line, earlier or {}) for line in lines)])


def _row(*cells: str) -> str:
    name, median, least, ratio, limit, reference, notes = cells
    return f"{name:44}{median:>12}{least:>12}{ratio:>9}{limit:>7}  {reference:22}{notes}".rstrip()


def _written(line: Result, earlier: dict[str, float]) -> str:
    figures = amount(line.median), amount(line.least), f"{line.ratio:.3f}"
    limit = "" if line.limit is None else f"{line.limit:g}"
    written = _row(line.name, *figures, limit, line.reference, line.settings)
    marks = (
        (line.over, "OVER"),
        (line.unsteady, "(unsteady)"),
        (line.name in earlier, f"(was {earlier.get(line.name, 0.0):.3f})"),
    )
    return "  ".join([written, *(mark for marked, mark in marks if marked)])


def amount(seconds: float) -> str:
    """Return a time of four digits with its unit."""
    value, unit = (1000 * seconds, "ms") if seconds < 1 else (seconds, "s")
    digits = max(0, 3 - int(np.floor(np.log10(value)))) if value > 0 else 0
    return f"{value:.{min(4, digits)}f} {unit}"


def save(lines: Iterable[Result], path: Path) -> None:
    """Write the results as JSON."""
    body = {"machine": machine(), "results": [asdict(line) for line in lines]}
    path.write_text(json.dumps(body, indent=1), encoding="utf-8")


def load(path: Path) -> dict[str, float]:
    """Return the ratios of an earlier run by name."""
    body = json.loads(path.read_text(encoding="utf-8"))
    return {result["name"]: result["ratio"] for result in body["results"]}
