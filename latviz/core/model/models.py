"""The model's two variants, as frozen values (paper 2, 3)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from latviz.core import kernels, threads
from latviz.core.checks import (
    as_bounded,
    as_floats,
    check_adjacency,
    check_emissions,
    check_flag,
    check_number,
    check_sizes,
    check_spacing,
    check_window,
    cholesky,
    shown,
)
from latviz.core.data.data_set import DataSet, Kind, as_data_set
from latviz.core.data.lattice import each_of, frozen
from latviz.core.errors import ParameterError
from latviz.core.inference.copula import CopulaDensities
from latviz.core.inference.emission import (
    BinnedDensities,
    NormalDensities,
    SymbolDensities,
    whitened,
)
from latviz.core.model import learning
from latviz.core.model.evaluation import Terms
from latviz.core.model.fitting import FitSettings, settings_of, showing_settings
from latviz.core.model.indices import contingency, count
from latviz.core.model.lattice_model import LatticeModel
from latviz.core.progress import Progress
from latviz.core.renamed import renamed
from latviz.core.types import Counts, Floats, Matrix, Spacing, States
from latviz.core.windows.decoding import decode_each


def discrete_parts(
    settings: FitSettings, codewords: Matrix, counts: tuple[Counts, Counts], dimensions: int
) -> dict[str, Any]:
    """Return the parts of a `DiscreteModel`: every one that is learned comes out of here."""
    # codewords (N, k M) of all windows, end to end, smoothed as B is; counts over the states that
    # they give: A' (N, N) and nodes in each state (N,)
    first, *further = each_of(settings.window)
    m = codewords.shape[1] // (1 + len(further))
    return {
        "A": learning.adjacency(*counts, dimensions, settings.smoothing),
        "B": codewords[:, :m],
        "window": first,
        "further_windows": tuple(further),
        "further_codewords": codewords[:, m:] if further else None,
        "A_decoded": True,
        "spacing": settings.spacing,
    }


def gaussian_parts(
    settings: FitSettings,
    codewords: Matrix,
    counts: tuple[Counts, Counts],
    dimensions: int,
    spread: tuple[Matrix, float],
    scalar: bool = False,
) -> dict[str, Any]:
    """Return the parts of a `GaussianModel`: every one that is learned comes out of here."""
    # spread: Sigma (N, M, M) and the largest ridge that was added to it; for ``scalar`` vectors M
    # is 1
    first, *further = each_of(settings.window)
    (sigma, ridge), m = spread, spread[0].shape[1]
    return {
        "A": learning.adjacency(*counts, dimensions, settings.smoothing),
        "means": codewords[:, :m],
        "covariances": sigma,
        "window": first,
        "scalar": scalar,
        "ridge": ridge,
        "further_windows": tuple(further),
        "further_codewords": codewords[:, m:] if further else None,
        "A_decoded": True,
        "spacing": settings.spacing,
    }


def _further(model: LatticeModel) -> dict[str, Any]:
    """Return the checked further windows of a model and their codewords, if it has some."""
    windows, codewords = model.further_windows, model.further_codewords
    if not isinstance(windows, tuple | list):
        raise ParameterError(f"further_windows must be a tuple, got {shown(windows)}")
    windows = tuple(check_window(one, "further_windows") for one in windows)
    if codewords is not None:
        codewords = as_bounded("further_codewords", codewords)
    wanted = (model.n_states, len(windows) * model.n_symbols)
    shape = None if codewords is None else codewords.shape
    if shape != (wanted if windows else None):
        raise ParameterError(
            f"further_codewords must have shape {wanted} for {len(windows)} further windows, "
            f"got {shape}"
        )
    return {"further_windows": windows, "further_codewords": codewords}


def _bins(model: "GaussianModel") -> dict[str, Any]:
    """Return the checked bins of a model's channels, if it has some."""
    names = "bin_edges", "bin_shares", "score_correlations"
    given = {name: getattr(model, name) for name in names if getattr(model, name) is not None}
    channels = () if model.n_symbols == 1 else (model.n_symbols,)
    wanted = names if channels else names[:2]
    if given and tuple(given) != wanted:
        raise ParameterError(
            f"{', '.join(wanted)} must be given together for {model.n_symbols} channels, "
            f"got {', '.join(given)}"
        )
    if not given:
        return {}
    edges, shares, *coupled = (as_floats(name, value) for name, value in given.items())
    n_bins = shares.shape[-1] if shares.ndim else 0
    shape = model.n_states, *channels, n_bins
    fit = shares.shape == shape and edges.shape == (*channels, n_bins + 1)
    if not fit or n_bins == 0 or not (np.diff(edges) > 0).all():
        raise ParameterError(
            f"bin_edges must increase, and bin_shares have shape {shape}, got {shares.shape} "
            f"and edges {shown(edges)}"
        )
    check_emissions(shares.reshape(-1, n_bins))
    if coupled and not (shares > 0).all():
        raise ParameterError("bin_shares of several channels must be positive")
    for matrices in coupled:
        cholesky(matrices, model.means, names[2])
    return dict(zip(wanted, (edges, shares, *coupled), strict=True))


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
        Half-width w >= 0, the default of methods.
    further_windows : tuple of int, optional
        Half-widths of k more windows, whose signatures are appended to that of the first.
    further_codewords : array_like, shape (N, k M), optional
        Their codewords, end to end.
    A_decoded : bool, optional
        True if A was counted in a decoding, as by `fit`, and not in labels; see `strength`.
    spacing : tuple of float, optional
        The distance of neighbouring nodes along each axis, see `FitSettings`.

    Raises
    ------
    ParameterError
        If a parameter is outside its range or the shapes do not fit.

    Examples
    --------
    >>> model = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=1)
    >>> model.decode(np.array([0, 1, 0, 0, 1, 1])).tolist()
    [0, 0, 0, 0, 1, 1]
    """

    kind: ClassVar[Kind] = "discrete"
    A: Matrix
    B: Matrix
    window: int
    further_windows: tuple[int, ...] = ()
    further_codewords: Matrix | None = None
    A_decoded: bool = False
    spacing: Spacing = None

    def __post_init__(self) -> None:
        _set(
            self,
            A=check_adjacency(self.A),
            B=check_emissions(self.B),
            window=check_window(self.window),
        )
        check_sizes(self.A, self.B, "B")
        _set(self, **_further(self), A_decoded=check_flag("A_decoded", self.A_decoded))
        _set(self, spacing=check_spacing(self.spacing))

    @classmethod
    @renamed("observations settings")
    @showing_settings
    def fit(
        cls,
        observations: Any,
        *,
        settings: FitSettings | None = None,
        n_symbols: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
        **fields: Any,
    ) -> Self:
        """Learn a model (Algorithm 4).

        The codebook of Fast PNN over the signatures of all nodes becomes B; the nodes decoded with
        it give A. If there are fewer distinct signatures than states, the remaining states repeat
        the first row of B and get no nodes.

        Parameters
        ----------
        observations : ndarray of int, or a list or tuple of them
            One lattice (any d >= 1) of symbols 0..M-1, or a data set of several of the same d.
        settings : FitSettings, optional
            N, w and all else that a model is learned with.
        n_symbols : int, optional
            M; by default the largest symbol + 1.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`: the model is that of known nodes.
        progress : Progress, optional
            Receives the fraction done; may cancel.
        fields : optional
            Those of `FitSettings` as keywords; they replace those of ``settings``.

        Returns
        -------
        DiscreteModel

        Raises
        ------
        ParameterError
            If an argument is outside its range or a lattice is not one of symbols.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> model = DiscreteModel.fit(np.array([1, 1, 0, 0]), n_states=2, window=0)
        >>> model.B.tolist(), model.A.tolist()  # A' of 2, 1, 1, 2, by 2 x 2 sides
        ([[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.25], [0.25, 0.5]])
        """
        data = as_data_set(observations, kind=cls.kind, n_symbols=n_symbols, mask=mask)
        return cls._fit(data, settings_of(settings, fields), progress)

    @classmethod
    def _of_states(
        cls, data: DataSet, settings: FitSettings, codewords: Matrix, states: Sequence[States]
    ) -> Self:
        if settings.smoothing > 0:
            # A belongs to the map that B gives, and the smoothed B gives another one
            occupancy = count(states, len(codewords))[1]
            smoothing = settings.smoothing, data.n_symbols
            codewords = learning.smoothed_emissions(codewords, occupancy, *smoothing)
            states = decode_each(data, codewords, settings.window)
        return super()._of_states(data, settings, codewords, states)

    @classmethod
    def _parts(
        cls, data: DataSet, settings: FitSettings, codewords: Matrix, states: Sequence[States]
    ) -> dict[str, Any]:
        counts = count(states, len(codewords))
        return discrete_parts(settings, codewords, counts, data.n_directions)

    @property
    def codebook(self) -> Matrix:
        """B, shape (N, M)."""
        return self.B

    @property
    def emission(self) -> SymbolDensities:
        """B as the emission of symbols."""
        return SymbolDensities(self.B)

    def _terms(self, values: NDArray[Any], rows: States) -> Terms:
        with np.errstate(divide="ignore"):
            log_B = np.log(self.B)
        symbols = frozen(values.reshape(rows.shape))

        def total() -> tuple[float, int]:
            counts = contingency(rows, symbols, *self.B.shape)
            there = counts > 0
            n_impossible = int(counts[log_B == -np.inf].sum())
            return float((counts[there] * log_B[there]).sum()), n_impossible

        return Terms((rows, symbols, log_B), kernels.likelihood.symbol_terms, total)


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
        Half-width w >= 0, the default of methods.
    scalar : bool, optional
        Observations are arrays (*shape) of M = 1; otherwise (*shape, M). One-dimensional arrays
        are always of scalars.
    ridge : float, optional
        The largest ridge that `fit` added to a singular covariance; 0.0 for none.
    further_windows, further_codewords, A_decoded, spacing : optional
        As for `DiscreteModel`.
    bin_edges : array_like, shape (K + 1,), or (M, K + 1) for several channels, optional
        Increasing edges of bins of each channel. With ``bin_shares`` they replace the normal
        densities in beliefs, so that noise may follow any law; `refine` and `choose` count them.
        The log-likelihood stays that of normal densities.
    bin_shares : array_like, shape (N, K), or (N, M, K) for several channels, optional
        The share of each state's numbers in each bin, where they are evenly spread; rows sum to 1.
        The outer bins also hold the numbers beyond. Those of several channels are positive.
    score_correlations : array_like, shape (N, M, M), optional
        Only for several channels: in each state the correlations of the normal scores of bins. A
        score is the normal quantile of the share of numbers below the middle of the bin.

    Raises
    ------
    ParameterError
        If a parameter is outside its range or the shapes do not fit.

    Examples
    --------
    >>> model = GaussianModel(A=np.eye(2), means=[[0], [10]], covariances=[[[1]], [[1]]], window=0)
    >>> model.decode(np.array([1.0, 9.0, 4.0])).tolist()
    [0, 1, 0]
    """

    kind: ClassVar[Kind] = "gaussian"
    A: Matrix
    means: Matrix
    covariances: Matrix
    window: int
    scalar: bool = False
    ridge: float = 0.0
    further_windows: tuple[int, ...] = ()
    further_codewords: Matrix | None = None
    A_decoded: bool = False
    bin_edges: Floats | None = None
    bin_shares: Floats | None = None
    score_correlations: Floats | None = None
    spacing: Spacing = None
    _normals: Matrix = field(init=False, repr=False)

    def __post_init__(self) -> None:
        means = as_bounded("means", self.means)
        _set(
            self,
            A=check_adjacency(self.A),
            means=means,
            window=check_window(self.window),
            covariances=as_floats("covariances", self.covariances),
            scalar=check_flag("scalar", self.scalar),
            ridge=check_number("ridge", self.ridge, 0.0, math.inf),
        )
        check_sizes(self.A, means, "means")
        _set(self, **_further(self), A_decoded=check_flag("A_decoded", self.A_decoded))
        _set(self, spacing=check_spacing(self.spacing))
        _set(self, **_bins(self))
        whiteners, constants = whitened(self.covariances, means)
        rows, columns = np.tril_indices(means.shape[1])
        lower = whiteners[:, rows, columns]
        _set(self, _normals=np.concatenate([means, lower, constants[:, None]], axis=1))

    @classmethod
    @renamed("vectors settings", vectors="observations")
    @showing_settings
    def fit(
        cls,
        observations: Any,
        *,
        settings: FitSettings | None = None,
        scalar: bool | None = None,
        channel_axis: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
        **fields: Any,
    ) -> Self:
        """Learn a model (Algorithm 8); see `DiscreteModel.fit` for the common parts.

        Parameters
        ----------
        observations : ndarray of float, shape (*shape, M), or a list or tuple of them
            One lattice or several, finite and within 1e150 of 0; with ``scalar`` of shape (*shape).
            Their zero point makes no difference.
        scalar : bool, optional
            True if vectors are numbers (*shape), M = 1, such as those of a grey picture. It must be
            given for shapes that are as likely those of numbers; see `as_data_set`.
        channel_axis : int, optional
            The axis that holds M; by default the last one. Other methods take such arrays by
            `as_data_set`.
        settings, mask, progress, fields
            As for `DiscreteModel.fit`; smoothing is added to A' alone.

        Returns
        -------
        GaussianModel

        Raises
        ------
        ParameterError
            If an argument is outside its range or a value is not finite.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> model = GaussianModel.fit(np.array([0.0, 0.0, 9.0, 9.0]), n_states=2, window=0)
        >>> model.means.tolist(), model.decode(np.array([8.0, 1.0])).tolist()
        ([[0.0], [9.0]], [1, 0])
        """
        how = {"scalar": scalar, "mask": mask, "channel_axis": channel_axis}
        data = as_data_set(observations, kind=cls.kind, **how)
        return cls._fit(data, settings_of(settings, fields), progress)

    @classmethod
    def _parts(
        cls, data: DataSet, settings: FitSettings, codewords: Matrix, states: Sequence[States]
    ) -> dict[str, Any]:
        counts = count(states, len(codewords))
        spread = learning.covariances(data, states, codewords[:, : data.n_symbols], counts[1])
        return gaussian_parts(settings, codewords, counts, data.n_directions, spread, data.scalar)

    @property
    def codebook(self) -> Matrix:
        """The means, shape (N, M)."""
        return self.means

    @property
    def emission(self) -> NormalDensities | BinnedDensities | CopulaDensities:
        """The normal densities as the emission of vectors, or the shares of bins, if known."""
        if self.bin_edges is not None and self.bin_shares is not None:
            if self.score_correlations is not None:
                return CopulaDensities(self.bin_edges, self.bin_shares, self.score_correlations)
            return BinnedDensities(self.bin_edges, SymbolDensities(self.bin_shares))
        return NormalDensities(self.means, self.covariances)

    def _log_density_of(self, scatter: Matrix, occupancy: Counts) -> float:
        """Return the sum of log f(o_t | mu, Sigma) over nodes, in nats."""
        # -1/2 of the trace of Sigma^-1 times the scatter (N, M, M) of `scatter_of`, plus the
        # densities' constants
        n_channels = self.n_symbols
        whiteners = np.zeros((self.n_states, n_channels, n_channels))
        rows, columns = np.tril_indices(n_channels)
        whiteners[:, rows, columns] = self._normals[:, n_channels:-1]
        squares = float(((whiteners @ scatter) * whiteners).sum())
        return float(occupancy @ self._normals[:, -1]) - 0.5 * squares

    def _terms(self, values: NDArray[Any], rows: States) -> Terms:
        vectors = frozen(values.reshape((*rows.shape, self.n_symbols)))
        data = rows, vectors, self._normals

        def total() -> tuple[float, int]:
            sums = np.empty(len(rows))
            found = threads.over_rows(
                len(rows),
                lambda start, stop: kernels.likelihood.normal_sums(*data, start, stop, sums),
                float(vectors[0].size),
            )
            return float(sums.sum()), sum(found)

        return Terms(data, kernels.likelihood.normal_terms, total)


Model = DiscreteModel | GaussianModel
KINDS: dict[str, type[Model]] = {kind.kind: kind for kind in (DiscreteModel, GaussianModel)}
"""The model for each kind of a data set."""


def check_model(model: Any) -> Model:
    """Return a model, or raise `ParameterError` for other objects."""
    if not isinstance(model, Model):
        raise ParameterError(f"model must be a model, got {shown(model)}")
    return model


def _set(model: Model, **values: Any) -> None:
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(model, name, value)
