"""What the model's two variants do alike."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latviz.core.data.lattice import Region, check_window
from latviz.core.errors import ParameterError
from latviz.core.model.evaluation import (
    Evaluation,
    Normalizer,
    check_alpha,
    check_normalizer,
    local_alpha,
)
from latviz.core.progress import Progress
from latviz.core.windows.decoding import States, decode
from latviz.core.windows.parts import Lattice
from latviz.core.windows.progressive import Level, decode_levels
from latviz.core.windows.signature import Signature, window_signature

Matrix = NDArray[np.float64]


class LatticeModel(ABC):
    """What both variants do alike, each with observations of its own kind."""

    A: Matrix
    window: int

    @property
    @abstractmethod
    def codebook(self) -> Matrix:
        """B or the means, shape (N, M)."""

    @abstractmethod
    def lattice(self, observation: ArrayLike) -> Lattice:
        """Return an observation as what is summed, or raise `ParameterError`."""

    @abstractmethod
    def evaluate_states(
        self, observation: NDArray[Any], states: States, normalizer: Normalizer = "neighbours"
    ) -> Evaluation:
        """Return the evaluation under alpha = 1 of a decoding that is already there."""

    @property
    def n_states(self) -> int:
        """The number of states, N."""
        return len(self.codebook)

    @property
    def n_symbols(self) -> int:
        """The number of symbols or channels, M."""
        return int(self.codebook.shape[1])

    def signature(self, observation: ArrayLike, window: int | None = None) -> Signature:
        """Return the signature of each node, (*shape, M) float32: see `window_signature`."""
        chosen = _either(window, self.window)
        return window_signature(self.lattice(observation), self.n_symbols, chosen)

    def decode(self, observation: ArrayLike, window: int | None = None) -> States:
        """Return the state of each node, (*shape) uint8 (Algorithms 2 and 6).

        Raises
        ------
        ParameterError
            If the observation is none of the model's, or the window is negative.
        """
        return decode(self.lattice(observation), self.codebook, _either(window, self.window))

    def decode_levels(
        self,
        observation: ArrayLike,
        window: int | None = None,
        *,
        visible: Region | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Level]:
        """Decode coarse nodes first, then finer ones, and yield each level when it is there.

        The first is of the whole lattice and comes in a time that hardly depends on its size;
        the last one's states are what `decode` returns.

        Parameters
        ----------
        observation : ndarray
            One lattice, d from 1 to 3.
        window : int, optional
            Half-width w >= 0; the model's own by default.
        visible : tuple of d slices, optional
            The nodes to refine first.
        progress : Progress, optional
            Told of the fraction done of the last level; may cancel.

        Raises
        ------
        ParameterError
            If the observation is none of the model's, or the window is negative.
        Cancelled
            If ``progress`` says so.
        """
        lattice, chosen = self.lattice(observation), check_window(_either(window, self.window))
        return decode_levels(lattice, self.codebook, chosen, visible=visible, progress=progress)

    def evaluate(
        self,
        observation: ArrayLike,
        window: int | None = None,
        alpha: float | Matrix | Literal["local"] = 1.0,
        normalizer: Normalizer = "neighbours",
        *,
        local_base: float = 0.5,
    ) -> Evaluation:
        """Return log P(O | model) and its parts (Algorithms 1 and 5).

        The Gaussian data term is a sum of log densities, so there the total may be positive.

        Parameters
        ----------
        observation : ndarray
            One lattice.
        window : int, optional
            Half-width w_e of the evaluation window; the model's own by default.
        alpha : float, ndarray of shape (*shape) or "local", optional
            Markov correction, 0 < alpha <= 1. "local": ``local_base ** h_t``, see `local_alpha`.
        normalizer : {"neighbours", "states"}, optional
            k_t is the sum of a(q_t, .) over the states of t's neighbours (the paper's), or over
            all states (a conditional probability).
        local_base : float, optional
            alpha of a node in a window of one state, with ``alpha="local"``.

        Raises
        ------
        ParameterError
            If an argument is outside its range.
        """
        states = self.decode(observation, window)
        check_normalizer(normalizer)
        plain = self.evaluate_states(np.asarray(observation), states, normalizer)
        return _corrected(plain, self.n_states, _either(window, self.window), alpha, local_base)


def _corrected(
    plain: Evaluation, n_states: int, window: int, alpha: Any, local_base: float
) -> Evaluation:
    shape = plain.states.shape
    if isinstance(alpha, str):
        if alpha != "local":
            raise ParameterError(f"alpha must be a number, an array or 'local', got {alpha!r}")
        base = float(check_alpha(local_base, ()))
        return replace(plain, alpha=local_alpha(plain.states, n_states, window, base))
    return replace(plain, alpha=check_alpha(alpha, shape))


def _either(window: int | None, default: int) -> int:
    return default if window is None else check_window(window)
