"""Parts of a level: the same states are written for any surroundings."""

import threading

import numpy as np
import pytest

from latviz.core import Encoding, FitSettings
from latviz.core.progress import Cancelled
from latviz.files.pyramids import open_pyramid
from latviz.wings.scale import parts, writing
from latviz.wings.scale.decoding import decode_file, learn
from latviz.wings.scale.schedulers import reported
from latviz.wings.scale.settings import HowDecoded
from tests.core.cases import blocky
from tests.files.test_pyramids import VERSIONS, image_at
from tests.wings.scale.cases import states_in

REGIONS = [
    (slice(0, 1), slice(0, 1)),
    (slice(40, 61), slice(30, 83)),
    (slice(87, 100), slice(70, 90)),
    (slice(0, 100), slice(31, 33)),
]
"""A corner, a part of several chunks, the other corner, a stripe from end to end."""
SETTINGS = {
    "symbols": HowDecoded(encoding=Encoding("palette", 5), fit=FitSettings(3, 2)),
    "vectors": HowDecoded(encoding=Encoding("lab"), fit=FitSettings(4, 4, 2)),
    "channels": HowDecoded(encoding=None, fit=FitSettings(3, 3)),
    "likelihood": HowDecoded(encoding=Encoding("lab"), fit=FitSettings(3, 2), decoder="likelihood"),
    "belief": HowDecoded(encoding=Encoding("palette", 5), fit=FitSettings(3, 2), decoder="belief"),
    "filters": HowDecoded(encoding=Encoding("texture"), fit=FitSettings(3, 2)),
}


class Patient:
    """Never cancels, and records its reports."""

    def __init__(self):
        self.told = []

    def report(self, fraction):
        self.told.append(fraction)

    def cancelled(self):
        return False


class Hasty(Patient):
    def cancelled(self):
        return True


@pytest.fixture(scope="module")
def slide(tmp_path_factory):
    """Three noisy colours, at three levels, in chunks of 16 x 16."""
    fields = [blocky((1, 1, 1, 100, 90), 4, seed, noise=0.2, block=20) for seed in (1, 2, 3)]
    values = (50 * np.concatenate(fields, axis=1) + 20).astype(np.uint8)
    path = tmp_path_factory.mktemp("slide") / "slide.zarr"
    return open_pyramid(image_at(path, values, VERSIONS["0.5"][1]))


@pytest.fixture(scope="module", autouse=True)
def several_chunks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "HELD", 3 << 12)
        patch.setattr(parts, "TILE", 3000)
        patch.setattr(parts, "PLACES", 2)
        yield


@pytest.fixture(scope="module")
def symbols(slide, several_chunks):
    found = learn(slide, SETTINGS["symbols"], Patient())
    assert found.image.numblocks == (2, 2, 1)
    return found


@pytest.mark.parametrize("name", SETTINGS)
def test_a_part_is_what_is_written_there(slide, name, tmp_path):
    found = learn(slide, SETTINGS[name], Patient())
    decode_file(tmp_path / "s.zarr", slide, SETTINGS[name], Patient(), found)
    written = states_in(open_pyramid(tmp_path / "s.zarr"))
    assert len(np.unique(written)) == SETTINGS[name].fit.n_states
    for region in REGIONS:
        assert np.array_equal(parts.part_states(found, region, Patient()), written[region])
    spread = parts.spread_states(found, Patient())
    assert np.array_equal(spread.states, written[spread.nodes])
    for axis, length in zip(spread.nodes, written.shape, strict=True):
        assert np.bincount(axis // (length // 4), minlength=4)[[0, -1]].min() > 0


def test_what_was_learned_is_not_learned_again(slide, symbols, tmp_path, monkeypatch):
    monkeypatch.setattr("latviz.wings.scale.decoding.prepare", None)
    progress, settings = Patient(), symbols.settings
    assert decode_file(tmp_path / "s.zarr", slide, settings, progress, symbols) is symbols
    states = states_in(open_pyramid(tmp_path / "s.zarr"))
    assert np.array_equal(states, symbols.states.compute(scheduler="sync"))
    assert progress.told[-1] == 1.0


def test_a_part_is_given_up(symbols):
    with pytest.raises(Cancelled):
        parts.part_states(symbols, REGIONS[1], Hasty())


def test_one_thread_does_not_hear_of_what_another_computes(symbols):
    result, progress = [], Hasty()
    other = threading.Thread(
        target=lambda: result.append(parts.part_states(symbols, REGIONS[1], Patient()))
    )
    with reported(progress):
        other.start()
        other.join()
    assert result[0].shape == (21, 53)
    assert progress.told == []
