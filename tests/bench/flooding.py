"""Beliefs of limited reach: the difference between messages of one step a pass and of whole lines.

``python -m tests.bench.flooding`` makes nine noisy fields of 192 x 192 nodes. For each field and
several numbers of passes it prints the mean and the largest difference of a node's most different
belief, the share of nodes with the same state, and the accuracy of both.
"""

import numpy as np

from latviz.core import (
    DiscreteModel,
    as_data_set,
    contingency,
    matched_accuracy,
    sample_blobs,
    sample_potts,
    sample_voronoi,
)
from latviz.core.inference.beliefs import strength_of
from latviz.core.inference.flooding import flooded
from latviz.core.inference.potentials import potentials_of

SHAPE = 192, 192
PASSES = 4, 8, 16, 32, 64
NOISE = {2: 0.3, 3: 0.4, 5: 0.35}
KINDS = {
    "Potts": lambda n: sample_potts(np.exp(0.9 * np.eye(n)), SHAPE, sweeps=100, seed=n),
    "blobs": lambda n: sample_blobs(SHAPE, n, scale=6.0, seed=n),
    "Voronoi": lambda n: sample_voronoi(SHAPE, 60, n, seed=n),
}


def right(beliefs: np.ndarray, truth: np.ndarray) -> float:
    """Return the share of right states, matched as well as they can be."""
    return matched_accuracy(contingency(beliefs.argmax(-1).astype(np.uint8), truth))


def report(name: str, n: int, truth: np.ndarray, rng: np.random.Generator) -> None:
    replaced = rng.random(SHAPE) < NOISE[n]
    symbols = np.where(replaced, rng.integers(0, n, SHAPE), truth).astype(np.uint8)
    model = DiscreteModel.fit(symbols, n_states=n, window=2, n_symbols=n)
    strength = strength_of(model.emission, model.A, as_data_set(symbols, "discrete", n))
    own = model.beliefs(symbols, strength=strength)
    print(f"{name}, {n} states, strength {strength:.2f}; right along lines {right(own, truth):.3f}")
    potentials = potentials_of(model.A, strength)
    for passes in PASSES:
        found = flooded(model.emission, potentials, symbols, SHAPE, passes)
        apart = np.abs(found - own).max(axis=-1)
        same = np.mean(found.argmax(-1) == own.argmax(-1))
        print(
            f"  {passes:3} passes: mean {apart.mean():.5f}, most {apart.max():.3f}, "
            f"same state {same:.5f}, right {right(found, truth):.3f}"
        )


def main() -> None:
    rng = np.random.default_rng(0)
    for name, sample in KINDS.items():
        for n in NOISE:
            report(name, n, np.asarray(sample(n), dtype=np.uint8), rng)


if __name__ == "__main__":
    main()
