"""The table of kept selections, against plain loops, and their files."""

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from latviz.collection.selection_writing import write_selections
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import ExportError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.frames.selection_table import described, kept_table
from latviz.engine.geometry.projection import Projection
from latviz.engine.geometry.selection import (
    ConnectedSelection,
    Kept,
    PairSelection,
    RangeSelection,
    RegionSelection,
    StateSelection,
    SymbolSelection,
)
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State

rng = np.random.default_rng(20)
CODING = Encoding("quantiles", 3)
PARAMETERS = Parameters(CODING, n_states=3, window=2)
ONE, TWO = (
    Picture(rng.integers(0, 256, shape).astype(np.uint8), name)
    for shape, name in (((20, 30), "one"), ((26, 17), "two"))
)
BOTH = PictureSet((ONE, TWO))
TRIANGLE = ((0.1, 0.05), (0.8, 0.1), (0.4, 0.9))
KEPT = (
    Kept("a state", StateSelection(0), CODING),
    Kept("a lasso", RegionSelection(TRIANGLE), CODING),
    Kept("a range", RangeSelection("likelihood", -3.0, -1.5), CODING),
    Kept("pairs", PairSelection(0, 1), CODING),
    Kept("a symbol", SymbolSelection(1, 2), CODING),
    Kept("a region", ConnectedSelection((3, 4)), CODING, "one"),
    Kept("of another encoding", StateSelection(0), Encoding("grey")),
    Kept("nothing", StateSelection(77), CODING),
)


def frame_of(pictures: Any = BOTH, parameters: Parameters = PARAMETERS, **options: Any) -> Frame:
    asked = {"kept": KEPT, "needs": frozenset({"kept_statistics", "kept_lit", "evaluation"})}
    return Pipeline().run(Request(1, pictures, parameters, complete=True, **{**asked, **options}))


@pytest.fixture(scope="module", params=[0, 1], ids=["one", "two"])
def frame(request: pytest.FixtureRequest) -> Frame:
    return frame_of(BOTH.showing(request.param))


def lit_alone(frame: Frame, kept: Kept) -> np.ndarray:
    """Return the pixels of a selection that is highlighted alone."""
    request = replace(frame.request, selection=kept.selection, kept=())
    lit = Pipeline().run(replace(request, needs=frozenset())).lit
    return lit.mask


def test_what_is_known_of_each(frame: Frame) -> None:
    picture, evaluation = frame.request.picture, frame.evaluation
    nats = evaluation.node_log_likelihood[0]
    found = dict(described(frame))
    here = [k for k in KEPT if k.picture in ("", picture.name) and k.encoding == CODING]
    assert list(found) == here
    for kept, statistics in found.items():
        mask = lit_alone(frame, kept)
        nodes = [(y, x) for y in range(mask.shape[0]) for x in range(mask.shape[1]) if mask[y, x]]
        assert statistics.n_nodes == len(nodes)
        assert statistics.share == len(nodes) / picture.n_nodes
        counts = [sum(frame.states[node] == k for node in nodes) for k in range(3)]
        assert statistics.states.tolist() == counts
        if not nodes:
            assert statistics.box is statistics.color is None
            assert math.isnan(statistics.bits)
            continue
        grey = sum(int(picture.pixels[node]) for node in nodes) / len(nodes)
        assert statistics.color == (round(grey),) * 3
        bits = sum(float(nats[node]) for node in nodes) / len(nodes) / math.log(2)
        assert statistics.bits == pytest.approx(bits, rel=1e-6)
        rows, columns = zip(*nodes, strict=True)
        assert statistics.box == ((min(rows), max(rows)), (min(columns), max(columns)))
    assert found[KEPT[0]].n_nodes > 0
    assert 0 < found[KEPT[1]].n_nodes < picture.n_nodes


def test_a_lasso_is_the_same_part_of_signature_space_in_all_pictures() -> None:
    """Directions that follow from signatures follow from those of all pictures."""
    asked = {"projection": Projection("principal"), "needs": frozenset({"space"})}
    parameters = replace(PARAMETERS, encoding=Encoding("quantiles", 5))
    one, two = (frame_of(BOTH.showing(k), parameters, **asked).space.corners for k in range(2))
    assert one is not None
    np.testing.assert_array_equal(one, two)


def test_what_is_kept_costs_what_it_adds() -> None:
    pipeline = Pipeline()
    request = frame_of().request
    pipeline.run(request)
    assert not pipeline.run(request).timings
    fewer = replace(request, kept=KEPT[:3])
    assert not pipeline.run(fewer).timings
    more = replace(request, kept=(*KEPT[:3], Kept("more", StateSelection(2), CODING)))
    assert set(pipeline.run(more).timings) == {"lit state", "selection statistics"}
    lit = replace(more, selection=StateSelection(1))
    assert set(pipeline.run(lit).timings) == {"lit state"}


