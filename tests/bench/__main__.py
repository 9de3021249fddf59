"""``python -m tests.bench``: one table of ratios of the kernels, measured in one run."""

import argparse
import sys
from pathlib import Path

import numpy as np

from tests.bench.harness import Result, box_filter, by_turns, load, machine, save, table
from tests.bench.kernels import FAMILIES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--compare", type=Path, help="results of an earlier run")
    chosen = parser.parse_args()
    f = 1e3 * float(np.median(by_turns(box_filter())))
    print(f"{machine()}; F = {f:.2f} ms (uniform_filter, 1024² float32, size 15)")
    lines = list[Result]()
    for family in chosen.only:
        print(f"{family} ...", file=sys.stderr, flush=True)
        lines += FAMILIES[family]()
    print(table(lines, load(chosen.compare) if chosen.compare else None))
    if chosen.json:
        save(lines, chosen.json)


if __name__ == "__main__":
    main()
