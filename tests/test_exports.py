"""Exported arrays hold all that their states are computed from, and large arrays only if asked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz import exports
from latviz.core import load_encoder, load_extra, load_model
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import ExportError
from latviz.engine.keeping.results import arrays
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.exports import export_frame
from tests.core import cases
from tests.new_frames import exported_frame

SEEN = np.random.default_rng(5).random((18, 22)) < 0.8
COLOURS = np.clip(128 + 30 * cases.vectors((18, 22), 3, 32), 0, 255).astype(np.uint8)
VOLUME = np.clip(128 + 30 * cases.vectors((4, 7, 9), 3, 33), 0, 255).astype(np.uint8)
LETTERS = Picture(cases.blocky((70,), 4, 31), "s", dimensions=1, alphabet=tuple("abcd"))
CASES = [
    (Picture(COLOURS, "i"), Encoding("palette", 4), {"second_window": 4}),
    (Picture(COLOURS, "i"), Encoding("rgb"), {"decoder": "refined"}),
    (Picture(COLOURS, "i"), Encoding("palette", 4), {"decoder": "scales", "n_states": 4}),
    (Picture(COLOURS, "i", known=SEEN), Encoding("lab"), {"decoder": "belief"}),
    (Picture(VOLUME, "v", dimensions=3).sliced(True), Encoding("grey"), {"decoder": "belief"}),
    (Picture(VOLUME, "v", dimensions=3), Encoding("palette", 4), {"smoothing": 0.5}),
    (LETTERS, Encoding("labels"), {"decoder": "refined"}),
]


@pytest.mark.parametrize(("picture", "encoding", "fields"), CASES)
def test_states_are_computed_again_from_the_file(
    picture: Picture,
    encoding: Encoding,
    fields: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = exported_frame(picture, Parameters(encoding, **{"n_states": 3, "window": 2, **fields}))
    place = tmp_path / "a.npz"
    export_frame(frame, place)
    with np.load(place) as small:
        np.testing.assert_array_equal(small["observations"], frame.observations.values)
    monkeypatch.setattr(exports, "SMALL", frame.n_nodes - 1)
    export_frame(frame, place)
    model, encoder, extra = load_model(place), load_encoder(place), load_extra(place)
    assert encoder is not None
    with np.load(place) as stored:
        states = stored["states"]
        assert set(stored.files) == {"header", *arrays(frame)}
        assert not {"observations", "node_log_likelihood"} & {*stored.files}
    np.testing.assert_array_equal(states, frame.states)
    values = encoder.encode(picture.pixels).values
    lattices, known = ([*values], [*(states < 255)]) if picture.apart else (values, states < 255)
    again = model.decode(lattices, mask=known, **extra["decode"])
    np.testing.assert_array_equal(again, states)
    export_frame(frame, tmp_path / "a.large.npz")
    with np.load(tmp_path / "a.large.npz") as stored:
        np.testing.assert_array_equal(stored["observations"], frame.observations.values)
        assert stored["node_log_likelihood"].shape == states.shape


def test_a_file_that_cannot_be_written_is_an_export_error(tmp_path: Path) -> None:
    frame = exported_frame(Picture(COLOURS, "i"), Parameters(n_states=2, window=1))
    with pytest.raises(ExportError):
        export_frame(frame, tmp_path / "missing" / "a.npz")
