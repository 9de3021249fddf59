"""Calls of all public functions of the core, with arguments that they must refuse.

The public names are read from `latviz.core` and called with good arguments, which `GOOD` holds by
the names of parameters; then argument by argument with bad ones. A new function is thus called as
soon as it is public, and needs a line here only if it has parameters of new names.
"""

import dataclasses
import functools
import inspect
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from latviz import core
from latviz.core.facts import PictureFacts
from tests.of_wings import table

RNG = np.random.default_rng(7)
SYMBOLS = RNG.integers(0, 3, (5, 6))
STATES = np.repeat(np.repeat(RNG.integers(0, 2, (3, 3)), 2, 0), 2, 1)[:5, :6]
STATES[0, :2] = 0, 1
VECTORS = np.round(RNG.normal(size=(5, 6, 2)) + 3.0 * STATES[..., None], 3)
A = np.array([[0.8, 0.2], [0.3, 0.7]])
B = np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]])
MEANS = np.array([[0.0, 0.0], [3.0, 3.0]])
COVARIANCES = np.array([[[1.0, 0.2], [0.2, 1.0]], [[2.0, 0.0], [0.0, 1.0]]])
CLASSES = ["a", "b", "a", "b"]
COVARIANCES.flags.writeable = MEANS.flags.writeable = False


@functools.cache
def discrete() -> core.DiscreteModel:
    return core.DiscreteModel(A=A, B=B, window=1)


@functools.cache
def gaussian() -> core.GaussianModel:
    return core.GaussianModel(A=A, means=MEANS, covariances=COVARIANCES, window=1)


@functools.cache
def factorial() -> core.FactorialModel:
    chains = discrete(), discrete()
    joint = core.DiscreteModel(A=np.kron(A, A), B=np.repeat(B, 2, 0), window=1)
    return core.FactorialModel(chains, joint, strengths=(1.0, 0.5))


def kind(name: str = "new") -> core.EncodingKind:
    """Return an encoding that is not registered."""
    own = core.Encoding("grey").kind
    return dataclasses.replace(own, name=name)


def grey() -> Any:
    return (40 * SYMBOLS).astype(np.uint8)


@functools.cache
def encoder() -> core.Encoder:
    return core.encode(grey(), core.Encoding("levels", 3)).encoder


def pictures() -> list[Any]:
    """Return images of two classes."""
    return [grey(), grey()[::-1].copy(), grey().T.copy(), grey()[1:]]


def saved() -> Path:
    """Return the file of a model."""
    path = Path(tempfile.gettempdir()) / f"latviz-fuzz-{os.getpid()}.npz"
    core.save_model(discrete(), path)
    return path


