"""Observations that hidden states emit: symbols, or vectors with normal noise."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core.checks import (
    as_bounded,
    as_floats,
    check_emissions,
    check_map,
    check_seed,
    check_states,
    cholesky,
    shown,
)
from latviz.core.data.lattice import frozen
from latviz.core.data.per_lattice import per_lattice
from latviz.core.errors import ParameterError
from latviz.core.model.indices import as_maps
from latviz.core.renamed import renamed
from latviz.core.types import Floats, States
from latviz.core.values import Value

Seed = int | np.random.SeedSequence | np.random.Generator | None
"""What `numpy.random.default_rng` takes; a generator advances, None differs each time."""


class Emission(Value, ABC):
    """The distribution of a node's observation given its state, for each of N states."""

    @property
    @abstractmethod
    def codebook(self) -> Floats:
        """The states' expected signatures, B or the means, shape (N, M)."""

    @abstractmethod
    def draw(self, states: States, rng: np.random.Generator) -> NDArray[Any]:
        """Return an observation for each state."""


@dataclass(frozen=True, eq=False)
class SymbolEmission(Emission):
    """Symbols by the rows of B, (N, M): not negative, rows sum to 1 within 1e-6; N to 255."""

    B: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "B", frozen(check_emissions(self.B)))
        check_states(len(self.B))

    @property
    def codebook(self) -> Floats:
        """B."""
        return self.B

    def draw(self, states: States, rng: np.random.Generator) -> NDArray[Any]:
        """Return symbols, (*shape) uint8, or uint16 if there are more than 256."""
        uniform = rng.random(states.shape)
        symbols = np.zeros(states.shape, np.uint8 if self.B.shape[1] <= 256 else np.uint16)
        for bounds in np.cumsum(self.B, axis=1).T[:-1]:
            symbols += uniform >= bounds[states]
        return symbols


@dataclass(frozen=True, eq=False)
class NormalEmission(Emission):
    """Vectors by the normal law of each state.

    Parameters
    ----------
    means : (N, M) float
    covariances : (N, M, M) float
        Symmetric and positive definite.

    Raises
    ------
    ParameterError
        If a parameter is invalid.

    Examples
    --------
    >>> emission = NormalEmission([[0.0], [100.0]], np.ones((2, 1, 1)))
    >>> (emit([0, 1, 1], emission=emission, random_state=0) > 50).ravel().tolist()
    [False, True, True]
    """

    means: Floats
    covariances: Floats

    def __post_init__(self) -> None:
        means = as_bounded("means", self.means)
        covariances = as_floats("covariances", self.covariances)
        if means.ndim != 2 or means.size == 0:
            raise ParameterError(f"means must have shape (N, M), got {means.shape}")
        check_states(len(means)), cholesky(covariances, means)
        object.__setattr__(self, "means", frozen(means))
        object.__setattr__(self, "covariances", frozen(covariances))

    @property
    def codebook(self) -> Floats:
        """The means."""
        return self.means

    def draw(self, states: States, rng: np.random.Generator) -> NDArray[Any]:
        """Return vectors, (*shape, M) float64.

        Parameters
        ----------
        states : (*shape) integers
            States 0..N-1.
        rng : numpy.random.Generator
            The random number generator.

        Returns
        -------
        (*shape, M) float64
            Vectors.

        Raises
        ------
        ParameterError
            If an argument is invalid.
        """
        states = check_map(states, len(self.means))
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(f"rng must be a numpy Generator, got {shown(rng)}")
        factors = cholesky(self.covariances, self.means)
        vectors = rng.standard_normal((*states.shape, self.means.shape[1]))
        for state in range(len(self.means)):
            taken = states == state
            vectors[taken] = vectors[taken] @ factors[state].T + self.means[state]
        return vectors


def as_emission(emission: "Emission | ArrayLike") -> Emission:
    """Return an emission: an array is B."""
    return emission if isinstance(emission, Emission) else SymbolEmission(emission)  # type: ignore[arg-type]


@renamed("states emission", seed="random_state")
@per_lattice
def emit(
    states: Any, *, emission: Emission | ArrayLike, random_state: Seed = None
) -> list[NDArray[Any]]:
    """Draw an observation for every node from its state's distribution, independently.

    Parameters
    ----------
    states : (*shape) integers, or a list or tuple of such arrays
        States 0..N-1. The lattices of a data set are drawn one after the other.
    emission : (N, M) float, or NormalEmission
        B, the distribution of symbols of each state (rows sum to 1), or normal laws.
    random_state : int, SeedSequence, Generator or None, optional
        As of ``numpy.random.default_rng``; by default random numbers differ each time.

    Returns
    -------
    (*shape) uint8 (uint16 if M > 256), or (*shape, M) float64
        Symbols 0..M-1, or vectors; a list of such arrays for a data set.

    Raises
    ------
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> emit([0, 1, 1], emission=[[1, 0], [0, 1]], random_state=0).tolist()
    [0, 1, 1]
    """
    law, rng = as_emission(emission), np.random.default_rng(check_seed(random_state))
    maps = as_maps(states, len(law.codebook))
    return [law.draw(one, rng) for one in maps]
