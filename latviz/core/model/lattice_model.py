"""The base of the model's two variants."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Self, TypeVar, cast, overload

from numpy.typing import NDArray

from latviz.core import digits, html
from latviz.core.checks import (
    as_bounded,
    check_number,
    check_progress,
    check_region,
    check_word,
    shown,
)
from latviz.core.data.data_set import DataSet, Several, given_back
from latviz.core.data.fixed_point import shape_of
from latviz.core.data.lattice import each_of, frozen
from latviz.core.data.observations import Encoder
from latviz.core.data.per_lattice import per_lattice_of
from latviz.core.decoders import DECODERS, DecoderName
from latviz.core.errors import ParameterError
from latviz.core.inference import beliefs as inference
from latviz.core.inference.emission import Densities
from latviz.core.inference.field import Beliefs
from latviz.core.model import learning
from latviz.core.model.archive import Place, write_model
from latviz.core.model.dependence import suited_strength
from latviz.core.model.evaluation import (
    DataSetEvaluation,
    Evaluation,
    Normalizer,
    Terms,
    check_normalizer,
    evaluate_known,
    evaluate_states,
)
from latviz.core.model.fitting import (
    FitSettings,
    settings_of,
    showing_common_settings,
    spaced_by,
)
from latviz.core.model.indices import as_rows, associativity, maps_of, masks_in
from latviz.core.model.predicting import Predicting
from latviz.core.model.windowed_codebook import windowed
from latviz.core.progress import Progress
from latviz.core.renamed import renamed
from latviz.core.types import (
    Arrays,
    Matrix,
    OneLattice,
    Region,
    States,
    Window,
)
from latviz.core.windows.decoding import CoarseStates, decode_coarse_to_fine, decode_each


class LatticeModel(Predicting):
    """The model for any kind of observations: symbols or vectors.

    Observations are one lattice, or a data set: a list or tuple of arrays (see `data.data_set`).
    """

    A: Matrix
    A_decoded: bool = False

    @classmethod
    @abstractmethod
    def _parts(
        cls, data: DataSet, settings: FitSettings, codewords: Matrix, states: Sequence[States]
    ) -> dict[str, Any]:
        """Return the parts of the model of codewords and states."""

    @classmethod
    def _of_states(
        cls, data: DataSet, settings: FitSettings, codewords: Matrix, states: Sequence[States]
    ) -> Self:
        """Return the model of codewords and of the states that they gave."""
        return cls(**cls._parts(data, settings, codewords, states))

    def _repr_html_(self) -> str:
        symbols = "symbols" if self.kind == "discrete" else "channels"
        title = (
            f"{type(self).__name__}: {self.n_states} states, {self.n_symbols} {symbols}, "
            f"w = {self.window}, associativity {digits.probability(associativity(self.A))}"
        )
        codebook = "B: symbols by state" if self.kind == "discrete" else "Means of states"
        maps = html.heat_map("A: neighbours by state", self.A)
        return html.titled(title, maps, html.heat_map(codebook, self.codebook))

    @property
    @abstractmethod
    def emission(self) -> Densities:
        """The evidence of a node's observation for its state, on its own."""

    @abstractmethod
    def _terms(self, values: NDArray[Any], rows: States) -> Terms:
        """Return the data terms of a lattice's values in states, given as rows (n, width)."""

    @classmethod
    def _fit(cls, data: DataSet, settings: FitSettings, progress: Progress | None) -> Self:
        """Learn a model of a data set (Algorithms 4 and 8)."""
        check_progress(progress)
        data, settings = spaced_by(data, settings)
        tree = learning.learn_tree(
            data.lattices, data.n_symbols, settings.learning_window, progress
        )
        codewords = learning.codebook_of(tree, settings.n_states)
        return cls._of_states(
            data, settings, codewords, decode_each(data, codewords, settings.window)
        )

    @classmethod
    @renamed("data codebook states settings")
    def from_states(
        cls,
        data: DataSet,
        *,
        codebook: Matrix,
        states: Sequence[States],
        settings: FitSettings | None = None,
        **fields: Any,
    ) -> Self:
        """Return the model of a codebook and of the states that it gave: the end of `fit`.

        Parameters
        ----------
        data : DataSet
            Of the model's kind.
        codebook : ndarray, shape (N, M), float64
            Of k windows end to end, shape (N, k M).
        states : sequence of ndarray, shape (*shape), uint8
            The states of each lattice, decoded with the codebook and w.
        settings, fields
            As for `fit`; N is that of the codebook.

        Returns
        -------
        DiscreteModel or GaussianModel

        Raises
        ------
        ParameterError
            If an argument is outside its range, or the shapes do not fit.
        """
        if not isinstance(data, DataSet) or data.kind != cls.kind:
            raise ParameterError(f"data must be a {cls.kind} DataSet, got {shown(data)}")
        codebook = as_bounded("codebook", codebook)
        settings = settings_of(settings, {"n_states": 1, **fields})
        size = len(each_of(settings.window)) * data.n_symbols
        if codebook.ndim != 2 or codebook.shape[1] != size:
            raise ParameterError(f"the codebook must have shape (N, {size}), got {codebook.shape}")
        if not isinstance(states, list | tuple):
            raise ParameterError(f"states must be a list of maps, got {shown(states)}")
        maps = maps_of(list(states), len(codebook), data)
        data, settings = spaced_by(data, replace(settings, n_states=len(codebook)))
        return cls._of_states(data, settings, codebook, maps)

    @renamed("observations states")
    @showing_common_settings
    def recounted(self, observations: Any, *, states: Any, **fields: Any) -> Self:
        """Return the model with A, and covariances, counted over a decoding.

        The A of `fit` is that of the map of nearest codewords. `recounted` makes the model of
        another map, such as that of belief; its B or means stay.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set.
        states : ndarray, shape (*shape), uint8, or for a data set a list of them
            255 where a node is unknown.
        fields : optional
            Those of `FitSettings` as keywords, but N and w, which are the model's.

        Returns
        -------
        DiscreteModel or GaussianModel

        Raises
        ------
        ParameterError
            If an argument is outside its range, or the shapes do not fit.

        Examples
        --------
        >>> given = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=1)
        >>> given.recounted(np.array([0, 1, 0, 1]), states=np.array([0, 0, 1, 1])).A.tolist()
        [[0.5, 0.25], [0.25, 0.5]]
        """
        data, maps = self._observed_in(observations, states)
        settings = FitSettings(self.n_states, self.windows(), **fields)
        return with_parts(self, self._parts(data, settings, self.codewords, maps))

    @renamed("observations window", assignment="decoder")
    @per_lattice_of
    def decode(
        self,
        observations: Any,
        *,
        window: Window | None = None,
        decoder: DecoderName = "nearest",
        strength: float | None = None,
        passes: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
    ) -> list[States]:
        """Return the state of each node, (*shape) uint8, 255 where a node is unknown.

        - ``"nearest"``: the state whose codeword is nearest to the signature of the node's window
          (Algorithms 2 and 6). It uses neither A nor the likelihood.
        - ``"likelihood"``: the state that makes the window's observations, or their mean,
          likeliest if all of its nodes are in that state; see `belief_entropy`.
        - ``"belief"``: the most probable state given all observations, see `beliefs`: it uses a
          node's own observation and its neighbours' states, but no window.
        - ``"viterbi"``, for sequences: the most probable sequence of states.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set, which gives a list.
        window : int, or a tuple of int, optional
            Half-width w >= 0 of ``"nearest"`` and ``"likelihood"``, as for `windows`; the model's
            own by default. ``"likelihood"`` uses only the first window.
        decoder : {"nearest", "likelihood", "belief", "viterbi"}, optional
            Formerly ``assignment``.
        strength : float, optional
            The strength of A, for ``"belief"`` and ``"viterbi"``: as for `beliefs`.
        passes : int, optional
            Passes of messages, for ``"belief"``: as for `beliefs`.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`. No other node has it as a neighbour.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        ndarray, shape (*shape), uint8, or a list of them for a data set
            States 0..N-1, 255 where a node is unknown.

        Raises
        ------
        ParameterError
            If an observation does not fit the model, an argument is outside its range, or the
            decoder does not use one that is given.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> halves = np.array([0, 0, 1, 0, 1, 1, 0, 1])
        >>> model = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=1)
        >>> model.decode(halves).tolist(), model.decode(halves, window=2).tolist()
        ([0, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1, 1, 1])
        """
        data = self.data_set(observations, mask=mask)
        check_progress(progress)
        row = DECODERS[check_word("decoder", decoder, tuple(DECODERS))]
        row.check(data.dimensions, window=window, strength=strength, passes=passes)
        data, chosen = windowed(self, data, window)
        chosen = chosen if row.several else each_of(chosen)[0]
        used = row.used(window=chosen, strength=strength, passes=passes)
        return row.decode(self, data, progress, **used)

    @property
    def associativity(self) -> float:
        """The associativity of A, from 0 to 1; see `latviz.core.associativity`."""
        return associativity(self.A)

    @per_lattice_of
    def beliefs(
        self,
        observations: Any,
        *,
        strength: float | None = None,
        passes: int | None = None,
        mask: Any = None,
        progress: Progress | None = None,
    ) -> list[Beliefs]:
        """Return each node's distribution over states given all observations, (*shape, N).

        The Markov random field is P(Q, O) proportional to the product of b(q_t, o_t) over nodes and
        of (a(q_t, q_r) a(q_r, q_t)) ** (strength / 2) over pairs of neighbours: Algorithm 1 without
        its normaliser k. Marginals of a sequence are exact (forward-backward); those of images and
        volumes are the fixed point of sum-product (loopy belief propagation).

        The strength is that of `strength` by default.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set, which gives a list; d from 1 to 3.
        strength : float, optional
            From 0, where neighbours are independent, to 100; 1 uses A unchanged.
        passes : int, optional
            The number of times that messages are sent along every axis, from 0, where only a node's
            own observation counts, to 10. By default until beliefs converge: 10 times, or up to 400
            times if neighbours are strongly coupled. Sequences need one.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`. No other node has it as a neighbour.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        ndarray, shape (*shape, N), float32, or a list of them for a data set
            Each node's sum to 1, or are 0 if it is unknown. Those of images and volumes converge to
            about 1e-3, unless ``passes``, or 400 passes, are too few.

        Raises
        ------
        ParameterError
            If an observation does not fit the model, an argument is outside its range, lattices
            have more than three dimensions, or memory cannot hold the messages.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> model = DiscreteModel(A=np.ones((2, 2)), B=[[0.9, 0.1], [0.1, 0.9]], window=1)
        >>> model.beliefs(np.array([0, 1])).astype(float).round(2).tolist()  # A is even
        [[0.9, 0.1], [0.1, 0.9]]
        """
        data = self.data_set(observations, mask=mask)
        check_progress(progress)
        chosen = self.strength(data, progress=progress) if strength is None else strength
        fields = inference.settled(self.emission, self.A, data, chosen, progress, passes=passes)
        return [field.beliefs() for field in fields]

    def strength(self, observations: Any, *, progress: Progress | None = None) -> float:
        """Return the default exponent of A that couples neighbours in `beliefs`.

        It has the least cavity code length: the belief from all other nodes then predicts a node's
        observation best. In images and volumes the loops of the lattice count evidence more than
        once, and an A counted in a decoding makes neighbours more alike than they are. Sequences
        have no loops, so an A that was given, or counted from labels, is not changed there: 1.

        If neighbours are correlated even within a state, as in photographs, they are not
        independent evidence, and the code length would couple them too weakly. Then an A counted in
        a decoding gets the largest exponent that is tried, 4, and a given one 1.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set; d from 1 to 3.
        progress : Progress, optional
            May cancel.

        Returns
        -------
        float

        Raises
        ------
        ParameterError
            If an observation does not fit the model, or lattices have more than three dimensions.
        Cancelled
            If ``progress`` is cancelled.

        Examples
        --------
        >>> given = DiscreteModel(A=[[3, 1], [1, 3]], B=[[0.9, 0.1], [0.1, 0.9]], window=1)
        >>> given.strength(np.array([0, 1, 0, 0, 1, 1]))
        1.0
        """
        data, progress = self.data_set(observations), check_progress(progress)
        return suited_strength(self.emission, self.A, data, progress, is_given=not self.A_decoded)

    @renamed("observation window", observation="observations")
    def decode_coarse_to_fine(
        self,
        observations: Any,
        *,
        window: int | None = None,
        visible: Region | None = None,
        progress: Progress | None = None,
    ) -> Iterator[CoarseStates]:
        """Decode coarse nodes first, then finer ones, and yield each level when it is there.

        The first covers the whole lattice, in a time that hardly depends on its size; the states of
        the last one are those of `decode`.

        Parameters
        ----------
        observations : ndarray
            One lattice, d from 1 to 3.
        window : int, optional
            Half-width w >= 0; the model's own by default.
        visible : tuple of d slices, optional
            The nodes to refine first.
        progress : Progress, optional
            Receives the fraction done of the last level; may cancel.

        Yields
        ------
        CoarseStates
            Coarse ones first; the last is of single nodes.

        Raises
        ------
        ParameterError
            If the observations do not fit the model, or the window is negative.
        Cancelled
            If ``progress`` is cancelled.
        """
        lattice, chosen = self.lattice(observations), self.one_window(window)
        shape = shape_of(lattice)
        if len(shape) > 3:
            raise ParameterError(f"the lattice must have 1 to 3 dimensions, got {len(shape)}")
        check_progress(progress)
        if visible is not None:
            visible = check_region("visible", visible, shape)
        return decode_coarse_to_fine(
            lattice, self.codebook, chosen, visible=visible, progress=progress
        )

    @overload
    def evaluate(
        self,
        observations: Several,
        *,
        window: Window | None = ...,
        alpha: float | Arrays | Literal["local"] = ...,
        normalizer: Normalizer = ...,
        local_base: float = ...,
        mask: Any = ...,
    ) -> DataSetEvaluation: ...

    @overload
    def evaluate(
        self,
        observations: OneLattice,
        *,
        window: Window | None = ...,
        alpha: float | Matrix | Literal["local"] = ...,
        normalizer: Normalizer = ...,
        local_base: float = ...,
        mask: Any = ...,
    ) -> Evaluation: ...

    @renamed("observations window alpha normalizer")
    def evaluate(
        self,
        observations: Any,
        *,
        window: Window | None = None,
        alpha: float | Matrix | Arrays | Literal["local"] = 1.0,
        normalizer: Normalizer = "neighbours",
        local_base: float = 0.5,
        mask: Any = None,
    ) -> Any:
        """Return log P(O | model) and its parts (Algorithms 1 and 5).

        The Gaussian data term is a sum of log densities, so there the total may be positive.

        Parameters
        ----------
        observations : ndarray, or a list or tuple of them, or DataSet
            One lattice, or a data set: its terms are summed, and ``parts`` are its lattices'.
        window : int, or a tuple of int, optional
            Half-width w_e of the evaluation window, as for `windows`; the model's own by default.
        alpha : float, "local", ndarray of shape (*shape), or for a data set a list of them
            Markov correction, 0 < alpha <= 1. "local": ``local_base ** h_t``, see `local_alpha`.
        normalizer : {"neighbours", "states"}, optional
            k_t is the sum of a(q_t, .) over the states of t's neighbours (the paper's), or over
            all states (a conditional probability).
        local_base : float, optional
            alpha of a node in a window of one state, with ``alpha="local"``.
        mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
            True where a node is known, as for `as_data_set`; others are not scored.

        Returns
        -------
        Evaluation, or DataSetEvaluation for a data set

        Raises
        ------
        ParameterError
            If an argument is outside its range.

        Examples
        --------
        >>> model = DiscreteModel(A=np.ones((2, 2)), B=[[0.5, 0.5], [0.5, 0.5]], window=0)
        >>> found = model.evaluate(np.array([0, 1, 1]))
        >>> round(float(found.data_term / np.log(0.5)), 6)  # a bit for each node
        3.0
        """
        data, chosen = windowed(self, self.data_set(observations, mask=mask), window)
        check_normalizer(normalizer)
        base = check_number("local_base", local_base, 0.0, 1.0, above=True)
        if isinstance(alpha, str) and alpha != "local":
            raise ParameterError(f"alpha must be a number, an array or 'local', got {alpha!r:.60}")
        states = decode_each(data, self.codewords, chosen)
        plain = given_back(observations, self._evaluations(data, states, normalizer))
        score = DataSetEvaluation.of(plain) if isinstance(plain, list) else plain
        if isinstance(alpha, str):
            return score.locally(
                self.n_states, window=each_of(chosen)[0], base=base, spacing=data.spacing
            )
        return score.under(alpha)

    @overload
    def evaluate_states(
        self, observations: Several, *, states: Arrays, normalizer: Normalizer = ...
    ) -> DataSetEvaluation: ...

    @overload
    def evaluate_states(
        self, observations: OneLattice, *, states: OneLattice, normalizer: Normalizer = ...
    ) -> Evaluation: ...

    @renamed("observations states normalizer")
    def evaluate_states(
        self, observations: Any, *, states: Any, normalizer: Normalizer = "neighbours"
    ) -> Any:
        """Return the evaluation under alpha = 1 of a decoding that is already there.

        Parameters
        ----------
        observations, normalizer
            As for `evaluate`.
        states : ndarray, shape (*shape), uint8, or for a data set a list of them
            255 where a node is unknown.

        Returns
        -------
        Evaluation, or DataSetEvaluation for a data set

        Raises
        ------
        ParameterError
            If an argument is outside its range.
        """
        data, maps = self._observed_in(observations, states)
        check_normalizer(normalizer)
        plain = given_back(observations, self._evaluations(data, maps, normalizer))
        return DataSetEvaluation.of(plain) if isinstance(plain, list) else plain

    def save(
        self,
        path: Place,
        *,
        encoder: Encoder | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the model to a file, of which `load_model` makes it again.

        Parameters
        ----------
        path : str or path-like
            Where to; it ends in ``.npz``.
        encoder, extra : optional
            As for `save_model`.

        Raises
        ------
        ParameterError
            As for `save_model`.
        """
        write_model(self, path, encoder, extra)

    def _evaluations(
        self, data: DataSet, states: Sequence[States], normalizer: Normalizer
    ) -> list[Evaluation]:
        return [
            evaluate_states(one, self.A, normalizer, self._terms(values, frozen(as_rows(one)[0])))
            if known is None
            else self._evaluation_of_known(values, one, known, normalizer)
            for values, one, known in zip(data.values, states, data.masks, strict=True)
        ]

    def _evaluation_of_known(
        self, values: NDArray[Any], states: States, known: NDArray[Any], normalizer: Normalizer
    ) -> Evaluation:
        """Return the evaluation of the known nodes of a lattice under alpha = 1."""
        terms = self._terms(values[known], frozen(states[known][None]))
        return evaluate_known(states, known, self.A, normalizer, terms)

    def _observed_in(self, observations: Any, states: Any) -> tuple[DataSet, list[States]]:
        """Return observations and the maps of their states, which say what is unknown."""
        masks = masks_in(observations, states, self.n_states)
        data = self.data_set(observations, mask=masks)
        return data, maps_of(states, self.n_states, data)


M = TypeVar("M", bound=LatticeModel)


def with_parts(model: M, parts: Mapping[str, Any]) -> M:
    """Return a model with the parts that were counted over other states; its codebook stays."""
    counted = "A", "A_decoded", "covariances", "ridge"
    changed: M = replace(cast("Any", model), **{k: parts[k] for k in counted if k in parts})
    return changed
