"""Models that are saved from a frame, read again and applied."""

from pathlib import Path

import numpy as np
import pytest

from latviz.collection.models import model_of, read_model, write_model
from latviz.core import load_encoder, load_model, save_model
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from tests.collection.pictures import noisy, truth_of

PICTURE = Picture(noisy(truth_of(0), 0), "one")
OTHER = Picture(noisy(truth_of(1), 1), "other")


@pytest.mark.parametrize("encoding", ["quantiles", "grey"])
def test_what_is_saved_is_applied(tmp_path: Path, encoding: str) -> None:
    parameters = Parameters(Encoding(encoding), n_states=3, window=2)
    looks = Looks(own=(Look(1, "bone", "#102030"),))
    frame = Pipeline().run(Request(PICTURE, parameters, complete=True, looks=looks))
    path = tmp_path / "bones.npz"
    write_model(path, model_of(frame))
    given = read_model(path)
    assert (given.name, given.slots, given.looks) == ("bones.npz", frame.slots, looks)
    core, encoder = load_model(path), load_encoder(path)
    applied = Pipeline().run(
        Request(OTHER, Parameters(window=2), given=given, looks=looks, number=2)
    )
    expected = core.decode(encoder.encode(OTHER.pixels).values, window=2)
    np.testing.assert_array_equal(applied.states, expected)
    np.testing.assert_array_equal(applied.colors, frame.colors)
    again = Pipeline().run(Request(PICTURE, Parameters(window=2), given=given, number=3))
    np.testing.assert_array_equal(again.states, frame.states)


def test_what_cannot_be_applied_says_why(tmp_path: Path) -> None:
    frame = Pipeline().run(Request(PICTURE, Parameters(), complete=True))
    path = tmp_path / "model.npz"
    save_model(frame.model, path)
    with pytest.raises(ParameterError, match="has no encoder"):
        read_model(path)
    encoder = frame.observations.encoder
    save_model(frame.model, path, encoder=encoder)
    assert read_model(path).slots == (0, 1, 2, 3)
    save_model(frame.model, path, encoder=encoder, extra={"slots": [3, 2, 1, 0]})
    with pytest.raises(ParameterError, match=r"model.npz cannot be applied.*increase"):
        read_model(path)
    with pytest.raises(ParameterError, match="JSON"):
        save_model(frame.model, path, extra={"a": object()})
