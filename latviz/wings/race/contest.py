"""Computations of a race, outside the window's thread: the problem, belief, other methods."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from latviz.core import digits
from latviz.core.data.data_set import DataSet
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.core.truth.agreement import (
    accuracy_of,
    known_contingency,
    matched_accuracy,
    matched_to,
)
from latviz.core.windows.signature import signatures
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled
from latviz.engine.pictures.data_sets import by_lattices, data_set_of, of_picture
from latviz.wings.race.peers.catalogue import PEERS
from latviz.wings.race.peers.problem import Problem, believed, problem_of, suited_strength
from latviz.wings.race.peers.running import run


@dataclass(frozen=True, eq=False)
class Contest:
    """The problem that a frame on screen sets to all methods."""

    frame: Frame  # not coarse
    data: DataSet  # the lattices of its picture
    problem: Problem  # without signatures


@dataclass(frozen=True)
class LabellingScore:
    """The scores of one labelling of a picture."""

    energy: float  # nats, see `latviz.wings.race.peers.problem.Problem.energy`
    agreement: float  # share of pixels in the matched states on screen, 0 to 1
    accuracy: float | None  # share in the matched known states
    seconds: float  # of the method itself


def label(name: str, frame: Frame, progress: Progress, shared: dict[str, Any]) -> Labelled:
    """Return the states of a peer, or of belief if it has no name, in the colours on screen."""
    # Every method gets the emissions of the model on screen, and one strength
    if name:
        PEERS[name].check(shown_data(frame).dimensions)
    if "contest" not in shared:
        shared["contest"] = set_up(frame, progress)
    labelled, score = labelled_by(name, shared["contest"], progress)
    about = PEERS[name].tip if name else "Belief with the emissions and the strength of the others"
    return Labelled(labelled, score_text(score), details(score, shared["contest"]), about)


def set_up(frame: Frame, progress: Progress) -> Contest:
    """Return the problem of a frame."""
    # The cost of neighbours in different states makes the code of the observations shortest, so no
    # truth is needed
    data, emission = shown_data(frame), frame.decoding_model.emission
    strength = suited_strength(emission, data, progress)
    return Contest(frame, data, problem_of(data, emission, strength, progress=progress))


def labelled_by(name: str, contest: Contest, progress: Progress) -> tuple[Frame, LabellingScore]:
    """Return the frame to compare with, whose states are those of a method, and their scores."""
    frame, problem, data = contest.frame, contest.problem, contest.data
    if name:
        peer = PEERS[name]
        if peer.sees_signatures:
            window = frame.request.parameters.window
            seen = [signatures(one, data.n_symbols, window) for one in data.lattices]
            problem = replace(problem, signatures=tuple(seen))
        found = run(peer, problem, progress)
    else:
        found = believed(frame.decoding_model.emission, data, problem.strength, progress)
    picture, n_states = frame.request.picture, frame.model.n_states
    states = matched_to(frame.states, of_picture(found.labels, picture), n_states)
    known = picture.truth
    score = LabellingScore(
        problem.energy(found.labels),  # peers' names are those of the least
        matched_accuracy(states, frame.states),
        None if known is None else accuracy_of(known_contingency(states, known)),
        found.seconds,
    )
    return (
        replace(
            frame.to_keep(),
            states=states,
            occupancy=np.bincount(states.reshape(-1), minlength=n_states),
            by=PEERS[name].title if name else "Belief",
        ),
        score,
    )


def shown_data(frame: Frame) -> DataSet:
    """Return the observations of the picture that a frame shows, as its lattices."""
    request = frame.request
    if request.picture.known is not None:
        raise ParameterError(
            "other methods label every pixel, and some are unknown: crop the image to its known "
            "part to compare with them"
        )
    return data_set_of([frame.observations], [request.picture])


def score_text(score: LabellingScore) -> str:
    """Return the scores below a small picture: accuracy or agreement, and time."""
    if score.accuracy is None:
        right = f"{digits.share(score.agreement)} agree"
    else:
        right = f"Accuracy {digits.share(score.accuracy)}"
    return f"{right} · {digits.duration(score.seconds)}"


def details(score: LabellingScore, contest: Contest) -> str:
    """Return the scores in words."""
    frame, shown = contest.frame, by_lattices(contest.frame.states, contest.data)
    node = frame.request.picture.node_name
    parts = [
        f"{digits.share(score.agreement)} of the {node}s agree with the states on screen",
        f"energy {digits.measure(score.energy)} nats, of the states on screen "
        f"{digits.measure(contest.problem.energy(shown))} (lower is better)",
        f"time {digits.duration(score.seconds)}",
    ]
    if score.accuracy is not None:
        parts.insert(0, f"accuracy {digits.share(score.accuracy)} (higher is better)")
    return "; ".join(parts)
