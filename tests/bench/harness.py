"""Timing against a named reference, as a table and as JSON."""

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numba
import numpy as np
from scipy.ndimage import uniform_filter

from latviz.core import threads


@dataclass(frozen=True)
class Result:
    """One line of the table.

    ``ratio`` is ``median / reference``, both in seconds (or, for errors, in their unit);
    ``reference`` names what it is against; ``limit`` is what the ratio should not pass.
    """

    name: str
    median: float
    least: float
    ratio: float
    reference: str
    limit: float | None = None


def times(task: Callable[[], object], repeats: int) -> list[float]:
    """Return the seconds that each of ``repeats`` calls took, after one that is not counted."""
    task()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        taken.append(time.perf_counter() - start)
    return taken


def yardstick(repeats: int = 9) -> float:
    """Return F: the median seconds of a box filter of half-width 7 over 1024 x 1024 float32."""
    image = np.random.default_rng(0).random((1024, 1024)).astype(np.float32)
    return float(np.median(times(lambda: uniform_filter(image, size=15), repeats)))


def against(
    name: str,
    task: Callable[[], object],
    reference: float,
    reference_name: str,
    limit: float | None = None,
    repeats: int = 9,
) -> Result:
    """Time a task and compare its median with a reference in seconds."""
    taken = times(task, repeats)
    median = float(np.median(taken))
    return Result(name, median, min(taken), median / reference, reference_name, limit)


def machine() -> str:
    """Return what the figures were measured on."""
    return (
        f"{os.cpu_count()} cores, {threads.get_threads()} threads, {platform.machine()}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}"
    )


def table(results: Sequence[Result], earlier: dict[str, float] | None = None) -> str:
    """Return the results as lines of text; ``earlier`` gives ratios to print the change from."""
    lines = [f"{'':44}{'median ms':>11}{'least ms':>10}{'ratio':>8}{'limit':>7}  against"]
    for r in results:
        limit = f"{r.limit:g}" if r.limit is not None else ""
        line = f"{r.name:44}{1e3 * r.median:11.2f}{1e3 * r.least:10.2f}{r.ratio:8.3f}{limit:>7}"
        line += f"  {r.reference}"
        if r.limit is not None and r.ratio > r.limit:
            line += "  OVER"
        if earlier and r.name in earlier:
            line += f"  (was {earlier[r.name]:.3f})"
        lines.append(line)
    return "\n".join(lines)


def save(results: Sequence[Result], path: Path) -> None:
    """Write the results as JSON."""
    body = {"machine": machine(), "results": [asdict(result) for result in results]}
    path.write_text(json.dumps(body, indent=1), encoding="utf-8")


def load(path: Path) -> dict[str, float]:
    """Return the ratios of an earlier run by name."""
    body = json.loads(path.read_text(encoding="utf-8"))
    return {result["name"]: result["ratio"] for result in body["results"]}
