"""Label accuracy on fields of known states: ``python -m tests.bench.fields [--seeds 1 2]``.

Five families of different fields, with symbols and with vectors. Compared are the best of five
windows, chosen by the truth, by the nearest codeword and by the likelihood of windows; belief in
the states of a model of windows of w = 3; `refine`, given only N; and two methods given the true
emissions and their best strength by the truth: sum-product, and alpha-expansion by graph cuts. No
two seeds share a field.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from latviz import peers
from latviz.core import (
    DiscreteModel,
    GaussianModel,
    sample_blobs,
    sample_potts,
    sample_voronoi,
)
from latviz.core.types import Floats, States
from latviz.peers.problem import problem_of
from tests.bench.cases import Case, Model

SIDE = 192
SIZES = (2, 4, 6)
WINDOWS = (1, 2, 3, 5, 8)
STRENGTHS = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
NOISE = 0.45
"""Share of symbols that are another one."""
EASY = 0.85
"""The least accuracy of a method given the true model, for a field to count in a table."""


def critical(n: int) -> float:
    """Return the strength at which an infinite Potts field of n states is critical."""
    return float(np.log(1 + np.sqrt(n)))


def mosaic(n: int, seed: int, side: int = SIDE) -> States:
    """Return polygons of the same size on a lattice of any size."""
    return sample_voronoi((side, side), round(60 * (side / SIDE) ** 2), n, seed=seed)


def with_a_rare_state(n: int, seed: int, side: int = SIDE) -> States:
    """Return a mosaic in which one state has a twentieth of the squares of 24 x 24."""
    n_squares = -(-side // 24)
    rare, n_rare = np.zeros(n_squares**2, bool), max(1, round(n_squares**2 / 20))
    rare[np.random.default_rng(seed).choice(rare.size, n_rare, replace=False)] = True
    squares = rare.reshape(n_squares, n_squares)
    blocks = np.kron(squares, np.ones((24, 24), dtype=bool))[:side, :side]
    return np.where(blocks, n - 1, mosaic(max(1, n - 1), seed, side)).astype(np.uint8)


def near_critical(n: int, seed: int, side: int = SIDE) -> States:
    """Return a Potts field in equilibrium, with domains of every size."""
    coupled = np.exp(0.98 * critical(n) * np.eye(n))
    return sample_potts(coupled, (side, side), seed=seed)


def quenched(n: int, seed: int, side: int = SIDE) -> States:
    """Return a Potts field that was cooled at once, and whose domains still grow."""
    coupled = np.exp(1.5 * critical(n) * np.eye(n))
    return sample_potts(coupled, (side, side), sweeps=30, method="gibbs", seed=seed)


def blobs(n: int, seed: int, side: int = SIDE) -> States:
    """Return smooth blobs."""
    return sample_blobs((side, side), n, scale=8, seed=seed)


FAMILIES: dict[str, Callable[[int, int], States]] = {
    "Potts, near critical": near_critical,
    "Potts, quenched": quenched,
    "blobs": blobs,
    "Voronoi": mosaic,
    "a rare state": with_a_rare_state,
}

COLUMNS = ("window", "likelihood", "belief", "refined", "told", "cuts")
"""Names of the accuracies of a row."""


@dataclass(frozen=True)
class Row:
    """Accuracies on one field."""

    family: str
    kind: str
    n_states: int
    window: float
    likelihood: float
    belief: float
    refined: float
    told: float
    cuts: float


def rows(seed: int) -> Iterator[Row]:
    """Yield the accuracies on each field of a seed."""
    for family, sample in FAMILIES.items():
        for n in SIZES:
            truth = sample(n, seed)
            rng = np.random.default_rng([seed, n])
            yield measured(family, "symbols", truth, symbol_model(n), seed)
            yield measured(family, "vectors", truth, vector_model(n, rng), seed)


def coupling(n: int) -> Floats:
    """Return potentials whose logarithms differ by 1, so that the strength is that of a field."""
    return np.exp(np.eye(n))


def symbol_model(n: int) -> DiscreteModel:
    """Return a symmetric channel."""
    B = np.full((n, n), NOISE / (n - 1)) + (1 - NOISE * n / (n - 1)) * np.eye(n)
    return DiscreteModel(coupling(n), B, window=1)


def vector_model(n: int, rng: np.random.Generator) -> GaussianModel:
    """Return normal densities of three channels with unequal covariances."""
    means = rng.normal(size=(n, 3)) * 1.3
    covariances = np.array([np.diag(rng.uniform(0.4, 1.6, 3)) for _ in range(n)])
    return GaussianModel(coupling(n), means, covariances, window=1)


def measured(family: str, kind: str, truth: States, known: Model, seed: int) -> Row:
    """Return the accuracies on a field that a model emits."""
    case = Case.emitted(known, truth, seed + 1)
    model = case.fit(known.n_states, 3)
    nearest, likelihood = (
        max(case.accuracy(model.decode(case.observations, w, decoder=way)) for w in WINDOWS)
        for way in ("nearest", "likelihood")
    )
    told = max(case.believed(known, strength) for strength in STRENGTHS)
    believed, refined = case.believed(model), case.refined(model)
    accuracies = nearest, likelihood, believed, refined, told, cut(case, known)
    return Row(family, kind, known.n_states, *accuracies)


def cut(case: Case, known: Model) -> float:
    """Return the accuracy of alpha-expansion, given the emissions and the best strength."""
    problem = problem_of(case.data, known.emission, 1.0)
    return max(
        case.accuracy(peers.expansion.expanded(replace(problem, strength=strength))[0])
        for strength in STRENGTHS
    )


def figures_of(row: Row) -> list[float]:
    """Return the accuracies of a row."""
    return [getattr(row, name) for name in COLUMNS]


def told_of(name: str, told: str, found: list[Row]) -> str:
    """Return how ``refine`` compares with a method given the true model, and with windows."""
    if not found:
        return f"{name}: no fields"
    means = ", ".join(
        f"{column} {mean:.3f}"
        for column, mean in zip(
            COLUMNS, np.mean([figures_of(r) for r in found], axis=0), strict=True
        )
    )
    ahead = sum(r.refined > r.window for r in found)
    behind = np.array([getattr(r, told) - r.refined for r in found])
    return (
        f"{name}, {len(found)} fields: {means}; refined is ahead of the window on {ahead}, "
        f"within .05 of {told} on {(behind <= 0.05).sum()}, at most {behind.max():.3f} behind"
    )


def main() -> None:
    """Print a row for each field, and the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fields", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    found = []
    names = "".join(f"{name:>11}" for name in COLUMNS)
    print(f"{'family':22}{'kind':10}{'N':>3}{names}")
    for seed in parser.parse_args().seeds:
        for row in rows(seed):
            found.append(row)
            print(
                f"{row.family:22}{row.kind:10}{row.n_states:3}"
                + "".join(f"{figure:11.3f}" for figure in figures_of(row)),
                flush=True,
            )
    for told in ("told", "cuts"):
        easy = [r for r in found if getattr(r, told) >= EASY]
        for family in FAMILIES:
            print(told_of(family, told, [r for r in easy if r.family == family]))
        print(told_of(f"{told} at least {EASY}", told, easy))
    print(told_of("all", "told", found))


if __name__ == "__main__":
    main()
