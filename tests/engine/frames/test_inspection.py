"""The text on a pixel, against plain loops."""

import math

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

GREY = np.ascontiguousarray(data.camera()[100:240:5, 150:330:5])
COLOUR = np.ascontiguousarray(data.astronaut()[:140:5, 100:280:5])
HEIGHT, WIDTH = GREY.shape
CORNERS = [(0, 0), (0, WIDTH - 1), (HEIGHT - 1, 0), (HEIGHT - 1, WIDTH - 1)]
NODES = [*CORNERS, (0, 17), (11, 0), (HEIGHT - 2, WIDTH - 2), (13, 20)]
CASES = [
    (GREY, Encoding("quantiles", 4), 0),
    (GREY, Encoding("quantiles", 4), 3),
    (GREY, Encoding("quantiles", 64), 2),
    (GREY, Encoding("quantiles", 4), 40),
    (COLOUR, Encoding("palette", 6), 3),
    (GREY, Encoding("grey"), 3),
    (COLOUR, Encoding("lab"), 0),
    (COLOUR, Encoding("rgb"), 4),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[1].name} w={case[2]}")
def frame(request) -> Frame:
    image, encoding, window = request.param
    return frame_of(image, Parameters(encoding, n_states=5, window=window))


def frame_of(image: np.ndarray, parameters: Parameters) -> Frame:
    return new_frame(Picture(image, "photo"), parameters, needs=frozenset())


def window_of(frame: Frame, node: tuple[int, int]) -> list[tuple[int, int]]:
    w = frame.request.parameters.window
    return [
        (row, column)
        for row in range(node[0] - w, node[0] + w + 1)
        for column in range(node[1] - w, node[1] + w + 1)
        if 0 <= row < HEIGHT and 0 <= column < WIDTH
    ]


def plain_signature(frame: Frame, node: tuple[int, int]) -> list[float]:
    observations, window = frame.observations, window_of(frame, node)
    totals = [0.0] * observations.n_symbols
    for place in window:
        if observations.discrete:
            totals[int(observations.values[place])] += 1.0
        else:
            for k, value in enumerate(observations.values[place].tolist()):
                totals[k] += value
    return [total / len(window) for total in totals]


@pytest.mark.parametrize("node", NODES)
def test_a_node_is_what_plain_loops_say(frame, node):
    found, window, x = inspect(frame, node), window_of(frame, node), plain_signature(frame, node)
    assert found.node == node
    rows, columns = found.window
    assert rows == slice(min(row for row, _ in window), max(row for row, _ in window) + 1)
    assert columns == slice(min(c for _, c in window), max(c for _, c in window) + 1)
    assert found.signature.dtype == np.float64
    np.testing.assert_allclose(found.signature, x, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.value, frame.request.picture.pixels[node])
    assert found.value.shape == frame.request.picture.pixels.shape[2:]
    np.testing.assert_array_equal(found.observation, frame.observations.values[node])
    distances = [math.dist(x, codeword) for codeword in frame.codebook.tolist()]
    order = sorted(range(5), key=lambda j: distances[j])[:2]
    assert [state for state, _ in found.nearest] == order
    assert [d for _, d in found.nearest] == pytest.approx([distances[j] for j in order], rel=1e-9)
    assert found.state == frame.states[node]
    assert type(found.state) is int
    (nearest, distance), (_, second) = found.nearest
    assert found.state == nearest or second - distance < 1e-6


def test_equally_near_states_come_in_their_order():
    image = np.zeros((6, 8), np.uint8)
    image[:, 5:] = 200
    frame = frame_of(image, Parameters(Encoding("quantiles", 2), n_states=4, window=0))
    (first, d_first), (second, d_second) = inspect(frame, (2, 2)).nearest
    assert d_first == 0.0
    assert first == frame.states[2, 2]
    repeated = [j for j in range(4) if math.dist(frame.codebook[j], (1.0, 0.0)) == 0.0]
    assert len(repeated) > 1
    assert [first, second] == repeated[:2]
    assert d_second == 0.0


def test_one_state_has_one_nearest():
    frame = frame_of(GREY, Parameters(Encoding("quantiles", 3), n_states=1, window=2))
    found = inspect(frame, (5, 5))
    assert len(found.nearest) == 1
    assert found.nearest[0][0] == found.state == 0
