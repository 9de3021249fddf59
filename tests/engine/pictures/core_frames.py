"""Whole frames against the public core, for all kinds of lattices to learn from and to show."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core import DiscreteModel, GaussianModel, associativity, belief_entropy, inertia
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture

Lattices = list[NDArray[Any]]
NEEDS = frozenset({"evaluation", "inertia", "space", "node_map"})
"""The results of a frame that `check_frame` reads."""


def lattices_of(values: NDArray[Any], picture: Picture) -> Lattices:
    return list(values) if picture.apart else [values]


def fitted(frame: Frame, learned: Any) -> DiscreteModel | GaussianModel:
    """Return the model that the core fits to some lattices with the settings of a frame."""
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    kind: Any = DiscreteModel if discrete else GaussianModel
    symbols = {"n_symbols": frame.observations.n_symbols} if discrete else {}
    return kind.fit(
        learned,
        n_states=parameters.n_states,
        window=parameters.windows,
        codebook_window=parameters.learning_window,
        smoothing=parameters.smoothing,
        **symbols,
    )


def check_frame(frame: Frame, learned: Lattices, own: Lattices) -> None:
    """Compare a frame, with doubt as its map, with the core's results for its lattices."""
    parameters = frame.request.parameters
    window, apart = parameters.window, frame.request.picture.apart
    model, order = fitted(frame, learned), np.argsort(frame.row_slots)
    A = model.A[np.ix_(order, order)]
    np.testing.assert_allclose(frame.model.A, A, rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(frame.codebook, model.codebook[order], rtol=1e-12, atol=1e-12)
    if isinstance(model, GaussianModel):
        sigma = model.covariances[order]
        np.testing.assert_allclose(frame.model.covariances, sigma, rtol=1e-9, atol=0.0)
    assert frame.associativity == pytest.approx(associativity(A), rel=1e-12)
    assert frame.n_learned == frame.n_signatures
    states = frame.model.decode(own, window=window)
    np.testing.assert_array_equal(frame.states, np.stack(states) if apart else states[0])
    counts = np.bincount(frame.states.reshape(-1), minlength=parameters.n_states)
    np.testing.assert_array_equal(frame.occupancy, counts)
    assert frame.inertia == pytest.approx(
        inertia(states, n_states=parameters.n_states, window=window), rel=1e-12
    )
    doubt = [belief_entropy(one, model=frame.model, window=window) for one in own]
    np.testing.assert_array_equal(frame.node_map.values, np.stack(doubt) if apart else doubt[0])
    assert frame.space.density.sum() == frame.states.size
    check_evaluation(frame, own)


def check_evaluation(frame: Frame, own: Lattices) -> None:
    parameters, found = frame.request.parameters, frame.evaluation
    wanted = [
        frame.model.evaluate(
            one,
            window=parameters.window,
            alpha="local" if parameters.alpha_mode == "local" else parameters.alpha,
            normalizer=parameters.normalizer,
            local_base=parameters.alpha,
        )
        for one in own
    ]
    for name in ("n_impossible", "log_likelihood", "data_term"):
        total = sum(getattr(one, name) for one in wanted)
        assert getattr(found, name) == pytest.approx(total, rel=1e-12), name
    for nodes, one in zip(found.node_log_likelihood, wanted, strict=True):
        np.testing.assert_array_equal(nodes, one.node_log_likelihood)