GOOD: dict[str, Callable[[], Any]] = {
    "A": lambda: A,
    "B": lambda: B,
    "alpha": lambda: 0.5,
    "alphabet": lambda: ("a", "b", "c"),
    "arrays": lambda: {"inner": np.array([1.0, 2.0])},
    "decoder": lambda: "nearest",
    "passes": lambda: None,
    "base": lambda: 0.5,
    "codebook": lambda: B,
    "colors": lambda: np.array([[0, 0, 0], [9, 9, 9], [99, 99, 99]], np.uint8),
    "confidence": lambda: 0.9,
    "covariances": lambda: COVARIANCES,
    "data": lambda: core.as_data_set(SYMBOLS, kind="discrete", n_symbols=3),
    "dimensions": lambda: 2,
    "discrete": lambda: True,
    "edges": lambda: np.array([0.0, 1.0, 2.0, 3.0]),
    "emission": lambda: B,
    "encoder": encoder,
    "extra": lambda: {"slots": [0, 1]},
    "encoding": lambda: core.Encoding("levels", 3),
    "facts": PictureFacts,
    "deep": lambda: True,
    "first": lambda: 2,
    "folds": lambda: 2,
    "bin_edges": lambda: None,
    "bin_shares": lambda: None,
    "score_correlations": lambda: None,
    "n_points": lambda: 9,
    "found": lambda: STATES,
    "height": lambda: 2.0,
    "image": grey,
    "images": pictures,
    "kind": lambda: "discrete",
    "labels": lambda: SYMBOLS.astype(np.uint8),
    "codebook_window": lambda: 1,
    "further_windows": lambda: (2,),
    "further_codewords": lambda: B,
    "least_contrast": lambda: 0.0,
    "least_evidence": lambda: 2.0,
    "least_size": lambda: 3,
    "length": lambda: 9,
    "local_base": lambda: 0.5,
    "means": lambda: MEANS,
    "method": lambda: None,
    "model": discrete,
    "most": lambda: 9,
    "n": lambda: 2,
    "n_exact": lambda: 2,
    "n_features": lambda: 3,
    "n_images": lambda: 20,
    "n_nodes": lambda: np.array([1, 4]),
    "n_orders": lambda: 2,
    "n_regions": lambda: 4,
    "n_states": lambda: 2,
    "n_symbols": lambda: 3,
    "name": lambda: "levels",
    "names": lambda: ("a", "b", "c"),
    "near": lambda: (2, 1),
    "normalizer": lambda: "states",
    "notes": lambda: ("a note",),
    "observation": lambda: SYMBOLS,
    "observations": lambda: SYMBOLS,
    "one": lambda: STATES,
    "bits": lambda: 1.5,
    "chains": lambda: (discrete(), discrete()),
    "channels": lambda: (),
    "choices": lambda: {"window": [0, 1]},
    "clusters": lambda: [0, 2],
    "coloured": lambda: True,
    "columns": lambda: [0, 2],
    "n_columns": lambda: 5,
    "origin": lambda: np.array([1.0, 2.0]),
    "other": lambda: 1 - STATES,
    "path": saved,
    "parts": lambda: [discrete().evaluate(SYMBOLS)],
    "period": lambda: 8.0,
    "points": lambda: VECTORS.reshape(-1, 2),
    "apart": lambda: 2,
    "progress": lambda: None,
    "replicates": lambda: 3,
    "ridge": lambda: 0.0,
    "rng": lambda: np.random.default_rng(1),
    "mask": lambda: np.ones((5, 6), bool),
    "channel_axis": lambda: -1,
    "scalar": lambda: False,
    "A_decoded": lambda: False,
    "scale": lambda: 1.5,
    "scaled": lambda: None,
    "how": lambda: "levels",
    "joint": lambda: factorial().joint,
    "level": lambda: True,
    "random_state": lambda: 1,
    "shape": lambda: (4, 5),
    "side": lambda: 2,
    "sizes": lambda: [1, 2],
    "settings": lambda: None,
    "smoothing": lambda: 0.5,
    "spacing": lambda: (2.0, 0.5),
    "start": lambda: np.array([0.5, 0.5]),
    "state": lambda: 1,
    "states": lambda: STATES,
    "strength": lambda: None,
    "strengths": lambda: (1.0, 0.5),
    "sway": lambda: 1.0,
    "sweeps": lambda: 3,
    "symbols": lambda: SYMBOLS,
    "table": lambda: np.array([[9, 1], [2, 18]]),
    "tolerance": lambda: 1,
    "transitions": lambda: A,
    "truth": lambda: STATES,
    "values": lambda: SYMBOLS.astype(np.uint8),
    "visible": lambda: (slice(0, 2), slice(1, 4)),
    "weights": lambda: np.arange(1.0, 31.0),
    "widths": lambda: 2.0,
    "window": lambda: 1,
    "written": lambda: encoder().to_dict(),
    "windows": lambda: [1, 2],
    "X": pictures,
    "sample_weight": lambda: [1, 2, 1, 1],
    "y": lambda: CLASSES,
}
"""Good values by the names of parameters."""

