"""Models of arrays in chunks."""

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.data.data_set import as_data_set
from latviz.core.model.learning import codebook_of
from latviz.wings import scale
from tests.core.cases import blocky, vectors
from tests.wings.scale.cases import CASES, by_name


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_the_model_of_few_nodes_is_that_of_the_core(case):
    kind = core.DiscreteModel if case.kind == "discrete" else core.GaussianModel
    whole = kind.fit(case.given, n_states=3, window=case.window, smoothing=0.5)
    found = scale.fit(case.cut, kind=case.kind, n_states=3, window=case.window, smoothing=0.5)
    atol = 1e-4 if case.name == "bytes" else 1e-12  # its middle is 127.5, not that of the range
    np.testing.assert_allclose(found.codebook, whole.codebook, rtol=0, atol=atol)
    np.testing.assert_allclose(found.A, whole.A, rtol=0, atol=1e-12)
    if case.kind == "gaussian":
        scales = np.abs(whole.covariances).max()
        np.testing.assert_allclose(
            found.covariances, whole.covariances, rtol=0, atol=scales * max(atol, 1e-12)
        )


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_the_sample_does_not_depend_on_chunks(kind):
    o = blocky((60, 70), 4, 1) if kind == "discrete" else vectors((60, 70), 2, 1)
    trees = []
    for chunks in (70, 13, 8):
        data = scale.chunked(da.from_array(o, chunks=chunks), kind=kind, n_symbols=None)
        trees.append(scale.learn_codebook(data, window=2, sample=500))
    for tree in trees[1:]:
        assert np.array_equal(tree.codebook(6), trees[0].codebook(6))
        assert np.array_equal(tree.costs, trees[0].costs)


def test_the_sample_is_of_all_chunks():
    """A corner of its own, of one chunk in 64, has a codeword."""
    o = np.zeros((128, 128), dtype=np.uint8)
    o[112:, 112:] = 1
    data = scale.chunked(da.from_array(o, chunks=16), kind="discrete", n_symbols=2)
    codebook = codebook_of(scale.learn_codebook(data, window=1, sample=256), 2)
    assert sorted(codebook[:, 1].round(3)) == pytest.approx([0.0, 1.0], abs=0.2)


def test_numbers_without_an_axis_of_channels():
    o = vectors((30, 20), 1, 4)[..., 0]
    whole = core.GaussianModel.fit(o, n_states=3, window=1, scalar=True)
    cut = da.from_array(o, chunks=7)
    found = scale.fit(cut, kind="gaussian", n_states=3, window=1, scalar=True)
    np.testing.assert_allclose(found.means, whole.means, rtol=0, atol=1e-12)
    assert found.scalar
    assert (scale.decode(cut, model=found).compute() == found.decode(o)).all()
    assert scale.evaluate(cut, model=found).log_likelihood == pytest.approx(
        found.evaluate(o).log_likelihood, rel=1e-12, abs=0
    )


def test_the_sample_is_checked():
    data = scale.chunked(
        as_data_set(blocky((9, 9), 2, 1), kind="discrete").values[0], kind="discrete"
    )
    with pytest.raises(core.ParameterError, match="sample must be"):
        scale.learn_codebook(data, window=1, sample=0)
    with pytest.raises(core.ParameterError, match="1 to 3 dimensions"):
        scale.fit(np.zeros((2, 2, 2, 2), np.uint8), n_states=1, window=1)
