"""Computations of a race, outside the window's thread: the problem, belief, another method."""

from dataclasses import dataclass, replace

import numpy as np

from latviz.core.data.data_set import DataSet
from latviz.core.progress import Progress
from latviz.core.truth.agreement import contingency, known_contingency, matched_accuracy, matched_to
from latviz.core.types import States
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.data_sets import by_lattices, data_set_of, of_picture
from latviz.engine.settings.parameters import in_force
from latviz.wings.race.peers.catalogue import Peer
from latviz.wings.race.peers.problem import Problem, believed, problem_of, suited_strength
from latviz.wings.race.peers.running import run
from latviz.wings.race.scores import Labelled, LabellingScore


@dataclass(frozen=True, eq=False)
class Contest:
    """The problem that a frame on screen sets to a method, and the score of belief."""

    peer: Peer
    frame: Frame  # not coarse
    data: DataSet  # the lattices of its picture
    problem: Problem
    belief: LabellingScore  # of belief in this problem
    shown: LabellingScore  # of the states of the frame


def set_up(peer: Peer, frame: Frame, progress: Progress) -> Contest:
    """Return the problem of a frame, with the score of belief."""
    # Every method gets the emissions of the model on screen. The cost of neighbours in different
    # states makes the code of the observations shortest, so no truth is needed
    data = shown_data(frame)
    peer.check(data.dimensions)
    emission, window = frame.decoding_model.emission, frame.request.parameters.window
    strength = suited_strength(emission, data, progress)
    seen = window if peer.sees_signatures else None
    problem = problem_of(data, emission, strength, seen, progress)
    belief = believed(emission, data, strength, progress)
    states = of_picture(belief.labels, frame.request.picture)
    return Contest(
        peer,
        frame,
        data,
        problem,
        replace(_score(problem, data, frame, states), seconds=belief.seconds),
        _score(problem, data, frame, frame.states),
    )


def race(contest: Contest, progress: Progress) -> tuple[Frame, Labelled]:
    """Return the frame to compare with, in the colours on screen, and the scores."""
    frame, found = contest.frame, run(contest.peer, contest.problem, progress)
    energy = contest.problem.energy(found.labels)  # its names are those of the least
    picture, n_states = frame.request.picture, frame.model.n_states
    states = matched_to(frame.states, of_picture(found.labels, picture), n_states)
    score = replace(
        _score(contest.problem, contest.data, frame, states), energy=energy, seconds=found.seconds
    )
    labelled = replace(
        frame.to_keep(),
        states=states,
        occupancy=np.bincount(states.reshape(-1), minlength=n_states),
        by=contest.peer.title,
    )
    return labelled, Labelled(contest.peer.title, score, contest.belief, contest.shown)


def shown_data(frame: Frame) -> DataSet:
    """Return the observations of the picture that a frame shows, as its lattices."""
    request = frame.request
    parameters = in_force(request.parameters, request.picture.dimensions)
    return data_set_of([frame.observations], parameters.slices_apart)


def _score(problem: Problem, data: DataSet, frame: Frame, states: States) -> LabellingScore:
    known = frame.request.picture.truth
    return LabellingScore(
        problem.energy(by_lattices(states, data)),
        matched_accuracy(contingency(states, frame.states)),
        None if known is None else matched_accuracy(known_contingency(states, known)),
    )
