"""All public values of the core: pickled, copied, dumped and compared by their contents."""

import copy
import dataclasses
import importlib
import inspect
import io
import itertools
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import joblib
import numpy as np
import pytest

from latviz import core
from latviz.core.data.encoding import ENCODINGS
from latviz.core.values import Value
from tests.core import fuzz
from tests.of_wings import table


def many() -> core.DataSetEvaluation:
    """Return the evaluation of two lattices, one of which holds impossible nodes."""
    model = core.DiscreteModel(A=[[1, 0], [0, 1]], B=[[1, 0, 0], [0, 0.5, 0.5]], window=1)
    return model.evaluate([fuzz.SYMBOLS, fuzz.SYMBOLS.T.copy()], alpha=0.5)


def own_kind() -> core.EncodingKind:
    """Return an encoding that is not registered, whose functions have names."""
    return core.EncodingKind(name="own", title="", summary="", discrete=True, of_image=fuzz.kind)


def colours() -> core.Observations:
    return core.encode(np.stack([fuzz.grey()] * 3, -1), core.Encoding("filters", n_features=2))


def bias() -> core.BiasVariance:
    emission, windows = np.array([[0.9, 0.1], [0.2, 0.8]]), [0, 1]
    return core.bias_variance(
        fuzz.STATES, emission=emission, windows=windows, replicates=3, random_state=1
    )


def setting() -> core.Setting:
    *_, last = core.sweep(fuzz.SYMBOLS, n_states=[1, 2], windows=[1])
    return last


def refined() -> core.Refined:
    return core.refine(fuzz.SYMBOLS, model=fuzz.discrete())


INSTANCES: dict[str, list[Callable[[], Any]]] = {
    "BiasVariance": [bias],
    "Cancelled": [lambda: core.Cancelled("asked")],
    "Choice": [lambda: core.choose(fuzz.SYMBOLS, n_states=[1, 2], windows=[0, 1])],
    "DataSet": [
        lambda: core.as_data_set(fuzz.SYMBOLS, kind="discrete", n_symbols=3),
        lambda: core.as_data_set([fuzz.VECTORS, fuzz.VECTORS[1:]], kind="gaussian"),
    ],
    "DataSetEvaluation": [many],
    "DiscreteModel": [fuzz.discrete],
    "Encoder": [fuzz.encoder, lambda: colours().encoder],
    "Encoding": [lambda: core.Encoding("lab", scaled=False)],
    "EncodingKind": [own_kind, *(partial(ENCODINGS.__getitem__, name) for name in ENCODINGS)],
    "Evaluation": [lambda: fuzz.discrete().evaluate(fuzz.SYMBOLS), lambda: many().parts[1]],
    "FactorialModel": [fuzz.factorial],
    "FitSettings": [lambda: core.FitSettings(3, (1, 4), smoothing=0.5)],
    "Fitted": [lambda: fuzz.encoder().fitted, lambda: colours().encoder.fitted],
    "GaussianModel": [fuzz.gaussian],
    "Hierarchy": [lambda: core.regions(fuzz.SYMBOLS, states=fuzz.STATES).by_evidence()],
    "Leaves": [lambda: core.quadtree_leaves(fuzz.STATES)],
    "CoarseStates": [lambda: next(iter(fuzz.discrete().decode_coarse_to_fine(fuzz.SYMBOLS)))],
    "LawQuantiles": [
        lambda: core.law_quantiles(np.repeat([0.0, 1.0], 300), states=np.zeros(600, int))[0]
    ],
    "MergeTree": [
        lambda: core.fast_pnn(fuzz.VECTORS.reshape(-1, 2)),
        lambda: core.fast_pnn(fuzz.VECTORS.reshape(-1, 2)).widened([0, 2], 3),
    ],
    "NoiseIndices": [lambda: core.noise_indices(fuzz.SYMBOLS, n_states=2, window=1, n_orders=2)],
    "NormalEmission": [lambda: core.NormalEmission(fuzz.MEANS, fuzz.COVARIANCES)],
    "Observations": [lambda: core.encode(fuzz.grey(), core.Encoding("levels", 3)), colours],
    "ParameterError": [lambda: core.ParameterError("what was wanted")],
    "Refined": [refined],
    "Regions": [
        lambda: core.regions(fuzz.SYMBOLS, states=fuzz.STATES),
        lambda: core.contrast_regions(fuzz.grey(), least_contrast=0.0),
    ],
    "Setting": [setting, lambda: dataclasses.replace(setting(), inertia=float("nan"))],
    **table("VALUES"),
}
"""Values of each public class."""

