"""Tables of the views' contents: the numbers themselves, to the last digit."""

import csv
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from skimage.color import rgb2lab

from latviz.app.views.spec import as_text
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import frame_of
from tests.app.shown_numbers import table
from tests.new_frames import new_frame


@pytest.fixture(scope="module", params=["camera", "lab", "one state"])
def frame(request: pytest.FixtureRequest) -> Frame:
    frame = frame_of(request.param)
    asked = replace(frame.request, needs=ALL_NEEDS, complete=True)
    return Pipeline().run(asked)


def read(view: str, frame: Frame, *nodes: tuple[int, int]) -> tuple[list[str], list[list[str]]]:
    """Copy a view, and paste it as a spreadsheet does."""
    text = as_text(table(view, frame, [inspect(frame, node) for node in nodes]))
    head, *rows = csv.reader(io.StringIO(text), delimiter="\t")
    assert all(len(row) == len(head) for row in rows)
    return head, rows


def numbers(rows: list[list[str]], first: int = 0) -> np.ndarray:
    return np.array([[float(cell) for cell in row[first:]] for row in rows])


def in_lab(frame: Frame) -> Any:
    """Return what channels are multiplied by to be in CIELAB, by scikit-image; 1 of symbols."""
    if frame.observations.discrete:
        return 1.0
    lab, seen = rgb2lab(frame.request.picture.pixels), frame.observations.values
    return (lab * seen).sum(axis=(0, 1)) / np.square(seen, dtype=float).sum(axis=(0, 1))


def test_space(frame: Frame) -> None:
    head, rows = read("space", frame)
    assert head[:3] == ["State", "x", "y"]
    np.testing.assert_array_equal(numbers(rows)[:, 1:3], frame.space.codewords)
    wanted = frame.codebook * in_lab(frame)
    np.testing.assert_allclose(numbers(rows)[:, 3:], wanted, rtol=1e-4, atol=1e-9)


def test_map_and_tree(frame: Frame) -> None:
    assert frame.dendrogram is not None
    values = numbers(read("image", frame)[1])
    assert values[:, 2].sum() + frame.node_map.n_infinite == frame.states.size
    np.testing.assert_array_equal(values[1:, 0], values[:-1, 1])
    values = numbers(read("tree", frame)[1])
    np.testing.assert_array_equal(values[:, 0], np.arange(1, frame.dendrogram.n_leaves))
    np.testing.assert_array_equal(values[:, 1], frame.dendrogram.costs[1:])


def test_pixels(frame: Frame) -> None:
    nodes = [(0, 0), (17, 30)]
    (pin, *head), numbered = read("pixel", frame, *nodes)
    rows = [row[1:] for row in numbered]
    assert [pin, *(row[0] for row in numbered)] == ["Pin", "P1", "P2"]
    discrete = frame.observations.discrete
    for node, row in zip(nodes, rows, strict=True):
        found, cells = inspect(frame, node), dict(zip(head, row, strict=True))
        assert (int(cells["Row"]), int(cells["Column"])) == node
        n_values = found.value.size
        np.testing.assert_array_equal(numbers([row[2 : 2 + n_values]])[0], found.value.reshape(-1))
        observed = row[2 + n_values : head.index("State")]
        if discrete:  # as the axes and the shares next to it name it
            assert observed == [frame.observations.names[int(found.observation)]]
            assert f"Share of {observed[0]}" in head
        else:
            values = numbers([observed])[0]
            wanted = np.atleast_1d(found.observation) * in_lab(frame)
            np.testing.assert_allclose(values, wanted, rtol=1e-4)
        assert int(cells["State"]) == frame.states[node] + 1
        assert float(cells["Distance"]) == found.nearest[0][1]
        assert cells["Next"] == (str(found.nearest[1][0] + 1) if len(found.nearest) > 1 else "")
        signature = numbers([row[head.index("Distance to it") + 1 :]])[0]
        wanted = found.signature * in_lab(frame)
        np.testing.assert_allclose(signature, wanted, rtol=1e-4, atol=1e-9)


def test_what_was_not_computed_has_no_table() -> None:
    picture = Picture(np.eye(40, dtype=np.uint8), "eye")
    bare = new_frame(picture, Parameters(n_states=2), needs=frozenset())
    for view in ("space", "likelihood", "tree", "image", "pixel"):
        assert table(view, bare, ()) == []
    assert len(table("indices", bare, ())) == 2
