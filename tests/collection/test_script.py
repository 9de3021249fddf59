"""Scripts of frames of a shelf, and of applied models, run as a user runs them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz.collection.models import model_of
from latviz.collection.reading import find, read_learned, show
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import EXPORTED, Frame, Request
from latviz.engine.frames.script import python_of
from latviz.engine.keeping.results import summary
from latviz.engine.pictures import shelf as shelves
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.parameters import Parameters
from tests.collection.pictures import write_noisy


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    write_noisy(tmp_path, 3, labels=True)
    monkeypatch.setattr(shelves, "MOST_LEARNED", 2 * 900)
    monkeypatch.setattr(shelves, "LEAST_SIDE", 4)
    found = find([tmp_path]).shelf
    assert found is not None
    return found


def framed(pictures: PictureSet, parameters: Parameters, **more: Any) -> Frame:
    asked = {"complete": True, "needs": EXPORTED, **more}
    return Pipeline().run(Request(pictures, parameters, **asked))


def assert_same(frame: Frame) -> None:
    made: dict[str, Any] = {}
    exec(python_of(frame), made)
    np.testing.assert_array_equal(made["states"], frame.states)
    np.testing.assert_allclose(made["A"], frame.model.A, rtol=1e-9, atol=1e-12)
    wanted = frame.evaluation.log_likelihood
    assert made["score"].log_likelihood == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("ticked", [(0, 1), (2,)])
@pytest.mark.parametrize("decoder", ["nearest", "refined"])
def test_a_shelf(shelf: Shelf, ticked: tuple[int, ...], decoder: str) -> None:
    parameters = Parameters(Encoding("quantiles", 4), n_states=3, window=2, decoder=decoder)
    opened = read_learned(shelf.ticking(ticked))
    assert_same(framed(show(opened.shelf, opened.pictures, 2).pictures, parameters))


@pytest.mark.parametrize("encoding", ["quantiles", "grey"])
@pytest.mark.parametrize("decoder", ["nearest", "belief"])
def test_a_model_that_is_applied(shelf: Shelf, encoding: str, decoder: str) -> None:
    parameters = Parameters(Encoding(encoding), n_states=3, window=2)
    opened = read_learned(shelf.ticking([0]))
    given = model_of(framed(opened.pictures, parameters), "bones.npz")
    pictures = show(opened.shelf, opened.pictures, 1).pictures
    frame = framed(pictures, Parameters(window=1, decoder=decoder), given=given)
    assert_same(frame)
    assert summary(frame)["learned_from"]["model"] == "bones.npz"
