"""The model's two variants, as frozen values (paper 2, 3)."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core import kernels
from latviz.core.checks import (
    as_vectors,
    check_adjacency,
    check_emissions,
    check_sizes,
    cholesky,
    same_dimensions,
)
from latviz.core.data.fixed_point import FixedPoint, to_fixed_point
from latviz.core.data.lattice import (
    as_floats,
    as_lattices,
    check_states,
    check_symbols,
    check_window,
    frozen,
)
from latviz.core.errors import ParameterError
from latviz.core.model import learning
from latviz.core.model.evaluation import (
    Evaluation,
    Normalizer,
    Terms,
    evaluate_states,
)
from latviz.core.model.indices import as_rows
from latviz.core.model.lattice_model import LatticeModel
from latviz.core.progress import Progress
from latviz.core.windows.decoding import decode

Matrix = NDArray[np.float64]
States = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class DiscreteModel(LatticeModel):
    """The variant for discrete symbols: eta = <A, B, w> (paper 2).

    Parameters
    ----------
    A : array_like, shape (N, N)
        State adjacency potential, finite and >= 0; N from 1 to 255.
    B : array_like, shape (N, M)
        Symbol distribution of each state; each row sums to 1.
    window : int
        Half-width w >= 0, used where a method is given none.

    Raises
    ------
    ParameterError
        If a parameter is outside its range or the shapes do not fit.
    """

    A: Matrix
    B: Matrix
    window: int

    def __post_init__(self) -> None:
        _set(
            self,
            A=check_adjacency(self.A),
            B=check_emissions(self.B),
            window=check_window(self.window),
        )
        check_sizes(self.A, self.B, "B")

    @classmethod
    def fit(
        cls,
        observations: Any,
        *,
        n_states: int,
        window: int,
        n_symbols: int | None = None,
        smoothing: float = 0.0,
        progress: Progress | None = None,
    ) -> Self:
        """Learn a model (Algorithm 4).

        The codebook of Fast PNN over the signatures of all nodes becomes B; the nodes decoded with
        it give A. If there are fewer distinct signatures than states, the states that are left
        repeat the first row of B and no node takes them.

        Parameters
        ----------
        observations : ndarray of int, or a list of them
            One lattice (any d >= 1) of symbols 0..M-1, or several of the same d.
        n_states : int
            N, from 1 to 255.
        window : int
            Half-width w_l of the learning window, >= 0; also the model's own.
        n_symbols : int, optional
            M; by default one more than the largest symbol.
        smoothing : float, optional
            Pseudo-count added to every entry of A' and to the symbol counts of each state.
        progress : Progress, optional
            Told of the fraction done; may cancel.

        Raises
        ------
        ParameterError
            If an argument is outside its range or a lattice is not one of symbols.
        Cancelled
            If ``progress`` says so.
        """
        check_states(n_states), check_window(window), learning.check_smoothing(smoothing)
        lattices = same_dimensions(as_lattices(observations))
        if n_symbols is None:
            n_symbols = max(int(lattice.max()) for lattice in lattices) + 1
        symbols = [check_symbols(lattice, n_symbols) for lattice in lattices]
        codebook = _learn_codebook(symbols, n_symbols, n_states, window, progress)
        states = [decode(lattice, codebook, window) for lattice in symbols]
        pairs, occupancy = learning.count(states, n_states)
        A = learning.adjacency(pairs, occupancy, symbols[0].ndim, smoothing)
        return cls(A, learning.smoothed_emissions(codebook, occupancy, smoothing), window)

    @property
    def codebook(self) -> Matrix:
        """B, shape (N, M)."""
        return self.B

    def lattice(self, observation: ArrayLike) -> NDArray[Any]:
        """Return symbols 0..M-1, or raise `ParameterError` if there are others."""
        return check_symbols(observation, self.n_symbols)

    def evaluate_states(
        self, observation: NDArray[Any], states: States, normalizer: Normalizer = "neighbours"
    ) -> Evaluation:
        """Return the evaluation under alpha = 1 of a decoding that is already there."""
        symbols = frozen(as_rows(check_symbols(observation, self.n_symbols))[0])
        rows = frozen(as_rows(states)[0])
        with np.errstate(divide="ignore"):
            log_B = np.log(self.B)

        data = rows, symbols, log_B
        terms = Terms(data, kernels.likelihood.symbol_sums, kernels.likelihood.symbol_terms)
        return evaluate_states(states, self.A, normalizer, terms)


@dataclass(frozen=True, eq=False)
class GaussianModel(LatticeModel):
    """The variant for real vectors: eta = <A, mu, Sigma, w> (paper 3).

    Parameters
    ----------
    A : array_like, shape (N, N)
        State adjacency potential, finite and >= 0; N from 1 to 255.
    means : array_like, shape (N, M)
        mu.
    covariances : array_like, shape (N, M, M)
        Sigma; symmetric and positive definite.
    window : int
        Half-width w >= 0, used where a method is given none.
    scalar : bool, optional
        Observations are arrays (*shape) of M = 1; otherwise (*shape, M). One-dimensional arrays
        are always of scalars.
    ridge : float, optional
        The largest ridge that `fit` added to a singular covariance; 0.0 for none.

    Raises
    ------
    ParameterError
        If a parameter is outside its range or the shapes do not fit.
    """

    A: Matrix
    means: Matrix
    covariances: Matrix
    window: int
    scalar: bool = False
    ridge: float = 0.0
    _whiteners: Matrix = field(init=False, repr=False)
    _constants: Matrix = field(init=False, repr=False)

    def __post_init__(self) -> None:
        means = as_floats("means", self.means)
        _set(
            self,
            A=check_adjacency(self.A),
            means=means,
            window=check_window(self.window),
            covariances=as_floats("covariances", self.covariances),
        )
        check_sizes(self.A, means, "means")
        factors = cholesky(self.covariances, means)
        log_det = 2 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        constants = -0.5 * (means.shape[1] * np.log(2 * np.pi) + log_det)
        _set(self, _whiteners=np.linalg.inv(factors), _constants=constants)

    @classmethod
    def fit(
        cls,
        vectors: Any,
        *,
        n_states: int,
        window: int,
        smoothing: float = 0.0,
        scalar: bool = False,
        progress: Progress | None = None,
    ) -> Self:
        """Learn a model (Algorithm 8); see `DiscreteModel.fit` for what is the same.

        Parameters
        ----------
        vectors : ndarray of float, shape (*shape, M), or a list of them
            Finite; with ``scalar`` of shape (*shape).
        smoothing : float, optional
            Pseudo-count added to every entry of A'.

        Raises
        ------
        ParameterError
            If an argument is outside its range or a value is not finite.
        Cancelled
            If ``progress`` says so.
        """
        check_states(n_states), check_window(window), learning.check_smoothing(smoothing)
        arrays = [as_vectors(lattice, scalar) for lattice in as_lattices(vectors)]
        lattices = [to_fixed_point(lattice) for lattice in same_dimensions(arrays)]
        n_channels = arrays[0].shape[-1]
        if any(array.shape[-1] != n_channels for array in arrays):
            found = [array.shape[-1] for array in arrays]
            raise ParameterError(f"lattices must have the same number of channels, got {found}")
        means = _learn_codebook(lattices, n_channels, n_states, window, progress)
        states = [decode(lattice, means, window) for lattice in lattices]
        pairs, occupancy = learning.count(states, n_states)
        A = learning.adjacency(pairs, occupancy, states[0].ndim, smoothing)
        sigma, ridge = learning.covariances(arrays, states, means)
        return cls(A, means, sigma, window, scalar or np.ndim(as_lattices(vectors)[0]) == 1, ridge)

    @property
    def codebook(self) -> Matrix:
        """The means, shape (N, M)."""
        return self.means

    def lattice(self, observation: ArrayLike) -> FixedPoint:
        """Return vectors in fixed point, or raise `ParameterError` if not finite or not in R^M."""
        return to_fixed_point(self._vectors(observation))

    def evaluate_states(
        self, observation: NDArray[Any], states: States, normalizer: Normalizer = "neighbours"
    ) -> Evaluation:
        """Return the evaluation under alpha = 1 of a decoding that is already there."""
        rows = frozen(as_rows(states)[0])
        vectors = frozen(self._vectors(observation).reshape((*rows.shape, self.n_symbols)))
        data = rows, vectors, self.means, self._whiteners, self._constants
        terms = Terms(data, kernels.likelihood.normal_sums, kernels.likelihood.normal_terms)
        return evaluate_states(states, self.A, normalizer, terms)

    def _vectors(self, observation: ArrayLike) -> NDArray[Any]:
        vectors = as_vectors(np.asarray(observation), self.scalar)
        if vectors.shape[-1] != self.n_symbols:
            raise ParameterError(
                f"observations must have {self.n_symbols} channels, got shape {vectors.shape}"
            )
        return vectors


Model = DiscreteModel | GaussianModel


def _learn_codebook(
    lattices: list[Any], n_symbols: int, n_states: int, window: int, progress: Progress | None
) -> Matrix:
    tree = learning.learn_tree(lattices, n_symbols, window, progress)
    return learning.codebook_of(tree, n_states)


def _set(model: Model, **values: Any) -> None:
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(model, name, value)
