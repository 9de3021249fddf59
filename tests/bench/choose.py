"""``python -m tests.bench.choose``: does `choose` find the true N and good windows?

Eight families of different fields, in one to three dimensions, seen through a channel with one
symbol for each state, through one of 4 to 32 symbols, and as vectors with unequal covariances. A
field counts if sum-product, given the true emissions and its best strength, is accurate enough: no
method could recover the others. No two seeds share a field.

Then photographs, for which no number of states is right.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from latviz.core import (
    DiscreteModel,
    GaussianModel,
    choose,
    sample_blobs,
    sample_chain,
    sample_potts,
)
from latviz.core.choice.choosing import Choice
from latviz.core.types import States
from tests.bench.cases import EASY, SIDE, STRENGTHS, Case, Model, coupling, mosaic
from tests.bench.cases import picture as photograph

N_STATES = (1, 2, 3, 4, 5, 7)
WINDOWS = range(1, 13)
NOISE = 0.45
"""Share of symbols that are another one."""
PHOTOGRAPHS = (
    *("astronaut", "camera", "cell", "chelsea", "clock", "coffee", "coins", "hubble_deep_field"),
    *("immunohistochemistry", "moon", "page", "retina", "rocket", "text", "brick", "grass"),
    *("gravel", "china", "flower"),
)
ENCODINGS = (("quantiles", 8), ("palette", 8), ("grey", None), ("lab", None), ("texture", None))
"""Of photographs: names and numbers of symbols; None of vectors."""


def with_a_rare_state(n: int, seed: int) -> States:
    """Return a mosaic in which one state has a twentieth of the squares of 24 x 24."""
    squares = np.zeros((SIDE // 24, SIDE // 24), bool)
    chosen = np.random.default_rng(seed).choice(squares.size, squares.size // 20, replace=False)
    squares.flat[chosen] = True
    blocks = np.kron(squares, np.ones((24, 24), bool))
    return np.where(blocks, n - 1, mosaic(max(1, n - 1), seed)).astype(np.uint8)


def potts(n: int, strength: float, seed: int, **options: object) -> States:
    """Return a Potts field; an infinite one is critical at the strength 1."""
    coupled = np.exp(strength * float(np.log(1 + np.sqrt(n))) * np.eye(n))
    return sample_potts(coupled, shape=(SIDE, SIDE), random_state=seed, **options)


def stripes(n: int, seed: int) -> States:
    rows, columns = np.indices((SIDE, SIDE))
    return ((rows + columns * (1 + seed % 3) // 2) // 9 % n).astype(np.uint8)


def chain(n: int, seed: int) -> States:
    """Return a sequence whose state changes every 33 nodes."""
    change = 0.03 / max(n - 1, 1)
    transitions = np.full((n, n), change) + (0.97 - change) * np.eye(n)
    return sample_chain(transitions, length=36_000, random_state=seed)


FAMILIES: dict[str, Callable[[int, int], States]] = {
    "Potts, near critical": lambda n, seed: potts(n, 0.98, seed),
    # cooled at once, so that domains still grow
    "Potts, quenched": lambda n, seed: potts(n, 1.5, seed, sweeps=30, method="gibbs"),
    "blobs": lambda n, seed: sample_blobs((SIDE, SIDE), n_states=n, scale=8, random_state=seed),
    "Voronoi": mosaic,
    "a rare state": with_a_rare_state,
    "stripes": stripes,
    "volume": lambda n, seed: sample_blobs((33, 33, 33), n_states=n, scale=6, random_state=seed),
    "sequence": chain,
}


class Row(NamedTuple):
    """The result of one field: N, and the loss of its w and w_l against the best w = w_l."""

    family: str
    kind: str
    n_states: int
    told: float
    found: int
    behind: float


def emissions(n: int, seed: int) -> Iterator[tuple[str, Model]]:
    rng = np.random.default_rng([seed, n])
    if n > 1:
        B = np.full((n, n), NOISE / (n - 1)) + (1 - NOISE * n / (n - 1)) * np.eye(n)
        yield "channel", DiscreteModel(coupling(n), B, window=1)
    n_symbols = int(rng.choice([4, 8, 16, 32]))
    B = 0.8 * rng.dirichlet(np.full(n_symbols, 0.6), n) + 0.2 / n_symbols
    yield f"{n_symbols} symbols", DiscreteModel(coupling(n), B, window=1)
    means = rng.normal(size=(n, 3)) * 1.3
    covariances = np.array([np.diag(rng.uniform(0.4, 1.6, 3)) for _ in range(n)])
    yield "vectors", GaussianModel(coupling(n), means, covariances, window=1)


def rows(seed: int) -> Iterator[Row]:
    for family, sample in FAMILIES.items():
        for n in N_STATES:
            if n > 1 or family == "blobs":
                truth = sample(n, seed) if n > 1 else np.zeros((SIDE, SIDE), np.uint8)
                for kind, known in emissions(n, seed):
                    case = Case.emitted(known, truth, seed + 1)
                    if (best := believed(case, known) if n > 1 else 1.0) >= EASY:
                        choice = chosen(case)
                        behind = loss(case, n, choice)
                        yield Row(family, kind, n, best, choice.n_states, behind)


def believed(case: Case, known: Model) -> float:
    ways = ({"decoder": "belief", "strength": strength} for strength in STRENGTHS)
    return max(case.accuracy(known.decode(case.observations, **way)) for way in ways)


def loss(case: Case, n: int, choice: Choice) -> float:
    """Return the accuracy that the chosen windows lose against the best w = w_l."""
    places = [(choice.window, choice.codebook_window), *((w, w) for w in WINDOWS)]
    models = (case.fit(n, w, w_l) for w, w_l in places)
    own, *linked = (case.accuracy(model.decode(case.observations)) for model in models)
    return max(linked) - own


def chosen(case: Case) -> Choice:
    """Return the choice among all windows and the numbers of states 1 to 8."""
    return choose(case.observations, windows=WINDOWS, kind=case.kind, n_symbols=case.n_symbols)


def of_fields(seeds: list[int]) -> None:
    """Print a row for each field, and the shares that were found."""
    found = []
    print(f"{'family':22}{'emission':12}{'N':>3}{'told':>7}{'found':>7}{'w behind':>10}")
    for row in (row for seed in seeds for row in rows(seed)):
        found.append(row)
        missed = "  MISSED" * (row.found != row.n_states)
        figures = f"{row.n_states:3}{row.told:7.3f}{row.found:7}{row.behind:10.3f}{missed}"
        print(f"{row.family:22}{row.kind:12}{figures}", flush=True)
    for family in (*FAMILIES, "all"):
        some = [row for row in found if family in (row.family, "all")]
        right = sum(row.found == row.n_states for row in some)
        near = [row.behind <= 0.01 for row in some if row.n_states > 1]
        print(
            f"{family}: N right in {right} of {len(some)}, "
            f"windows within .01 in {sum(near)} of {len(near)}"
        )


def of_photographs(_: list[int]) -> None:
    """Print the choices for photographs, and the number of them reported to have no right N."""
    found = []
    print(f"{'picture':22}{'encoding':12}{'N':>3}{'w':>4}{'residual':>10}")
    for shown in PHOTOGRAPHS:
        image = photograph(shown)
        for name, levels in ENCODINGS:
            if image.ndim == 2 and name in ("palette", "lab"):
                continue
            choice = chosen(Case.encoded(image, np.zeros(image.shape[:2], np.uint8), name, levels))
            found.append(choice.dependent)
            figures = f"{choice.n_states:3}{choice.window:4}{choice.residual_correlation:10.3f}"
            line = f"{shown:22}{name:12}{figures}{'' if choice.dependent else '  FOUND'}"
            print(line, flush=True)
    print(f"no N is right, it is said, of {sum(found)} of {len(found)}")


TABLES = {"fields": of_fields, "photographs": of_photographs}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.choose", description=__doc__)
    parser.add_argument("what", choices=[*TABLES, "all"], nargs="?", default="all")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    options = parser.parse_args()
    for what in TABLES if options.what == "all" else [options.what]:
        print(f"\n{what}")
        TABLES[what](options.seeds)


if __name__ == "__main__":
    main()
