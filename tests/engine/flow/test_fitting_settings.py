"""One value describes how a model is fitted, and every part uses it."""

from dataclasses import dataclass, field, fields, replace
from inspect import signature
from typing import Any

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    FitSettings,
    GaussianModel,
    ParameterError,
    as_data_set,
    noise_indices,
    sweep,
)
from latviz.core.data.encoding import Encoding
from latviz.core.model import fitting, lattice_model, models
from latviz.core.parameter import parameter
from latviz.engine.flow.stages import learning
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import python_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
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
OF_PICTURES = {"spacing"}
"""Settings that pictures have instead: tests/engine/frames/test_spacing.py tries them."""


def framed(parameters: Parameters) -> Frame:
    return new_frame(PICTURE, parameters, complete=True, needs=frozenset())


def arguments(settings: FitSettings) -> dict[str, Any]:
    return {f.name: getattr(settings, f.name) for f in fields(settings)}


def test_every_setting_is_tried() -> None:
    assert set(CHANGES) | OF_PICTURES == {f.name for f in fields(FitSettings)}


@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_settings_are_one_value_or_keywords(kind: Any) -> None:
    values = PIXELS // 80 if kind is DiscreteModel else PIXELS[..., None].astype(float)
    data, whole = as_data_set(values, kind=kind.kind), FitSettings(3, 2, 1, 0.5)
    model = kind.fit(values, settings=whole)
    assert model == kind.fit(values, n_states=3, window=2, codebook_window=1, smoothing=0.5)
    assert model == kind.fit(values, settings=FitSettings(9, 2, 1), n_states=3, smoothing=0.5)
    states = [kind.fit(values, settings=whole, smoothing=0.0).decode(values)]
    codebook = kind.fit(values, settings=whole, smoothing=0.0).codebook
    parts = {"codebook": codebook, "states": states}
    assert kind.from_states(data, **parts, settings=whole) == model
    assert kind.from_states(data, **parts, window=2, smoothing=0.5) == model
    for refused, error in (({"n_state": 3}, TypeError), ({"settings": 3}, ParameterError)):
        with pytest.raises(error, match=r"n_state|settings must be FitSettings, got 3"):
            kind.fit(values, **refused)


def test_settings_but_n_and_w_are_keywords_of_what_has_its_own() -> None:
    shared = {one.name for one in fields(FitSettings)} - {"n_states", "window"}
    for function in (sweep, DiscreteModel.recounted):
        taken = signature(function).parameters.keys() - {"n_states"}  # which `sweep` has several of
        assert taken & (set(CHANGES) | OF_PICTURES) == shared


@pytest.mark.parametrize("name", CHANGES)
def test_the_script_says_every_setting(name: str) -> None:
    parameters = replace(BASE, **CHANGES[name])
    value = getattr(parameters.fit, name)
    assert f"{name}={value!r}" in python_of(framed(parameters))


@dataclass(frozen=True)
class ToyFit(FitSettings):
    """The settings, and a made-up one: the first of its two places."""

    pull: float = field(default=0.0, metadata={"check": float})


@dataclass(frozen=True)
class Toy(Parameters):
    """The parameters, and the made-up one: the second of its two places."""

    pull: float = parameter(
        0.0,
        label="Pull",
        tip="What is added to the diagonal of A",
        group="Model",
        bounds=(0.0, 9.0),
        decimals=1,
        learned=True,
    )


def pull(monkeypatch: pytest.MonkeyPatch, *readers: object) -> None:
    """Make modules fit with the made-up setting."""

    def pulled(settings: Any, *rest: Any) -> dict[str, Any]:
        parts = discrete_parts(settings, *rest)
        return {**parts, "A": parts["A"] + settings.pull * np.eye(len(parts["A"]))}

    discrete_parts = models.discrete_parts
    monkeypatch.setattr(fitting, "FitSettings", ToyFit)
    monkeypatch.setattr(lattice_model, "FitSettings", ToyFit)
    for reader in readers:
        monkeypatch.setattr(reader, "discrete_parts", pulled)


def test_a_made_up_parameter_of_a_fit_has_two_places(monkeypatch, tmp_path) -> None:
    pull(monkeypatch, models, learning)
    plain, toy = (Toy(**vars(BASE), pull=pull) for pull in (0.0, 2.5))
    frame = framed(toy)
    wanted = framed(plain).model.A + 2.5 * np.eye(3)
    np.testing.assert_allclose(frame.model.A, wanted, rtol=1e-12)
    # Copy as Python
    monkeypatch.chdir(tmp_path)
    np.save("image.npy", PICTURE.pixels)
    script: dict[str, Any] = {}
    exec(python_of(frame), script)
    np.testing.assert_allclose(script["A"], wanted, rtol=1e-9)
    np.testing.assert_array_equal(script["states"], frame.states)
    # The model of a map that windows alone do not give
    values, states = frame.observations.values, frame.states
    counted = [frame.model.recounted(values, states=states, pull=pull).A for pull in (0.0, 2.5)]
    np.testing.assert_allclose(counted[1], counted[0] + 2.5 * np.eye(3), rtol=1e-12)
    # Noise
    noise = [
        noise_indices(frame.observations.values, settings=one.fit, n_orders=1)
        for one in (plain, toy)
    ]
    assert noise[1].associativity > noise[0].associativity
    # A model that is applied has its own
    given = Given(frame.model, frame.observations.encoder, "toy")
    applied = State(parameters=toy).applying(given)
    assert applied.parameters == given.admitted(plain)
    assert "pull" in applied.locked


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
