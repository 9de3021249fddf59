"""The factorial model: several chains of one lattice (paper 4.3)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from latviz.core.checks import (
    MOST_STATES,
    check_integers,
    check_number,
    check_progress,
    check_spacing,
    shown,
)
from latviz.core.choice import factorial_fit
from latviz.core.choice.refining import model_of
from latviz.core.data.data_set import DataSet, as_data_set, is_several
from latviz.core.data.per_lattice import per_lattice_of
from latviz.core.errors import ParameterError
from latviz.core.inference import beliefs as inference
from latviz.core.inference.emission import NormalDensities, SymbolDensities, emission_of
from latviz.core.inference.field import Beliefs, Field
from latviz.core.inference.fitting import coupling
from latviz.core.model.evaluation import DataSetEvaluation, Evaluation, Normalizer
from latviz.core.model.indices import as_maps
from latviz.core.model.models import KINDS, Model, check_model
from latviz.core.progress import Progress
from latviz.core.renamed import renamed
from latviz.core.types import Arrays, Matrix, Spacing, States
from latviz.core.values import Value


@dataclass(frozen=True, eq=False)
class FactorialModel(Value):
    """Several models of one lattice, each with its own w, N and A, that emit together.

    A node has a state of each chain, such as a coarse and a fine one. Its state is the tuple: of
    chains with 2 and 3 states there are 6, numbered so that the last chain's state changes first.
    Each tuple emits observations in its own way. The chains do not depend on each other:
    log a(q, r) of two tuples is the sum over the chains of their log a, so A is the Kronecker
    product of theirs (paper 4.3; the paper leaves open how models are combined).

    In `decode` and `beliefs` neighbours are coupled more weakly than by A, as in `refine`: two
    nodes in the same state of a chain have that chain's strength as log-potential.

    It explains more than one model if regions of two sizes overlap, and less if there is one size;
    compare ``bits`` with that of `refine` for as many states.

    Parameters
    ----------
    chains : tuple of DiscreteModel or GaussianModel
        One model for each chain. Their B, or means, are those of all nodes in a state.
    joint : DiscreteModel or GaussianModel
        The model of tuples, whose B, or means and covariances, are the emissions of each. Its A is
        replaced by the product of the chains'.
    strengths : tuple of float
        The strength of each chain, from 0 to 100, in nats.
    bits : float, optional
        The cavity code length of the observations that it was fitted to, in bits per node, as that
        of `Refined`; None if it was not fitted.

    Raises
    ------
    ParameterError
        If a parameter is outside its range, or models do not fit together.

    Examples
    --------
    A coarse chain (left or right) and a fine one (columns), whose states are 0 to 3:

    >>> coarse = DiscreteModel(A=[[9, 1], [1, 9]], B=[[0.5, 0.5, 0], [0, 0.5, 0.5]], window=4)
    >>> fine = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.5, 0.5, 0], [0, 0.5, 0.5]], window=1)
    >>> table = [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    >>> joint = DiscreteModel(A=np.eye(4), B=table, window=1)
    >>> model = FactorialModel((coarse, fine), joint, strengths=(3.0, 1.0))
    >>> states = model.decode(np.array([0, 0, 1, 1, 0, 1, 2, 2, 1, 2]))
    >>> states.tolist()
    [0, 0, 1, 1, 0, 1, 3, 3, 2, 3]
    >>> model.split(states).tolist()
    [[0, 0, 0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1, 1, 0, 1]]
    """

    chains: tuple[Model, ...]
    joint: Model
    strengths: tuple[float, ...]
    bits: float | None = None

    def __post_init__(self) -> None:
        chains = _check_chains(self.chains, self.joint)
        given = self.strengths
        if not isinstance(given, tuple | list) or len(given) != len(chains):
            raise ParameterError(
                f"strengths must hold a number for each of {len(chains)} chains, got {shown(given)}"
            )
        A = np.ones((1, 1))
        for chain in chains:
            A = np.kron(A, chain.A).astype(np.float64)
        set_to = object.__setattr__
        set_to(self, "chains", chains)
        set_to(self, "joint", replace(self.joint, A=A))
        set_to(self, "strengths", tuple(map(inference.check_strength, given)))
        if self.bits is not None:
            set_to(self, "bits", check_number("bits", self.bits, -math.inf, math.inf))

    @classmethod
    def fit(
        cls,
        observations: Any,
        *,
        n_states: Sequence[int],
        windows: Sequence[int] | None = None,
        kind: str = "discrete",
        n_symbols: int | None = None,
        scalar: bool | None = None,
        mask: Any = None,
        spacing: Spacing = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn a model from observations alone.

        Windows of each chain decode the lattice, with one codebook for each chain, or with one for
        each state of the chains before it. Such tuples start belief, which estimates the emission
        of each tuple and the strength of each chain in rounds, as in `refine`. The start of the
        least cavity code length is kept.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M); d from 1 to 3.
        n_states : sequence of int
            N of each of 1 to 5 chains, from 2 on; their product is at most 255.
        windows : sequence of int, optional
            Half-width w >= 0 of each chain. By default each set of decreasing ones of 1, 2, 4, 8
            and 16 is tried; in sequences, of those that hold as many nodes as in images.
        kind : {"discrete", "gaussian"}
            Symbols or vectors.
        n_symbols, scalar, mask : optional
            As for `as_data_set`.
        spacing : tuple of float, optional
            The distance of neighbouring nodes along each axis, see `FitSettings`.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        FactorialModel

        Raises
        ------
        ParameterError
            If an argument is outside its range, lattices have more than three dimensions, or
            memory cannot hold the messages.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> coarse, fine = stripes((24, 24), widths=12), stripes((24, 24), widths=3).T
        >>> model = FactorialModel.fit(2 * coarse + fine, n_states=(2, 2))
        >>> model.n_states, [chain.n_states for chain in model.chains]
        (4, [2, 2])
        """
        sizes = _check_sizes(n_states)
        data = as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar, mask=mask)
        if (spacing := check_spacing(spacing)) is not None:
            data = data.spaced(spacing)
        chosen = _check_windows(windows, len(sizes))
        progress = check_progress(progress)
        found, length, chosen = factorial_fit.fitted(data, sizes, chosen, progress)
        states = [field.states() for field in found.fields]
        chains = [
            _model(data, [factorial_fit.split(one, sizes)[c] for one in states], size, w)
            for c, (size, w) in enumerate(zip(sizes, chosen, strict=True))
        ]
        joint = _model(data, states, math.prod(sizes), chosen[-1])
        joint = model_of(found.emission, joint, states, data)
        strengths = found.strength * found.attraction[:, 0, 0]
        return cls(tuple(chains), joint, tuple(strengths.tolist()), length.mean)

    @property
    def n_states(self) -> int:
        """The number of tuples, N."""
        return self.joint.n_states

    @property
    def potentials(self) -> Matrix:
        """The pair potentials of tuples in belief, (N, N): 1 for equal ones, the greatest."""
        sizes = [chain.n_states for chain in self.chains]
        return coupling(factorial_fit.alike(sizes), np.reshape(self.strengths, (-1, 1, 1)))

    @per_lattice_of
    def decode(
        self,
        observations: Any,
        *,
        passes: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
    ) -> list[States]:
        """Return the most probable tuple of each node, (*shape) uint8; 255 of unknown nodes.

        Parameters
        ----------
        observations, passes, mask, progress
            As for `beliefs`.

        Returns
        -------
        ndarray, shape (*shape), uint8, or a list of them for a data set
            Tuples 0..N-1; `split` gives the states of each chain.

        Raises
        ------
        ParameterError
            As for `beliefs`.
        Cancelled
            If ``progress`` is cancelled.
        """
        data = self.joint.data_set(observations, mask=mask)
        return [field.states() for field in self._fields(data, passes, progress)]

    @per_lattice_of
    def beliefs(
        self,
        observations: Any,
        *,
        passes: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
    ) -> list[Beliefs]:
        """Return each node's distribution over tuples given all observations, (*shape, N).

        P(Q, O) is proportional to the product over nodes of the tuple's emission, and over pairs of
        neighbours of exp(strength) for each chain in which they agree. As for
        `DiscreteModel.beliefs`, it is exact in sequences and sum-product elsewhere.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set, which gives a list; d from 1 to 3.
        passes : int, optional
            As for `DiscreteModel.beliefs`.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        ndarray, shape (*shape, N), float32, or a list of them for a data set
            Each node's sum to 1, or are 0 if it is unknown.

        Raises
        ------
        ParameterError
            If an observation does not fit the model, an argument is outside its range, lattices
            have more than three dimensions, or memory cannot hold the messages.
        Cancelled
            If ``progress`` is cancelled.
        """
        data = self.joint.data_set(observations, mask=mask)
        return [field.beliefs() for field in self._fields(data, passes, progress)]

    @per_lattice_of
    def split(self, states: Any) -> list[States]:
        """Return the states of each chain, of which tuples are made.

        Parameters
        ----------
        states : ndarray, shape (*shape), uint8, or for a data set a list of them
            Tuples; 255 where a node is unknown.

        Returns
        -------
        ndarray, shape (k, *shape), uint8, or a list of them for a data set
            For each of k chains; 255 where a node is unknown.

        Raises
        ------
        ParameterError
            If the states are invalid.
        """
        maps = as_maps(states, self.n_states, takes_mask=True)
        return [factorial_fit.split(one, [chain.n_states for chain in self.chains]) for one in maps]

    @renamed("observations alpha normalizer")
    def evaluate(
        self,
        observations: Any,
        *,
        alpha: float | Matrix | Arrays = 1.0,
        normalizer: Normalizer = "neighbours",
        mask: Any = None,
    ) -> Evaluation | DataSetEvaluation:
        """Return log P(O | model) and its parts (Algorithms 1 and 5) for the states of `decode`.

        log P = sum_t [log b(q_t, o_t) + 1/2 sum_r (log alpha_t + sum_c log a_c - log k_t)]: the
        pair terms of the chains c are added. With ``"states"``, k_t is the product of theirs.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set: its terms are summed, and ``parts`` are its lattices'.
        alpha : float, ndarray of shape (*shape), or for a data set a list of them
            Markov correction, 0 < alpha <= 1.
        normalizer : {"neighbours", "states"}, optional
            As for `DiscreteModel.evaluate`.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`; others are not scored.

        Returns
        -------
        Evaluation, or DataSetEvaluation for a data set

        Raises
        ------
        ParameterError
            If an argument is outside its range, or lattices have more than three dimensions.
        """
        data = self.joint.data_set(observations, mask=mask)
        states = self.decode(data)
        score = self.joint.evaluate_states(data, states=states, normalizer=normalizer)
        return (score if is_several(observations) else score.parts[0]).under(alpha)

    def _fields(self, data: DataSet, passes: int | None, progress: Progress | None) -> list[Field]:
        given = self.joint.emission, self.potentials, data, 1.0, check_progress(progress)
        return inference.settled(*given, passes=passes)


