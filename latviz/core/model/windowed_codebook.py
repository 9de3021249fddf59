"""The base of models: a codebook, its windows, and the observations that it reads."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from latviz.core.checks import check_windows, shown
from latviz.core.data.data_set import DataSet, Kind, as_data_set, one_lattice
from latviz.core.data.fixed_point import Lattice, spaced
from latviz.core.data.lattice import along_axes
from latviz.core.data.per_lattice import per_lattice_of
from latviz.core.errors import ParameterError
from latviz.core.renamed import renamed
from latviz.core.types import Matrix, Signature, Spacing, Window
from latviz.core.values import Value
from latviz.core.windows.signature import signatures


class WindowedCodebook(Value, ABC):
    """A codebook and the windows whose signatures are compared with it."""

    kind: ClassVar[Kind]
    window: int
    scalar: bool = False
    further_windows: tuple[int, ...] = ()
    further_codewords: Matrix | None = None
    spacing: Spacing = None

    @property
    @abstractmethod
    def codebook(self) -> Matrix:
        """B or the means, shape (N, M)."""

    @property
    def codewords(self) -> Matrix:
        """The codewords of all windows, end to end: the codebook first, shape (N, (1 + k) M)."""
        if self.further_codewords is None:
            return self.codebook
        return np.concatenate([self.codebook, self.further_codewords], axis=1)

    def windows(self, window: Window | None = None) -> Window:
        """Return the half-widths for decoding.

        Parameters
        ----------
        window : int, or a tuple of int, optional
            Another half-width of the first window, with further ones unchanged, or one for each
            window. The model's own by default.

        Returns
        -------
        int, or a tuple of int if there are several

        Raises
        ------
        ParameterError
            If one is negative, or their number differs from that of the model's windows.
        """
        found = self.window if window is None else check_windows(window)
        found = found if isinstance(found, tuple) else (found, *self.further_windows)
        if len(found) != 1 + len(self.further_windows):
            raise ParameterError(
                f"window must have as many half-widths as the model has windows, "
                f"{1 + len(self.further_windows)}, got {shown(found)}"
            )
        return found if len(found) > 1 else found[0]

    def one_window(self, window: int | None = None) -> int:
        """Return the only half-width that nodes are decoded from.

        Parameters
        ----------
        window : int, optional
            Another one; the model's own by default.

        Returns
        -------
        int

        Raises
        ------
        ParameterError
            If it is negative, or the model has several windows.
        """
        found = self.windows(window)
        if isinstance(found, tuple):
            raise ParameterError(f"the model must have one window here, got {len(found)}")
        return found

    @property
    def n_states(self) -> int:
        """The number of states, N."""
        return len(self.codebook)

    @property
    def n_symbols(self) -> int:
        """The number of symbols or channels, M."""
        return int(self.codebook.shape[1])

    @renamed("observations mask")
    def data_set(self, observations: Any, *, mask: Any = None) -> DataSet:
        """Return observations as a data set of the model's kind, number of symbols or channels.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M).
        mask : optional
            As for `as_data_set`.

        Returns
        -------
        DataSet

        Raises
        ------
        ParameterError
            If the observations are invalid.
        """
        found = as_data_set(
            observations, kind=self.kind, n_symbols=self.n_symbols, scalar=self.scalar, mask=mask
        )
        return found.spaced(self.spacing)

    def lattice(self, observation: Any) -> Lattice:
        """Return one lattice as the input of window sums, or raise `ParameterError`.

        Parameters
        ----------
        observation : ndarray, or a list or tuple of one
            Symbols (*shape), 0..M-1, or vectors (*shape, M).

        Returns
        -------
        ndarray, shape (*shape), uint8 or uint16, or FixedPoint
            Symbols, or vectors as integers.

        Raises
        ------
        ParameterError
            If the lattice is invalid, or there are several.
        """
        found = one_lattice(observation, self.kind, self.n_symbols, self.scalar)
        return spaced(found, self.spacing)

    @renamed("observations window")
    @per_lattice_of
    def signature(
        self, observations: Any, *, window: Window | None = None, mask: Any = None
    ) -> list[Signature]:
        """Return the signature of each node, (*shape, M) float32; a list for a data set.

        See `window_signature`.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set: symbols 0..M-1, or vectors (*shape, M).
        window : int, or a tuple of int, optional
            Half-width w >= 0, as for `windows`; the model's own by default.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`: signatures are those of known nodes.
            A window without any has zeros, or the middle of the channels' ranges.

        Returns
        -------
        ndarray, shape (*shape, M), float32 or float64, or a list of them for a data set
            As for `window_signature`.

        Raises
        ------
        ParameterError
            If an observation does not fit the model, the window is negative, or memory cannot hold
            the signatures.

        Examples
        --------
        >>> model = DiscreteModel(A=np.ones((2, 2)), B=np.eye(2), window=1)
        >>> model.signature(np.array([0, 0, 1, 1, 1]))[3].tolist()  # 1, 1, 1
        [0.0, 1.0]
        """
        data, chosen = windowed(self, self.data_set(observations, mask=mask), window)
        return data.each(lambda lattice: signatures(lattice, self.n_symbols, chosen))


def windowed(
    model: WindowedCodebook, data: DataSet, window: Window | None
) -> tuple[DataSet, Window]:
    """Return data and a model's `windows` for it, of a volume perhaps one for each axis."""
    if window is not None and not model.further_windows:
        window, steps = along_axes(check_windows(window), data.dimensions)
        data = data.spaced(steps) if steps else data
    return data, model.windows(window)
