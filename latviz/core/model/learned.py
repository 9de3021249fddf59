"""What the parameters of a model are estimated from."""

from collections.abc import Sequence
from dataclasses import dataclass

from latviz.core.data.data_set import DataSet
from latviz.core.types import Counts, Matrix, States
from latviz.core.values import Value


@dataclass(frozen=True, eq=False)
class Learned(Value):
    """All that the parameters of a model are estimated from.

    Attributes
    ----------
    data : DataSet
    codebook : ndarray, shape (N, M), float64
    states : sequence of ndarray, shape (*shape), uint8
        Of each lattice, decoded with the codebook.
    A : ndarray, shape (N, N), float64
    occupancy : ndarray, shape (N,), int64
        The number of nodes in each state.
    window : int
        Half-width of the model.
    smoothing : float
        Pseudo-counts, as for `fit`.
    further_windows : tuple of int
        Those beyond the first, of a model of several.
    further_codewords : ndarray, shape (N, k M), float64, or None
        Their codewords, end to end.
    """

    data: DataSet
    codebook: Matrix
    states: Sequence[States]
    A: Matrix
    occupancy: Counts
    window: int
    smoothing: float
    further_windows: tuple[int, ...] = ()
    further_codewords: Matrix | None = None
