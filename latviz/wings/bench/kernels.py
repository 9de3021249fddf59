"""The kernels that only the bench needs: sweeps of fields, and counts of errors."""

import numpy as np

from latviz.core.truth.decomposition import bias_variance
from latviz.core.truth.sweeping import sweep_potts
from latviz.engine.startup.compilers import PartOfWing


def warm(*_: object) -> None:
    """Sweep a field in both ways, and count resamples, as is done for bands."""
    field = np.random.default_rng(0).integers(0, 3, (40, 40)).astype(np.uint8)
    for potentials in (np.ones((3, 3)) + np.eye(3), 2.0 - np.eye(3)):
        sweep_potts(field, A=potentials, random_state=0)
    bias_variance(
        np.array([[0, 1]]),
        emission=np.full((3, 3), 0.1) + 0.7 * np.eye(3),
        windows=[1],
        replicates=2,
    )


ROWS = (PartOfWing("bench", warm),)
