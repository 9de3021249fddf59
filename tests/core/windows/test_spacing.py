"""Windows that extend as far along every axis, where nodes are further apart along some."""

import itertools
import math

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    FitSettings,
    GaussianModel,
    as_data_set,
    choose,
    inertia,
    load_model,
    sweep,
    window_signature,
)
from latviz.core.data.lattice import along_axes, sides_of
from latviz.core.errors import ParameterError
from latviz.core.model.indices import local_inertia
from latviz.core.windows import decoding, leave_one_out, parts
from latviz.core.windows.decoding import decode_coarse_to_fine, decode_in_bands
from latviz.core.windows.leave_one_out import decode_both_in_bands, decode_without
from latviz.core.windows.signature import signatures
from tests import naive

CASES = [
    ((5, 6, 7), (3.0, 1.0, 1.0), 2),  # slices further apart
    ((5, 6, 7), (8.0, 1.0, 1.0), 3),
    ((4, 6, 7), (2.0, 1.0, 0.4), 2),  # three distances
    ((4, 6, 7), (1.0, 1.0, 2.5), 3),  # rows are planes
    ((9, 12), (1.0, 3.0), 4),
    ((9, 12), (2.0, 1.0), 1),
]
KINDS = ["symbols", "vectors"]


def sides(spacing, w):
    """Return along each axis the s whose 2 s + 1 nodes extend nearest to 2 w + 1 of the finest."""
    extent = (2 * w + 1) * min(spacing)
    return tuple(
        min(range(3 * w + 3), key=lambda s: (abs((2 * s + 1) * step - extent), -s))
        for step in spacing
    )


def windows(shape, spacing, w, known=None):
    """Yield each node with the nodes of its window, in plain loops."""
    reach = sides(spacing, w)
    for t in naive.nodes(shape):
        spans = (
            range(max(0, a - s), min(n, a + s + 1)) for a, s, n in zip(t, reach, shape, strict=True)
        )
        yield t, [s for s in itertools.product(*spans) if known is None or known[s]]


def lattice(kind, shape, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, shape) if kind == "symbols" else rng.normal(size=(*shape, 2))


def plain(values, shape, spacing, w, known=None):
    """Return the signature of every window."""
    rows = np.eye(4)[values] if values.ndim == len(shape) else values
    found = np.zeros((*shape, rows.shape[-1]))
    for t, inside in windows(shape, spacing, w, known):
        found[t] = np.mean([rows[s] for s in inside], axis=0) if inside else 0.0
    return found


def are_nearest(states, x, codebook):
    """Return True if no codeword is nearer than that of the state, but for rounding."""
    distances = ((x[..., None, :] - codebook) ** 2).sum(axis=-1)
    own = np.take_along_axis(distances, states[..., None].astype(int), -1)[..., 0]
    return bool((own <= distances.min(axis=-1) + 2e-6).all())


def data_of(kind, shape, spacing, known=None):
    values = lattice(kind, shape)
    discrete = kind == "symbols"
    given = {"kind": "discrete", "n_symbols": 4} if discrete else {"kind": "gaussian"}
    return values, as_data_set(values, **given, mask=known).spaced(spacing)


@pytest.mark.parametrize("w", [0, 1, 2, 5, 11])
def test_sides_extend_as_nearly_as_far(w) -> None:
    rng = np.random.default_rng(w)
    for _ in range(200):
        spacing = tuple(rng.choice([0.1, 0.25, 0.3, 1.0, 1.7, 2.0, 6.0], 3).tolist())
        assert sides_of(w, (999, 5, 5), spacing) == sides(spacing, w)
    assert sides_of(8, (99, 99, 99), (2.0, 0.25, 0.25)) == (1, 8, 8)
    assert sides_of(w, (99, 9), (0.3, 0.3)) == (w, w)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "spacing", "w"), CASES)
