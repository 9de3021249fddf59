"""One value describes how a model is fitted, and every part uses it."""

import inspect
from dataclasses import fields, replace
from typing import Any

import dask.array as da
import numpy as np
import pytest

from latviz import scale
from latviz.core import DiscreteModel, GaussianModel, ParameterError
from latviz.core.data.encoding import Encoding
from latviz.core.model.fitting import FitSettings
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import python_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

RNG = np.random.default_rng(29)
PIXELS = np.kron(RNG.integers(0, 3, (6, 7)), np.full((5, 5), 80)) + RNG.integers(0, 60, (30, 35))
PICTURE = Picture(PIXELS.astype(np.uint8), "blocks")
BASE = Parameters(Encoding("quantiles", 4), n_states=3, window=2, learning_window=1)
CHANGES: dict[str, dict[str, Any]] = {
    "n_states": {"n_states": 5},
    "window": {"window": 4},
    "codebook_window": {"learning_window": 3},
    "smoothing": {"smoothing": 2.5},
}
"""For each setting a parameter of the window that changes it."""


def framed(parameters: Parameters) -> Frame:
    return new_frame(PICTURE, parameters, complete=True, needs=frozenset())


def in_order(frame: Frame, model: DiscreteModel | GaussianModel) -> tuple[Any, Any]:
    """Return A and the codebook of a model in the order of the colours of a frame."""
    order = np.argsort(frame.row_slots)
    return model.A[np.ix_(order, order)], model.codebook[order]


def arguments(settings: FitSettings) -> dict[str, Any]:
    return {f.name: getattr(settings, f.name) for f in fields(settings)}


def test_every_setting_is_tried() -> None:
    assert set(CHANGES) == {f.name for f in fields(FitSettings)}


@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_fits_take_every_setting(kind: Any) -> None:
    names = {f.name for f in fields(FitSettings)}
    assert names <= inspect.signature(kind.fit).parameters.keys()
    assert names <= inspect.signature(scale.fit).parameters.keys()
    of_states = names - {"n_states", "codebook_window"}
    assert of_states <= inspect.signature(kind.from_states).parameters.keys()


@pytest.mark.parametrize("encoding", [Encoding("quantiles", 4), Encoding("grey", scaled=False)])
@pytest.mark.parametrize("name", [*CHANGES, None])
def test_the_window_the_core_and_dask_fit_alike(name: str | None, encoding: Encoding) -> None:
    parameters = replace(BASE, encoding=encoding, **CHANGES.get(name or "", {}))
    frame, settings = framed(parameters), parameters.fit
    values, discrete = frame.observations.values, frame.observations.discrete
    kind = DiscreteModel if discrete else GaussianModel
    of_kind: dict[str, Any] = {"n_symbols": 4} if discrete else {}
    model = kind.fit(values, **of_kind, **arguments(settings))
    chunks = da.from_array(values, chunks=(16, 16, *values.shape[2:]))
    by_dask = scale.fit(
        chunks, kind=kind.kind, sample=PIXELS.size, **of_kind, **arguments(settings)
    )
    for other in (model, by_dask):
        own = frame.model.A, frame.codebook
        for found, wanted in zip(in_order(frame, other), own, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
    if name is not None and not (name == "smoothing" and not discrete):
        before = framed(replace(BASE, encoding=encoding))
        assert not np.array_equal(before.model.A, frame.model.A)


@pytest.mark.parametrize("name", CHANGES)
def test_the_script_says_every_setting(name: str) -> None:
    parameters = replace(BASE, **CHANGES[name])
    value = getattr(parameters.fit, name)
    assert f"{name}={value!r}" in python_of(framed(parameters))


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"n_states": 0}, "n_states"),
        ({"window": -1}, "window"),
        ({"codebook_window": 1.5}, "codebook_window"),
        ({"smoothing": -0.1}, "smoothing"),
    ],
)
def test_refused(settings: dict[str, Any], error: str) -> None:
    with pytest.raises(ParameterError, match=error):
        FitSettings(**{"n_states": 3, "window": 1, **settings})