PROTOCOLS = {"Method", "Progress"}
"""Public classes of which the core has no values."""

WAYS: dict[str, Callable[[Any], Any]] = {
    **{
        f"pickle {n}": lambda one, n=n: pickle.loads(pickle.dumps(one, n))
        for n in range(pickle.HIGHEST_PROTOCOL + 1)
    },
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def dumped(one: Any) -> Any:
    stream = io.BytesIO()
    joblib.dump(one, stream)
    stream.seek(0)
    return joblib.load(stream)


WAYS["joblib"] = dumped


def contents(value: Any) -> Any:
    """Return the contents of a value without its caches, as plain tuples."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.flags.writeable, repr(value.tolist())
    if isinstance(value, list | tuple):
        return type(value), [contents(part) for part in value]
    if isinstance(value, Mapping):
        return type(value), [(key, contents(part)) for key, part in value.items()]
    if isinstance(value, BaseException):
        return type(value), value.args
    if isinstance(value, core.MergeTree) or hasattr(value, "get_params"):
        return type(value), contents(vars(value))
    if isinstance(value, core.Evaluation):
        fields = [f.name for f in dataclasses.fields(value) if f.name != "plain_nodes"]
        parts = {name: contents(getattr(value, name)) for name in fields}
        return parts, repr(np.asarray(value.node_log_likelihood).tolist())
    if dataclasses.is_dataclass(value):
        names = [f.name for f in dataclasses.fields(value) if f.name != "_derived"]
        return type(value), [(name, contents(getattr(value, name))) for name in names]
    return repr(value)


def public() -> dict[str, type]:
    return {n: getattr(core, n) for n in core.__all__ if inspect.isclass(getattr(core, n))}


def test_every_public_class_is_tried():
    assert public().keys() - PROTOCOLS == INSTANCES.keys()
    for name, make in ((n, make) for n, makers in INSTANCES.items() for make in makers):
        assert type(make()) is public()[name]


VALUES = [name for name in INSTANCES if not issubclass(public()[name], BaseException)]
IDENTITIES = {*table("IDENTITIES")}
"""Those that equal only themselves."""
COMPARED = {*VALUES} - IDENTITIES


@pytest.mark.parametrize("name", INSTANCES)
def test_copies_and_pickles_hold_the_same_and_are_equal(name):
    for one in (make() for make in INSTANCES[name]):
        held = contents(one)
        for way, copied in WAYS.items():
            other = copied(one)
            assert contents(other) == held, way
            if name in COMPARED:
                assert (other == one) is True, way
                assert (other != one) is False, way
                assert hash(other) == hash(one), way


def test_values_differ_from_all_others():
    """Comparing gives one bool, for any operands."""
    made = [make() for name in VALUES for make in INSTANCES[name]]
    others = [None, 1, "text", [1, 2]]
    for one, other in itertools.product(made, [*made, *others]):
        assert (one == other) is (one is other)
        assert (one != other) is (one is not other)
    assert not any((one == np.arange(3)) is not False for one in made if isinstance(one, Value))


def arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        yield from itertools.chain.from_iterable(map(arrays, value.values()))
    elif isinstance(value, list | tuple):
        yield from itertools.chain.from_iterable(map(arrays, value))
    elif isinstance(value, Value):
        yield from arrays({name: part for name, part in vars(value).items() if name != "_derived"})


@pytest.mark.parametrize("name", sorted(COMPARED - {*table("UNCOMPARED")}))
def test_each_array_of_a_value_makes_a_difference(name):
    for one in (make() for make in INSTANCES[name]):
        for k, array in enumerate(arrays(one)):
            if array.size == 0:
                continue
            other = copy.deepcopy(one)
            changed = list(arrays(other))[k]
            changed.flags.writeable = True
            changed.flat[0] = 1 if changed.flat[0] != 1 else 0
            assert one != other


def test_values_are_shown_in_a_line_without_their_numbers():
    shown = "A=float64 (2, 2), B=float64 (2, 3), window=1"
    assert (
        repr(core.DiscreteModel(A=np.eye(2), B=np.eye(2, 3), window=1)) == f"DiscreteModel({shown})"
    )
    for make in itertools.chain.from_iterable(INSTANCES.values()):
        assert "\n" not in repr(make())


def test_what_an_evaluation_computes_later_makes_a_difference():
    """Two pictures whose sums are equal to the last bit, but not the terms of their nodes."""
    A, B = [[1, 1], [1, 1]], [[0.75, 0.25], [0.75, 0.25]]
    model = core.DiscreteModel(A=A, B=B, window=1)
    one, other = (model.evaluate(np.array(row)) for row in ([0, 1, 1], [1, 1, 0]))
    np.testing.assert_array_equal(one.states, other.states)
    assert one.log_likelihood == other.log_likelihood
    assert one != other
    assert one == model.evaluate(np.array([0, 1, 1]))


def test_what_is_remembered_is_not_copied():
    found = core.regions(fuzz.SYMBOLS, states=fuzz.STATES)
    bare = len(pickle.dumps(found))
    merged = found.merged(least_size=3)
    assert len(found.means) == len(found)
    assert len(pickle.dumps(found)) == bare
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.merged(least_size=3).labels, merged.labels)


def test_copies_do_as_the_original_does():
    for copied in WAYS.values():
        other = copied(many()).under(0.25)
        assert other.log_likelihood == many().under(0.25).log_likelihood
        np.testing.assert_array_equal(
            copied(fuzz.encoder()).encode(fuzz.grey()).values,
            fuzz.encoder().encode(fuzz.grey()).values,
        )


def test_another_process_reads_it(tmp_path):
    """The other process has registered and imported nothing before it reads."""
    path = tmp_path / "values.pickle"
    made = [ENCODINGS["lab"], many()]
    path.write_bytes(pickle.dumps(made))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb'))[1].log_likelihood)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(found.stdout) == many().log_likelihood


def classes() -> Iterator[type]:
    """Yield all classes of the core, those inside its packages, too."""
    for module in pkgutil.walk_packages(core.__path__, "latviz.core."):
        found = vars(importlib.import_module(module.name)).values()
        yield from (one for one in found if inspect.isclass(one) and one.__module__ == module.name)


FUNCTIONS = {"Terms"}
"""Values that hold local functions, which are never sent."""


def test_frozen_dataclasses_are_values_or_compared_field_by_field():
    """One way for all: no class has its own, and none with arrays is compared like a tuple."""
    for one in classes():
        if dataclasses.is_dataclass(one) and one.__dataclass_params__.frozen:
            if one.__dataclass_params__.eq:
                held = str({f.name: f.type for f in dataclasses.fields(one)})
                assert not issubclass(one, Value), one
                assert not any(word in held for word in ("NDArray", "Floats", "Counts", "Matrix"))
            elif one.__name__ not in FUNCTIONS and not one.__name__.startswith("_"):
                assert issubclass(one, Value), one
        if issubclass(one, Value):
            own = {"__eq__", "__hash__", "__reduce__", "__getstate__"} & {*vars(one)}
            assert one is Value or not own, one


def test_named_tuples_of_arrays_compare():
    tree = core.fast_pnn(fuzz.VECTORS.reshape(-1, 2))
    for make in (tree.joins, tree.splits, lambda n: tree.codewords_of([1, n])):
        assert (make(4) == make(4)) is True
        assert (make(4) != make(4)) is False
        assert (make(4) == make(3)) is False
        assert hash(make(4)) == hash(make(4))
        assert all((copied(make(4)) == make(4)) is True for copied in WAYS.values())
