"""``python -m tests.bench``: one table of ratios of the kernels, measured in one run."""

import argparse
import sys
from pathlib import Path

import numpy as np

from tests.bench.harness import (
    REPEATS,
    Result,
    box_filter,
    limit_repeats,
    load,
    load_average,
    machine,
    save,
    table,
    times,
)
from tests.bench.kernels import FAMILIES


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--repeats", type=int, default=REPEATS, help="calls that are timed at most")
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--compare", type=Path, help="results of an earlier run")
    return parser.parse_args()


def main() -> None:
    """Measure, print, write and compare."""
    chosen = options()
    earlier = load(chosen.compare) if chosen.compare else None
    load_before = load_average()
    limit_repeats(chosen.repeats)
    f = 1e3 * float(np.median(times(box_filter())))
    lines: list[Result] = []
    for family in chosen.only:
        print(f"{family} ...", file=sys.stderr, flush=True)
        lines += FAMILIES[family]()
    print(
        f"{machine()}; load {load_before} to {load_average()}; "
        f"F = {f:.2f} ms (uniform_filter, 1024² float32, size 15)"
    )
    print(table(lines, earlier))
    if chosen.json:
        save(lines, chosen.json)


if __name__ == "__main__":
    main()
