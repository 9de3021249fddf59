"""Beliefs of a Markov random field, in plain loops, to compare with `latviz.core.inference`.

A field is ``likelihood[t][j]``, the likelihood of state j at node t, and ``potentials[i][j]``,
symmetric: P(Q) is proportional to the product of the likelihoods of all nodes and the potentials of
all pairs of neighbours. A node without a likelihood is unknown: it is not there.
"""

from itertools import product
from math import inf, prod

from tests.naive import neighbours as all_neighbours


def neighbours(likelihood, shape, t):
    return [r for r in all_neighbours(shape, t) if r in likelihood]


def exact(likelihood, potentials, shape):
    """Return each node's marginal distribution, from all N^U decodings."""
    places, n = list(likelihood), len(potentials)
    sums = {t: [0.0] * n for t in places}
    for states in product(range(n), repeat=len(places)):
        share = weight(likelihood, potentials, shape, dict(zip(places, states, strict=True)))
        for t, j in zip(places, states, strict=True):
            sums[t][j] += share
    return {t: normalised(sums[t]) for t in places}


def most_probable(likelihood, potentials, shape):
    """Return the probability of the most probable decoding, up to a constant."""
    places, n = list(likelihood), len(potentials)
    return max(
        weight(likelihood, potentials, shape, dict(zip(places, states, strict=True)))
        for states in product(range(n), repeat=len(places))
    )


def weight(likelihood, potentials, shape, states):
    weight = prod(likelihood[t][states[t]] for t in states)
    for t in states:
        for r in neighbours(likelihood, shape, t):
            if t < r:
                weight *= potentials[states[t]][states[r]]
    return weight


def normalised(values):
    return [value / sum(values) for value in values]


def flooded(likelihood, potentials, shape, tolerance=1e-12, most=10_000):
    """Return beliefs and cavities of sum-product, all messages at once until they converge."""
    n = len(potentials)
    messages = {(t, r): [1 / n] * n for t in likelihood for r in neighbours(likelihood, shape, t)}
    change = inf
    while change > tolerance and most > 0:
        found = {}
        for t, r in messages:
            others = [s for s in neighbours(likelihood, shape, t) if s != r]
            says = [likelihood[t][j] * prod(messages[s, t][j] for s in others) for j in range(n)]
            sent = [sum(says[j] * potentials[j][i] for j in range(n)) for i in range(n)]
            found[t, r] = normalised(sent)
        change = max(
            abs(a - b) for key in found for a, b in zip(found[key], messages[key], strict=True)
        )
        messages, most = found, most - 1
    return _told(likelihood, messages, shape, n)


def in_passes(likelihood, potentials, shape, passes):
    """Return beliefs and cavities of sum-product, exact along the lines of one axis after another.

    In a pass each axis has its turn, the first one first: messages go along its lines from end to
    end and back, while those along other axes stay.
    """
    n = len(potentials)
    messages = {(t, r): [1 / n] * n for t in likelihood for r in neighbours(likelihood, shape, t)}
    for axis in list(range(len(shape))) * passes:
        along = {}
        for t in sorted(likelihood, key=lambda t: t[axis]):
            _send(likelihood, potentials, shape, messages, along, t, axis, 1)
        for t in sorted(likelihood, key=lambda t: -t[axis]):
            _send(likelihood, potentials, shape, messages, along, t, axis, -1)
        messages.update(along)
    return _told(likelihood, messages, shape, n)


def _send(likelihood, potentials, shape, messages, along, t, axis, step):
    n = len(potentials)
    ahead, behind = (tuple(x + s * (a == axis) for a, x in enumerate(t)) for s in (step, -step))
    near = neighbours(likelihood, shape, t)
    if ahead not in near:
        return
    says = list(likelihood[t])
    for r in near:
        if r not in (ahead, behind):
            says = [says[j] * messages[r, t][j] for j in range(n)]
    if behind in near:
        says = [says[j] * along[behind, t][j] for j in range(n)]
    sent = [sum(says[j] * potentials[j][i] for j in range(n)) for i in range(n)]
    along[t, ahead] = normalised(sent)


def _told(likelihood, messages, shape, n):
    cavities = {
        t: normalised(
            [prod(messages[r, t][j] for r in neighbours(likelihood, shape, t)) for j in range(n)]
        )
        for t in likelihood
    }
    beliefs = {
        t: normalised([likelihood[t][j] * cavities[t][j] for j in range(n)]) for t in likelihood
    }
    return beliefs, cavities
