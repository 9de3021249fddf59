"""The live page's model in Qt's JavaScript engine, which must compute what the core does."""

import json
from typing import Any

import numpy as np
import pytest
from PyQt6.QtQml import QJSEngine

from latviz.core import DiscreteModel, associativity
from latviz.core.data.bins import Quantiles
from latviz.core.data.data_set import as_data_set
from latviz.core.data.lattice import n_directions
from latviz.core.data.quantization import fast_pnn
from latviz.core.disk.reading import read_text
from latviz.core.model.indices import count
from latviz.core.model.learning import adjacency, codebook_of
from latviz.core.windows.decoding import decode
from latviz.core.windows.signature import signatures
from latviz.resources import resource
from tests import naive_masks

N_EXACT = 60
"""Clusters merged exactly: few, because the engine takes a second for the program's 1,024."""
ALL = """(() => {
  const lattice = Object.assign(given, { symbols: Uint8Array.from(given.symbols) });
  const tree = learnTree(lattice, learning, exact), codebook = codebookOf(tree, n);
  const states = decode(lattice, codebook, w), found = measure(lattice, codebook, states, w);
  const at = signatureAt(lattice, w, lattice.height >> 1, 3), plane = planeOf(tree);
  const lists = { codebook, states, at, A: found.A, x: plane.x, y: plane.y };
  for (const name in lists) lists[name] = Array.from(lists[name]);
  return Object.assign(found, lists, { logP: logLikelihood(found, alpha) });
})()"""


@pytest.fixture(scope="module")
def run(qapp: Any) -> Any:
    """Return a function that evaluates an expression with names."""
    engine = QJSEngine()

    def evaluate(program: str) -> str:
        found = engine.evaluate(program)
        line = found.property("lineNumber").toInt()
        assert not found.isError(), f"{found.toString()}, line {line}"
        return str(found.toString())

    def call(expression: str, **names: Any) -> Any:
        given = "".join(f"const {name} = {json.dumps(value)};" for name, value in names.items())
        return json.loads(evaluate(f"(() => {{ {given} return JSON.stringify({expression}); }})()"))

    evaluate(read_text(resource("live/model.js")))
    return call


def fields() -> list[Any]:
    """Return lattices with their numbers of symbols; unknown nodes are one more symbol."""
    rng = np.random.default_rng(4)
    y, x = np.indices((34, 30))
    mixed = rng.random(x.shape) < 0.3
    blobs = np.where(mixed, rng.integers(0, 5, x.shape), (x // 9 + y // 11) % 3)
    masked = np.where((x - 15) ** 2 + (y - 10) ** 2 < 40, 5, blobs)
    walk = np.cumsum(rng.integers(-1, 2, 300)) % 4
    named = {
        "blobs": (blobs, 5),
        "partly unknown": (masked, 5),
        "sequence": (walk, 4),
        "checks": ((x + y)[:9, :8] % 2, 2),
        "one symbol": (0 * x[:6, :7], 3),
        "one row": (blobs[:1], 5),
    }
    return [pytest.param(o.astype(np.uint8), size, id=name) for name, (o, size) in named.items()]


@pytest.mark.parametrize(("symbols", "size"), fields())
@pytest.mark.parametrize(("n_states", "window"), [(2, 0), (3, 2), (7, 5)])
def test_it_computes_what_the_core_does(run, symbols, size, n_states, window) -> None:
    known = symbols < size
    observed = np.where(known, symbols, 0)
    mask = None if known.all() else known
    (lattice,) = as_data_set(observed, kind="discrete", n_symbols=size, mask=mask).lattices
    tree = fast_pnn(signatures(lattice, size, 2)[known], n_exact=N_EXACT)
    codebook = codebook_of(tree, n_states)
    states = decode(lattice, codebook, window)
    pairs, occupancy = count(states, n_states)
    A = adjacency(pairs, occupancy, n_directions([symbols.shape]))
    model = DiscreteModel(A=A, B=codebook, window=window)
    log_p = model.evaluate(observed, mask=mask, alpha=0.3)
    shares = naive_masks.signatures(symbols, known, window, size)
    norms = naive_masks.local_inertia(states, known, n_states, window)

    sides = dict(zip(("height", "width"), np.atleast_2d(symbols).shape, strict=True))
    given = {"symbols": symbols.ravel().tolist(), "size": size, "dimensions": symbols.ndim, **sides}
    asked = {"learning": 2, "exact": N_EXACT, "n": n_states, "w": window, "alpha": 0.3}
    found = run(ALL, given=given, **asked)

    assert found["codebook"] == codebook.ravel().tolist()
    assert found["states"] == states.ravel().tolist()
    assert found["impossible"] == log_p.n_impossible
    middle = (symbols.shape[0] // 2, 3)[-symbols.ndim :]
    for name, wanted in {
        "A": A.ravel(),
        "at": shares[middle],
        "associativity": associativity(A),
        "inertia": np.nanmean(norms),
        "logP": log_p.log_likelihood,
    }.items():
        computed = -np.inf if found[name] is None else found[name]
        np.testing.assert_allclose(computed, wanted, rtol=1e-12, atol=1e-14, err_msg=name)


def test_the_plane_holds_most_of_the_variance(run: Any) -> None:
    symbols = fields()[0].values[0]
    given = {"symbols": symbols.ravel().tolist(), "size": 5, "dimensions": 2}
    given |= dict(zip(("height", "width"), symbols.shape, strict=True))
    found = run(ALL, given=given, learning=2, exact=N_EXACT, n=2, w=2, alpha=1.0)
    (lattice,) = as_data_set(symbols, kind="discrete", n_symbols=5).lattices
    tree = fast_pnn(signatures(lattice, 5, 2).reshape(-1, 5), n_exact=N_EXACT)
    centred = tree.codebook(N_EXACT) - tree.codebook(1)
    spread = (centred.T * tree.weights_of(N_EXACT)) @ centred
    axes = np.array([found["x"], found["y"]]) - np.mean([found["x"], found["y"]], axis=1)[:, None]
    caught = np.trace(axes @ spread @ axes.T)
    np.testing.assert_allclose(caught, np.linalg.eigvalsh(spread)[-2:].sum(), rtol=1e-6)


@pytest.mark.parametrize("kind", ["few", "one large", "many", "one"])
def test_greys_become_the_same_symbols(run: Any, kind: str) -> None:
    rng = np.random.default_rng(8)
    greys = np.clip(rng.normal(120, 30, 900), 0, 255).astype(np.uint8)
    greys[: {"few": 0, "one large": 500, "many": 0, "one": 900}[kind]] = 7
    greys = greys // 40 * 40 if kind == "few" else greys
    method = Quantiles(8)
    prepared = method.prepare(greys[None], None)
    fitted = method.fit([prepared])
    found = run("quantize(Uint8Array.from(greys)).symbols.join()", greys=greys.tolist())
    assert list(map(int, found.split(","))) == method.values(prepared, fitted).ravel().tolist()
