"""What a race finds: its energy, agreement and accuracy, from their definitions."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.app.shell.searching import Query, Text
from latviz.core import contingency, emit, matched_accuracy, sample_voronoi
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.core.truth.agreement import accuracy_of
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.frames.methods import OtherMethod
from latviz.engine.frames.requests import request_of
from latviz.engine.lessons.facts import Facts
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.wings.race import contest, methods
from latviz.wings.race.peers import catalogue
from latviz.wings.race.peers.catalogue import PEERS
from latviz.wings.race.peers.problem import suited_strength
from latviz.workspace import read_work
from tests.new_frames import new_frame

UNHURRIED: Progress = Watch(lambda: False)


def of_mosaic(shape: tuple[int, ...] = (96, 128), apart: bool = False, **settings: Any) -> Frame:
    """Return the frame of three known states, seen through noise."""
    truth = sample_voronoi(shape, n_regions=12, n_states=3, random_state=1)
    B = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    pixels = 100 * emit(truth, emission=B, random_state=2).astype(np.uint8)
    picture = Picture(pixels, "mosaic", truth=truth, dimensions=len(shape))
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=3, window=2, **settings)
    state = State().opened(as_set(picture.sliced(apart)), parameters)
    return Pipeline().run(request_of(state, frozenset(), complete=True), Listener())


def of_demo(name: str, **settings: Any) -> Frame:
    pictures, session = read_work(None, name)
    facts = Facts(replace(session.state, pictures=pictures))
    return facts.frame(replace(facts.opened.parameters, **settings))


def raced(name: str, frame: Frame) -> tuple[Frame, contest.LabellingScore]:
    return contest.labelled_by(name, contest.set_up(frame, UNHURRIED), UNHURRIED)


@pytest.mark.parametrize("words", ["k-means", "graph cuts", "icm", "slic", "superpixel"])
def test_words_by_which_people_search_name_a_method(words: str) -> None:
    named = Text.of(", ".join(row.names for row in methods.ROWS))
    assert Query(words).rank(Text.of("Race all"), named) is not None


def test_each_row_labels_the_picture_in_the_colours_on_screen() -> None:
    frame, shared = of_mosaic(), dict[str, Any]()
    rows = [row for row in methods.ROWS if row.title in ("Belief", "ICM")]
    for row in rows:
        found = row.label(frame, UNHURRIED, shared)
        states, truth = found.frame.states, frame.request.picture.truth
        assert found.frame.by == row.title
        assert found.frame.slots == frame.slots
        np.testing.assert_array_equal(
            found.frame.occupancy, [(states == k).sum() for k in range(3)]
        )
        table = contingency(states, frame.states)
        assert np.trace(table) / table.sum() == pytest.approx(accuracy_of(table))
        right = matched_accuracy(states, truth)
        assert right > 0.6
        assert re.fullmatch(rf"Accuracy {100 * right:.1f}\s% · [\d.]+ m?s", found.score)
        assert f"{100 * np.trace(table) / table.sum():.1f}" in found.details
    assert [row.title for row in methods.ROWS[1:]] == [peer.title for peer in PEERS.values()]
    assert all(isinstance(row, OtherMethod) for row in methods.ROWS)


def test_energies_are_of_one_problem_and_belief_is_below_the_windows() -> None:
    frame = of_mosaic()
    found = contest.set_up(frame, UNHURRIED)
    labelled, score = contest.labelled_by("", found, UNHURRIED)
    costs = -np.log(frame.model.B[:, frame.observations.values])
    costs = (costs - costs.min(axis=0)).transpose(1, 2, 0)

    def energy(states: np.ndarray) -> float:
        own = np.take_along_axis(costs, states[..., None].astype(int), axis=-1).sum()
        unlike = sum(np.count_nonzero(np.diff(states, axis=axis)) for axis in (0, 1))
        return float(own + found.problem.strength * unlike)

    assert score.energy == pytest.approx(energy(labelled.states), rel=1e-5)
    assert score.energy < energy(frame.states)
    told = contest.details(score, found)
    assert f"{round(energy(frame.states)):,} (lower is better)" in told
    assert score.seconds > 0


def test_what_cannot_be_labelled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = of_mosaic((6, 40, 44))
    flat = replace(PEERS["icm"], axes=(2,))
    monkeypatch.setitem(catalogue.PEERS, "icm", flat)
    with pytest.raises(ParameterError, match="ICM takes lattices of 2 dimensions, got 3"):
        contest.label("icm", frame, UNHURRIED, {})
    apart = of_mosaic((6, 40, 44), apart=True)
    assert contest.label("icm", apart, UNHURRIED, {}).frame.states.shape == (6, 40, 44)
    lacking = replace(flat, needs={"no_such_module": "No-Such-Package"})
    monkeypatch.setitem(catalogue.PEERS, "icm", lacking)
    with pytest.raises(ParameterError, match=r"needs No-Such-Package.*pip install \"latviz"):
        contest.label("icm", apart, UNHURRIED, {})
    B = np.array(frame.model.B)
    B[:, 2] = 0.0
    model = replace(frame.model, B=B / B.sum(axis=1, keepdims=True))
    with pytest.raises(ParameterError, match=r"no state can emit [\d,]+ of 10,560 observations"):
        contest.label("", replace(frame, model=model), UNHURRIED, {})


def test_graph_cuts_get_the_emissions_of_the_windows_states() -> None:
    fastmin = pytest.importorskip("maxflow.fastmin")
    frame = of_demo("figure1")
    truth = frame.request.picture.truth
    strength = suited_strength(frame.model.emission, contest.shown_data(frame))
    costs = -np.log(frame.model.B[:, frame.observations.values]).transpose(1, 2, 0)
    labels = costs.argmin(axis=-1)
    fastmin.aexpansion_grid(costs, strength * (1 - np.eye(2)), labels=labels)
    same = float((labels == truth).mean())
    assert raced("expansion", frame)[1].accuracy == pytest.approx(max(same, 1 - same), abs=1e-3)


def test_graph_cuts_are_between_windows_and_belief_if_neighbours_depend() -> None:
    pytest.importorskip("maxflow")
    nearest, belief = (
        of_demo("mosaic", n_states=5, window=5, learning_window=5, decoder=decoder)
        for decoder in ("nearest", "belief")
    )
    cuts = raced("expansion", nearest)[1].accuracy
    assert nearest.truth.accuracy < cuts < belief.truth.accuracy


def test_the_lowest_energy_is_not_the_most_accurate_as_the_task_says() -> None:
    pytest.importorskip("maxflow")
    frame = of_demo("stripes")
    cuts, belief = (raced(name, frame)[1] for name in ("expansion", ""))
    assert cuts.energy < belief.energy
    assert cuts.accuracy < frame.truth.accuracy < belief.accuracy


def test_pictures_with_unknown_pixels_are_refused() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30)).astype(np.uint8)
    known = np.ones(pixels.shape, bool)
    known[3:5] = False
    frame = new_frame(Picture(pixels, "hole", known=known), Parameters(n_states=2, window=1))
    with pytest.raises(ParameterError, match="crop the image to its known part"):
        contest.set_up(frame, UNHURRIED)