def test_the_table_has_a_row_for_each_in_each_picture(frame: Frame) -> None:
    names, rows = kept_table([frame])
    assert names[:8] == ["Picture", "Selection", "Pixels", "Share", "Red", "Green", "Blue", "Bits"]
    assert names[8:12] == ["First row", "Last row", "First column", "Last column"]
    assert names[12:] == [f"Share of state {k}" for k in (1, 2, 3)]
    assert all(len(row) == len(names) for row in rows)
    assert [row[1] for row in rows] == [kept.name for kept, _ in described(frame)]
    assert rows[-1] == [frame.request.picture.name, "nothing", 0, 0.0, *[""] * 11]


def test_positions_and_slices_are_counted_from_1() -> None:
    for dimensions, shape, wanted in ((1, (40,), (1, 40)), (3, (4, 9, 8), (1, 4, 0, 8, 0, 7))):
        pixels = rng.integers(0, 3, shape).astype(np.uint8)
        alphabet = ("a", "b", "c") if dimensions == 1 else ()
        picture = Picture(pixels, "p", dimensions=dimensions, alphabet=alphabet)
        encoding = Encoding("labels") if alphabet else CODING
        everywhere = Kept("all", RangeSelection("inertia", 0.0, 2.0), encoding)
        parameters, needs = Parameters(encoding, n_states=2, window=1), {"kept_statistics"}
        frame = frame_of(picture, parameters, kept=(everywhere,), needs=frozenset(needs))
        names, (row,) = kept_table([frame])
        assert tuple(row[8 : 8 + 2 * dimensions]) == wanted, names


# Files


def session(kept: tuple[Kept, ...] = KEPT) -> Session:
    return Session(State(parameters=PARAMETERS, kept=kept))


def test_the_table_over_all_pictures(tmp_path: Path) -> None:
    write_selections(tmp_path / "a.csv", BOTH, session())
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Picture"] for row in rows] == ["one"] * 7 + ["two"] * 6
    for row in rows:
        frame = frame_of(BOTH.showing(int(row["Picture"] == "two")))
        kept = next(kept for kept in KEPT if kept.name == row["Selection"])
        assert int(row["Pixels"]) == lit_alone(frame, kept).sum()


def test_masks_over_all_pictures(tmp_path: Path) -> None:
    write_selections(tmp_path / "a.npz", BOTH, session())
    found: Any = np.load(tmp_path / "a.npz")
    assert found["selections"].tolist() == [kept.name for kept in KEPT]
    assert found["pictures"].tolist() == ["one", "two"]
    for number, picture in enumerate(BOTH.members):
        masks = found[f"masks_{number}"]
        assert masks.shape == (len(KEPT), *picture.shape)
        frame = frame_of(BOTH.showing(number))
        for kept, mask in zip(KEPT, masks, strict=True):
            means = kept.means_something(CODING, picture.name)
            wanted = lit_alone(frame, kept) if means else np.zeros(picture.shape, bool)
            np.testing.assert_array_equal(mask, wanted)


def test_a_mask_alone_has_the_name_that_was_asked_for(tmp_path: Path) -> None:
    write_selections(tmp_path / "a.png", as_set(ONE), session(KEPT[1:2]))
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == "L"
        mask = np.asarray(image)
    np.testing.assert_array_equal(mask, 255 * lit_alone(frame_of(ONE), KEPT[1]))


def test_several_masks_have_names_of_their_own(tmp_path: Path) -> None:
    kept = (KEPT[0], replace(KEPT[1], name="a/lasso"), KEPT[5])
    write_selections(tmp_path / "a.png", BOTH, session(kept))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a-1-1-a state.png",
        "a-1-2-a-lasso.png",
        "a-1-3-a region.png",
        "a-2-1-a state.png",
        "a-2-2-a-lasso.png",
    ]


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"\.csv"):
        write_selections(tmp_path / "a.txt", BOTH, session())


def test_it_can_be_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    told: list[float] = []
    watch = Watch(lambda: len(told) > 1, told.append)
    with pytest.raises(Cancelled):
        write_selections(tmp_path / "a.npz", BOTH, session(), watch)
    assert not list(tmp_path.iterdir())
    write_selections(tmp_path / "a.csv", BOTH, session(), Watch(lambda: False, told.append))
    assert told[-1] == 1.0


def test_a_picture_that_cannot_be_encoded_so_is_told(tmp_path: Path) -> None:
    wrong = Session(State(parameters=Parameters(Encoding("labels")), kept=KEPT))
    with pytest.raises(ParameterError):
        write_selections(tmp_path / "a.csv", BOTH, wrong)
