"""``python -m tests.bench.choose``: does `choose` find the true N and good windows?

Eight families of different fields, in one to three dimensions, seen through a channel with one
symbol for each state, through one of 4 to 32 symbols, and as vectors with unequal covariances. A
field counts if sum-product, given the true emissions and its best strength, is accurate enough: no
method could recover the others. No two seeds share a field.

Then photographs, for which no number of states is right, and mosaics of their textures.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.core import (
    DiscreteModel,
    adjusted_rand,
    choose,
    contingency,
    sample_blobs,
    sample_chain,
    sample_voronoi,
)
from latviz.core.choice.choosing import START, Choice
from latviz.core.types import States
from tests.bench import cases
from tests.bench.cases import Case, Model, picture, texture_mosaics

N_STATES = (1, 2, 3, 4, 5, 7)
WINDOWS = range(1, 13)
PHOTOGRAPHS = (
    *("astronaut", "camera", "cell", "chelsea", "clock", "coffee", "coins", "hubble_deep_field"),
    *("immunohistochemistry", "moon", "page", "retina", "rocket", "text", "brick", "grass"),
    *("gravel", "china", "flower"),
)
ENCODINGS = (("quantiles", 8), ("palette", 8), ("grey", None), ("lab", None), ("texture", None))
"""Of photographs: names and numbers of symbols; None of vectors."""


def stripes(n: int, seed: int, side: int = cases.SIDE) -> States:
    """Return straight stripes, some nine nodes wide, at an angle."""
    rows, columns = np.indices((side, side))
    return ((rows + columns * (1 + seed % 3) // 2) // 9 % n).astype(np.uint8)


def chain(n: int, seed: int) -> States:
    """Return a sequence whose state changes every 33 nodes."""
    change = 0.03 / max(n - 1, 1)
    transitions = np.full((n, n), change) + (0.97 - change) * np.eye(n)
    return sample_chain(transitions, 36_000, seed=seed)


FAMILIES: dict[str, Callable[[int, int], States]] = {
    **cases.FAMILIES,
    "stripes": stripes,
    "volume": lambda n, seed: sample_blobs((33, 33, 33), n, scale=6, seed=seed),
    "sequence": chain,
}


@dataclass(frozen=True)
class Row:
    """The result of one field: N, and the loss of its w and w_l against the best w = w_l."""

    family: str
    kind: str
    n_states: int
    told: float
    found: int
    behind: float


def emissions(n: int, seed: int) -> Iterator[tuple[str, Model]]:
    """Yield the emissions of n states, in three ways."""
    rng = np.random.default_rng([seed, n])
    if n > 1:
        yield "channel", cases.symbol_model(n)
    n_symbols = int(rng.choice([4, 8, 16, 32]))
    B = 0.8 * rng.dirichlet(np.full(n_symbols, 0.6), n) + 0.2 / n_symbols
    yield f"{n_symbols} symbols", DiscreteModel(cases.coupling(n), B, window=1)
    yield "vectors", cases.vector_model(n, rng)


def rows(seed: int) -> Iterator[Row]:
    """Yield the results of each recoverable field of a seed."""
    for family, sample in FAMILIES.items():
        for n in N_STATES:
            if n > 1 or family == "blobs":
                truth = sample(n, seed) if n > 1 else np.zeros((cases.SIDE,) * 2, np.uint8)
                for kind, known in emissions(n, seed):
                    row = measured(family, kind, truth, known, seed)
                    if row is not None:
                        yield row


def measured(family: str, kind: str, truth: States, known: Model, seed: int) -> Row | None:
    """Return the result of a field; None if it cannot be recovered."""
    case = Case.emitted(known, truth, seed + 1)
    observed = case.observations
    told = (case.believed(known, strength) for strength in cases.STRENGTHS)
    best = max(told) if known.n_states > 1 else 1.0
    if best < cases.EASY:
        return None
    choice = chosen(case)
    places = [(choice.window, choice.codebook_window), *((w, w) for w in WINDOWS)]
    own, *linked = (
        case.accuracy(case.fit(known.n_states, w, w_l).decode(observed)) for w, w_l in places
    )
    return Row(family, kind, known.n_states, best, choice.n_states, max(linked) - own)


def chosen(case: Case) -> Choice:
    """Return the choice among all windows and the numbers of states 1 to 8."""
    return choose(case.observations, windows=WINDOWS, kind=case.kind, n_symbols=case.n_symbols)


def of_fields(seeds: list[int]) -> None:
    """Print a row for each field, and the shares that were found."""
    found = []
    print(f"{'family':22}{'emission':12}{'N':>3}{'told':>7}{'found':>7}{'w behind':>10}")
    for seed in seeds:
        for row in rows(seed):
            found.append(row)
            print(
                f"{row.family:22}{row.kind:12}{row.n_states:3}{row.told:7.3f}{row.found:7}"
                f"{row.behind:10.3f}{'' if row.found == row.n_states else '  MISSED'}",
                flush=True,
            )
    for family in (*FAMILIES, "all"):
        some = [row for row in found if family in (row.family, "all")]
        right = sum(row.found == row.n_states for row in some)
        near = sum(row.behind <= 0.01 for row in some if row.n_states > 1)
        several = sum(row.n_states > 1 for row in some)
        print(
            f"{family}: N right in {right} of {len(some)}, "
            f"windows within .01 in {near} of {several}"
        )


def of_photographs() -> None:
    """Print the choices for photographs, and the number of them reported to have no right N."""
    said, n_cases = 0, 0
    print(f"{'picture':22}{'encoding':12}{'N':>3}{'w':>4}{'residual':>10}")
    for shown in PHOTOGRAPHS:
        image = picture(shown)
        for name, levels in ENCODINGS:
            if image.ndim == 2 and name in ("palette", "lab"):
                continue
            choice = chosen(Case.encoded(image, np.zeros(image.shape[:2], np.uint8), name, levels))
            said, n_cases = said + choice.dependent, n_cases + 1
            print(
                f"{shown:22}{name:12}{choice.n_states:3}{choice.window:4}"
                f"{choice.residual_correlation:10.3f}{'' if choice.dependent else '  FOUND'}",
                flush=True,
            )
    print(f"no N is right, it is said, of {said} of {n_cases}")


def rand(case: Case, n_states: int, window: int) -> float:
    """Return the adjusted Rand index of a decoding."""
    states = case.fit(n_states, window).decode(case.observations)
    return adjusted_rand(contingency(states, case.truth))


def of_mosaics(seeds: list[int], side: int = 512) -> None:
    """Print the choices for mosaics of three textures, next to the best of N and w."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    print(f"{'regions':>7} {'encoding':12}{'N':>3}{'w':>4}{'rand':>7}{'start':>7}{'best':>7}")
    for seed in seeds:
        for n_regions in (4, 5, 6, 7, 8):
            truth = sample_voronoi((side, side), n_regions, 3, seed=10 * seed + n_regions)
            for label, case in texture_mosaics(truth):
                choice = chosen(case)
                places = [(choice.n_states, choice.window), START]
                row = [rand(case, n, w) for n, w in places]
                row.append(max(rand(case, n, w) for n in range(2, 7) for w in WINDOWS[::2]))
                found.setdefault(label, []).append(np.array(row))
                shown = "".join(f"{one:7.3f}" for one in row)
                print(
                    f"{n_regions:7} {label:12}{places[0][0]:3}{places[0][1]:4}{shown}", flush=True
                )
    for label, some in found.items():
        own, start, best = np.mean(some, axis=0)
        print(
            f"{label}: adjusted Rand {own:.3f}, of N and w = {START} {start:.3f}, best {best:.3f}"
        )


def main() -> None:
    """Read the command line and print one table, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.choose", description=__doc__)
    tables = ["fields", "photographs", "mosaics"]
    parser.add_argument("what", choices=[*tables, "all"], nargs="?", default="all")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    options = parser.parse_args()
    for what in tables if options.what == "all" else [options.what]:
        print(f"\n{what}")
        if what == "fields":
            of_fields(options.seeds)
        elif what == "photographs":
            of_photographs()
        else:
            of_mosaics(options.seeds)


if __name__ == "__main__":
    main()
