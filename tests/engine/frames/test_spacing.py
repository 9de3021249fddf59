"""Windows of voxels that are further apart along one axis: frames, and their scripts."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tifffile

from latviz.collection.models import model_of
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import EXPORTED, Frame, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.script import python_of
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import read_picture

SYMBOLS = Parameters(Encoding("quantiles", 4), n_states=3, window=4)
VECTORS = replace(SYMBOLS, encoding=Encoding("grey"), alpha_mode="local", alpha=0.6)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    """A stack as ImageJ writes it, whose slices are 2 µm apart and pixels .25 µm wide."""
    rng = np.random.default_rng(2)
    blobs = np.kron(rng.integers(0, 3, (4, 5, 6)), np.ones((2, 6, 5)))
    values = (60 * blobs + rng.integers(0, 60, blobs.shape)).astype(np.uint8)
    path = tmp_path_factory.mktemp("stack") / "a.tif"
    facts = {"spacing": 2.0, "unit": "um", "axes": "ZYX"}
    tifffile.imwrite(path, values, imagej=True, resolution=(4.0, 4.0), metadata=facts)
    return read_picture(path)


def framed(picture: Picture, parameters: Parameters, **more: Any) -> Frame:
    asked = {
        "complete": True,
        "needs": EXPORTED | {"node_map", "inertia"},
        "map": "inertia",
        **more,
    }
    return Pipeline().run(Request(picture, parameters, **asked))


@pytest.mark.parametrize("decoder", ["nearest", "belief", "refined"])
@pytest.mark.parametrize("parameters", [SYMBOLS, VECTORS], ids=["symbols", "vectors"])
def test_its_script_makes_it_again(stack: Picture, parameters: Parameters, decoder: str) -> None:
    frame = framed(stack, replace(parameters, decoder=decoder))
    assert frame.model.spacing == stack.spacing == (2.0, 0.25, 0.25)
    window = inspect(frame, (4, 9, 9)).window
    assert [side.stop - side.start for side in window] == [1, 9, 9]
    assert_same(frame)


def test_a_model_that_is_applied_keeps_its_windows(stack: Picture) -> None:
    frame = framed(stack, SYMBOLS)
    applied = framed(
        replace(stack, spacing=()), Parameters(window=4), given=model_of(frame, "a.npz")
    )
    np.testing.assert_array_equal(applied.states, frame.model.decode(applied.observations.values))
    assert_same(applied)


def assert_same(frame: Frame) -> None:
    """Run the script of a frame, and compare."""
    made: dict[str, Any] = {}
    exec(python_of(frame), made)
    np.testing.assert_array_equal(made["states"], frame.states)
    np.testing.assert_allclose(made["A"], frame.model.A, rtol=1e-9, atol=1e-12)
    wanted = frame.evaluation.log_likelihood
    assert made["score"].log_likelihood == pytest.approx(wanted, rel=1e-9)


def test_slices_apart_and_pictures_of_other_spacings_have_square_windows(stack: Picture) -> None:
    assert framed(stack.sliced(True), SYMBOLS).model.spacing is None
    other = replace(stack, pixels=stack.pixels.copy(), spacing=(1.0, 0.25, 0.25))
    assert PictureSet((stack, other)).spacing is None
    assert PictureSet((stack, replace(other, spacing=stack.spacing))).spacing == stack.spacing
