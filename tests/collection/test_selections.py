"""Selections over all files of a shelf, against the frames that the window shows of each."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from latviz.collection.models import model_of
from latviz.collection.reading import Opened, find, read_learned, show
from latviz.collection.selection_writing import write_selections
from latviz.core import threads
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import ExportError
from latviz.core.progress import Cancelled
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Watch
from latviz.engine.frames.requests import request_for
from latviz.engine.geometry.projection import Projection
from latviz.engine.geometry.selection import (
    ConnectedSelection,
    Kept,
    RangeSelection,
    RegionSelection,
    StateSelection,
)
from latviz.engine.keeping.session import Session
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.collection.pictures import write_noisy

CODING = Encoding("quantiles", 4)
LASSO = RegionSelection(((-0.5, -0.4), (0.5, -0.3), (0.1, 0.6)), Projection("principal"))
KEPT = (
    Kept("a state", StateSelection(0), CODING),
    Kept("a lasso", LASSO, CODING),
    Kept("a range", RangeSelection("likelihood", -3.0, -1.5), CODING),
    Kept("a region", ConnectedSelection((3, 4)), CODING, "image 1.png"),
)
N_READABLE = 4


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Four images, of which two are learned from, and one that is none between them."""
    folder = tmp_path_factory.mktemp("images")
    write_noisy(folder, N_READABLE)
    (folder / "image 1 damaged.png").write_bytes(b"no image")
    found = find([folder]).shelf
    assert found is not None
    readable = [k for k, entry in enumerate(found.entries) if "damaged" not in entry.name]
    return read_learned(found.ticking(readable[::2]).showing(readable[0]))


@pytest.fixture
def session(opened: Opened) -> Session:
    parameters = Parameters(CODING, n_states=3, window=2)
    return Session(State(parameters=parameters, kept=KEPT, shelf=opened.shelf))


def masks_on_screen(opened: Opened, session: Session, index: int) -> dict[str, np.ndarray]:
    """Return the masks that the window lights in a file, one after the other."""
    pictures, found = show(opened.shelf, opened.pictures, index).pictures, {}
    for kept in session.state.kept:
        request = replace(request_for(session.shown, pictures), selection=kept.selection)
        frame = Pipeline().run(request)
        assert frame.lit is not None
        means = kept.means_something(CODING, pictures.picture.name)
        found[kept.name] = frame.lit.mask if means else np.zeros_like(frame.lit.mask)
    return found


def readable(opened: Opened) -> list[int]:
    entries = opened.shelf.entries
    return [k for k, entry in enumerate(entries) if "damaged" not in entry.name]


def test_masks_of_all_files_come_from_another_process(
    opened: Opened, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "at_once", lambda: 1)
    told: list[float] = []
    watch = Watch(lambda: False, told.append)
    write_selections(tmp_path / "a.npz", opened.pictures, session, watch)
    found: Any = np.load(tmp_path / "a.npz")
    assert told[-1] == 1.0
    assert found["selections"].tolist() == [kept.name for kept in KEPT]
    assert found["pictures"].tolist() == [entry.name for entry in opened.shelf.entries]
    some = np.zeros(len(KEPT), int)
    for k, entry in enumerate(opened.shelf.entries):
        if k not in readable(opened):
            assert "not an image" in found["problems"][k]
            assert f"masks_{k}" not in found
            continue
        assert not found["problems"][k]
        wanted = masks_on_screen(opened, session, k)
        np.testing.assert_array_equal(found[f"masks_{k}"], [*wanted.values()], entry.name)
        some += found[f"masks_{k}"].any(axis=(1, 2))
    assert some.tolist() == [N_READABLE, N_READABLE, N_READABLE, 1]  # no mask is empty by chance


@pytest.mark.usefixtures("in_this_process")
def test_the_table_has_a_row_for_each_selection_and_file(
    opened: Opened, session: Session, tmp_path: Path
) -> None:
    write_selections(tmp_path / "a.csv", opened.pictures, session)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [entry.name for entry in opened.shelf.entries]
    assert list(dict.fromkeys(row["Picture"] for row in rows)) == names
    for k, name in enumerate(names):
        of_file = [row for row in rows if row["Picture"] == name]
        if k not in readable(opened):
            (row,) = of_file
            assert "not an image" in row["Problem"]
            continue
        wanted = masks_on_screen(opened, session, k)
        there = [kept.name for kept in KEPT if kept.picture in ("", name)]
        assert [row["Selection"] for row in of_file] == there
        for row in of_file:
            mask = wanted[row["Selection"]]
            assert (row["Problem"], int(row["Pixels"])) == ("", mask.sum())
            assert float(row["Share"]) == pytest.approx(mask.mean())


@pytest.mark.usefixtures("in_this_process")
def test_each_file_has_its_own_masks_and_failures_are_told(
    opened: Opened, session: Session, tmp_path: Path
) -> None:
    one = replace(session, state=replace(session.state, kept=KEPT[:1]))
    with pytest.raises(ExportError, match=r"1 of 5 images.*image 1 damaged\.png: .*not an image"):
        write_selections(tmp_path / "a.png", opened.pictures, one)
    entries = opened.shelf.entries
    names = {k: f"a-{k + 1}-{Path(entries[k].name).stem}.png" for k in readable(opened)}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names.values())
    for k, name in names.items():
        with Image.open(tmp_path / name) as image:
            wanted = masks_on_screen(opened, one, k)["a state"]
            np.testing.assert_array_equal(np.asarray(image), 255 * wanted)


@pytest.mark.usefixtures("in_this_process")
def test_a_given_model_decodes_all_files(opened: Opened, session: Session, tmp_path: Path) -> None:
    learned: Frame = Pipeline().run(request_for(session.shown, opened.pictures))
    given = model_of(learned, "kept")
    state = replace(session.state, given=given, looks=Looks(), kept=KEPT[:1])
    write_selections(tmp_path / "a.npz", opened.pictures, replace(session, state=state))
    found: Any = np.load(tmp_path / "a.npz")
    for k in readable(opened):
        wanted = masks_on_screen(opened, session, k)["a state"]
        np.testing.assert_array_equal(found[f"masks_{k}"][0], wanted)


@pytest.mark.usefixtures("in_this_process")
def test_it_can_be_cancelled_and_leaves_nothing(
    opened: Opened, session: Session, tmp_path: Path
) -> None:
    told: list[float] = []
    watch = Watch(lambda: len(told) > 1, told.append)
    with pytest.raises(Cancelled):
        write_selections(tmp_path / "a.npz", opened.pictures, session, watch)
    assert not list(tmp_path.iterdir())