def test_signatures_and_states_are_those_of_plain_loops(
    kind, shape, spacing, w, monkeypatch
) -> None:
    values, data = data_of(kind, shape, spacing)
    x, (one,) = plain(values, shape, spacing, w), data.lattices
    assert np.allclose(signatures(one, data.n_symbols, w), x, rtol=0.0, atol=1e-5)
    codebook = x.reshape(-1, x.shape[-1])[:5].copy()
    states = decoding.decode(one, codebook, w)
    assert are_nearest(states, x, codebook)
    for module, name in ((decoding, "BAND"), (leave_one_out, "BAND")):
        monkeypatch.setattr(module, name, 20)
    assert (decode_in_bands(one, codebook, w) == states).all()
    *_, last = decode_coarse_to_fine(one, codebook, w)
    assert (last.states == states).all()
    nodes = tuple(np.array(sorted(naive.nodes(shape))[::3]).T)
    at = parts.signatures_at(one, data.n_symbols, w, nodes)
    assert np.allclose(at, x[nodes], rtol=0.0, atol=1e-5)
    both = decode_both_in_bands(one, leave_one_out.apart([codebook]), w)
    assert (both[0][0] == states).all()
    assert are_nearest(both[1][0], without(values, shape, spacing, w), codebook)
    assert (decode_without(one, codebook, w) == both[1][0]).all()


def without(values, shape, spacing, w):
    """Return the signatures of windows without their middle; NaN if nothing is left."""
    rows = np.eye(4)[values] if values.ndim == len(shape) else values
    found = np.full((*shape, rows.shape[-1]), np.nan)
    for t, inside in windows(shape, spacing, w):
        if rest := [rows[s] for s in inside if s != t]:
            found[t] = np.mean(rest, axis=0)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "spacing", "w"), CASES)
def test_unknown_nodes_are_left_out_of_such_windows(kind, shape, spacing, w) -> None:
    known = np.random.default_rng(5).random(shape) < 0.7
    values, data = data_of(kind, shape, spacing, known)
    found = signatures(data.lattices[0], data.n_symbols, w)[known]
    assert np.allclose(found, plain(values, shape, spacing, w, known)[known], rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("known", [None, 0.7])
@pytest.mark.parametrize(("shape", "spacing", "w"), CASES)
def test_inertia_is_that_of_plain_loops(shape, spacing, w, known) -> None:
    rng = np.random.default_rng(3)
    there = None if known is None else rng.random(shape) < known
    states = rng.integers(0, 3, shape).astype(np.uint8)
    if there is not None:
        states[~there] = 255
    wanted = np.full(shape, np.nan)
    for t, inside in windows(shape, spacing, w, there):
        if there is None or there[t]:
            shares = np.bincount([states[s] for s in inside], minlength=3) / len(inside)
            wanted[t] = math.sqrt((shares**2).sum())
    found = local_inertia(states, n_states=3, window=w, spacing=spacing)
    assert np.allclose(found, wanted, rtol=0.0, atol=1e-6, equal_nan=True)
    mean = inertia(states, n_states=3, window=w, spacing=spacing)
    assert mean == pytest.approx(np.nanmean(wanted), rel=1e-7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "spacing", "w"), CASES)
def test_a_model_keeps_its_spacing(kind, shape, spacing, w, tmp_path) -> None:
    values, data = data_of(kind, shape, spacing)
    model_type = DiscreteModel if kind == "symbols" else GaussianModel
    model = model_type.fit(values, n_states=3, window=w, spacing=spacing)
    assert model == model_type.fit(data, settings=FitSettings(3, w))
    states = model.decode(values)
    codewords = model.B if kind == "symbols" else model.means
    assert are_nearest(states, plain(values, shape, spacing, w), codewords)
    assert model.evaluate(values).states.tolist() == states.tolist()
    assert np.allclose(model.A, naive.adjacency([states], 3), rtol=1e-9, atol=0.0)
    found = next(iter(sweep(data, windows=[w], n_states=[3], kind=data.kind, codebook_window=w)))
    assert found.inertia == pytest.approx(
        inertia(states, n_states=3, window=w, spacing=spacing), rel=1e-9
    )
    model.save(tmp_path / "m.npz")
    assert load_model(tmp_path / "m.npz") == model


@pytest.mark.parametrize(("shape", "spacing", "w"), CASES)
def test_likeliest_states_are_those_of_such_windows(shape, spacing, w) -> None:
    values, rng = lattice("symbols", shape), np.random.default_rng(9)
    B = rng.dirichlet(np.ones(4), 3)
    model = DiscreteModel(A=np.eye(3), B=B, window=w, spacing=spacing)
    logs = np.zeros((*shape, 3))
    for t, inside in windows(shape, spacing, w):
        logs[t] = sum(np.log(B[:, values[s]]) for s in inside)
    assert (model.decode(values, decoder="likelihood") == logs.argmax(axis=-1)).all()