def _check_sizes(n_states: Any) -> list[int]:
    """Return the number of states of each chain, or raise `ParameterError`."""
    sizes = check_integers("n_states", n_states, 2, MOST_STATES)
    most = len(factorial_fit.WINDOWS)
    if len(sizes) > most or math.prod(sizes) > MOST_STATES:
        raise ParameterError(
            f"n_states must be those of 1 to {most} chains with at most {MOST_STATES} tuples, "
            f"got {shown(n_states)}"
        )
    return sizes


def _check_windows(windows: Any, n_chains: int) -> tuple[int, ...] | None:
    """Return the half-width of each chain, or raise `ParameterError`."""
    if windows is None:
        return None
    found = check_integers("windows", windows, 0)
    if len(found) != n_chains:
        raise ParameterError(
            f"windows must hold one for each of {n_chains} chains, got {shown(windows)}"
        )
    return tuple(found)


def _check_chains(chains: Any, joint: Any) -> tuple[Model, ...]:
    """Return the models of chains, or raise `ParameterError` if they do not fit that of tuples."""
    check_model(joint)
    if not isinstance(chains, tuple | list) or not chains:
        raise ParameterError(f"chains must be a tuple of models, got {shown(chains)}")
    found = tuple(map(check_model, chains))
    if any((one.kind, one.n_symbols) != (joint.kind, joint.n_symbols) for one in found):
        raise ParameterError("chains must be models of the same observations as joint")
    sizes = [one.n_states for one in found]
    if math.prod(sizes) != joint.n_states:
        raise ParameterError(
            f"joint must have a state for each tuple of chains of {sizes} states, "
            f"{math.prod(sizes)}, got {joint.n_states}"
        )
    return found


def _model(data: DataSet, states: list[States], n_states: int, window: int) -> Model:
    """Return the model of states that are known."""
    emission = emission_of(data, states, n_states)
    if isinstance(emission, SymbolDensities):
        book = emission.B
    else:
        assert isinstance(emission, NormalDensities)
        book = emission.means
    return KINDS[data.kind].from_states(data, codebook=book, states=states, window=window)
