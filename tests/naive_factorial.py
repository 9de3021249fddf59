"""The factorial model in plain loops: chains c with a state each, tuples of them, one table.

``sizes`` holds N of each chain, ``strengths`` its log-potential, ``table`` the distribution of
symbols under each tuple, numbered so that the last chain's state changes first. Lattices map a node
to its symbol; those that lack a node do not know it.
"""

from itertools import product
from math import exp, log, prod

from tests.naive import neighbours as all_neighbours


def tuples(sizes):
    return list(product(*map(range, sizes)))


def neighbours(o, shape, t):
    return [r for r in all_neighbours(shape, t) if r in o]


def potential(q, r, strengths):
    """Return the weight of two tuples as neighbours: a factor for each chain that agrees."""
    weight = 1.0
    for a, b, strength in zip(q, r, strengths, strict=True):
        if a == b:
            weight *= exp(strength)
    return weight


def exact(o, shape, sizes, strengths, table):
    """Return each node's marginal distribution, from all decodings."""
    every, places = tuples(sizes), list(o)
    sums = {t: [0.0] * len(every) for t in places}
    for numbers in product(range(len(every)), repeat=len(places)):
        states = dict(zip(places, numbers, strict=True))
        weight = prod(table[states[t]][o[t]] for t in places)
        for t in places:
            for r in neighbours(o, shape, t):
                if t < r:
                    weight *= potential(every[states[t]], every[states[r]], strengths)
        for t in places:
            sums[t][states[t]] += weight
    return {t: [x / sum(found) for x in found] for t, found in sums.items()}


def on_tree(o, shape, sizes, strengths, table):
    """Return the same where known nodes have no loops: sums over the branches of each node."""
    every = tuples(sizes)

    def branch(t, parent, q):
        weight = table[q][o[t]]
        for r in neighbours(o, shape, t):
            if r != parent:
                weight *= sum(
                    potential(every[q], every[j], strengths) * branch(r, t, j)
                    for j in range(len(every))
                )
        return weight

    found = {t: [branch(t, None, q) for q in range(len(every))] for t in o}
    return {t: [x / sum(each) for x in each] for t, each in found.items()}


def log_likelihood(o, shape, states, A, table, normalizer):
    """Return the data term and the pair term of tuples (Algorithm 1); A holds one a chain."""
    every = tuples([len(one) for one in A])

    def a(q, r):
        return prod(one[i][j] for one, i, j in zip(A, every[q], every[r], strict=True))

    data, pairs = 0.0, 0.0
    for t in o:
        data += log(table[states[t]][o[t]])
        near = neighbours(o, shape, t)
        if normalizer == "neighbours":
            k = sum(a(states[t], states[r]) for r in near)
        else:
            k = sum(a(states[t], j) for j in range(len(every)))
        for r in near:
            for one, i, j in zip(A, every[states[t]], every[states[r]], strict=True):
                pairs += log(one[i][j]) / 2
            pairs -= log(k) / 2
    return data, pairs
