"""What scikit-learn's users look for in a model, by its own methods."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, Self

from latviz.core.model.windowed_codebook import WindowedCodebook
from latviz.core.renamed import METHODS, new_name

ELSEWHERE = {
    "sample": "A and the states' emissions are drawn from by functions: states = "
    "sample_potts(model.A, shape=...), and emit(states, emission=...)",
    "transform": "signatures are signature(observations); distances to centres mean nothing here",
    "fit_transform": "fit, a class method, makes the model; signatures are signature(observations)",
    "n_features_in_": "n_symbols is the number of symbols or channels",
    "n_components": "n_states is the number of states",
    "n_clusters": "n_states is the number of states",
    "w": "window is the half-width",
    "means": "B holds the distributions of symbols",
    "B": "means and covariances hold what each state emits",
    "labels_": "decode(observations) returns the state of each node",
    "fit_predict": "fit, a class method, makes the model, and decode returns its states",
    "cluster_centers_": "codebook holds the codewords",
    "inertia": "it is of a map: inertia(states, n_states=..., window=...)",
    "inertia_": "codebooks are of a tree: fast_pnn(points).costs has the error of each merge",
    "score_samples": "evaluate(observations).node_log_likelihood has a value for each node",
    "bic": "choose(observations) finds N and w",
    "aic": "choose(observations) finds N and w",
    "set_params": "a model is a frozen value: fit makes another one",
    "load": "load_model(path) reads it",
    "startprob_": "a lattice has no first node, so only A is learned",
    "transmat_": "A counts pairs of neighbours; A / A.sum(axis=1, keepdims=True) are transitions",
    "emissionprob_": "B holds the distributions of symbols",
    "means_": "means holds the mean of each state",
    "covars_": "covariances holds the covariance of each state",
    "get_params": "a model is a frozen value: its fields are its parameters",
}
"""Names of other libraries that mean something else here, and where it is."""


class _Model(Protocol):
    """The methods of a lattice model that these call."""

    @property
    def decode(self) -> Callable[..., Any]: ...

    @property
    def beliefs(self) -> Callable[..., Any]: ...

    @property
    def evaluate(self) -> Callable[..., Any]: ...


class Predicting(WindowedCodebook):
    """`predict`, `predict_proba` and `score` of a lattice model."""

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Refuse the settings of a fit, which scikit-learn's constructors take."""
        if given and not args and "A" not in given:
            call = f"{cls.__name__}.fit(observations, n_states=4, window=3)"
            raise TypeError(f"{cls.__name__} is made of its A and emissions; {call} learns one")
        return super().__new__(cls)

    if not TYPE_CHECKING:  # which would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            if (new := new_name(name, METHODS)) != name:
                return getattr(self, new)
            reason = f": {ELSEWHERE[name]}" if name in ELSEWHERE else ""
            raise AttributeError(
                f"{type(self).__name__} has no attribute {name!r}{reason}", name=name, obj=self
            )

    def predict(self: _Model, observations: Any, *, mask: Any = None) -> Any:
        """Return the most probable state of each node: `decode` with the decoder "belief".

        Parameters
        ----------
        observations, mask
            As for `decode`.

        Returns
        -------
        ndarray, shape (*shape), uint8, or a list of them for a data set
            The argmax of `predict_proba`.

        Raises
        ------
        ParameterError
            As for `decode`.

        Examples
        --------
        >>> model = DiscreteModel(A=[[9, 1], [1, 9]], B=[[0.7, 0.3], [0.3, 0.7]], window=0)
        >>> model.predict(np.array([0, 1, 0, 0, 0, 1, 1, 1])).tolist()
        [0, 0, 0, 0, 0, 1, 1, 1]
        """
        return self.decode(observations, decoder="belief", mask=mask)

    def predict_proba(self: _Model, observations: Any, *, mask: Any = None) -> Any:
        """Return the probability of each state at each node: `beliefs`.

        Parameters
        ----------
        observations, mask
            As for `beliefs`.

        Returns
        -------
        ndarray, shape (*shape, N), float32, or a list of them for a data set

        Raises
        ------
        ParameterError
            As for `beliefs`.

        Examples
        --------
        >>> model = DiscreteModel(A=np.ones((2, 2)), B=[[0.75, 0.25], [0.25, 0.75]], window=0)
        >>> model.predict_proba(np.array([0, 1])).tolist()  # by B alone: A prefers no pair
        [[0.75, 0.25], [0.25, 0.75]]
        """
        return self.beliefs(observations, mask=mask)

    def score(self: _Model, observations: Any, *, mask: Any = None) -> float:
        """Return the mean log-likelihood of a node, in nats; see `evaluate`.

        Parameters
        ----------
        observations, mask
            As for `evaluate`.

        Returns
        -------
        float
            Higher is better.

        Raises
        ------
        ParameterError
            As for `evaluate`.

        Examples
        --------
        >>> model = DiscreteModel(A=np.ones((2, 2)), B=[[0.5, 0.5], [0.5, 0.5]], window=0)
        >>> round(model.score(np.array([0, 1])), 4)  # log 1/2 of the symbols, 0 of the pair
        -0.6931
        """
        found = self.evaluate(observations, mask=mask)
        return float(found.log_likelihood / found.n_nodes)
