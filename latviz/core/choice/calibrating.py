"""Calibration: the code length of hidden nodes under a fit, and a fit to hidden nodes."""

from dataclasses import replace

import numpy as np

from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.code_length import CodeLength
from latviz.core.data.data_set import DataSet
from latviz.core.inference.emission import Densities, certain
from latviz.core.inference.field import Field
from latviz.core.inference.fitting import Fit, coupling, fields_at_rest, fit
from latviz.core.inference.held_out import held_out_field
from latviz.core.progress import Progress, shares

ROUNDS = 6
"""Of the fit by hidden nodes, at most."""
RENEWALS = 8
"""Most times that emissions are estimated in each round: this is faster than messages."""
SENDINGS = 4
"""Times that messages are sent before them, at most."""
SAMPLE, MOST_NODES = 1 << 17, 1 << 15
"""Nodes times states that are hidden, and nodes, at most."""


def hidden_part(data: DataSet, n_states: int) -> DataSet:
    """Return the part of a data set, spread over it, whose nodes are hidden in turn."""
    return data.spread(min(MOST_NODES, SAMPLE // n_states))


def hidden_length(found: Fit, data: DataSet) -> CodeLength:
    """Return the code length of hidden nodes, with the parameters of the fit."""
    return _at_rest(found, data, None)[1]


def calibrated(found: Fit, data: DataSet, progress: Progress | None) -> tuple[Fit, CodeLength]:
    """Return the fit, or one that codes hidden nodes in fewer bits, and its code length."""
    # Along loops messages come back, and states explain their own noise: their emissions differ too
    # much then, and the code length is too short. So emission and strength are estimated once more
    # from fields that hide each node in turn, and kept if hidden nodes cost fewer bits, by more
    # than chance. If one state for all nodes costs no more than the states and their parameters,
    # all states get the same emission
    best, length = _by_hidden_nodes(found, data, progress)
    one, least = _one_state(found, data)
    return (one, least) if least.bits <= length.bits else (best, length)


def _by_hidden_nodes(
    found: Fit, data: DataSet, progress: Progress | None
) -> tuple[Fit, CodeLength]:
    """Return the fit, or a better one by hidden nodes, and their code length."""
    first, then = shares(progress, [1, 2])
    fields, length = _at_rest(found, data, first)
    if data.dimensions == 1 or found.emission.n_states == 1:  # messages do not return along loops
        return found, length
    other = fit(
        found.emission,
        data,
        found.strength,
        most=ROUNDS,
        attraction=found.attraction,
        fields=fields,
        renewals=RENEWALS,
        progress=then,
    )
    shorter = cavity_length(other.fields, other.emission, other.n_couplings)
    return (other, shorter) if shorter.is_shorter_than(length) else (found, length)


def _at_rest(
    found: Fit, data: DataSet, progress: Progress | None
) -> tuple[list[Field], CodeLength]:
    """Return the fields that hide each node in turn, and the nodes' code length."""
    pairs, blank = coupling(found.attraction, found.strength), held_out_field
    fields = fields_at_rest(
        found.emission, pairs, data, most=SENDINGS, blank=blank, progress=progress
    )
    return fields, cavity_length(fields, found.emission, found.n_couplings)


def _one_state(found: Fit, data: DataSet) -> tuple[Fit, CodeLength]:
    """Return a fit whose states all have the emission of all nodes, and its code length."""
    one, length = length_alone(found.emission, data)
    alike = one.ordered(np.zeros(found.emission.n_states, np.int64))
    return replace(found, emission=alike, strength=0.0), length


def length_alone(emission: Densities, data: DataSet) -> tuple[Densities, CodeLength]:
    """Return the emission of one state, of the same law as of several, and its code length."""
    one = emission.renewed(certain(data.in_one_state, 1), data)
    return one, cavity_length(fields_at_rest(one, np.eye(1), data, most=1), one)
