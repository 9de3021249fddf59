"""Arrays in any chunks have the results of the whole."""

import math
import pickle
from functools import partial

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.model.indices import part_counts
from latviz.wings import scale
from tests import naive
from tests.core.cases import blocky, vectors

SHAPES = [(53,), (13, 18), (7, 6, 9)]


def cut(shape, rng):
    """Return chunks of each axis, of 1 node and more."""
    return tuple(
        tuple(np.diff([0, *sorted(rng.choice(np.arange(1, n), n // 4, replace=False)), n]).tolist())
        for n in shape
    )


def numbers(observations, kind, window=2):
    """Return all results of a dask array, by name."""
    model = scale.fit(observations, kind=kind, n_states=3, window=window, sample=40)
    states = scale.decode(observations, model=model)
    likeliest = scale.decode(observations, model=model, decoder="likelihood")
    believed = scale.decode(observations, model=model, decoder="belief", strength=0.8, passes=3)
    score = scale.evaluate(observations, model=model, alpha=0.7)
    exact = {
        "codebook": model.codebook,
        "A": model.A,
        "states": states.compute(),
        "likeliest": likeliest.compute(),
        "believed": believed.compute(),
        "beliefs": scale.beliefs(observations, model=model, strength=0.8, passes=3).compute(),
        "doubt": scale.belief_entropy(observations, model=model).compute(),
        "inertias": scale.local_inertia(states, n_states=3, window=1).compute(),
        "pairs": scale.pair_counts(states, n_states=3),
    }
    rounded = {
        "inertia": scale.inertia(states, n_states=3, window=1),
        "data": score.data_term,
        "pair": score.pair_term,
        "bits": scale.code_length(observations, model=model).bits,
        "covariances": getattr(model, "covariances", 0.0),
    }
    return exact, rounded


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
@pytest.mark.parametrize("shape", SHAPES, ids=len)
def test_any_chunks_give_the_numbers_of_the_whole(kind, shape):
    rng = np.random.default_rng(len(shape))
    o = blocky(shape, 4, 1) if kind == "discrete" else vectors(shape, 2, 1)
    exact, rounded = numbers(da.from_array(o, chunks=-1), kind)
    chunks = cut(shape, rng) + ((o.shape[-1],) if kind == "gaussian" else ())
    found = numbers(da.from_array(o, chunks=chunks), kind)
    for name, value in exact.items():
        assert np.array_equal(found[0][name], value), (name, chunks)
    for name, value in rounded.items():
        np.testing.assert_allclose(found[1][name], value, rtol=1e-7, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("shape", SHAPES, ids=len)
def test_counts_of_parts_add_up(shape):
    """The core counts a part with the nodes around it; the sum equals the definition's."""
    rng = np.random.default_rng(5)
    states = rng.integers(0, 3, shape).astype(np.uint8)
    starts = [np.cumsum((0, *sizes)) for sizes in cut(shape, rng)]
    pairs = np.zeros((3, 3), np.int64)
    for place in np.ndindex(*(len(one) - 1 for one in starts)):
        part = [slice(int(s[k]), int(s[k + 1])) for s, k in zip(starts, place, strict=True)]
        outer = tuple(slice(max(0, p.start - 1), p.stop + 1) for p in part)
        inner = tuple(
            slice(p.start - o.start, p.stop - o.start) for p, o in zip(part, outer, strict=True)
        )
        found, nodes = part_counts(states[outer], inner, 3)
        pairs += found
        assert nodes.sum() == math.prod(p.stop - p.start for p in part)
    assert (pairs == naive.pair_counts(states, 3)).all()


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_a_model_of_another_process_decodes(kind):
    """Kernels are compiled for read-only arrays, as those of a model are after pickling, too."""
    o = blocky((12, 14), 3, 1) if kind == "discrete" else vectors((12, 14), 2, 1)
    model = scale.fit(da.from_array(o, chunks=-1), kind=kind, n_states=2, window=1)
    other = pickle.loads(pickle.dumps(model))
    ask = partial(core.belief_entropy, o)
    assert np.array_equal(ask(model=other), ask(model=model))
    assert np.array_equal(
        other.decode(o, decoder="likelihood"), model.decode(o, decoder="likelihood")
    )
