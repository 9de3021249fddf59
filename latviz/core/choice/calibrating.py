"""Calibration: what a fit says of nodes that are hidden from it, and a fit by what others say."""

from dataclasses import replace

import numpy as np

from latviz.core.choice.cavity import cavity_length
from latviz.core.choice.code_length import CodeLength
from latviz.core.data.data_set import DataSet
from latviz.core.inference.emission import emission_of
from latviz.core.inference.field import Field, blank_field
from latviz.core.inference.fitting import Blank, Fit, coupling, fields_at_rest, fit
from latviz.core.inference.held_out import held_out_field
from latviz.core.progress import Progress, shares

ROUNDS = 6
"""Of the fit by hidden nodes, at most."""
RENEWALS = 8
"""Times that emissions are estimated in each of them, at most: it takes less than messages do."""
FIRST, LAST = 4, 12
"""Times that messages are sent before them, and from all nodes after them, at most."""
SAMPLE, MOST_NODES = 1 << 17, 1 << 15
"""Nodes times states that are hidden, and nodes, at most."""


def calibrated(found: Fit, data: DataSet, progress: Progress | None) -> Fit:
    """Return the fit of a data set, or one that tells nodes in fewer bits while they are hidden.

    Along loops messages come back, and states explain their own noise: what they emit differs too
    much then, and the code length is too short. So the emission and the strength are estimated once
    more from fields that hide each node in turn, on ``some`` of the data. They are kept if hidden
    nodes cost fewer bits, by more than chance. But where one state for all nodes costs no more than
    the states and their parameters do, states tell nothing: all of them emit the same then.

    Parameters
    ----------
    found : Fit
        Its fields are those of ``data``.
    data : DataSet
    progress : Progress or None

    Returns
    -------
    Fit
        Its bits are those of hidden nodes.
    """
    some = data.spread(min(MOST_NODES, SAMPLE // found.emission.n_states))
    hiding, telling = shares(progress, [8 * some.n_nodes, data.n_nodes])
    best, length = _by_hidden_nodes(found, some, hiding)
    one, least = _one_state(found, some)
    if least.bits <= length.bits:
        best, length = one, least
    fields = found.fields if best is found else _at_rest(best, data, LAST, blank_field, telling)
    if progress is not None:
        progress.report(1.0)  # mostly fewer rounds are needed
    return replace(best, bits=length.mean, fields=fields)


def _by_hidden_nodes(
    found: Fit, data: DataSet, progress: Progress | None
) -> tuple[Fit, CodeLength]:
    """Return the fit, or a better one by hidden nodes, and what those cost."""
    first, then = shares(progress, [1, 2])
    fields = _at_rest(found, data, FIRST, held_out_field, first)
    length = cavity_length(fields, found.emission, found.n_couplings)
    if data.dimensions == 1 or found.emission.n_states == 1:  # nothing comes back along loops
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
    found: Fit, data: DataSet, most: int, blank: Blank, progress: Progress | None
) -> list[Field]:
    pairs = coupling(found.attraction, found.strength)
    return fields_at_rest(found.emission, pairs, data, most=most, blank=blank, progress=progress)


def _one_state(found: Fit, data: DataSet) -> tuple[Fit, CodeLength]:
    """Return a fit whose states emit what all nodes do, and what nodes cost in one state."""
    one = emission_of(data, [np.zeros(shape, np.uint8) for shape in data.shapes], 1)
    length = cavity_length(fields_at_rest(one, np.eye(1), data, most=1), one)
    alike = one.ordered(np.zeros(found.emission.n_states, np.int64))
    return replace(found, emission=alike, strength=0.0), length