OWN: dict[str, Callable[[], Any]] = {
    "as_data_set.channel_axis": lambda: None,  # symbols have none
    "choose.n_states": lambda: [1, 2],
    "FactorialModel.fit.n_states": lambda: (2, 2),
    "encode.alphabet": lambda: (),
    "in_own_units.values": lambda: np.ones((2, 3)),
    "GaussianModel.codebook": lambda: MEANS,
    "GaussianModel.further_codewords": lambda: MEANS,
    "GaussianModel.data": lambda: core.as_data_set(VECTORS, kind="gaussian"),
    "GaussianModel.observation": lambda: VECTORS,
    "GaussianModel.observations": lambda: VECTORS,
    "law_distance.observations": lambda: VECTORS,
    "law_quantiles.observations": lambda: VECTORS,
    "from_states.states": lambda: [STATES],
    "register_encoding.kind": kind,
    "bias_variance.model": lambda: "true",
    "bias_variance_by_copies.model": lambda: "true",
    "sweep.n_states": lambda: [1, 2],
    "NormalEmission.states": lambda: STATES,
}
"""Good values of single functions, or of all methods of a class."""

INSTANCES: dict[str, Callable[[], Any]] = {
    "DataSet": lambda: core.as_data_set(SYMBOLS, kind="discrete", n_symbols=3),
    "DataSetEvaluation": lambda: discrete().evaluate([SYMBOLS, SYMBOLS]),
    "DiscreteModel": discrete,
    "Encoder": encoder,
    "Encoding": lambda: core.Encoding("grey"),
    "EncodingKind": kind,
    "Evaluation": lambda: discrete().evaluate(SYMBOLS),
    "FactorialModel": factorial,
    "GaussianModel": gaussian,
    "Hierarchy": lambda: core.regions(SYMBOLS, states=STATES).by_evidence(),
    "MergeTree": lambda: core.fast_pnn(VECTORS.reshape(-1, 2)),
    "Observations": lambda: core.encode(grey(), core.Encoding("levels", 3)),
    "NormalEmission": lambda: core.NormalEmission(MEANS, COVARIANCES),
    "Regions": lambda: core.contrast_regions(grey(), least_contrast=0.0),
}
"""A value of each class that has public methods, or of single methods that need another."""

TRUSTED = {
    "DataSet.each": "a function for use inside",
    "DataSet.once": "a function for use inside",
    "DataSet.parts": "a function for use inside",
    "DataSet.under": "a function for use inside",
    "DataSetEvaluation.of": "takes what evaluations are made of",
}
"""Functions that are not called with bad arguments, with the reason."""

WORDS = {"alphabet", "names", "notes"}
"""Parameters that hold text in a sequence."""


@dataclass(frozen=True)
class Target:
    """A public function, method or class, and good arguments for it."""

    name: str
    function: Callable[..., Any]
    good: dict[str, Any]
    optional: frozenset[str]

    def call(self, **changed: Any) -> Any:
        """Return its result; for an iterator, all its values."""
        given = {**self.good, **changed}
        if "rng" in self.good and "rng" not in changed:
            given["rng"] = GOOD["rng"]()  # the generator advances with each draw
        result = self.function(**given)
        return list(result) if isinstance(result, Iterator) else result


def targets() -> list[Target]:
    """Return all public functions of the core that take arguments."""
    found = itertools.chain.from_iterable(_of(name, getattr(core, name)) for name in core.__all__)
    return [target for target in found if target.good]


def _of(name: str, thing: Any) -> Iterator[Target]:
    trusted, instances = TRUSTED | table("TRUSTED"), INSTANCES | table("INSTANCES")
    if inspect.isfunction(thing):
        yield _target(name, thing)
    elif not issubclass(thing, BaseException) and not getattr(thing, "_is_protocol", False):
        if "Raises\n" in (thing.__doc__ or ""):  # others are results, which users do not make
            yield _target(name, thing)
        for method, function in inspect.getmembers(thing, callable):
            if not method.startswith("_") and f"{name}.{method}" not in trusted:
                own = f"{name}.{method}" if f"{name}.{method}" in instances else name
                owner = thing if inspect.ismethod(function) else instances[own]()
                yield _target(f"{name}.{method}", getattr(owner, method))


