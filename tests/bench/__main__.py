"""``python -m tests.bench``: one table of ratios, measured in one run.

``python -m tests.bench peers`` prints the table of other methods instead; see `tests.bench.peers`.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tests.bench import peers
from tests.bench.beliefs import beliefs
from tests.bench.decoding import decoding
from tests.bench.encodings import contrasts, decoders, encoders, encodings
from tests.bench.harness import (
    REPEATS,
    Line,
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
from tests.bench.live import large, live
from tests.bench.memory import memory
from tests.bench.parallel import parallel
from tests.bench.pictures import source
from tests.bench.plot import log_log
from tests.bench.quantization import learning, quantization
from tests.bench.tradeoff import tradeoff

FAMILIES: dict[str, Callable[[], Iterator[Line]]] = {
    "live": live,
    "large": large,
    "decoding": decoding,
    "encodings": encodings,
    "encoders": encoders,
    "decoders": decoders,
    "contrasts": contrasts,
    "beliefs": beliefs,
    "learning": learning,
    "quantization": quantization,
    "tradeoff": tradeoff,
    "threads": parallel,
    "memory": memory,
}


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--repeats", type=int, default=REPEATS, help="calls that are timed at most")
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--compare", type=Path, help="results of an earlier run")
    parser.add_argument("--plot", type=Path, help="draw the growth of quantization here, as SVG")
    return parser.parse_args()


def main() -> None:
    """Measure, print, write and compare."""
    if sys.argv[1:2] == ["peers"]:
        peers.main(sys.argv[2:])
        return
    chosen = options()
    earlier = load(chosen.compare) if chosen.compare else None
    load_before = load_average()
    limit_repeats(chosen.repeats)
    f = 1e3 * float(np.median(times(box_filter())))
    lines: list[Line] = []
    for family in chosen.only:
        print(f"{family} ...", file=sys.stderr, flush=True)
        lines += FAMILIES[family]()
    print(
        f"{machine()}; load {load_before} to {load_average()}; {source()}; "
        f"F = {f:.2f} ms (uniform_filter, 1024² float32, size 15)"
    )
    print(table(lines, earlier))
    if chosen.json:
        save(lines, chosen.json)
    for line in lines:
        if chosen.plot and isinstance(line, Result) and line.points:
            chosen.plot.write_text(log_log(line), encoding="utf-8")


if __name__ == "__main__":
    main()
