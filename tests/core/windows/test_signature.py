import numpy as np
import pytest

from latviz.core import ParameterError, window_signature
from latviz.core.windows.parts import signatures_at
from tests import naive
from tests.core import cases
from tests.core.cases import DISCRETE, GAUSSIAN, by_name, discrete_model, gaussian_model


@pytest.mark.parametrize("case", DISCRETE, ids=by_name)
def test_discrete_signature_is_the_share_of_every_symbol(case):
    model = discrete_model(3, case.n_channels, case.window)
    for o in case.lattices:
        found = model.signature(o)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(
            window_signature(o, n_symbols=case.n_channels, window=case.window), found
        )
        wanted = naive.signature_discrete(o, case.window, case.n_channels)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("case", GAUSSIAN, ids=by_name)
def test_gaussian_signature_is_the_mean_vector(case):
    model = gaussian_model(3, case.n_channels, case.window)
    for v in case.lattices:
        found = model.signature(v)
        assert found.dtype == np.float32
        wanted = naive.signature_gaussian(v, case.window)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_each_of_several_lattices_has_the_window():
    several = [cases.blocky((6, 7 + k), 3, k) for k in range(4)]
    for o, found in zip(several, window_signature(several, n_symbols=3, window=2), strict=True):
        wanted = naive.signature_discrete(o, 2, 3)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("shape", [(90,), (9, 11), (4, 5, 6)])
@pytest.mark.parametrize("n_symbols", [256, 257, 700])
def test_many_symbols(shape, n_symbols):
    o = np.random.default_rng(62).integers(0, n_symbols, shape).astype(np.uint16)
    wanted = naive.signature_discrete(o, 2, n_symbols)
    found = window_signature(o, n_symbols=n_symbols, window=2)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)
    nodes = tuple(axis[::3] for axis in np.unravel_index(np.arange(o.size), shape))
    chosen = signatures_at(o, n_symbols, 2, nodes)
    np.testing.assert_array_equal(chosen, found[nodes])


def test_a_symbol_that_is_absent_has_no_share_and_numbers_have_one_channel():
    found = discrete_model(3, 5, 1).signature(np.array([0, 0, 2, 2], dtype=np.uint8))
    wanted = [[1, 0, 0, 0, 0], [2 / 3, 0, 1 / 3, 0, 0], [1 / 3, 0, 2 / 3, 0, 0], [0, 0, 1, 0, 0]]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=0)
    v = cases.vectors((8, 9), 1, 53)
    found = gaussian_model(3, 1, 2, scalar=True).signature(v[..., 0])
    assert found.shape == (8, 9, 1)
    np.testing.assert_allclose(found, naive.signature_gaussian(v, 2), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "window"), [((200_000,), 50_000), ((500, 600), 260), ((40, 60, 70), 25)]
)
def test_large_windows(shape, window):
    o = cases.blocky(shape, 8, 54, block=20)
    model = discrete_model(3, 8, window)
    found, states = model.signature(o), model.decode(o)
    rng = np.random.default_rng(55)
    places = [tuple(rng.integers(shape)) for _ in range(4)]
    places += [(0,) * len(shape), tuple(size // 2 for size in shape)]
    for t in places:
        wanted = np.array(naive.signature_at(o, t, window, 8))
        np.testing.assert_allclose(found[t], wanted, rtol=1e-6, atol=1e-7)
        cases.assert_same_states(states[t], wanted, model.B)


def test_large_windows_of_vectors():
    v = cases.vectors((180, 200), 3, 56, spread=0.5).astype(np.float32)
    model = gaussian_model(3, 3, 90)
    found, states = model.signature(v), model.decode(v)
    for t in [(0, 0), (90, 100), (179, 50), (17, 140)]:
        wanted = np.array(naive.mean_at(v, t, 90))
        np.testing.assert_allclose(found[t], wanted, rtol=1e-5, atol=1e-6)
        cases.assert_same_states(states[t], wanted, model.means)


def test_the_observation_is_left_alone():
    o, v = cases.blocky((9, 10), 4, 58), cases.vectors((9, 10), 2, 59).astype(np.float32)
    before_o, before_v = o.copy(), v.copy()
    o.flags.writeable = v.flags.writeable = False
    discrete_model(3, 4, 2).signature(o)[:] = 7
    gaussian_model(3, 2, 0).signature(v)[:] = 7
    np.testing.assert_array_equal(o, before_o)
    np.testing.assert_array_equal(v, before_v)


@pytest.mark.parametrize(
    ("o", "n_symbols", "window", "given"),
    [
        (np.array([[3, 0, 0], [0, 0, 0]]), 3, 1, r"\b3\b"),
        (np.array([[-1, 0, 0], [0, 0, 0]]), 3, 1, "-1"),
        (np.array([[0.0, 1.0]]), 3, 1, "float64"),
        (np.zeros((0, 3), dtype=int), 3, 1, r"\(0, 3\)"),
        (np.zeros((2, 3), dtype=int), 3, -1, "-1"),
    ],
)
def test_unusable_arguments(o, n_symbols, window, given):
    with pytest.raises(ParameterError, match=given):
        window_signature(o, n_symbols=n_symbols, window=window)
