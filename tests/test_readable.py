"""The readable edition equals the core, and plain loops over nodes."""

import doctest
from pathlib import Path

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel
from latviz.core.data.data_set import as_data_set
from latviz.engine.pictures.data_sets import observed
from latviz.engine.pictures.demo_titles import DEMO_TITLES, LESSON_TITLES
from latviz.workspace import make_picture
from resources.readable import latviz_in_300_lines as readable
from tests import naive
from tests.core.cases import blocky


@pytest.mark.parametrize("demo", [*DEMO_TITLES, *LESSON_TITLES])
def test_each_demo_has_the_states_of_the_core(demo):
    picture, parameters = make_picture(demo)
    (found,) = observed((picture,), parameters.encoding)
    n_states, window, o = parameters.n_states, parameters.window, found.values
    data = as_data_set(o, kind="discrete" if found.discrete else "gaussian")
    kind = DiscreteModel if found.discrete else GaussianModel
    model = kind.fit(o, n_states=n_states, window=window)
    A, B, Sigma = readable.learning([o], n_states, window)
    states = readable.decoding(B, window, o)[1]
    np.testing.assert_array_equal(states, model.decode(o))
    np.testing.assert_array_equal(B, model.codebook)
    np.testing.assert_array_equal(A, model.A)
    assert readable.evaluation(A, B, Sigma, window, o, alpha=0.5) == pytest.approx(
        model.evaluate(data, alpha=0.5).log_likelihood, rel=1e-12
    )


def test_two_lattices_with_more_states_than_signatures():
    lattices = [blocky((9, 7), 3, seed=1), blocky((5, 8), 3, seed=2)]
    for n_states, window in ((4, 1), (6, 0)):
        model = DiscreteModel.fit(lattices, n_states=n_states, window=window)
        A, B, _ = readable.learning(lattices, n_states, window)
        np.testing.assert_array_equal(B, model.B)
        np.testing.assert_array_equal(A, model.A)
    vectors = [np.random.default_rng(k).normal(size=(6, 7, 2)) for k in (3, 4)]
    model = GaussianModel.fit(vectors, n_states=3, window=1)
    np.testing.assert_array_equal(readable.learning(vectors, 3, 1)[1], model.means)


@pytest.mark.parametrize("shape", [(9,), (4, 5), (3, 4, 2)])
def test_it_equals_loops_over_nodes(shape):
    o, w, M = blocky(shape, 3, seed=5), 1, 3
    v = np.random.default_rng(6).normal(size=(*shape, 2))
    x, means = readable.signature(o, w, M), readable.signature_of_vectors(v, w)
    pairs, terms = np.zeros((M, M), int), np.zeros(shape)
    A = np.random.default_rng(7).random((M, M))
    for t in naive.nodes(shape):
        assert x[t].tolist() == naive.signature_at(o, t, w, M)
        assert means[t] == pytest.approx(naive.mean_at(v, t, w), abs=1e-6)
        near = [int(o[r]) for r in naive.neighbours(shape, t)]
        k = sum(A[o[t], j] for j in near)
        for j in near:
            pairs[o[t], j] += 1
            terms[t] += (np.log(0.5) + np.log(A[o[t], j]) - np.log(k)) / 2
    np.testing.assert_array_equal(readable.pair_counts(o, M), pairs)
    np.testing.assert_allclose(readable.pair_terms(o, A, 0.5), terms, rtol=1e-12)


def test_its_name_and_its_example_are_true():
    assert doctest.testmod(readable).failed == 0
    assert len(Path(readable.__file__).read_text(encoding="utf-8").splitlines()) < 300
