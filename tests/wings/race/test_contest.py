"""Alpha-expansion in a race, against PyMaxflow itself and against belief."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Watch
from latviz.engine.lessons.facts import Facts
from latviz.wings.race import contest
from latviz.wings.race.peers.catalogue import PEERS
from latviz.wings.race.peers.problem import suited_strength
from latviz.workspace import read_work

UNHURRIED: Progress = Watch(lambda: False)


def of_demo(name: str, **settings: object) -> Frame:
    pictures, session = read_work(None, name)
    facts = Facts(replace(session.state, pictures=pictures))
    return facts.frame(replace(facts.opened.parameters, **settings))


def right_by_cuts(frame: Frame) -> float:
    pytest.importorskip("maxflow", reason="needs PyMaxflow")
    _, found = contest.race(contest.set_up(PEERS["expansion"], frame, UNHURRIED), UNHURRIED)
    assert found.own.accuracy is not None
    return found.own.accuracy


def test_graph_cuts_get_the_emissions_of_the_windows_states() -> None:
    fastmin = pytest.importorskip("maxflow.fastmin")
    frame = of_demo("figure1")
    truth = frame.request.picture.truth
    strength = suited_strength(frame.model.emission, contest.shown_data(frame))
    costs = -np.log(frame.model.B[:, frame.observations.values]).transpose(1, 2, 0)
    labels = costs.argmin(axis=-1)
    fastmin.aexpansion_grid(costs, strength * (1 - np.eye(2)), labels=labels)
    same = float((labels == truth).mean())
    assert right_by_cuts(frame) == pytest.approx(max(same, 1 - same), abs=1e-3)


def test_graph_cuts_are_between_windows_and_belief_if_neighbours_depend() -> None:
    nearest, belief = (
        of_demo("mosaic", n_states=5, window=5, learning_window=5, decoder=decoder)
        for decoder in ("nearest", "belief")
    )
    assert nearest.truth.accuracy < right_by_cuts(nearest) < belief.truth.accuracy