def test_a_spacing_of_other_axes_is_refused() -> None:
    with pytest.raises(ParameterError, match="a number for each of 2 axes"):
        DiscreteModel.fit(np.eye(8, dtype=int), n_states=2, window=1, spacing=(1, 2, 3))
    for wrong in (0.0, -1.0, math.nan, "a"):
        with pytest.raises(ParameterError, match="spacing"):
            FitSettings(2, 1, spacing=(1.0, wrong))


def test_any_half_widths_along_three_axes_are_a_half_width_and_steps() -> None:
    for each in itertools.product(range(9), range(9), (0, 1, 5, 8, 64)):
        w, steps = along_axes(each, 3)
        assert sides_of(w, (999,) * 3, steps) == each
    assert along_axes((1, 8), 3) == ((1, 8), None)  # two windows
    assert along_axes((1, 8, 8), 2) == ((1, 8, 8), None)  # three


def mean_around(values, known, t, each):
    """Return the mean of known vectors within some half-widths of t, in plain loops."""
    inside = [
        s
        for s in naive.nodes(known.shape)
        if known[s] and all(abs(a - b) <= w for a, b, w in zip(s, t, each, strict=True))
    ]
    return np.mean([values[s] for s in inside], axis=0) if inside else np.zeros(values.shape[-1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("each", [(1, 3, 2), (0, 2, 4), (2, 0, 0)])
def test_a_window_of_a_volume_may_have_a_half_width_for_each_axis(kind, each) -> None:
    shape = (4, 6, 7)
    values = lattice(kind, shape)
    known = np.random.default_rng(1).random(shape) > 0.3
    rows = np.eye(4)[values] if kind == "symbols" else values
    model_of = DiscreteModel if kind == "symbols" else GaussianModel
    own = {"n_symbols": 4} if kind == "symbols" else {}
    for mask in (None, known):
        seen = np.ones(shape, bool) if mask is None else mask
        x = np.array([mean_around(rows, seen, t, each) for t in naive.nodes(shape)])
        x = x.reshape(*shape, -1)
        model = model_of.fit(values, n_states=3, window=each, mask=mask, **own)
        assert sides_of(model.window, shape, model.spacing) == each
        square = model_of.fit(values, n_states=3, window=2, mask=mask, **own)
        states = model.decode(values, mask=mask)
        assert are_nearest(states[seen], x[seen], model.codewords)
        found = square.decode(values, window=each, mask=mask)
        assert are_nearest(found[seen], x[seen], square.codewords)
        found = square.signature(values, window=each, mask=mask)
        assert np.allclose(found[seen], x[seen], rtol=0.0, atol=1e-5)
    if kind == "symbols":
        x = np.array([mean_around(rows, known | True, t, each) for t in naive.nodes(shape)])
        found = window_signature(values, n_symbols=4, window=each)
        assert np.allclose(found, x.reshape(found.shape), rtol=0.0, atol=1e-6)
    with pytest.raises(ParameterError, match="needs no spacing"):
        model_of.fit(values, n_states=3, window=each, spacing=(2, 1, 1), **own)


@pytest.mark.parametrize(("shape", "each"), [((9, 30), (0, 2)), ((9, 30), (1, 4)), ((30,), (3,))])
def test_windows_that_are_chosen_from_may_have_a_half_width_for_each_axis(shape, each) -> None:
    rows = np.indices(shape)[-1] // 10 % 2
    noise = np.random.default_rng(4).random(shape) < 0.2
    values = np.where(noise, 1 - rows, rows)
    model = choose(values, n_symbols=2, n_states=[2], windows=[each]).model
    assert sides_of(model.window, shape, model.spacing) == each
    known, there = np.ones(shape, bool), np.eye(2)[values]
    x = np.array([mean_around(there, known, t, each) for t in naive.nodes(shape)])
    states = model.decode(values)
    assert are_nearest(states, x.reshape(*shape, -1), model.codewords)
    (found,) = sweep(values, n_states=[2], windows=[each], codebook_window=max(each))
    assert found.inertia == pytest.approx(
        inertia(states, n_states=2, window=max(each), spacing=model.spacing)
    )


def test_windows_to_choose_from_have_one_ratio() -> None:
    values = np.eye(8, dtype=int)
    found = choose(values, n_symbols=2, n_states=[1, 2], windows=[(2, 4), (1, 2), (0, 0)])
    assert found.windows == (0, 2, 4)
    for wrong in ([(1, 2), (2, 2)], [(1, 2), 2], [(1, 2, 3)]):
        with pytest.raises(ParameterError, match="a half-width for each of 2 axes"):
            choose(values, n_symbols=2, n_states=[1, 2], windows=wrong)
