"""What is kept of images: damaged, odd, and of one owner."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from latviz.collection.models import write_model
from latviz.core import Encoding, encode, load_model
from latviz.core.disk.errors import ExportError
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.wings.many.results.batch import DONE, Batch, KeptModels, LearnedModel
from latviz.wings.many.results.record import Record, RecordTask
from latviz.wings.many.results.store import Store
from tests.core.disk.test_writing import MODEL

RECORD = Record("a.png", 2, 3, 2, 1, (), 1.0, 1.0, -1.0, (0.5, 0.5))


def test_caches_count_as_not_there_and_records_are_refused(odd, tmp_path) -> None:
    image = tmp_path / "a.png"
    image.write_bytes(b"")
    entry, store = Entry(str(image), 0, 0), Store(tmp_path / "cache")
    store.keep(entry, RecordTask(), RECORD)
    (place,) = store.folder.rglob("*.json")
    place.unlink()
    odd(place.relative_to(tmp_path).as_posix())
    assert store.known(entry, RecordTask()) is None
    odd(f"out/{DONE}")
    batch = Batch((entry,), RecordTask(), folder=tmp_path / "out", store=store, workers=1)
    with pytest.raises(ExportError, match=DONE):  # before any work is done
        next(iter(batch.run()))


@pytest.mark.parametrize("content", ["{}", '{"mark": 3}', "[" * 100_000, "3", "{", "\0"])
def test_damaged_records_are_as_good_as_none(content: str, tmp_path: Path) -> None:
    image, store = tmp_path / "a.png", Store(tmp_path / "cache")
    image.write_bytes(b"abc")
    entry = Entry(str(image), 0, 0)
    store.keep(entry, RecordTask(), RECORD)
    assert store.known(entry, RecordTask()) == RECORD
    (place,) = store.folder.rglob("*.json")
    place.write_text(content)
    assert store.known(entry, RecordTask()) is None


@pytest.mark.posix("os.chown")
def test_what_is_cached_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        values = np.arange(64, dtype=np.uint8).reshape(8, 8)
        image = tmp_path / "a.npy"
        np.save(image, values)
        observations = encode(values, Encoding("quantiles", 2))
        given = Given(MODEL, observations.encoder, "model")
        entry, store = Entry(str(image), 0, 0), Store(tmp_path / "cache")
        KeptModels(store, Shelf((entry,)), "").keep(LearnedModel(given, Parameters()))
    finally:
        os.umask(before)
    kept = [one for one in store.folder.rglob("*") if one.is_file()]
    assert {one.parent.parent.name for one in kept} == {"models"}
    assert {stat.S_IMODE(one.stat().st_mode) for one in kept} == {0o600}
    write_model(tmp_path / "shared.npz", given)
    assert stat.S_IMODE((tmp_path / "shared.npz").stat().st_mode) == 0o666 & ~before
    assert load_model(tmp_path / "shared.npz").n_states == 2
