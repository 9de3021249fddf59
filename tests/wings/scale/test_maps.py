"""Maps of arrays in chunks are those of the whole arrays, bit for bit."""

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.data.data_set import as_data_set
from latviz.core.inference.beliefs import strength_of
from latviz.core.inference.flooding import flooded
from latviz.core.inference.potentials import potentials_of
from latviz.wings import scale
from tests.core.cases import blocky


def same(found, wanted):
    """Return True if dask arrays equal arrays in memory, bit for bit."""
    pairs = zip(found, wanted, strict=True) if isinstance(found, list) else [(found, wanted)]
    return all(
        a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a.compute(), b)
        for a, b in pairs
    )


def test_states_are_those_of_the_whole(case, model):
    assert same(scale.decode(case.cut, model=model), model.decode(case.given))
    likeliest = scale.decode(case.cut, model=model, decoder="likelihood")
    assert same(likeliest, model.decode(case.given, decoder="likelihood"))


def test_doubt_is_that_of_the_whole(case, model):
    found = scale.belief_entropy(case.cut, model=model)
    assert same(found, core.belief_entropy(case.given, model=model))


def test_inertia_is_that_of_the_whole(case, model):
    found = scale.local_inertia(scale.decode(case.cut, model=model), n_states=3, window=2)
    assert same(found, core.local_inertia(model.decode(case.given), n_states=3, window=2))


def test_beliefs_are_those_of_the_whole(case, model):
    passes = 0 if case.name == "chunks of one side" else 3
    potentials = potentials_of(model.A, 0.7)
    data = as_data_set(case.given, kind=case.kind, n_symbols=case.size)
    whole = [
        flooded(model.emission, potentials, values, shape, passes)
        for values, shape in zip(data.values, data.shapes, strict=True)
    ]
    found = scale.beliefs(case.cut, model=model, strength=0.7, passes=passes)
    assert same(found, whole if len(whole) > 1 else whole[0])
    states = scale.decode(case.cut, model=model, decoder="belief", strength=0.7, passes=passes)
    likeliest = [one.argmax(axis=-1).astype(np.uint8) for one in whole]
    assert same(states, likeliest if len(whole) > 1 else likeliest[0])


def test_the_strength_that_is_found_is_that_of_the_core():
    o = blocky((40, 40), 2, 5, noise=0.4, block=10)
    model = core.DiscreteModel.fit(o, n_states=2, window=2, n_symbols=2)
    strength = strength_of(model.emission, model.A, as_data_set(o, kind="discrete", n_symbols=2))
    cut = da.from_array(o, chunks=40)
    wanted = scale.beliefs(cut, model=model, passes=2, strength=strength)
    assert np.array_equal(scale.beliefs(cut, model=model, passes=2).compute(), wanted.compute())


def test_numpy_arrays_are_taken_too():
    o = blocky((12, 13), 3, 2)
    model = scale.fit(o, n_states=2, window=1, n_symbols=3)
    assert (scale.decode(o, model=model).compute() == model.decode(o)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda o, m: scale.decode(o.astype(float), model=m), "symbols must be integers"),
        (lambda o, m: scale.decode(o, model=m, decoder="viterbi"), "decoder must be"),
        (lambda o, m: scale.decode(o, model=m, window=-1), "window must be"),
        (lambda o, m: scale.beliefs(o, model=m, passes=-1), "passes must be"),
        (lambda o, m: scale.beliefs(o, model=m, strength=-1.0), "strength must be"),
        (lambda o, m: scale.decode(o[o > 0], model=m), "sizes of all chunks must be known"),
        (lambda o, m: scale.decode([], model=m), "at least one lattice"),
        (lambda o, m: scale.decode("name", model=m), "there must be an array"),
        (lambda o, m: scale.decode(o[:0], model=m), "must have axes and nodes"),
        (lambda o, m: scale.decode([o, o[0]], model=m), "the same axes"),
        (lambda o, m: scale.decode(o + 3, model=m).compute(), "symbols must be from 0 to 2"),
        (lambda o, m: scale.beliefs(o + 3, model=m, strength=1.0).compute(), "symbols must be"),
        (lambda o, m: scale.fit(o, kind="gaussian", n_states=0, window=1), "n_states must be"),
        (lambda o, m: scale.fit(o.astype(float) * np.nan, kind="gaussian", n_states=2, window=1,
                                scalar=True), "must be finite"),
        (lambda o, m: scale.chunked(scale.chunked(o, kind="discrete", n_symbols=3),
                                    kind="gaussian"), "must be gaus"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(call, message):
    o = da.from_array(blocky((12, 13), 3, 2), chunks=5)
    model = core.DiscreteModel.fit(o.compute(), n_states=2, window=1, n_symbols=3)
    with pytest.raises(core.ParameterError, match=message):
        call(o, model)