def _target(name: str, function: Callable[..., Any]) -> Target:
    good, optional = {}, set()
    taken = dict(inspect.signature(function).parameters)
    if taken.pop("fields", None) is not None:  # those of a fit as keywords
        taken |= inspect.signature(core.FitSettings).parameters
    for parameter in taken.values():
        good[parameter.name] = _good(name, parameter.name)
        if parameter.default is not parameter.empty:
            optional.add(parameter.name)
            if good[parameter.name] is None and parameter.default is not None:
                good[parameter.name] = parameter.default
    return Target(name, function, good, frozenset(optional))


def _good(name: str, parameter: str) -> Any:
    owner, _, method = name.rpartition(".")
    owns = OWN | table("OWN")
    for own in (f"{name}.{parameter}", f"{method}.{parameter}", f"{owner}.{parameter}"):
        if own in owns:
            return owns[own]()
    return GOOD[parameter]()


@dataclass(frozen=True)
class Bad:
    """A bad value of an argument.

    ``refused``: it must be. ``alike``: a result, if there is one, must be that of the good value.
    """

    name: str
    value: Any
    refused: bool = False
    alike: bool = False


class Nothing:
    """An empty object."""


def _ragged() -> Any:
    ragged = np.empty(2, dtype=object)
    ragged[:] = [1, 2], [3]
    return ragged


NONSENSE: dict[str, Any] = {
    "nan": np.nan,
    "inf": np.inf,
    "minus inf": -np.inf,
    "text": "text",
    "digits": "3",
    "bytes": b"12",
    "complex": 1 + 1j,
    "complex without imaginary part": 1 + 0j,
    "object": Nothing(),
    "class": Nothing,
    "function": len,
    "dict": {1: 2},
    "set": {1, 2},
    "list of objects": [Nothing(), Nothing()],
    "list of None": [None, None],
    "list of text": ["a", "b"],
    "ragged lists": [[1, 2], [3]],
    "ragged deep lists": [[[1], [2]], [[3], [4, 5]]],
    "ragged array": _ragged(),
    "mixture": [1, "a", None],
    "mixture of arrays": [np.zeros((2, 2)), "a"],
    "array of text": np.array([["a", "b"], ["c", "d"]]),
    "array of bytes": np.array([b"a", b"b"]),
    "array of dates": np.array(["2001-01-01", "2002-02-02"], "datetime64[D]"),
    "array of times": np.array([[1, 2], [3, 4]], "timedelta64[s]"),
    "records": np.zeros(3, [("x", int), ("y", float)]),
    "masked": np.ma.masked,
    "matrix of nan": np.full((2, 2), np.nan),
    "complex matrix": np.ones((2, 2)) * 1j,
    "0-d of nan": np.array(np.nan),
    "0-d object": np.array(None, dtype=object),
}
"""Values that no argument accepts."""

ODD: dict[str, Any] = {
    "zero": 0,
    "minus one": -1,
    "one and a half": 1.5,
    "true": True,
    "numpy true": np.True_,
    "fraction": Fraction(1, 2),
    "huge": 2**62,
    "beyond 64 bits": 2**70,
    "minus huge": -(2**62),
    "billion": 10**9,
    "huge float": 1e300,
    "tiny float": 1e-300,
    "empty list": [],
    "empty tuple": (),
    "empty array": np.zeros(0),
    "empty plane": np.zeros((0, 4), int),
    "empty lists": [[], []],
    "0-d": np.array(2),
    "1-d": np.arange(3),
    "2-d": np.ones((2, 2)),
    "4-d": np.zeros((2, 1, 2, 1), int),
    "huge ints": [2**62, 2**62],
    "long": list(range(40)),
    "negative list": [-1, -2],
    "list of floats": [0.5, 1.5],
    "list of bools": [True, False],
    "list of arrays": [np.zeros((2, 2), int), np.ones((3, 2), int)],
    "list of an empty array": [np.zeros((0, 2), int)],
    "list of 0-d arrays": [np.array(1), np.array(2)],
    "array of huge numbers": np.full((5, 6), 1e300),
    "array of 2**63": np.full((5, 6), 2**63, np.uint64),
    "half precision": np.full((5, 6), 0.5, np.float16),
    "long double": np.full((5, 6), 0.5, np.longdouble),
    "booleans": np.ones((5, 6), bool),
    "slice": slice(0, 2),
    "generator": (k for k in ()),
    "range": range(2),
}
"""Values that some arguments accept and others do not."""


