"""Images of classes that tests of classification share: small, and drawn once."""

from functools import cache

import numpy as np

from latviz.core import LatticeClassifier, emit, sample_potts

LAWS = {"attract": np.exp(0.7 * np.eye(2)), "repel": np.exp(-0.7 * np.eye(2))}
B = np.array([[0.95, 0.05], [0.05, 0.95]])
SHAPE = (20, 22)


def field(law: str, seed: int) -> np.ndarray:
    """Return a grey image of two values; both laws have the same shares of each."""
    states = sample_potts(LAWS[law], shape=SHAPE, sweeps=20, random_state=seed)
    return (50 + 100 * emit(states, emission=B, random_state=seed + 1)).astype(np.uint8)


@cache
def images(n: int = 4, start: int = 0) -> tuple[list[np.ndarray], list[str]]:
    """Return n images of each law, and their labels."""
    names = [law for law in LAWS for _ in range(n)]
    found = [field(law, 1000 * k + 10 * start) for k, law in enumerate(names)]
    return found, names


@cache
def fitted(**parameters) -> LatticeClassifier:
    """Return a classifier that has learned, by Bayes' rule unless ``head`` is given."""
    return LatticeClassifier(n_states=2, **{"head": False, **parameters}).fit(*images())
