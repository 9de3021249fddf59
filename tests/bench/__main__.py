"""``python -m tests.bench``: one table of ratios, measured in one run."""

import argparse
from pathlib import Path

from tests.bench.harness import Result, load, machine, save, table, yardstick
from tests.bench.speed import FAMILIES


def main() -> None:
    """Measure, print, write and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--repeats", type=int, default=9, help="calls that are timed")
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--compare", type=Path, help="results of an earlier run")
    options = parser.parse_args()
    earlier = load(options.compare) if options.compare else None
    print(machine())
    print(f"F = {1e3 * yardstick():.2f} ms (scipy.ndimage.uniform_filter, 1024 x 1024 float32, 15)")
    results: list[Result] = []
    for family in options.only:
        results += FAMILIES[family](options.repeats)
    print(table(results, earlier))
    if options.json:
        save(results, options.json)


if __name__ == "__main__":
    main()