UNITS = {"image"}
"""Parameters whose unit is that of their dtype."""


def bad_values(target: Target, parameter: str) -> Iterator[Bad]:
    """Yield bad values for a parameter, those made of its good value included."""
    good = target.good[parameter]
    worded = isinstance(good, str) or parameter in WORDS
    for name, value in NONSENSE.items():
        texts = worded and ("text" in name or name == "digits")
        yield Bad(name, value, refused=not texts)
    for name, value in ODD.items():
        yield Bad(name, value)
    yield Bad("None", None, refused=parameter not in target.optional)
    if isinstance(good, np.ndarray):
        yield from _changed(good, parameter not in UNITS)
    elif isinstance(good, int | float) and not isinstance(good, bool):
        yield from _as_others(good)


def _changed(good: Any, any_dtype: bool) -> Iterator[Bad]:
    real = good.astype(np.float64)
    for name, number in (("nan", np.nan), ("inf", np.inf)):
        one = real.copy()
        one.flat[-1] = number
        yield Bad(f"its own with {name}", one, refused=True)
        yield Bad(f"its own lists with {name}", one.tolist(), refused=True)
    for dtype in (complex, str, bytes, object, "V8"):
        alike = dtype is object
        yield Bad(f"its own as {dtype}", good.astype(dtype), refused=not alike, alike=alike)
    hidden = np.ma.array(good, mask=np.zeros(good.shape, bool))
    yield Bad("its own with an empty mask", hidden.copy(), alike=True)
    hidden.mask.flat[0] = True
    hidden[(0,) * good.ndim] = np.ma.masked
    yield Bad("its own with a mask", hidden, refused=True)
    yield Bad("its own, negative", -1 - real.astype(np.int64))
    yield Bad("its own with an axis", good[None])
    yield Bad("its own less an axis", good[0])
    yield Bad("its own as float", real, alike=any_dtype)
    yield Bad("its own as lists", good.tolist(), alike=any_dtype)
    yield Bad("its own, big-endian", good.astype(good.dtype.newbyteorder(">")), alike=True)
    yield Bad("its own, Fortran", np.asfortranarray(good), alike=True)
    apart = np.repeat(good, 2, axis=-1)[..., ::2]
    yield Bad("its own, apart", apart, alike=True)
    yield Bad("its own, transposed", good.T)
    yield Bad("its own, huge", real * 1e300)
    yield Bad("its own, tiny", real * 1e-300)
    yield Bad("its own in a list", [good])
    yield Bad("its own and text", [good, "text"], refused=True)


def _as_others(good: Any) -> Iterator[Bad]:
    yield Bad("its own as text", str(good), refused=True)
    yield Bad("its own as complex", complex(good), refused=True)
    yield Bad("its own of numpy", np.asarray(good)[()], alike=True)
    yield Bad("its own as 0-d", np.asarray(good), alike=True)
    yield Bad("its own in a list", [good])
    yield Bad("its own as a masked 0-d", np.ma.array(good, mask=True), refused=True)
    yield Bad("its own, negative", -good)
    yield Bad("its own as float", float(good), alike=True)


def same(one: Any, other: Any) -> bool:
    """Return True if two results are equal, apart from times and functions."""
    if dataclasses.is_dataclass(one):
        fields = [f.name for f in dataclasses.fields(one) if f.name not in ("seconds", "_derived")]
        return type(one) is type(other) and all(
            same(getattr(one, name), getattr(other, name)) for name in fields
        )
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, one.dtype.kind == "f")
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, core.MergeTree):
        return same(one.codebook(one.n_max), other.codebook(other.n_max))
    if hasattr(one, "get_params"):  # as scikit-learn's
        return same(one.get_params(), other.get_params()) and same(one.fitted, other.fitted)
    if isinstance(one, float):
        return one == other or (one != one and other != other)
    return callable(one) or bool(one == other)
